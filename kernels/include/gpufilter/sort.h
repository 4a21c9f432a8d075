/* gpufilter/sort.h: sorts keys, or keys with values, of an array or of each segment of one; merges two sorted
 * arrays of them.
 *
 * "auto" on CUDA: one-sweep least-significant-digit radix sort (A. Adinets and D. Merrill, "Onesweep", 2022),
 * counting sort for 8- and 16-bit keys without values. Textbook variants: K. E. Batcher's bitonic network
 * (1968), radix sort by 1-bit splits, merge sort along merge paths (O. Green et al., 2012);
 * docs/primitives.md. */
#ifndef GPUFILTER_SORT_H
#define GPUFILTER_SORT_H

#include "gpufilter/array.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gf_sort_options {
    uint32_t struct_size;
    int32_t descending;
    int32_t value_size; /* bytes of a value that travels with each key: 4 or 8; 0: keys only */
    gf_array_options array;
    int32_t
        first_bit; /* gf_sort of integers only, with `bits` > 0: keys are compared by the bits from this */
    int32_t bits;  /* on, so many of them, and those that agree in them are equal. 0: by all */
} gf_sort_options;

#define GF_SORT_OPTIONS_INIT                                                                                 \
    {                                                                                                        \
        sizeof(gf_sort_options), 0, 0, {NULL, GF_U32, 0, 0, 0, 0}, 0, 0                                      \
    }

/* The order: numbers ascend (or descend), -0 before +0 ascending; every NaN comes last in both directions, in
 * the order of the input, bits kept. Stable: equal keys keep the order of the input, descending too. With
 * first_bit and bits it is that of (key >> first_bit) mod 2^bits, where of signed keys the highest bit counts
 * as turned over, so that all bits are the usual order; "sequential" and "auto" take that. */
/* Bytes of scratch that gf_sort needs for n elements with these options: with "auto" somewhat more than keys
 * and values have, or only counters where narrow keys are counted. Queues no work. */
GF_API gf_status gf_sort_scratch(gf_device device, const gf_sort_options *options, int64_t n, size_t *bytes,
                                 gf_error *error);

/* Sorts keys[0..n) into keys_out, and values into values_out in the same order. An output may be its own
 * input, and overlaps nothing otherwise. values and values_out are aligned to value_size, and NULL where it
 * is 0. "bitonic" takes less than 2^32 elements. */
GF_API gf_status gf_sort(gf_queue queue, const gf_sort_options *options, const void *keys, const void *values,
                         int64_t n, void *keys_out, void *values_out, void *scratch, size_t scratch_bytes,
                         gf_error *error);

/* Bytes of scratch that gf_segmented_sort needs for n elements in so many segments. Queues no work, reads no
 * array. */
GF_API gf_status gf_segmented_sort_scratch(gf_device device, const gf_sort_options *options, int64_t n,
                                           int64_t segments, size_t *bytes, gf_error *error);

/* Sorts each segment of keys[0..n) alone, into the same places of keys_out, and its values with it, as
 * gf_sort would. `offsets` has segments + 1 numbers, ascending from 0 to n, as rows of a gf_csr have: segment
 * i is what lies from offsets[i] on and before offsets[i + 1], and may be empty. They are memory of the
 * queue, and nobody checks them: with wrong ones the call reads and writes where it must not. n > 0 needs a
 * segment. Outputs may be their inputs, as in gf_sort. A primitive of its own ("segmented_sort") with
 * variants of its own. */
GF_API gf_status gf_segmented_sort(gf_queue queue, const gf_sort_options *options, const void *keys,
                                   const void *values, int64_t n, const int64_t *offsets, int64_t segments,
                                   void *keys_out, void *values_out, void *scratch, size_t scratch_bytes,
                                   gf_error *error);

/* Merges the keys a[0..n) and b[0..m), both sorted in the options' order, into out[0..n + m); among equal
 * keys those of `a` come first. Each key's value, of a_values[0..n) and b_values[0..m), goes to the key's
 * place in values_out; all three are aligned to value_size, and NULL where it is 0. Whether the keys are
 * sorted is not looked at; if they are not, the output is some mixture. The outputs overlap no input. A
 * primitive of its own ("merge") with variants of its own. */
GF_API gf_status gf_merge_scratch(gf_device device, const gf_sort_options *options, int64_t n, int64_t m,
                                  size_t *bytes, gf_error *error);
GF_API gf_status gf_merge(gf_queue queue, const gf_sort_options *options, const void *a, const void *a_values,
                          int64_t n, const void *b, const void *b_values, int64_t m, void *out,
                          void *values_out, void *scratch, size_t scratch_bytes, gf_error *error);

#ifdef __cplusplus
}
#endif
#endif
