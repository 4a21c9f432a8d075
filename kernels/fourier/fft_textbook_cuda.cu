/* Fourier transforms on CUDA as textbooks print them: the sum, a thread a number, and radix 2 by Stockham, a
 * launch a stage (W. T. Cochran et al., "What is the fast Fourier transform?", 1967). */
#include "fourier/fft_cuda.cuh"
#include "fourier/fft_unit.h"

#include <utility>

constexpr unsigned BLOCK = 256;

struct plain_work {
    gf_fft_complex *x, *y, *w; /* lines, one after the other, lines again, and factors */
    float *spectrum;
};

static __global__ void gf_fft_factors(int64_t n, gf_fft_complex *w)
{
    const int64_t k = gf_thread_index();
    if (k < n) {
        double c, s;
        gf_fft_unit_of(k, n, &c, &s);
        w[k] = {static_cast<float>(c), static_cast<float>(0 - s)};
    }
}

static __global__ void gf_fft_gather(const gf_fft_ends from, int64_t n, int64_t count, gf_fft_complex *x)
{
    const int64_t i = gf_thread_index(), line = i / n;
    if (line < count) {
        x[i] = gf_fft_take(from, from.memory + line * from.next, i % n);
    }
}

static __global__ void gf_fft_scatter(const gf_fft_complex *x, int64_t n, int64_t count, const gf_fft_ends to)
{
    const int64_t i = gf_thread_index(), line = i / n;
    if (line < count) {
        gf_fft_put(to, to.memory + line * to.next, i % n, x[i]);
    }
}

static __global__ void gf_fft_naive(const gf_fft_complex *x, const gf_fft_complex *w, int64_t n,
                                    int64_t count, const gf_fft_ends to)
{
    const int64_t i = gf_thread_index(), line = i / n, k = i % n;
    if (line >= count) {
        return;
    }
    gf_fft_complex sum = {0, 0};
    for (int64_t j = 0, at = 0; j < n; j++) {
        const gf_fft_complex a = x[line * n + j], b = w[at];
        sum.re = gf_fma(a.re, b.re, gf_fma(-a.im, b.im, sum.re));
        sum.im = gf_fma(a.re, b.im, gf_fma(a.im, b.re, sum.im));
        at += at + k < n ? k : k - n;
    }
    gf_fft_put(to, to.memory + line * to.next, k, sum);
}

/* Of transforms of `length` numbers, of which each is `apart` from the next, two of half the length. */
static __global__ void gf_fft_stockham(const gf_fft_complex *x, const gf_fft_complex *w, int64_t n,
                                       int64_t length, int64_t count, gf_fft_complex *y)
{
    const int64_t i = gf_thread_index(), line = i / (n / 2), apart = n / length;
    const int64_t p = i % (n / 2) / apart, q = i % apart;
    if (line < count) {
        const gf_fft_complex a = x[line * n + q + apart * p];
        const gf_fft_complex b = x[line * n + q + apart * (p + length / 2)];
        y[line * n + q + apart * 2 * p] = {a.re + b.re, a.im + b.im};
        y[line * n + q + apart * (2 * p + 1)] = gf_fft_product({a.re - b.re, a.im - b.im}, w[p * apart]);
    }
}

static size_t lay_out(const struct gf_fft_call *call, plain_work *w)
{
    int64_t most = 0, longest = 0;
    size_t used = 0;
    (void)gf_fft_jobs(call, false, nullptr, [&](const gf_fft_lines_job &job) {
        most = gf_greatest(most, job.count * job.n);
        longest = gf_greatest(longest, job.n);
        return GF_OK;
    });
    w->x = gf_fft_room(call, &used, most);
    w->y = gf_fft_room(call, &used, most);
    w->w = gf_fft_room(call, &used, longest);
    w->spectrum = gf_fft_copy_room(call, &used);
    return used;
}

size_t gf_fft_textbook_cuda_scratch(const struct gf_array_call *array)
{
    plain_work w = {};
    return lay_out(gf_fft_call_of(array), &w);
}

/* Runs each job by transform(w, job, launch), where `launch` has a thread a number. */
template <class F> static gf_status run(const struct gf_array_call *array, gf_error *error, F &&transform)
{
    const struct gf_fft_call *call = gf_fft_call_of(array);
    plain_work w = {};
    if (array->n == 0) {
        return GF_OK;
    }
    GF_ON_DEVICE(array->queue.device, error)
    lay_out(call, &w);
    return gf_fft_jobs(call, false, w.spectrum, [&](const gf_fft_lines_job &job) {
        const gf_launch launch = gf_fft_launch(call, job.n * job.count, BLOCK);
        GF_CUDA_TRY(error, GF_LAUNCH(gf_fft_factors, launch, job.n, w.w));
        GF_CUDA_TRY(error, GF_LAUNCH(gf_fft_gather, launch, job.from, job.n, job.count, w.x));
        return transform(w, job, launch);
    });
}

gf_status gf_fft_naive_cuda(const struct gf_array_call *array, gf_error *error)
{
    return run(array, error, [&](const plain_work &w, const gf_fft_lines_job &job, const gf_launch &launch) {
        GF_CUDA_TRY(error, GF_LAUNCH(gf_fft_naive, launch, w.x, w.w, job.n, job.count, job.to));
        return GF_OK;
    });
}

gf_status gf_fft_stockham_cuda(const struct gf_array_call *array, gf_error *error)
{
    return run(array, error, [&](const plain_work &w, const gf_fft_lines_job &job, const gf_launch &launch) {
        gf_fft_complex *from = w.x, *to = w.y;
        for (int64_t length = job.n; length > 1; length /= 2) {
            GF_CUDA_TRY(error, GF_LAUNCH(gf_fft_stockham, launch, from, w.w, job.n, length, job.count, to));
            std::swap(from, to);
        }
        GF_CUDA_TRY(error, GF_LAUNCH(gf_fft_scatter, launch, from, job.n, job.count, job.to));
        return GF_OK;
    });
}
