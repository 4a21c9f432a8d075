/* The definition of a table of pairs, pair by pair. */
#include "array/common/element_at.h"
#include "array/histogram_2d/histogram_2d_call.h"

#include <math.h>
#include <string.h>

static int64_t slot_of(const struct gf_histogram_bins *bins, long double v)
{
    if (v != v) {
        return bins->count + GF_HISTOGRAM_NAN;
    }
    if (v < (long double)bins->lo || !(v < (long double)bins->hi)) {
        return bins->count + (v < (long double)bins->lo ? GF_HISTOGRAM_BELOW : GF_HISTOGRAM_ABOVE);
    }
    const double at = floor(((double)v - bins->lo) * ((double)bins->count / (bins->hi - bins->lo)));
    return at < (double)bins->count ? (int64_t)at : bins->count - 1;
}

gf_status gf_histogram_2d_sequential(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_histogram_2d_call *call = gf_histogram_2d_call_of(array);
    uint64_t *table = array->out;
    (void)error;
    memset(table, 0, (size_t)(call->rows * call->columns) * sizeof *table);
    for (int64_t i = 0; i < array->n; i++) {
        const int64_t column = slot_of(&call->bins[0], gf_element_at(array->in, call->type[0], i));
        const int64_t row = call->y ? slot_of(&call->bins[1], gf_element_at(call->y, call->type[1], i)) : 0;
        uint64_t weight = 1;
        if (call->weights) { /* a signed one wraps to what adds up the same modulo 2^64 */
            const long double w = gf_element_at(call->weights, call->weight, i);
            weight = w < 0 ? (uint64_t)(int64_t)w : (uint64_t)w;
        }
        table[row * call->columns + column] += weight;
    }
    return GF_OK;
}
