/* The kernel "warp": each pixel of the output is interpolated where a matrix finds it in the input. */
#pragma once

#include "base/gf_border.h"
#include "pixel/ir/kernel_table.h"

#ifdef __cplusplus
extern "C" {
#endif

enum gf_warp_filter { GF_WARP_NEAREST, GF_WARP_LINEAR, GF_WARP_CUBIC, GF_WARP_LANCZOS };
enum { GF_WARP_TAPS = 6, GF_WARP_PHASES = 4096, GF_WARP_ROWS = GF_WARP_PHASES + 2, GF_WARP_CHANNELS = 4 };

/* Pixel (x, y) of the output lies at (u / w, v / w) in the input: u = m[0] x + (m[1] y + m[2]), v from m[3]
 * and w from m[6] on, in f64, each step rounded. in[0], out[0]: pictures of samples and as many channels;
 * in[1], for lanczos alone: f32, GF_WARP_TAPS weights for each of GF_WARP_ROWS places: multiples of 1 /
 * GF_WARP_PHASES, and one that counts 0 times. Between two of them weights are interpolated. */
struct gf_warp_args {
    double m[9];
    int32_t filter, border;       /* gf_warp_filter, gf_border */
    float fill[GF_WARP_CHANNELS]; /* what a constant border reads, in sample units */
};

extern const struct gf_kernel gf_kernel_warp;

gf_status gf_warp_cuda(const struct gf_apply_run *run, gf_error *error);
gf_status gf_judge_warp(const struct gf_judge *judge, const struct gf_op *op, gf_error *error);

/* ---- rows on the CPU, once a SIMD level (warp_rows.c) ---- */

struct gf_warp_job {
    const struct gf_apply_run *run;
    struct gf_warp_args args;
    const float *table; /* of lanczos */
};

struct gf_warp_rows {
    void (*row)(const struct gf_warp_job *job, int64_t y); /* row y of the output */
};

extern const struct gf_warp_rows gf_warp_rows_baseline, gf_warp_rows_avx2, gf_warp_rows_avx512;

/* ---- shared by the CPU and CUDA ---- */

/* Samples along an axis that a pixel is made of. */
GF_HD int gf_warp_taps(int filter)
{
    return filter == GF_WARP_NEAREST  ? 1
           : filter == GF_WARP_LINEAR ? 2
           : filter == GF_WARP_CUBIC  ? 4
                                      : GF_WARP_TAPS;
}

/* Tells whether the matrix finds a place that can be one of a picture. */
GF_HD int gf_warp_place(const struct gf_warp_args *a, double x, double y, double *u, double *v)
{
    const double most = 1073741824.0;
    *u = a->m[0] * x + (a->m[1] * y + a->m[2]);
    *v = a->m[3] * x + (a->m[4] * y + a->m[5]);
    if (a->m[6] != 0.0 || a->m[7] != 0.0 || a->m[8] != 1.0) {
        const double w = a->m[6] * x + (a->m[7] * y + a->m[8]);
        *u = *u / w;
        *v = *v / w;
    }
    return *u > -most && *u<most && * v> - most && *v < most;
}

/* floor(t), |t| < 2^30 */
GF_HD int32_t gf_warp_floor(double t)
{
    const int32_t whole = (int32_t)t;
    return whole - (t < (double)whole);
}

/* Returns how many samples in front of that at floor(t) a pixel begins with. */
GF_HD int gf_warp_lead(int filter)
{
    return filter == GF_WARP_CUBIC ? 1 : filter == GF_WARP_LANCZOS ? 2 : 0;
}

/* The weights of samples for a place f, 0 to 1, behind one of them; not of nearest. */
GF_HD void gf_warp_weights_of(int filter, const float *table, float f, float *w)
{
    const float g = 1.0F - f;
    if (filter == GF_WARP_LINEAR) {
        w[0] = g;
        w[1] = f;
        return;
    }
    if (filter == GF_WARP_CUBIC) {
        w[0] = (-0.5F * f) * (g * g);
        w[1] = (f * f) * (1.5F * f - 2.5F) + 1.0F;
        w[2] = (g * g) * (1.5F * g - 2.5F) + 1.0F;
        w[3] = (-0.5F * g) * (f * f);
        return;
    }
    const float at = f * (float)GF_WARP_PHASES;
    const float *row = table + (int32_t)at * GF_WARP_TAPS;
    const float part = at - (float)(int32_t)at;
    for (int i = 0; i < GF_WARP_TAPS; i++) {
        w[i] = gf_fma(part, row[i + GF_WARP_TAPS] - row[i], row[i]);
    }
}

/* The first sample along an axis for place t, and the weights of it and those behind it. */
GF_HD int32_t gf_warp_weights(int filter, const float *table, double t, float *w)
{
    if (filter == GF_WARP_NEAREST) {
        w[0] = 1.0F;
        return gf_warp_floor(t + 0.5);
    }
    const int32_t first = gf_warp_floor(t);
    gf_warp_weights_of(filter, table, (float)(t - (double)first), w);
    return first - gf_warp_lead(filter);
}

#ifdef __cplusplus
}
#endif
