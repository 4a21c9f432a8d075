/* Places of many pixels at once, in loops that compilers make vectors of. Part of warp_rows.c. */
#pragma once

#include "pixel/map/warp/warp.h"

#include <math.h>

enum { TOGETHER = 32 };

/* The places of TOGETHER pixels of a row: where their samples begin, and the weights, tap by tap. */
struct places {
    int32_t left[TOGETHER], top[TOGETHER];
    float across[4][TOGETHER], down[4][TOGETHER];
    bool all;  /* lie where vectors may read */
    bool none; /* has a sample in the picture */
};

/* Finds along one axis, for places t, the first sample, and how far t lies behind the one at its floor. */
ALWAYS void find_first(const double *t, int filter, int32_t *first, float *f)
{
#pragma GCC unroll 1 /* or no loop is left to be vectorised */
    for (int i = 0; i < TOGETHER; i++) {
        const double whole = floor(filter == GF_WARP_NEAREST ? t[i] + 0.5 : t[i]);
        f[i] = (float)(t[i] - whole);
        first[i] = (int32_t)whole - gf_warp_lead(filter);
    }
}

ALWAYS void find_weights(const float *f, int filter, float (*w)[TOGETHER])
{
#pragma GCC unroll 1
    for (int i = 0; i < TOGETHER && filter != GF_WARP_NEAREST; i++) {
        float own[4] = {0};
        gf_warp_weights_of(filter, NULL, f[i], own);
        w[0][i] = own[0];
        w[1][i] = own[1];
        if (filter == GF_WARP_CUBIC) {
            w[2][i] = own[2];
            w[3][i] = own[3];
        }
    }
}

/* u / w and v / w for w = slope x + first, of TOGETHER pixels from x on. A quotient by way of 1 / w,
 * corrected by what it lacks, is as good as one from a division the first time and the division's the second
 * (P. Markstein, IA-64 and Elementary Functions, 2000), where nothing is too small or too large. */
ALWAYS void lean(double slope, double x, double first, double *u, double *v)
{
    const double most = 0x1p200, least = 0x1p-100;
    double w[TOGETHER];
    int fine = 1;
#pragma GCC unroll 1
    for (int i = 0; i < TOGETHER; i++) {
        w[i] = slope * (x + (double)i) + first;
        const double size = fabs(w[i]);
        fine &= (size > least) & (size < 1 / least) & (fabs(u[i]) < most) & (fabs(v[i]) < most) &
                ((fabs(u[i]) > 1 / (most * most)) | (u[i] == 0)) &
                ((fabs(v[i]) > 1 / (most * most)) | (v[i] == 0));
    }
#pragma GCC unroll 1
    for (int i = 0; !fine && i < TOGETHER; i++) {
        u[i] = u[i] / w[i];
        v[i] = v[i] / w[i];
    }
#pragma GCC unroll 1
    for (int i = 0; fine && i < TOGETHER; i++) {
        const double r = 1.0 / w[i], nu = u[i] * r, nv = v[i] * r;
        const double qu = __builtin_fma(__builtin_fma(-nu, w[i], u[i]), r, nu);
        const double qv = __builtin_fma(__builtin_fma(-nv, w[i], v[i]), r, nv);
        u[i] = __builtin_fma(__builtin_fma(-qu, w[i], u[i]), r, qu);
        v[i] = __builtin_fma(__builtin_fma(-qv, w[i], v[i]), r, qv);
    }
}

/* As a number of as many bits as places have, which lie below it. */
ALWAYS int32_t place_bound(int64_t v)
{
    return v < INT32_MAX ? (int32_t)v : INT32_MAX;
}

/* Pixels [x, x + TOGETHER) of row y. `right` and `bottom`: the last places where vectors may begin. */
ALWAYS void find_places(const struct gf_warp_job *job, int filter, int64_t x, int64_t y, int64_t right,
                        int64_t bottom, struct places *p)
{
    const double *m = job->args.m, most = 1073741824.0;
    const double ru = m[1] * (double)y + m[2], rv = m[4] * (double)y + m[5], rw = m[7] * (double)y + m[8];
    const bool leans = m[6] != 0 || m[7] != 0 || m[8] != 1;
    const int32_t width = place_bound(job->run->in_values[0].width),
                  height = place_bound(job->run->in_values[0].height);
    const int32_t last_left = place_bound(right), last_top = place_bound(bottom);
    const int n = gf_warp_taps(filter);
    double u[TOGETHER], v[TOGETHER];
    float f[2][TOGETHER];
    int fine = 1, outside = 1;
#pragma GCC unroll 1
    for (int i = 0; i < TOGETHER; i++) { /* gf_warp_place */
        const double column = (double)x + (double)i;
        u[i] = m[0] * column + ru;
        v[i] = m[3] * column + rv;
    }
    if (leans) {
        lean(m[6], (double)x, rw, u, v);
    }
#pragma GCC unroll 1
    for (int i = 0; i < TOGETHER; i++) {
        fine &= (u[i] > -most) & (u[i] < most) & (v[i] > -most) & (v[i] < most);
    }
    p->all = p->none = false;
    if (!fine) {
        return;
    }
    find_first(u, filter, p->left, f[0]);
    find_first(v, filter, p->top, f[1]);
#pragma GCC unroll 1
    for (int i = 0; i < TOGETHER; i++) {
        fine &= (p->left[i] >= 0) & (p->left[i] <= last_left) & (p->top[i] >= 0) & (p->top[i] <= last_top);
        outside &= (p->left[i] <= -n) | (p->left[i] >= width) | (p->top[i] <= -n) | (p->top[i] >= height);
    }
    p->all = fine;
    p->none = outside;
    if (fine) {
        find_weights(f[0], filter, p->across);
        find_weights(f[1], filter, p->down);
    }
}
