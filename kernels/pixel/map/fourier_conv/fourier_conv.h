/* fourier_conv: correlation of f32 by Fourier transforms, tile by tile. MAP:
 *   in[0] f32 picture of W + across - 1 x H + down - 1
 *   in[1] f32 block, across * down weights, row by row
 *   in[2] f32 block, their spectrum: `high` rows of wide / 2 + 1 complex numbers (lower_fourier_conv.c)
 *   out[0] f32 picture of W x H and as many channels
 *
 * Tiles lie side by side from the first pixel on, and each has wide - across + 1 by high - down + 1 places. A
 * tile reads `wide` x `high` samples of a channel from its own first place on, zeros beyond in[0]. Where all
 * are tame, their spectrum times that of the weights, transformed back, begins with its places; else each
 * place is the chain of conv. So the rest of the picture, bands and devices change no bit, and what is not
 * finite stays within reach of the weights. Everything here is pure, for C11, C++17 and CUDA. */
#pragma once

#include "base/gf_num.h"
#include "gpufilter/fft.h"
#include "pixel/ir/kernel_table.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Samples below that in size are tame: with weights of sizes that add up to less than 2^60 no number of a
 * transform is beyond f32. */
#define GF_FOURIER_CONV_TAME 0x1p40F

struct gf_fourier_conv_args {
    int32_t across, down, wide, high; /* wide and high: powers of two from 4 on */
    /* The op list's: of a tile, real, in two dimensions, with rows in place; of the rows of so many tiles as
     * a GPU takes at a time, whose inverse scales as that of a tile, and of as many complex columns, one
     * behind the other. */
    const gf_fft_plan *tile, *rows, *columns;
};

/* What a run makes: units 0 to count - 1, each a tile of one channel. */
struct gf_fourier_conv_tiles {
    struct gf_fourier_conv_args args;
    int64_t places_x, places_y;   /* of a tile */
    int64_t across, first, count; /* tiles side by side; the first row of them */
    int64_t in_width, in_first, in_end, width, out_first, out_end; /* columns and rows of the pictures */
    int32_t channels;
};

struct gf_fourier_conv_place {
    int64_t x, y;
    int32_t channel;
};

/* Where the first place of a unit lies. */
GF_HD struct gf_fourier_conv_place gf_fourier_conv_place_of(const struct gf_fourier_conv_tiles *t,
                                                            int64_t unit)
{
    struct gf_fourier_conv_place place;
    place.channel = (int32_t)(unit % t->channels);
    place.x = unit / t->channels % t->across * t->places_x;
    place.y = (t->first + unit / t->channels / t->across) * t->places_y;
    return place;
}

/* Units [first, first + count) of a run on a GPU. `numbers` has their rows, 2 (wide / 2 + 1) floats each;
 * `turned` and `spectrum`, of the weights, columns of spectra. */
struct gf_fourier_conv_batch {
    const struct gf_apply_run *run;
    struct gf_fourier_conv_tiles tiles;
    int64_t first, count;
    float *numbers, *turned, *spectrum;
    uint32_t *wild; /* by unit of the batch: not 0 where a sample is not tame */
};

/* What lies between transforms: the weights' spectrum turned; samples to numbers; rows to columns; columns
 * times the spectrum, re and im in each other's place; those columns to rows, the places changed back;
 * places to the output. */
enum gf_fourier_conv_part {
    GF_FOURIER_CONV_SPECTRUM,
    GF_FOURIER_CONV_TAKE,
    GF_FOURIER_CONV_TURN,
    GF_FOURIER_CONV_PRODUCT,
    GF_FOURIER_CONV_TURN_BACK,
    GF_FOURIER_CONV_GIVE
};

/* Queues that part on a GPU. */
gf_status gf_fourier_conv_part_cuda(const struct gf_fourier_conv_batch *batch, enum gf_fourier_conv_part part,
                                    gf_error *error);

/* ---- inner loops of the CPU, once a SIMD level ---- */

struct gf_fourier_conv_rows {
    /* Copies n samples that lie `step` apart, then zeros up to `wide`; returns whether all are tame. */
    bool (*take)(const float *from, int64_t step, int64_t n, int64_t wide, float *to);
    /* Multiplies n complex numbers. */
    void (*product)(float *numbers, const float *by, int64_t n);
    /* Makes n places of a row, `step` apart, by the chain. Floats from a row of samples to the next: pitch.
     */
    void (*chain)(const float *from, int64_t pitch, int64_t step, const float *weights,
                  const struct gf_fourier_conv_args *args, int64_t n, float *out);
};

extern const struct gf_fourier_conv_rows gf_fourier_conv_rows_baseline;
extern const struct gf_fourier_conv_rows gf_fourier_conv_rows_avx2;   /* x86-64 builds only */
extern const struct gf_fourier_conv_rows gf_fourier_conv_rows_avx512; /* x86-64 builds only */

#ifdef __cplusplus
}
#endif
