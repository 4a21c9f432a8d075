/* Makes the factors of a line of numbers; for the plan alone. */
#pragma once

#include "base/status.h"
#include "fourier/fft_plan.h"

/* The line of n >= 1 numbers; GF_ERROR_MEMORY. Free in any case. */
gf_status gf_fft_line_make(struct gf_fft_line *line, int64_t n, gf_error *error);

/* Frees what the line holds; of one of zeros nothing. */
void gf_fft_line_free(struct gf_fft_line *line);
