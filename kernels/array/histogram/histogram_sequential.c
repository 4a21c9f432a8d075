/* The definition of a histogram, element by element; speed is no aim. */
#include "array/common/element_at.h"
#include "array/histogram/histogram_call.h"

#include <math.h>

static int64_t bin_of(const struct gf_histogram_bins *bins, long double v)
{
    if (!bins->edges) {
        double at = floor(((double)v - bins->lo) * ((double)bins->count / (bins->hi - bins->lo)));
        return at < (double)bins->count ? (int64_t)at : bins->count - 1;
    }
    int64_t low = 0, high = bins->count; /* edges[low] <= v < edges[high] */
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (v < (long double)bins->edges[middle]) {
            high = middle;
        } else {
            low = middle;
        }
    }
    return low;
}

gf_status gf_histogram_sequential(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_histogram_call *call = gf_histogram_call_of(array);
    const struct gf_histogram_bins *bins = &call->bins;
    uint64_t *counts = array->out;
    int64_t row = gf_histogram_row(call);
    (void)error;
    for (int64_t i = 0; i < row * call->channels; i++) {
        counts[i] = 0;
    }
    for (int64_t i = 0; i < array->n; i++) {
        long double v = gf_element_at(array->in, array->options.type, i);
        int64_t slot = v != v                         ? bins->count + GF_HISTOGRAM_NAN
                       : v < (long double)bins->lo    ? bins->count + GF_HISTOGRAM_BELOW
                       : !(v < (long double)bins->hi) ? bins->count + GF_HISTOGRAM_ABOVE
                                                      : bin_of(bins, v);
        counts[i % call->channels * row + slot]++;
    }
    return GF_OK;
}
