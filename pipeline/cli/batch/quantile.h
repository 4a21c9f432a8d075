/* Medians and quartiles of what was measured. */
#pragma once

#include <stdint.h>

/* Sorts the values, and returns that below which a share `at`, 0 to 1, of them lies: between two of them, on
 * the line through both. count >= 1. */
double quantile(double *values, int32_t count, double at);
