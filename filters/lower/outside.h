/* What stages say of places outside the picture. */
#pragma once

#include "gpufilter/stage.h"

#include <stdbool.h>

/* What border=, value=, alpha= and colour= say together. */
struct gf_outside {
    gf_border border;
    double value, alpha;
    gf_colour3 colour;
};

/* Reads them for the picture v: a colour means border=constant and stands for value, and for alpha where it
 * has some. False after a failure: another border, or a colour that v cannot have. */
bool gf_lowering_outside(gf_lowering *l, gf_value_id v, const gf_list *colour, struct gf_outside *outside);
