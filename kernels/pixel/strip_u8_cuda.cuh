/* Separable windows of radius up to 4 over u8 pictures, in one read and one write.
 *
 * A block owns a strip of columns and marches down a segment of rows. A thread has P neighbouring pixels:
 * their bytes arrive by asynchronous copies GF_AHEAD rows early, in memory of its own; gray and table are
 * applied, the line goes to shared memory, one barrier, and the thread reads four pixels to each side. The
 * vertical half needs no ring: row y adds to the 2 R sums that wait for it, and the step from row to row is
 * part of the multiply-add: sum[j] = sum[j + 1] + weight * middle. Arithmetic: exact integers of
 * docs/exactness.md, so order and padding with zero weights do not show. */
#ifndef GF_PIXEL_STRIP_U8_CUDA_CUH
#define GF_PIXEL_STRIP_U8_CUDA_CUH

#include "pixel/strip_grid_cuda.h"
#include "pixel/u8_cuda.cuh"

enum { GF_AHEAD = 4, GF_SLOTS = GF_AHEAD + 1 };

template <int R> struct gf_strip_params {
    uint32_t wx[R + 1]; /* pairs of s16; the second of the last is zero */
    int32_t wy[2 * R + 1];
    int32_t shift_x, shift_y, half_x, half_y; /* of the two roundings */
    int32_t border, strip, segment;           /* strip: threads that store, and columns / P; segment: rows */
    uint32_t fill[4];                         /* a byte, four times */
    uint64_t *counts;                         /* HIST rows, or NULL */
    int32_t counts_mask;
    bool clamp;             /* weights below zero: sums may leave u8 */
    bool wide_in, wide_out; /* addresses fit the wide accesses */
    bool table_in, table_out;
};

/* Geometry of a thread's pixels: C channels in the window, CI in memory. */
template <int C, int CI> struct gf_strip_shape {
    static const int pixels = C == 1 ? 8 : 4;
    static const int quads = pixels / 4;      /* words of a channel */
    static const int words = pixels * CI / 4; /* raw words */
    static const int grain = words % 4 == 0 ? 16 : words % 2 == 0 ? 8 : 4;
    static const bool gray = CI != C;
};

/* Blocks that a processor shall hold: as many as the registers of the waiting sums leave room for. */
template <int C, int R> struct gf_strip_bounds {
    static const int sums = 2 * R * C * (C == 1 ? 8 : 4);
    static const int blocks = sums <= 32 ? 7 : sums <= 48 ? 5 : sums > 64 ? 2 : C == 1 ? 4 : 3;
};

/* Raw words to planes, gray on the way. */
template <int C, int CI>
GF_DEVICE_FN void gf_strip_planes(const uint32_t (&raw)[gf_strip_shape<C, CI>::words],
                                  uint32_t (&q)[C][gf_strip_shape<C, CI>::quads])
{
    if constexpr (C == 1 && CI == 3) {
        q[0][0] = gf_pack4(gf_gray_word(gf_word_at<0>(raw)), gf_gray_word(gf_word_at<3>(raw)),
                           gf_gray_word(gf_word_at<6>(raw)), gf_gray_word(gf_word_at<9>(raw)));
        q[0][1] = gf_pack4(gf_gray_word(gf_word_at<12>(raw)), gf_gray_word(gf_word_at<15>(raw)),
                           gf_gray_word(gf_word_at<18>(raw)), gf_gray_word(gf_word_at<21>(raw)));
    } else if constexpr (C == 2 && CI == 4) {
        q[0][0] =
            gf_pack4(gf_gray_word(raw[0]), gf_gray_word(raw[1]), gf_gray_word(raw[2]), gf_gray_word(raw[3]));
        q[1][0] = gf_pick<3, 7, 11, 15>(raw);
    } else if constexpr (C == 1) {
        q[0][0] = raw[0];
        q[0][1] = raw[1];
    } else {
        uint32_t planes[C];
        gf_split<C, 0>(raw, planes);
#pragma unroll
        for (int c = 0; c < C; c++) {
            q[c][0] = planes[c];
        }
    }
}

/* Bytes of the pixels from x on, which do not all lie inside the picture; outside a constant border, zeros.
 */
template <int CI, int P, int N>
GF_DEVICE_FN void gf_strip_gather(const unsigned char *row, int64_t x, int64_t width, int32_t border,
                                  uint32_t (&raw)[N])
{
#pragma unroll
    for (int i = 0; i < N; i++) {
        raw[i] = 0;
    }
#pragma unroll
    for (int p = 0; p < P; p++) {
        const int64_t from = gf_border_index(x + p, width, border);
#pragma unroll
        for (int b = 0; b < CI; b++) {
            if (from >= 0) {
                raw[(p * CI + b) / 4] |= static_cast<uint32_t>(row[from * CI + b]) << ((p * CI + b) % 4 * 8);
            }
        }
    }
}

template <int WORDS, int GRAIN> GF_DEVICE_FN void gf_strip_copy(uint32_t *slot, const unsigned char *from)
{
#pragma unroll
    for (int i = 0; i < WORDS * 4; i += GRAIN) {
        gf_cp_async<GRAIN>(slot + i / 4, from + i);
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

/* sum + the pairs K to R of the horizontal weights at the bytes from S on. */
template <int R, int K, int S, int N>
GF_DEVICE_FN int32_t gf_strip_pairs(const uint32_t (&wx)[R + 1], const uint32_t (&w)[N], int32_t sum)
{
    if constexpr (K > R) {
        return sum;
    } else {
        const uint32_t bytes = gf_word_at<S + K / 2 * 4>(w);
        sum = K % 2 == 0 ? gf_dp2a_lo(wx[K], bytes, sum) : gf_dp2a_hi(wx[K], bytes, sum);
        return gf_strip_pairs<R, K + 1, S>(wx, w, sum);
    }
}

/* Horizontal sums of the pixels I, I + 1, ... < P; w: the words from four pixels to the left on. */
template <int R, int I, int P, int N>
GF_DEVICE_FN void gf_strip_across(const struct gf_strip_params<R> &p, const uint32_t (&w)[N],
                                  int32_t (&middle)[P])
{
    if constexpr (I < P) {
        middle[I] = gf_strip_pairs<R, 0, 4 + I - R>(p.wx, w, p.half_x) >> p.shift_x;
        gf_strip_across<R, I + 1, P>(p, w, middle);
    }
}

/* One row into the waiting sums; the sum that is complete comes out, shifted to u8. */
template <int R>
GF_DEVICE_FN int32_t gf_strip_down(const struct gf_strip_params<R> &p, int32_t (&sum)[2 * R], int32_t middle)
{
    const int32_t out = sum[0] + p.wy[2 * R] * middle;
#pragma unroll
    for (int j = 0; j < 2 * R - 1; j++) {
        sum[j] = sum[j + 1] + p.wy[2 * R - 1 - j] * middle;
    }
    sum[2 * R - 1] = p.half_y + p.wy[0] * middle;
    return out >> p.shift_y;
}

/* Stores P finished pixels at x, of which `live` are inside the picture. */
template <int C, int P>
GF_DEVICE_FN void gf_strip_store(unsigned char *row, int64_t x, int32_t live, bool wide,
                                 const uint32_t (&q)[C][P / 4])
{
    uint32_t words[P * C / 4];
    if constexpr (C == 1) {
        words[0] = q[0][0];
        words[1] = q[0][1];
    } else {
        uint32_t planes[C];
#pragma unroll
        for (int c = 0; c < C; c++) {
            planes[c] = q[c][0];
        }
        gf_join<C>(planes, words);
    }
    unsigned char *to = row + x * C;
    if (wide && live >= P) {
        if constexpr (C == 4) {
            gf_store16(to, make_uint4(words[0], words[1], words[2], words[3]), GF_STREAM);
        } else if constexpr (C == 3) {
            gf_store4(to, words[0], GF_STREAM);
            gf_store4(to + 4, words[1], GF_STREAM);
            gf_store4(to + 8, words[2], GF_STREAM);
        } else {
            gf_store8(to, make_uint2(words[0], words[1]), GF_STREAM);
        }
        return;
    }
#pragma unroll
    for (int i = 0; i < P * C; i++) {
        if (i < live * C) {
            to[i] = static_cast<unsigned char>(words[i / 4] >> (i % 4 * 8));
        }
    }
}

/* The window's input in row y: what arrived in the thread's slot, or the border's fill. */
template <int C, int CI, int R>
GF_DEVICE_FN void gf_strip_samples(const struct gf_pass_args &a, const struct gf_strip_params<R> &p,
                                   const uint32_t *slot, const uint8_t *table, int64_t x, int64_t y,
                                   uint32_t (&q)[C][gf_strip_shape<C, CI>::quads])
{
    using shape = gf_strip_shape<C, CI>;
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
    if (constant && (x < 0 || x + shape::pixels > a.width)) {
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

/* Both halves of the window for one channel: own words q, neighbours in the line at `now`; four results a
 * word. */
template <int R, int P>
GF_DEVICE_FN void gf_strip_window(const struct gf_strip_params<R> &p, const uint32_t *now,
                                  const uint32_t (&q)[P / 4], int32_t (&sum)[P][2 * R],
                                  uint32_t (&done)[P / 4])
{
    constexpr int Q = P / 4;
    uint32_t w[Q + 2];
    int32_t v[P];
    w[0] = now[-1];
    w[Q + 1] = now[Q];
#pragma unroll
    for (int i = 0; i < Q; i++) {
        w[i + 1] = q[i];
    }
    gf_strip_across<R, 0, P>(p, w, v);
#pragma unroll
    for (int i = 0; i < P; i++) {
        v[i] = gf_strip_down<R>(p, sum[i], v[i]);
    }
    if (p.clamp) {
#pragma unroll
        for (int i = 0; i < P; i++) {
            v[i] = gf_clamp_u8(v[i]);
        }
    }
#pragma unroll
    for (int i = 0; i < Q; i++) {
        done[i] = gf_pack4(static_cast<uint32_t>(v[4 * i]), static_cast<uint32_t>(v[4 * i + 1]),
                           static_cast<uint32_t>(v[4 * i + 2]), static_cast<uint32_t>(v[4 * i + 3]));
    }
}

/* Table and histogram on finished samples, of which `live` pixels are inside the picture. */
template <int C, int Q, int R>
GF_DEVICE_FN void gf_strip_finish(const struct gf_strip_params<R> &p, const uint8_t *table, uint32_t *counts,
                                  int32_t live, uint32_t (&done)[C][Q])
{
#pragma unroll
    for (int c = 0; c < C; c++) {
#pragma unroll
        for (int i = 0; i < Q; i++) {
            if (p.table_out) {
                done[c][i] = gf_table_word(table + 256 * c, done[c][i]);
            }
            if (p.counts) {
                gf_count_word(counts + 256 * c, done[c][i], live - 4 * i);
            }
        }
    }
}

template <int C, int CI, int R>
static __global__ void __launch_bounds__(GF_STRIP_THREADS, (gf_strip_bounds<C, R>::blocks))
    gf_strip_u8(const struct gf_pass_args a, const struct gf_strip_params<R> p)
{
    using shape = gf_strip_shape<C, CI>;
    constexpr int P = shape::pixels, Q = shape::quads, WORDS = shape::words, GRAIN = shape::grain;
    constexpr int LINE = GF_STRIP_THREADS * Q; /* words of a channel of a line */
    GF_SHARED(uint32_t, raw_slots, GF_SLOTS * GF_STRIP_THREADS * WORDS);
    GF_SHARED(uint32_t, lines, 2 * C * LINE);
    GF_SHARED(uint8_t, table_in, C * 256);
    GF_SHARED(uint8_t, table_out, C * 256);
    GF_SHARED(uint32_t, counts, C * 256);
    const int32_t t = static_cast<int32_t>(threadIdx.x);
    const int64_t x = (int64_t(blockIdx.x) * p.strip + t - 1) * P; /* thread 0 and the last hold the halo */
    const int64_t y0 = int64_t(blockIdx.y) * p.segment;
    const int64_t y1 = y0 + p.segment < a.height ? y0 + p.segment : a.height;
    const bool loads = t < p.strip + 2 && x < a.width + P;
    const bool inside = x >= 0 && x + P <= a.width;
    const bool copies = inside && p.wide_in;
    const int64_t left = a.width - x;
    const int32_t live = t == 0 || t > p.strip || left <= 0 ? 0 : left < P ? static_cast<int32_t>(left) : P;
    uint32_t *const slots = raw_slots + t * WORDS;

    if (p.table_in) {
        gf_table_make(a, a.pre, shape::gray, C, table_in);
    }
    if (p.table_out) {
        gf_table_make(a, a.post, 0, C, table_out);
    }
    for (int32_t i = t; i < C * 256; i += GF_STRIP_THREADS) {
        counts[i] = 0;
    }
    __syncthreads();

    int32_t sum[C][P][2 * R];
#pragma unroll
    for (int c = 0; c < C; c++) {
#pragma unroll
        for (int i = 0; i < P; i++) {
#pragma unroll
            for (int j = 0; j < 2 * R; j++) {
                sum[c][i][j] = p.half_y;
            }
        }
    }

    const int64_t first = y0 - R, last = y1 - 1 + R;
    int32_t put = 0, get = 0, line = 0;
    /* Rows ahead of the first: the loop below starts GF_AHEAD rows early and only fetches. */
    for (int64_t y = first - GF_AHEAD; y <= last; y++) {
        uint32_t gathered[WORDS];
        const int64_t row =
            loads && y + GF_AHEAD <= last ? gf_border_index(y + GF_AHEAD, a.height, p.border) : -1;
        if (row >= 0) {
            const unsigned char *from = a.in.data + row * a.in.pitch;
            if (copies) {
                gf_strip_copy<WORDS, GRAIN>(slots + put * (GF_STRIP_THREADS * WORDS), from + x * CI);
            } else {
                gf_strip_gather<CI, P>(from, x, a.width, p.border, gathered);
            }
        }
        gf_cp_async_commit();
        if (y >= first) {
            uint32_t q[C][Q] = {};
            gf_cp_async_wait<GF_AHEAD>();
            if (loads) {
                gf_strip_samples<C, CI, R>(a, p, slots + get * (GF_STRIP_THREADS * WORDS), table_in, x, y, q);
            }
            get = get + 1 < GF_SLOTS ? get + 1 : 0;
            uint32_t *const now = lines + line * (C * LINE) + t * Q;
            line ^= 1;
#pragma unroll
            for (int c = 0; c < C; c++) {
#pragma unroll
                for (int i = 0; i < Q; i++) {
                    now[c * LINE + i] = q[c][i];
                }
            }
            __syncthreads(); /* the next row goes to the other line, so one barrier a row is enough */
            if (live > 0) {
                uint32_t done[C][Q];
#pragma unroll
                for (int c = 0; c < C; c++) {
                    gf_strip_window<R, P>(p, now + c * LINE, q[c], sum[c], done[c]);
                }
                if (y >= y0 + R) {
                    gf_strip_finish<C, Q, R>(p, table_out, counts, live, done);
                    if (a.out.data) {
                        gf_strip_store<C, P>(a.out.data + (y - R) * a.out.pitch, x, live, p.wide_out, done);
                    }
                }
            }
        }
        if (row >= 0 && !copies) {
#pragma unroll
            for (int i = 0; i < WORDS; i++) {
                slots[put * (GF_STRIP_THREADS * WORDS) + i] = gathered[i];
            }
        }
        put = put + 1 < GF_SLOTS ? put + 1 : 0;
    }
    if (p.counts) {
        __syncthreads();
        gf_count_flush(counts, C, p.counts_mask, p.counts);
    }
}

#endif
