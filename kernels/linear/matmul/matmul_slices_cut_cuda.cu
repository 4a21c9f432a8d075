/* Products with slices on CUDA, first half: what the sides are like, their scales, their digits. */
#include "base/cuda_status.h"
#include "base/planted_fault.h"
#include "linear/matmul/matmul_slices_cuda.cuh"

constexpr int LOOK_SIDES = 32, LOOK_STEPS = 1024; /* that a block looks at */
constexpr int CUT_SIDES = 32;                     /* that a block cuts, GF_SLICES_STEPS of each */
constexpr int CUT_THREADS = CUT_SIDES * GF_SLICES_STEPS / 16;

GF_DEVICE_FN void join_sides(gf_slices_side *to, const gf_slices_side &from)
{
    to->most = to->most > from.most ? to->most : from.most;
    to->count += from.count;
    to->exponents += from.exponents;
}

GF_DEVICE_FN void add_side(gf_slices_side *to, const gf_slices_side &from)
{
    gf_atomic_max(&to->most, from.most);
    gf_atomic_add(&to->count, from.count);
    gf_atomic_add(&to->exponents, from.exponents);
}

/* 256 threads; lanes go along what lies together. Maxima and sums of integers: in any order. */
static __global__ void __launch_bounds__(256) gf_slices_look_at(const gf_slices_sides s)
{
    GF_SHARED(gf_slices_side, parts, 8 * GF_WARP);
    const int lane = static_cast<int>(gf_lane()), warp = static_cast<int>(gf_warp());
    const int64_t chunks = (s.k - 1) / LOOK_STEPS + 1;
    const int64_t first = blockIdx.x / chunks * LOOK_SIDES, from = blockIdx.x % chunks * LOOK_STEPS;
    const int steps = static_cast<int>(s.k - from < LOOK_STEPS ? s.k - from : LOOK_STEPS);
    if (s.step_stride == 1) {
        for (int e = warp; e < LOOK_SIDES; e += 8) {
            gf_slices_side seen = {};
            if (first + e < s.count) {
                const float *const at = s.data + (first + e) * s.side_stride + from;
                GF_UNROLL
                for (int l = 0; l < LOOK_STEPS; l += GF_WARP) {
                    if (l + lane < steps) {
                        gf_slices_look(&seen, at[l + lane]);
                    }
                }
            }
            seen.most = gf_reduce_max(seen.most);
            seen.count = gf_reduce_add(seen.count);
            seen.exponents = gf_reduce_add(seen.exponents);
            if (lane == 0 && first + e < s.count) {
                add_side(&s.seen[first + e], seen);
            }
        }
        return;
    }
    gf_slices_side seen = {};
    if (first + lane < s.count) {
        const float *at = s.data + (first + lane) * s.side_stride + (from + warp) * s.step_stride;
        GF_UNROLL
        for (int l = 0; l < LOOK_STEPS; l += 8, at += 8 * s.step_stride) {
            if (l + warp < steps) {
                gf_slices_look(&seen, *at);
            }
        }
    }
    parts[warp * GF_WARP + lane] = seen;
    __syncthreads();
    if (warp == 0 && first + lane < s.count) {
        for (int w = 1; w < 8; w++) {
            join_sides(&seen, parts[w * GF_WARP + lane]);
        }
        add_side(&s.seen[first + lane], seen);
    }
}

static __global__ void __launch_bounds__(256) gf_slices_find_scales(const gf_slices_sides s)
{
    const int64_t at = int64_t(blockIdx.x) * 256 + threadIdx.x;
    int32_t scale = 0;
    if (at < s.count) {
        scale = gf_slices_scale(s.seen[at], s.slices);
        s.scales[at] = scale;
    }
    const uint32_t plain = gf_ballot(at < s.count && scale == GF_SLICES_PLAIN);
    if (gf_lane() == 0 && plain != 0) {
        gf_atomic_add(s.plain, static_cast<unsigned long long>(__popc(plain)));
    }
}

/* Byte `byte` of each of four words. */
GF_DEVICE_FN uint32_t gather(const uint32_t *words, uint32_t byte)
{
    const uint32_t pick = byte | (byte + 4) << 4;
    return gf_byte_perm(gf_byte_perm(words[0], words[1], pick), gf_byte_perm(words[2], words[3], pick),
                        0x5410u);
}

/* A block cuts CUT_SIDES sides by GF_SLICES_STEPS steps: words of digits into shared memory, lanes along what
 * lies together; then a thread takes 16 steps of a side, and writes 16 bytes of each slice. */
template <int SLICES>
static __global__ void __launch_bounds__(CUT_THREADS) gf_slices_cut(const gf_slices_sides s)
{
    const int PITCH = GF_SLICES_STEPS + 1;
    GF_SHARED(uint32_t, words, CUT_SIDES * PITCH);
    const int thread = static_cast<int>(gf_thread());
    const int64_t depth = (s.k + GF_SLICES_STEPS - 1) / GF_SLICES_STEPS;
    const int64_t deep = blockIdx.x % depth, first = blockIdx.x / depth * CUT_SIDES;
    const bool along_steps = s.step_stride == 1;
    const int lane = thread % (along_steps ? GF_SLICES_STEPS : CUT_SIDES);
    const int line = thread / (along_steps ? GF_SLICES_STEPS : CUT_SIDES);
    GF_UNROLL
    for (int e = 0; e < 16; e++) {
        const int side = along_steps ? line + e * (CUT_THREADS / GF_SLICES_STEPS) : lane;
        const int step = along_steps ? lane : line + e * (CUT_THREADS / CUT_SIDES);
        uint32_t word = 0;
        if (first + side < s.count && deep * GF_SLICES_STEPS + step < s.k) {
            const int32_t scale = s.scales[first + side];
            const float v =
                s.data[(first + side) * s.side_stride + (deep * GF_SLICES_STEPS + step) * s.step_stride];
            word = gf_slices_digits(v, gf_slices_first(scale), gf_slices_second(scale), SLICES);
        }
        words[side * PITCH + step] = word;
    }
    __syncthreads();

    const int side = thread / 4, group = thread % 4;
    uint32_t mine[16];
    GF_UNROLL
    for (int e = 0; e < 16; e++) {
        mine[e] = words[side * PITCH + 16 * group + e];
    }
    const int64_t tile = (first + side) / s.tile, row = (first + side) % s.tile;
    const int64_t place = group ^ (row / 2 % 4);
    uint8_t *const to = s.digits + (tile * depth + deep) * SLICES * s.tile * GF_SLICES_STEPS +
                        row * GF_SLICES_STEPS + place * 16;
    GF_UNROLL
    for (int slice = 0; slice < SLICES; slice++) {
        const uint32_t byte = static_cast<uint32_t>(SLICES - 1 - slice);
        const uint4 bytes = make_uint4(gather(mine, byte), gather(mine + 4, byte), gather(mine + 8, byte),
                                       gather(mine + 12, byte));
        gf_store16(to + int64_t(slice) * s.tile * GF_SLICES_STEPS, bytes);
    }
}

static gf_status cut(const gf_slices_sides &s, gf_launch c, gf_error *error)
{
    const int64_t chunks = (s.k - 1) / LOOK_STEPS + 1;
    c.block = dim3(256);
    c.grid = dim3(gf_blocks((s.count + LOOK_SIDES - 1) / LOOK_SIDES * chunks, 1));
    GF_CUDA_TRY(error, GF_LAUNCH(gf_slices_look_at, c, s));
    c.grid = dim3(gf_blocks(s.count, 256));
    GF_CUDA_TRY(error, GF_LAUNCH(gf_slices_find_scales, c, s));
    c.block = dim3(CUT_THREADS);
    c.grid = dim3(gf_blocks(gf_slices_padded(s) / CUT_SIDES * gf_slices_depth(s.k), 1));
    if (s.slices == 3) {
        GF_CUDA_TRY(error, GF_LAUNCH((gf_slices_cut<3>), c, s));
    } else {
        GF_CUDA_TRY(error, GF_LAUNCH((gf_slices_cut<4>), c, s));
    }
    return GF_OK;
}

gf_status gf_slices_cut_cuda(const struct gf_matmul_call *call, const struct gf_slices_cuda *work,
                             gf_error *error)
{
    gf_launch c = {};
    c.stream = static_cast<cudaStream_t>(call->array.queue.stream);
    GF_CUDA_TRY(error, cudaMemsetAsync(work->cleared, 0, work->cleared_bytes, c.stream));
    GF_TRY(cut(work->a, c, error));
    return cut(work->b, c, error);
}
