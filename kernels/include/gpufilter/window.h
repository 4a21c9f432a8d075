/* gpufilter/window.h: a window of your own, for gf_lower_window of lower.h: a function that makes a row of
 * pixels from the rows around it. */
#ifndef GPUFILTER_WINDOW_H
#define GPUFILTER_WINDOW_H

#include "gpufilter/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How far a window reaches to each side, at most. */
#define GF_WINDOW_FAR 32767

/* A stretch of a row of the result, and what it is made from. The library's own, for the time of one call. */
typedef struct gf_window_row {
    uint32_t struct_size; /* sizeof(gf_window_row) of the library */
    gf_depth depth;       /* of the samples that come in and go out: u8, u16 or f32 */
    int32_t channels_in;  /* interleaved: sample c of pixel i lies at [i * channels + c] */
    int32_t channels_out;
    int64_t pixels; /* >= 1, of the stretch; it may begin and end anywhere in the row */
    /* up + 1 + down rows, the highest first: in[up] is the row that is made. Each points at the stretch's
     * first pixel; pixels -left to pixels - 1 + right may be read. Beyond the picture's edges lies what
     * border= says, on all four sides, so that no pixel needs a case of its own. */
    const void *const *in;
    void *out; /* written in full, unless the function fails; overlaps no row of `in` */
} gf_window_row;

/* Makes a row. It must depend on the samples within reach and on args alone: the stretches, their order and
 * how often one is made are the library's choice, and rows of a band are made without what lies beyond it.
 * Several threads call it at once, each with a row of its own; it must not write to args, change the
 * floating-point mode, nor leave by longjmp or an exception. GF_OK, or another status with a message in
 * `error`, which is not NULL: the run ends and returns one of those that functions returned. */
typedef gf_status (*gf_window_host)(const gf_window_row *row, const void *args, gf_error *error);

/* A window: what it needs to see, and the function. Begin with GF_WINDOW_FUNCTION_INIT. */
typedef struct gf_window_function {
    uint32_t struct_size; /* sizeof(gf_window_function) */
    int32_t channels;     /* of what it makes, 1 to 4; 0: as many as come in */
    gf_window_host host;
    const char *name; /* for gf_plan_explain, up to 40 bytes; lives as long as the stage's type. NULL: none */
    int64_t left, right, up, down; /* pixels that it reads beyond its own, 0 to GF_WINDOW_FAR each; of a
                                    * signal, one row high, the rows above and below are the border's */
    int32_t as_stored; /* 0: samples are f32 in sample units (0 to 255, 0 to 65535, or as they are), and what
                        * is made is rounded to the picture's depth, half to even, clamped. Not 0: samples
                        * have the picture's depth, whichever it is (f32, where colour is weighted by alpha),
                        * and so has what is made; row->depth says which */
    /* What the function is given. args_size bytes are copied, and the copy, aligned for any type, lives as
     * long as the plan; with args_size 0 the pointer itself is handed on, and what it points at must live as
     * long as any plan: the stage's params do. */
    const void *args;
    size_t args_size;
} gf_window_function;

#define GF_WINDOW_FUNCTION_INIT                                                                              \
    {                                                                                                        \
        sizeof(gf_window_function), 0, NULL, NULL, 0, 0, 0, 0, 0, NULL, 0                                    \
    }

#ifdef __cplusplus
}
#endif
#endif
