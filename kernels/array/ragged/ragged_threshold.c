/* Apart from ragged.c, so that the module of CUDA can have a copy of its own. */
#include "gpufilter/ragged.h"

#include <stdbool.h>

/* Until a table is measured (gpufilter bench N4 writes one), estimated for an H200: where "simple" starts
 * threads without an item for as long as sorting takes, 40 us and 150 us more a million counts. */
static const gf_ragged_threshold usual[] = {
    {1, 10000000}, {10, 1300000}, {100, 130000}, {1000, 13000}, {10000, 1400}, {100000, 200}, {1000000, 70},
};

int64_t gf_ragged_threshold_of(const gf_ragged_options *options, int64_t nx)
{
    const bool own = options && options->thresholds > 0 && options->threshold;
    const gf_ragged_threshold *t = own ? options->threshold : usual;
    const int32_t n = own ? options->thresholds : (int32_t)(sizeof usual / sizeof usual[0]);
    int32_t i = 0;
    while (i + 1 < n && t[i + 1].nx <= nx) {
        i++;
    }
    return t[i].ny;
}
