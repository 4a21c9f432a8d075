/* Colour that is stored multiplied by alpha. */
#pragma once

#include "gpufilter/types.h"

/* Divides a row of pixels, `colours` channels and then alpha: of integers rounded half up, at most white, 0
 * where alpha is 0; floats are as stored there. */
void gf_alpha_divide(const gf_shape *shape, void *row, int colours);
