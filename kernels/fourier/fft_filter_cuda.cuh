/* The middle pass of a filter by frequency: columns there, times weights, and back, while they are in shared
 * memory. */
#ifndef GF_FOURIER_FFT_FILTER_CUDA_CUH
#define GF_FOURIER_FFT_FILTER_CUDA_CUH

#include "fourier/fft_pass_cuda.cuh"

constexpr unsigned GF_FFT_FILTER_THREADS = 576, /* of a block at most */
    GF_FFT_FILTER_TIMES = 2,                    /* butterflies of a thread at most */
    GF_FFT_FILTER_HELD = 18;                    /* numbers of a butterfly at most */

/* Of number k of row l. */
GF_DEVICE_FN float gf_fft_weight(const gf_fft_weights &w, int64_t k, int64_t l)
{
    float weight = 1.0F;
    _Pragma("unroll 1") for (int32_t t = 0; t < w.count - GF_FAULT(cuda_frequency_term); t++)
    {
        const float *const own = w.terms + t * (w.half + w.rows);
        const float g = gf_frequency_term(w.shape, w.order, own[k], own[w.half + l]);
        weight = weight * (t < w.below ? g : 1.0F - g);
    }
    return weight;
}

/* Tells whether weights are one Gaussian, which a thread multiplies by while it has the numbers. */
GF_DEVICE_FN bool gf_fft_weighs_simply(const gf_fft_weights &w)
{
    return w.shape == GF_FREQUENCY_GAUSS && w.count - GF_FAULT(cuda_frequency_term) == 1;
}

/* Weights a number, whose parts change places before the transform back. */
GF_DEVICE_FN gf_fft_complex gf_fft_weighed(gf_fft_complex v, float weight)
{
    return {v.im * weight, v.re * weight};
}

GF_DEVICE_FN void gf_fft_weigh_block(const gf_fft_pass_args &g, const gf_fft_block &b,
                                     const gf_fft_weights &w, gf_fft_complex *z)
{
    gf_fft_for_points(g, b, g.points, g.points_magic, [&](const gf_fft_lane &, uint32_t l, uint32_t p) {
        gf_fft_complex &v = gf_fft_spot(g, z, l, p);
        v = gf_fft_weighed(v, gf_fft_weight(w, int64_t(blockIdx.x) * g.width + l, p));
    });
    __syncthreads();
}

/* Numbers j, j + each and so on of a lane, weighted if that is `simple`. */
GF_DEVICE_FN void gf_fft_hold(const gf_fft_pass_args &g, const gf_fft_weights &w, gf_fft_complex *z,
                              bool simple, uint32_t l, uint32_t j, gf_fft_complex (&held)[GF_FFT_FILTER_HELD])
{
    const gf_fft_step &s = g.step[0];
    const float *const rows = w.terms + w.half + j;
    const float x = simple ? w.terms[int64_t(blockIdx.x) * g.width + l] : 1.0F;
    GF_UNROLL
    for (uint32_t i = 0; i < GF_FFT_FILTER_HELD; i++) {
        if (i < s.numbers) {
            held[i] = gf_fft_spot(g, z, l, j + i * s.each);
            if (simple) {
                const float term = gf_frequency_term(GF_FREQUENCY_GAUSS, 0, x, rows[i * s.each]);
                held[i] = gf_fft_weighed(held[i], w.below ? term : 1.0F - term);
            }
        }
    }
}

/* Weights numbers, and puts them where the transform back has them: those of a thread are all in registers
 * before any is written. */
GF_DEVICE_FN void gf_fft_turn(const gf_fft_pass_args &g, const gf_fft_block &b, const gf_fft_weights &w,
                              gf_fft_complex *z)
{
    const gf_fft_step &s = g.step[0];
    const bool simple = gf_fft_weighs_simply(w);
    gf_fft_complex held[GF_FFT_FILTER_TIMES][GF_FFT_FILTER_HELD];
    uint32_t l, j;
    if (!simple) {
        gf_fft_weigh_block(g, b, w, z);
    }
    GF_UNROLL
    for (uint32_t time = 0; time < GF_FFT_FILTER_TIMES; time++) {
        gf_fft_lane_and_point(g, time * blockDim.x + threadIdx.x, s.each, s.each_magic, &l, &j);
        if (l < b.there && j < s.each) {
            gf_fft_hold(g, w, z, simple, l, j, held[time]);
        }
    }
    __syncthreads();
    GF_UNROLL
    for (uint32_t time = 0; time < GF_FFT_FILTER_TIMES; time++) {
        gf_fft_lane_and_point(g, time * blockDim.x + threadIdx.x, s.each, s.each_magic, &l, &j);
        const bool there = l < b.there && j < s.each;
        gf_fft_complex *const own = &gf_fft_spot(g, z, l, gf_fft_reversed(g, j, 1) * s.numbers);
        GF_UNROLL
        for (uint32_t i = 0; i < GF_FFT_FILTER_HELD; i++) {
            if (there && i < s.numbers) {
                gf_fft_spot(own, s.apart * i) = held[time][i];
            }
        }
    }
    __syncthreads();
}

/* A block has threads for all butterflies of the first step, which take one or two each. */
static __global__ void __launch_bounds__(GF_FFT_FILTER_THREADS)
    gf_fft_filter_pass(const gf_fft_pass_args g, const gf_fft_weights w)
{
    GF_SHARED_DYN(gf_fft_complex, z);
    const gf_fft_block b = gf_fft_block_of(g);
    for (int now = 0; now < 2 * g.steps; now++) {
        const int step = now < g.steps ? now : now - g.steps;
        if (now == g.steps) {
            gf_fft_turn(g, b, w, z);
        }
        GF_FFT_STEP(g.step[step], gf_fft_run_step, g, b, z, step, now == 0, now == 2 * g.steps - 1)
        __syncthreads();
    }
}

/* The same in memory, between passes of longer columns. */
static __global__ void gf_fft_weigh(float *numbers, const int64_t row, const gf_fft_weights w)
{
    const int64_t i = gf_thread_index(), l = i / w.half, k = i % w.half;
    if (l < w.rows) {
        const float weight = gf_fft_weight(w, k, l);
        float *const own = numbers + l * row + 2 * k;
        own[0] = own[0] * weight;
        own[1] = own[1] * weight;
    }
}

#endif
