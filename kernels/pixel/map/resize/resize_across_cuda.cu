/* "resize" of u8 along rows on the GPU (resize_tensor_cuda.cuh). A block has sixteen neighbours of each row,
 * and goes down the picture; a warp makes eight rows of them at a time, while copies bring the next ones into
 * its part of shared memory. A lane takes words of four samples of one channel out of them. Warps do not wait
 * for each other. Where a tile needs few steps its weights stay in registers. */
#include "pixel/map/resize/resize_copies_cuda.cuh"
#include "pixel/map/resize/resize_split_cuda.cuh"
#include "pixel/map/resize/resize_tensor_cuda.cuh"

enum {
    GF_RESIZE_GROUP = 8,  /* rows of a product */
    GF_RESIZE_HELD = 3,   /* steps whose weights registers hold */
    GF_RESIZE_STAGES = 3, /* groups of rows in shared memory, all but one of them on their way */
    GF_RESIZE_LANES = 16  /* that copy a row */
};

/* Words of shared memory of a warp: from row to row of what is copied, such that a warp's reads go to
 * different banks; and all in all. chunk: bytes that are copied at once. */
struct gf_resize_own {
    int32_t span, all, chunk;
};

/* Bytes of a pixel until it is stored, and words from row to row of these. */
template <int C> constexpr int GF_RESIZE_BYTES = C == 3 ? 4 : C;
template <int C> constexpr int GF_RESIZE_MADE = GF_RESIZE_TILE *GF_RESIZE_BYTES<C> / 4 + 4;

/* Eight rows, as far as there are n; `from`: in the first of them that the lane copies. */
template <int CHUNK>
GF_DEVICE_FN void gf_resize_fetch(const struct gf_resize_copies &c, const char *from, int64_t pitch,
                                  int64_t n, int32_t span, uint32_t *rows)
{
    const int side_by_side = GF_WARP / GF_RESIZE_LANES, first = int(gf_lane()) / GF_RESIZE_LANES;
    char *to = reinterpret_cast<char *>(rows + first * span);
    const int32_t last = n < GF_RESIZE_GROUP ? static_cast<int32_t>(n) : int32_t(GF_RESIZE_GROUP);
    if (c.odd > 0) { /* at the right end of the picture */
#pragma unroll 1
        for (int r = first; r < last; r += side_by_side) {
#pragma unroll 1
            for (int32_t k = c.bytes + c.offset / CHUNK; k < c.bytes + c.odd; k += GF_RESIZE_LANES) {
                to[4 * (r - first) * span + k] = from[(r - first) * pitch + k];
            }
        }
    }
    GF_UNROLL
    for (int r = first; r < first + GF_RESIZE_GROUP; r += side_by_side) {
        if (r < last) {
#pragma unroll 1
            for (int32_t k = c.offset; k < c.bytes; k += CHUNK * GF_RESIZE_LANES) {
                gf_cp_async<CHUNK>(to + k, from + k);
            }
        }
        from += side_by_side * pitch;
        to += side_by_side * 4 * span;
    }
}

/* A step of eight rows; `at`: this lane's first four pixels. */
template <int C, bool WEIGHED>
GF_DEVICE_FN void gf_resize_step(struct gf_resize_sums (&sums)[C], const gf_resize_weights &w,
                                 const uint32_t *at)
{
    uint32_t low[C], high[C];
    gf_resize_split<C, WEIGHED>(at, low);
    gf_resize_split<C, WEIGHED>(at + 4 * C, high);
    GF_UNROLL
    for (int c = 0; c < C; c++) {
        gf_resize_add(sums[c], w, low[c], high[c]);
    }
}

/* Outputs of lanes, two of two rows each, become rows of pixels. */
template <int C> GF_DEVICE_FN void gf_resize_keep(const struct gf_resize_sums (&sums)[C], uint32_t *made)
{
    const int group = int(gf_lane()) / 4, pair = int(gf_lane()) % 4;
    GF_UNROLL
    for (int e = 0; e < 4; e++) {
        unsigned char *const row =
            reinterpret_cast<unsigned char *>(made + (2 * pair + e % 2) * GF_RESIZE_MADE<C>);
        unsigned char *const to = row + (group + e / 2 * 8) * GF_RESIZE_BYTES<C>;
        const uint32_t pixel = gf_pack_u8(gf_resize_whole(sums[0], e), gf_resize_whole(sums[1 % C], e),
                                          gf_resize_whole(sums[2 % C], e), gf_resize_whole(sums[3 % C], e));
        if (C == 1) {
            *to = static_cast<unsigned char>(pixel);
        } else if (C == 2) {
            *reinterpret_cast<uint16_t *>(to) = static_cast<uint16_t>(pixel);
        } else {
            *reinterpret_cast<uint32_t *>(to) = pixel;
        }
    }
}

/* Four pixels a lane to where they belong: rows from y0 on, outputs from x0 on. */
template <int C>
GF_DEVICE_FN void gf_resize_give(const struct gf_resize_params &p, int64_t y0, int64_t x0,
                                 const uint32_t *made)
{
    const int row = int(gf_lane()) / 4, pixel = int(gf_lane()) % 4 * 4;
    const uint32_t *from = made + row * GF_RESIZE_MADE<C> + pixel * GF_RESIZE_BYTES<C> / 4;
    char *to = p.out + (y0 + row - p.first) * p.out_pitch + (x0 + pixel) * C;
    const int64_t left = (p.outputs - x0 - pixel) * C;
    if (y0 + row >= p.first + p.count) {
        return;
    }
    if constexpr (C == 3) {
        const uint4 v = gf_load16(from);
        gf_resize_put(to, left, gf_byte_perm(v.x, v.y, 0x4210));
        gf_resize_put(to + 4, left - 4, gf_byte_perm(v.y, v.z, 0x5421));
        gf_resize_put(to + 8, left - 8, gf_byte_perm(v.z, v.w, 0x6542));
    } else {
        GF_UNROLL
        for (int i = 0; i < C; i++) {
            gf_resize_put(to + 4 * i, left - 4 * i, from[i]);
        }
    }
}

/* HELD: weights are in registers, else in shared memory. WEIGHED: colour counts times alpha. */
template <int C, bool HELD, bool WEIGHED>
static __global__ void __launch_bounds__(GF_WARP *GF_RESIZE_MOST_WARPS, 2)
    gf_resize_across_kernel(const struct gf_resize_params p, const struct gf_resize_own o, int32_t most)
{
    GF_SHARED_DYN(uint32_t, sides); /* of `most` steps, unless they are held; then what the warps own */
    uint32_t *const own = sides + (HELD ? 0 : most * GF_RESIZE_SIDE) + int(gf_warp()) * o.all;
    uint32_t *const made = own + GF_RESIZE_STAGES * GF_RESIZE_GROUP * o.span;
    const int64_t x0 = int64_t(blockIdx.x) * GF_RESIZE_TILE, end = p.first + p.count;
    const int64_t last = x0 + GF_RESIZE_TILE < p.outputs ? x0 + GF_RESIZE_TILE - 1 : p.outputs - 1;
    const int32_t base = p.begin[x0] / 4 * 4, steps = gf_resize_steps(p, last, base);
    const int64_t from = int64_t(base) * C / o.chunk * o.chunk,
                  to = (int64_t(base) + steps * GF_RESIZE_STEP) * C;
    gf_pdl_launch(); /* the kernel down may make its weights meanwhile */
    gf_resize_weights held[HELD ? GF_RESIZE_HELD : 1];
    if (HELD) {
        GF_UNROLL
        for (int i = 0; i < 4 * GF_RESIZE_HELD; i++) {
            uint32_t word[GF_RESIZE_DIGITS];
            gf_resize_lane_words<0>(p, x0, base + i / 4 * GF_RESIZE_STEP, int(gf_lane()), i % 4, word);
            GF_UNROLL
            for (int d = 0; d < GF_RESIZE_DIGITS; d++) {
                held[HELD ? i / 4 : 0][d][i % 4] = word[d];
            }
        }
    } else {
        (void)gf_resize_sides<0>(p, x0, base, steps, sides);
    }
    const int64_t warps = blockDim.x / GF_WARP, stride = GF_RESIZE_GROUP * warps * gridDim.y;
    const int64_t y_first = p.first + GF_RESIZE_GROUP * (blockIdx.y * warps + gf_warp());
    const struct gf_resize_copies copies =
        gf_resize_find(p, o.chunk, int32_t(gf_lane()) % GF_RESIZE_LANES, from, to);
    const char *in = p.in + (y_first + int(gf_lane()) / GF_RESIZE_LANES - p.in_first) * p.in_pitch + from;
    const auto fetch = [&](int64_t y0, int stage) {
        uint32_t *rows = own + stage * GF_RESIZE_GROUP * o.span;
        if (o.chunk == 16) {
            gf_resize_fetch<16>(copies, in, p.in_pitch, end - y0, o.span, rows);
        } else {
            gf_resize_fetch<4>(copies, in, p.in_pitch, end - y0, o.span, rows);
        }
        gf_cp_async_commit();
        in += stride * p.in_pitch;
    };
    for (int i = 0; i < GF_RESIZE_STAGES - 1; i++) {
        fetch(y_first + i * stride, i);
    }
    const int lane_at = int(gf_lane()) / 4 * o.span + static_cast<int>((int64_t(base) * C - from) / 4) +
                        int(gf_lane()) % 4 * C;
    int stage = 0;
    for (int64_t y0 = y_first; y0 < end; y0 += stride) {
        struct gf_resize_sums sums[C];
        GF_UNROLL
        for (int c = 0; c < C; c++) {
            gf_resize_begin(sums[c]);
        }
        fetch(y0 + (GF_RESIZE_STAGES - 1) * stride, (stage + GF_RESIZE_STAGES - 1) % GF_RESIZE_STAGES);
        gf_cp_async_wait<GF_RESIZE_STAGES - 1>();
        gf_syncwarp();
        const uint32_t *at = own + stage * GF_RESIZE_GROUP * o.span + lane_at;
        if (HELD) {
            GF_UNROLL
            for (int s = 0; s < GF_RESIZE_HELD; s++) {
                if (s < steps) {
                    gf_resize_step<C, WEIGHED>(sums, held[HELD ? s : 0], at + s * (GF_RESIZE_STEP / 4) * C);
                }
            }
        } else {
            for (int32_t s = 0; s < steps; s++) {
                gf_resize_weights w;
                gf_resize_side<0>(sides, s, w);
                gf_resize_step<C, WEIGHED>(sums, w, at + s * (GF_RESIZE_STEP / 4) * C);
            }
        }
        gf_resize_keep<C>(sums, made);
        gf_syncwarp(); /* and the rows have been read */
        gf_resize_give<C>(p, y0, x0, made);
        stage = (stage + 1) % GF_RESIZE_STAGES;
    }
}

template <int C, bool WEIGHED>
static cudaError_t gf_resize_across(const struct gf_resize_params &p, const struct gf_resize_own &o,
                                    int32_t most, const struct gf_launch &launch)
{
    return most <= GF_RESIZE_HELD
               ? GF_LAUNCH((gf_resize_across_kernel<C, true, WEIGHED>), launch, p, o, most)
               : GF_LAUNCH((gf_resize_across_kernel<C, false, WEIGHED>), launch, p, o, most);
}

bool gf_resize_across_launch(const struct gf_resize_params &p, cudaStream_t stream, cudaError_t *status)
{
    const double scale = static_cast<double>(p.in_size / p.channels) / static_cast<double>(p.outputs);
    const uint64_t places = reinterpret_cast<uint64_t>(p.in) | static_cast<uint64_t>(p.in_pitch);
    if (p.taps > GF_RESIZE_MOST_TAPS) {
        return false;
    }
    const int32_t most = gf_resize_most_steps(p, scale, 3), apart = 4 * p.channels,
                  bytes = p.channels == 3 ? 4 : p.channels;
    struct gf_resize_own o = {0, 0, places % 16 == 0 ? 16 : 4};
    const int32_t words = (most * GF_RESIZE_STEP * p.channels + o.chunk) / 4;
    o.span = (words - apart + 31) / 32 * 32 + apart; /* a pixel's words times 4, mod 32 */
    o.all = GF_RESIZE_GROUP * (GF_RESIZE_STAGES * o.span + GF_RESIZE_TILE * bytes / 4 + 4);
    const size_t sides = most <= GF_RESIZE_HELD ? 0 : static_cast<size_t>(most) * GF_RESIZE_SIDE;
    const unsigned warps = gf_resize_warps(static_cast<size_t>(o.all), sides);
    if (warps == 0) {
        return false;
    }
    const unsigned across = gf_blocks(p.outputs, GF_RESIZE_TILE),
                   down = gf_blocks(p.count, int64_t(GF_RESIZE_GROUP) * warps);
    const unsigned room = 2 * static_cast<unsigned>(p.processors) / across;
    gf_launch launch = gf_launch_on(stream,
                                    dim3(across, down < room ? down
                                                 : room > 0  ? room
                                                             : 1),
                                    GF_WARP * warps);
    launch.shared = sizeof(uint32_t) * (warps * static_cast<size_t>(o.all) + sides);
    if (p.weighed) {
        *status = p.channels == 2 ? gf_resize_across<2, true>(p, o, most, launch)
                                  : gf_resize_across<4, true>(p, o, most, launch);
        return true;
    }
    *status = p.channels == 1   ? gf_resize_across<1, false>(p, o, most, launch)
              : p.channels == 2 ? gf_resize_across<2, false>(p, o, most, launch)
              : p.channels == 3 ? gf_resize_across<3, false>(p, o, most, launch)
                                : gf_resize_across<4, false>(p, o, most, launch);
    return true;
}
