/* A scan of segments to run: what gf_scan_by_key or gf_segmented_scan checked and hands to a variant. */
#ifndef GF_ARRAY_SEGMENTED_SCAN_CALL_H
#define GF_ARRAY_SEGMENTED_SCAN_CALL_H

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

static inline const struct gf_segmented_scan_call *gf_segmented_scan_call_of(const struct gf_array_call *call)
{
    return (const struct gf_segmented_scan_call *)(const void *)call; /* its first member's first */
}

gf_status gf_segmented_scan_sequential(const struct gf_array_call *call, gf_error *error);
gf_status gf_segmented_scan_cpu(const struct gf_array_call *call, gf_error *error);

size_t gf_segmented_scan_cuda_scratch(const struct gf_array_call *call);
gf_status gf_segmented_scan_cuda(const struct gf_array_call *call, gf_error *error);

#ifdef __cplusplus
}
#endif
#endif
