/* A pass of "auto": what blocks read and write besides what steps do themselves, and the kernel. */
#ifndef GF_FOURIER_FFT_PASS_CUDA_CUH
#define GF_FOURIER_FFT_PASS_CUDA_CUH

#include "fourier/fft_step_cuda.cuh"

/* Calls f(lane, l, p) for points 0 to each - 1 of each lane that is there. */
template <class F>
GF_DEVICE_FN void gf_fft_for_points(const gf_fft_pass_args &g, const gf_fft_block &b, uint32_t each,
                                    uint32_t magic, F &&f)
{
    const uint32_t lanes = g.side_by_side ? g.width : b.there;
    for (uint32_t i = threadIdx.x; i < each * lanes; i += blockDim.x) {
        uint32_t l, p;
        gf_fft_lane_and_point(g, i, each, magic, &l, &p);
        if (l < b.there) {
            f(gf_fft_lane_of(g, b, l), l, p);
        }
    }
}

GF_DEVICE_FN void gf_fft_load(const gf_fft_pass_args &g, const gf_fft_block &b, gf_fft_complex *z)
{
    gf_fft_for_points(g, b, g.points, g.points_magic, [&](const gf_fft_lane &lane, uint32_t l, uint32_t p) {
        gf_fft_spot(g, z, l, gf_fft_reversed(g, p, 0)) =
            gf_fft_take(g.in, lane.from, lane.in + g.in_point * p);
    });
}

/* Numbers k and h - k of a transform, which make numbers k and h - k of the spectrum, are read once; of four
 * pairs before any is split, so that a thread waits once. Lanes are lines. */
template <bool WIDE, bool LAST>
GF_DEVICE_FN void gf_fft_store_pairs(const gf_fft_pass_args &g, const gf_fft_block &b, gf_fft_complex *z)
{
    constexpr uint32_t TIMES = 4;
    const uint32_t each = g.points / 2 + 1, all = each * b.there;
    for (uint32_t from = threadIdx.x; from < all; from += TIMES * blockDim.x) {
        gf_fft_complex x[TIMES], y[TIMES], v[TIMES];
        GF_UNROLL
        for (uint32_t time = 0; time < TIMES; time++) {
            const uint32_t at = from + time * blockDim.x, i = at < all ? at : from;
            const uint32_t l = gf_fft_divide(i, g.half_magic), p = i - l * each;
            v[time] = gf_fft_factor(g.out.joined, p);
            x[time] = gf_fft_spot(g, z, l, p);
            y[time] = gf_fft_spot(g, z, l, p ? g.points - p : 0);
        }
        GF_UNROLL
        for (uint32_t time = 0; time < TIMES; time++) {
            const uint32_t i = from + time * blockDim.x;
            const uint32_t l = gf_fft_divide(i, g.half_magic), p = i - l * each;
            float *const to = b.first.to + l * g.out_line;
            const gf_fft_complex w = {v[time].re, -v[time].im}; /* exp(-i pi) is to v as its conjugate */
            if (i < all) {
                gf_fft_put_split<LAST>(to + 2 * int64_t(p), x[time], y[time], v[time], WIDE);
            }
            if (i < all && 2 * p < g.points) {
                gf_fft_put_split<LAST>(to + 2 * int64_t(g.points - p), y[time], x[time], w, WIDE);
            }
        }
    }
}

GF_DEVICE_FN void gf_fft_store(const gf_fft_pass_args &g, const gf_fft_block &b, gf_fft_complex *z)
{
    if (g.out.kind != GF_FFT_PAIRS) {
        gf_fft_for_points(g, b, g.points, g.points_magic,
                          [&](const gf_fft_lane &lane, uint32_t l, uint32_t p) {
                              gf_fft_put(g.out, lane.to, lane.out + g.before * p, gf_fft_spot(g, z, l, p));
                          });
        return;
    }
    if (g.out.wide && g.out.passed) {
        gf_fft_store_pairs<true, false>(g, b, z);
    } else if (g.out.wide) {
        gf_fft_store_pairs<true, true>(g, b, z);
    } else {
        gf_fft_store_pairs<false, true>(g, b, z);
    }
}

static __global__ void __launch_bounds__(GF_FFT_MOST_THREADS) gf_fft_pass(const gf_fft_pass_args g)
{
    GF_SHARED_DYN(gf_fft_complex, z);
    const gf_fft_block b = gf_fft_block_of(g);
    if (!g.direct_in) {
        gf_fft_load(g, b, z);
        __syncthreads();
    }
    for (int now = 0; now < g.steps; now++) {
        const bool last = now == g.steps - 1;
        GF_FFT_STEP(g.step[now], gf_fft_run_step, gf_fft_direct(), g, b, z, now, now == 0 && g.direct_in,
                    last && g.direct_out)
        if ((!last || !g.direct_out) && !GF_FAULT(cuda_fft_step)) {
            __syncthreads();
        }
    }
    if (!g.direct_out) {
        gf_fft_store(g, b, z);
    }
}

/* Splits what a line of pairs has become, h numbers, in memory of its own. */
static __global__ void gf_fft_split(const gf_fft_ends in, const gf_fft_ends out, int64_t h, int64_t count)
{
    const int64_t i = gf_thread_index(), line = i / (h + 1), k = i % (h + 1);
    if (line < count) {
        const float *const from = in.memory + line * in.next;
        gf_fft_put_split<true>(out.memory + line * out.next + 2 * k,
                               gf_fft_read(from + (k == h ? 0 : k) * in.apart, 1),
                               gf_fft_read(from + (k == 0 ? 0 : h - k) * in.apart, 1),
                               gf_fft_factor(out.joined, static_cast<uint32_t>(k)), out.wide);
    }
}

#endif
