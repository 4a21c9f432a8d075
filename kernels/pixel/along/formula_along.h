/* Formulas along time that read other channels than their own, by number. */
#pragma once

#include "pixel/ir/formula.h"
#include "signal/signal.h"

/* Channels that formulas name, which a text of 255 bytes does not exceed; floats of a formula's steps. */
enum { GF_FORMULA_READS = 96, GF_FORMULA_WIDTH = 2 * GF_FORMULA_STEPS + 2 };

struct gf_signal_formula {
    int32_t channels, rows, reads; /* rows: formulas, 1 or one a channel */
    /* GF_FORMULA_READS numbers of channels, of which there are `reads`, then the rows of steps. Operand k of
     * CHANNEL (pixel/ir/formula.h) is the channel whose number is table[k - 1]. */
    const float *table;
};

extern const struct gf_signal_kernel gf_signal_formula;
