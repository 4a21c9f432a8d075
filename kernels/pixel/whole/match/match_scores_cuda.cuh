/* Scores of match on CUDA. A block goes down a strip of places: beside each other sums over the template
 * differ by the columns of samples that come and go, and the first place has sums of its own, so that a row
 * takes one scan. Products lie where scores will, or in scratch memory. */
#ifndef GF_PIXEL_MATCH_SCORES_CUDA_CUH
#define GF_PIXEL_MATCH_SCORES_CUDA_CUH

#include "pixel/cuda/byte_products_cuda.cuh"
#include "pixel/cuda/solve_cuda.cuh"
#include "pixel/whole/match/match_cuda.h"
#include "pixel/whole/match/match_score.h"

enum {
    GF_MATCH_HAS = 4,                                /* places of a thread */
    GF_MATCH_STRIP = GF_MATCH_HAS * GF_MATCH_THREADS /* and of a block */
};

/* Words of a thread's places, of C channels. */
template <class T, int C> struct gf_match_four {
    static const int WORDS = C * static_cast<int>(sizeof(T));
};

/* Sums of samples by channel, and of all squares behind them: of the columns that come at the thread's
 * places, less those that go; and the thread's share of those of the block's first place. */
template <class S, int C> struct gf_match_state {
    S steps[C + 1][GF_MATCH_HAS];
    S first[C + 1];
};

/* Four places' words of a row from sample `at` on, 0 from the end of the row on. */
template <class T, int C>
GF_DEVICE_FN void gf_match_take(const struct gf_match_params &p, const char *row, int64_t at,
                                uint32_t (&words)[gf_match_four<T, C>::WORDS])
{
    const int64_t begin = at * int64_t(sizeof(T)), from = begin / 4 * 4, end = p.samples * int64_t(sizeof(T));
    const uint32_t shift = static_cast<uint32_t>(begin - from) * 8;
    GF_UNROLL
    for (int w = 0; w < gf_match_four<T, C>::WORDS; w++) {
        if (p.words && from + 4 * w + (shift ? 8 : 4) <= end) {
            const uint32_t *const own = reinterpret_cast<const uint32_t *>(row + from) + w;
            words[w] = shift ? gf_funnel_right(own[0], own[1], shift) : own[0];
        } else {
            words[w] = gf_products_four(row, begin + 4 * w, end, 1, 0, false);
        }
    }
}

/* Sample i of words. */
template <class T> GF_DEVICE_FN uint32_t gf_match_sample(const uint32_t *words, int i)
{
    return sizeof(T) == 1 ? words[i / 4] >> 8 * (i % 4) & 255U : words[i / 2] >> 16 * (i % 2) & 65535U;
}

/* Adds `comes` less `goes`. */
template <class S> GF_DEVICE_FN void gf_match_step(uint32_t comes, uint32_t goes, S &sum, S &squares)
{
    const S difference = static_cast<S>(comes) - goes; /* wraps, and back */
    sum += difference;
    squares += difference * (static_cast<S>(comes) + goes);
}

/* What a row adds to the sums, and another takes away, before it is added. */
template <class T, class S, int C> struct gf_match_rows_read {
    uint32_t comes[2][gf_match_four<T, C>::WORDS], goes[2][gf_match_four<T, C>::WORDS];
    S first[C + 1];
};

/* Reads a row, and `less` unless that is NULL. */
template <class T, class S, int C>
GF_DEVICE_FN void gf_match_read(const struct gf_match_params &p, const char *row, const char *less,
                                int64_t x0, struct gf_match_rows_read<T, S, C> &read)
{
    const int64_t own = static_cast<int64_t>(threadIdx.x), at = (x0 + own * GF_MATCH_HAS) * C;
    read = {};
    gf_match_take<T, C>(p, row, at + p.across, read.comes[0]);
    gf_match_take<T, C>(p, row, at, read.goes[0]);
    if (less) {
        gf_match_take<T, C>(p, less, at, read.comes[1]);
        gf_match_take<T, C>(p, less, at + p.across, read.goes[1]);
    }
    for (int64_t i = own * C; i < p.across; i += GF_MATCH_THREADS * C) {
        GF_UNROLL
        for (int c = 0; c < C; c++) {
            const int64_t sample = x0 * C + i + c;
            gf_match_step<S>(reinterpret_cast<const T *>(row)[sample],
                             less ? reinterpret_cast<const T *>(less)[sample] : 0, read.first[c],
                             read.first[C]);
        }
    }
}

template <class T, class S, int C>
GF_DEVICE_FN void gf_match_add(const struct gf_match_rows_read<T, S, C> &read,
                               struct gf_match_state<S, C> &state)
{
    GF_UNROLL
    for (int c = 0; c <= C; c++) {
        state.first[c] += read.first[c];
    }
    GF_UNROLL
    for (int k = 0; k < 2; k++) {
        GF_UNROLL
        for (int i = 0; i < GF_MATCH_HAS * C; i++) {
            gf_match_step<S>(gf_match_sample<T>(read.comes[k], i), gf_match_sample<T>(read.goes[k], i),
                             state.steps[i % C][i / C], state.steps[C][i / C]);
        }
    }
}

/* The sums over the template at each place of a thread. warps: shared memory for 2 (C + 1) elements a warp,
 * which no warp has read since the last time but one. */
template <class S, int C>
GF_DEVICE_FN void gf_match_sums_at(const struct gf_match_state<S, C> &state, S *warps,
                                   S (&sums)[C + 1][GF_MATCH_HAS])
{
    const int warp = static_cast<int>(gf_warp());
    GF_UNROLL
    for (int c = 0; c <= C; c++) {
        S own = 0;
        GF_UNROLL
        for (int i = 0; i < GF_MATCH_HAS; i++) {
            sums[c][i] = own;
            own += state.steps[c][i];
        }
        const S upto = gf_solve_scan_warp(own), first = gf_reduce_add(state.first[c]);
        if (gf_lane() == GF_WARP - 1) {
            warps[2 * (warp * (C + 1) + c)] = upto;
            warps[2 * (warp * (C + 1) + c) + 1] = first;
        }
        GF_UNROLL
        for (int i = 0; i < GF_MATCH_HAS; i++) {
            sums[c][i] += upto - own;
        }
    }
    __syncthreads();
    GF_UNROLL
    for (int c = 0; c <= C; c++) {
        S before = 0;
        GF_UNROLL
        for (int w = 0; w < GF_MATCH_WARPS; w++) {
            before += warps[2 * (w * (C + 1) + c) + 1];
            before += w + GF_FAULT(cuda_match_strip) < warp ? warps[2 * (w * (C + 1) + c)] : 0;
        }
        GF_UNROLL
        for (int i = 0; i < GF_MATCH_HAS; i++) {
            sums[c][i] += before;
        }
    }
}

/* The score of a place. */
template <class S, int C>
GF_DEVICE_FN float gf_match_score_at(const struct gf_match_template &t, const S (&sums)[C + 1][GF_MATCH_HAS],
                                     int i, S product)
{
    using word = typename std::conditional<sizeof(S) == 4, uint64_t, gf_match_wide>::type;
    using number = typename std::conditional<sizeof(S) == 4, int64_t, gf_match_int>::type;
    const gf_match_wide b = static_cast<gf_match_wide>(t.b[1]) << 64 | t.b[0];
    word both = 0, own = 0;
    GF_UNROLL
    for (int c = 0; c < C; c++) {
        both += static_cast<word>(sums[c][i]) * t.sum[c];
        own += static_cast<word>(sums[c][i]) * sums[c][i];
    }
    const number n = static_cast<number>(static_cast<word>(t.n) * product - both);
    const word a = static_cast<word>(t.n) * sums[C][i] - own;
    if (sizeof(S) > 4) {
        return gf_match_score(n, a, b);
    }
    if (n == 0 || a == 0 || b == 0) {
        return 0;
    }
    const uint64_t size = static_cast<uint64_t>(n < 0 ? -n : n);
    const double root = gf_sqrt_double(static_cast<double>(a) * gf_match_double(b));
    const float score = gf_match_round(static_cast<double>(size) / root, size, a, b);
    return n < 0 ? -score : score;
}

/* Scores of a thread's places in row y of the band. */
template <class S, int C>
GF_DEVICE_FN void gf_match_give(const struct gf_match_params &p, const struct gf_match_template &t, int64_t x,
                                int64_t y, const S (&sums)[C + 1][GF_MATCH_HAS])
{
    float *const to = reinterpret_cast<float *>(p.out + (p.first + y) * p.out_pitch) + x;
    const S *const products = reinterpret_cast<const S *>(p.products + y * p.pitch) + x;
    const bool all = p.fours && x + GF_MATCH_HAS <= p.places;
    S product[GF_MATCH_HAS];
    float scores[GF_MATCH_HAS];
    if (x >= p.places) {
        return;
    }
    if (all) {
        GF_UNROLL
        for (unsigned w = 0; w < sizeof product / 16; w++) {
            const uint4 four = gf_load16(reinterpret_cast<const uint4 *>(products) + w);
            memcpy(reinterpret_cast<char *>(product) + 16 * w, &four, 16);
        }
    }
    GF_UNROLL
    for (int i = 0; i < GF_MATCH_HAS; i++) {
        product[i] = all ? product[i] : x + i < p.places ? products[i] : 0;
        scores[i] = gf_match_score_at<S, C>(t, sums, i, product[i]);
    }
    if (all) {
        uint4 four;
        memcpy(&four, scores, sizeof four);
        gf_store16(to, four);
        return;
    }
    for (int i = 0; i < GF_MATCH_HAS && x + i < p.places; i++) {
        to[i] = scores[i];
    }
}

/* A block has a strip of p.chunk rows of the band. */
template <class T, class S, int C>
static __global__ void __launch_bounds__(GF_MATCH_THREADS) gf_match_scores(const struct gf_match_params p)
{
    enum { ROW = 2 * (C + 1) * GF_MATCH_WARPS };
    GF_SHARED(S, warps, 2 * ROW);
    const int64_t strips = (p.places + GF_MATCH_STRIP - 1) / GF_MATCH_STRIP;
    const int64_t x0 = blockIdx.x % strips * GF_MATCH_STRIP, y0 = blockIdx.x / strips * p.chunk;
    const int64_t end = y0 + p.chunk < p.rows ? y0 + p.chunk : p.rows;
    const int64_t x = x0 + static_cast<int64_t>(threadIdx.x) * GF_MATCH_HAS;
    const char *const in = p.in + p.first * p.in_pitch;
    const struct gf_match_template t = *p.t;
    struct gf_match_state<S, C> state = {
    };
    struct gf_match_rows_read<T, S, C> read;
    for (int64_t y = y0; y < y0 + p.down; y++) {
        gf_match_read<T, S, C>(p, in + y * p.in_pitch, nullptr, x0, read);
        gf_match_add<T, S, C>(read, state);
    }
    for (int64_t y = y0; y < end; y++) {
        S sums[C + 1][GF_MATCH_HAS];
        if (y + 1 < end) { /* read while scores are made */
            gf_match_read<T, S, C>(p, in + (y + p.down) * p.in_pitch, in + y * p.in_pitch, x0, read);
        }
        gf_match_sums_at<S, C>(state, warps + y % 2 * ROW, sums);
        gf_match_give<S, C>(p, t, x, y, sums);
        gf_match_add<T, S, C>(read, state); /* which after the last row nobody asks for */
    }
}

#endif
