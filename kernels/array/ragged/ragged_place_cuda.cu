/* A ragged loop on CUDA: where each segment begins, by adding up the counts. */
#include "array/ragged/ragged_cuda.h"
#include "array/scan/scan_pass_cuda.cuh"

constexpr int GF_RAGGED_PLACERS = 1024;

GF_DEVICE_FN uint64_t gf_ragged_count(int32_t count)
{
    return count > 0 ? static_cast<uint64_t>(count) : 0;
}

/* ---- Many counts -------------------------------------------------------------------------------------------- */

/* For gf_scan_pass; two results are a lane. */
struct gf_ragged_place {
    using in = int32_t;
    using out = uint64_t;
    using value = uint64_t;
    using slot = gf_slot_count; /* fewer than 2^31 counts below 2^31 */
    static const bool ORDERED = false;
    static const int LANE = 2;

    __device__ explicit gf_ragged_place(uint64_t) {}
    __device__ uint64_t none() const { return 0; }
    __device__ uint64_t join(uint64_t a, uint64_t b) const { return a + b; }
    __device__ int32_t fill() const { return 0; }
    __device__ uint64_t total(const int32_t *x) const
    {
        return gf_ragged_count(x[0]) + gf_ragged_count(x[1]);
    }
    __device__ void results(const int32_t *x, uint64_t base, bool, uint64_t *y) const
    {
        y[0] = base + gf_ragged_count(x[0]);
        y[1] = y[0] + gf_ragged_count(x[1]);
    }
};

static const int64_t GF_RAGGED_PLACE_TILE = GF_SCAN_ROWS * GF_WARP * gf_ragged_place::LANE;

size_t gf_ragged_place_bytes(int64_t nx)
{
    struct gf_lookback_state state = {};
    const int64_t tiles = (nx + GF_RAGGED_PLACE_TILE - 1) / GF_RAGGED_PLACE_TILE;
    return nx <= GF_RAGGED_SMALL ? 0
                                 : gf_lookback_layout(nullptr, tiles, gf_ragged_place::slot::WORDS,
                                                      gf_ragged_place::ORDERED, &state);
}

/* ---- Few of them -------------------------------------------------------------------------------------------- */

/* Returns what lies before this thread's number in the block; *all is the sum of all. room: a word a warp. */
GF_DEVICE_FN uint64_t gf_ragged_before(uint64_t own, uint64_t *room, uint64_t *all)
{
    uint64_t sum = own, warps = 0;
    for (unsigned step = 1; step < GF_WARP; step *= 2) {
        const uint64_t left = gf_shfl_up(sum, step);
        sum += gf_lane() >= step ? left : 0;
    }
    if (gf_lane() == GF_WARP - 1) {
        room[gf_warp()] = sum;
    }
    __syncthreads();
    uint64_t before = 0;
    for (unsigned warp = 0; warp < GF_RAGGED_PLACERS / GF_WARP; warp++) {
        before += warp < gf_warp() ? room[warp] : 0;
        warps += room[warp];
    }
    *all = warps;
    return before + sum - own;
}

/* One block does it all: a thread has neighbouring counts. */
static __global__ void __launch_bounds__(GF_RAGGED_PLACERS)
    gf_ragged_place_few(const int32_t *counts, int32_t nx, uint64_t *offsets, uint64_t *zeroed,
                        uint64_t *total)
{
    GF_SHARED(uint64_t, room, GF_RAGGED_PLACERS / GF_WARP);
    const int32_t each = (nx + GF_RAGGED_PLACERS - 1) / GF_RAGGED_PLACERS;
    const int32_t first = static_cast<int32_t>(threadIdx.x) * each,
                  end = first + each < nx ? first + each : nx;
    uint64_t own = 0, all = 0;
    for (int32_t i = first; i < end; i++) {
        own += gf_ragged_count(counts[i]);
    }
    uint64_t at = gf_ragged_before(own, room, &all);
    for (int32_t i = first; i < end; i++) {
        offsets[i] = at;
        at += gf_ragged_count(counts[i]);
    }
    for (int32_t i = static_cast<int32_t>(threadIdx.x); zeroed && i < nx; i += GF_RAGGED_PLACERS) {
        zeroed[i] = 0;
    }
    if (threadIdx.x == 0) {
        offsets[nx] = all;
        if (total) {
            *total = all;
        }
    }
}

gf_status gf_ragged_place_cuda(const struct gf_ragged_call *call, const struct gf_ragged_memory *m,
                               uint64_t *zeroed, gf_error *error)
{
    const cudaStream_t stream = static_cast<cudaStream_t>(call->array.queue.stream);
    if (call->array.n <= GF_RAGGED_SMALL) {
        gf_launch c = gf_launch_on(stream, 1, GF_RAGGED_PLACERS);
        GF_CUDA_TRY(error, GF_LAUNCH(gf_ragged_place_few, c, static_cast<const int32_t *>(call->array.in),
                                     static_cast<int32_t>(call->array.n), m->offsets, zeroed,
                                     reinterpret_cast<uint64_t *>(call->total)));
        return GF_OK;
    }
    struct gf_scan_call scan = {};
    scan.array.queue = call->array.queue;
    scan.array.n = call->array.n;
    scan.array.in = call->array.in;
    scan.array.out = m->offsets + 1;
    scan.array.scratch = m->sums;
    scan.inclusive = true;
    GF_CUDA_TRY(error, cudaMemsetAsync(m->offsets, 0, sizeof *m->offsets, stream));
    return gf_scan_launch<gf_ragged_place>(&scan, 0, error);
}
