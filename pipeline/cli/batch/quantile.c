#include "batch/quantile.h"

#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double quantile(double *values, int32_t count, double at)
{
    const double place = at * (count - 1);
    const int32_t below = (int32_t)place, above = below + 1 < count ? below + 1 : below;
    qsort(values, (size_t)count, sizeof *values, ascending);
    return values[below] + (place - below) * (values[above] - values[below]);
}
