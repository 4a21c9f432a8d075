/* What rms, gate and envelope make of their sums, the same on every backend. */
#ifndef GF_SIGNAL_MAGNITUDE_H
#define GF_SIGNAL_MAGNITUDE_H

#include "base/gf_num.h"
#include "signal/signal_args.h"

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

#endif
