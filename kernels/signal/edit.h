/* What is done to a frame by its number, and to channels: shift, fade, dither and mix, alike on the CPU and
 * on CUDA. */
#pragma once

#include "base/gf_num.h"
#include "signal/signal.h"
#include "signal/signal_args.h"

/* What a call has. */
struct gf_edit {
    struct gf_track in;
    int64_t frames; /* of the whole input, -1 while the end is far */
    void *state;    /* of shift four floats a channel; on CUDA of mix its table */
};

GF_HD const float *gf_edit_channel(const struct gf_edit *e, int32_t c)
{
    return e->in.data + c * e->in.pitch - e->in.first;
}

/* The last frame that is kept stays in the state, for calls that come behind it. */
GF_HD float gf_shift_frame(const struct gf_signal_shift *a, const struct gf_edit *e, int64_t n, int32_t c)
{
    const float *x = gf_edit_channel(e, c) + a->start;
    const int64_t there = e->in.first + e->in.count < a->stop ? e->in.first + e->in.count : a->stop;
    const int64_t kept = there > a->start ? there - a->start : 0, i = n - a->before;
    float *last = (float *)e->state + 4 * c;
    if (i >= 0 && i < kept) {
        if (i == kept - 1) {
            *last = x[i];
        }
        return x[i];
    }
    if (a->border != 1) {
        return a->value;
    }
    if (i < 0) {
        return kept > 0 ? x[0] : 0.0F;
    }
    return kept > 0 && a->start + kept > e->in.first ? x[kept - 1] : *last;
}

GF_HD double gf_fade_weight(int64_t place, int64_t length, int32_t smooth)
{
    const double t = (double)place / (double)length;
    return place >= length ? 1 : smooth ? t * t * (3 - 2 * t) : t;
}

GF_HD float gf_fade_frame(const struct gf_signal_fade *a, const struct gf_edit *e, int64_t n, int32_t c)
{
    const int64_t left = e->frames < 0 ? a->out : e->frames - 1 - n;
    const double y = (double)gf_edit_channel(e, c)[n] * gf_fade_weight(n, a->in, a->smooth);
    return gf_canonical((float)(y * gf_fade_weight(left, a->out, a->smooth)));
}

/* 64 bits that look drawn at random, of any number (splitmix64: Steele, Lea and Flood, "Fast splittable
 * pseudorandom number generators", 2014). */
GF_HD uint64_t gf_drawn(uint64_t number)
{
    uint64_t z = (number + 1) * 0x9e3779b97f4a7c15U;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9U;
    z = (z ^ z >> 27) * 0x94d049bb133111ebU;
    return z ^ z >> 31;
}

/* The noise is the difference of two numbers of 24 bits, by 2^24. Adding and taking away 1.5 2^52 rounds to a
 * whole number, half to even; what is so large that it has no fraction stays. */
GF_HD float gf_dither_frame(const struct gf_signal_dither *a, const struct gf_edit *e, int64_t n, int32_t c)
{
    const double scale = (double)((int64_t)1 << (a->bits - 1));
    const uint64_t bits = gf_drawn((uint64_t)n * GF_SIGNAL_CHANNELS + (uint64_t)c);
    const double noise =
        ((double)(int64_t)(bits >> 40) - (double)(int64_t)(bits >> 16 & 0xffffff)) / 16777216;
    const double v = (double)gf_edit_channel(e, c)[n] * scale + noise, far = 6755399441055744.0;
    return gf_canonical((float)((v > -1e15 && v < 1e15 ? v + far - far : v) / scale));
}

GF_HD float gf_mix_frame(const struct gf_signal_mix *a, const struct gf_edit *e, int64_t n, int32_t d)
{
    const int32_t *table = e->state ? (const int32_t *)e->state : a->table;
    float y = 0.0F;
    for (int32_t k = table[d]; k < table[d + 1]; k += 2) {
        const float gain = gf_bits_float((uint32_t)table[k + 1]), x = gf_edit_channel(e, table[k])[n];
        y = k == table[d] ? gain * x : gf_fma(gain, x, y);
    }
    return gf_canonical(y);
}

/* The runs of the CPU, once per SIMD level (edit_rows.c). */
typedef void gf_edit_run(const void *args, void *state, const struct gf_track *in, int64_t frames,
                         const struct gf_track *out, int32_t channels);
struct gf_edit_rows {
    gf_edit_run *shift, *fade, *dither, *mix;
};
extern const struct gf_edit_rows gf_edit_rows_baseline, gf_edit_rows_avx2, gf_edit_rows_avx512;
