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

#include "pixel/strip_load_cuda.cuh"

/* Stores P finished pixels, of which the first `live` are inside the picture. */
template <int C, int P>
GF_DEVICE_FN void gf_strip_store(unsigned char *to, int32_t live, bool wide, const uint32_t (&q)[C][P / 4])
{
    uint32_t words[P * C / 4];
    if constexpr (C == 1) {
#pragma unroll
        for (int i = 0; i < P / 4; i++) {
            words[i] = q[0][i];
        }
    } else {
        uint32_t planes[C];
#pragma unroll
        for (int c = 0; c < C; c++) {
            planes[c] = q[c][0];
        }
        gf_join<C>(planes, words);
    }
    if (wide && live >= P) {
        if constexpr (P * C == 16) {
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
    w[Q + 1] = now[Q - GF_FAULT(cuda_halo_short)];
#pragma unroll
    for (int i = 0; i < Q; i++) {
        w[i + 1] = q[i];
    }
    gf_fixed_across<R, 0, P>(p, w, v);
#pragma unroll
    for (int i = 0; i < P; i++) {
        v[i] = gf_fixed_down<R>(p, sum[i], v[i]);
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

/* Table and histogram on finished samples, of which `live` pixels are inside the picture. highs: of a step,
 * how many samples of each channel were above it. */
template <int C, int Q, int R>
GF_DEVICE_FN void gf_strip_finish(const struct gf_strip_params<R> &p, const uint8_t *table, uint32_t *counts,
                                  int32_t live, uint32_t (&done)[C][Q], int32_t (&highs)[C])
{
#pragma unroll
    for (int c = 0; c < C; c++) {
#pragma unroll
        for (int i = 0; i < Q; i++) {
            const int32_t n = live - 4 * i;
            if (p.step.is) {
                const uint32_t bits = gf_step_bits(done[c][i], p.step.carry);
                const uint32_t inside = n >= 4 ? ~0U : n > 0 ? (1U << (8 * n)) - 1U : 0U;
                done[c][i] = p.step.low + bits * static_cast<uint32_t>(p.step.rise);
                highs[c] += __popc(bits & inside);
                continue;
            }
            if (p.table_out) {
                done[c][i] = gf_table_word(table + 256 * c, done[c][i]);
            }
            if (p.counts) {
                gf_count_word(counts + 256 * c, done[c][i], n);
            }
        }
    }
}

/* Adds what a thread knows of a step's two values to the block's counts; samples: of each channel. */
template <int C, int R>
GF_DEVICE_FN void gf_step_count(const struct gf_strip_params<R> &p, uint32_t *counts, int32_t samples,
                                const int32_t (&highs)[C])
{
    const uint32_t low = p.step.low & 0xffU;
#pragma unroll
    for (int c = 0; c < C; c++) {
        gf_atomic_add(&counts[256 * c + low], static_cast<uint32_t>(samples - highs[c]));
        gf_atomic_add(&counts[256 * c + ((low + static_cast<uint32_t>(p.step.rise)) & 0xffU)],
                      static_cast<uint32_t>(highs[c]));
    }
}

template <int C, int CI, int R>
static __global__ void __launch_bounds__(GF_STRIP_THREADS, (gf_strip_bounds<C, R>::blocks))
    gf_strip_u8(const struct gf_pass_args a, const struct gf_strip_params<R> p)
{
    using shape = gf_strip_shape<C, CI, R>;
    constexpr int P = shape::pixels, Q = shape::quads, WORDS = shape::words;
    constexpr int LINE = GF_STRIP_THREADS * Q;     /* words of a channel of a line */
    constexpr int SLOT = GF_STRIP_THREADS * WORDS; /* words of a row on its way */
    GF_SHARED(uint32_t, raw_slots, GF_SLOTS * GF_STRIP_THREADS * WORDS);
    GF_SHARED(uint32_t, lines, 2 * C * LINE);
    GF_SHARED(uint8_t, table_in, C * 256);
    GF_SHARED(uint8_t, table_out, C * 256);
    GF_SHARED(uint32_t, counts, C * 256);
    GF_SHARED(int32_t, all_columns, GF_STRIP_THREADS * P);
    const int32_t t = static_cast<int32_t>(threadIdx.x);
    const int32_t width = static_cast<int32_t>(a.width), height = static_cast<int32_t>(a.height);
    /* thread 0 and the last hold the halo; right of the picture nothing is needed but its first pixels */
    const int64_t line_x = (int64_t(blockIdx.x) * p.strip - 1) * P, at = line_x + int64_t(t) * P;
    const bool takes_part = t < p.strip + 2 && at < a.width + P;
    const int32_t x = takes_part ? static_cast<int32_t>(at) : 0;
    const int32_t inside = x < 0 || x >= width ? 0 : width - x < P ? width - x : P;
    const bool loads = takes_part && (inside > 0 || !p.patch);
    const int32_t live = !takes_part || t == 0 || t > p.strip ? 0 : inside;
    const int32_t y0 = static_cast<int32_t>(blockIdx.y) * p.segment;
    const int32_t y1 = height - y0 < p.segment ? height : y0 + p.segment;
    const bool edge = p.patch && (line_x < 0 || line_x + int64_t(p.strip + 2) * P > a.width);
    const struct gf_strip_patch patch = gf_strip_patch_make<C, P, R>(p, t, line_x, 4 * LINE, a.width);
    const bool together = shape::grain == 16 && WORDS > 4 && gf_all(loads && p.wide_in && inside >= P);
    uint32_t *const slots = raw_slots + t * WORDS;
    int32_t *const columns = all_columns + t * P;

    if (loads && !p.patch && !(p.wide_in && inside >= P)) {
        gf_strip_columns(columns, P, x, a.width, p.border);
    }
    if (p.table_in) {
        gf_table_make(a, a.pre, shape::gray, C, table_in);
    }
    if (p.table_out && !p.step.is) {
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

    const int32_t first = y0 - R, last = y1 - 1 + R;
#pragma unroll 1
    for (int i = 0; i < GF_AHEAD; i++) { /* last - first >= 2 R, so most of these are wanted */
        if (loads && first + i <= last) {
            gf_strip_fetch<C, CI, R>(a, p, x, inside, first + i, columns, slots + i * SLOT, together);
        }
        gf_cp_async_commit();
    }
    unsigned char *to = a.out.data; /* NULL: nothing is stored */
    if (to && live > 0) {
        to += int64_t(y0) * a.out.pitch + int64_t(x) * C;
    }
    int32_t put = GF_AHEAD * SLOT, get = 0, line = t * Q;
    int32_t highs[C] = {};
    for (int32_t y = first; y <= last; y++) {
        uint32_t q[C][Q] = {};
        gf_cp_async_wait<GF_AHEAD - 1>();
        gf_syncwarp(); /* what other lanes copied */
        if (loads) {
            gf_strip_samples<C, CI, R>(a, p, slots + get, table_in, x, y, q);
        }
        get = get == GF_AHEAD * SLOT ? 0 : get + SLOT;
        uint32_t *const now = lines + line;
        uint8_t *const bytes = reinterpret_cast<uint8_t *>(now - t * Q);
        line = line < C * LINE ? line + C * LINE : line - C * LINE;
#pragma unroll
        for (int c = 0; c < C; c++) {
#pragma unroll
            for (int i = 0; i < Q; i++) {
                now[c * LINE + i] = q[c][i];
            }
        }
        if (loads && y + GF_AHEAD <= last) { /* into the slot that was read a row ago, or never */
            gf_strip_fetch<C, CI, R>(a, p, x, inside, y + GF_AHEAD, columns, slots + put, together);
        }
        gf_cp_async_commit();
        put = put == GF_AHEAD * SLOT ? 0 : put + SLOT;
        __syncthreads(); /* the next row goes to the other line, so one barrier a row is enough */
        if (edge) {
            if (patch.to >= 0) {
                bytes[patch.to] = patch.from >= 0 ? bytes[patch.from] : static_cast<uint8_t>(p.fill[t % C]);
            }
            __syncthreads();
#pragma unroll
            for (int c = 0; c < C; c++) {
#pragma unroll
                for (int i = 0; i < Q; i++) {
                    q[c][i] = now[c * LINE + i];
                }
            }
        }
        if (live > 0) {
            uint32_t done[C][Q];
#pragma unroll
            for (int c = 0; c < C; c++) {
                gf_strip_window<R, P>(p, now + c * LINE, q[c], sum[c], done[c]);
            }
            if (y >= y0 + R) {
                gf_strip_finish<C, Q, R>(p, table_out, counts, live, done, highs);
                if (a.out.data) {
                    gf_strip_store<C, P>(to, live, p.wide_out, done);
                }
                to += a.out.pitch;
            }
        }
    }
    if (p.counts) {
        if (p.step.is && live > 0) {
            gf_step_count<C, R>(p, counts, live * (y1 - y0), highs);
        }
        __syncthreads();
        gf_count_flush(counts, C, p.counts_mask, p.counts);
    }
}

#endif
