/* The kernel "move": each pixel of the output is one of the input, unchanged in every bit. Crop, pad, flip,
 * rotation by quarter turns and transposition are moves. */
#pragma once

#include "pixel/ir/kernel_table.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { GF_MOVE_PIXEL = 4 * sizeof(double) }; /* bytes of the largest pixel: 4 channels of 64 bits */

/* Pixel (x, y) of the output is (x0 + step_x * a, y0 + step_y * b) of the input, where (a, b) is (x, y), or
 * (y, x) where axes are swapped. What lies outside the input stands for the pixel that gf_border_index names,
 * with a constant border for `fill`. in[0] and out[0]: pictures of one depth and 1 to 4 channels. */
struct gf_move_args {
    int64_t x0, y0;
    int32_t swapped;                   /* 0 or 1 */
    int32_t step_x, step_y;            /* 1 or -1 */
    int32_t border;                    /* gf_border */
    unsigned char fill[GF_MOVE_PIXEL]; /* a pixel of the picture's depth and channels */
};

extern const struct gf_kernel gf_kernel_move;

/* ---- passes that load through a move ---- */

/* What such a pass reads. Row y of the pass is row args.y0 + args.step_y * y of the picture, whichever band
 * it is. */
struct gf_moved {
    const char *in; /* row `first` of the picture */
    int64_t pitch, first;
    int64_t width, height; /* of the picture */
    int64_t pixel;         /* bytes */
    struct gf_move_args args;
};

enum {
    GF_MOVED_ALIGN = 16
}; /* bytes: what begins in its rows at a multiple of them a GPU loads as it does whole rows */

struct gf_moved gf_moved_of(const struct gf_run *run);

/* Tells whether columns [0, width) and rows [0, height) all come from inside the picture, in its order along
 * rows: then they lie there as a picture of their own, from gf_moved_view on, args.step_y * pitch apart. */
bool gf_moved_is_view(const struct gf_moved *moved, int64_t width, int64_t height);
const char *gf_moved_view(const struct gf_moved *moved);

/* Do all pixels of a picture of that size come from inside one of in_width x in_height? */
bool gf_move_is_inside(const struct gf_move_args *args, int64_t in_width, int64_t in_height, int64_t width,
                       int64_t height);

/* ---- rows on the CPU, once a SIMD level (move_rows.c) ---- */

/* Rows and columns of the input that change places: column c becomes a row at out + c * out_pitch. Pitches
 * may be negative. `readable` bytes of the first row may be read from `in` on, and as many of the others. */
struct gf_move_tile {
    char *out;
    const char *in;
    int64_t out_pitch, in_pitch, rows, columns, readable;
};

struct gf_move_rows {
    /* n pixels of `size` bytes side by side, from ones `stride` bytes apart. */
    void (*line)(char *out, const char *in, int64_t n, int64_t stride, size_t size);
    /* The same from right to left, the first at `in`, from ones side by side; n >= 0, size at most 16. */
    void (*mirror)(char *out, const char *in, int64_t n, size_t size);
    void (*swap)(const struct gf_move_tile *tile, size_t size);
    void (*stream)(void *out, const void *in, size_t bytes); /* gf_cpu_stream */
};

/* Pixels [x0, x1) of row y of a pass that loads through a move: in the picture, where they lie there side by
 * side, else in `room`. */
const void *gf_moved_row(const struct gf_moved *moved, int64_t x0, int64_t x1, int64_t y, void *room);

extern const struct gf_move_rows gf_move_rows_baseline, gf_move_rows_avx2, gf_move_rows_avx512;

gf_status gf_move_cuda(const struct gf_apply_run *run, gf_error *error);
gf_status gf_judge_move(const struct gf_judge *judge, const struct gf_op *op, gf_error *error);

#ifdef __cplusplus
}
#endif
