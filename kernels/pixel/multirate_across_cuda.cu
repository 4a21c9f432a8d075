/* The first and the last kernel of a Gaussian of a large sigma: along rows, between picture and coarse grid.
 */
#include "pixel/multirate_cuda.cuh"
#include "pixel/store_cuda.cuh"

enum {
    THREADS = GF_MULTIRATE_THREADS,
    OUTPUTS = 4, /* neighbouring coarse samples of a thread */
    BLOCKS = 1 << 20,
    ROWS = 8 /* rows in which a thread interpolates the same pixels */
};

/* ---- sampled down ------------------------------------------------------------------------------------- */

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
 * of four steps, the gaps between them spread the threads over the banks; weights are constants to the
 * compiler's unrolled loops. Block b of `step` pixels belongs to the taps b - m of sample m. */
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

template <class S>
static gf_status gf_decimate_step(const struct gf_multirate_params &p, const float *host, cudaStream_t stream,
                                  gf_error *error)
{
    switch (host ? p.step : 0) {
    case 4:
        return gf_decimate_launch<S, 4>(p, host, stream, error);
    case 8:
        return gf_decimate_launch<S, 8>(p, host, stream, error);
    case 16:
        return gf_decimate_launch<S, 16>(p, host, stream, error);
    default:
        return gf_decimate_launch<S, 0>(p, host, stream, error);
    }
}

gf_status gf_multirate_sample_across(const struct gf_multirate_params *p, const float *host,
                                     cudaStream_t stream, gf_error *error)
{
    return p->samples.depth == GF_U8    ? gf_decimate_step<uint8_t>(*p, host, stream, error)
           : p->samples.depth == GF_U16 ? gf_decimate_step<uint16_t>(*p, host, stream, error)
                                        : gf_decimate_step<float>(*p, host, stream, error);
}

/* ---- sampled up --------------------------------------------------------------------------------------- */

/* Four pixels of a channel from the ten coarse samples around them. weights: of the four, 4 apart by tap. */
template <class W>
GF_DEVICE_FN void gf_multirate_quad(W &&weight, const float (&near)[GF_MULTIRATE_TAPS], float *v)
{
#pragma unroll
    for (int i = 0; i < 4; i++) {
        v[i] = -0.0F;
#pragma unroll
        for (int j = 0; j < GF_MULTIRATE_TAPS; j++) {
            v[i] = gf_multirate_tap(weight(j, i), near[j], v[i]);
        }
    }
}

/* How whole warps store: by the program and pixel by pixel, or eight plain f32, u16 or u8 a lane. */
enum gf_multirate_store { GF_STORE_ANY, GF_STORE_F32, GF_STORE_U16, GF_STORE_U8 };

static enum gf_multirate_store gf_multirate_store_of(const struct gf_pass_args &a, bool wide)
{
    const struct gf_insn &first = a.post.insn[0];
    const bool rounds = a.post.n == 1 && first.code == GF_INSN_QUANTISE && first.roi == GF_NONE &&
                        (first.mask & 1) != 0 && first.depth == a.out.depth;
    if (!wide || a.out.channels != 1) {
        return GF_STORE_ANY;
    }
    if (a.out.depth == GF_F32) {
        return a.post.n == 0 ? GF_STORE_F32 : GF_STORE_ANY;
    }
    return !rounds || !gf_is_aligned(&a.out, 16) ? GF_STORE_ANY
           : a.out.depth == GF_U16               ? GF_STORE_U16
                                                 : GF_STORE_U8;
}

/* Eight f32 of every lane. A lane stores one half of its own and one of its neighbour's, so that both write
 * whole sectors. */
GF_DEVICE_FN void gf_multirate_store_f32(float *to, const float (&v)[8])
{
    const bool odd = gf_lane() % 2 != 0;
    uint32_t first[4], second[4];
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const uint32_t low = gf_float_bits(gf_canonical(v[i])), high = gf_float_bits(gf_canonical(v[4 + i]));
        const uint32_t other = gf_shfl_xor(odd ? low : high, 1);
        first[i] = odd ? other : low;
        second[i] = odd ? high : other;
    }
    float *const pair = odd ? to - 4 : to;
    gf_store16(pair, make_uint4(first[0], first[1], first[2], first[3]), GF_STREAM);
    gf_store16(pair + 8, make_uint4(second[0], second[1], second[2], second[3]), GF_STREAM);
}

/* Row y of the picture from pixel x of this lane on. */
template <int STORE>
GF_DEVICE_FN void gf_multirate_store8(const struct gf_surface &out, int64_t x, int64_t y, const float (&v)[8])
{
    unsigned char *const row = out.data + y * out.pitch;
    if constexpr (STORE == GF_STORE_F32) {
        gf_multirate_store_f32(reinterpret_cast<float *>(row) + x, v);
    } else if constexpr (STORE == GF_STORE_U8) {
        gf_store8(row + x,
                  make_uint2(gf_pack4(gf_quantise_u8(v[0]), gf_quantise_u8(v[1]), gf_quantise_u8(v[2]),
                                      gf_quantise_u8(v[3])),
                             gf_pack4(gf_quantise_u8(v[4]), gf_quantise_u8(v[5]), gf_quantise_u8(v[6]),
                                      gf_quantise_u8(v[7]))),
                  GF_STREAM);
    } else {
        uint32_t words[4];
#pragma unroll
        for (int i = 0; i < 4; i++) {
            words[i] = gf_quantise_u16(v[2 * i]) | uint32_t(gf_quantise_u16(v[2 * i + 1])) << 16;
        }
        gf_store16(row + 2 * x, make_uint4(words[0], words[1], words[2], words[3]), GF_STREAM);
    }
}

/* Where a thread's pixels lie: from x on, in rows y to end - 1, right of coarse sample k. */
struct gf_multirate_place {
    int64_t x, y, end, k;
};

/* Whole warps of eight pixels a lane, of one channel. The next row is loaded while one is summed. */
template <int STORE>
GF_DEVICE_FN void gf_multirate_rows8(const struct gf_surface &out, const struct gf_multirate_params &p,
                                     const struct gf_interpolation_taps<8> &taps,
                                     const struct gf_multirate_place &at)
{
    const float *coarse = p.rows + at.y * p.grids.narrow + at.k;
    float next[GF_MULTIRATE_TAPS];
#pragma unroll
    for (int j = 0; j < GF_MULTIRATE_TAPS; j++) {
        next[j] = coarse[j];
    }
    for (int64_t y = at.y; y < at.end; y++) {
        float near[GF_MULTIRATE_TAPS], v[8];
        coarse += y + 1 < at.end ? p.grids.narrow : 0;
#pragma unroll
        for (int j = 0; j < GF_MULTIRATE_TAPS; j++) {
            near[j] = next[j];
            next[j] = coarse[j];
        }
        gf_multirate_quad([&](int j, int i) { return taps.weight[j][i]; }, near, v);
        gf_multirate_quad([&](int j, int i) { return taps.weight[j][4 + i]; }, near, v + 4);
        gf_multirate_store8<STORE>(out, at.x, y, v);
    }
}

/* Any channels, program and picture. */
template <int CM, int STEP>
GF_DEVICE_FN void gf_multirate_rows(const struct gf_pass_args &a, const struct gf_multirate_params &p,
                                    const struct gf_interpolation_taps<STEP> &taps, bool wide,
                                    const struct gf_multirate_place &at)
{
    const int64_t line = p.channels * p.grids.narrow;
    const float *coarse = p.rows + at.y * line + at.k;
    float own[GF_MULTIRATE_TAPS][4] = {};
#pragma unroll
    for (int j = 0; j < GF_MULTIRATE_TAPS && STEP == 0; j++) {
        const uint4 bits = gf_load16(p.weights + int64_t(j) * p.step + (at.x - at.k * p.step));
        memcpy(own[j], &bits, sizeof bits);
    }
    for (int64_t y = at.y; y < at.end; y++, coarse += line) {
        float near[CM][GF_MULTIRATE_TAPS];
#pragma unroll
        for (int c = 0; c < CM; c++) {
#pragma unroll
            for (int j = 0; j < GF_MULTIRATE_TAPS; j++) {
                near[c][j] = c < p.channels ? coarse[c * p.grids.narrow + j] : 0.0F;
            }
        }
#pragma unroll
        for (int q = 0; q < (STEP == 0 ? 4 : STEP); q += 4) {
            const struct gf_place place = {at.x + q, 1, y};
            float v[CM][4];
            if (place.x >= p.width) {
                continue;
            }
#pragma unroll
            for (int c = 0; c < CM; c++) {
                gf_multirate_quad(
                    [&](int j, int i) {
                        return STEP == 0 ? own[j][i] : taps.weight[j][STEP == 0 ? 0 : q + i];
                    },
                    near[c], v[c]);
            }
            gf_program_run<CM, 4>(a, a.post, p.samples, place, v);
            gf_pixels_store_wide<CM, 4>(a, wide, place, v);
        }
    }
}

/* A thread has the pixels between two coarse samples, in ROWS rows; where STEP is 0 four of them, whose
 * weights stay in registers. */
template <int CM, int STEP>
static __global__ void __launch_bounds__(THREADS)
    gf_multirate_interpolate(const struct gf_pass_args a, const struct gf_multirate_params p,
                             const struct gf_interpolation_taps<STEP> taps, bool wide,
                             enum gf_multirate_store store)
{
    enum { PIXELS = STEP == 0 ? 4 : STEP };
    const int64_t groups = (p.width + PIXELS - 1) / PIXELS, pieces = (groups + THREADS - 1) / THREADS;
    const int64_t bands = (p.height + ROWS - 1) / ROWS;
    for (int64_t n = blockIdx.x; n < pieces * bands; n += gridDim.x) {
        const int64_t band = n / pieces, x = ((n - band * pieces) * THREADS + threadIdx.x) * PIXELS;
        const int64_t end = band * ROWS + ROWS < p.height ? band * ROWS + ROWS : p.height;
        const struct gf_multirate_place at = {x, band * ROWS, end, STEP == 0 ? x / p.step : x / PIXELS};
        if constexpr (CM == 1 && STEP == 8) {
            if (gf_all(x + PIXELS <= p.width) && store != GF_STORE_ANY) {
                switch (store) {
                case GF_STORE_F32:
                    gf_multirate_rows8<GF_STORE_F32>(a.out, p, taps, at);
                    break;
                case GF_STORE_U16:
                    gf_multirate_rows8<GF_STORE_U16>(a.out, p, taps, at);
                    break;
                default:
                    gf_multirate_rows8<GF_STORE_U8>(a.out, p, taps, at);
                }
                continue;
            }
        }
        if (x < p.width) {
            gf_multirate_rows<CM, STEP>(a, p, taps, wide, at);
        }
    }
}

template <int CM, int STEP>
static gf_status gf_interpolate_launch(const struct gf_pass_args &a, const struct gf_multirate_params &p,
                                       const float *host, cudaStream_t stream, gf_error *error)
{
    const int64_t pixels = STEP == 0 ? 4 : STEP,
                  pieces = (p.width + pixels * THREADS - 1) / (pixels * THREADS);
    const int64_t blocks = pieces * ((p.height + ROWS - 1) / ROWS);
    struct gf_interpolation_taps<STEP> taps = {
    };
    struct gf_launch launch = {};
    launch.block = dim3(THREADS);
    launch.grid = dim3(gf_blocks(blocks < BLOCKS ? blocks : int64_t(BLOCKS), 1));
    launch.stream = stream;
    if (STEP > 0) {
        memcpy(taps.weight, host, sizeof taps);
    }
    const bool wide = gf_allows_wide_stores(&a.out);
    GF_CUDA_TRY(error, GF_LAUNCH((gf_multirate_interpolate<CM, STEP>), launch, a, p, taps, wide,
                                 gf_multirate_store_of(a, wide)));
    return GF_OK;
}

gf_status gf_multirate_interpolate_across(const struct gf_pass_args *a, const struct gf_multirate_params *p,
                                          const float *host, cudaStream_t stream, gf_error *error)
{
    if (p->channels > 1) {
        return gf_interpolate_launch<4, 0>(*a, *p, host, stream, error);
    }
    switch (host ? p->step : 0) {
    case 4:
        return gf_interpolate_launch<1, 4>(*a, *p, host, stream, error);
    case 8:
        return gf_interpolate_launch<1, 8>(*a, *p, host, stream, error);
    default:
        return gf_interpolate_launch<1, 0>(*a, *p, host, stream, error);
    }
}
