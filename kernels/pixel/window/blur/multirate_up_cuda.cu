/* The last kernel of a Gaussian of a large sigma: rows of coarse samples to rows of the picture, post program
 * on the way. */
#include "pixel/cuda/store_cuda.cuh"
#include "pixel/window/blur/multirate_cuda.cuh"

enum {
    THREADS = GF_MULTIRATE_THREADS,
    BLOCKS = 1 << 20,
    ROWS = 8 /* rows in which a thread interpolates the same pixels */
};

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
        gf_store8(row + x, make_uint2(gf_u8_word(v), gf_u8_word(v + 4)), GF_STREAM);
    } else {
        gf_store16(row + 2 * x,
                   make_uint4(gf_u16_word(v), gf_u16_word(v + 2), gf_u16_word(v + 4), gf_u16_word(v + 6)),
                   GF_STREAM);
    }
}

/* The place of a thread's pixels: from x on, in rows y to end - 1, right of coarse sample k. */
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
            gf_program_run<CM, 4, (CM > 1)>(a, a.post, place, v);
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
    gf_interpolation_taps<STEP> taps = {};
    gf_launch launch =
        gf_launch_on(stream, gf_blocks(blocks < BLOCKS ? blocks : int64_t(BLOCKS), 1), THREADS);
    if (STEP > 0) {
        memcpy(taps.weight, host, sizeof taps);
    }
    const bool wide = gf_allows_wide_stores(&a.out, 4);
    GF_CUDA_TRY(error, GF_LAUNCH((gf_multirate_interpolate<CM, STEP>), launch, a, p, taps, wide,
                                 gf_multirate_store_of(a, wide)));
    return GF_OK;
}

gf_status gf_multirate_interpolate_across(const struct gf_pass_args *a, const struct gf_multirate_params *p,
                                          const float *host, cudaStream_t stream, gf_error *error)
{
    if (p->channels > 1 || gf_program_most(&a->post) > 1 || !gf_program_is_common(&a->post)) {
        return gf_interpolate_launch<4, 0>(*a, *p, host, stream, error);
    }
    return gf_multirate_by_step(
        host, p->step, [&](auto step) { /* of more pixels, stores lie too far apart */
                                        return gf_interpolate_launch < 1,
                                               decltype(step)::value <= 8 ? decltype(step)::value
                                                                          : 0 > (*a, *p, host, stream, error);
        });
}
