/* frequency: a picture's frequencies weighted, each channel by itself. WHOLE:
 *   in[0] f32 picture v, already extended around what is wanted of it
 *   in[1] f32, a constant block: for each term a number for each k from 0 to width / 2, then one for each row
 *     of v
 *   out[0] f32 picture, those pixels of v from (left, top) on
 *
 * A channel of v is transformed by gf_fft, real and with two dimensions; number k of row l of its spectrum is
 * multiplied by the product of all terms' gf_frequency_term, and it is transformed back (docs/exactness.md).
 * Everything here is pure, for C11, C++17 and CUDA. */
#pragma once

#include "fourier/fft_weights.h"
#include "gpufilter/fft.h"
#include "pixel/ir/kernel_table.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { GF_FREQUENCY_TERMS = 32, GF_FREQUENCY_ORDERS = 20 };

struct gf_frequency_args {
    int32_t shape; /* of all terms: enum gf_frequency_shape */
    int32_t order; /* of BUTTERWORTH: 1 to GF_FREQUENCY_ORDERS */
    int32_t terms; /* 1 to GF_FREQUENCY_TERMS */
    int32_t below; /* so many first ones weight by g, the others by 1 - g */
    uint32_t mask; /* channels changed; of the others the pixels are copied */
    int64_t left, top;
    const gf_fft_plan *plan; /* of v: real, rows in place; the op list's */
};

/* fourier: the transform of a picture of complex numbers, or back. WHOLE:
 *   in[0], out[0] f32 pictures of two channels, re and im, of the same size */
struct gf_fourier_args {
    const gf_fft_plan *plan; /* of complex numbers, rows without gaps; the op list's */
    int32_t inverse;
};

/* A channel of the picture, and its spectrum in the same memory. */
struct gf_frequency_plane {
    const struct gf_apply_run *run;
    const float *terms; /* in the memory of the device */
    float *numbers;     /* rows of 2 half floats */
    int64_t width, height, half;
    int32_t channel, channels; /* of the picture; fourier: rows of so many floats, one channel */
    struct gf_frequency_args args;
};

/* What lies between transforms: the channel of v to the plane; the spectrum times its terms; the pixels that
 * are wanted from the plane to the output, or those of a channel that is not changed from v. */
enum gf_frequency_part { GF_FREQUENCY_TAKE, GF_FREQUENCY_WEIGHT, GF_FREQUENCY_GIVE, GF_FREQUENCY_COPY };

/* Queues that part of a run on a GPU: not the weights, which go with the transforms there. */
gf_status gf_frequency_part_cuda(const struct gf_frequency_plane *plane, enum gf_frequency_part part,
                                 gf_error *error);

#ifdef __cplusplus
}
#endif
