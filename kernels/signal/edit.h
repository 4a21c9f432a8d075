/* What the CPU and CUDA compute alike of a frame: weights of a fade, dither. */
#ifndef GF_SIGNAL_EDIT_H
#define GF_SIGNAL_EDIT_H

#include "base/gf_num.h"
#include "signal/signal.h"
#include "signal/signal_args.h"

/* Frame n of `frames`, which is -1 while the end is far. */
GF_HD float gf_fade_frame(const struct gf_signal_fade *a, float x, int64_t n, int64_t frames)
{
    const int64_t left = frames < 0 ? a->out : frames - 1 - n;
    double y = (double)x;
    if (n < a->in) {
        const double t = (double)n / (double)a->in;
        y = y * (a->smooth ? t * t * (3 - 2 * t) : t);
    }
    if (left < a->out) {
        const double t = (double)left / (double)a->out;
        y = y * (a->smooth ? t * t * (3 - 2 * t) : t);
    }
    return gf_canonical((float)y);
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

/* The difference of two numbers of 24 bits, by 2^24: triangular between -1 and 1. */
GF_HD double gf_dither_noise(int64_t n, int32_t channel)
{
    const uint64_t bits = gf_drawn((uint64_t)n * GF_SIGNAL_CHANNELS + (uint64_t)channel);
    return ((double)(int64_t)(bits >> 40) - (double)(int64_t)(bits >> 16 & 0xffffff)) * 0x1p-24;
}

/* Adding and taking away 1.5 2^52 rounds to a whole number, half to even; what has no fraction stays. */
GF_HD float gf_dither_frame(const struct gf_signal_dither *a, float x, int64_t n, int32_t channel)
{
    const double scale = (double)((int64_t)1 << (a->bits - 1));
    const double v = (double)x * scale + gf_dither_noise(n, channel);
    const bool rounds = v > -0x1p51 && v < 0x1p51;
    return gf_canonical((float)((rounds ? v + 0x1.8p52 - 0x1.8p52 : v) / scale));
}

#endif
