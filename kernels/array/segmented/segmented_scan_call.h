/* A scan of segments to run: what gf_scan_by_key or gf_segmented_scan checked and hands to a variant. */
#pragma once

#include "array/scan/scan_call.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gf_segmented_scan_call {
    struct gf_scan_call scan;
    bool by_key; /* segments are runs of equal keys: the next two; else the last two */
    gf_depth key;
    const void *keys;
    const int64_t *offsets;
    int64_t segments;
};

GF_ARRAY_CALL_OF(gf_segmented_scan_call)

gf_array_run_fn gf_segmented_scan_sequential, gf_segmented_scan_cpu, gf_segmented_scan_cuda;
gf_array_scratch_fn gf_segmented_scan_cuda_scratch;

#ifdef __cplusplus
}
#endif
