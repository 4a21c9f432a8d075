/* SSIM (Wang, Bovik, Sheikh and Simoncelli, 2004) and MS-SSIM (Wang, Simoncelli and Bovik, 2003), a row at a
 * time: the last rows of both pictures are kept, as many as the window is high; of a window down the columns
 * there are five sums (a, b, aa, bb, ab), which are then summed along the row. Only windows that lie wholly
 * in the area count. */
#include "compare/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW = 11, SCALES = 5, SUMS = 5 };

/* A scale of one channel. */
struct scale {
    int64_t width, rows;          /* rows that came */
    double *a, *b;                /* rings of as many rows as the window has */
    double *sums[SUMS];           /* down the columns */
    double similarity, structure; /* sums over all windows, of the whole and without the means' part */
    uint64_t windows;
};

struct gf_compare_ssim {
    int window, scales, channels;
    double weight[WINDOW], sample; /* sample: n / (n - 1) of the sample covariance, or 1 */
    double c1, c2;
    struct scale *scale; /* of each channel */
    double *memory;
};

static void set_weights(struct gf_compare_ssim *s, bool uniform)
{
    double sum = 0;
    s->window = uniform ? 7 : WINDOW;
    s->sample = uniform ? 49.0 / 48 : 1;
    for (int i = 0; i < s->window; i++) {
        const double x = i - s->window / 2;
        s->weight[i] = uniform ? 1 : exp(-x * x / (2 * 1.5 * 1.5));
        sum += s->weight[i];
    }
    for (int i = 0; i < s->window; i++) {
        s->weight[i] /= sum;
    }
}

struct gf_compare_ssim *gf_compare_ssim_begin(const struct gf_compare_job *job, uint32_t metric)
{
    struct gf_compare_ssim *s = calloc(1, sizeof *s);
    if (!s) {
        return NULL;
    }
    set_weights(s, metric == GF_COMPARE_SSIM_UNIFORM);
    s->channels = job->shape.channels;
    s->scales = metric == GF_COMPARE_MS_SSIM ? SCALES : 1;
    s->c1 = 0.01 * job->white * (0.01 * job->white);
    s->c2 = 0.03 * job->white * (0.03 * job->white);
    const size_t lines = (size_t)(2 * s->window + SUMS), width = (size_t)job->area.w;
    s->scale = calloc((size_t)(s->channels * s->scales), sizeof *s->scale);
    s->memory =
        malloc((size_t)s->channels * (size_t)(s->scales > 1 ? 2 : 1) * lines * width * sizeof(double));
    if (!s->scale || !s->memory) {
        gf_compare_ssim_free(s);
        return NULL;
    }
    double *next = s->memory;
    for (int i = 0; i < s->channels * s->scales; i++) {
        struct scale *scale = &s->scale[i];
        scale->width = job->area.w >> (i % s->scales); /* an odd last column has no scale below */
        scale->a = next;
        scale->b = next + s->window * scale->width;
        next = scale->b + s->window * scale->width;
        for (int k = 0; k < SUMS; k++, next += scale->width) {
            scale->sums[k] = next;
        }
    }
    return s;
}

void gf_compare_ssim_free(struct gf_compare_ssim *s)
{
    if (s) {
        free(s->scale);
        free(s->memory);
        free(s);
    }
}

/* ---- windows ---- */

/* The five sums of each column, over the rows of the window from the top down. */
static void sum_columns(const struct gf_compare_ssim *s, struct scale *c)
{
    for (int i = 0; i < s->window; i++) {
        const int64_t at = (c->rows - s->window + i) % s->window * c->width;
        const double w = s->weight[i], *restrict a = c->a + at, *restrict b = c->b + at;
        double *restrict sa = c->sums[0], *restrict sb = c->sums[1], *restrict saa = c->sums[2],
                         *restrict sbb = c->sums[3], *restrict sab = c->sums[4];
        const double keep = i > 0 ? 1 : 0;
        for (int64_t x = 0; x < c->width; x++) {
            const double u = a[x], v = b[x];
            sa[x] = (keep > 0 ? sa[x] : 0) + w * u;
            sb[x] = (keep > 0 ? sb[x] : 0) + w * v;
            saa[x] = (keep > 0 ? saa[x] : 0) + w * (u * u);
            sbb[x] = (keep > 0 ? sbb[x] : 0) + w * (v * v);
            sab[x] = (keep > 0 ? sab[x] : 0) + w * (u * v);
        }
    }
}

/* The windows of a row, from left to right: their sums along the row, and what follows from them. */
static void add_windows(const struct gf_compare_ssim *s, struct scale *c)
{
    double similarity = 0, structure = 0;
    for (int64_t x = 0; x + s->window <= c->width; x++) {
        double m[SUMS] = {0};
        for (int i = 0; i < s->window; i++) {
            for (int k = 0; k < SUMS; k++) {
                m[k] += s->weight[i] * c->sums[k][x + i];
            }
        }
        const double va = s->sample * (m[2] - m[0] * m[0]), vb = s->sample * (m[3] - m[1] * m[1]);
        const double vab = s->sample * (m[4] - m[0] * m[1]);
        const double up = 2 * vab + s->c2, down = va + vb + s->c2;
        similarity += (2 * m[0] * m[1] + s->c1) * up / ((m[0] * m[0] + m[1] * m[1] + s->c1) * down);
        structure += up / down;
    }
    c->similarity += similarity;
    c->structure += structure;
    c->windows += (uint64_t)(c->width - s->window + 1);
}

/* The next row of a scale is in its rings: its windows count, and of two rows the next scale gets one. */
static void take_row(const struct gf_compare_ssim *s, struct scale *c, int scales)
{
    c->rows++;
    if (c->width < s->window) {
        return;
    }
    if (c->rows >= s->window) {
        sum_columns(s, c);
        add_windows(s, c);
    }
    if (scales > 1 && c->rows % 2 == 0) {
        struct scale *below = c + 1;
        double *rings[2][2] = {{c->a, below->a}, {c->b, below->b}};
        for (int k = 0; k < 2; k++) {
            const double *upper = rings[k][0] + (c->rows - 2) % s->window * c->width;
            const double *lower = rings[k][0] + (c->rows - 1) % s->window * c->width;
            double *to = rings[k][1] + below->rows % s->window * below->width;
            for (int64_t x = 0; x < below->width; x++) {
                to[x] = (upper[2 * x] + upper[2 * x + 1] + (lower[2 * x] + lower[2 * x + 1])) / 4;
            }
        }
        take_row(s, below, scales - 1);
    }
}

void gf_compare_ssim_take(struct gf_compare_ssim *s, const struct gf_compare_job *job, int32_t channel)
{
    struct scale *c = &s->scale[channel * s->scales];
    const gf_depth depth = job->shape.depth;
    const size_t step[2] = {(size_t)job->side[0].channels * job->size,
                            (size_t)job->side[1].channels * job->size};
    for (int64_t y = job->y; y < job->end; y++) {
        const size_t at = (size_t)channel * job->size;
        const uint8_t *a = gf_compare_at(job, 0, job->area.x, y) + at,
                      *b = gf_compare_at(job, 1, job->area.x, y) + at;
        const uint8_t *marks = job->marks + (y - job->y) * job->area.w;
        double *to_a = c->a + c->rows % s->window * c->width, *to_b = c->b + c->rows % s->window * c->width;
        for (int64_t x = 0; x < c->width; x++) {
            to_a[x] = gf_compare_value(a + (size_t)x * step[0], depth);
            to_b[x] =
                marks[x] == GF_MARK_IGNORED ? to_a[x] : gf_compare_value(b + (size_t)x * step[1], depth);
        }
        take_row(s, c, s->scales);
    }
}

/* ---- the end ---- */

static double mean(double sum, uint64_t windows)
{
    return windows > 0 ? sum / (double)windows : NAN;
}

/* A share to a power; what is negative counts as nothing. */
static double factor(double share, double weight)
{
    return share > 0 ? pow(share, weight) : isnan(share) ? NAN : 0;
}

double gf_compare_ssim_end(const struct gf_compare_ssim *s)
{
    static const double weights[SCALES] = {0.0448, 0.2856, 0.3001, 0.2363, 0.1333};
    double sum = 0;
    for (int channel = 0; channel < s->channels; channel++) {
        const struct scale *c = &s->scale[channel * s->scales];
        double product = mean(c->similarity, c->windows);
        if (s->scales > 1) {
            product = 1;
            for (int i = 0; i < s->scales; i++) {
                const bool last = i == s->scales - 1;
                product *= factor(mean(last ? c[i].similarity : c[i].structure, c[i].windows), weights[i]);
            }
        }
        sum += product;
    }
    return sum / s->channels;
}
