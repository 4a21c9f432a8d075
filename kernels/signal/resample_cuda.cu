/* Resampling on CUDA. A period is L outputs for M frames of the input, or a multiple of both with 8 outputs or
 * more. In the tiles' kernel a warp makes the same 8 neighbouring outputs of many periods, one or more a
 * lane: all lanes need the same taps, and a frame that a lane loads serves 8 outputs. */
#include "base/cuda_status.h"
#include "base/device_scope_cuda.h"
#include "signal/signal_args.h"
#include "signal/signal_sum.h"
#include "signal/track_cuda.cuh"

enum { THREADS = 128, WARPS = THREADS / GF_WARP, EACH = 8, CHAINS = GF_SUM_CHAINS };

struct resample_params {
    struct gf_source in;
    struct gf_sink out;
    int64_t up, down;
    int64_t first_period;
    int32_t period, step;   /* outputs and frames of a period */
    int32_t taps, centre;
    int32_t least;          /* periods from an output's to that of the first frame it reads, rounded down */
    int32_t rows, stride;   /* of frames in shared memory: a row has a period's, and odd `stride` places */
    const float *phase;
};

/* The 8 outputs of a warp: frame place[r] of the period lies under output r, whose taps begin at phase[row[r]]. */
struct outputs {
    int place[EACH], row[EACH];
};

/* Tap k of the last output, and those of the others for the same frame, times that of each period. */
template <int Q, bool SOME>
GF_DEVICE_FN void add_frame(const struct resample_params &p, const struct outputs &o, int k, const float *x,
                            float (*sum)[Q])
{
    float v[Q], w[EACH];
    GF_UNROLL
    for (int q = 0; q < Q; q++) {
        v[q] = x[q * GF_WARP * p.stride];
    }
    GF_UNROLL
    for (int r = 0; r < EACH; r++) {
        const int own = k - (o.place[EACH - 1] - o.place[r]);
        if (SOME && (own < 0 || own >= p.taps)) {
            continue;
        }
        w[r] = gf_load_as<float>(p.phase + (o.row[r] + own), GF_READ_ONLY);
        GF_UNROLL
        for (int q = 0; q < Q; q++) {
            sum[r][q] = gf_fma(w[r], v[q], sum[r][q]);
        }
    }
}

/* One chain of each output: taps k, k + 8, ... of the last one. x: the frame of the lane's first period under
 * that tap, in shared memory; column: of it in its row. */
template <int Q>
GF_DEVICE_FN void sum_chain(const struct resample_params &p, const struct outputs &o, int k, const float *x,
                            int column, float (*sum)[Q])
{
    const int spread = o.place[EACH - 1] - o.place[0];
    GF_UNROLL
    for (int r = 0; r < EACH; r++) {
        GF_UNROLL
        for (int q = 0; q < Q; q++) {
            sum[r][q] = 0.0F;
        }
    }
    while (k < p.taps + spread) {
        int run = 1;
        if (k < spread || k >= p.taps) {
            add_frame<Q, true>(p, o, k, x, sum);
        } else {
            const int taps = (p.taps - k + CHAINS - 1) / CHAINS;
            run = column / CHAINS + 1 < taps ? column / CHAINS + 1 : taps; /* frames in this row */
#pragma unroll 4
            for (int i = 0; i < run; i++) {
                add_frame<Q, false>(p, o, k + CHAINS * i, x - CHAINS * i, sum);
            }
        }
        k += CHAINS * run;
        x -= CHAINS * run;
        column -= CHAINS * run;
        if (column < 0) {
            column += p.step;
            x -= p.stride - p.step;
        }
    }
}

/* The 8 outputs from `output` of a period on, for all periods. Chains are those of frames whose number has one
 * remainder by 8, so that outputs share frames: output r's chain is another one, turned round by its place,
 * which the fold does not see, as it adds chains that are 4 apart, then 2, then 1. */
template <int Q>
GF_DEVICE_FN void make_outputs(const struct resample_params &p, int64_t period, int output, const float *rows)
{
    struct outputs o;
    float one[EACH][Q], two[EACH][Q], four[EACH][Q], sum[EACH][Q];
    GF_UNROLL
    for (int r = 0; r < EACH; r++) {
        const int n = output + r < p.period ? output + r : p.period - 1;
        const uint32_t at = static_cast<uint32_t>(n) * static_cast<uint32_t>(p.down); /* below 2^24 */
        o.place[r] = static_cast<int>(at / static_cast<uint32_t>(p.up));
        o.row[r] = static_cast<int>(at % static_cast<uint32_t>(p.up)) * p.taps;
    }
    for (int t = 0; t < CHAINS; t++) {
        const int tap = (t & 1) << 2 | (t & 2) | t >> 2;
        const int frame = o.place[EACH - 1] + p.centre - tap - p.least * p.step; /* of the first row on */
        const int row = frame / p.step, column = frame % p.step;
        sum_chain<Q>(p, o, tap, rows + (static_cast<int>(gf_lane()) + row) * p.stride + column, column, sum);
        GF_UNROLL
        for (int r = 0; r < EACH; r++) {
            GF_UNROLL
            for (int q = 0; q < Q; q++) {
                const float v = sum[r][q];
                if (t == 0) {
                    four[r][q] = v;
                } else if (t == 1) {
                    four[r][q] = four[r][q] + v;
                } else if (t == 2 || t == 4) {
                    two[r][q] = v;
                } else if (t == 3) {
                    four[r][q] = four[r][q] + (two[r][q] + v);
                } else if (t == 5) {
                    two[r][q] = two[r][q] + v;
                } else if (t == 6) {
                    one[r][q] = v;
                } else {
                    four[r][q] = four[r][q] + (two[r][q] + (one[r][q] + v));
                }
            }
        }
    }
    GF_UNROLL
    for (int q = 0; q < Q; q++) {
        const int64_t n = (period + gf_lane() + q * GF_WARP) * p.period + output;
        GF_UNROLL
        for (int r = 0; r < EACH; r += 4) {
            float v[4];
            GF_UNROLL
            for (int k = 0; k < 4; k++) {
                v[k] = gf_canonical(four[r + k][q]);
            }
            const int rest = p.period - output - r;
            gf_sink_four(p.out, blockIdx.y, n + r, v, rest);
        }
    }
}

template <int Q>
static __global__ void __launch_bounds__(THREADS, 2) gf_signal_resample_tile(const struct resample_params p)
{
    GF_SHARED_DYN(float, rows);
    const int64_t period = p.first_period + int64_t(blockIdx.x) * GF_WARP * Q;
    const float *x = p.in.data + blockIdx.y * p.in.pitch;
    for (int row = static_cast<int>(gf_warp()); row < p.rows; row += WARPS) {
        const int64_t first = (period + p.least + row) * p.step;
        for (int column = static_cast<int>(gf_lane()); column < p.step; column += GF_WARP) {
            rows[row * p.stride + column] = gf_source_frame(p.in, x, first + column);
        }
    }
    __syncthreads();
    for (int output = static_cast<int>(gf_warp()) * EACH; output < p.period; output += WARPS * EACH) {
        make_outputs<Q>(p, period, output, rows);
    }
}

/* The plain way, for periods that are too long: a thread an output. */
static __global__ void __launch_bounds__(THREADS) gf_signal_resample_each(const struct resample_params p)
{
    const int64_t i = int64_t(blockIdx.x) * THREADS + threadIdx.x;
    const float *x = p.in.data + blockIdx.y * p.in.pitch;
    int64_t phase;
    float chain[CHAINS] = {};
    if (i >= p.out.count) {
        return;
    }
    const int64_t place = gf_resample_place(p.out.first + i, p.up, p.down, &phase) + p.centre;
    const float *tap = p.phase + phase * p.taps;
    for (int k = 0; k < p.taps; k += CHAINS) {
        GF_UNROLL
        for (int d = 0; d < CHAINS; d++) {
            if (k + d < p.taps) {
                chain[d] = gf_fma(tap[k + d], gf_source_frame(p.in, x, place - k - d), chain[d]);
            }
        }
    }
    p.out.data[blockIdx.y * p.out.pitch + i] = gf_canonical(gf_sum_fold(chain));
}

extern "C" size_t gf_signal_resample_cuda_scratch(const void *, int64_t, int32_t)
{
    return 0;
}

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* Lays the tiles out for Q periods a lane; the bytes of shared memory. */
static size_t lay_out(struct resample_params *p, int q)
{
    const int64_t most = (p->period - 1) * p->down / p->up + p->centre; /* the last frame read */
    p->least = static_cast<int32_t>(floor_div(p->centre - p->taps + 1, p->step));
    p->rows = static_cast<int32_t>(GF_WARP * q + floor_div(most, p->step) - p->least);
    p->stride = p->step | 1;
    return static_cast<size_t>(p->rows) * static_cast<size_t>(p->stride) * sizeof(float);
}

template <int Q>
static gf_status run_tiles(gf_launch launch, const struct resample_params &p, gf_error *error)
{
    const int64_t last = (p.out.first + p.out.count - 1) / p.period;
    launch.grid.x = gf_blocks(last + 1 - p.first_period, GF_WARP * Q);
    GF_CUDA_TRY(error, GF_LAUNCH((gf_signal_resample_tile<Q>), launch, p));
    return GF_OK;
}

extern "C" gf_status gf_signal_resample_cuda(gf_queue queue, const void *args, void *state, void *,
                                             const struct gf_track *in, int64_t frames,
                                             const struct gf_track *out, int32_t channels, gf_error *error)
{
    enum { WIDE = 5, NARROW = 1, TWO_BLOCKS = 112 * 1024 };
    const struct gf_signal_resample *a = static_cast<const struct gf_signal_resample *>(args);
    const size_t bytes = static_cast<size_t>(a->up) * static_cast<size_t>(a->taps) * sizeof *a->phase;
    struct resample_params p = {};
    gf_launch launch = {};
    GF_ON_DEVICE(queue.device, error)
    GF_TRY(gf_upload_table(queue, state, a->phase, bytes, out, error));
    if (out->count == 0) {
        return GF_OK;
    }
    p.in = gf_source_of(in, frames, false);
    p.out = gf_sink_of(out, channels);
    p.up = a->up;
    p.down = a->down;
    p.taps = a->taps;
    p.centre = a->centre;
    p.phase = static_cast<const float *>(state);
    launch.grid = dim3(gf_blocks(out->count, THREADS), static_cast<unsigned>(channels));
    launch.block = dim3(THREADS);
    launch.stream = static_cast<cudaStream_t>(queue.stream);
    const int64_t least = a->up < a->down ? a->up : a->down, times = (EACH + least - 1) / least;
    if (a->up * times < 4096 && a->down * times < 4096 && a->taps < 4096) {
        p.period = static_cast<int32_t>(a->up * times);
        p.step = static_cast<int32_t>(a->down * times);
        p.first_period = out->first / p.period;
        launch.shared = lay_out(&p, WIDE);
        if (launch.shared <= TWO_BLOCKS) {
            return run_tiles<WIDE>(launch, p, error);
        }
        launch.shared = lay_out(&p, NARROW);
        if (launch.shared <= TWO_BLOCKS) {
            return run_tiles<NARROW>(launch, p, error);
        }
    }
    launch.shared = 0;
    GF_CUDA_TRY(error, GF_LAUNCH(gf_signal_resample_each, launch, p));
    return GF_OK;
}
