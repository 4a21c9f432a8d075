/* A frame of comb, rms, gate, envelope and extend, the same on every backend. */
#pragma once

#include "base/gf_num.h"
#include "signal/signal_args.h"

/* A factor of 0 leaves its product out, so that an infinity which is only moved stays alone. */
GF_HD float gf_comb_term(const struct gf_signal_comb *a, float own, float earlier, float back)
{
    float y = a->back != 0 ? a->back * back : 0.0F;
    if (a->earlier != 0) {
        y = gf_fma(a->earlier, earlier, y);
    }
    if (a->own != 0) {
        y = gf_fma(a->own, own, y);
    }
    return gf_canonical(y);
}

/* Frame n, which is x, of a signal of so many frames; sum: of the squares around it. */
GF_HD float gf_rms_frame(const struct gf_signal_rms *a, float x, double sum, int64_t n, int64_t frames)
{
    const int64_t half = a->size / 2;
    const int64_t first = n > half ? n - half : 0, behind = n < frames - half ? n + half + 1 : frames;
    const float rms = (float)gf_sqrt_double(sum / (double)(behind - first));
    const float down = a->down != 0 ? a->down * x : 0.0F;
    return gf_canonical(!a->gate ? rms : rms >= a->level ? x : rms == rms ? down : rms);
}

GF_HD float gf_envelope_frame(float x, float h)
{
    return gf_canonical((float)gf_sqrt_double((double)x * (double)x + (double)h * (double)h));
}

/* Frame n of a signal from x[0] to x[last], or beyond its ends, turned round about the frame there. */
GF_HD float gf_extend_frame(const float *x, int64_t last, int64_t n)
{
    return gf_canonical(n < 0       ? gf_fma(2.0F, x[0], -x[-n])
                        : n <= last ? x[n]
                                    : gf_fma(2.0F, x[last], -x[2 * last - n]));
}
