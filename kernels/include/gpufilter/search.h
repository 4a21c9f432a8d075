/* gpufilter/search.h: where a value, or a value of a range, stands in an unsorted array.
 *
 * "auto" reads 16 bytes at a time, takes tiles in the order of their index and stops early; the answer is
 * always the lowest index. Textbook variants: strided, coalesced, unrolled and full parallel search of the
 * text named in docs/primitives.md. */
#ifndef GPUFILTER_SEARCH_H
#define GPUFILTER_SEARCH_H

#include "gpufilter/array.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum gf_search_mode {
    GF_SEARCH_FIRST, /* lowest index */
    GF_SEARCH_ALL,   /* every index, ascending */
    GF_SEARCH_COUNT  /* how many */
} gf_search_mode;

typedef struct gf_search_options {
    uint32_t struct_size;
    gf_search_mode mode;
    const void *value; /* one element of the array's type in host memory; borrowed for the call */
    const void *to;    /* NULL: elements equal to *value; else those in the closed range [*value, *to] */
    gf_array_options array;
} gf_search_options;

#define GF_SEARCH_OPTIONS_INIT                                                                               \
    {                                                                                                        \
        sizeof(gf_search_options), GF_SEARCH_FIRST, NULL, NULL,                                              \
        {                                                                                                    \
            NULL, GF_S32, 0, 0, 0, 0                                                                         \
        }                                                                                                    \
    }

/* Equality is that of the numbers: -0 equals +0; a NaN value finds every NaN, and nothing else does. Ranges
 * never hold NaN. A range whose end lies before its beginning holds nothing. */

/* Bytes of scratch that gf_search needs for n elements with these options, `value` among them. Queues no
 * work. */
GF_API gf_status gf_search_scratch(gf_device device, const gf_search_options *options, int64_t n,
                                   size_t *bytes, gf_error *error);

/* Searches in[0..n). *found, one i64 in the queue's memory: the lowest index, or -1 (FIRST); the number of
 * matches (ALL, COUNT). ALL also writes the first `capacity` indices, ascending, u32 where n <= 2^32, else
 * u64, to `indices`; NULL and 0 otherwise. The published variants have FIRST only,
 * "sort-bsearch" not ALL: GF_ERROR_UNSUPPORTED. */
GF_API gf_status gf_search(gf_queue queue, const gf_search_options *options, const void *in, int64_t n,
                           int64_t *found, void *indices, int64_t capacity, void *scratch,
                           size_t scratch_bytes, gf_error *error);

#ifdef __cplusplus
}
#endif
#endif
