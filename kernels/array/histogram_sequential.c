/* The definition of a histogram, element by element; speed is no aim. */
#include "array/histogram_call.h"

#include <float.h>
#include <math.h>

#if LDBL_MANT_DIG < 64
#error "the definition compares 64-bit integers with f64 exactly, in long double"
#endif

static long double number_at(const void *in, gf_depth type, int64_t i)
{
    switch (type) {
    case GF_U8:
        return ((const uint8_t *)in)[i];
    case GF_U16:
        return ((const uint16_t *)in)[i];
    case GF_U32:
        return ((const uint32_t *)in)[i];
    case GF_U64:
        return ((const uint64_t *)in)[i];
    case GF_S16:
        return ((const int16_t *)in)[i];
    case GF_S32:
        return ((const int32_t *)in)[i];
    case GF_S64:
        return ((const int64_t *)in)[i];
    case GF_F32:
        return (long double)((const float *)in)[i];
    default:
        return (long double)((const double *)in)[i];
    }
}

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
        long double v = number_at(array->in, array->options.type, i);
        int64_t slot = v != v                         ? bins->count + GF_HISTOGRAM_NAN
                       : v < (long double)bins->lo    ? bins->count + GF_HISTOGRAM_BELOW
                       : !(v < (long double)bins->hi) ? bins->count + GF_HISTOGRAM_ABOVE
                                                      : bin_of(bins, v);
        counts[i % call->channels * row + slot]++;
    }
    return GF_OK;
}
