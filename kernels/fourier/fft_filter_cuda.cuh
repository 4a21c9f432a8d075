/* The middle pass of a filter by frequency: columns there, times weights, and back, while they are in shared
 * memory. */
#ifndef GF_FOURIER_FFT_FILTER_CUDA_CUH
#define GF_FOURIER_FFT_FILTER_CUDA_CUH

#include "fourier/fft_picture_cuda.cuh"

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

/* The same of one term that takes no power. */
GF_DEVICE_FN float gf_fft_simple_weight(const gf_fft_weights &w, float x, float y)
{
    const float g = w.shape == GF_FREQUENCY_GAUSS ? x * y : x + y <= 1.0F ? 1.0F : 0.0F;
    return w.below != 0 ? g : 1.0F - g;
}
GF_HD bool gf_fft_weighs_simply(const gf_fft_weights &w)
{
    return w.count == 1 && w.shape != GF_FREQUENCY_BUTTERWORTH && !GF_FAULT(cuda_frequency_term);
}

/* Of number `high`, in which the digits of the steps before step s lie as in a place of the transform back.
 */
GF_DEVICE_FN uint32_t gf_fft_turned(const gf_fft_pass_args &g, uint32_t high, int s)
{
    uint32_t K = 0;
    _Pragma("unroll 1") for (s--; s >= 0; s--)
    {
        const uint32_t rest = gf_fft_divide(high, g.step[s].radix_magic);
        K = K * g.step[s].numbers + (high - rest * g.step[s].numbers);
        high = rest;
    }
    return K;
}

/* The number at `lane` of row `row`, and those `apart` rows on. */
struct gf_fft_column {
    char *memory;
    uint32_t apart; /* bytes */
    __device__ __forceinline__ gf_fft_column(const gf_fft_pass_args &g, uint32_t l, uint32_t row,
                                             uint32_t rows)
        : memory(reinterpret_cast<char *>(g.in.memory + 2 * (int64_t(blockIdx.x) * g.width + l)) +
                 uint64_t(row) * g.row_bytes),
          apart(rows * g.row_bytes)
    {
    }
    __device__ __forceinline__ float *at(uint32_t t) const
    {
        return reinterpret_cast<float *>(memory + uint64_t(t) * apart);
    }
};

/* Step number `now` of those there, and then of those back. There, numbers lie in reverse of their digits
 * before the first step, and each at its own place behind the last; back it is the other way round, so that
 * every step puts them where it took them from. */
template <int R1, int R2, int R3>
GF_DEVICE_FN void gf_fft_filter_step(const gf_fft_pass_args &g, const gf_fft_weights &w, uint32_t there,
                                     gf_fft_complex *z, int now)
{
    constexpr int R = R1 * R2 * R3;
    const bool back = now >= g.steps, first = now == 0, middle = now == g.steps - 1;
    const int turn = back ? now - g.steps : now;
    const gf_fft_step &s = g.step[turn];
    const uint32_t all = s.each * g.width, apart = (back ? s.after : s.span) * g.width;
    for (uint32_t i = threadIdx.x; i < all; i += blockDim.x) {
        const uint32_t j = gf_fft_divide(i, g.width_magic), l = i - j * g.width;
        if (l >= there) {
            continue;
        }
        const uint32_t B =
            first ? gf_fft_reversed(g, j, 1) : gf_fft_divide(j, back ? s.after_magic : s.span_magic);
        const uint32_t rest = first ? 0 : j - B * (back ? s.after : s.span);
        const uint32_t K = back ? gf_fft_turned(g, B, turn) : rest;
        gf_fft_complex *const own = z + ((B * R * (back ? s.after : s.span) + rest) * g.width + l);
        gf_fft_complex u[R];
        if (first) {
            const gf_fft_column from(g, l, j, s.each);
            GF_UNROLL
            for (uint32_t t = 0; t < R; t++) {
                u[t] = gf_fft_read(from.at(t), 1);
            }
        } else {
            GF_UNROLL
            for (uint32_t t = 0; t < R; t++) {
                u[t] = own[apart * t];
            }
        }
        gf_fft_stages<R1, R2, R3>(s, 1, K, u);
        if (back && turn == g.steps - 1) {
            const gf_fft_column to(g, l, K, s.span);
            GF_UNROLL
            for (int t = 0; t < R; t++) {
                gf_fft_write(to.at(static_cast<uint32_t>(t)),
                             gf_fft_swapped(u[gf_fft_result_of<R1, R2, R3>(t)]), 1);
            }
            continue;
        }
        if (middle && gf_fft_weighs_simply(w)) { /* re and im change places before the transform back */
            const float x = w.terms[int64_t(blockIdx.x) * g.width + l], *const y = w.terms + w.half + K;
            GF_UNROLL
            for (int t = 0; t < R; t++) {
                const float weight = gf_fft_simple_weight(w, x, y[static_cast<uint32_t>(t) * s.span]);
                gf_fft_complex &v = u[gf_fft_result_of<R1, R2, R3>(t)];
                v = {v.im * weight, v.re * weight};
            }
        }
        GF_UNROLL
        for (uint32_t t = 0; t < R; t++) {
            own[apart * t] = u[gf_fft_result_of<R1, R2, R3>(static_cast<int>(t))];
        }
    }
}

static __global__ void __launch_bounds__(GF_FFT_LARGE_THREADS)
    gf_fft_filter_pass(const gf_fft_pass_args g, const gf_fft_weights w)
{
    GF_SHARED_DYN(gf_fft_complex, z);
    const uint32_t there = static_cast<uint32_t>(gf_least(g.width, g.lanes - int64_t(blockIdx.x) * g.width));
    for (int now = 0; now < 2 * g.steps; now++) {
        if (now == g.steps && !gf_fft_weighs_simply(w)) {
            for (uint32_t i = threadIdx.x; i < g.points * g.width; i += blockDim.x) {
                const uint32_t k = gf_fft_divide(i, g.width_magic), l = i - k * g.width;
                if (l < there) {
                    const float weight = gf_fft_weight(w, int64_t(blockIdx.x) * g.width + l, k);
                    z[i] = {z[i].im * weight, z[i].re * weight};
                }
            }
            __syncthreads();
        }
        GF_FFT_LARGE_STEP(g.step[now < g.steps ? now : now - g.steps], gf_fft_filter_step, g, w, there, z,
                          now)
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
