/* Fourier transforms for tests: plans, calls by a variant or by one SIMD level, and sums in long double. */
#ifndef TESTS_ARRAY_FFT_CASE_H
#define TESTS_ARRAY_FFT_CASE_H

#include "array_case.h"

#include "fourier/fft_cpu.h"
#include "fourier/fft_unit.h"

#include <math.h>

struct fft_ask {
    int real, dimensions, inverse, threads;
    int64_t rows, columns, sample_stride, spectrum_stride;
};

static uint64_t fft_state = 88172645463325252U;

/* -1 to 1. */
static inline float fft_draw(void)
{
    fft_state ^= fft_state << 13;
    fft_state ^= fft_state >> 7;
    fft_state ^= fft_state << 17;
    return (float)((double)(fft_state >> 11) * 0x1p-52 - 1);
}

static inline int64_t fft_below(int64_t n)
{
    return (int64_t)((double)(fft_draw() + 1) / 2 * (double)n) % n;
}

static inline void fft_fill(float *x, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        x[i] = fft_draw();
    }
}

/* Of up to `most` rows and columns, with any strides. */
static inline struct fft_ask fft_random_ask(int64_t most)
{
    struct fft_ask ask = {(int)fft_below(2),
                          1 + (int)fft_below(2),
                          (int)fft_below(2),
                          1 + (int)fft_below(3),
                          1 + fft_below(most),
                          1 + fft_below(most),
                          0,
                          0};
    const int64_t kind = fft_below(4), half = ask.real ? ask.columns / 2 + 1 : ask.columns;
    if (kind == 1) { /* gaps */
        ask.sample_stride = ask.columns + fft_below(5);
        ask.spectrum_stride = half + fft_below(5);
    } else if (kind > 1) { /* that which works in place */
        ask.spectrum_stride = half + fft_below(3);
        ask.sample_stride = ask.real ? 2 * ask.spectrum_stride : ask.spectrum_stride;
    }
    return ask;
}

/* Zeroed, so that what lies between rows is the same everywhere; or the program ends. */
static inline void *fft_memory(size_t bytes)
{
    void *memory = aligned_alloc(256, (bytes + 511) / 256 * 256);
    if (!memory) {
        puts("Bail out! no memory");
        exit(2);
    }
    return memset(memory, 0, (bytes + 511) / 256 * 256);
}

static inline gf_fft_plan *fft_plan(const struct fft_ask *a)
{
    gf_fft_shape shape = {sizeof shape,     a->dimensions,      a->rows, a->columns,
                          a->sample_stride, a->spectrum_stride, a->real};
    gf_fft_plan *plan = NULL;
    gf_error error = GF_ERROR_INIT;
    if (gf_fft_plan_create(&shape, &plan, &error) != GF_OK) {
        printf("Bail out! %s\n", error.message);
        exit(2);
    }
    return plan;
}

static inline int64_t fft_floats(const struct fft_ask *a, int spectrum)
{
    const int64_t half = a->real ? a->columns / 2 + 1 : a->columns;
    const int64_t sample = (a->sample_stride ? a->sample_stride : a->columns) * (a->real ? 1 : 2);
    return a->rows * (spectrum ? 2 * (a->spectrum_stride ? a->spectrum_stride : half) : sample);
}

/* By the variant, or, where `lines` is one, by that level. Scratch memory is full of NaN before. */
static inline void fft_run(const struct fft_ask *a, const gf_fft_plan *plan, const char *algo,
                           const struct gf_fft_lines *lines, const float *in, float *out)
{
    gf_fft_options o = GF_FFT_OPTIONS_INIT;
    gf_error error = GF_ERROR_INIT;
    size_t bytes = 0;
    o.array.algo = algo;
    o.array.threads = a->threads;
    o.inverse = a->inverse;
    CHECK_MSG(gf_fft_scratch(GF_DEVICE_CPU, &o, plan, &bytes, &error) == GF_OK, "%s", error.message);
    char *scratch = memset(fft_memory(bytes), 0xff, bytes);
    if (lines) {
        const double count = (double)a->columns * (a->dimensions == 2 ? (double)a->rows : 1);
        const struct gf_fft_call call = {.array = {.queue = {GF_DEVICE_CPU, NULL},
                                                   .options = o.array,
                                                   .n = a->rows * a->columns,
                                                   .in = in,
                                                   .out = out,
                                                   .scratch = scratch,
                                                   .scratch_bytes = bytes},
                                         .plan = plan,
                                         .inverse = a->inverse,
                                         .scale = a->inverse ? (float)(1 / count) : 1};
        gf_fft_cpu_by(&call, lines);
    } else {
        const gf_status status =
            gf_fft((gf_queue){GF_DEVICE_CPU, NULL}, &o, plan, in, out, scratch, bytes, &error);
        CHECK_MSG(status == GF_OK, "%s", error.message);
    }
    CHECK_MSG(bytes == 0 || scratch[bytes] == 0, "written behind the scratch memory");
    free(scratch);
}

/* On device 0, of numbers `offset` floats off their alignment, with canaries around all, which stay; out may
 * be in. `out` is sent as it is, so that what lies between rows must stay. */
static inline void fft_run_cuda(const struct fft_ask *a, const gf_fft_plan *plan, const char *algo,
                                int32_t tile, size_t offset, const float *in, float *out)
{
    const size_t reads = (size_t)fft_floats(a, a->inverse) * sizeof(float),
                 writes = (size_t)fft_floats(a, !a->inverse) * sizeof(float),
                 bytes_in = in == out && writes > reads ? writes : reads;
    gf_fft_options o = GF_FFT_OPTIONS_INIT;
    gf_error error = GF_ERROR_INIT;
    size_t bytes = 0;
    struct array_memory from, to, scratch;
    gf_queue queue;
    o.array.algo = algo;
    o.array.tile = tile;
    o.inverse = a->inverse;
    CHECK_MSG(gf_fft_scratch(0, &o, plan, &bytes, &error) == GF_OK, "%s", error.message);
    if (gf_queue_create(0, &queue, NULL) != GF_OK ||
        !array_memory_make(&from, 0, bytes_in, offset * sizeof(float)) ||
        !array_memory_make(&to, 0, writes, (3 - offset) * sizeof(float)) ||
        !array_memory_make(&scratch, 0, bytes > 0 ? bytes : 1, 0)) {
        puts("Bail out! no memory on the device");
        exit(2);
    }
    array_memory_upload(&from, in);
    array_memory_upload(&to, out);
    float *const result = (float *)(in == out ? from.data : to.data);
    CHECK_MSG(gf_fft(queue, &o, plan, (const float *)from.data, result, scratch.data, bytes, &error) == GF_OK,
              "%s", error.message);
    CHECK_EQ_INT(gf_queue_wait(queue, NULL), GF_OK);
    array_memory_download(in == out ? &from : &to, out);
    array_memory_end(&from, "the input");
    array_memory_end(&to, "the output");
    array_memory_end(&scratch, "the scratch memory");
    gf_queue_destroy(&queue);
}

/* The sum by definition of row y: rms of the difference, as a part of the rms of the sum. */
static inline double fft_off(const struct fft_ask *a, const float *in, const float *out)
{
    const int64_t n = a->columns, half = a->real ? n / 2 + 1 : n,
                  writes = a->real && a->inverse ? n : 2 * half;
    long double off = 0, size = 0;
    for (int64_t k = 0; k < (a->real && !a->inverse ? half : n); k++) {
        long double re = 0, im = 0;
        for (int64_t j = 0; j < n; j++) {
            const long double turn =
                6.283185307179586476925286766559L * (long double)(j * k % n) / (long double)n;
            const long double c = cosl(turn), s = (a->inverse ? 1 : -1) * sinl(turn);
            const int64_t at = a->real && a->inverse && j >= half ? n - j : j;
            const long double x = a->real && !a->inverse ? in[j] : in[2 * at];
            long double y = a->real && !a->inverse ? 0 : in[2 * at + 1];
            y = a->real && (at == 0 || 2 * at == n) ? 0 : at == j ? y : -y;
            re += x * c - y * s;
            im += x * s + y * c;
        }
        re /= a->inverse ? (long double)n : 1;
        im /= a->inverse ? (long double)n : 1;
        const long double p = re - out[writes == n && a->real && a->inverse ? k : 2 * k];
        const long double q = a->real && a->inverse ? 0 : im - out[2 * k + 1];
        off += p * p + q * q;
        size += re * re + (a->real && a->inverse ? 0 : im * im);
    }
    return size > 0 ? (double)sqrtl(off / size) : (double)off;
}

#endif
