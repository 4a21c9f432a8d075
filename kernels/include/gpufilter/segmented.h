/* gpufilter/segmented.h: reductions and scans of the segments of an array, each as if it stood alone.
 *
 *     gf_reduce_options options = GF_REDUCE_OPTIONS_INIT;
 *     gf_segmented_reduce_scratch(queue.device, &options, n, segments, &bytes, &error);
 *     ...
 *     gf_segmented_reduce(queue, &options, in, n, offsets, segments, out, scratch, bytes, &error);
 *
 * Segments are given as rows of a gf_csr are: `offsets` has segments + 1 numbers, ascending from 0 to n, and
 * segment i has the elements from offsets[i] on and before offsets[i + 1]. Segments may be empty, anywhere.
 * The offsets are memory of the queue, borrowed as inputs are, and nobody checks them: with wrong ones the
 * calls read and write where they must not.
 *
 * "auto" on CUDA shares segments and elements out evenly, as D. Merrill and M. Garland do with the rows of
 * matrices ("Merge-Based Parallel Sparse Matrix-Vector Multiplication", 2016): docs/primitives/keyed.md. */
#ifndef GPUFILTER_SEGMENTED_H
#define GPUFILTER_SEGMENTED_H

#include "gpufilter/reduce.h"
#include "gpufilter/scan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes of scratch that gf_segmented_reduce needs: on CUDA about a byte for 80 elements, on the CPU one for
 * 16. Queues no work, reads no array. Both numbers are at most 2^48. */
GF_API gf_status gf_segmented_reduce_scratch(gf_device device, const gf_reduce_options *options, int64_t n,
                                             int64_t segments, size_t *bytes, gf_error *error);

/* out[i] = what gf_reduce writes for segment i alone: the same type (gf_reduce_result), the same bits, sums
 * and products of floats too, and what it gives for no elements where the segment is empty; indices of argmin
 * and argmax count from the segment's beginning. The operations are sum, product, min, max, argmin, argmax,
 * and, or; mean and var are GF_ERROR_UNSUPPORTED. out has `segments` elements and overlaps no input. */
GF_API gf_status gf_segmented_reduce(gf_queue queue, const gf_reduce_options *options, const void *in,
                                     int64_t n, const int64_t *offsets, int64_t segments, void *out,
                                     void *scratch, size_t scratch_bytes, gf_error *error);

/* Bytes of scratch that gf_segmented_scan needs: on CUDA about a byte for 8 elements, on the CPU none. Queues
 * no work, reads no array. Both numbers are at most 2^48. */
GF_API gf_status gf_segmented_scan_scratch(gf_device device, const gf_scan_options *options, int64_t n,
                                           int64_t segments, size_t *bytes, gf_error *error);

/* Scans in[0..n) into out[0..n) as gf_scan does, but begins anew with each segment. Sums of floats are
 * gf_scan's of the array in which all that lies before the segment counts as 0: order and places are the
 * whole array's (docs/exactness.md), and the bits the same on every device. out may be the input itself where
 * the types are the same, but may not overlap it otherwise, nor the offsets. */
GF_API gf_status gf_segmented_scan(gf_queue queue, const gf_scan_options *options, const void *in, int64_t n,
                                   const int64_t *offsets, int64_t segments, void *out, void *scratch,
                                   size_t scratch_bytes, gf_error *error);

#ifdef __cplusplus
}
#endif
#endif
