/* Least and greatest samples of rectangles in one read and one write, at a cost that hardly grows with their
 * size.
 *
 * A warp owns 32 chunks of neighbouring samples, a lane each, and marches down a segment of rows, which
 * arrive by asynchronous copies ahead of their turn. Down its columns a lane goes by the blocks of van Herk
 * and of Gil and Werman: a block of rows is kept until all of it is there, then each row becomes the least
 * from it to the block's end; what follows is gathered in registers. Across there are spans of 4, 16, 64
 * pixels from four shorter ones, then the window from at most four of those. A lane has one of the four in
 * its registers, so spans begin where that helps the window, not all at their pixel. The others come from a
 * line of shared memory; spans of 4 bytes from the neighbouring lane. Word i of a lane lies at place i of the
 * lanes, so that neighbouring lanes use neighbouring banks however far they look. Channels are just samples
 * further apart. */
#ifndef GF_PIXEL_MARCH_LEAST_CUDA_CUH
#define GF_PIXEL_MARCH_LEAST_CUDA_CUH

#include "pixel/cuda/march_cuda.cuh"
#include "pixel/window/morphology/least_cuda.cuh"

/* What loads chunks: gf_march_chunk. BYTES of a chunk: 16, or 8 where tall windows of bytes need the memory.
 */
template <class T, int BYTES> struct gf_least_chunk {
    static const int R = 0, RY = 0, ROWS = 1, OUT = 1;
    static const int P = BYTES / static_cast<int>(sizeof(T)), W = BYTES / 4;
    using sample = T;
    using made = T;
};

enum {
    LEVELS = 3,     /* spans of 4, 16, 64 pixels */
    HALO_LANES = 8, /* on each side, at most */
    PAD = 16,       /* words beside a line that lanes at its ends look at, without using them */
    PATCHES = 4,    /* of a lane */
    SIDE = 1 << 30, /* samples of a row, and rows: their numbers fit 32 bits with a window's beside them */
    SLOT_BYTES = 96 << 10 /* of shared memory for a block's warps, at most */
};

/* Says where W words lie that begin some bytes beside a lane's own: places in a line, and a shift. */
template <int W> struct gf_least_term {
    int32_t at[W + 1];
    uint32_t shift; /* bits */
};

template <class CHUNK> struct gf_least_params {
    struct gf_march_params march; /* width: samples */
    int32_t channels, up, down, rows;
    int32_t reach;                 /* samples beside the picture that windows see */
    int32_t halo_left, halo_right; /* lanes */
    int32_t levels, terms;         /* of the window at last, beside a lane's own; 0: a column */
    uint32_t flip;
    uint32_t near; /* windows 3 pixels wide, so many bits apart: neighbours hand over a word; 0: no */
    bool quads;    /* spans of 4 are of bytes, from a lane's own on */
    struct gf_least_term<CHUNK::W> level[LEVELS][3], last[3];
};

/* W words of a lane's own, at one address. */
template <int W> GF_DEVICE_FN void gf_least_load(const unsigned char *from, uint32_t (&words)[W])
{
    if constexpr (W == 2) {
        const uint2 v = gf_load8(from);
        words[0] = v.x, words[1] = v.y;
    } else {
        const uint4 v = gf_load16(from);
        words[0] = v.x, words[1] = v.y, words[2] = v.z, words[3] = v.w;
    }
}
template <int W> GF_DEVICE_FN void gf_least_store(unsigned char *to, const uint32_t (&words)[W], gf_hint hint)
{
    if constexpr (W == 2) {
        gf_store8(to, make_uint2(words[0], words[1]), hint);
    } else {
        gf_store16(to, make_uint4(words[0], words[1], words[2], words[3]), hint);
    }
}

/* Takes words of a line, `line` at the lane's place. whole: the term is some words away. */
template <class T, int W>
GF_DEVICE_FN void gf_least_take(const struct gf_least_term<W> &term, const uint32_t *line, bool whole,
                                struct gf_least_word<T> (&least)[W])
{
    uint32_t low = line[term.at[0]];
#pragma unroll
    for (int i = 0; i < W; i++) {
        if (sizeof(T) == 4 || whole) {
            least[i].take(low);
            low = i < W - 1 ? line[term.at[i + 1]] : 0;
        } else {
            const uint32_t high = line[term.at[i + 1]];
            least[i].take(gf_funnel_right(low, high, term.shift));
            low = high;
        }
    }
}

/* The same for windows 3 pixels wide that are near: the neighbours' words come by shuffles. */
template <class CHUNK> GF_DEVICE_FN void gf_least_across_3(uint32_t near, uint32_t (&words)[CHUNK::W])
{
    constexpr int W = CHUNK::W;
    uint32_t before = gf_shfl_up(words[W - 1], 1);
    const uint32_t behind = gf_shfl_down(words[0], 1);
#pragma unroll
    for (int i = 0; i < W; i++) {
        const uint32_t next = i < W - 1 ? words[i < W - 1 ? i + 1 : i] : behind;
        struct gf_least_word<typename CHUNK::sample> least;
        least.start(words[i]);
        least.take(gf_funnel_right(before, words[i], 32 - near));
        least.take(gf_funnel_right(words[i], next, near + 8 * GF_FAULT(cuda_least_term)));
        before = words[i];
        words[i] = least.word();
    }
}

/* Bytes, each to the least of it and of the three behind it. */
template <class CHUNK> GF_DEVICE_FN void gf_least_quads(uint32_t (&words)[CHUNK::W])
{
    constexpr int W = CHUNK::W;
    const uint32_t behind = gf_shfl_down(words[0], 1);
#pragma unroll
    for (int i = 0; i < W; i++) {
        const uint32_t next = i < W - 1 ? words[i < W - 1 ? i + 1 : i] : behind;
        struct gf_least_word<typename CHUNK::sample> least;
        least.start(words[i]);
#pragma unroll
        for (uint32_t k = 1; k < 4; k++) {
            least.take(gf_funnel_right(words[i], next, 8 * k));
        }
        words[i] = least.word();
    }
}

/* Turns a lane's words of a row into those of the window around each sample across. lines: two, in turn. */
template <class CHUNK>
GF_DEVICE_FN void gf_least_across(const struct gf_least_params<CHUNK> &p, uint32_t *lines, int32_t &turn,
                                  uint32_t (&words)[CHUNK::W])
{
    using T = typename CHUNK::sample;
    constexpr int W = CHUNK::W;
    constexpr int LINE = W * GF_WARP + 2 * PAD;
    if (sizeof(T) == 1 && p.quads) {
        gf_least_quads<CHUNK>(words);
    }
#pragma unroll
    for (int level = 0; level <= LEVELS; level++) {
        const bool last = level == LEVELS;
        if (!last && (level >= p.levels || (level == 0 && p.quads))) {
            continue;
        }
        uint32_t *const line = lines + turn + PAD + gf_lane();
        turn = LINE - turn;
        struct gf_least_word<T> least[W];
#pragma unroll
        for (int i = 0; i < W; i++) {
            line[i * GF_WARP] = words[i];
            least[i].start(words[i]);
        }
        gf_syncwarp();
#pragma unroll
        for (int k = 0; k < 3; k++) {
            if (!last) {
                gf_least_take<T, W>(p.level[level < LEVELS ? level : 0][k], line, level > 0, least);
            } else if (k < p.terms - GF_FAULT(cuda_least_term)) {
                gf_least_take<T, W>(p.last[k], line, false, least);
            }
        }
#pragma unroll
        for (int i = 0; i < W; i++) {
            words[i] = least[i].word();
        }
    }
}

/* The columns of a lane: a block of rows in shared memory, and what was gathered since. */
template <class T, int W> struct gf_least_columns_state {
    unsigned char *slots;                         /* the lane's words of the first */
    int32_t rows, slot;                           /* of a block; where the next row goes */
    struct gf_least_word<T> gathered[W], last[W]; /* of 3 rows: the two last, and the last */

    /* Each row of a block that is complete becomes the least from it to the end. words: the last; then the
     * first. */
    __device__ __forceinline__ void end_block(uint32_t (&words)[W])
    {
        constexpr int LINE = W * 4 * GF_WARP;
        struct gf_least_word<T> least[W];
#pragma unroll
        for (int i = 0; i < W; i++) {
            least[i].start(words[i]);
        }
        unsigned char *row = slots + rows * LINE;
#pragma unroll 4
        for (int32_t k = rows - 2; k >= 0; k--) {
            row = slots + k * LINE;
            gf_least_load<W>(row, words);
#pragma unroll
            for (int i = 0; i < W; i++) {
                least[i].take(words[i]);
                words[i] = least[i].word();
            }
            gf_least_store<W>(row, words, GF_CACHED);
        }
    }

    /* A row of keys comes; then words are the least of the last 3. */
    __device__ __forceinline__ void take_of_3(uint32_t (&words)[W])
    {
#pragma unroll
        for (int i = 0; i < W; i++) {
            struct gf_least_word<T> now;
            now.start(words[i]);
            gathered[i].take(now);
            words[i] = gathered[i].word();
            last[i].take(now);
            gathered[i] = last[i];
            last[i] = now;
        }
    }

    /* A row of keys comes; then words are the least of the last `rows` rows, once there were so many. */
    __device__ __forceinline__ void take(uint32_t (&words)[W])
    {
        constexpr int LINE = W * 4 * GF_WARP;
        unsigned char *const here = slots + slot * LINE;
        gf_least_store<W>(here, words, GF_CACHED);
        if (slot == rows - 1) {
            end_block(words);
            slot = 0;
            return;
        }
        uint32_t begun[W];
        gf_least_load<W>(here + LINE, begun);
#pragma unroll
        for (int i = 0; i < W; i++) {
            if (slot == 0) {
                gathered[i].start(words[i]);
            } else {
                gathered[i].take(words[i]);
            }
            struct gf_least_word<T> both = gathered[i];
            both.take(begun[i]);
            words[i] = both.word();
        }
        slot++;
    }
};

/* Stores as many samples as are live. */
template <class T, int W>
GF_DEVICE_FN void gf_least_put(unsigned char *to, int32_t live, bool wide, const uint32_t (&words)[W])
{
    if (wide) {
        gf_least_store<W>(to, words, GF_STREAM);
        return;
    }
#pragma unroll
    for (int i = 0; i < 4 * W; i++) {
        if (i < live * int(sizeof(T))) {
            to[i] = static_cast<unsigned char>(words[i / 4] >> (i % 4 * 8));
        }
    }
}

template <class CHUNK>
static __global__ void __launch_bounds__(GF_MARCH_THREADS)
    gf_march_least(const struct gf_least_params<CHUNK> p)
{
    using chunk = CHUNK;
    using T = typename CHUNK::sample;
    constexpr int W = chunk::W, P = chunk::P, LINE = W * 4 * GF_WARP;
    constexpr int AHEAD = gf_march_shape<chunk>::ahead, RING = AHEAD + 2;
    constexpr bool LOW = LINE == 16 * GF_WARP; /* windows may be: the others are for tall ones */
    GF_SHARED_DYN(unsigned char, rings);
    GF_SHARED(uint32_t, all_lines, GF_MARCH_WARPS * 2 * (W * GF_WARP + 2 * PAD));
    GF_SHARED(int32_t, all_columns, GF_MARCH_WARPS * GF_WARP * P);
    const struct gf_march_params &m = p.march;
    const int32_t lane = static_cast<int32_t>(gf_lane()), warp = static_cast<int32_t>(gf_warp());
    const int32_t warps = static_cast<int32_t>(blockDim.x / GF_WARP),
                  inner = GF_WARP - p.halo_left - p.halo_right;
    const int64_t strip = (int64_t(blockIdx.x) * warps + warp) * inner * P;
    if (strip >= m.width) {
        return;
    }
    const int32_t first_x = static_cast<int32_t>(strip) - p.halo_left * P;
    const int32_t y0 = gf_segment_first(m.segments, static_cast<int32_t>(blockIdx.y));
    const int32_t y1 = gf_segment_end(m.segments, static_cast<int32_t>(blockIdx.y), y0, m.height);
    const int32_t first = y0 - p.up + (GF_FAULT(cuda_segment_seam) && y0 > 0), last = y1 - 1 + p.down;
    unsigned char *line = rings + warp * ((RING + p.rows) * LINE);
    int32_t *const columns = all_columns + warp * GF_WARP * P;
    uint32_t *const lines = all_lines + warp * 2 * (W * GF_WARP + 2 * PAD);
    gf_march_columns<chunk>(m, first_x, columns, p.channels);
    struct gf_march_chunk<chunk> own(m, line, columns, first_x, first);
    struct gf_least_columns_state<T, W> down;
    down.slots = line + RING * LINE + lane * W * 4;
    down.rows = p.rows;
    down.slot = 0;
#pragma unroll
    for (int i = 0; i < W; i++) {
        down.gathered[i].start(UINT32_MAX);
        down.last[i].start(UINT32_MAX);
    }
    const struct gf_march_patches<chunk, PATCHES> patches(m, first_x, p.reach, p.channels);
    const bool brings = lane < GF_WARP - GF_FAULT(cuda_strip_seam);
    const int32_t live = lane >= p.halo_left && lane < GF_WARP - p.halo_right ? own.pixels : 0;
    const bool wide = m.wide_out && live == P;
    unsigned char *to = m.out.data + int64_t(y0) * m.out.pitch + int64_t(own.x) * int64_t(sizeof(T));
    int32_t put = 0, get = 0, turn = 0;
#pragma unroll 1
    for (int32_t y = first - AHEAD; y <= last; y++) {
        if (brings && y + AHEAD <= last) {
            own.bring(m, y + AHEAD);
        }
        gf_cp_async_commit();
        own.step(m.in.pitch, put == RING - 1 ? -put * LINE : LINE);
        put = put == RING - 1 ? 0 : put + 1;
        if (y < first) {
            continue;
        }
        gf_cp_async_wait<AHEAD>();
        if (patches.any) {
            gf_syncwarp();
            patches.put(line, m.fill);
            gf_syncwarp();
        }
        uint32_t words[W];
        gf_least_load<W>(line + lane * W * 4, words);
        line += get == RING - 1 ? -get * LINE : LINE;
        get = get == RING - 1 ? 0 : get + 1;
#pragma unroll
        for (int i = 0; i < W; i++) {
            words[i] = gf_least_key<T>(words[i], p.flip);
        }
        if (LOW && p.rows == 3) {
            down.take_of_3(words);
        } else if (p.rows > 1) {
            down.take(words);
        }
        if (y < y0 + p.down) {
            continue;
        }
        if (LOW && p.near) {
            gf_least_across_3<chunk>(p.near, words);
        } else if (p.terms > 0) {
            gf_least_across(p, lines, turn, words);
        }
#pragma unroll
        for (int i = 0; i < W; i++) {
            words[i] = gf_least_bits<T>(words[i], p.flip);
        }
        if (live > 0) {
            gf_least_put<T, W>(to, live, wide, words);
        }
        to += m.out.pitch;
    }
}

#endif
