/* What the kernels of match on CUDA work on: a band of rows of the result. */
#ifndef GF_PIXEL_MATCH_CUDA_H
#define GF_PIXEL_MATCH_CUDA_H

#include "base/gf_cuda.h"
#include "pixel/whole/match/match.h"

enum {
    GF_MATCH_THREADS = 128,
    GF_MATCH_BAND = 512,      /* rows, a multiple of those of a tile of products */
    GF_MATCH_NARROW = 1 << 16 /* samples of a template of u8 whose sums all fit u32, and differences s64 */
};

struct gf_match_params {
    const char *in, *by;
    char *out;
    int64_t in_pitch, by_pitch, out_pitch;
    int64_t samples;       /* of a row of the picture */
    int64_t across, down;  /* samples of a row of the template, and rows */
    int64_t places;        /* the result's width */
    int64_t first, rows;   /* of the result */
    int64_t chunk;         /* rows over which a thread's sums of columns slide */
    int64_t wide, pitch;   /* elements from row to row of sums and squares, and of products */
    int32_t channels, two; /* whether samples have two bytes, */
    int32_t words;         /* whether rows may be read four samples at a time, */
    int32_t narrow;        /* whether what follows are u32; else u64 */
    struct gf_match_template *t;
    void *sums, *squares; /* of columns, sample by sample of each row; then all of a row up to each */
    void *products;
};

#endif
