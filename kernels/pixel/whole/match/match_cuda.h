/* What the kernels of match on CUDA work on: a band of rows of the result. */
#ifndef GF_PIXEL_MATCH_CUDA_H
#define GF_PIXEL_MATCH_CUDA_H

#include "base/gf_cuda.h"
#include "pixel/whole/match/match.h"

enum {
    GF_MATCH_THREADS = 128,
    GF_MATCH_WARPS = GF_MATCH_THREADS / 32,
    GF_MATCH_BAND = 2048,     /* rows, where products do not fit where scores will be */
    GF_MATCH_NARROW = 1 << 16 /* samples of a template of u8 whose sums all fit u32, and differences s64 */
};

struct gf_match_params {
    const char *in, *by;
    char *out, *products;
    int64_t in_pitch, by_pitch, out_pitch, pitch; /* pitch: of products */
    int64_t samples;                              /* of a row of the picture */
    int64_t across, down;                         /* samples of a row of the template, and rows */
    int64_t places;                               /* the result's width */
    int64_t first, rows;                          /* of the result */
    int64_t chunk;                                /* rows that a block makes scores of */
    int32_t channels, two;                        /* whether samples have two bytes, */
    int32_t words, fours; /* whether rows may be read four bytes at a time, and those of the result 16, */
    int32_t narrow;       /* whether sums of products are u32; else u64 */
    struct gf_match_template *t;
};

#endif
