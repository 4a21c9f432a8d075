/* Transforms of lines in f64 by CUDA blocks. A thread has 16 numbers of a line in registers and makes two
 * steps of radix 4 with them; lines then change places in shared memory. Frequencies stay where they come
 * out. */
#ifndef GF_PIXEL_WIDE_LINE_CUDA_CUH
#define GF_PIXEL_WIDE_LINE_CUDA_CUH

#include "base/gf_cuda.h"

enum { GF_WIDE_HAS = 16 }; /* numbers of a thread */

struct alignas(16) gf_wide_number {
    double re, im;
};

/* A thread's line: its memory, and the thread's place in it. */
struct gf_wide_line {
    struct gf_wide_number *room;
    const struct gf_wide_number *turns;
    int side, place, mix;
};

/* Where number `at` of a line lies: eight numbers side by side change places, so that those of a step, and of
 * lines beside each other, lie in different banks. */
GF_DEVICE_FN int gf_wide_at(const gf_wide_line &l, int at)
{
    return at ^ ((at / 16 ^ l.mix) & 7);
}

GF_DEVICE_FN gf_wide_number gf_wide_times(gf_wide_number a, gf_wide_number w)
{
    return {fma(a.re, w.re, -(a.im * w.im)), fma(a.re, w.im, a.im * w.re)};
}

/* A step of radix 4, with turns of once, twice and three times `at`, or back. */
template <bool BACK>
GF_DEVICE_FN void gf_wide_four(const gf_wide_line &l, int at, gf_wide_number &a, gf_wide_number &b,
                               gf_wide_number &c, gf_wide_number &d)
{
    if (BACK && at) {
        b = gf_wide_times(b, {l.turns[at].re, -l.turns[at].im});
        c = gf_wide_times(c, {l.turns[2 * at].re, -l.turns[2 * at].im});
        d = gf_wide_times(d, {l.turns[3 * at].re, -l.turns[3 * at].im});
    }
    const gf_wide_number s0 = {a.re + c.re, a.im + c.im}, s1 = {a.re - c.re, a.im - c.im};
    const gf_wide_number s2 = {b.re + d.re, b.im + d.im}, s3 = {b.re - d.re, b.im - d.im};
    const gf_wide_number right = {s1.re + s3.im, s1.im - s3.re}, left = {s1.re - s3.im, s1.im + s3.re};
    a = {s0.re + s2.re, s0.im + s2.im};
    b = BACK ? left : right;
    c = {s0.re - s2.re, s0.im - s2.im};
    d = BACK ? right : left;
    if (!BACK && at) {
        b = gf_wide_times(b, l.turns[at]);
        c = gf_wide_times(c, l.turns[2 * at]);
        d = gf_wide_times(d, l.turns[3 * at]);
    }
}

/* Two steps over 16 numbers that lie `s` apart in a stretch of 16 s, the first of them at j. */
template <bool BACK>
GF_DEVICE_FN void gf_wide_sixteen(const gf_wide_line &l, int s, int j, gf_wide_number (&v)[GF_WIDE_HAS])
{
    const int unit = l.side / (GF_WIDE_HAS * s);
    GF_UNROLL
    for (int turn = 0; turn < 2; turn++) {
        GF_UNROLL
        for (int i = 0; i < 4; i++) {
            if ((turn == 0) != BACK) {
                gf_wide_four<BACK>(l, unit * (j + i * s), v[i], v[i + 4], v[i + 8], v[i + 12]);
            } else {
                gf_wide_four<BACK>(l, 4 * unit * j, v[4 * i], v[4 * i + 1], v[4 * i + 2], v[4 * i + 3]);
            }
        }
    }
}

/* The steps that are left of stretches of 2, 4 or 8 numbers, with 16 that lie side by side. */
template <bool BACK>
GF_DEVICE_FN void gf_wide_rest(const gf_wide_line &l, int stretch, gf_wide_number (&v)[GF_WIDE_HAS])
{
    GF_UNROLL
    for (int turn = 0; turn < 2; turn++) {
        if ((turn == 0) != BACK) {
            GF_UNROLL
            for (int i = 0; i < 4; i++) {
                const int k = i / 2 * 8 + i % 2;
                if (stretch == 4) {
                    gf_wide_four<BACK>(l, 0, v[4 * i], v[4 * i + 1], v[4 * i + 2], v[4 * i + 3]);
                } else if (stretch == 8) {
                    gf_wide_four<BACK>(l, i % 2 * (l.side / 8), v[k], v[k + 2], v[k + 4], v[k + 6]);
                }
            }
        } else if (stretch != 4) {
            GF_UNROLL
            for (int i = 0; i < GF_WIDE_HAS; i += 2) {
                const gf_wide_number a = v[i], b = v[i + 1];
                v[i] = {a.re + b.re, a.im + b.im};
                v[i + 1] = {a.re - b.re, a.im - b.im};
            }
        }
    }
}

/* Gives back numbers that lie `had` apart, and takes those that lie `wants` apart. */
GF_DEVICE_FN void gf_wide_change(const gf_wide_line &l, int had, int wants, gf_wide_number (&v)[GF_WIDE_HAS])
{
    const int own = l.place & (had - 1), next = l.place & (wants - 1);
    __syncthreads(); /* all have read what they took before */
    GF_UNROLL
    for (int i = 0; i < GF_WIDE_HAS; i++) {
        const int at = (l.place - own) * GF_WIDE_HAS + own + i * had;
        l.room[gf_wide_at(l, at)] = v[i];
    }
    __syncthreads();
    GF_UNROLL
    for (int i = 0; i < GF_WIDE_HAS; i++) {
        const int at = (l.place - next) * GF_WIDE_HAS + next + i * wants;
        v[i] = l.room[gf_wide_at(l, at)];
    }
}

/* Of numbers that lie side / 16 apart to frequencies side by side. */
GF_DEVICE_FN void gf_wide_forward(const gf_wide_line &l, gf_wide_number (&v)[GF_WIDE_HAS])
{
    int s = l.side / GF_WIDE_HAS;
    for (;;) {
        gf_wide_sixteen<false>(l, s, l.place & (s - 1), v);
        if (s < GF_WIDE_HAS) {
            break;
        }
        gf_wide_change(l, s, s / GF_WIDE_HAS, v);
        s /= GF_WIDE_HAS;
    }
    if (s > 1) {
        gf_wide_change(l, s, 1, v);
        gf_wide_rest<false>(l, s, v);
    }
}

GF_DEVICE_FN void gf_wide_backward(const gf_wide_line &l, gf_wide_number (&v)[GF_WIDE_HAS])
{
    int s = l.side;
    while (s >= GF_WIDE_HAS) {
        s /= GF_WIDE_HAS;
    }
    if (s > 1) {
        gf_wide_rest<true>(l, s, v);
        gf_wide_change(l, 1, s, v);
    }
    for (;;) {
        gf_wide_sixteen<true>(l, s, l.place & (s - 1), v);
        if (s * GF_WIDE_HAS == l.side) {
            return;
        }
        gf_wide_change(l, s, s * GF_WIDE_HAS, v);
        s *= GF_WIDE_HAS;
    }
}

#endif
