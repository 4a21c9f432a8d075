/* gpufilter/keyed.h: runs of equal keys: which there are, how long, what their values come to, and up to
 * each.
 *
 * A run is as many neighbouring keys as are equal: numbers by value, so that -0 and +0 are equal, and every
 * NaN equals every NaN. Keys that are sorted make one run each; nothing here needs them sorted.
 *
 * "auto" on CUDA is a single pass with decoupled look-back over the runs of tiles (see scan.h):
 * docs/primitives/keyed.md. */
#ifndef GPUFILTER_KEYED_H
#define GPUFILTER_KEYED_H

#include "gpufilter/reduce.h"
#include "gpufilter/scan.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gf_run_length_options {
    uint32_t struct_size;
    gf_array_options array; /* type: of the keys */
} gf_run_length_options;

#define GF_RUN_LENGTH_OPTIONS_INIT                                                                           \
    {                                                                                                        \
        sizeof(gf_run_length_options),                                                                       \
        {                                                                                                    \
            NULL, GF_U32, 0, 0, 0, 0                                                                         \
        }                                                                                                    \
    }

/* Bytes of scratch that gf_run_length needs for n keys. Queues no work. */
GF_API gf_status gf_run_length_scratch(gf_device device, const gf_run_length_options *options, int64_t n,
                                       size_t *bytes, gf_error *error);

/* Writes for each run of keys[0..n), in their order, its first key, with its bits, to unique; how many keys
 * it has, to counts; where it begins, to starts. Each of the three has room for `capacity` runs, or is NULL
 * where nobody wants it: unique alone is what other libraries call unique. How many runs there are goes to
 * *runs (one number in the queue's memory), which may exceed the capacity: then the first `capacity` are
 * written and the rest dropped. Nothing is written beyond the last run. Outputs overlap no input and not one
 * another. capacity < 0 is GF_ERROR_ARGUMENT. */
GF_API gf_status gf_run_length(gf_queue queue, const gf_run_length_options *options, const void *keys,
                               int64_t n, void *unique, int64_t *counts, int64_t *starts, int64_t capacity,
                               uint64_t *runs, void *scratch, size_t scratch_bytes, gf_error *error);

typedef struct gf_unique_by_key_options {
    uint32_t struct_size;
    int32_t value_size;     /* bytes of the value that each key has: 1, 2, 4 or 8 */
    gf_array_options array; /* type: of the keys */
} gf_unique_by_key_options;

#define GF_UNIQUE_BY_KEY_OPTIONS_INIT                                                                        \
    {                                                                                                        \
        sizeof(gf_unique_by_key_options), 4,                                                                 \
        {                                                                                                    \
            NULL, GF_U32, 0, 0, 0, 0                                                                         \
        }                                                                                                    \
    }

/* Bytes of scratch that gf_unique_by_key needs: on CUDA a byte for 6 keys, on the CPU none. Queues no work.
 */
GF_API gf_status gf_unique_by_key_scratch(gf_device device, const gf_unique_by_key_options *options,
                                          int64_t n, size_t *bytes, gf_error *error);

/* Writes for each run of keys[0..n), in their order, its first key, with its bits, to unique (or NULL), and
 * the value of that key, of values[0..n), to values_out. Both outputs have room for `capacity` runs; *runs is
 * as for gf_run_length. values and values_out are aligned to value_size. Outputs overlap no input and not one
 * another. */
GF_API gf_status gf_unique_by_key(gf_queue queue, const gf_unique_by_key_options *options, const void *keys,
                                  const void *values, int64_t n, void *unique, void *values_out,
                                  int64_t capacity, uint64_t *runs, void *scratch, size_t scratch_bytes,
                                  gf_error *error);

/* Bytes of scratch that gf_reduce_by_key needs: on CUDA about a byte for 10 elements, on the CPU one for 12.
 * key: the type of the keys; options->array.type that of the values. Queues no work. n is at most 2^48. */
GF_API gf_status gf_reduce_by_key_scratch(gf_device device, const gf_reduce_options *options, gf_depth key,
                                          int64_t n, size_t *bytes, gf_error *error);

/* Writes for each run of keys[0..n), in their order, its first key, with its bits, to unique (or NULL), and
 * to `out` what gf_reduce writes for its values alone: the same type (gf_reduce_result), the same bits, sums
 * and products of floats too; indices of argmin and argmax count from the run's beginning. The operations are
 * those of gf_segmented_reduce (segmented.h). Both outputs have room for `capacity` runs; *runs is as for
 * gf_run_length. Outputs overlap no input and not one another. */
GF_API gf_status gf_reduce_by_key(gf_queue queue, const gf_reduce_options *options, gf_depth key,
                                  const void *keys, const void *values, int64_t n, void *unique, void *out,
                                  int64_t capacity, uint64_t *runs, void *scratch, size_t scratch_bytes,
                                  gf_error *error);

/* Bytes of scratch that gf_scan_by_key needs: on CUDA about a byte for 8 elements, on the CPU none. key: the
 * type of the keys; options->array.type that of the values. Queues no work. n is at most 2^48. */
GF_API gf_status gf_scan_by_key_scratch(gf_device device, const gf_scan_options *options, gf_depth key,
                                        int64_t n, size_t *bytes, gf_error *error);

/* Scans values[0..n) into out[0..n) as gf_scan does, but begins anew with each run of keys[0..n). Sums of
 * floats are gf_scan's of the array in which all that lies before the run counts as 0: order and places are
 * the whole array's (docs/exactness.md), and the bits the same on every device. out may be the values
 * themselves where the types are the same, but may not overlap an input otherwise. */
GF_API gf_status gf_scan_by_key(gf_queue queue, const gf_scan_options *options, gf_depth key,
                                const void *keys, const void *values, int64_t n, void *out, void *scratch,
                                size_t scratch_bytes, gf_error *error);

#ifdef __cplusplus
}
#endif
#endif
