/* Histograms as their variants see them. */
#ifndef GF_ARRAY_HISTOGRAM_CALL_H
#define GF_ARRAY_HISTOGRAM_CALL_H

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

static inline const struct gf_histogram_call *gf_histogram_call_of(const struct gf_array_call *call)
{
    return (const struct gf_histogram_call *)call; /* its first member */
}

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

gf_status gf_histogram_sequential(const struct gf_array_call *call, gf_error *error);

size_t gf_histogram_cpu_scratch(const struct gf_array_call *call);
gf_status gf_histogram_cpu(const struct gf_array_call *call, gf_error *error);

size_t gf_histogram_cuda_scratch(const struct gf_array_call *call); /* of every variant for CUDA */
gf_status gf_histogram_cuda(const struct gf_array_call *call, gf_error *error);
gf_status gf_histogram_naive_cuda(const struct gf_array_call *call, gf_error *error);
gf_status gf_histogram_shared_cuda(const struct gf_array_call *call, gf_error *error);

#ifdef __cplusplus
}
#endif
#endif
