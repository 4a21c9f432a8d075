/* The table of taps that resampling on CUDA reads, which the host makes: 8 neighbouring outputs share frames,
 * so what they multiply one frame by lies together. */
#pragma once

#include "base/gf_num.h"
#include "signal/signal_args.h"
#include "signal/signal_sum.h"

#include <stddef.h>

/* Bytes: periods that would take more of shared memory go the plain way, on any device. */
enum { GF_RESAMPLE_SHARED = 113 * 1024 - 128, GF_RESAMPLE_GROUP = 8 };

/* A period has `period` outputs, 8 or more, for `step` frames. A chain of a group of 8 outputs has `frames`
 * frames, under a tap of each. frames 0: periods are too long, and the table is that of the args. */
struct gf_resample_layout {
    int32_t period, step, frames;
};

/* Where output r of the group from `output` on lies in the period; behind the last one as the last one. */
GF_HD int32_t gf_resample_group_place(int64_t up, int64_t down, int32_t period, int32_t output, int32_t r)
{
    const uint32_t n = (uint32_t)(output + r < period ? output + r : period - 1);
    return (int32_t)(n * (uint32_t)down / (uint32_t)up);
}

static inline int64_t gf_floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

static inline struct gf_resample_layout gf_resample_layout_of(const struct gf_signal_resample *a)
{
    struct gf_resample_layout l = {0, 0, 0};
    const int64_t least = a->up < a->down ? a->up : a->down;
    const int64_t times = (GF_RESAMPLE_GROUP + least - 1) / least, up = a->up * times, down = a->down * times;
    if (up > 4096 || down > 4096 || a->taps > 4096) {
        return l;
    }
    /* 34 periods, far more than the kernel needs at least, and those that taps reach into */
    const int64_t rows = 34 + (down + a->centre) / down + (a->taps - a->centre) / down;
    if (rows * (down + 1) * 4 + 4096 > GF_RESAMPLE_SHARED) {
        return l;
    }
    l.period = (int32_t)up;
    l.step = (int32_t)down;
    l.frames = (int32_t)((a->taps + 7 * down / up + 1 + 7) / 8); /* the last output's, and those behind */
    return l;
}

static inline size_t gf_resample_table_bytes(const struct gf_signal_resample *a)
{
    const struct gf_resample_layout l = gf_resample_layout_of(a);
    const size_t groups = ((size_t)l.period + 7) / 8;
    return sizeof(float) * (l.frames ? groups * 8 * (size_t)l.frames * 8 : (size_t)a->up * (size_t)a->taps);
}

/* The chain that is summed as number `i`, so that those that are folded first come first; and the other way
 * round. */
GF_HD int32_t gf_resample_order(int32_t i)
{
    return (i & 1) << 2 | (i & 2) | (i & 4) >> 2;
}

/* How many frames of a chain come before those that all outputs have taps for; begin: how far the frames of
 * the group's first output lie behind those of its last one. */
GF_HD int32_t gf_resample_before(int32_t chain, int32_t begin)
{
    return chain < begin ? (begin - chain + 7) / 8 : 0;
}

/* table[group][order of the chain][frame][r]: for tap 8 frame + chain of the group's last output the tap of
 * output r for the same frame. What no output has is left as it is. */
static inline void gf_resample_fill(const struct gf_signal_resample *a, float *table)
{
    const struct gf_resample_layout l = gf_resample_layout_of(a);
    for (int32_t output = 0; output < l.period; output += 8) {
        const int32_t last = gf_resample_group_place(a->up, a->down, l.period, output, 7);
        for (int32_t r = 0; r < 8 && output + r < l.period; r++) {
            const int32_t behind = last - gf_resample_group_place(a->up, a->down, l.period, output, r);
            const float *tap = a->phase + (output + r) * a->down % a->up * a->taps;
            for (int32_t k = 0; k < a->taps; k++) {
                const int32_t chain = (k + behind) % 8, i = output + gf_resample_order(chain);
                const int32_t frame = (k + behind) / 8;
                table[(i * l.frames + frame) * 8 + r] = tap[k];
            }
        }
    }
}
