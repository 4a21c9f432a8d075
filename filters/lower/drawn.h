/* What stages draw, as the second picture of a blend. */
#pragma once

#include "gpufilter/stage.h"

#include <stdbool.h>

/* A colour as colour= has it: fractions of white, and alpha. */
struct gf_ink {
    double c[3], alpha;
};

/* Reads it for the picture v; false after a failure: it is no gray and v is. */
bool gf_lowering_ink(gf_lowering *l, gf_value_id v, const gf_list *colour, const char *name,
                     struct gf_ink *ink);

/* v under a colour, as much of it in a pixel as the formula of x and y says, 0 to 1, inside the rectangle
 * `where` alone, parts of which may lie outside v; x and y are those of v. Nothing of it inside: v itself. */
gf_value_id gf_lowering_drawn(gf_lowering *l, gf_value_id v, const struct gf_ink *ink, gf_rect where,
                              const char *coverage);

/* v under a picture of the host in the rectangle `where`, likewise: four numbers a pixel, row by row, colour
 * in fractions of white and alpha. At most 2^24 pixels. */
gf_value_id gf_lowering_stamped(gf_lowering *l, gf_value_id v, const float *pixels, gf_rect where);
