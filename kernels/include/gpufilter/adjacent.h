/* gpufilter/adjacent.h: the difference of each element and the one before it. It undoes an inclusive scan by
 * sum of integers. docs/primitives/adjacent.md. */
#ifndef GPUFILTER_ADJACENT_H
#define GPUFILTER_ADJACENT_H

#include "gpufilter/array.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gf_adjacent_options {
    uint32_t struct_size;
    gf_array_options array; /* type: of the input and of the output */
} gf_adjacent_options;

#define GF_ADJACENT_OPTIONS_INIT                                                                             \
    {                                                                                                        \
        sizeof(gf_adjacent_options),                                                                         \
        {                                                                                                    \
            NULL, GF_S32, 0, 0, 0, 0                                                                         \
        }                                                                                                    \
    }

/* Bytes of scratch that gf_adjacent_difference needs for n elements: none so far. Queues no work. */
GF_API gf_status gf_adjacent_difference_scratch(gf_device device, const gf_adjacent_options *options,
                                                int64_t n, size_t *bytes, gf_error *error);

/* out[0] = in[0], and out[i] = in[i] - in[i - 1]: of integers modulo 2^bits, of floats rounded once; every
 * NaN of the output is the quiet one with a positive sign and no payload. The output does not overlap the
 * input. */
GF_API gf_status gf_adjacent_difference(gf_queue queue, const gf_adjacent_options *options, const void *in,
                                        int64_t n, void *out, void *scratch, size_t scratch_bytes,
                                        gf_error *error);

#ifdef __cplusplus
}
#endif
#endif
