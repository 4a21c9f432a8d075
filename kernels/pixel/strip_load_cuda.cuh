/* How pixels come to the strips of strip_u8_cuda.cuh: parameters, copies ahead of time, gray and table on
 * the way, and what lies beside the picture. */
#ifndef GF_PIXEL_STRIP_LOAD_CUDA_CUH
#define GF_PIXEL_STRIP_LOAD_CUDA_CUH

#include "pixel/fixed_weights_cuda.cuh"
#include "pixel/strip_grid_cuda.h"
#include "pixel/u8_cuda.cuh"
#include "pixel/u8_cuda.h"

enum { GF_AHEAD = 4, GF_SLOTS = GF_AHEAD + 1 };

template <int R> struct gf_strip_params : gf_fixed_weights<R> {
    int32_t border, strip, segment; /* strip: threads that store, and columns / P; segment: rows */
    uint32_t fill[4];               /* a byte, four times */
    uint64_t *counts;               /* HIST rows, or NULL */
    int32_t counts_mask;
    bool wide_in, wide_out; /* addresses fit the wide accesses */
    bool patch;             /* what lies beside the picture is made from the line, not loaded */
    bool table_in, table_out;
    struct gf_u8_step step; /* of table_out: no look-up is needed */
};

/* Geometry of a thread's pixels: C channels in the window, CI in memory. What a row costs beside its pixels
 * is spread over many of them, as far as the waiting sums leave registers. */
template <int C, int CI, int R> struct gf_strip_shape {
    static const int pixels = C > 1 ? 4 : R > 2 ? 8 : 16;
    static const int quads = pixels / 4;      /* words of a channel */
    static const int words = pixels * CI / 4; /* raw words */
    static const int grain = words % 4 == 0 ? 16 : words % 2 == 0 ? 8 : 4;
    static const bool gray = CI != C;
};

/* Blocks that a processor shall hold: as many as the registers of the waiting sums leave room for. */
template <int C, int R> struct gf_strip_bounds {
    static const int sums = 2 * R * gf_strip_shape<C, C, R>::pixels * C;
    static const int blocks = sums <= 32 ? 5 : sums <= 64 ? 4 : 2;
};

/* Gray of the pixels 4 K to 4 K + 3 of packed RGB, and on to the last word. */
template <int K, int Q, int N> GF_DEVICE_FN void gf_strip_gray(const uint32_t (&raw)[N], uint32_t (&q)[Q])
{
    if constexpr (K < Q) {
        q[K] = gf_pack4(gf_gray_word(gf_word_at<12 * K>(raw)), gf_gray_word(gf_word_at<12 * K + 3>(raw)),
                        gf_gray_word(gf_word_at<12 * K + 6>(raw)), gf_gray_word(gf_word_at<12 * K + 9>(raw)));
        gf_strip_gray<K + 1>(raw, q);
    }
}

/* Raw words to planes, gray on the way. */
template <int C, int CI, int N, int Q>
GF_DEVICE_FN void gf_strip_planes(const uint32_t (&raw)[N], uint32_t (&q)[C][Q])
{
    if constexpr (C == 1 && CI == 3) {
        gf_strip_gray<0>(raw, q[0]);
    } else if constexpr (C == 2 && CI == 4) {
        q[0][0] =
            gf_pack4(gf_gray_word(raw[0]), gf_gray_word(raw[1]), gf_gray_word(raw[2]), gf_gray_word(raw[3]));
        q[1][0] = gf_pick<3, 7, 11, 15>(raw);
    } else if constexpr (C == 1) {
#pragma unroll
        for (int i = 0; i < Q; i++) {
            q[0][i] = raw[i];
        }
    } else {
        uint32_t planes[C];
        gf_split<C, 0>(raw, planes);
#pragma unroll
        for (int c = 0; c < C; c++) {
            q[c][0] = planes[c];
        }
    }
}

/* Bytes of pixels that do not all lie inside the picture (or not on wide addresses); zeros where columns
 * has none. */
template <int CI, int P, int N>
GF_DEVICE_FN void gf_strip_gather(const unsigned char *row, const int32_t *columns, uint32_t (&raw)[N])
{
#pragma unroll
    for (int i = 0; i < N; i++) {
        raw[i] = 0;
    }
#pragma unroll
    for (int p = 0; p < P; p++) {
        const int32_t from = columns[p];
#pragma unroll
        for (int b = 0; b < CI; b++) {
            if (from >= 0) {
                raw[(p * CI + b) / 4] |= static_cast<uint32_t>(row[int64_t(from) * CI + b])
                                         << ((p * CI + b) % 4 * 8);
            }
        }
    }
}

/* together: all lanes of the warp copy, whose slots are neighbours as their pixels are. Then lanes take
 * neighbouring grains, whoever's they are: whole sectors at a time. */
template <int WORDS, int GRAIN>
GF_DEVICE_FN void gf_strip_copy(uint32_t *slot, const unsigned char *from, bool together)
{
    const int32_t lane = together ? static_cast<int32_t>(gf_lane()) : 0;
    const int32_t apart = together ? GF_WARP * GRAIN : GRAIN, start = lane * (GRAIN - WORDS * 4);
    unsigned char *const to = reinterpret_cast<unsigned char *>(slot) + start;
#pragma unroll
    for (int i = 0; i < WORDS * 4 / GRAIN; i++) {
        gf_cp_async<GRAIN>(to + i * apart, from + start + i * apart);
    }
}

template <int WORDS, int GRAIN> GF_DEVICE_FN void gf_strip_take(const uint32_t *slot, uint32_t (&raw)[WORDS])
{
#pragma unroll
    for (int i = 0; i < WORDS; i += GRAIN / 4) {
        if constexpr (GRAIN == 16) {
            const uint4 v = gf_load16(slot + i);
            raw[i] = v.x;
            raw[i + 1] = v.y;
            raw[i + 2] = v.z;
            raw[i + 3] = v.w;
        } else if constexpr (GRAIN == 8) {
            const uint2 v = gf_load8(slot + i);
            raw[i] = v.x;
            raw[i + 1] = v.y;
        } else {
            raw[i] = gf_load4(slot + i);
        }
    }
}

/* The window's input in row y: what arrived in the thread's slot, or the border's fill. */
template <int C, int CI, int R>
GF_DEVICE_FN void gf_strip_samples(const struct gf_pass_args &a, const struct gf_strip_params<R> &p,
                                   const uint32_t *slot, const uint8_t *table, int32_t x, int32_t y,
                                   uint32_t (&q)[C][gf_strip_shape<C, CI, R>::quads])
{
    using shape = gf_strip_shape<C, CI, R>;
    const bool constant = p.border == GF_BORDER_CONSTANT;
    uint32_t raw[shape::words];
    if (constant && (y < 0 || y >= a.height)) {
#pragma unroll
        for (int c = 0; c < C; c++) {
#pragma unroll
            for (int i = 0; i < shape::quads; i++) {
                q[c][i] = p.fill[c];
            }
        }
        return;
    }
    gf_strip_take<shape::words, shape::grain>(slot, raw);
    gf_strip_planes<C, CI>(raw, q);
    if (p.table_in) {
#pragma unroll
        for (int c = 0; c < C; c++) {
#pragma unroll
            for (int i = 0; i < shape::quads; i++) {
                q[c][i] = gf_table_word(table + 256 * c, q[c][i]);
            }
        }
    }
    if (constant && !p.patch && (x < 0 || x + shape::pixels > a.width)) {
#pragma unroll
        for (int c = 0; c < C; c++) {
#pragma unroll
            for (int i = 0; i < shape::pixels; i++) {
                const uint32_t byte = 0xffu << (i % 4 * 8);
                const bool outside = x + i < 0 || x + i >= a.width;
                q[c][i / 4] = outside ? (q[c][i / 4] & ~byte) | (p.fill[c] & byte) : q[c][i / 4];
            }
        }
    }
}

/* Bytes of the pixels from x on that lie inside, word by word; an odd rest byte by byte. */
template <int WORDS> GF_DEVICE_FN void gf_strip_part(uint32_t *slot, const unsigned char *from, int32_t bytes)
{
#pragma unroll
    for (int i = 0; i < WORDS; i++) {
        if (bytes >= 4 * i + 4) {
            gf_cp_async<4>(slot + i, from + 4 * i);
        } else if (bytes > 4 * i) {
            uint32_t rest = from[4 * i];
            rest |= bytes > 4 * i + 1 ? static_cast<uint32_t>(from[4 * i + 1]) << 8 : 0U;
            rest |= bytes > 4 * i + 2 ? static_cast<uint32_t>(from[4 * i + 2]) << 16 : 0U;
            slot[i] = rest;
        }
    }
}

/* Few threads load pixels that do not all lie inside: out of line, to keep the march short. */
template <int WORDS, int CI, int P>
static __device__ __noinline__ void gf_strip_fetch_edge(const unsigned char *row, int32_t x, int32_t inside,
                                                        bool patch, const int32_t *columns, uint32_t *slot)
{
    if (patch) {
        gf_strip_part<WORDS>(slot, row + x * CI, inside * CI);
        return;
    }
    uint32_t raw[WORDS];
    gf_strip_gather<CI, P>(row, columns, raw);
#pragma unroll
    for (int i = 0; i < WORDS; i++) {
        slot[i] = raw[i];
    }
}

/* Brings row y of the window's input on its way to the thread's slot; inside: pixels from x on that lie in
 * the picture; together: see gf_strip_copy. */
template <int C, int CI, int R>
GF_DEVICE_FN void gf_strip_fetch(const struct gf_pass_args &a, const struct gf_strip_params<R> &p, int32_t x,
                                 int32_t inside, int32_t y, const int32_t *columns, uint32_t *slot,
                                 bool together)
{
    using shape = gf_strip_shape<C, CI, R>;
    const int32_t height = static_cast<int32_t>(a.height);
    if (static_cast<uint32_t>(y) >= static_cast<uint32_t>(height)) {
        y = gf_strip_row(y, height, p.border);
        if (y < 0) {
            return; /* the fill of a constant border */
        }
    }
    const unsigned char *row = a.in.data + int64_t(y) * a.in.pitch;
    if (p.wide_in && inside >= shape::pixels) {
        gf_strip_copy<shape::words, shape::grain>(slot, row + x * CI, together);
    } else {
        gf_strip_fetch_edge<shape::words, CI, shape::pixels>(row, x, inside, p.patch, columns, slot);
    }
}

/* One byte of the line beside the picture, and the byte that the border puts there. */
struct gf_strip_patch {
    int32_t to, from; /* in the line; to -1: not this thread's work; from -1: the fill */
};

/* Thread t takes channel t % C and column t / C of the R to the left and the R to the right. */
template <int C, int P, int R>
GF_DEVICE_FN struct gf_strip_patch gf_strip_patch_make(const struct gf_strip_params<R> &p, int32_t t,
                                                       int64_t line_x, int32_t line, int64_t width)
{
    struct gf_strip_patch patch = {-1, -1};
    if (t < 2 * R * C) {
        const int32_t k = t / C, plane = t % C * line;
        const int64_t column = k < R ? -1 - k : width + k - R;
        if (column >= line_x && column < line_x + int64_t(p.strip + 2) * P) {
            const int64_t source = gf_border_index(column, width, p.border);
            patch.to = plane + static_cast<int32_t>(column - line_x);
            patch.from = source < 0 ? -1 : plane + static_cast<int32_t>(source - line_x);
        }
    }
    return patch;
}

#endif
