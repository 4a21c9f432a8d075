/* gpufilter/fft.h: Fourier transforms of rows and of pictures, with the same bits wherever they are made.
 *
 *     gf_fft_shape shape = GF_FFT_SHAPE_INIT;
 *     shape.rows = 100, shape.columns = 1024, shape.real = 1;
 *     gf_fft_plan *plan;
 *     gf_fft_plan_create(&shape, &plan, &error);
 *     gf_fft_options options = GF_FFT_OPTIONS_INIT;
 *     gf_fft_scratch(queue.device, &options, plan, &bytes, &error);
 *     ...
 *     gf_fft(queue, &options, plan, samples, spectrum, scratch, bytes, &error);
 *     ...
 *     gf_fft_plan_destroy(plan);
 *
 * gpufilter/array.h has what holds for all primitives, docs/primitives/fft.md the idea and the variants. */
#ifndef GPUFILTER_FFT_H
#define GPUFILTER_FFT_H

#include "gpufilter/array.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is transformed. A complex number is two f32, re and im. Samples are rows x columns complex numbers or,
 * with `real`, f32; the spectrum is rows x columns complex numbers or, with `real`, rows x (columns / 2 + 1):
 * the others are conjugates of these. */
typedef struct gf_fft_shape {
    uint32_t struct_size;
    int32_t dimensions;      /* 1: each row by itself; 2: rows and columns */
    int64_t rows;            /* 0 to 2^48 / columns; with 2 dimensions 1 to 2^26 */
    int64_t columns;         /* 1 to 2^26 */
    int64_t sample_stride;   /* samples from a row to the next; 0: rows without gaps */
    int64_t spectrum_stride; /* complex numbers from a row to the next; 0: rows without gaps */
    int32_t real;            /* 0 or 1 */
} gf_fft_shape;

#define GF_FFT_SHAPE_INIT                                                                                    \
    {                                                                                                        \
        sizeof(gf_fft_shape), 1, 1, 0, 0, 0, 0                                                               \
    }

typedef struct gf_fft_options {
    uint32_t struct_size;
    gf_array_options array; /* type: GF_F32 */
    int32_t inverse; /* 0: samples to spectrum; 1: spectrum to samples, divided by how many there are */
} gf_fft_options;

#define GF_FFT_OPTIONS_INIT                                                                                  \
    {                                                                                                        \
        sizeof(gf_fft_options), {NULL, GF_F32, 0, 0, 0, 0}, 0                                                \
    }

/* The factors of a shape, in host memory: about 8 bytes a number of a row, and of a column; where their
 * number has a prime above 7 about 40, and 140 while the plan is made. It does not change once it is made, so
 * any number of calls may use it at a time. */
typedef struct gf_fft_plan gf_fft_plan;

/* Makes one; the caller destroys it. GF_ERROR_ARGUMENT: a shape that is not as above. GF_ERROR_MEMORY. *plan
 * is NULL after a failure. */
GF_API gf_status gf_fft_plan_create(const gf_fft_shape *shape, gf_fft_plan **plan, gf_error *error);

/* NULL-safe. No call that uses it may be under way, nor its work on a device. */
GF_API void gf_fft_plan_destroy(gf_fft_plan *plan);

/* Bytes of scratch that gf_fft needs: of some rows, or columns, for each thread; for the inverse of real
 * samples in two dimensions as much as the spectrum besides. On CUDA none but that where rows have at most
 * 6144 numbers (pairs of real samples), columns 1536, and neither primes above 7; else up to twice 120 MB, or
 * two lines. */
GF_API gf_status gf_fft_scratch(gf_device device, const gf_fft_options *options, const gf_fft_plan *plan,
                                size_t *bytes, gf_error *error);

/* Copies the factors of the plan to a CUDA device, once: about 8 bytes for each of theirs, which the plan
 * keeps there until it is destroyed. The first call of gf_fft on a device does so too, and then waits for the
 * copy; all others only queue work, as all do after this: call it before a stream is captured. On the CPU
 * nothing happens. GF_ERROR_MEMORY, GF_ERROR_DEVICE. Thread-safe. */
GF_API gf_status gf_fft_prepare(gf_device device, const gf_fft_plan *plan, gf_error *error);

/* X[k] = sum of x[j] exp(-2 pi i j k / n) along each row, then each column where there are two dimensions; or
 * with `inverse` x from X, by exp(2 pi i j k / n), divided by n. `in` and `out` are samples and spectrum, or
 * the other way round. Variants that are not loose make them by the graph of docs/exactness.md, whose bits
 * are the same on every device. Every NaN is the canonical one. `out` may be `in` where a row of the one
 * begins where that of the other does; else they do not overlap. What lies between rows stays as it is.
 *
 * The methods: J. W. Cooley and J. W. Tukey, "An algorithm for the machine calculation of complex Fourier
 * series" (1965); L. I. Bluestein, "A linear filtering approach to the computation of the discrete Fourier
 * transform" (1970), for n with primes above 7. */
GF_API gf_status gf_fft(gf_queue queue, const gf_fft_options *options, const gf_fft_plan *plan,
                        const float *in, float *out, void *scratch, size_t scratch_bytes, gf_error *error);

#ifdef __cplusplus
}
#endif
#endif
