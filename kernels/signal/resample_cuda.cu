/* Resampling on CUDA. A period is L outputs for M frames of the input, or a multiple of both with 8 outputs
 * or more. In the tiles' kernel a warp makes two chains of the same 8 neighbouring outputs of many
 * periods, one or more a lane: all lanes need the same taps, and a frame that a lane loads serves 8 outputs.
 */
#include "base/cuda_status.h"
#include "base/device_scope_cuda.h"
#include "signal/resample_table.h"
#include "signal/signal_sum.h"
#include "signal/track_cuda.cuh"

#include <stdlib.h>

enum {
    RESAMPLE_THREADS = 128,
    WARPS = RESAMPLE_THREADS / GF_WARP,
    RESAMPLE_EACH = 8,
    CHAINS = GF_SUM_CHAINS
};

struct resample_params {
    struct gf_source in;
    struct gf_sink out;
    int64_t up, down;
    int64_t first_period;
    int32_t period, step; /* outputs and frames of a period */
    int32_t taps, centre;
    int32_t least;        /* periods from an output's to that of the first frame it reads, rounded down */
    int32_t rows, stride; /* of frames in shared memory: a row has a period's, and odd `stride` places */
    int32_t floats;       /* of all rows */
    int32_t frames;       /* of a chain in the table */
    const float *phase;
};

/* The taps of the outputs for one frame of each period times that, which lies `back` places in front of x.
 * SOME: of outputs that have it; output r's is tap k - behind[r]. */
template <int Q, bool SOME>
GF_DEVICE_FN void add_frame(const struct resample_params &p, const int *behind, int k, const float *tap,
                            const float *const *x, int back, float (*sum)[Q])
{
    float v[Q];
    GF_UNROLL
    for (int q = 0; q < Q; q++) {
        v[q] = x[q][-back];
    }
    GF_UNROLL
    for (int r = 0; r < RESAMPLE_EACH; r++) {
        if (SOME && (k < behind[r] || k - behind[r] >= p.taps)) {
            continue;
        }
        GF_UNROLL
        for (int q = 0; q < Q; q++) {
            sum[r][q] = gf_fma(tap[r], v[q], sum[r][q]);
        }
    }
}

/* Where a chain of outputs has come to: tap k of the last output, the taps for that frame in the table, the
 * frame in each of the lane's periods, in shared memory, and its column in its row. */
template <int Q> struct resample_at {
    int k, column;
    const float *table, *x[Q];
};

/* To a frame `frames` in front, at most one row. */
template <int Q> GF_DEVICE_FN void go_back(const struct resample_params &p, int frames, resample_at<Q> *at)
{
    int back = frames;
    at->k += frames;
    at->table += frames / CHAINS * RESAMPLE_EACH;
    at->column -= frames;
    if (p.stride != p.step && at->column < 0) {
        at->column += p.step;
        back += p.stride - p.step;
    }
    GF_UNROLL
    for (int q = 0; q < Q; q++) {
        at->x[q] -= back;
    }
}

enum { AHEAD = 4 };
static_assert(3 * AHEAD <= GF_RESAMPLE_AHEAD, "the table has room to be read ahead");

template <int N> GF_DEVICE_FN void load_taps(const float *table, float (*tap)[RESAMPLE_EACH])
{
    GF_UNROLL
    for (int i = 0; i < N; i++) {
        GF_UNROLL
        for (int r = 0; r < RESAMPLE_EACH; r += 4) {
            const uint4 four = gf_load16(table + RESAMPLE_EACH * i + r, GF_READ_ONLY);
            memcpy(tap[i] + r, &four, sizeof four);
        }
    }
}

/* AHEAD frames, of which the first output has taps; in the middle of a chain they lie in one row, and all
 * outputs have. */
template <int Q>
GF_DEVICE_FN void add_ahead(const struct resample_params &p, const int *behind,
                            const float (*tap)[RESAMPLE_EACH], resample_at<Q> *at, float (*sum)[Q])
{
    if (at->k + (AHEAD - 1) * CHAINS < p.taps && (p.stride == p.step || at->column >= (AHEAD - 1) * CHAINS)) {
        GF_UNROLL
        for (int i = 0; i < AHEAD; i++) {
            add_frame<Q, false>(p, behind, 0, tap[i], at->x, CHAINS * i, sum);
        }
        go_back<Q>(p, AHEAD * CHAINS, at);
        return;
    }
    GF_UNROLL
    for (int i = 0; i < AHEAD; i++) {
        if (at->k < p.taps) {
            add_frame<Q, false>(p, behind, 0, tap[i], at->x, 0, sum);
        } else if (at->k < p.taps + behind[0]) {
            add_frame<Q, true>(p, behind, at->k, tap[i], at->x, 0, sum);
        }
        go_back<Q>(p, CHAINS, at);
    }
}

/* One chain of each output: taps k, k + 8, ... of the last one. AHEAD frames are multiplied while the taps of
 * the next ones are read. */
template <int Q>
GF_DEVICE_FN void sum_chain(const struct resample_params &p, const int *behind, resample_at<Q> at,
                            float (*sum)[Q])
{
    const int end = p.taps + behind[0];
    float one[AHEAD][RESAMPLE_EACH], two[AHEAD][RESAMPLE_EACH];
    GF_UNROLL
    for (int r = 0; r < RESAMPLE_EACH; r++) {
        GF_UNROLL
        for (int q = 0; q < Q; q++) {
            sum[r][q] = 0.0F;
        }
    }
#pragma unroll 1
    while (at.k < behind[0]) { /* frames that only later outputs reach */
        load_taps<1>(at.table, one);
        add_frame<Q, true>(p, behind, at.k, one[0], at.x, 0, sum);
        go_back<Q>(p, CHAINS, &at);
    }
    load_taps<AHEAD>(at.table, one);
#pragma unroll 1
    while (at.k < end) {
        load_taps<AHEAD>(at.table + AHEAD * RESAMPLE_EACH, two);
        add_ahead<Q>(p, behind, one, &at, sum);
        if (at.k < end) {
            load_taps<AHEAD>(at.table + AHEAD * RESAMPLE_EACH, one);
            add_ahead<Q>(p, behind, two, &at, sum);
        }
    }
}

/* What a warp has of the 8 outputs from `output` of a period on, for all periods: chains w and w + 4, whose
 * sum the fold begins with. Chains are those of frames whose number has one remainder by 8, so that outputs
 * share frames: output r's chain is another one, turned round by its place, which the fold does not see, as
 * it adds chains that are 4 apart, then 2, then 1. */
template <int Q>
GF_DEVICE_FN void sum_two_chains(const struct resample_params &p, int output, const float *rows, int *behind,
                                 float (*sum)[Q])
{
    float other[RESAMPLE_EACH][Q];
    const int last = gf_resample_group_place(p.up, p.down, p.period, output, RESAMPLE_EACH - 1);
    const int lane = static_cast<int>(gf_lane());
    if (lane < RESAMPLE_EACH) {
        behind[lane] = last - gf_resample_group_place(p.up, p.down, p.period, output, lane);
    }
    gf_syncwarp();
#pragma unroll 1
    for (int half = 0; half < 2; half++) {
        const int tap = static_cast<int>(gf_warp()) + 4 * half;
        const int frame = last + p.centre - tap - p.least * p.step; /* of the first row on */
        const int row = frame / p.step, column = frame % p.step;
        resample_at<Q> at = {tap, column, p.phase + (output + tap) * p.frames * RESAMPLE_EACH, {}};
        GF_UNROLL
        for (int q = 0; q < Q; q++) {
            at.x[q] = rows + (lane + q * GF_WARP + row) * p.stride + column;
        }
        memcpy(other, sum, sizeof other);
        sum_chain<Q>(p, behind, at, sum);
    }
    GF_UNROLL
    for (int r = 0; r < RESAMPLE_EACH; r++) {
        GF_UNROLL
        for (int q = 0; q < Q; q++) {
            sum[r][q] = other[r][q] + sum[r][q];
        }
    }
}

/* The frames that a block needs. */
GF_DEVICE_FN void load_rows(const struct resample_params &p, int64_t period, float *rows)
{
    const float *x = p.in.data + blockIdx.y * p.in.pitch;
    for (int row = static_cast<int>(gf_warp()); row < p.rows; row += WARPS) {
        const int64_t first = (period + p.least + row) * p.step;
        const bool whole = first >= p.in.first && first + p.step <= p.in.first + p.in.count;
        const int most = p.floats - row * p.stride, count = p.step < most ? p.step : most;
        float *to = rows + row * p.stride;
        for (int column = static_cast<int>(gf_lane()); column < count; column += GF_WARP) {
            if (whole) {
                gf_cp_async<4>(to + column, x + (first - p.in.first) + column);
            } else {
                to[column] = gf_source_frame(p.in, x, first + column);
            }
        }
    }
    gf_cp_async_commit();
    gf_cp_async_wait<0>();
    __syncthreads();
}

/* A block makes the outputs of 32 Q periods, 8 of each at a time, two chains a warp. */
template <int Q>
static __global__ void __launch_bounds__(RESAMPLE_THREADS, Q == 1 ? 2 : 3)
    gf_signal_resample_tile(const struct resample_params p)
{
    enum { PART = RESAMPLE_EACH * Q * GF_WARP }; /* of a warp, in `parts` */
    GF_SHARED_DYN(float, rows);
    GF_SHARED(int, behind, WARPS *RESAMPLE_EACH);
    float *parts = rows + p.floats;
    const int64_t period = p.first_period + int64_t(blockIdx.x) * GF_WARP * Q;
    const int lane = static_cast<int>(gf_lane()), warp = static_cast<int>(gf_warp());
    float sum[RESAMPLE_EACH][Q] = {};
    load_rows(p, period, rows);
    for (int output = 0; output < p.period; output += RESAMPLE_EACH) {
        sum_two_chains<Q>(p, output, rows, behind + warp * RESAMPLE_EACH, sum);
        GF_UNROLL
        for (int r = 0; r < RESAMPLE_EACH; r++) {
            GF_UNROLL
            for (int q = 0; q < Q; q++) {
                parts[warp * PART + (r * Q + q) * GF_WARP + lane] = sum[r][q];
            }
        }
        __syncthreads();
        for (int q = warp; q < Q; q += WARPS) {
            const int64_t n = (period + lane + q * GF_WARP) * p.period + output;
            float y[RESAMPLE_EACH];
            GF_UNROLL
            for (int r = 0; r < RESAMPLE_EACH; r++) {
                const float *part = parts + (r * Q + q) * GF_WARP + lane;
                y[r] = gf_canonical((part[0] + part[2 * PART]) + (part[PART] + part[3 * PART]));
            }
            gf_sink_four(p.out, blockIdx.y, n, y, p.period - output);
            gf_sink_four(p.out, blockIdx.y, n + 4, y + 4, p.period - output - 4);
        }
        __syncthreads();
    }
}

/* The plain way, for periods that are too long: a thread an output. */
static __global__ void __launch_bounds__(RESAMPLE_THREADS)
    gf_signal_resample_each(const struct resample_params p)
{
    const int64_t i = int64_t(blockIdx.x) * RESAMPLE_THREADS + threadIdx.x;
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

/* Lays the tiles out for Q periods a lane; the bytes of shared memory: frames, and a sum of each output of
 * each warp. */
static size_t lay_out(struct resample_params *p, int q)
{
    const int64_t most = (p->period - 1) * p->down / p->up + p->centre; /* the last frame read */
    p->least = static_cast<int32_t>(gf_floor_div(p->centre - p->taps + 1, p->step));
    p->rows = static_cast<int32_t>(GF_WARP * q + gf_floor_div(most, p->step) - p->least);
    p->stride = p->step | 1;
    p->floats = (p->rows - 1) * p->stride + static_cast<int32_t>(most % p->step) + 1;
    return static_cast<size_t>(p->floats + RESAMPLE_EACH * q * RESAMPLE_THREADS) * sizeof(float);
}

/* In the call for frame 0: the table of the kernel that runs. */
static gf_status upload(gf_queue queue, const struct gf_signal_resample *a, void *state,
                        const struct gf_track *out, gf_error *error)
{
    const size_t bytes = gf_resample_table_bytes(a);
    if (out->first != 0) {
        return GF_OK;
    }
    if (!gf_resample_layout_of(a).frames) {
        return gf_upload_table(queue, state, a->phase, bytes, out, error);
    }
    float *table = static_cast<float *>(calloc(1, bytes));
    if (!table) {
        return gf_fail(error, GF_ERROR_MEMORY, "no memory for a table of %zu bytes", bytes);
    }
    gf_resample_fill(a, table);
    const gf_status status = gf_upload_table(queue, state, table, bytes, out, error);
    free(table);
    return status;
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
    enum { WIDE = 3, NARROW = 1, WIDE_SHARED = 74 * 1024 }; /* of three blocks side by side */
    const struct gf_signal_resample *a = static_cast<const struct gf_signal_resample *>(args);
    const struct gf_resample_layout layout = gf_resample_layout_of(a);
    struct resample_params p = {};
    gf_launch launch = {};
    GF_ON_DEVICE(queue.device, error)
    GF_TRY(upload(queue, a, state, out, error));
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
    launch.grid = dim3(gf_blocks(out->count, RESAMPLE_THREADS), static_cast<unsigned>(channels));
    launch.block = dim3(RESAMPLE_THREADS);
    launch.stream = static_cast<cudaStream_t>(queue.stream);
    if (layout.frames) {
        p.period = layout.period;
        p.step = layout.step;
        p.frames = layout.frames;
        p.first_period = out->first / p.period;
        launch.shared = lay_out(&p, WIDE);
        if (launch.shared <= WIDE_SHARED) {
            return run_tiles<WIDE>(launch, p, error);
        }
        launch.shared = lay_out(&p, NARROW);
        return run_tiles<NARROW>(launch, p, error);
    }
    launch.shared = 0;
    GF_CUDA_TRY(error, GF_LAUNCH(gf_signal_resample_each, launch, p));
    return GF_OK;
}
