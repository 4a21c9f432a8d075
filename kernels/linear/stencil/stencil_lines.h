/* Rows of a stencil on the CPU, once a SIMD level, as array/search/search_lines.h. All levels give the same
 * bits. */
#pragma once

#include "linear/stencil/stencil_call.h"

struct gf_stencil_lines {
    /* A row of a step. lines[j]: the row that taps of y = j - up read, of the call's columns; NULL: all of it
     * is the call's value. `out` is none of them. */
    void (*f32)(const struct gf_stencil_call *call, const void *const *lines, void *out);
    void (*f64)(const struct gf_stencil_call *call, const void *const *lines, void *out);
};

extern const struct gf_stencil_lines gf_stencil_lines_baseline, gf_stencil_lines_avx2,
    gf_stencil_lines_avx512;
