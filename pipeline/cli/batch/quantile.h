/* Medians and quartiles of what was measured. */
#ifndef GF_CLI_QUANTILE_H
#define GF_CLI_QUANTILE_H

#include <stdint.h>

/* Sorts the values, and returns that below which a share `at`, 0 to 1, of them lies: between two of them, on
 * the line through both. count >= 1. */
double quantile(double *values, int32_t count, double at);

#endif
