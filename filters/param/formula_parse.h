/* Formulas as text, into the steps that FORMULA runs (pixel/ir/formula.h). */
#pragma once

#include "pixel/ir/formula.h"

#include <stdbool.h>
#include <stddef.h>

struct gf_formula {
    float steps[2 * GF_FORMULA_STEPS + 2]; /* code and operand of each, END behind the last */
    int32_t n;                             /* steps */
    bool mixes;                            /* it reads other channels than its own */
    bool placed; /* it reads the pixel's column and row, as channels behind the last one */
};

/* What a formula is for: a picture, of whose channels the first `colours` are no alpha, or a signal, which
 * has no colours and no size. */
struct gf_formula_of {
    int32_t channels, colours;
    int64_t width, height;
};

/* Reads the formula of `length` bytes. False: `why` says what is wrong at byte *at. Pure; safe from any
 * thread.
 */
bool gf_formula_parse(const char *text, size_t length, const struct gf_formula_of *of, struct gf_formula *f,
                      size_t *at, char why[160]);
