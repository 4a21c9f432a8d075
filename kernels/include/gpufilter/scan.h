/* gpufilter/scan.h: prefix sums, minima and maxima.
 *
 * "auto" on CUDA is a single pass with decoupled look-back: D. Merrill and M. Garland, "Single-pass Parallel
 * Prefix Scan with Decoupled Look-back" (2016). Textbook variants: W. D. Hillis and G. L. Steele (1986), G.
 * E. Blelloch (1990), and the published texts named in docs/primitives.md. */
#ifndef GPUFILTER_SCAN_H
#define GPUFILTER_SCAN_H

#include "gpufilter/array.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum gf_scan_op { GF_SCAN_SUM, GF_SCAN_MIN, GF_SCAN_MAX } gf_scan_op;

typedef struct gf_scan_options {
    uint32_t struct_size;
    gf_scan_op op;
    int32_t inclusive; /* 0: out[i] combines in[0..i), 1: in[0..i] */
    gf_depth out; /* of the output's elements: the input's type; sums of u8 and u16 may also be u32 or u64, of
                   * u32 u64, of i16 i32 or i64, of i32 i64, of f32 f64 */
    gf_array_options array;
} gf_scan_options;

#define GF_SCAN_OPTIONS_INIT                                                                                 \
    {                                                                                                        \
        sizeof(gf_scan_options), GF_SCAN_SUM, 0, GF_S32,                                                     \
        {                                                                                                    \
            NULL, GF_S32, 0, 0, 0, 0                                                                         \
        }                                                                                                    \
    }

/* Integer sums wrap modulo 2^bits of the output type. The exclusive scan begins with 0, or for min and max
 * with the type's greatest or least value (+inf, -inf). min and max skip NaN; -0 < +0. Sums of floats are
 * added in the output's type, in a fixed order over tiles of 32 KB of results at absolute positions
 * (docs/exactness.md), so that every variant that is not loose gives the same bits on every device; every NaN
 * of a sum has the same bits.
 *
 * The published variants have results of the input's type only, others GF_ERROR_UNSUPPORTED; their sums of
 * floats are loose (gf_variant.loose), each in the variant's own order. "quadratic" takes 2^20 elements at
 * most.
 */
/* Bytes of scratch that gf_scan needs for n elements. Queues no work. */
GF_API gf_status gf_scan_scratch(gf_device device, const gf_scan_options *options, int64_t n, size_t *bytes,
                                 gf_error *error);

/* Scans in[0..n) into out[0..n). out may be the input itself where the types are the same, but may not
 * overlap it otherwise. */
GF_API gf_status gf_scan(gf_queue queue, const gf_scan_options *options, const void *in, int64_t n, void *out,
                         void *scratch, size_t scratch_bytes, gf_error *error);

#ifdef __cplusplus
}
#endif
#endif
