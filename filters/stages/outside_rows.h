/* What stages share that make pixels of places outside the picture. */
#pragma once

#include "lower/outside.h"

/* The rows of the members border, value, alpha and colour of struct `owner`. `what` border= says, and of
 * `whose` colour and alpha the others are, stands in help. */
#define GF_OUTSIDE_ROWS(owner, preset, what, whose)                                                          \
    {GF_ROW(CHOICE, owner, border, preset),                                                                  \
     .choices = "replicate|reflect101|reflect|wrap|constant", /* in the order of gf_border */                \
     .help = what},                                                                                          \
        {GF_ROW_IN(INTENSITY, owner, value, "0", 0, 1), .help = whose " gray, for border=constant"},         \
        {GF_ROW_IN(INTENSITY, owner, alpha, "auto", 0, 1), .auto_word = "auto",                              \
         .help = whose " alpha, for border=constant and a picture that has alpha; auto: 1, but 0 where no "  \
                       "value or colour is given and colour is weighed by alpha"},                           \
    {                                                                                                        \
        GF_ROW(LIST, owner, colour, ""), .max = 1, .choices = "1x1|1x3|1x4", .unit = "colour",               \
                                         .help = whose " colour instead of value; means border=constant"     \
    }

/* The row of the member filter, a gf_interpolation. */
#define GF_INTERPOLATION_ROW(owner, what)                                                                    \
    {                                                                                                        \
        GF_ROW(CHOICE, owner, filter, "linear"), .choices = "nearest|linear|cubic|lanczos", .help = what     \
    }
