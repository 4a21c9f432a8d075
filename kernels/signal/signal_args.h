/* What each kernel of signals is told. */
#pragma once

#include "signal/section.h"

#include <stdint.h>

/* y = fma(gain, x, offset) in f32. */
struct gf_signal_gain {
    float gain, offset;
};

/* A cascade of sections, the first one first; at most GF_SIGNAL_SECTIONS. `made` is what gf_signal_iir_make
 * makes of the sections: sums over blocks and powers of the system (iir_along.c). */
#define GF_SIGNAL_SECTIONS 16
struct gf_signal_iir {
    int32_t count;
    struct gf_section section[GF_SIGNAL_SECTIONS];
    const struct gf_signal_iir_made *made;
};

/* y[n] = sum of tap[k] x[n + centre - k], k from 0 to taps - 1; 0 <= centre < taps; outside the signal x is
 * as `border` says: zero, or the first or last frame. centre 0 is a causal filter, (taps - 1) / 2 one that
 * keeps times. Of envelope y[n] is the root of x[n]^2 + that^2, in f64, rounded once. */
struct gf_signal_fir {
    int32_t taps, centre;
    int32_t border; /* 0: zeros, 1: the frame at the edge */
    const float *tap;
};

/* The same of many taps, by transforms; envelope: as envelope. stft: what gf_signal_overlap_make made of
 * fir. */
#define GF_SIGNAL_DIRECT 512 /* taps that are still added one by one */
struct gf_signal_overlap {
    struct gf_signal_fir fir; /* without its taps, and with zeros outside */
    int32_t envelope;
    const struct gf_stft *stft;
};

/* y[n] = sum over k of phase[(n M) mod L][k] x[floor(n M / L) + centre - k], zeros outside: L frames of the
 * output for M of the input, both below 2^31. The output has ceil(frames L / M); 0 <= centre < taps. */
struct gf_signal_resample {
    int64_t up, down; /* L and M, without a common divisor */
    int32_t taps, centre;
    const float *phase; /* L rows of `taps` */
};

/* The frame of rank `rank` (0: the least) of the `size` frames around n, size odd, at the edges the frame at
 * the edge again. NaN is greater than all numbers, as everywhere (gf_order.h). */
struct gf_signal_rank {
    int32_t size, rank;
};

/* So many frames more at each end, turned round about the first and the last one: 2 x[0] - x[k], one fma; of
 * fewer frames one less than there are. */
struct gf_signal_extend {
    int32_t frames;
};

/* The input backward, without so many frames at each end, as many as gf_signal_extend has added. */
struct gf_signal_reverse {
    int32_t cut;
};

/* The same cascade from `state` times its first frame on: where it rests if that frame has been there
 * forever. */
struct gf_signal_iir_settled {
    struct gf_signal_iir iir;
    double state[2 * GF_SIGNAL_SECTIONS];
};

/* All channels times one factor, so that the greatest finite size is `peak`; silence stays. */
struct gf_signal_normalize {
    double peak;
};

/* Each channel less the line that is nearest to it in least squares, or less its mean. */
struct gf_signal_detrend {
    int32_t linear;
};

/* From the first frame to the last one that is greater than `level` in size in any channel, or NaN, and
 * `keep` frames more at each end, where there are as many. Where no frame is, all stay. */
struct gf_signal_trim {
    float level;
    int64_t keep;
};

/* Frames [start, stop) of the input, as far as it has them, with `before` frames in front of them and `after`
 * behind. Those are `value`, or, with border 1, the first and the last of the frames between them, 0 where
 * there is none. 0 <= start < stop, all below 2^49 but a stop of INT64_MAX. */
struct gf_signal_shift {
    int64_t start, stop, before, after;
    int32_t border;
    float value;
};

/* y[n] = x[n] times n / in for n below `in`, and times m / out for m = frames - 1 - n below `out`, in f64,
 * rounded to f32 once. smooth: instead of a part t it is t t (3 - 2 t). */
struct gf_signal_fade {
    int64_t in, out; /* frames, 0: none */
    int32_t smooth;
};

/* y[n] = the whole number nearest to x[n] 2^(bits - 1) + noise, divided by that; noise: edit.h. */
struct gf_signal_dither {
    int32_t bits, channels; /* 2 to 24 */
};

/* Channel d of `outputs` is a chain over pairs of a channel and its number, the bits of an f32: the product
 * of the first pair, then fma for each other one; 0 without a pair. Those of d are words [table[d], table[d +
 * 1]) of the table. */
struct gf_signal_mix {
    int32_t outputs;
    const int32_t *table;
};

/* y[n] = own x[n] + earlier x[n - delay] + back y[n - delay], in f32, zeros before the signal: the products
 * whose factor is not 0, by fma from the last to the first one. delay: 1 to GF_SIGNAL_DELAY. */
#define GF_SIGNAL_DELAY (1 << 24)
struct gf_signal_comb {
    int32_t delay;
    float own, earlier, back;
};

/* The root of the mean of squares of those of the `size` frames around n, size odd, that the signal has, in
 * f32 (window_along.c has the order of the sum). gate: x[n] where that is at least `level`, else x[n] times
 * `down`, or 0 where that is 0. */
#define GF_SIGNAL_WINDOW ((1 << 20) + 1)
struct gf_signal_rms {
    int32_t size, gate;
    float level, down;
};
