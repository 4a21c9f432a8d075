/* gpufilter/compact.h: the elements of an array that a condition keeps, in their order, or their indices; and
 * both sides of an array: those that it keeps, then the others.
 *
 * "auto" on CUDA is a single pass with decoupled look-back over the counts of tiles (see scan.h). Textbook
 * variants: compaction by scan and scatter, docs/primitives.md. */
#ifndef GPUFILTER_COMPACT_H
#define GPUFILTER_COMPACT_H

#include "gpufilter/array.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Which elements stay: those that compare so with `value`. A NaN element is kept by NE and NONZERO only. */
typedef enum gf_keep {
    GF_KEEP_NONZERO,
    GF_KEEP_EQ,
    GF_KEEP_NE,
    GF_KEEP_LT,
    GF_KEEP_LE,
    GF_KEEP_GT,
    GF_KEEP_GE,
    GF_KEEP_FLAGS /* those whose flag, a u8 of the array `flags`, is not 0 */
} gf_keep;

typedef struct gf_compact_options {
    uint32_t struct_size;
    gf_keep keep;
    int32_t indices;      /* 0: elements; 1: their indices, u32 where n <= 2^32, else u64 */
    const void *value;    /* one element of the input's type in host memory; borrowed for the call */
    const uint8_t *flags; /* n flags in the queue's memory, for GF_KEEP_FLAGS */
    gf_array_options array;
} gf_compact_options;

#define GF_COMPACT_OPTIONS_INIT                                                                              \
    {                                                                                                        \
        sizeof(gf_compact_options), GF_KEEP_NONZERO, 0, NULL, NULL,                                          \
        {                                                                                                    \
            NULL, GF_U8, 0, 0, 0, 0                                                                          \
        }                                                                                                    \
    }

/* The type of what is written: the input's, or of the indices. GF_U8 for NULL. */
GF_API gf_depth gf_compact_result(const gf_compact_options *options, int64_t n);

/* Bytes of scratch that gf_compact needs for n elements, with the options of the call, `value` among them.
 * Queues no work. "scatter-naive" and "scatter-efficient" take less than 2^32 elements. */
GF_API gf_status gf_compact_scratch(gf_device device, const gf_compact_options *options, int64_t n,
                                    size_t *bytes, gf_error *error);

/* Writes what is kept of in[0..n) to `out`, which has room for `capacity` elements, and how many are kept to
 * *count (one u64 in the queue's memory), which may exceed the capacity: then the first `capacity` are
 * written and the rest dropped. Nothing beyond the last kept element is written. `out` may be NULL where
 * capacity is 0: then kept elements are only counted. Outputs overlap no input: not in place. capacity < 0 is
 * GF_ERROR_ARGUMENT. */
GF_API gf_status gf_compact(gf_queue queue, const gf_compact_options *options, const void *in, int64_t n,
                            void *out, int64_t capacity, uint64_t *count, void *scratch, size_t scratch_bytes,
                            gf_error *error);

/* Bytes of scratch that gf_partition needs for n elements, with the options of the call, `value` among them.
 * Queues no work. */
GF_API gf_status gf_partition_scratch(gf_device device, const gf_compact_options *options, int64_t n,
                                      size_t *bytes, gf_error *error);

/* Writes both sides of in[0..n) to out[0..n): first the elements that the condition keeps, then the others,
 * each side in the order of the input, or with `indices` their indices (of type gf_compact_result); and how
 * many are kept to *count, one u64 in the queue's memory: where the second side begins. Outputs overlap no
 * input: not in place. A primitive of its own ("partition") with variants of its own. */
GF_API gf_status gf_partition(gf_queue queue, const gf_compact_options *options, const void *in, int64_t n,
                              void *out, uint64_t *count, void *scratch, size_t scratch_bytes,
                              gf_error *error);

#ifdef __cplusplus
}
#endif
#endif
