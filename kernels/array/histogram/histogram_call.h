/* Histograms as their variants see them. */
#pragma once

#include "array/common/variant.h"
#include "array/histogram/histogram_bin.h"
#include "gpufilter/histogram.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gf_histogram_call {
    struct gf_array_call array;
    int32_t channels;
    struct gf_histogram_bins bins;
};

GF_ARRAY_CALL_OF(gf_histogram_call)

/* The bins that these options describe, of elements of options->array.type. Refuses ranges and edges that are
 * none. */
gf_status gf_histogram_bins_make(const gf_histogram_options *options, struct gf_histogram_bins *bins,
                                 gf_error *error);

/* Slots of a channel: its bins, then below, above, NaN. */
static inline int64_t gf_histogram_row(const struct gf_histogram_call *call)
{
    return call->bins.count + GF_HISTOGRAM_EXTRA;
}

/* The slot of each of the 256 bytes: whatever the bins, bytes are counted by value and then moved. */
static inline void gf_histogram_byte_slots(const struct gf_histogram_bins *bins, uint32_t slot[256])
{
    for (int32_t v = 0; v < 256; v++) {
        slot[v] = gf_slot_u8((uint8_t)v, bins);
    }
}

gf_array_run_fn gf_histogram_sequential, gf_histogram_cpu, gf_histogram_cuda, gf_histogram_naive_cuda,
    gf_histogram_wide_cuda, gf_histogram_shared_cuda, gf_histogram_skip_cuda;
gf_array_scratch_fn gf_histogram_cpu_scratch;
gf_array_scratch_fn gf_histogram_cuda_scratch;

#ifdef __cplusplus
}
#endif
