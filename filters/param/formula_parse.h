/* Formulas as text, into the steps that FORMULA runs (pixel/ir/formula.h). */
#pragma once

#include "pixel/ir/formula.h"

#include <stdbool.h>
#include <stddef.h>

struct gf_formula {
    float steps[2 * GF_FORMULA_STEPS + 2]; /* code and operand of each, END behind the last */
    int32_t n;                             /* steps */
    bool mixes;                            /* it reads other channels than its own */
};

/* Reads the formula of `length` bytes for a picture of so many channels, of which the first `colours` are no
 * alpha, or for a signal, colours 0. False: `why` says what is wrong at byte *at. Pure; safe from any thread.
 */
bool gf_formula_parse(const char *text, size_t length, int32_t channels, int32_t colours,
                      struct gf_formula *f, size_t *at, char why[160]);
