/* gpufilter/histogram.h: how many elements fall into each bin.
 *
 * "auto" on CUDA keeps private copies of the bins in shared memory and adds them up; docs/primitives.md has
 * the idea and the published variants. */
#ifndef GPUFILTER_HISTOGRAM_H
#define GPUFILTER_HISTOGRAM_H

#include "gpufilter/array.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gf_histogram_options {
    uint32_t struct_size;
    int32_t channels; /* 1 to 4, interleaved: element i counts for channel i mod channels */
    int64_t bins;     /* of a channel: 1 to 2^24 */
    double lo, hi;    /* even bins over [lo, hi), lo < hi, both finite, and hi - lo and bins / (hi - lo) too.
                       * lo = hi = 0: the type's whole range, [0, 1) for floats */
    const double *edges; /* bins + 1 strictly ascending, finite edges in host memory, borrowed for the call
                          * (pinned memory on CUDA: until the work is done): bin b is
                          * [edges[b], edges[b + 1]). NULL: even bins */
    gf_array_options array;
} gf_histogram_options;

#define GF_HISTOGRAM_OPTIONS_INIT                                                                            \
    {                                                                                                        \
        sizeof(gf_histogram_options), 1, 256, 0, 0, NULL,                                                    \
        {                                                                                                    \
            NULL, GF_U8, 0, 0, 0, 0                                                                          \
        }                                                                                                    \
    }

/* The even bin of v is floor((v - lo) * (bins / (hi - lo))), each operation rounded to f64, but at most bins
 * - 1. With lo, hi and edges v is compared as a real number, also where a 64-bit integer has no f64. Elements
 * below lo, at or above hi (above the last edge), and NaN are counted apart: */
enum { GF_HISTOGRAM_BELOW, GF_HISTOGRAM_ABOVE, GF_HISTOGRAM_NAN, GF_HISTOGRAM_EXTRA };

/* Bytes of scratch that gf_histogram needs for n elements with these options, edges among them. Queues no
 * work. */
GF_API gf_status gf_histogram_scratch(gf_device device, const gf_histogram_options *options, int64_t n,
                                      size_t *bytes, gf_error *error);

/* Counts in[0..n) (n elements, all channels together) into counts: channels x (bins + GF_HISTOGRAM_EXTRA)
 * u64, a channel after the other, each its bins and then below, above, NaN. Nothing needs to be cleared
 * before. n need not be a multiple of channels. A wrong number of channels or bins, a range or edges that are
 * none: GF_ERROR_ARGUMENT. "shared" takes as many bins as fit a block's shared memory. */
GF_API gf_status gf_histogram(gf_queue queue, const gf_histogram_options *options, const void *in, int64_t n,
                              uint64_t *counts, void *scratch, size_t scratch_bytes, gf_error *error);

#ifdef __cplusplus
}
#endif
#endif
