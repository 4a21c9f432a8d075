/* The spectrogram on CUDA. A block takes some neighbouring columns of a channel from frames to levels: the
 * segments times the taper through the stages of the transform (docs/exactness.md), in registers and shared
 * memory, the last stages together with what makes the spectrum of real numbers of the one of pairs. Sizes
 * for which there is no such block go through gf_fft, between kernels of their own, and so do sums of many
 * taps (overlap.c). */
#include "signal/stft.h"

#include "base/device_scope_cuda.h"
#include "fourier/fft_cuda.cuh"
#include "signal/frame_term.h"
#include "signal/track_cuda.cuh"

enum { STFT_THREADS = 256, STFT_NUMBERS = 8192 /* of a block */ };

struct stft_params {
    struct gf_source in;
    struct gf_sink out;
    struct gf_signal_spectrogram a; /* whose stft is the host's */
    int32_t size, hop;
    double factor[2]; /* of bins that count once, and twice */
    const float *taper;
    const gf_fft_complex *stage[5], *joined; /* factors of stages from the third on */
    gf_fft_complex second[12];
};

/* ---- A block ------------------------------------------------------------------------------------------ */

/* Two stages of R1 R2 numbers, or one; first(q) and second(q, k) are the factors of the q-th. Number t of the
 * result is u[place(t)]. */
template <int R1, int R2> struct stft_stages {
    GF_DEVICE_FN constexpr int place(int t) { return R2 * (t % R1) + t / R1; }

    template <class First, class Second>
    GF_DEVICE_FN void run(gf_fft_complex (&u)[R1 * R2], bool begins, First &&first, Second &&second)
    {
        gf_fft_complex a[R1], b[R2];
        GF_UNROLL
        for (int q = 1; q < R1 && !begins; q++) {
            const gf_fft_complex w = first(q);
            GF_UNROLL
            for (int i = 0; i < R2; i++) {
                u[i + R2 * q] = gf_fft_product(u[i + R2 * q], w);
            }
        }
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
                b[q] = gf_fft_product(u[R2 * k + q], second(q, k));
            }
            gf_fft_butterfly<R2>::run(b);
            GF_UNROLL
            for (int q = 0; q < R2; q++) {
                u[R2 * k + q] = b[q];
            }
        }
    }
};

/* A transform of H = 16 R1 R2 pairs, or with MIDDLE 256 R1 R2: stages of 4 and 4, with MIDDLE two more of
 * them, then R1 and R2. */
template <bool MIDDLE, int R1, int R2> struct stft_block {
    static constexpr int R = R1 * R2, SPAN = MIDDLE ? 256 : 16, H = SPAN * R, EACH = H / 16;
    static constexpr int COLUMNS = STFT_NUMBERS / H < 32 ? STFT_NUMBERS / H : 32;

    /* Where number p of a column lies: what half a warp reads or writes is in different banks. */
    GF_DEVICE_FN constexpr int place(int p) { return p + p / 16 + p / 256 * (16 / R); }
    static constexpr int LAST = H - 1 + (H - 1) / 16 + (H - 1) / 256 * (16 / R);
    static constexpr int PITCH = (LAST / 16 + 1) * 16 + (COLUMNS < 16 ? 16 / COLUMNS : 1);

    /* The segments times the taper, through the first stages. */
    GF_DEVICE_FN void begin(const stft_params &p, int64_t first, int there, gf_fft_complex *z)
    {
        const float *const x = p.in.data + blockIdx.y * p.in.pitch;
        for (int i = static_cast<int>(threadIdx.x); i < COLUMNS * EACH; i += STFT_THREADS) {
            const int c = i / EACH, j = i % EACH;
            if (c >= there) {
                continue;
            }
            const float *from = x + (first + c) * p.hop - p.in.first + 2 * j;
            const gf_fft_complex *taper = reinterpret_cast<const gf_fft_complex *>(p.taper) + j;
            gf_fft_complex u[16];
            if (p.in.wide) {
                GF_UNROLL
                for (int t = 0; t < 16; t++) {
                    u[t] = gf_fft_read(from + 2 * EACH * t, 1);
                }
            } else {
                GF_UNROLL
                for (int t = 0; t < 16; t++) {
                    u[t] = gf_fft_read(from + 2 * EACH * t, 0);
                }
            }
            GF_UNROLL
            for (int t = 0; t < 16; t++) {
                const gf_fft_complex w = gf_fft_factor(taper, static_cast<uint32_t>(EACH * t));
                u[t] = {w.re * u[t].re, w.im * u[t].im};
            }
            stft_stages<4, 4>::run(
                u, true, [&](int) { return gf_fft_complex{}; },
                [&](int q, int k) { return p.second[4 * (q - 1) + k]; });
            const int to = c * PITCH + place(MIDDLE ? 16 * (j / R) + 256 * (j % R) : 16 * j);
            GF_UNROLL
            for (int t = 0; t < 16; t++) {
                z[to + t] = u[stft_stages<4, 4>::place(t)];
            }
        }
    }

    GF_DEVICE_FN void middle(const stft_params &p, int there, gf_fft_complex *z)
    {
        for (int i = static_cast<int>(threadIdx.x); i < COLUMNS * EACH; i += STFT_THREADS) {
            const int c = i / EACH, k = i % 16, at = c * PITCH + place(i % EACH / 16 * 256) + k;
            if (c >= there) {
                continue;
            }
            gf_fft_complex u[16];
            GF_UNROLL
            for (int t = 0; t < 16; t++) {
                u[t] = z[at + 17 * t];
            }
            stft_stages<4, 4>::run(
                u, false,
                [&](int q) { return gf_fft_factor(p.stage[0], static_cast<uint32_t>(16 * (q - 1) + k)); },
                [&](int q, int k2) {
                    return gf_fft_factor(p.stage[1], static_cast<uint32_t>(16 * (4 * (q - 1) + k2) + k));
                });
            GF_UNROLL
            for (int t = 0; t < 16; t++) {
                z[at + 17 * t] = u[stft_stages<4, 4>::place(t)];
            }
        }
    }

    /* Numbers k, k + SPAN and so on of the transform of pairs. */
    GF_DEVICE_FN void end_stages(const stft_params &p, const gf_fft_complex *z, int k, gf_fft_complex (&u)[R])
    {
        gf_fft_complex v[R];
        GF_UNROLL
        for (int q = 0; q < R; q++) {
            v[q] = z[place(k + SPAN * q)];
        }
        constexpr int NEXT = MIDDLE ? 2 : 0;
        stft_stages<R1, R2>::run(
            v, false,
            [&](int q) { return gf_fft_factor(p.stage[NEXT], static_cast<uint32_t>(SPAN * (q - 1) + k)); },
            [&](int q, int k2) {
                return gf_fft_factor(p.stage[NEXT + 1],
                                     static_cast<uint32_t>(SPAN * (R1 * (q - 1) + k2) + k));
            });
        GF_UNROLL
        for (int t = 0; t < R; t++) {
            u[t] = v[stft_stages<R1, R2>::place(t)];
        }
    }

    /* The levels of bins k and H - k, of which a and b are the numbers of the transform; v of the one is the
     * conjugate of v of the other, so that their products differ by a sign alone. */
    template <int SCALE>
    GF_DEVICE_FN void put(const stft_params &p, int k, bool both, gf_fft_complex a, gf_fft_complex b,
                          float *low, float *high)
    {
        const gf_fft_complex t =
            gf_fft_product({a.re - b.re, a.im + b.im}, gf_fft_factor(p.joined, static_cast<uint32_t>(k)));
        const float re = a.re + b.re, im = a.im - b.im;
        const double factor = p.factor[k > 0];
        *low = gf_stft_level(&p.a, SCALE, factor, 0.5F * (re + t.re), 0.5F * (im + t.im));
        if (both) {
            *high = gf_stft_level(&p.a, SCALE, factor, 0.5F * (re - t.re), 0.5F * (t.im - im));
        }
    }

    /* The last stages of numbers k and those that mirror them, and their levels; neighbouring threads have
     * neighbouring columns. */
    template <int SCALE>
    GF_DEVICE_FN void end(const stft_params &p, int64_t first, int there, const gf_fft_complex *z)
    {
        float *const top = p.out.data + int64_t(blockIdx.y) * (H + 1) * p.out.pitch + (first - p.out.first);
        const int64_t step = SPAN * p.out.pitch;
        for (int i = static_cast<int>(threadIdx.x); i < COLUMNS * (SPAN / 2 + 1); i += STFT_THREADS) {
            const int c = i % COLUMNS, k = i / COLUMNS;
            if (c >= there) {
                continue;
            }
            gf_fft_complex a[R], b[R];
            end_stages(p, z + c * PITCH, k, a);
            if (k > 0) {
                end_stages(p, z + c * PITCH, SPAN - k - (GF_FAULT(cuda_segment_mirror) && 2 * k == SPAN), b);
            }
            float *low = top + c + (H - k) * p.out.pitch, *high = top + c + k * p.out.pitch;
            GF_UNROLL
            for (int j = 0; j < R; j++) {
                const gf_fft_complex mirror = k > 0 ? b[R - 1 - j] : a[(R - j) % R];
                put<SCALE>(p, k + SPAN * j, k > 0 ? 2 * k < SPAN : j == 0, a[j], mirror, low, high);
                low -= step;
                high += step;
            }
        }
    }
};

template <bool MIDDLE, int R1, int R2>
static __global__ void __launch_bounds__(STFT_THREADS, 3) gf_signal_spectrogram_block(const stft_params p)
{
    using block = stft_block<MIDDLE, R1, R2>;
    GF_SHARED_DYN(gf_fft_complex, z);
    const int64_t first = p.out.first + int64_t(blockIdx.x) * block::COLUMNS;
    const int there = static_cast<int>(gf_least(block::COLUMNS, p.out.first + p.out.count - first));
    block::begin(p, first, there, z);
    __syncthreads();
    if (MIDDLE) {
        block::middle(p, there, z);
        __syncthreads();
    }
    if (p.a.scale == GF_LEVEL_DB) {
        block::template end<GF_LEVEL_DB>(p, first, there, z);
    } else if (p.a.scale == GF_LEVEL_POWER) {
        block::template end<GF_LEVEL_POWER>(p, first, there, z);
    } else {
        block::template end<GF_LEVEL_MAGNITUDE>(p, first, there, z);
    }
}

template <bool MIDDLE, int R1, int R2>
static gf_status run_block(gf_launch launch, const stft_params &p, gf_error *error)
{
    using block = stft_block<MIDDLE, R1, R2>;
    launch.grid.x = gf_blocks(p.out.count, block::COLUMNS);
    launch.block = dim3(STFT_THREADS);
    launch.shared = size_t(block::COLUMNS) * block::PITCH * sizeof(gf_fft_complex);
    GF_CUDA_TRY(error, GF_LAUNCH((gf_signal_spectrogram_block<MIDDLE, R1, R2>), launch, p));
    return GF_OK;
}

/* ---- Steps around gf_fft ------------------------------------------------------------------------------- */

/* Segments from p.out.first on, whose frames begin `offset` before where they do in a spectrogram. */
static __global__ void gf_signal_stft_taper(const stft_params p, int64_t offset, float *to)
{
    const int64_t i = gf_thread_index(), m = i / p.size, k = i % p.size;
    if (m < p.out.count) {
        const float v = gf_source_frame(p.in, p.in.data, (p.out.first + m) * p.hop - offset + k);
        to[i] = p.taper ? p.taper[k] * v : v;
    }
}

/* Neighbouring threads have neighbouring columns. */
static __global__ void gf_signal_stft_levels(const stft_params p, const float *spectra)
{
    const int64_t i = gf_thread_index(), m = i % p.out.count, k = i / p.out.count;
    const int32_t bins = p.size / 2 + 1;
    if (k < bins) {
        const float *v = spectra + 2 * (m * bins + k);
        p.out.data[(bins - 1 - k) * p.out.pitch + m] =
            gf_stft_level(&p.a, p.a.scale, p.factor[k > 0 && 2 * k < p.size], v[0], v[1]);
    }
}

static __global__ void gf_signal_stft_product(const gf_fft_complex *factors, int64_t bins, int64_t count,
                                              float *spectra)
{
    const int64_t i = gf_thread_index();
    if (i < count) {
        const gf_fft_complex w = gf_fft_factor(factors, static_cast<uint32_t>(i % bins));
        gf_fft_write(spectra + 2 * i, gf_fft_product(gf_fft_read(spectra + 2 * i, 1), w), 1);
    }
}

/* Those frames of blocks from p.out.first on that are the sink's; each begins behind `lead` others. */
static __global__ void gf_signal_stft_frames(const stft_params p, const struct gf_sink sink, int32_t lead,
                                             int32_t envelope, const float *blocks)
{
    const int64_t i = gf_thread_index(), n = p.out.first * p.hop + i, block = i / p.hop;
    if (block < p.out.count && n >= sink.first && n - sink.first < sink.count) {
        const float y = blocks[block * p.size + lead + i % p.hop];
        sink.data[n - sink.first] = envelope ? gf_envelope_frame(gf_source_frame(p.in, p.in.data, n), y) : y;
    }
}

/* ---- A call ------------------------------------------------------------------------------------------- */

extern "C" size_t gf_signal_spectrogram_cuda_scratch(const void *, int64_t, int32_t)
{
    return 0;
}

static gf_status run_step(gf_launch launch, const struct gf_stft_cuda &a, const stft_params &p, void *state,
                          float *scratch, gf_error *error)
{
    const int64_t bins = p.size / 2 + 1, lead = a.fir ? a.fir->fir.taps - 1 : 0;
    const int64_t each[] = {0, p.size, bins, bins, p.hop};
    launch.grid.x = gf_blocks(p.out.count * each[a.step], STFT_THREADS);
    launch.block = dim3(STFT_THREADS);
    if (a.step == GF_STFT_TAPER) {
        GF_CUDA_TRY(
            error, GF_LAUNCH(gf_signal_stft_taper, launch, p, a.fir ? lead - a.fir->fir.centre : 0, scratch));
    } else if (a.step == GF_STFT_LEVELS) {
        GF_CUDA_TRY(error, GF_LAUNCH(gf_signal_stft_levels, launch, p, scratch));
    } else if (a.step == GF_STFT_PRODUCT) {
        GF_CUDA_TRY(error, GF_LAUNCH(gf_signal_stft_product, launch, static_cast<gf_fft_complex *>(state),
                                     bins, bins * p.out.count, scratch));
    } else {
        GF_CUDA_TRY(error, GF_LAUNCH(gf_signal_stft_frames, launch, p, gf_sink_of(&a.frames, 1),
                                     static_cast<int32_t>(lead), a.fir->envelope, scratch));
    }
    return GF_OK;
}

extern "C" gf_status gf_signal_spectrogram_cuda(gf_queue queue, const void *args, void *state, void *scratch,
                                                const struct gf_track *in, int64_t frames,
                                                const struct gf_track *out, int32_t channels, gf_error *error)
{
    const struct gf_stft_cuda &a = *static_cast<const struct gf_stft_cuda *>(args);
    const struct gf_fft_line &row = a.stft->plan->row;
    stft_params p = {};
    gf_launch launch = {};
    GF_ON_DEVICE(queue.device, error)
    p.in = gf_source_of(in, frames, false);
    p.in.wide = reinterpret_cast<uintptr_t>(in->data) % 8 == 0 && in->pitch % 2 == 0 &&
                a.stft->hop % 2 == 0 && in->first % 2 == 0;
    p.out = gf_sink_of(out, channels);
    p.size = a.stft->size;
    p.hop = a.stft->hop;
    if (a.of) {
        p.a = *a.of;
        p.factor[0] = gf_stft_factor(a.stft, 0);
        p.factor[1] = 2 * p.factor[0];
        p.taper = static_cast<const float *>(state);
    }
    launch.grid = dim3(1, static_cast<unsigned>(channels));
    launch.stream = static_cast<cudaStream_t>(queue.stream);
    if (a.step != GF_STFT_WHOLE) {
        return run_step(launch, a, p, state, static_cast<float *>(scratch), error);
    }
    const gf_fft_complex *const factors = reinterpret_cast<const gf_fft_complex *>(a.factors);
    for (int i = 0; i < 12; i++) {
        p.second[i] = {row.stage[1].re[i], row.stage[1].im[i]};
    }
    for (int i = 2; i < row.stages; i++) {
        p.stage[i - 2] = factors + row.stage[i].at;
    }
    p.joined = factors + a.stft->plan->joined_at;
    switch (p.size) {
    case 256:
        return run_block<false, 4, 2>(launch, p, error);
    case 512:
        return run_block<true, 1, 1>(launch, p, error);
    case 1024:
        return run_block<true, 2, 1>(launch, p, error);
    case 2048:
        return run_block<true, 4, 1>(launch, p, error);
    default:
        return run_block<true, 4, 2>(launch, p, error);
    }
}
