/* gpufilter/bounds.h: where each of many keys stands in a sorted array.
 *
 * "naive" on CUDA is the binary search of textbooks, one key a thread; "auto" has the upper levels of the
 * search in shared memory: docs/primitives/bounds.md. */
#ifndef GPUFILTER_BOUNDS_H
#define GPUFILTER_BOUNDS_H

#include "gpufilter/array.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum gf_bounds_side {
    GF_BOUNDS_LOWER, /* how many elements come before the key: the first place where it may be put in */
    GF_BOUNDS_UPPER, /* how many do not come after it: the last such place */
    GF_BOUNDS_COUNT  /* how many equal it: the difference of both */
} gf_bounds_side;

typedef struct gf_bounds_options {
    uint32_t struct_size;
    gf_bounds_side side;
    int32_t descending;     /* the array descends; NaN last all the same, as sort.h has it */
    gf_array_options array; /* type: of the array and of the keys */
} gf_bounds_options;

#define GF_BOUNDS_OPTIONS_INIT                                                                               \
    {                                                                                                        \
        sizeof(gf_bounds_options), GF_BOUNDS_LOWER, 0,                                                       \
        {                                                                                                    \
            NULL, GF_U32, 0, 0, 0, 0                                                                         \
        }                                                                                                    \
    }

/* Bytes of scratch that gf_bounds needs for so many elements and keys: none so far. Queues no work. */
GF_API gf_status gf_bounds_scratch(gf_device device, const gf_bounds_options *options, int64_t n,
                                   int64_t keys, size_t *bytes, gf_error *error);

/* Writes for each of wanted[0..keys) its place in sorted[0..n), or the number of its equals, to
 * places[0..keys). The order is that of gf_sort: -0 before +0, NaN last, any NaN equal to any other. Whether
 * the array is sorted is not looked at; if it is not, a place is some number from 0 to n. The keys may be in
 * any order. The output overlaps no input; the keys may be the array itself. */
GF_API gf_status gf_bounds(gf_queue queue, const gf_bounds_options *options, const void *sorted, int64_t n,
                           const void *wanted, int64_t keys, int64_t *places, void *scratch,
                           size_t scratch_bytes, gf_error *error);

#ifdef __cplusplus
}
#endif
#endif
