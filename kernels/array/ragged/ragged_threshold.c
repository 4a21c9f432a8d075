/* Apart from ragged.c, so that the module of CUDA can have a copy of its own. */
#include "array/ragged/ragged_call.h"

/* As `gpufilter bench N4` measured them on an H200. */
static const gf_ragged_threshold hopper[] = {
    {10, 100}, {100, 10}, {1000, 10}, {10000, 3162}, {100000, 100}, {1000000, 10}, {10000000, 10},
};

/* Where nobody measured, estimated: where "simple" starts threads without an item for as long as sorting
 * takes, 40 us and 150 us more a million counts. */
static const gf_ragged_threshold other[] = {
    {1, 10000000}, {10, 1300000}, {100, 130000}, {1000, 13000}, {10000, 1400}, {100000, 200}, {1000000, 70},
};

#define TABLE(compute, rows)                                                                                 \
    {                                                                                                        \
        compute, (int32_t)(sizeof(rows) / sizeof *(rows)), rows                                              \
    }

/* By compute capability; the last is of all others. */
static const struct {
    int32_t compute, count;
    const gf_ragged_threshold *rows;
} tables[] = {TABLE(90, hopper), TABLE(0, other)};

int64_t gf_ragged_threshold_on(const gf_ragged_options *options, int32_t compute, int64_t nx)
{
    const bool own = options && options->thresholds > 0 && options->threshold;
    int32_t table = 0, i = 0;
    while (tables[table].compute != compute && tables[table].compute != 0) {
        table++;
    }
    const gf_ragged_threshold *t = own ? options->threshold : tables[table].rows;
    const int32_t n = own ? options->thresholds : tables[table].count;
    while (i + 1 < n && t[i + 1].nx <= nx) {
        i++;
    }
    return t[i].ny;
}

int64_t gf_ragged_threshold_of(const gf_ragged_options *options, int64_t nx)
{
    return gf_ragged_threshold_on(options, 0, nx);
}
