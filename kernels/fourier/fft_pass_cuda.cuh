/* A pass of "auto": a CUDA block holds some neighbouring lines, or parts of one, in shared memory and takes
 * them through their stages, two at a time in registers. */
#ifndef GF_FOURIER_FFT_PASS_CUDA_CUH
#define GF_FOURIER_FFT_PASS_CUDA_CUH

#include "fourier/fft_cuda.cuh"

constexpr int GF_FFT_STEPS = 12;              /* of a block */
constexpr unsigned GF_FFT_MOST_THREADS = 768; /* of a processor, by the registers they take */

/* Two stages, or one, in registers. */
struct gf_fft_step {
    int32_t first, second; /* radices; second 1: there is none */
    uint32_t span;         /* points of a transform before them */
    uint32_t span_magic, each_magic,
        radix_magic;               /* that divide by span, by butterflies of a lane, by the radix */
    const gf_fft_complex *w1, *w2; /* factors; w1 NULL: none */
};

/* Some stages of a line of n numbers: those before have left transforms of `before` numbers. A block has
 * `width` lanes of `points` numbers. Number p of a lane is, read, number
 *     (J + after p) before + K, after = n / before / points, of its line, and written, number
 *     J before points + K + before p.
 * Lanes are lines, or with lines 0 values of J (before 1) or K. */
struct gf_fft_pass_args {
    gf_fft_ends in, out;
    int64_t before, in_point, in_J, out_J; /* numbers from a p to the next, from a J to the next */
    int64_t in_lane, out_lane;             /* from a lane to the next, of a line */
    int64_t lanes;
    uint32_t strips, Js; /* of the lanes, and of J, that blocks differ by */
    uint32_t points, width, points_magic, half_magic, width_magic;
    int32_t lines;
    int32_t side_by_side;          /* lanes are neighbours in memory, else points are */
    int32_t direct_in, direct_out; /* registers read memory, and write it */
    int32_t pairs_in;              /* lanes are spectra of pairs */
    int32_t steps;
    gf_fft_step step[GF_FFT_STEPS];
};

GF_DEVICE_FN uint32_t gf_fft_divide(uint32_t a, uint32_t magic)
{
    return magic ? static_cast<uint32_t>(uint64_t(a) * magic >> 32) : a;
}

/* ---- A block ----------------------------------------------------------------------------------------- */

struct gf_fft_lane {
    float *from, *to; /* its line */
    int64_t in, out;  /* the numbers that its point 0 is there */
    uint32_t K;
};

GF_DEVICE_FN int64_t gf_fft_first_lane(const gf_fft_pass_args &g)
{
    return int64_t(blockIdx.x % g.strips) * g.width;
}

/* How many lanes of the block there are. */
GF_DEVICE_FN uint32_t gf_fft_lanes(const gf_fft_pass_args &g)
{
    return static_cast<uint32_t>(gf_least(g.width, g.lanes - gf_fft_first_lane(g) - GF_FAULT(cuda_fft_edge)));
}

GF_DEVICE_FN gf_fft_lane gf_fft_lane_of(const gf_fft_pass_args &g, uint32_t l)
{
    const uint32_t rest = blockIdx.x / g.strips, J = rest % g.Js, other = rest / g.Js;
    const int64_t lane = gf_fft_first_lane(g) + l, line = g.lines ? lane : other;
    const int64_t K = g.lines ? other : g.before == 1 ? 0 : lane;
    return {g.in.memory + line * g.in.next, g.out.memory + line * g.out.next,
            J * g.in_J + lane * g.in_lane + (g.lines ? K : 0),
            J * g.out_J + lane * g.out_lane + (g.lines ? K : 0),
            static_cast<uint32_t>(GF_FAULT(cuda_fft_lane) && !g.lines && K > 0 ? K - l : K)};
}

/* The number at byte `at` of shared memory: those that are a power of two apart are in different banks. */
GF_DEVICE_FN gf_fft_complex &gf_fft_spot(gf_fft_complex *z, uint32_t at)
{
    return *reinterpret_cast<gf_fft_complex *>(reinterpret_cast<char *>(z) +
                                               (at ^ ((at >> 4 ^ at >> 8) & 15 * sizeof *z)));
}
GF_DEVICE_FN gf_fft_complex &gf_fft_spot(const gf_fft_pass_args &g, gf_fft_complex *z, uint32_t l, uint32_t p)
{
    return gf_fft_spot(z, (g.side_by_side ? p * g.width + l : l * g.points + p) *
                              static_cast<uint32_t>(sizeof *z));
}

/* The point at which number p, from the second step on `from`, is to lie: digits in the other order. */
GF_DEVICE_FN uint32_t gf_fft_reversed(const gf_fft_pass_args &g, uint32_t p, int from)
{
    uint32_t to = 0;
    for (int s = g.steps - 1; s >= from; s--) {
        const uint32_t radix = static_cast<uint32_t>(g.step[s].first * g.step[s].second);
        const uint32_t rest = gf_fft_divide(p, g.step[s].radix_magic);
        to = to * radix + (p - rest * radix);
        p = rest;
    }
    return to;
}

/* Splits i, of `each` points a lane, into lane and point. */
GF_DEVICE_FN void gf_fft_lane_and_point(const gf_fft_pass_args &g, uint32_t i, uint32_t each,
                                        uint32_t each_magic, uint32_t *l, uint32_t *p)
{
    const uint32_t q = gf_fft_divide(i, g.side_by_side ? g.width_magic : each_magic);
    *l = g.side_by_side ? i - q * g.width : q;
    *p = g.side_by_side ? q : i - q * each;
}

/* ---- Stages ------------------------------------------------------------------------------------------ */

/* Reads point j of a lane, and those `each` apart. */
template <int R>
GF_DEVICE_FN void gf_fft_read_direct(const gf_fft_pass_args &g, const gf_fft_lane &l, uint32_t j,
                                     uint32_t each, gf_fft_complex (&u)[R])
{
    const float *const from = l.from + (l.in + g.in_point * j) * g.in.apart;
    const int64_t apart = g.in_point * each * g.in.apart;
    GF_UNROLL
    for (int t = 0; t < R; t++) {
        u[t] = gf_fft_read(from + t * apart, 1);
    }
    if (g.in.swap) {
        GF_UNROLL
        for (int t = 0; t < R; t++) {
            u[t] = gf_fft_swapped(u[t]);
        }
    }
}

/* Which number of the butterfly is point t of R1 R2. */
template <int R1, int R2> GF_DEVICE_FN constexpr int gf_fft_result_of(int t)
{
    return R2 * (t % R1) + t / R1;
}

/* Writes points k, k + span and so on of a lane. */
template <int R1, int R2>
GF_DEVICE_FN void gf_fft_write_direct(const gf_fft_pass_args &g, const gf_fft_lane &l, uint32_t k,
                                      uint32_t span, const gf_fft_complex (&u)[R1 * R2])
{
    float *const to = l.to + (l.out + g.before * k) * g.out.apart;
    const int64_t apart = g.before * span * g.out.apart;
    GF_UNROLL
    for (int t = 0; t < R1 * R2; t++) {
        gf_fft_write(to + t * apart, gf_fft_finished(g.out, u[gf_fft_result_of<R1, R2>(t)]), 1);
    }
}

template <int R1, int R2>
GF_DEVICE_FN void gf_fft_stages(const gf_fft_step &s, uint32_t before, uint32_t K,
                                gf_fft_complex (&u)[R1 * R2])
{
    const uint32_t span = s.span * before;
    if (s.w1) {
        GF_UNROLL
        for (int q = 1; q < R1; q++) {
            const gf_fft_complex w = gf_fft_factor(s.w1, static_cast<uint32_t>(q - 1) * span + K);
            GF_UNROLL
            for (int i = 0; i < R2; i++) {
                u[i + R2 * q] = gf_fft_product(u[i + R2 * q], w);
            }
        }
    }
    gf_fft_complex a[R1], b[R2];
    GF_UNROLL
    for (int i = 0; i < R2; i++) {
        GF_UNROLL
        for (int q = 0; q < R1; q++) {
            a[q] = u[i + R2 * q];
        }
        gf_fft_butterfly<R1>::run(a);
        GF_UNROLL
        for (int q = 0; q < R1; q++) {
            u[i + R2 * q] = a[q];
        }
    }
    GF_UNROLL
    for (int k = 0; k < R1 && R2 > 1; k++) {
        b[0] = u[R2 * k];
        GF_UNROLL
        for (int q = 1; q < R2; q++) {
            const uint32_t at = static_cast<uint32_t>((q - 1) * R1 + k) * span + K;
            b[q] = gf_fft_product(u[R2 * k + q], gf_fft_factor(s.w2, at));
        }
        gf_fft_butterfly<R2>::run(b);
        GF_UNROLL
        for (int q = 0; q < R2; q++) {
            u[R2 * k + q] = b[q];
        }
    }
}

/* Step number `now`: each thread takes numbers out of shared memory, or memory, and puts as many back into
 * the same places. */
template <int R1, int R2>
GF_DEVICE_FN void gf_fft_run_step(const gf_fft_pass_args &g, uint32_t there, gf_fft_complex *z, int now)
{
    constexpr int R = R1 * R2;
    constexpr uint32_t SIZE = sizeof(gf_fft_complex);
    const gf_fft_step &s = g.step[now];
    const bool from_memory = now == 0 && g.direct_in, to_memory = now == g.steps - 1 && g.direct_out;
    const uint32_t each = gf_fft_divide(g.points, s.radix_magic), lanes = g.side_by_side ? g.width : there;
    gf_fft_complex u[R];
    for (uint32_t i = threadIdx.x; i < each * lanes; i += blockDim.x) {
        uint32_t l, j;
        gf_fft_lane_and_point(g, i, each, s.each_magic, &l, &j);
        if (l >= there) {
            continue;
        }
        const gf_fft_lane lane = gf_fft_lane_of(g, l);
        const uint32_t B = from_memory ? gf_fft_reversed(g, j, 1) : gf_fft_divide(j, s.span_magic);
        const uint32_t k = from_memory ? 0 : j - B * s.span, first = B * s.span * R + k;
        const uint32_t at = (g.side_by_side ? first * g.width + l : l * g.points + first) * SIZE;
        const uint32_t apart = (g.side_by_side ? s.span * g.width : s.span) * SIZE;
        const uint32_t before = static_cast<uint32_t>(g.before);
        if (from_memory) {
            gf_fft_read_direct<R>(g, lane, j, each, u);
        } else {
            GF_UNROLL
            for (uint32_t t = 0; t < R; t++) {
                u[t] = gf_fft_spot(z, at + apart * t);
            }
        }
        gf_fft_stages<R1, R2>(s, before, k * before + lane.K, u);
        if (to_memory) {
            gf_fft_write_direct<R1, R2>(g, lane, k, s.span, u);
            continue;
        }
        GF_UNROLL
        for (uint32_t t = 0; t < R; t++) {
            gf_fft_spot(z, at + apart * t) = u[gf_fft_result_of<R1, R2>(static_cast<int>(t))];
        }
    }
}

/* Calls f(lane, l, p) for points 0 to each - 1 of each lane that is there. */
template <class F>
GF_DEVICE_FN void gf_fft_for_points(const gf_fft_pass_args &g, uint32_t there, uint32_t each, uint32_t magic,
                                    F &&f)
{
    const uint32_t lanes = g.side_by_side ? g.width : there;
    for (uint32_t i = threadIdx.x; i < each * lanes; i += blockDim.x) {
        uint32_t l, p;
        gf_fft_lane_and_point(g, i, each, magic, &l, &p);
        if (l < there) {
            f(gf_fft_lane_of(g, l), l, p);
        }
    }
}

/* Numbers k and h - k of a spectrum, which make numbers k and h - k of the transform, are read once. */
GF_DEVICE_FN void gf_fft_load(const gf_fft_pass_args &g, uint32_t there, gf_fft_complex *z)
{
    if (!g.pairs_in) {
        gf_fft_for_points(g, there, g.points, g.points_magic,
                          [&](const gf_fft_lane &lane, uint32_t l, uint32_t p) {
                              gf_fft_spot(g, z, l, gf_fft_reversed(g, p, 0)) =
                                  gf_fft_take(g.in, lane.from, lane.in + g.in_point * p);
                          });
        return;
    }
    gf_fft_for_points(
        g, there, g.points / 2 + 1, g.half_magic, [&](const gf_fft_lane &lane, uint32_t l, uint32_t p) {
            const uint32_t mirror = g.points - p;
            const gf_fft_complex a = gf_fft_spectrum(g.in, lane.from, p),
                                 b = gf_fft_spectrum(g.in, lane.from, mirror);
            gf_fft_spot(g, z, l, gf_fft_reversed(g, p, 0)) = gf_fft_merged(g.in, p, a, b);
            if (p > 0) {
                gf_fft_spot(g, z, l, gf_fft_reversed(g, mirror, 0)) = gf_fft_merged(g.in, mirror, b, a);
            }
        });
}

/* The same of what is split. */
GF_DEVICE_FN void gf_fft_store(const gf_fft_pass_args &g, uint32_t there, gf_fft_complex *z)
{
    if (g.out.kind != GF_FFT_PAIRS) {
        gf_fft_for_points(g, there, g.points, g.points_magic,
                          [&](const gf_fft_lane &lane, uint32_t l, uint32_t p) {
                              gf_fft_put(g.out, lane.to, lane.out + g.before * p, gf_fft_spot(g, z, l, p));
                          });
        return;
    }
    gf_fft_for_points(
        g, there, g.points / 2 + 1, g.half_magic, [&](const gf_fft_lane &lane, uint32_t l, uint32_t p) {
            const gf_fft_complex a = gf_fft_spot(g, z, l, p), b = gf_fft_spot(g, z, l, p ? g.points - p : 0);
            gf_fft_put_split(g.out, lane.to, p, a, b);
            gf_fft_put_split(g.out, lane.to, g.points - p, b, a);
        });
}

static __global__ void __launch_bounds__(GF_FFT_MOST_THREADS) gf_fft_pass(const gf_fft_pass_args g)
{
    GF_SHARED_DYN(gf_fft_complex, z);
    const uint32_t there = gf_fft_lanes(g);
    if (!g.direct_in) {
        gf_fft_load(g, there, z);
        __syncthreads();
    }
    for (int now = 0; now < g.steps; now++) {
        switch (8 * g.step[now].first + g.step[now].second) {
#define STEP(r1, r2)                                                                                         \
    case 8 * (r1) + (r2):                                                                                    \
        gf_fft_run_step<r1, r2>(g, there, z, now);                                                           \
        break;
            STEP(4, 4)
            STEP(4, 3)
            STEP(4, 2)
            STEP(4, 1)
            STEP(2, 5)
            STEP(2, 3)
            STEP(2, 1)
            STEP(3, 5)
            STEP(3, 3)
            STEP(3, 1)
            STEP(5, 1)
            STEP(7, 1)
#undef STEP
        }
        if ((now < g.steps - 1 || !g.direct_out) && !GF_FAULT(cuda_fft_step)) {
            __syncthreads();
        }
    }
    if (!g.direct_out) {
        gf_fft_store(g, there, z);
    }
}

/* Splits what a line of pairs has become, h numbers, in memory of its own. */
static __global__ void gf_fft_split(const gf_fft_ends in, const gf_fft_ends out, int64_t h, int64_t count)
{
    const int64_t i = gf_thread_index(), line = i / (h + 1), k = i % (h + 1);
    if (line < count) {
        const float *const from = in.memory + line * in.next;
        gf_fft_put_split(out, out.memory + line * out.next, k,
                         gf_fft_read(from + (k == h ? 0 : k) * in.apart, 1),
                         gf_fft_read(from + (k == 0 ? 0 : h - k) * in.apart, 1));
    }
}

#endif
