/* Windows that the embedder computes: gpufilter/window.h. */
#pragma once

#include "gpufilter/window.h"
#include "pixel/ir/kernel_table.h"

/* The window of gf_kernel_own_window. Its one constant block holds the bytes that the function is given;
 * there is none where `args` is what it is given. Depths are the same before and after. */
struct gf_own_window_args {
    gf_window_host host;
    const void *args;
    const char *name;  /* or NULL */
    const char *stage; /* the type's name */
    int32_t number;    /* of the stage in the pipeline, from 0 */
    int32_t left, right, up, down;
};

GF_WINDOW_ARGS_OF(gf_own_window_args)

/* Returns what the function of that stage returned, in the library's words where it found none. */
gf_status gf_own_window_status(const struct gf_own_window_args *args, gf_status status, gf_error *said,
                               gf_error *error);
