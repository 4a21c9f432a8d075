/* A comparison under way: bands of rows of both pictures, and what is kept of each row. */
#pragma once

#include "base/sized.h"
#include "gpufilter/compare.h"

#include <stdbool.h>

enum {
    GF_COMPARE_ROWS = 64, /* of a band, at most */
    GF_COMPARE_HALO = 2,  /* rows above and below that antialiasing looks at */
    GF_COMPARE_SIDES = 3  /* A, B and the mask */
};

/* Rows of a picture in memory: row y begins at data + (y - top) * pitch. */
struct gf_compare_side {
    const gf_source *source; /* NULL: all rows are there */
    const uint8_t *data;
    int64_t pitch, top;
    int32_t channels;
    uint8_t *own; /* the memory of a band, or of a picture that comes whole */
    int64_t read; /* rows that the source has given */
    gf_status status;
    gf_error error;
};

/* What a row adds. Sums are of its samples, from left to right. */
struct gf_compare_sums {
    uint64_t count, pixel_count, antialiased, ignored, nans, above;
    bool differs;
    double sum, squares, ciede_sum, ciede_largest;
    int64_t left, right; /* of the pixels that count; left > right: none does */
    gf_compare_place first, most;
    double largest;
    gf_compare_channel channel[4];
};

struct gf_compare_ssim;

struct gf_compare_job {
    gf_compare_options o;
    gf_shape shape; /* of both, with the compared channels */
    bool has_alpha; /* the last compared channel is alpha */
    size_t size;    /* of a sample */
    double white;   /* 0: full scale is not defined */
    double bound;   /* what a pixel's measure may be, in its own units */
    gf_rect area;
    int64_t halo;
    bool masked; /* there is a mask, or a rectangle */
    struct gf_compare_side side[GF_COMPARE_SIDES];
    struct gf_team *team;
    int64_t y, end;                  /* the rows of the band */
    struct gf_compare_sums *sums;    /* of each */
    uint8_t *marks;                  /* of each, area.w */
    struct gf_compare_ssim *ssim[3]; /* GF_COMPARE_SSIM, _UNIFORM, MS_SSIM; NULL: not asked for */
};

/* The sample's address. */
static inline const uint8_t *gf_compare_at(const struct gf_compare_job *job, int side, int64_t x, int64_t y)
{
    const struct gf_compare_side *s = &job->side[side];
    return s->data + (y - s->top) * s->pitch + (size_t)(x * s->channels) * job->size;
}

/* A sample as f64. */
double gf_compare_value(const void *sample, gf_depth depth);

/* |a - b|: 0 for the same bits, infinite where it is no number. */
double gf_compare_difference(const void *a, const void *b, gf_depth depth);

/* Compares row y, marks its pixels and counts. */
void gf_compare_row_of(const struct gf_compare_job *job, int64_t y, uint8_t *marks,
                       struct gf_compare_sums *sums);

/* A pixel as red, green, blue and alpha, 0 to 255; gray is all three; without alpha it is 255. */
void gf_compare_colour(const struct gf_compare_job *job, int side, int64_t x, int64_t y, double rgba[4]);

/* The squared YIQ distance of two such pixels, each over white; and that of their brightness alone, with its
 * sign. */
double gf_compare_yiq(const double a[4], const double b[4]);
double gf_compare_brightness(const double a[4], const double b[4]);

/* The CIEDE2000 difference of two such pixels, each over white. */
double gf_compare_ciede2000(const double a[4], const double b[4]);

/* Tells whether the pixel smooths an edge in A or in B. Rows up to GF_COMPARE_HALO away are there. */
bool gf_compare_smooths(const struct gf_compare_job *job, int64_t x, int64_t y);

/* ---- SSIM ---- */

/* `metric` is one of GF_COMPARE_SSIM, ... NULL: no memory. */
struct gf_compare_ssim *gf_compare_ssim_begin(const struct gf_compare_job *job, uint32_t metric);

/* Takes the rows of the band in one channel; channels may be taken at the same time. */
void gf_compare_ssim_take(struct gf_compare_ssim *ssim, const struct gf_compare_job *job, int32_t channel);

/* The mean over the channels. */
double gf_compare_ssim_end(const struct gf_compare_ssim *ssim);
void gf_compare_ssim_free(struct gf_compare_ssim *ssim);

/* ---- checks ---- */

/* Fills shape, area and what follows from the options; two pictures of these shapes. */
gf_status gf_compare_begin(struct gf_compare_job *job, const gf_compare_options *options, gf_shape a,
                           gf_shape b, const gf_shape *mask, gf_error *error);
