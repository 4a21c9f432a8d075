/* gpufilter/ragged.h: loops in a loop, the inner of any length:
 *
 *     for (ix = 0; ix < nx; ix++)
 *         for (iy = 0; iy < counts[ix]; iy++)
 *             body(ix, iy);
 *
 * with bodies that are here already, all iterations in any order, at once. gpufilter/ragged.cuh runs a body
 * of your own under the same variants, in a file that nvcc compiles.
 *
 *     gf_ragged_options options = GF_RAGGED_OPTIONS_INIT;
 *     options.value = 3;
 *     gf_ragged_scratch(queue.device, &options, nx, 0, &bytes, &error);
 *     ...
 *     gf_ragged(queue, &options, counts, nx, NULL, sums, NULL, 0, &total, scratch, bytes, &error);
 *
 * An iteration is an item. Items stand in the order of the loop: item k of all is iteration iy of ix, where k
 * is iy and the counts before ix. The items of one ix are its segment. Counts are i32; one that is negative
 * is 0. nx is at most 2^31 - 1; how many items there are is known on the device only, and may pass 2^32.
 *
 * gpufilter/array.h has what holds for all primitives, docs/primitives/ragged.md the variants. */
#ifndef GPUFILTER_RAGGED_H
#define GPUFILTER_RAGGED_H

#include "gpufilter/array.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is done with each item, and what is written. `type` is that of the options. */
typedef enum gf_ragged_body {
    GF_RAGGED_SUM,         /* out[ix] += iy * value, from 0 on, modulo 2^64: i64, whatever the type */
    GF_RAGGED_SEGMENT_SUM, /* out[ix]: what gf_reduce makes of values[k] of the segment, and of its type:
                            * u64, i64 or f64, the bits of floats too */
    GF_RAGGED_SEGMENT_MIN, /* likewise, of `type` */
    GF_RAGGED_SEGMENT_MAX,
    GF_RAGGED_FILL,   /* out[k] = value */
    GF_RAGGED_EXPAND, /* out[k] = ix and iy_out[k] = iy: u32, whatever the type */
    GF_RAGGED_DECODE  /* out[k] = values[ix], as runs are decoded */
} gf_ragged_body;

/* Where nx is at least this, variant "smart" sorts from max(counts) = ny on. */
typedef struct gf_ragged_threshold {
    int64_t nx, ny;
} gf_ragged_threshold;

typedef struct gf_ragged_options {
    uint32_t struct_size;
    gf_ragged_body body;
    int64_t value;          /* of GF_RAGGED_SUM and GF_RAGGED_FILL */
    gf_array_options array; /* type: GF_S32, GF_U32, GF_S64, GF_U64, GF_F32 or GF_F64 */

    /* For the published variants; 0: as the default says. They never change a result. */
    int64_t frame_area; /* iterations of a frame: 2^22 */
    double alpha; /* combined, smart: above this part of the sorted counts are frames: 0.75; at most 1 */
    int32_t block_x, block_y; /* threads of a CUDA block: 32 and 32; each at most 1024, as their product */
    int32_t thresholds;       /* for smart: how many of these there are; 0: the library's own */
    const gf_ragged_threshold *threshold; /* ascending in nx; those of nx less than the first have its ny.
                                           * Borrowed for the call */
} gf_ragged_options;

#define GF_RAGGED_OPTIONS_INIT                                                                               \
    {                                                                                                        \
        sizeof(gf_ragged_options), GF_RAGGED_SUM, 1, {NULL, GF_S64, 0, 0, 0, 0}, 0, 0, 0, 0, 0, NULL         \
    }

/* The type of what the body writes to `out`. */
GF_API gf_depth gf_ragged_result(gf_ragged_body body, gf_depth type);

/* Returns the max(counts) from which on "smart" sorts, by these options and nx, on a device for which the
 * library has no thresholds that were measured. */
GF_API int64_t gf_ragged_threshold_of(const gf_ragged_options *options, int64_t nx);

/* Bytes of scratch that gf_ragged needs: on CUDA about 8 for each ix with "auto", 40 with the published
 * variants that sort. Queues no work, reads no array. */
GF_API gf_status gf_ragged_scratch(gf_device device, const gf_ragged_options *options, int64_t nx,
                                   int64_t items, size_t *bytes, gf_error *error);

/* Runs the loop over counts[0..nx).
 *
 * values: `items` elements, those of the segments, or for GF_RAGGED_DECODE nx elements; other bodies read
 * none, and it may be NULL. out: nx elements for the bodies that add up or compare, `items` for all others.
 * iy_out: `items` elements of u32, for GF_RAGGED_EXPAND only. *total becomes the number of items, in memory
 * of the queue's device; NULL: not asked for. Items past `items` are not there: nothing is read or written
 * for them, though *total counts them. GF_RAGGED_SUM has no array of items, and counts them all. */
GF_API gf_status gf_ragged(gf_queue queue, const gf_ragged_options *options, const int32_t *counts,
                           int64_t nx, const void *values, void *out, uint32_t *iy_out, int64_t items,
                           int64_t *total, void *scratch, size_t scratch_bytes, gf_error *error);

/* ---- For ragged.cuh, and loops of your own on CUDA ------------------------------------------------------- */

/* The shape in which a loop runs on CUDA. */
typedef enum gf_ragged_shape {
    GF_RAGGED_EVEN,  /* the items, shared out evenly */
    GF_RAGGED_GRID,  /* a thread for each (ix, iy) of nx times the greatest count */
    GF_RAGGED_FRAMES /* (ix, iy) below `low` for all ix; those above in frames around the sorted counts */
} gf_ragged_shape;

/* A loop that is ready to run: the arrays lie in the scratch memory, and are there when the stream has come
 * so far. */
typedef struct gf_ragged_loop {
    uint32_t struct_size;
    gf_ragged_shape shape;
    int64_t nx;
    int64_t ny; /* GRID: the greatest count */
    int32_t block_x, block_y;
    int32_t blocks;         /* CUDA blocks that fill the device, EVEN and FRAMES */
    int32_t below;          /* FRAMES: 1: there is something below `low` */
    const int32_t *counts;  /* those of the call */
    const int64_t *offsets; /* EVEN, and where places are wanted: nx + 1; counts before each ix, and all */
    const int32_t *heights; /* FRAMES: the counts, ascending */
    const int32_t *order;   /* FRAMES: the ix of each */
    const int32_t *edges;   /* FRAMES: frame f has the heights from edges[f + 1] on and before edges[f] */
    const int64_t *tiles;   /* FRAMES: CUDA blocks of the frames before f */
    const int64_t *found;   /* FRAMES: [0] how many frames, [1] `low` */
} gf_ragged_loop;

#define GF_RAGGED_LOOP_INIT                                                                                  \
    {                                                                                                        \
        sizeof(gf_ragged_loop), GF_RAGGED_EVEN, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL   \
    }

/* Bytes of scratch for gf_ragged_begin. It does not look at the options body, value and type. */
GF_API gf_status gf_ragged_begin_scratch(gf_device device, const gf_ragged_options *options, int64_t nx,
                                         int32_t places, size_t *bytes, gf_error *error);

/* Queues what a loop needs before its body runs, on a CUDA device, and says in *loop how to run it. Waits as
 * the variant does. places: whether offsets are wanted whatever the shape. */
GF_API gf_status gf_ragged_begin(gf_queue queue, const gf_ragged_options *options, const int32_t *counts,
                                 int64_t nx, int32_t places, gf_ragged_loop *loop, void *scratch,
                                 size_t scratch_bytes, gf_error *error);

#ifdef __cplusplus
}
#endif
#endif
