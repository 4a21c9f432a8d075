/* Resampling on CUDA. A period is L outputs for M frames of the input, or a multiple of both with 8 outputs
 * or more. In the tiles' kernel a warp makes the same 8 neighbouring outputs of many periods, one or more a
 * lane: all lanes need the same taps, and a frame that a lane loads serves 8 outputs. */
#include "base/cuda_status.h"
#include "base/device_scope_cuda.h"
#include "signal/resample_table.h"
#include "signal/signal_sum.h"
#include "signal/track_cuda.cuh"

#include <stdlib.h>

enum { THREADS = 128, WARPS = THREADS / GF_WARP, EACH = 8, CHAINS = GF_SUM_CHAINS };

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
    int32_t quads;        /* of a chain's taps in the table */
    const float *phase;
};

/* The taps of the outputs for one frame of each period times that, stored four taps apart. SOME: of outputs
 * that have it; output r's is tap k - behind[r]. */
template <int Q, bool SOME>
GF_DEVICE_FN void add_frame(const struct resample_params &p, const int *behind, int k, const float *tap,
                            const float *x, float (*sum)[Q])
{
    float v[Q];
    GF_UNROLL
    for (int q = 0; q < Q; q++) {
        v[q] = x[q * GF_WARP * p.stride];
    }
    GF_UNROLL
    for (int r = 0; r < EACH; r++) {
        if (SOME && (k < behind[r] || k - behind[r] >= p.taps)) {
            continue;
        }
        GF_UNROLL
        for (int q = 0; q < Q; q++) {
            sum[r][q] = gf_fma(tap[4 * r], v[q], sum[r][q]);
        }
    }
}

/* One chain of each output: taps k, k + 8, ... of the last one, four at a time from `table`. x: the frame of
 * the lane's first period under that tap, in shared memory; column: of it in its row. */
template <int Q>
GF_DEVICE_FN void sum_chain(const struct resample_params &p, const int *behind, int k, const float *table,
                            const float *x, int column, float (*sum)[Q])
{
    const int spread = behind[0], wrap = p.stride - p.step;
    GF_UNROLL
    for (int r = 0; r < EACH; r++) {
        GF_UNROLL
        for (int q = 0; q < Q; q++) {
            sum[r][q] = 0.0F;
        }
    }
#pragma unroll 1
    for (; k < p.taps + spread; k += 4 * CHAINS, table += 4 * EACH) {
        if (k >= spread && k + 3 * CHAINS < p.taps && (wrap == 0 || column >= 4 * CHAINS)) {
            float tap[EACH * 4];
            GF_UNROLL
            for (int r = 0; r < EACH; r++) {
                const uint4 four = gf_load16(table + 4 * r, GF_READ_ONLY);
                memcpy(tap + 4 * r, &four, sizeof four);
            }
            GF_UNROLL
            for (int i = 0; i < 4; i++) {
                add_frame<Q, false>(p, behind, k + CHAINS * i, tap + i, x - CHAINS * i, sum);
            }
            x -= 4 * CHAINS;
            column -= 4 * CHAINS;
            continue;
        }
#pragma unroll 1
        for (int i = 0; i < 4 && k + CHAINS * i < p.taps + spread; i++) {
            add_frame<Q, true>(p, behind, k + CHAINS * i, table + i, x, sum);
            column -= CHAINS;
            x -= CHAINS;
            if (wrap != 0 && column < 0) {
                column += p.step;
                x -= wrap;
            }
        }
    }
}

/* The 8 outputs from `output` of a period on, for all periods. Chains are those of frames whose number has
 * one remainder by 8, so that outputs share frames: output r's chain is another one, turned round by its
 * place, which the fold does not see, as it adds chains that are 4 apart, then 2, then 1. */
template <int Q>
GF_DEVICE_FN void make_outputs(const struct resample_params &p, int64_t period, int output, const float *rows,
                               float *kept, int *behind)
{
    float one[EACH][Q], two[EACH][Q], sum[EACH][Q];
    const int last = gf_resample_group_place(p.up, p.down, p.period, output, EACH - 1);
    const int lane = static_cast<int>(gf_lane());
    gf_syncwarp();
    if (lane < EACH) {
        behind[lane] = last - gf_resample_group_place(p.up, p.down, p.period, output, lane);
    }
    gf_syncwarp();
#pragma unroll 1
    for (int t = 0; t < CHAINS; t++) {
        const int tap = (t & 1) << 2 | (t & 2) | t >> 2;
        const int frame = last + p.centre - tap - p.least * p.step; /* of the first row on */
        const int row = frame / p.step, column = frame % p.step;
        sum_chain<Q>(p, behind, tap, p.phase + (output + tap) * p.quads * 4 * EACH,
                     rows + (lane + row) * p.stride + column, column, sum);
        GF_UNROLL
        for (int r = 0; r < EACH; r++) {
            GF_UNROLL
            for (int q = 0; q < Q; q++) {
                const float v = sum[r][q];
                float *const four = kept + (r * Q + q) * THREADS;
                if (t == 1 || t == 5) {
                    two[r][q] = two[r][q] + v;
                } else if (t == 3) {
                    *four = *four + (two[r][q] + v);
                } else if (t == 6) {
                    one[r][q] = v;
                } else if (t == 7) {
                    two[r][q] = *four + (two[r][q] + (one[r][q] + v));
                } else {
                    two[r][q] = v;
                }
                if (t == 1) {
                    *four = two[r][q];
                }
            }
        }
    }
    GF_UNROLL
    for (int q = 0; q < Q; q++) {
        const int64_t n = (period + lane + q * GF_WARP) * p.period + output;
        GF_UNROLL
        for (int r = 0; r < EACH; r += 4) {
            float v[4];
            GF_UNROLL
            for (int k = 0; k < 4; k++) {
                v[k] = gf_canonical(two[r + k][q]);
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
    GF_SHARED(int, behind, WARPS *EACH);
    const int64_t period = p.first_period + int64_t(blockIdx.x) * GF_WARP * Q;
    const float *x = p.in.data + blockIdx.y * p.in.pitch;
    for (int row = static_cast<int>(gf_warp()); row < p.rows; row += WARPS) {
        const int64_t first = (period + p.least + row) * p.step;
        for (int column = static_cast<int>(gf_lane()); column < p.step; column += GF_WARP) {
            if (row * p.stride + column < p.floats) {
                rows[row * p.stride + column] = gf_source_frame(p.in, x, first + column);
            }
        }
    }
    __syncthreads();
    for (int output = static_cast<int>(gf_warp()) * EACH; output < p.period; output += WARPS * EACH) {
        make_outputs<Q>(p, period, output, rows, rows + p.floats + threadIdx.x, behind + gf_warp() * EACH);
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

/* Lays the tiles out for Q periods a lane; the bytes of shared memory: frames, and a sum of each output. */
static size_t lay_out(struct resample_params *p, int q)
{
    const int64_t most = (p->period - 1) * p->down / p->up + p->centre; /* the last frame read */
    p->least = static_cast<int32_t>(gf_floor_div(p->centre - p->taps + 1, p->step));
    p->rows = static_cast<int32_t>(GF_WARP * q + gf_floor_div(most, p->step) - p->least);
    p->stride = p->step | 1;
    p->floats = (p->rows - 1) * p->stride + static_cast<int32_t>(most % p->step) + 1;
    return static_cast<size_t>(p->floats + EACH * q * THREADS) * sizeof(float);
}

/* In the call for frame 0: the table of the kernel that runs. */
static gf_status upload(gf_queue queue, const struct gf_signal_resample *a, void *state,
                        const struct gf_track *out, gf_error *error)
{
    const size_t bytes = gf_resample_table_bytes(a);
    if (out->first != 0) {
        return GF_OK;
    }
    if (!gf_resample_layout_of(a).quads) {
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
    enum { WIDE = 5, MIDDLE = 4, NARROW = 1 };
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
    launch.grid = dim3(gf_blocks(out->count, THREADS), static_cast<unsigned>(channels));
    launch.block = dim3(THREADS);
    launch.stream = static_cast<cudaStream_t>(queue.stream);
    if (layout.quads) {
        p.period = layout.period;
        p.step = layout.step;
        p.quads = layout.quads;
        p.first_period = out->first / p.period;
        launch.shared = lay_out(&p, WIDE);
        if (launch.shared <= GF_RESAMPLE_SHARED) {
            return run_tiles<WIDE>(launch, p, error);
        }
        launch.shared = lay_out(&p, MIDDLE);
        if (launch.shared <= GF_RESAMPLE_SHARED) {
            return run_tiles<MIDDLE>(launch, p, error);
        }
        launch.shared = lay_out(&p, NARROW);
        return run_tiles<NARROW>(launch, p, error);
    }
    launch.shared = 0;
    GF_CUDA_TRY(error, GF_LAUNCH(gf_signal_resample_each, launch, p));
    return GF_OK;
}
