/* Taps on the CPU: each thread measures rows into a private state; states are merged in the end.
 * Everything merged is an integer, an extreme with its position, or a cell that one thread has summed, so
 * neither tiles nor threads show. */
#pragma once

#include "pixel/cpu/cpu_rows.h"
#include "pixel/ir/kernel_table.h"

/* A tap made ready. */
struct gf_cpu_tap {
    const struct gf_tap *tap;
    const struct gf_cpu_rows *rows;
    gf_depth depth;
    int32_t channels;
    int64_t width, height;
    struct gf_rect roi; /* clipped to the picture; w = 0: nothing is measured */
    const float *range; /* {lo, hi} a channel, or picks (digit.h), or NULL */
    int64_t strip;      /* pixels: tiles are not wider */
    size_t bytes;       /* of a thread's state */
    const struct gf_pass_part *part;
    int64_t top;     /* rows of the picture above those of the pass, for a tap that goes on */
    double *cells;   /* f32: what the cells add up to, in the order of the tap's own */
    bool two_values; /* u8 of one channel that is values[0] or values[1] everywhere */
    uint8_t values[2];
    void *out;
};

/* Does the tap sum f32, so that tiles must consist of whole cells? */
bool gf_cpu_tap_has_cells(const struct gf_pass *pass, const struct gf_tap *tap);

/* Bytes of the cells that all threads share. */
size_t gf_cpu_tap_cell_bytes(const struct gf_pass *pass, const struct gf_tap *tap);

/* Fills *made for tap i of the run's pass and clears its output. cells: gf_cpu_tap_cell_bytes, or NULL. */
void gf_cpu_tap_make(struct gf_cpu_tap *made, const struct gf_run *run, int i, const struct gf_cpu_rows *rows,
                     int64_t strip, double *cells);

/* A thread: measures row y of pixels [x, x + n) (rows of a tile from top to bottom);
 * ends a tile at row `end`. */
void gf_cpu_tap_row(const struct gf_cpu_tap *tap, void *state, const void *row, int64_t x, int64_t y,
                    int64_t n);
void gf_cpu_tap_end_tile(const struct gf_cpu_tap *tap, void *state, int64_t x, int64_t end, int64_t n);

/* A piece of a row of a tile, within the tap's region: pixels [x, x + n) of row y, `offset` pixels behind the
 * tile's first. */
struct gf_cpu_piece {
    int64_t x, y, n, offset;
};

/* How threads of the CPU measure; a tap's entry has one. A state and the output begin as zeros. */
struct gf_cpu_measure {
    size_t (*bytes)(const struct gf_pass *pass, const struct gf_tap *tap, int64_t strip); /* of a state */
    void (*row)(const struct gf_cpu_tap *tap, void *state, const void *row, const struct gf_cpu_piece *at);
    void (*merge)(const struct gf_cpu_tap *tap, void *state); /* after all threads: adds it to the output */
    void (*finish)(const struct gf_cpu_tap *tap);             /* NULL: nothing is left to do */
    /* Ends the cells that row y of pixels [x, x + n) lies in. NULL: f32 is not summed by cells. */
    void (*end_cells)(const struct gf_cpu_tap *tap, void *state, int64_t x, int64_t y, int64_t n);
    size_t (*cell_bytes)(const struct gf_pass *pass, const struct gf_tap *tap); /* of f32, for all threads */
    bool by_place; /* what it measures is of columns or of rows: a picture must not be turned for it */
    /* Ends a tile of pixels [x, x + n), after its last row and its cells. NULL: there is nothing to do. */
    void (*end_tile)(const struct gf_cpu_tap *tap, void *state, int64_t x, int64_t n);
};

/* Cells in raster order, folded in neighbouring pairs level by level; one NaN for all. */
double gf_cpu_fold_cells(double *cells, int64_t n);
