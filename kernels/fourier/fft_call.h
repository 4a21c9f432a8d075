/* A Fourier transform to compute: what gf_fft checked and hands to a variant. */
#pragma once

#include "array/common/variant.h"
#include "fourier/fft_plan.h"
#include "fourier/fft_weights.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A channel of a picture in a device's memory. */
struct gf_fft_picture {
    void *memory; /* its first sample */
    int64_t pitch;
    int32_t depth, step; /* gf_depth: u8, u16 or f32; samples from a pixel to the next */
};

/* A picture's frequencies weighted: there, times weights, and back. The picture is extended before, and of
 * the result the same part is wanted. */
struct gf_fft_filter {
    struct gf_fft_weights weights;
    struct gf_fft_shown shown;
    struct gf_fft_picture in, out;
    int64_t left, top, width, height; /* of the picture in what is transformed */
    int32_t border;                   /* gf_border */
    int32_t fused; /* gf_fft_fuses; 0: samples are in the call's numbers, and come to be there */
};

/* array.n is how many samples there are. */
struct gf_fft_call {
    struct gf_array_call array;
    const struct gf_fft_plan *plan;
    int32_t inverse;
    float scale;          /* of samples made by the inverse: 1 / n rounded; else 1 */
    const float *factors; /* the device's copy of them (gf_fft_factors_on) */
    const struct gf_fft_filter
        *filter; /* on CUDA: there and back, of which array.out is the spectrum; NULL: none */
};

GF_ARRAY_CALL_OF(gf_fft_call)

/* Floats from a row to the next of what the call reads, and of what it writes. */
static inline int64_t gf_fft_sample_row(const struct gf_fft_call *call)
{
    return call->plan->shape.sample_stride * (call->plan->shape.real ? 1 : 2);
}
static inline int64_t gf_fft_row_in(const struct gf_fft_call *call)
{
    return call->inverse ? 2 * call->plan->shape.spectrum_stride : gf_fft_sample_row(call);
}
static inline int64_t gf_fft_row_out(const struct gf_fft_call *call)
{
    return call->inverse ? gf_fft_sample_row(call) : 2 * call->plan->shape.spectrum_stride;
}

/* Tells whether columns go through a copy of the spectrum: what they make does not fit into the samples. */
static inline int gf_fft_copies(const struct gf_fft_call *call)
{
    return call->inverse && call->plan->shape.real && call->plan->shape.dimensions == 2;
}

/* Floats from a row of a filter's spectrum to the next: four neighbouring numbers are a sector of memory. */
static inline int64_t gf_fft_filter_row(const gf_fft_plan *plan)
{
    return (2 * plan->half + 7) / 8 * 8;
}

/* Tells whether the passes over rows read and write pictures themselves: rows are pairs that any device has
 * room for, and sides are not extended by more than the picture has. */
int gf_fft_fuses(const gf_fft_plan *plan, const struct gf_fft_filter *filter);

/* Queues a filter on a GPU. `numbers` has room for the rows of the spectrum, `scratch` for what
 * gf_fft_scratch says of the transform there. */
gf_status gf_fft_run_filter(gf_queue queue, const gf_fft_plan *plan, const struct gf_fft_filter *filter,
                            float *numbers, void *scratch, gf_error *error);

gf_array_run_fn gf_fft_sequential, gf_fft_naive, gf_fft_stockham, gf_fft_stockham_check, gf_fft_cpu;
gf_array_scratch_fn gf_fft_plain_scratch, gf_fft_cpu_scratch;
gf_array_run_fn gf_fft_cuda, gf_fft_cuda_check, gf_fft_naive_cuda, gf_fft_stockham_cuda;
gf_array_scratch_fn gf_fft_cuda_scratch, gf_fft_textbook_cuda_scratch;

#ifdef __cplusplus
}
#endif
