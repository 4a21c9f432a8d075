/* gpufilter/top_k.h: the k greatest or least elements of an array, in order, and their places.
 *
 * "auto" on CUDA: what lies beyond a value that a sample shows is picked out in one read and sorted; where
 * the sample misled, the k-th element is found by its digits (T. Alabi, J. Blanchard, B. Gordon and R.
 * Steinbach, "Fast k-Selection Algorithms for Graphics Processing Units", 2012); docs/primitives/select.md.
 */
#ifndef GPUFILTER_TOP_K_H
#define GPUFILTER_TOP_K_H

#include "gpufilter/array.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gf_top_k_options {
    uint32_t struct_size;
    int32_t least; /* 0: the greatest, the greatest first; 1: the least, the least first */
    gf_array_options array;
} gf_top_k_options;

#define GF_TOP_K_OPTIONS_INIT                                                                                \
    {                                                                                                        \
        sizeof(gf_top_k_options), 0,                                                                         \
        {                                                                                                    \
            NULL, GF_F32, 0, 0, 0, 0                                                                         \
        }                                                                                                    \
    }

/* The type of the places: u32 where n <= 2^32, else u64. */
GF_API gf_depth gf_top_k_places(int64_t n);

/* Bytes of scratch that gf_top_k needs for k of n elements with these options. Queues no work. */
GF_API gf_status gf_top_k_scratch(gf_device device, const gf_top_k_options *options, int64_t n, int64_t k,
                                  size_t *bytes, gf_error *error);

/* Writes to out[0..k) what gf_sort of in[0..n) in that order would put first, 0 <= k <= n, bits kept: -0
 * comes before +0 ascending, and every NaN behind all numbers in both orders. places[0..k), of type
 * gf_top_k_places, get their indices in the input; NULL: nobody asks. Among equal elements those with the
 * lowest places are taken, and come in the order of their places. Outputs overlap no input. */
GF_API gf_status gf_top_k(gf_queue queue, const gf_top_k_options *options, const void *in, int64_t n,
                          int64_t k, void *out, void *places, void *scratch, size_t scratch_bytes,
                          gf_error *error);

#ifdef __cplusplus
}
#endif
#endif
