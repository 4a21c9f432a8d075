/* Formulas along time that read other channels than their own, by number. */
#pragma once

#include "pixel/ir/formula.h"
#include "signal/signal.h"

/* Numbers of channels that formulas name: a text of 255 bytes has no more. */
enum { GF_FORMULA_READS = 96 };

/* CHANNEL k of a step (pixel/ir/formula.h) is for k > 0 the channel whose number is table[k - 1]. */
struct gf_signal_formula {
    int32_t channels, rows; /* formulas: 1, or one a channel */
    int32_t reads, width;   /* how many numbers of channels; how long a row of steps is */
    const float *table;     /* `reads` numbers, then the rows */
};

extern const struct gf_signal_kernel gf_signal_formula;
