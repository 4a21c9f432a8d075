/* Resampling on CUDA. A period is L outputs for M frames of the input, or a multiple of both with 8 outputs
 * or more. A block has the frames of many periods in shared memory, a warp of it makes the same 8
 * neighbouring outputs of some periods a lane, all by itself: lanes need the same taps, which lie in shared
 * memory too before they are needed, and a frame that a lane loads serves 8 outputs.
 */
#include "base/cuda_status.h"
#include "base/device_scope_cuda.h"
#include "signal/resample_chain_cuda.cuh"

#include <stdlib.h>

enum {
    RESAMPLE_BLOCKS = 2, /* side by side on a processor: one computes while the other one loads its frames */
    RESAMPLE_RING =
        WARPS * 2 * STAGE_FLOATS * static_cast<int>(sizeof(float)) /* bytes of taps, of each block */
};

/* The frames that a block needs, in shared memory at `rows` or up to three places behind, where they are
 * aligned as the input is. */
GF_DEVICE_FN const float *load_rows(const struct resample_params &p, int64_t period, float *rows)
{
    const float *x = p.in.data + blockIdx.y * p.in.pitch;
    const int64_t begin = (period + p.least) * p.step - p.in.first;
    const int own = static_cast<int>(threadIdx.x);
    if (p.stride == p.step && begin >= 0 && begin + p.floats <= p.in.count) {
        const float *from = x + begin;
        const int skew = static_cast<int>(reinterpret_cast<uintptr_t>(from) / sizeof(float) % 4);
        const int head = (4 - skew) % 4, quads = (p.floats - head) / 4, tail = head + 4 * quads;
        rows += skew;
        for (int i = own; i < quads; i += RESAMPLE_THREADS) {
            gf_cp_async<16>(rows + head + 4 * i, from + head + 4 * i);
        }
        if (own < head) {
            gf_cp_async<4>(rows + own, from + own);
        }
        if (tail + own < p.floats) {
            gf_cp_async<4>(rows + tail + own, from + tail + own);
        }
    } else {
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
    }
    gf_cp_async_commit();
    gf_cp_async_wait<0>();
    __syncthreads();
    return rows;
}

/* A block makes the outputs of some times as many periods as a warp does 8 of at a time. */
static __global__ void __launch_bounds__(RESAMPLE_THREADS, RESAMPLE_BLOCKS)
    gf_signal_resample_tile(const struct resample_params p)
{
    GF_SHARED_DYN(float, room);
    GF_SHARED(float, ring, WARPS * 2 * STAGE_FLOATS);
    const int lane = static_cast<int>(gf_lane()), warp = static_cast<int>(gf_warp());
    const int periods = PERIODS * p.lanes;
    const int64_t period = p.first_period + int64_t(blockIdx.x) * p.parts * periods;
    float *kept = room + threadIdx.x;
    const float *rows = load_rows(p, period, room + RESAMPLE_EACH * PERIODS * RESAMPLE_THREADS);
#pragma unroll 1
    for (int item = warp; item < p.groups * p.parts; item += WARPS) {
        const int output = item % p.groups * RESAMPLE_EACH, own = item / p.groups * periods;
        float sum[RESAMPLE_EACH][PERIODS];
        sum_group(p, output, rows + own * p.stride, ring + warp * (2 * STAGE_FLOATS), kept, sum);
        GF_UNROLL
        for (int q = 0; q < PERIODS; q++) {
            const int64_t n = (period + own + lane + q * p.lanes) * p.period + output;
            alignas(16) float y[RESAMPLE_EACH];
            GF_UNROLL
            for (int r = 0; r < RESAMPLE_EACH; r++) {
                y[r] = sum[r][q];
            }
            if (lane < p.lanes) {
                gf_sink_four(p.out, blockIdx.y, n, y, p.period - output);
                gf_sink_four(p.out, blockIdx.y, n + 4, y + 4, p.period - output - 4);
            }
        }
    }
}

/* The plain way, for periods that are too long: a thread an output. */
enum { EACH_THREADS = 128 };
static __global__ void __launch_bounds__(EACH_THREADS) gf_signal_resample_each(const struct resample_params p)
{
    const int64_t i = int64_t(blockIdx.x) * EACH_THREADS + threadIdx.x;
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

static void take_args(struct resample_params *p, const struct gf_signal_resample *a,
                      const struct gf_resample_layout *layout)
{
    p->up = a->up;
    p->down = a->down;
    p->taps = a->taps;
    p->centre = a->centre;
    p->period = layout->period;
    p->step = layout->step;
    p->frames = layout->frames;
}

/* Lays a block out: as many lanes as `room` bytes allow, and where periods are short, as many parts as give
 * all warps work; the bytes of shared memory: a sum of each output of a thread, and frames. */
static size_t lay_out(struct resample_params *p, size_t room)
{
    const int64_t most = (p->period - 1) * p->down / p->up + p->centre; /* the last frame read */
    p->groups = (p->period + RESAMPLE_EACH - 1) / RESAMPLE_EACH;
    p->least = static_cast<int32_t>(gf_floor_div(p->centre - p->taps + 1, p->step));
    p->stride = p->step | 1;
    const auto bytes = [&](int32_t lanes, int32_t parts) {
        p->lanes = lanes;
        p->parts = parts;
        p->rows = static_cast<int32_t>(PERIODS * lanes * parts + gf_floor_div(most, p->step) - p->least);
        p->floats = (p->rows - 1) * p->stride + static_cast<int32_t>(most % p->step) + 1;
        return static_cast<size_t>(RESAMPLE_EACH * PERIODS * RESAMPLE_THREADS + p->floats + 3) *
               sizeof(float);
    };
    int32_t lanes = GF_WARP, parts = (WARPS + p->groups - 1) / p->groups;
    while (bytes(lanes, parts) > room && parts > 1) {
        parts--;
    }
    while (bytes(lanes, parts) > room && lanes > 1) {
        lanes--;
    }
    return bytes(lanes, parts);
}

/* Two blocks side by side where most lanes have work then, else one that has all of the shared memory. */
static gf_status launch_tile(gf_queue queue, struct resample_params p, int64_t last, gf_launch launch,
                             gf_error *error)
{
    enum { BESIDE = 1024 /* of each block */ };
    int all = 0, most = 0;
    GF_CUDA_TRY(error,
                cudaDeviceGetAttribute(&all, cudaDevAttrMaxSharedMemoryPerMultiprocessor, queue.device));
    GF_CUDA_TRY(error, cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, queue.device));
    const int some = all / RESAMPLE_BLOCKS - BESIDE < most ? all / RESAMPLE_BLOCKS - BESIDE : most;
    launch.shared = lay_out(&p, static_cast<size_t>(some - RESAMPLE_RING));
    if (p.lanes < 3 * GF_WARP / 4) {
        launch.shared = lay_out(&p, static_cast<size_t>(most - RESAMPLE_RING));
    }
    launch.block.x = RESAMPLE_THREADS;
    launch.grid.x = gf_blocks(last + 1 - p.first_period, PERIODS * p.lanes * p.parts);
    GF_CUDA_TRY(error, GF_LAUNCH(gf_signal_resample_tile, launch, p));
    return GF_OK;
}

/* The layout for the device: none, frames 0, where not even a lane's frames fit its shared memory. */
static gf_status layout_for(gf_queue queue, const struct gf_signal_resample *a,
                            struct gf_resample_layout *layout, gf_error *error)
{
    struct resample_params p = {};
    int most = 0;
    *layout = gf_resample_layout_of(a);
    GF_CUDA_TRY(error, cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, queue.device));
    take_args(&p, a, layout);
    if (layout->frames && lay_out(&p, 0) > static_cast<size_t>(most - RESAMPLE_RING)) {
        layout->frames = 0;
    }
    return GF_OK;
}

/* In the call for frame 0: the table of the kernel that runs; the plain one, of the args, is no larger than
 * that of tiles, for which there is room. */
static gf_status upload(gf_queue queue, const struct gf_signal_resample *a, bool tiles, void *state,
                        const struct gf_track *out, gf_error *error)
{
    const size_t bytes = tiles ? gf_resample_table_bytes(a)
                               : sizeof(float) * static_cast<size_t>(a->up) * static_cast<size_t>(a->taps);
    if (out->first != 0) {
        return GF_OK;
    }
    if (!tiles) {
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

extern "C" gf_status gf_signal_resample_cuda(gf_queue queue, const void *args, void *state, void *,
                                             const struct gf_track *in, int64_t frames,
                                             const struct gf_track *out, int32_t channels, gf_error *error)
{
    const struct gf_signal_resample *a = static_cast<const struct gf_signal_resample *>(args);
    struct gf_resample_layout layout = {};
    struct resample_params p = {};
    gf_launch launch = {};
    GF_ON_DEVICE(queue.device, error)
    GF_TRY(layout_for(queue, a, &layout, error));
    GF_TRY(upload(queue, a, layout.frames > 0, state, out, error));
    if (out->count == 0) {
        return GF_OK;
    }
    p.in = gf_source_of(in, frames, false);
    p.out = gf_sink_of(out, channels);
    take_args(&p, a, &layout);
    p.phase = static_cast<const float *>(state);
    launch.grid = dim3(gf_blocks(out->count, EACH_THREADS), static_cast<unsigned>(channels));
    launch.block = dim3(EACH_THREADS);
    launch.stream = static_cast<cudaStream_t>(queue.stream);
    if (layout.frames) {
        p.stage = gf_blocks(p.frames, gf_blocks(p.frames, STAGE));
        p.first_period = out->first / p.period;
        const int64_t last = (out->first + out->count - 1) / p.period;
        return launch_tile(queue, p, last, launch, error);
    }
    GF_CUDA_TRY(error, GF_LAUNCH(gf_signal_resample_each, launch, p));
    return GF_OK;
}
