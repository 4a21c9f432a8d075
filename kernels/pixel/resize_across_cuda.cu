/* "resize" of u8 along rows on the GPU (resize_tensor_cuda.cuh). A block makes up to 64 neighbours of 32 rows
 * at a time, and goes down the picture. Two pieces of rows lie in shared memory, one of them on its way; a
 * lane takes words of four samples of one channel out of them. Where a tile needs few steps its weights stay
 * in registers. */
#include "pixel/resize_tensor_cuda.cuh"

enum {
    GF_RESIZE_MOST_TILES = 4, /* of a block, side by side, */
    GF_RESIZE_MOST_ROWS = 32, /* and its rows */
    GF_RESIZE_GROUP = 8,      /* rows of a product */
    GF_RESIZE_HELD = 3        /* steps whose weights registers hold */
};

/* What a block has: tiles side by side; rows; steps of a tile at most; words from row to row of a piece, and
 * of what is made. chunk: bytes that are copied at once. */
struct gf_resize_block {
    int32_t tiles, rows, steps, span, made, chunk;
};

/* Words that a pixel takes until it is stored, in quarters. */
template <int C> constexpr int GF_RESIZE_MADE = C == 3 ? 4 : C;

/* ---- Rows on their way ------------------------------------------------------------------------------------ */

/* Bytes `from` to `to` of the rows from y0 on, into the rows of a piece. */
template <int CHUNK>
GF_DEVICE_FN void gf_resize_fetch(const struct gf_resize_params &p, const struct gf_resize_block &b,
                                  int64_t y0, int64_t from, int64_t to, uint32_t *piece)
{
    const int64_t last = p.first + p.count - 1, whole = p.in_size - p.in_size % CHUNK;
    for (int r = int(gf_warp()); r < b.rows; r += GF_RESIZE_WARPS) {
        const int64_t y = y0 + r < last ? y0 + r : last;
        const char *row = p.in + (y - p.in_first) * p.in_pitch;
        char *words = reinterpret_cast<char *>(piece + r * b.span);
        for (int64_t at = from + CHUNK * gf_lane(); at < to && at < whole; at += CHUNK * GF_WARP) {
            gf_cp_async<CHUNK>(words + (at - from), row + at);
        }
        for (int64_t at = whole + gf_lane(); at < to && at < p.in_size; at += GF_WARP) {
            if (at >= from) {
                words[at - from] = row[at];
            }
        }
    }
}

/* Four pixels of C channels as a word a channel; `at` is where they begin. */
template <int C> GF_DEVICE_FN void gf_resize_split(const uint32_t *at, uint32_t (&word)[C])
{
    if constexpr (C == 1) {
        word[0] = at[0];
    } else if constexpr (C == 2) {
        const uint2 v = gf_load8(at);
        word[0] = gf_byte_perm(v.x, v.y, 0x6420);
        word[1] = gf_byte_perm(v.x, v.y, 0x7531);
    } else if constexpr (C == 3) { /* of rgbr gbrg brgb */
        const uint32_t x = at[0], y = at[1], z = at[2];
        word[0] = gf_byte_perm(gf_byte_perm(x, y, 0x0630), z, 0x5210);
        word[1] = gf_byte_perm(gf_byte_perm(x, y, 0x0741), z, 0x6210);
        word[2] = gf_byte_perm(gf_byte_perm(x, y, 0x0052), z, 0x7410);
    } else {
        const uint4 v = gf_load16(at);
        const uint32_t low0 = gf_byte_perm(v.x, v.y, 0x5140), low1 = gf_byte_perm(v.z, v.w, 0x5140);
        const uint32_t high0 = gf_byte_perm(v.x, v.y, 0x7362), high1 = gf_byte_perm(v.z, v.w, 0x7362);
        word[0] = gf_byte_perm(low0, low1, 0x5410);
        word[1] = gf_byte_perm(low0, low1, 0x7632);
        word[2] = gf_byte_perm(high0, high1, 0x5410);
        word[3] = gf_byte_perm(high0, high1, 0x7632);
    }
}

/* ---- Outputs ---------------------------------------------------------------------------------------------- */

/* A step of eight rows; `at`: this lane's first four pixels. */
template <int C>
GF_DEVICE_FN void gf_resize_step(struct gf_resize_sums (&sums)[C], const gf_resize_weights &w,
                                 const uint32_t *at)
{
    uint32_t low[C], high[C];
    gf_resize_split<C>(at, low);
    gf_resize_split<C>(at + 4 * C, high);
    GF_UNROLL
    for (int c = 0; c < C; c++) {
        gf_resize_add(sums[c], w, low[c], high[c]);
    }
}

/* Where a lane's outputs wait to be stored; row: that of the first. */
template <int C>
GF_DEVICE_FN void gf_resize_keep(const struct gf_resize_block &b, const struct gf_resize_sums (&sums)[C],
                                 int row, int x, unsigned char *made)
{
    GF_UNROLL
    for (int e = 0; e < 4; e++) {
        unsigned char *const to = made + 4 * (row + e % 2) * b.made + (x + e / 2 * 8) * GF_RESIZE_MADE<C>;
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

/* Four words of a row of what was made, as bytes of the picture: C at once, `left` bytes at most. */
template <int C> GF_DEVICE_FN void gf_resize_store(char *to, int64_t left, const uint32_t *made)
{
    constexpr int WORDS = C == 3 ? 3 : 4;
    uint32_t word[WORDS];
    const uint4 v = gf_load16(made);
    if (C == 3) {
        word[0] = gf_byte_perm(v.x, v.y, 0x4210);
        word[1] = gf_byte_perm(v.y, v.z, 0x5421);
        word[2] = gf_byte_perm(v.z, v.w, 0x6542);
    } else {
        word[0] = v.x;
        word[1] = v.y;
        word[2] = v.z;
        word[WORDS - 1] = v.w;
    }
    GF_UNROLL
    for (int i = 0; i < WORDS; i++) {
        if (4 * i + 4 <= left) {
            gf_store4(to + 4 * i, word[i]);
        }
        for (int64_t k = 4 * i; 4 * i + 4 > left && k < left; k++) {
            to[k] = static_cast<char>(word[i] >> (8 * (k - 4 * i)));
        }
    }
}

/* Rows of what was made to where they belong: `size` bytes each, from byte `at` on. */
template <int C>
GF_DEVICE_FN void gf_resize_give(const struct gf_resize_params &p, const struct gf_resize_block &b,
                                 int64_t y0, int64_t at, int32_t size, const uint32_t *made)
{
    constexpr int EACH = C == 3 ? 12 : 16; /* bytes that a thread stores at once */
    const int32_t lanes = b.tiles * GF_RESIZE_TILE * C / EACH;
    const int64_t rows = p.first + p.count - y0;
    for (int32_t i = int32_t(gf_thread()); i < b.rows * lanes; i += GF_RESIZE_THREADS) {
        const int32_t r = i / lanes, k = i % lanes;
        if (r < rows && k * EACH < size) {
            gf_resize_store<C>(p.out + (y0 + r - p.first) * p.out_pitch + at + k * EACH, size - k * EACH,
                               made + r * b.made + 4 * k);
        }
    }
}

/* ---- The kernel ------------------------------------------------------------------------------------------- */

/* HELD: weights are in registers, else in shared memory. */
template <int C, bool HELD>
static __global__ void __launch_bounds__(GF_RESIZE_THREADS, 2)
    gf_resize_across_kernel(const struct gf_resize_params p, const struct gf_resize_block b)
{
    GF_SHARED_DYN(uint32_t, shared); /* two pieces, what is made, weights */
    uint32_t *const made = shared + 2 * b.rows * b.span, *const sides = made + b.rows * b.made;
    const int64_t x0 = int64_t(blockIdx.x) * b.tiles * GF_RESIZE_TILE, end = p.first + p.count;
    const int64_t left = p.outputs - x0, most = int64_t(b.tiles) * GF_RESIZE_TILE;
    const int32_t outputs = static_cast<int32_t>(left < most ? left : most);
    const int group = int(gf_lane()) / 4, pair = int(gf_lane()) % 4, tile = int(gf_warp()) % b.tiles;
    const int64_t first = x0 + tile * GF_RESIZE_TILE;
    const bool mine = first < p.outputs;
    const int64_t last = first + GF_RESIZE_TILE < p.outputs ? first + GF_RESIZE_TILE - 1 : p.outputs - 1;
    const int32_t base = mine ? p.begin[first] / 4 * 4 : 0, steps = mine ? gf_resize_steps(p, last, base) : 0;
    /* bytes of a row that the block needs; past what its outputs are made of, weights are 0 */
    const int32_t tiles = (outputs + GF_RESIZE_TILE - 1) / GF_RESIZE_TILE;
    const int64_t from = int64_t(p.begin[x0] / 4 * 4) * C / b.chunk * b.chunk;
    const int64_t last_base = p.begin[x0 + (tiles - 1) * GF_RESIZE_TILE] / 4 * 4;
    const int64_t to = (last_base + int64_t(b.steps) * GF_RESIZE_STEP) * C;
    gf_resize_weights held[HELD ? GF_RESIZE_HELD : 1];
    if (HELD) {
        GF_UNROLL
        for (int i = 0; i < 4 * GF_RESIZE_HELD; i++) {
            uint32_t word[GF_RESIZE_DIGITS];
            gf_resize_lane_words<0>(p, first, base + i / 4 * GF_RESIZE_STEP, int(gf_lane()), i % 4, word);
            GF_UNROLL
            for (int d = 0; d < GF_RESIZE_DIGITS; d++) {
                held[HELD ? i / 4 : 0][d][i % 4] = word[d];
            }
        }
    } else {
        for (int32_t t = 0; t < tiles; t++) {
            const int64_t at = x0 + t * GF_RESIZE_TILE;
            gf_resize_sides<0>(p, at, p.begin[at] / 4 * 4, b.steps, sides + t * b.steps * GF_RESIZE_SIDE);
        }
    }
    const int64_t stride = int64_t(gridDim.y) * b.rows;
    int which = 0;
    const auto fetch = [&](int64_t y0) {
        if (y0 < end && b.chunk == 16) {
            gf_resize_fetch<16>(p, b, y0, from, to, shared + which * b.rows * b.span);
        } else if (y0 < end) {
            gf_resize_fetch<4>(p, b, y0, from, to, shared + which * b.rows * b.span);
        }
        gf_cp_async_commit();
    };
    fetch(p.first + int64_t(blockIdx.y) * b.rows);
    for (int64_t y0 = p.first + int64_t(blockIdx.y) * b.rows; y0 < end; y0 += stride) {
        const uint32_t *piece = shared + which * b.rows * b.span;
        which = 1 - which;
        fetch(y0 + stride);
        gf_cp_async_wait<1>();
        __syncthreads();
        for (int row = int(gf_warp()) / b.tiles * GF_RESIZE_GROUP; mine && row < b.rows;
             row += GF_RESIZE_WARPS / b.tiles * GF_RESIZE_GROUP) {
            const uint32_t *at = piece + (row + group) * b.span + (int64_t(base) * C - from) / 4 + pair * C;
            struct gf_resize_sums sums[C] = {};
            if (HELD) {
                GF_UNROLL
                for (int s = 0; s < GF_RESIZE_HELD; s++) {
                    if (s < steps) {
                        gf_resize_step<C>(sums, held[HELD ? s : 0], at + s * (GF_RESIZE_STEP / 4) * C);
                    }
                }
            } else {
                for (int32_t s = 0; s < steps; s++) {
                    gf_resize_weights w;
                    gf_resize_side(sides + tile * b.steps * GF_RESIZE_SIDE, s, w);
                    gf_resize_step<C>(sums, w, at + s * (GF_RESIZE_STEP / 4) * C);
                }
            }
            gf_resize_keep<C>(b, sums, row + 2 * pair, tile * GF_RESIZE_TILE + group,
                              reinterpret_cast<unsigned char *>(made));
        }
        __syncthreads();
        gf_resize_give<C>(p, b, y0, x0 * C, outputs * C, made);
    }
}

/* ---- Host ------------------------------------------------------------------------------------------------- */

/* n or more of which n mod `every` is `rest`. */
static int32_t gf_resize_apart(int64_t n, int32_t every, int32_t rest)
{
    return static_cast<int32_t>((n - rest + every - 1) / every * every + rest);
}

/* Bytes of shared memory of a block of so many tiles and rows. Rows are apart such that a warp's reads, and
 * its writes, go to different banks. */
static size_t gf_resize_shared(const struct gf_resize_params &p, bool *held, struct gf_resize_block *b)
{
    const double scale = static_cast<double>(p.in_size / p.channels) / static_cast<double>(p.outputs);
    b->steps = gf_resize_most_steps(p, scale, 3);
    const int64_t samples = static_cast<int64_t>((b->tiles - 1) * GF_RESIZE_TILE * scale) + 6 +
                            int64_t(b->steps) * GF_RESIZE_STEP;
    b->span = gf_resize_apart((samples * p.channels + b->chunk) / 4 + 1, 32, 4 * p.channels);
    b->made =
        gf_resize_apart(int64_t(b->tiles) * GF_RESIZE_TILE * (p.channels == 3 ? 4 : p.channels) / 4, 16, 4);
    *held = b->steps <= GF_RESIZE_HELD;
    const size_t sides =
        *held ? 0 : static_cast<size_t>(b->tiles) * static_cast<size_t>(b->steps) * GF_RESIZE_SIDE;
    return sizeof(uint32_t) *
           (static_cast<size_t>(b->rows) * (2 * static_cast<size_t>(b->span) + static_cast<size_t>(b->made)) +
            sides);
}

template <int C>
static cudaError_t gf_resize_across(const struct gf_resize_params &p, const struct gf_resize_block &b,
                                    bool held, const struct gf_launch &launch)
{
    return held ? GF_LAUNCH((gf_resize_across_kernel<C, true>), launch, p, b)
                : GF_LAUNCH((gf_resize_across_kernel<C, false>), launch, p, b);
}

bool gf_resize_across_launch(const struct gf_resize_params &p, cudaStream_t stream, cudaError_t *status)
{
    const uint64_t places = reinterpret_cast<uint64_t>(p.in) | static_cast<uint64_t>(p.in_pitch);
    struct gf_resize_block b = {GF_RESIZE_MOST_TILES,     GF_RESIZE_MOST_ROWS, 0, 0, 0,
                                places % 16 == 0 ? 16 : 4};
    bool held;
    if (p.taps > GF_RESIZE_MOST_TAPS) {
        return false;
    }
    while (b.tiles > 1 && gf_resize_shared(p, &held, &b) > GF_RESIZE_MOST_SHARED) {
        b.tiles /= 2;
    }
    while (b.rows > GF_RESIZE_GROUP && gf_resize_shared(p, &held, &b) > GF_RESIZE_MOST_SHARED) {
        b.rows /= 2;
    }
    struct gf_launch launch = {};
    launch.stream = stream;
    launch.block = dim3(GF_RESIZE_THREADS);
    launch.shared = gf_resize_shared(p, &held, &b);
    if (launch.shared > GF_RESIZE_MOST_SHARED) {
        return false;
    }
    const unsigned across = gf_blocks(p.outputs, int64_t(b.tiles) * GF_RESIZE_TILE);
    const unsigned down = gf_blocks(p.count, b.rows), room = 2 * static_cast<unsigned>(p.processors) / across;
    launch.grid = dim3(across, down < room ? down : room > 0 ? room : 1);
    *status = p.channels == 1   ? gf_resize_across<1>(p, b, held, launch)
              : p.channels == 2 ? gf_resize_across<2>(p, b, held, launch)
              : p.channels == 3 ? gf_resize_across<3>(p, b, held, launch)
                                : gf_resize_across<4>(p, b, held, launch);
    return true;
}
