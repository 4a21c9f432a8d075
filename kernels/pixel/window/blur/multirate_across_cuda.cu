/* The first kernel of a Gaussian of a large sigma: rows of the picture to rows of coarse samples. */
#include "pixel/window/blur/multirate_cuda.cuh"

enum {
    THREADS = GF_MULTIRATE_THREADS,
    OUTPUTS = 4, /* neighbouring coarse samples of a thread */
    BLOCKS = 1 << 20
};

template <class S>
GF_DEVICE_FN float gf_multirate_sample(const struct gf_multirate_params &p, int64_t y, int32_t c, int64_t x)
{
    const int64_t at = y < p.height ? gf_border_index(x, p.width, p.border) : -1;
    const S *const row = reinterpret_cast<const S *>(p.samples.data + y * p.samples.pitch);
    return at < 0 ? p.fill[c] : static_cast<float>(row[at * p.channels + c]);
}

/* Turns [first, last) of all threads from a row to the room. C: channels, 0 for any. */
template <class S, int C, int APART>
GF_DEVICE_FN void gf_multirate_turns(const S *from, int32_t channels, int32_t first, int32_t last, float *to)
{
    enum { AT_ONCE = 8 };
    const int32_t apart = THREADS * (C == 0 ? channels : C);
    int32_t n = first;
    from += int64_t(first) * apart;
    to += first * APART;
    for (; n + AT_ONCE <= last; n += AT_ONCE, from += AT_ONCE * apart, to += AT_ONCE * APART) {
        S v[AT_ONCE];
#pragma unroll
        for (int32_t k = 0; k < AT_ONCE; k++) {
            v[k] = from[k * apart];
        }
#pragma unroll
        for (int32_t k = 0; k < AT_ONCE; k++) {
            to[k * APART] = static_cast<float>(v[k]);
        }
    }
    for (; n < last; n++, from += apart, to += APART) {
        *to = static_cast<float>(*from);
    }
}

/* Samples [start, start + PIXELS) of a row to room, with a gap of 4 behind every CHUNK, a divisor of THREADS:
 * so a thread's samples are as far apart in the room as in the row, but for a factor. First the turns that
 * all threads find in the picture, then what is left of it, then what its border says, which every block of a
 * small step may see. */
template <class S, int CHUNK, int PIXELS>
GF_DEVICE_FN void gf_multirate_stage(const struct gf_multirate_params &p, int64_t y, int32_t c, int64_t start,
                                     float *room)
{
    enum { APART = THREADS + 4 * (THREADS / CHUNK) };
    const int32_t i = static_cast<int32_t>(threadIdx.x);
    const int64_t width = y < p.height ? p.width : 0;
    const int32_t before = start >= 0 ? 0 : start > -PIXELS ? static_cast<int32_t>(-start) : int32_t(PIXELS);
    const int32_t behind = width - start < PIXELS ? static_cast<int32_t>(width - start) : int32_t(PIXELS);
    const int32_t end = behind > before ? behind : before;
    const int32_t first = (before + THREADS - 1) / THREADS;
    const int32_t last = end / THREADS > first ? end / THREADS : first;
    const S *const from =
        reinterpret_cast<const S *>(p.samples.data + y * p.samples.pitch) + (start + i) * p.channels + c;
    if (p.channels == 1) {
        gf_multirate_turns<S, 1, APART>(from, 1, first, last, room + i + 4 * (i / CHUNK));
    } else {
        gf_multirate_turns<S, 0, APART>(from, p.channels, first, last, room + i + 4 * (i / CHUNK));
    }
    for (int32_t at = i; at < first * THREADS && at < PIXELS; at += THREADS) {
        room[at + 4 * (at / CHUNK)] = gf_multirate_sample<S>(p, y, c, start + at);
    }
    for (int32_t at = last * THREADS + i; at < PIXELS; at += THREADS) {
        room[at + 4 * (at / CHUNK)] = gf_multirate_sample<S>(p, y, c, start + at);
    }
}

/* Small steps: a block makes 4 THREADS samples of one row. A thread's pixels lie in shared memory in chunks
 * of four steps, the gaps between them spread the threads over the banks; weights are operands of the
 * unrolled loops. Block b of `step` pixels belongs to the taps b - m of sample m. */
template <class S, int STEP>
static __global__ void __launch_bounds__(THREADS)
    gf_multirate_decimate(const struct gf_multirate_params p, const struct gf_decimation_taps taps)
{
    enum { CHUNK = OUTPUTS * STEP, PIXELS = THREADS * CHUNK + 8 * STEP + 1 };
    GF_SHARED(float, room, PIXELS + 4 * (PIXELS / CHUNK) + 4);
    const float *const mine = room + threadIdx.x * (CHUNK + 4);
    const int64_t pieces = (p.grids.wide + OUTPUTS * THREADS - 1) / (OUTPUTS * THREADS);
    const int64_t total = pieces * p.grids.source_rows * p.channels;
    for (int64_t n = blockIdx.x; n < total; n += gridDim.x) {
        const int64_t row = n / pieces, k0 = (n - row * pieces) * OUTPUTS * THREADS;
        const int64_t y = row / p.channels, k = k0 + threadIdx.x * OUTPUTS;
        float acc[OUTPUTS] = {-0.0F, -0.0F, -0.0F, -0.0F};
        __syncthreads(); /* the room is used again */
        gf_multirate_stage<S, CHUNK, PIXELS>(p, y, static_cast<int32_t>(row - y * p.channels),
                                             gf_multirate_start(k0, STEP, p.radius), room);
        __syncthreads();
#pragma unroll
        for (int b = 0; b < 9 + OUTPUTS; b++) {
#pragma unroll
            for (int q = 0; q < (b < 8 + OUTPUTS ? STEP : 4); q += 4) {
                const uint4 bits = gf_load16(mine + b / OUTPUTS * (CHUNK + 4) + b % OUTPUTS * STEP + q);
                float x[4];
                memcpy(x, &bits, sizeof bits);
#pragma unroll
                for (int e = 0; e < 4; e++) {
#pragma unroll
                    for (int m = 0; m < OUTPUTS; m++) {
                        const int tap = (b - m) * STEP + q + e;
                        if (tap >= 0 && tap <= 9 * STEP) {
                            acc[m] = gf_multirate_tap(taps.weight[tap], x[e], acc[m]);
                        }
                    }
                }
            }
        }
        if (k < p.line) {
            uint4 out;
            memcpy(&out, acc, sizeof out);
            gf_store16(p.across + row * p.line + k, out);
        }
    }
}

/* Large steps: a lane makes one sample; its warp stages 32 taps of all of them at a time. */
template <class S>
static __global__ void __launch_bounds__(THREADS)
    gf_multirate_decimate_any(const struct gf_multirate_params p)
{
    enum { WARPS = THREADS / GF_WARP, PITCH = GF_WARP + 1 };
    GF_SHARED(float, rooms, WARPS *GF_WARP *PITCH);
    float *const room = rooms + gf_warp() * GF_WARP * PITCH;
    const float *const weights = p.weights + gf_multirate_at_decimation(p.step);
    const int64_t taps = 9 * int64_t(p.step) + 1, pieces = (p.grids.wide + GF_WARP - 1) / GF_WARP;
    const int64_t total = pieces * p.grids.source_rows * p.channels;
    for (int64_t n = int64_t(blockIdx.x) * WARPS + gf_warp(); n < total; n += int64_t(gridDim.x) * WARPS) {
        const int64_t row = n / pieces, k0 = (n - row * pieces) * GF_WARP, y = row / p.channels;
        const int32_t c = static_cast<int32_t>(row - y * p.channels);
        float acc = -0.0F;
        for (int64_t first = 0; first < taps; first += GF_WARP) {
            gf_syncwarp(); /* the room is used again */
#pragma unroll 8
            for (int32_t r = 0; r < GF_WARP; r++) {
                const int64_t x = gf_multirate_start(k0 + r, p.step, p.radius) + first + gf_lane();
                room[r * PITCH + gf_lane()] = gf_multirate_sample<S>(p, y, c, x);
            }
            gf_syncwarp();
#pragma unroll 8
            for (int32_t j = 0; j < GF_WARP; j++) {
                if (first + j < taps) {
                    acc = gf_multirate_tap(weights[first + j], room[gf_lane() * PITCH + j], acc);
                }
            }
        }
        if (k0 + gf_lane() < p.grids.wide) {
            p.across[row * p.line + k0 + gf_lane()] = acc;
        }
    }
}

template <class S, int STEP>
static gf_status gf_decimate_launch(const struct gf_multirate_params &p, const float *host,
                                    cudaStream_t stream, gf_error *error)
{
    const int64_t rows = p.grids.source_rows * p.channels;
    struct gf_launch launch = {};
    launch.block = dim3(THREADS);
    launch.stream = stream;
    if constexpr (STEP == 0) {
        const int64_t warps = (p.grids.wide + GF_WARP - 1) / GF_WARP * rows, a_block = THREADS / GF_WARP;
        launch.grid = dim3(gf_blocks(warps < BLOCKS * a_block ? warps : BLOCKS * a_block, a_block));
        GF_CUDA_TRY(error, GF_LAUNCH(gf_multirate_decimate_any<S>, launch, p));
    } else {
        struct gf_decimation_taps taps = {};
        const int64_t blocks = (p.grids.wide + OUTPUTS * THREADS - 1) / (OUTPUTS * THREADS) * rows;
        memcpy(taps.weight, host + gf_multirate_at_decimation(STEP), sizeof(float) * (9 * STEP + 1));
        launch.grid = dim3(gf_blocks(blocks < BLOCKS ? blocks : int64_t(BLOCKS), 1));
        GF_CUDA_TRY(error, GF_LAUNCH((gf_multirate_decimate<S, STEP>), launch, p, taps));
    }
    return GF_OK;
}

gf_status gf_multirate_sample_across(const struct gf_multirate_params *p, const float *host,
                                     cudaStream_t stream, gf_error *error)
{
    return gf_multirate_by_step(host, p->step, [&](auto step) {
        constexpr int STEP = decltype(step)::value;
        return p->samples.depth == GF_U8    ? gf_decimate_launch<uint8_t, STEP>(*p, host, stream, error)
               : p->samples.depth == GF_U16 ? gf_decimate_launch<uint16_t, STEP>(*p, host, stream, error)
                                            : gf_decimate_launch<float, STEP>(*p, host, stream, error);
    });
}
