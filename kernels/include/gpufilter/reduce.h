/* gpufilter/reduce.h: one value out of an array: sum, product, extremes, their places, mean and variance.
 *
 * Source of the variants: M. Harris, "Optimizing Parallel Reduction in CUDA" (2007), and the published texts
 * named in docs/primitives.md. Floating-point sums and products follow one fixed tree (below), so that every
 * deterministic variant gives the same bits on every device and with any number of threads. */
#ifndef GPUFILTER_REDUCE_H
#define GPUFILTER_REDUCE_H

#include "gpufilter/array.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum gf_reduce_op {
    GF_REDUCE_SUM,
    GF_REDUCE_PRODUCT,
    GF_REDUCE_MIN,
    GF_REDUCE_MAX,
    GF_REDUCE_ARGMIN, /* lowest index of the least element */
    GF_REDUCE_ARGMAX,
    GF_REDUCE_AND, /* bitwise; integers only */
    GF_REDUCE_OR,
    GF_REDUCE_MEAN,
    GF_REDUCE_VAR, /* mean and population variance, in one read */
    GF_REDUCE_XOR, /* bitwise; integers only */
    GF_REDUCE_ANY, /* whether an element is not 0 */
    GF_REDUCE_ALL  /* whether none is 0 */
} gf_reduce_op;

typedef struct gf_reduce_options {
    uint32_t struct_size;
    gf_reduce_op op;
    gf_array_options array;
} gf_reduce_options;

#define GF_REDUCE_OPTIONS_INIT                                                                               \
    {                                                                                                        \
        sizeof(gf_reduce_options), GF_REDUCE_SUM,                                                            \
        {                                                                                                    \
            NULL, GF_F32, 0, 0, 0, 0                                                                         \
        }                                                                                                    \
    }

/* What gf_reduce writes for this op and type, one element unless said:
 *   sum, product   u64 of unsigned, i64 of signed integers (modulo 2^64), f64 of floats
 *   min, max       the element type. NaN elements are skipped; all NaN: NaN. -0 < +0
 *   argmin, argmax i64; -1 where there is no element that is not NaN
 *   and, or, xor   the element type
 *   any, all       u8: 1 or 0. An element counts as in C: -0 is 0, NaN is not
 *   mean           f64
 *   var            two f64: mean, population variance
 * n = 0: sum 0, product 1, and all ones, or and xor 0, any 0, all 1, argmin and argmax -1, min the type's
 * greatest and max its least value (+inf, -inf of floats), mean and var NaN.
 *
 * Sums of floats: leaf of 4096 elements = 128 accumulators in f64 (element i of the leaf into accumulator i
 * mod 128, in order), folded j + (j + 64), j + (j + 32), ...; leaf sums folded pairwise over their index: (0,
 * 1), (2, 3), ..., the last without a partner going up as it is, until one is left. Products the same. mean =
 * sum / n. var: integers of up to 32 bits: exact 128-bit sums of x and x^2 give (n sum(x^2) - sum(x)^2) / n^2
 * in f64, one rounding a step; other types: leaves of (n, mean, M2) after Chan, Golub and LeVeque (1979),
 * combined in the same tree. docs/exactness.md repeats this; leaf size and tree are contract.
 *
 * The published variants have sum, product, min, max, and, or, xor, any, all; others GF_ERROR_UNSUPPORTED.
 * Their sums and products of floats are loose (gf_variant.loose): f32 is summed in f32, as published, and a
 * sum beyond its range is infinite; products are multiplied in f64.
 *
 * The function returns the type of what is written. Any op and type may be asked for. */
GF_API gf_depth gf_reduce_result(gf_reduce_op op, gf_depth type);

/* Bytes of scratch that gf_reduce needs for n elements. Queues no work. */
GF_API gf_status gf_reduce_scratch(gf_device device, const gf_reduce_options *options, int64_t n,
                                   size_t *bytes, gf_error *error);

/* Reduces in[0..n) to *out, in the queue's memory, aligned to 8 bytes, room for two f64 for var. One launch
 * with "auto". */
GF_API gf_status gf_reduce(gf_queue queue, const gf_reduce_options *options, const void *in, int64_t n,
                           void *out, void *scratch, size_t scratch_bytes, gf_error *error);

#ifdef __cplusplus
}
#endif
#endif
