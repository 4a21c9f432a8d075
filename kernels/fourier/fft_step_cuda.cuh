/* Steps of a CUDA block: it holds some neighbouring lines, or parts of one, in shared memory, and a thread
 * takes numbers of them through one to three stages in registers. */
#ifndef GF_FOURIER_FFT_STEP_CUDA_CUH
#define GF_FOURIER_FFT_STEP_CUDA_CUH

#include "fourier/fft_cuda.cuh"

constexpr int GF_FFT_STEPS = 12;               /* of a block */
constexpr unsigned GF_FFT_MOST_THREADS = 1024; /* of a processor, by the registers they take */

/* One to three stages, in registers. */
struct gf_fft_step {
    int32_t radix[3]; /* 1: no stage */
    int32_t kind;     /* of their three: gf_fft_step_kind */
    uint32_t numbers; /* of a butterfly: their product */
    uint32_t span;    /* points of a transform before them */
    uint32_t each;    /* butterflies of a lane */
    uint32_t apart;   /* bytes of shared memory between the numbers of one */
    uint32_t after;   /* points of a lane / span / numbers */
    uint32_t span_magic, each_magic, radix_magic, after_magic;
    const gf_fft_complex *w[3]; /* factors; w[0] NULL: none */
};

GF_HD constexpr int32_t gf_fft_step_kind(int32_t r1, int32_t r2, int32_t r3)
{
    return (8 * r1 + r2) * 8 + r3;
}

/* Some stages of a line of n numbers: those before have left transforms of `before` numbers. A block has
 * `width` lanes of `points` numbers. Number p of a lane is, read, number
 *     (J + after p) before + K, after = n / before / points, of its line, and written, number
 *     J before points + K + before p.
 * Lanes are lines, or with lines 0 values of J (before 1) or K. */
struct gf_fft_pass_args {
    gf_fft_ends in, out;
    int64_t before, in_point, in_J, out_J; /* numbers from a p to the next, from a J to the next */
    int64_t in_lane, out_lane;             /* from a lane to the next, of a line */
    int64_t in_line, out_line;             /* floats from a lane's line to the next */
    int64_t lanes;
    uint32_t strips, Js; /* of the lanes, and of J, that blocks differ by */
    uint32_t row_bytes;  /* of a filter's spectrum */
    uint32_t points, width, points_magic, half_magic, width_magic;
    uint32_t pad_magic[2]; /* by how many points a place of shared memory is left out; 0: none is */
    uint32_t point_bytes, lane_bytes; /* of shared memory from a place to the next, and from a lane */
    int32_t lines;
    int32_t side_by_side;          /* lanes are neighbours in memory, else points are */
    int32_t direct_in, direct_out; /* registers read memory, and write it */
    int32_t pairs_in;              /* lanes are spectra of pairs */
    int32_t steps;
    gf_fft_step step[GF_FFT_STEPS];
};

GF_HD uint32_t gf_fft_divide(uint32_t a, uint32_t magic)
{
    return magic ? static_cast<uint32_t>(uint64_t(a) * magic >> 32) : a;
}

/* ---- A block ----------------------------------------------------------------------------------------- */

struct gf_fft_lane {
    float *from, *to; /* its line */
    int64_t in, out;  /* the numbers that its point 0 is there */
    int64_t number;   /* of the lane */
    uint32_t K;
};

/* What the lanes of a block have in common. */
struct gf_fft_block {
    gf_fft_lane first;
    uint32_t there; /* lanes */
};

GF_DEVICE_FN gf_fft_block gf_fft_block_of(const gf_fft_pass_args &g)
{
    const uint32_t rest = blockIdx.x / g.strips, J = rest % g.Js, other = rest / g.Js;
    const int64_t lane = int64_t(blockIdx.x - rest * g.strips) * g.width, line = g.lines ? lane : other;
    const int64_t K = g.lines ? other : g.before == 1 ? 0 : lane;
    return {{g.in.memory + line * g.in.next, g.out.memory + line * g.out.next,
             J * g.in_J + lane * g.in_lane + (g.lines ? K : 0),
             J * g.out_J + lane * g.out_lane + (g.lines ? K : 0), lane, static_cast<uint32_t>(K)},
            static_cast<uint32_t>(gf_least(g.width, g.lanes - lane - GF_FAULT(cuda_fft_edge)))};
}

GF_DEVICE_FN uint32_t gf_fft_K_of(const gf_fft_pass_args &g, const gf_fft_block &b, uint32_t l)
{
    const bool own = !g.lines && g.before > 1 && !GF_FAULT(cuda_fft_lane);
    return b.first.K + (own ? l : 0);
}

GF_DEVICE_FN gf_fft_lane gf_fft_lane_of(const gf_fft_pass_args &g, const gf_fft_block &b, uint32_t l)
{
    return {b.first.from + l * g.in_line, b.first.to + l * g.out_line, b.first.in + l * g.in_lane,
            b.first.out + l * g.out_lane, b.first.number + l,          gf_fft_K_of(g, b, l)};
}

/* The place of point p among those of a lane: what is a power of two apart lies in different banks, and what
 * a step takes at once lies as far apart as its first two. */
GF_HD uint32_t gf_fft_place(const uint32_t (&pad_magic)[2], uint32_t p)
{
    return p + static_cast<uint32_t>(uint64_t(p) * pad_magic[0] >> 32) +
           static_cast<uint32_t>(uint64_t(p) * pad_magic[1] >> 32);
}

/* The number at byte `at` of shared memory. */
GF_DEVICE_FN gf_fft_complex &gf_fft_spot(gf_fft_complex *z, uint32_t at)
{
    return *reinterpret_cast<gf_fft_complex *>(reinterpret_cast<char *>(z) + at);
}
GF_DEVICE_FN gf_fft_complex &gf_fft_spot(const gf_fft_pass_args &g, gf_fft_complex *z, uint32_t l, uint32_t p)
{
    return gf_fft_spot(z, gf_fft_place(g.pad_magic, p) * g.point_bytes + l * g.lane_bytes);
}

/* The point at which number p, from the second step on `from`, is to lie: digits in the other order. */
GF_DEVICE_FN uint32_t gf_fft_reversed(const gf_fft_pass_args &g, uint32_t p, int from)
{
    uint32_t to = 0;
    _Pragma("unroll 1") for (int s = g.steps - 1; s >= from; s--)
    {
        const uint32_t rest = gf_fft_divide(p, g.step[s].radix_magic);
        to = to * g.step[s].numbers + (p - rest * g.step[s].numbers);
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

/* Reads point j of a lane, and those `each` apart, of the spectrum of pairs, whose numbers k and points - k
 * make number k. */
template <int R>
GF_DEVICE_FN void gf_fft_read_pairs(const gf_fft_pass_args &g, const gf_fft_lane &l, uint32_t j,
                                    uint32_t each, gf_fft_complex (&u)[R])
{
    const gf_fft_complex *const spectrum = reinterpret_cast<const gf_fft_complex *>(l.from);
    GF_UNROLL
    for (int t = 0; t < R; t++) {
        const uint32_t k = j + static_cast<uint32_t>(t) * each;
        gf_fft_complex a = gf_fft_read(spectrum + k), b = gf_fft_read(spectrum + (g.points - k));
        a.im = t == 0 && j == 0 ? 0 : a.im;
        b.im = t == 0 && j == 0 ? 0 : b.im;
        u[t] = gf_fft_merged(g.in, k, a, b);
    }
}

/* Reads point j of a lane, and those `each` apart. */
template <int R>
GF_DEVICE_FN void gf_fft_read_direct(const gf_fft_pass_args &g, const gf_fft_lane &l, uint32_t j,
                                     uint32_t each, gf_fft_complex (&u)[R])
{
    if (g.pairs_in) {
        gf_fft_read_pairs<R>(g, l, j, each, u);
        return;
    }
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

/* Where the registers of a step of R1 R2 R3 numbers have that with these digits: of number d1 R2 R3 + d2 R3 +
 * d3 before the stages, and after them of number d1 + R1 d2 + R1 R2 d3. */
template <int R2, int R3> GF_DEVICE_FN constexpr int gf_fft_register(int d1, int d2, int d3)
{
    return (d1 * R2 + d2) * R3 + d3;
}
template <int R1, int R2, int R3> GF_DEVICE_FN constexpr int gf_fft_result_of(int t)
{
    return gf_fft_register<R2, R3>(t % R1, t / R1 % R2, t / R1 / R2);
}

/* Writes points k, k + span and so on of a lane. */
template <int R1, int R2, int R3>
GF_DEVICE_FN void gf_fft_write_direct(const gf_fft_pass_args &g, const gf_fft_lane &l, uint32_t k,
                                      uint32_t span, const gf_fft_complex (&u)[R1 * R2 * R3])
{
    float *const to = l.to + (l.out + g.before * k) * g.out.apart;
    const int64_t apart = g.before * span * g.out.apart;
    if (g.out.passed) {
        GF_UNROLL
        for (int t = 0; t < R1 * R2 * R3; t++) {
            const gf_fft_complex v = u[gf_fft_result_of<R1, R2, R3>(t)];
            gf_fft_write(to + t * apart, g.out.swap ? gf_fft_swapped(v) : v, 1);
        }
    } else if (g.out.swap) {
        GF_UNROLL
        for (int t = 0; t < R1 * R2 * R3; t++) {
            gf_fft_write(to + t * apart, gf_fft_finished(g.out, u[gf_fft_result_of<R1, R2, R3>(t)]), 1);
        }
    } else { /* nor is there a scale */
        GF_UNROLL
        for (int t = 0; t < R1 * R2 * R3; t++) {
            const gf_fft_complex v = u[gf_fft_result_of<R1, R2, R3>(t)];
            gf_fft_write(to + t * apart, {gf_canonical(v.re), gf_canonical(v.im)}, 1);
        }
    }
}

/* A stage of radix R on registers `from`, `from` + apart and so on; all but the first are multiplied by
 * factors `at`, at + span and so on, but not in the FIRST stage of a line. */
template <int R, bool FIRST, int N>
GF_DEVICE_FN void gf_fft_stage_of(const gf_fft_complex *w, uint32_t at, uint32_t span, int from, int apart,
                                  gf_fft_complex (&u)[N])
{
    gf_fft_complex a[R];
    GF_UNROLL
    for (int q = 0; q < R; q++) {
        a[q] = u[from + q * apart];
        if (q > 0 && !FIRST) {
            a[q] = gf_fft_product(a[q], gf_fft_factor(w, static_cast<uint32_t>(q - 1) * span + at));
        }
    }
    gf_fft_butterfly<R>::run(a);
    GF_UNROLL
    for (int q = 0; q < R; q++) {
        u[from + q * apart] = a[q];
    }
}

template <int R1, int R2, int R3>
GF_DEVICE_FN void gf_fft_stages(const gf_fft_step &s, uint32_t before, uint32_t K,
                                gf_fft_complex (&u)[R1 * R2 * R3])
{
    const uint32_t span = s.span * before;
    if (s.w[0]) {
        GF_UNROLL
        for (int i = 0; i < R2 * R3; i++) {
            gf_fft_stage_of<R1, false>(s.w[0], K, span, i, R2 * R3, u);
        }
    } else {
        GF_UNROLL
        for (int i = 0; i < R2 * R3; i++) {
            gf_fft_stage_of<R1, true>(nullptr, 0, 0, i, R2 * R3, u);
        }
    }
    GF_UNROLL
    for (int i = 0; i < R1 * R3 && R2 > 1; i++) {
        const int k = i / R3;
        gf_fft_stage_of<R2, false>(s.w[1], static_cast<uint32_t>(k) * span + K, R1 * span,
                                   gf_fft_register<R2, R3>(k, 0, i % R3), R3, u);
    }
    GF_UNROLL
    for (int i = 0; i < R1 * R2 && R3 > 1; i++) {
        gf_fft_stage_of<R3, false>(s.w[2], static_cast<uint32_t>(i) * span + K, R1 * R2 * span,
                                   gf_fft_register<R2, R3>(i % R1, i / R1, 0), 1, u);
    }
}

/* How the first step of gf_fft_pass reads memory, and the last one writes it. */
struct gf_fft_direct {
    template <int R>
    __device__ __forceinline__ void read(const gf_fft_pass_args &g, const gf_fft_lane &l, uint32_t j,
                                         uint32_t each, gf_fft_complex (&u)[R]) const
    {
        gf_fft_read_direct<R>(g, l, j, each, u);
    }
    template <int R1, int R2, int R3>
    __device__ __forceinline__ void write(const gf_fft_pass_args &g, const gf_fft_lane &l, uint32_t k,
                                          uint32_t span, const gf_fft_complex (&u)[R1 * R2 * R3]) const
    {
        gf_fft_write_direct<R1, R2, R3>(g, l, k, span, u);
    }
};

/* Step number `now`: each thread takes numbers out of shared memory, or memory, and puts as many back into
 * the same places. */
template <int R1, int R2, int R3, class Ends>
GF_DEVICE_FN void gf_fft_run_step(const Ends &ends, const gf_fft_pass_args &g, const gf_fft_block &b,
                                  gf_fft_complex *z, int now, bool from_memory, bool to_memory)
{
    constexpr int R = R1 * R2 * R3;
    const gf_fft_step &s = g.step[now];
    const uint32_t all = s.each * (g.side_by_side ? g.width : b.there), apart = s.apart;
    gf_fft_complex u[R];
    for (uint32_t i = threadIdx.x; i < all; i += blockDim.x) {
        uint32_t l, j;
        gf_fft_lane_and_point(g, i, s.each, s.each_magic, &l, &j);
        if (l >= b.there) {
            continue;
        }
        const uint32_t B = from_memory ? gf_fft_reversed(g, j, 1) : gf_fft_divide(j, s.span_magic);
        const uint32_t k = from_memory ? 0 : j - B * s.span, before = static_cast<uint32_t>(g.before);
        gf_fft_complex *const own = &gf_fft_spot(g, z, l, B * s.span * R + k);
        if (from_memory) {
            ends.template read<R>(g, gf_fft_lane_of(g, b, l), j, s.each, u);
        } else {
            GF_UNROLL
            for (uint32_t t = 0; t < R; t++) {
                u[t] = gf_fft_spot(own, apart * t);
            }
        }
        gf_fft_stages<R1, R2, R3>(s, before, k * before + gf_fft_K_of(g, b, l), u);
        if (to_memory) {
            ends.template write<R1, R2, R3>(g, gf_fft_lane_of(g, b, l), k, s.span, u);
            continue;
        }
        GF_UNROLL
        for (uint32_t t = 0; t < R; t++) {
            gf_fft_spot(own, apart * t) = u[gf_fft_result_of<R1, R2, R3>(static_cast<int>(t))];
        }
    }
}

/* Calls run<R1, R2, R3>(), of the radices of the step. */
#define GF_FFT_STEP(step, run, ...)                                                                          \
    switch ((step).kind) {                                                                                   \
        GF_FFT_STEP_OF(4, 4, 1, run, __VA_ARGS__)                                                            \
        GF_FFT_STEP_OF(4, 3, 1, run, __VA_ARGS__)                                                            \
        GF_FFT_STEP_OF(4, 2, 1, run, __VA_ARGS__)                                                            \
        GF_FFT_STEP_OF(4, 1, 1, run, __VA_ARGS__)                                                            \
        GF_FFT_STEP_OF(2, 3, 3, run, __VA_ARGS__)                                                            \
        GF_FFT_STEP_OF(2, 5, 1, run, __VA_ARGS__)                                                            \
        GF_FFT_STEP_OF(2, 3, 1, run, __VA_ARGS__)                                                            \
        GF_FFT_STEP_OF(2, 1, 1, run, __VA_ARGS__)                                                            \
        GF_FFT_STEP_OF(3, 5, 1, run, __VA_ARGS__)                                                            \
        GF_FFT_STEP_OF(3, 3, 1, run, __VA_ARGS__)                                                            \
        GF_FFT_STEP_OF(3, 1, 1, run, __VA_ARGS__)                                                            \
        GF_FFT_STEP_OF(5, 1, 1, run, __VA_ARGS__)                                                            \
        GF_FFT_STEP_OF(7, 1, 1, run, __VA_ARGS__)                                                            \
    }
#define GF_FFT_LARGE_STEP(step, run, ...)                                                                    \
    switch ((step).kind) {                                                                                   \
        GF_FFT_STEP_OF(4, 4, 2, run, __VA_ARGS__)                                                            \
        GF_FFT_STEP_OF(3, 3, 3, run, __VA_ARGS__)                                                            \
    default:                                                                                                 \
        GF_FFT_STEP(step, run, __VA_ARGS__)                                                                  \
    }
#define GF_FFT_STEP_OF(r1, r2, r3, run, ...)                                                                 \
    case gf_fft_step_kind(r1, r2, r3):                                                                       \
        run<r1, r2, r3>(__VA_ARGS__);                                                                        \
        break;

#endif
