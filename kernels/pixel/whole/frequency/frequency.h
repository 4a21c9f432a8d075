/* frequency: a picture's frequencies weighted, each channel by itself. WHOLE:
 *   in[0] picture of u8, u16 or f32
 *   in[1] f32, a constant block: for each term a number for each k from 0 to width / 2, then one for each row
 *     of v
 *   out[0] picture of the same size, of that depth or f32
 *
 * v is in[0] in f32, extended by `border` to width x height with pixel (0, 0) at (left, top). A channel of v
 * is transformed by gf_fft, real and with two dimensions; number k of row l of its spectrum is multiplied by
 * the product of all terms' gf_frequency_term, it is transformed back, and the part that in[0] has of v is
 * rounded to out[0] (docs/exactness.md). Everything here is pure, for C11, C++17 and CUDA. */
#pragma once

#include "fourier/fft_weights.h"
#include "gpufilter/fft.h"
#include "pixel/ir/kernel_table.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { GF_FREQUENCY_TERMS = 32, GF_FREQUENCY_ORDERS = 20 };

struct gf_frequency_args {
    int32_t shape;             /* of all terms: enum gf_frequency_shape */
    int32_t order;             /* of BUTTERWORTH: 1 to GF_FREQUENCY_ORDERS */
    int32_t terms;             /* 1 to GF_FREQUENCY_TERMS */
    int32_t below;             /* so many first ones weight by g, the others by 1 - g */
    uint32_t mask;             /* channels changed; of the others the pixels are copied */
    struct gf_fft_shown shown; /* of channels changed */
    int32_t border;            /* gf_border, not GF_BORDER_CONSTANT */
    int64_t left, top, width, height;
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
    float *numbers;
    int64_t width, height, half; /* of v */
    int64_t row;                 /* floats from a row of v to the next */
    int64_t pixels;              /* of a row of the picture */
    int32_t channel, channels;   /* of the picture; fourier: rows of so many floats, one channel */
    struct gf_frequency_args args;
};

/* What lies between transforms: the channel of the picture, extended, to the plane; the spectrum times its
 * terms; the pixels that are wanted from the plane to the output, or those of a channel that is not changed
 * as they are. */
enum gf_frequency_part { GF_FREQUENCY_TAKE, GF_FREQUENCY_WEIGHT, GF_FREQUENCY_GIVE, GF_FREQUENCY_COPY };

/* Queues that part of a run on a GPU: not the weights, which go with the transforms there. */
gf_status gf_frequency_part_cuda(const struct gf_frequency_plane *plane, enum gf_frequency_part part,
                                 gf_error *error);

/* Sample i of a row, and the same written. */
GF_HD float gf_frequency_sample(const void *row, int32_t depth, int64_t i)
{
    return depth == GF_U8    ? (float)((const uint8_t *)row)[i]
           : depth == GF_U16 ? (float)((const uint16_t *)row)[i]
                             : ((const float *)row)[i];
}
GF_HD void gf_frequency_give(void *row, int32_t depth, int64_t i, float v)
{
    if (depth == GF_U8) {
        ((uint8_t *)row)[i] = gf_quantise_u8(v);
    } else if (depth == GF_U16) {
        ((uint16_t *)row)[i] = gf_quantise_u16(v);
    } else {
        ((float *)row)[i] = gf_canonical(v);
    }
}

#ifdef __cplusplus
}
#endif
