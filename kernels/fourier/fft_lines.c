/* One SIMD level: compile with -DGF_ROWS_LEVEL=baseline, avx2 or avx512 and the machine options of that
 * level. */
#include "fourier/fft_lines.h"

#include "base/cpu_level.h"
#include "base/gf_num.h"
#include "base/planted_fault.h"

#include <stdbool.h>

#include "fourier/fft_butterfly.h"
#include "fourier/fft_vector.h"

/* ---- Memory ------------------------------------------------------------------------------------------------- */

/* How the lanes of a view lie: side by side, planar or with re and im in turns or im and re; or anyhow. */
enum mode { PLANAR, TURNS, BACK, OTHER };

static enum mode mode_of(const struct gf_fft_view *v, int32_t lanes)
{
    return lanes < W                            ? OTHER
           : v->lane == 1                       ? PLANAR
           : v->lane == 2 && v->im == v->re + 1 ? TURNS
           : v->lane == 2 && v->im == v->re - 1 ? BACK
                                                : OTHER;
}

#define ASK_FOR(at, ahead, writes)                                                                           \
    __builtin_prefetch((const void *)((uintptr_t)(at) + (uintptr_t)(ahead)), writes)

static void read_one_by_one(const struct gf_fft_strip *s, int64_t p, vec *re, vec *im)
{
    const struct gf_fft_view *v = &s->from;
    float a[W] = {0}, b[W] = {0};
    for (int32_t l = 0; l < s->lanes; l++) {
        a[l] = v->re[p * v->point + l * v->lane];
        b[l] = v->im[p * v->point + l * v->lane];
    }
    *re = load(a);
    *im = load(b);
}

INLINE void read_point(const struct gf_fft_strip *s, const enum mode mode, int64_t p, vec *re, vec *im)
{
    const int64_t at = p * s->from.point;
    if (mode == PLANAR) {
        ASK_FOR(s->from.re + at, s->ahead, 0);
        *re = load(s->from.re + at);
        *im = load(s->from.im + at);
    } else if (mode == OTHER) {
        const bool whole = at + W * s->from.lane <= s->beyond;
        const enum mode other = whole ? mode_of(&s->from, W) : OTHER;
        if (other == OTHER) {
            read_one_by_one(s, p, re, im);
        } else if (other == PLANAR) {
            read_point(s, PLANAR, p, re, im);
        } else {
            read_point(s, TURNS, p, other == TURNS ? re : im, other == TURNS ? im : re);
        }
    } else {
        const float *from = (s->from.re < s->from.im ? s->from.re : s->from.im) + at;
        ASK_FOR(from, s->ahead, 0);
        ASK_FOR(from + W, s->ahead, 0);
        const vec a = load(from), b = load(from + W);
        const vec even = SHUFFLE(a, b, EVEN, 0), odd = SHUFFLE(a, b, ODD, 0);
        *re = mode == BACK ? odd : even;
        *im = mode == BACK ? even : odd;
    }
}

static void write_one_by_one(const struct gf_fft_strip *s, int64_t p, vec re, vec im)
{
    const struct gf_fft_view *v = &s->to;
    float a[W], b[W];
    store(a, re);
    store(b, im);
    for (int32_t l = 0; l < s->lanes; l++) {
        v->re[p * v->point + l * v->lane] = a[l];
        v->im[p * v->point + l * v->lane] = b[l];
    }
}

INLINE vec finish(vec v, vec scale)
{
    return one_nan(v * scale);
}

INLINE void write_point(const struct gf_fft_strip *s, const enum mode mode, int64_t p, vec re, vec im)
{
    const int64_t at = p * s->to.point;
    if (mode == PLANAR) {
        store(s->to.re + at, re);
        store(s->to.im + at, im);
        return;
    }
    re = finish(re, set(s->scale));
    im = finish(im, set(s->scale));
    if (mode == OTHER) {
        write_one_by_one(s, p, re, im);
        return;
    }
    float *to = (mode == BACK ? s->to.im : s->to.re) + at;
    const vec a = mode == BACK ? im : re, b = mode == BACK ? re : im;
    ASK_FOR(to, s->ahead_to, 1);
    ASK_FOR(to + W, s->ahead_to, 1);
    store(to, SHUFFLE(a, b, ZIP_LOW, 0));
    store(to + W, SHUFFLE(a, b, ZIP_HIGH, 0));
}

/* The first n lanes, or all. */
INLINE void write_some(float *to, vec v, int64_t n)
{
    if (n >= W) {
        store(to, v);
    } else {
        for (int64_t i = 0; i < n; i++) {
            to[i] = v[i];
        }
    }
}

/* Writes the buffer where the numbers of a lane, not the lanes, lie side by side. */
static void write_turned(const struct gf_fft_strip *s)
{
    for (int part = 0; part < 2; part++) {
        float *to = part ? s->to.im : s->to.re;
        for (int64_t p = 0; p < s->points; p += W) {
            vec v[W];
            for (int i = 0; i < W; i++) {
                v[i] = load(s->buffer + (2 * (p + i) + part) * W);
            }
            turn_round(v);
            for (int32_t l = 0; l < s->lanes; l++) {
                const int32_t lane = GF_FAULT(fft_turned) && l == W - 1 ? 0 : l;
                write_some(to + p + l * s->to.lane, v[lane], s->points - p);
            }
        }
    }
}

/* ---- Stages ------------------------------------------------------------------------------------------------- */

enum { INNER = 0, FIRST = 1, LAST = 2 }; /* a stage reads the view `from`, and writes the view `to` */

/* Joins `count` numbers each, those from `base` on. leaf: where number 0 of the first stage is read. `wide`:
 * the factors of the lanes differ. */
INLINE void join(const int r, const int where, const bool wide, const enum mode mode,
                 const struct gf_fft_strip *s, const struct gf_fft_stage *stage, int64_t base, int64_t count,
                 int64_t leaf)
{
    const int64_t apart = stage->span / count; /* of the factors of a number and the next */
    const int64_t apart_read = s->points / r;
    float *buffer = s->buffer + base * 2 * W;
    for (int64_t k = 0; k < count; k++) {
        vec re[8], im[8];
        for (int q = 0; q < r; q++) {
            if (where & FIRST) {
                read_point(s, mode, leaf + q * apart_read, &re[q], &im[q]);
            } else {
                re[q] = load(buffer + (q * count + k) * 2 * W);
                im[q] = load(buffer + (q * count + k) * 2 * W + W);
            }
            if (q > 0 && (wide || !(where & FIRST))) {
                const int64_t at = (q - 1) * stage->span + k * apart + (wide ? s->at : 0);
                const vec wr = wide ? load(stage->re + at) : set(stage->re[at]);
                const vec wi = wide ? load(stage->im + at) : set(stage->im[at]);
                const vec a = re[q];
                re[q] = fused_minus(a, wr, im[q] * wi);
                im[q] = fused(a, wi, im[q] * wr);
            }
        }
        if (r == 2) {
            butterfly_2(re, im);
        } else if (r == 4) {
            butterfly_4(re, im);
        } else {
            butterfly_odd(r, re, im);
        }
        for (int q = 0; q < r; q++) {
            if (where & LAST) {
                write_point(s, mode, q * count + k, re[q], im[q]);
            } else {
                store(buffer + (q * count + k) * 2 * W, re[q]);
                store(buffer + (q * count + k) * 2 * W + W, im[q]);
            }
        }
    }
}

#define STAGE(name, where, wide, mode)                                                                       \
    static void name(const struct gf_fft_strip *s, const struct gf_fft_stage *stage, int64_t base,           \
                     int64_t count, int64_t leaf)                                                            \
    {                                                                                                        \
        switch (stage->radix) {                                                                              \
        case 2:                                                                                              \
            join(2, where, wide, mode, s, stage, base, count, leaf);                                         \
            break;                                                                                           \
        case 3:                                                                                              \
            join(3, where, wide, mode, s, stage, base, count, leaf);                                         \
            break;                                                                                           \
        case 4:                                                                                              \
            join(4, where, wide, mode, s, stage, base, count, leaf);                                         \
            break;                                                                                           \
        case 5:                                                                                              \
            join(5, where, wide, mode, s, stage, base, count, leaf);                                         \
            break;                                                                                           \
        default:                                                                                             \
            join(7, where, wide, mode, s, stage, base, count, leaf);                                         \
            break;                                                                                           \
        }                                                                                                    \
    }
#define STAGES(name, where, wide)                                                                            \
    STAGE(name##_planar, where, wide, PLANAR)                                                                \
    STAGE(name##_turns, where, wide, TURNS)                                                                  \
    STAGE(name##_back, where, wide, BACK)                                                                    \
    STAGE(name##_other, where, wide, OTHER)                                                                  \
    static stage_fn *const name[] = {name##_planar, name##_turns, name##_back, name##_other};
typedef void stage_fn(const struct gf_fft_strip *s, const struct gf_fft_stage *stage, int64_t base,
                      int64_t count, int64_t leaf);
STAGES(begins, FIRST, false)
STAGES(begins_wide, FIRST, true)
STAGES(ends, LAST, false)
STAGES(ends_wide, LAST, true)
STAGE(inner, INNER, false, OTHER)
STAGE(inner_wide, INNER, true, OTHER)

/* Places in the input where the first stage reads: digits count up from that of the second stage on. */
struct leaves {
    int32_t digit[GF_FFT_STAGES];
    int64_t weight[GF_FFT_STAGES];
};

INLINE int64_t next_leaf(const struct gf_fft_strip *s, struct leaves *l, int64_t leaf)
{
    for (int32_t i = 1; i < s->stages; i++) {
        leaf += l->weight[i];
        if (++l->digit[i] < s->stage[i].radix) {
            return leaf;
        }
        leaf -= l->weight[i] * s->stage[i].radix;
        l->digit[i] = 0;
    }
    return leaf;
}

static void strip(const struct gf_fft_strip *s)
{
    const bool wide = s->stage[0].span > 1;
    const enum mode reads = mode_of(&s->from, s->lanes), writes = mode_of(&s->to, s->lanes);
    const bool turned = s->to.point == 1 && s->to.lane > 2 && s->scale == 1;
    stage_fn *const begin = (wide ? begins_wide : begins)[reads], *const between = wide ? inner_wide : inner;
    stage_fn *const end = turned ? between : (wide ? ends_wide : ends)[writes];
    const int32_t r = s->stage[0].radix;
    int32_t done[GF_FFT_STAGES] = {0};
    struct leaves leaves = {{0}, {s->points / r}};
    for (int32_t i = 1; i < s->stages; i++) {
        leaves.weight[i] = leaves.weight[i - 1] / s->stage[i].radix;
    }
    for (int64_t base = 0, leaf = 0; base < s->points; base += r, leaf = next_leaf(s, &leaves, leaf)) {
        begin(s, &s->stage[0], base, 1, leaf);
        int64_t count = r;
        for (int32_t i = 1; i < s->stages && ++done[i] == s->stage[i].radix; i++) {
            const int64_t from = base + r - count * s->stage[i].radix;
            (i + 1 == s->stages ? end : between)(s, &s->stage[i], from, count, 0);
            count *= s->stage[i].radix;
            done[i] = 0;
        }
    }
    if (turned) {
        write_turned(s);
    } else if (s->stages == 1) {
        for (int64_t p = 0; p < s->points; p++) {
            write_point(s, OTHER, p, load(s->buffer + 2 * p * W), load(s->buffer + (2 * p + 1) * W));
        }
    }
}

/* ---- Products, and real samples ------------------------------------------------------------------------------ */

static void multiply(const struct gf_fft_view *from, const struct gf_fft_table *w, int64_t first, int64_t end,
                     int32_t swap, float scale, const struct gf_fft_view *to)
{
    for (int64_t k = first; k < end; k++) {
        const float x = from->re[k * from->lane], y = from->im[k * from->lane];
        const float a = swap & 1 ? y : x, b = swap & 1 ? x : y;
        const float re = gf_canonical(gf_fma(a, w->re[k], -(b * w->im[k])) * scale);
        const float im = gf_canonical(gf_fma(a, w->im[k], b * w->re[k]) * scale);
        to->re[k * to->lane] = swap & 2 ? im : re;
        to->im[k * to->lane] = swap & 2 ? re : im;
    }
}

INLINE vec reversed(const float *at)
{
    const vec v = load(at);
    return SHUFFLE(v, v, REVERSE, 0);
}

/* From number k on, W of them, with those that lie as far before `mirror` as they behind 0. */
INLINE void split_some(const float *re, const float *im, const struct gf_fft_table *v, int64_t k,
                       int64_t mirror, float *to)
{
    const vec ar = load(re + k), ai = load(im + k), vr = load(v->re + k), vi = load(v->im + k);
    const vec br = reversed(re + mirror - k - (W - 1)), bi = reversed(im + mirror - k - (W - 1));
    const vec dr = ar - br, di = ai + bi, half = set(0.5F);
    const vec x = one_nan(half * ((ar + br) + fused_minus(dr, vr, di * vi)));
    const vec y = one_nan(half * ((ai - bi) + fused(dr, vi, di * vr)));
    store(to + 2 * k, SHUFFLE(x, y, ZIP_LOW, 0));
    store(to + 2 * k + W, SHUFFLE(x, y, ZIP_HIGH, 0));
}

static void split(const float *re, const float *im, const struct gf_fft_table *v, int64_t h, int64_t first,
                  int64_t end, float *to)
{
    int64_t k = first;
    for (; k + W <= end; k += W) {
        split_some(re, im, v, k, h, to);
    }
    for (; k < end; k++) {
        const float dr = re[k] - re[h - k], di = im[k] + im[h - k];
        const float tr = gf_fma(dr, v->re[k], -(di * v->im[k])), ti = gf_fma(dr, v->im[k], di * v->re[k]);
        to[2 * k] = gf_canonical(0.5F * ((re[k] + re[h - k]) + tr));
        to[2 * k + 1] = gf_canonical(0.5F * ((im[k] - im[h - k]) + ti));
    }
}

INLINE void merge_some(const float *from, const struct gf_fft_table *v, int64_t k, int64_t h, float *re,
                       float *im)
{
    const float *mirror = from + 2 * (h - k - (W - 1));
    const vec a = load(from + 2 * k), b = load(from + 2 * k + W), c = load(mirror), d = load(mirror + W);
    const vec ar = SHUFFLE(a, b, EVEN, 0), ai = SHUFFLE(a, b, ODD, 0);
    const vec br = SHUFFLE(c, d, EVEN_BACK, 0), bi = SHUFFLE(c, d, ODD_BACK, 0);
    const vec dr = ar - br, di = ai + bi, vr = load(v->re + k), vi = load(v->im + k);
    store(re + k, (ar + br) + fused(dr, vr, di * vi));
    store(im + k, (ai - bi) + fused(dr, -vi, di * vr));
}

static void merge(const float *from, const struct gf_fft_table *v, int64_t h, int64_t first, int64_t end,
                  float *re, float *im)
{
    int64_t k = first;
    for (; k + W <= end; k += W) {
        merge_some(from, v, k, h, re, im);
    }
    for (; k < end; k++) {
        const float ar = from[2 * k], ai = from[2 * k + 1], br = from[2 * (h - k)],
                    bi = from[2 * (h - k) + 1];
        const float dr = ar - br, di = ai + bi;
        re[k] = (ar + br) + gf_fma(dr, v->re[k], di * v->im[k]);
        im[k] = (ai - bi) + gf_fma(dr, -v->im[k], di * v->re[k]);
    }
}

const struct gf_fft_lines GF_LEVEL_NAME(gf_fft_lines) = {W, strip, multiply, split, merge};
