/* The CPU executor of passes.
 *
 * A pass is cut into tiles: bands of rows times strips of columns. A thread marches down a tile: load a row,
 * run the pre program into a line that is extended beyond the picture's edges, filter it horizontally into
 * a ring of 2 r + 1 middle rows, filter those vertically, run the post program, store, measure. What a band
 * or strip needs of its neighbours it computes again. Tiles and threads never show in a result. */
#pragma once

#include "pixel/cpu/cpu_rows.h"
#include "pixel/ir/kernel_table.h"

/* For tests and measurements; zero and NULL mean "choose". Where a tap sums f32, band_height is rounded up
 * to a multiple of GF_CELL_H and strip_width of GF_CELL_W, so that a cell belongs to one tile. */
struct gf_cpu_options {
    const struct gf_cpu_rows *rows; /* SIMD level */
    int64_t band_height;            /* rows of a tile */
    int64_t strip_width;            /* pixels of a tile */
    bool upright;                   /* the pass is one of cpu_upright.c, turned */
    int64_t stream_bytes;           /* a larger picture is written past the caches; 64 MiB */
};

/* Bytes of scratch for run->threads = threads; the same options as when it runs. For each
 * thread at most about 16 bytes * channels * (2 radius_x + strip) + (ring of 2 radius_y + 1 rows of a
 * strip), where the strip is narrowed until the ring fits the second cache (box: 32 MB), but not below 256
 * samples; and the private counts of taps. */
size_t gf_pass_cpu_scratch(const struct gf_pass *pass, int32_t threads, const struct gf_cpu_options *options);

/* Runs a pass; options may be NULL. Synchronous. Works on run->threads parts at a time, on the threads of
 * run->team. */
gf_status gf_pass_cpu(struct gf_run *run, const struct gf_cpu_options *options, gf_error *error);

/* The path of passes over a picture one pixel wide, which go faster turned by a right angle: any pitch, the
 * same results. cpu_upright.c. */
bool gf_upright_takes(const struct gf_pass *pass);
size_t gf_upright_scratch(const struct gf_path *path, const struct gf_pass *pass, int32_t threads);
gf_status gf_upright_run(const struct gf_path *path, struct gf_run *run, gf_error *error);
