/* gpufilter/compare.h: how much two pictures differ, and what a picture's hash is.
 *
 *     gf_comparison c = GF_COMPARISON_INIT;
 *     gf_compare_options options = GF_COMPARE_OPTIONS_INIT;
 *     options.max_diff = 2;
 *     if (gf_compare(&golden, &made, NULL, &options, &c, &error) == GF_OK && c.pixel_count > 0) {
 *         printf("%llu pixels differ\n", (unsigned long long)c.pixel_count);
 *     }
 *
 * What is measured is a contract: docs/exactness.md has the formulas. Counts, largest differences and hashes
 * are exact; sums, means and SSIM are f64 in a fixed order, and have the same bits on every machine, for
 * every number of threads and however the rows come. PSNR, MS-SSIM and CIEDE2000 end in functions of the
 * system's C library, log10 and pow among them, in whose last bits systems may differ.
 *
 * Two pictures are compared that have the same size and depth. Their channels are compared from the first on:
 * 1 or 3 without alpha (ignore_alpha), else as many as there are. Depths: u8, u16, f32, u32, u64, f64. Two
 * samples of the same bits never differ, NaN or not; 0 equals -0; a NaN and anything else differ by infinity.
 *
 * Thread-safety: no globals; any thread may call. Functions of a source are called by one thread at a time,
 * those of A by another one than those of B. NULL and struct_size are as types.h says. */
#ifndef GPUFILTER_COMPARE_H
#define GPUFILTER_COMPARE_H

#include "gpufilter/stream.h"
#include "gpufilter/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* By what a pixel counts as different. */
typedef enum gf_compare_by {
    GF_COMPARE_BY_SAMPLES = 0, /* a sample of it differs by more than max_diff, in sample units */
    GF_COMPARE_BY_YIQ = 1, /* pixelmatch's measure: its YIQ distance is above 35215 max_diff^2; max_diff is
                            * 0 to 1, pixelmatch's threshold (0.1 there by default) */
    GF_COMPARE_BY_CIEDE2000 =
        2 /* its CIEDE2000 colour difference is above max_diff; about 1 can just be seen */
} gf_compare_by;

/* Bits of gf_compare_options.metrics: what takes time and is measured only when asked for. */
enum {
    GF_COMPARE_SSIM = 1,         /* a gaussian window of 11 x 11, sigma 1.5 */
    GF_COMPARE_SSIM_UNIFORM = 2, /* a window of 7 x 7 with equal weights and the sample covariance */
    GF_COMPARE_MS_SSIM = 4,      /* five scales */
    GF_COMPARE_CIEDE2000 = 8     /* mean, largest, and the share of pixels above 1 */
};

/* What a mark says of a pixel (gf_compare_row). */
enum {
    GF_MARK_EQUAL = 0,     /* the same bits in all compared channels, or 0 and -0 */
    GF_MARK_WITHIN = 1,    /* different, but not by more than max_diff allows */
    GF_MARK_ANTIALIAS = 2, /* it would count, but smooths an edge (options.antialias) */
    GF_MARK_IGNORED = 3,   /* not compared */
    GF_MARK_COUNTS = 4     /* different: counted in pixel_count */
};

/* A row as it was compared; all for the call only. */
typedef struct gf_compare_row {
    int64_t y;            /* in the pictures */
    const void *a, *b;    /* its samples from area.x on, in as many channels as each picture has */
    const uint8_t *marks; /* GF_MARK_*, of area.w pixels */
} gf_compare_row;

typedef struct gf_compare_options {
    uint32_t struct_size;  /* sizeof(gf_compare_options) */
    int32_t by;            /* gf_compare_by. The last two need a depth with full scale: u8, u16 or f32 */
    double max_diff;       /* what a pixel may differ by, >= 0 */
    int32_t ignore_alpha;  /* 1: the last of 2 or 4 channels is not compared */
    int32_t antialias;     /* 1: pixels that smooth an edge in A or B, as pixelmatch finds them, do not count;
                            * needs u8, u16 or f32 */
    uint32_t metrics;      /* GF_COMPARE_*, together */
    int32_t threads;       /* at most 1024; 0: one a processor. Never changes a result */
    gf_rect area;          /* what is compared; w = 0: all */
    const gf_rect *ignore; /* rectangles that are not compared, each inside the pictures; borrowed */
    int64_t ignore_count;
    /* Called with each row of the area, from the top down, by the calling thread; anything but GF_OK ends the
     * comparison with that status. NULL: nobody looks. */
    gf_status (*row)(void *user, const gf_compare_row *row, gf_error *error);
    void *user;
} gf_compare_options;

#define GF_COMPARE_OPTIONS_INIT                                                                              \
    {                                                                                                        \
        sizeof(gf_compare_options), GF_COMPARE_BY_SAMPLES, 0, 0, 0, 0, 0, {0, 0, 0, 0}, NULL, 0, NULL, NULL  \
    }

/* A sample of both pictures; values as f64, so that u64 beyond 2^53 are rounded. */
typedef struct gf_compare_place {
    int64_t x, y;
    int32_t channel; /* from 0 */
    int32_t zero;    /* nothing yet */
    double a, b;
} gf_compare_place;

/* What one channel differs by. */
typedef struct gf_compare_channel {
    uint64_t count; /* samples that count */
    double largest;
} gf_compare_channel;

/* What was found. Samples of pixels that are ignored are none; numbers are of the area. */
typedef struct gf_comparison {
    uint32_t struct_size; /* sizeof(gf_comparison) */
    int32_t channels;     /* compared */
    gf_rect area;         /* compared */
    int32_t identical;    /* 1: no sample differs at all */
    int32_t by;           /* gf_compare_options.by */
    uint64_t samples;     /* compared */
    uint64_t pixels;      /* compared */
    uint64_t ignored;     /* pixels of the area that were not compared */
    uint64_t count;       /* samples that count: they differ by more than max_diff; by the other measures:
                           * that differ at all in a pixel that counts */
    uint64_t pixel_count; /* pixels that count */
    uint64_t antialiased; /* pixels that would count, but smooth an edge */
    uint64_t nans;        /* samples of which one is NaN and the other not, or NaN of other bits */
    double max_diff;      /* as it was given */
    double largest;       /* difference of two samples, sample units; infinite where one is NaN */
    double mean;          /* of |a - b| over the samples, sample units */
    double psnr;          /* dB; infinite where nothing differs; NaN where full scale is not defined */
    double ssim;          /* of what metrics asked for, else NaN; NaN also where the area is too small: 11 */
    double ssim_uniform;  /* or 7 pixels a side, and 176 for MS-SSIM; or full scale is not defined */
    double ms_ssim;
    double ciede2000_mean; /* over the pixels; NaN as above */
    double ciede2000_largest;
    double ciede2000_share; /* of the pixels above 1 */
    gf_rect box;            /* the smallest that holds all pixels that count; w = 0: none does */
    gf_compare_place first; /* sample that counts, row by row; meaningful when count > 0 */
    gf_compare_place most;  /* the first of the largest difference; meaningful unless identical */
    gf_compare_channel channel[4];
} gf_comparison;

#define GF_COMPARISON_INIT                                                                                   \
    {                                                                                                        \
        sizeof(gf_comparison), 0, {0, 0, 0, 0}, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,     \
            {0, 0, 0, 0}, {0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0},                                            \
        {                                                                                                    \
            {0, 0}, {0, 0}, {0, 0},                                                                          \
            {                                                                                                \
                0, 0                                                                                         \
            }                                                                                                \
        }                                                                                                    \
    }

/* Compares two pictures in host memory. `mask`, which may be NULL, has their size, u8 and 1 channel: what is
 * 0 in it is not compared. `options` NULL: the defaults. Everything is borrowed for the call. Memory: some
 * rows.
 * GF_ERROR_ARGUMENT: another size, depth or number of compared channels, an area or rectangle outside, a
 * max_diff that is negative, NaN or no share; GF_ERROR_UNSUPPORTED: the depth is none of the above;
 * GF_ERROR_MEMORY. *out is untouched then. */
GF_API gf_status gf_compare(const gf_image *a, const gf_image *b, const gf_image *mask,
                            const gf_compare_options *options, gf_comparison *out, gf_error *error);

/* The same of pictures that come by rows (gf_reader_source), of which at most 64 are in memory at a time, but
 * for sources that are `whole`. A and B are read at the same time, each to its last row. Also what the
 * sources fail with. */
GF_API gf_status gf_compare_rows(const gf_source *a, const gf_source *b, const gf_source *mask,
                                 const gf_compare_options *options, gf_comparison *out, gf_error *error);

/* A picture that lies elsewhere in another. */
typedef struct gf_compare_shift_result {
    uint32_t struct_size;
    int32_t dx, dy;       /* B(x + dx, y + dy) is compared with A(x, y) */
    uint64_t pixels;      /* that both have then */
    uint64_t pixel_count; /* of these, those with a sample that differs by more than max_diff */
} gf_compare_shift_result;

#define GF_COMPARE_SHIFT_RESULT_INIT                                                                         \
    {                                                                                                        \
        sizeof(gf_compare_shift_result), 0, 0, 0, 0                                                          \
    }

/* Finds by how much B is moved: of all shifts of at most `most` pixels (0 to 256) along x and y the one with
 * which the smallest share of the pixels that both have counts; of equal ones the nearest, then the one with
 * the smallest dy, then dx. Of `options` max_diff, ignore_alpha and threads count, and `by` must be
 * GF_COMPARE_BY_SAMPLES. A shift leaves at least half of each side. Errors as in gf_compare. */
GF_API gf_status gf_compare_shift(const gf_image *a, const gf_image *b, const gf_compare_options *options,
                                  int32_t most, gf_compare_shift_result *out, gf_error *error);

/* The hash of a picture: SHA-256 of the line "gpufilter WIDTHxHEIGHTxCHANNELS DEPTH\n" and of the samples,
 * row by row without gaps, little-endian. It does not depend on format, metadata or pitch. 32 bytes. */
GF_API gf_status gf_compare_hash(const gf_image *image, uint8_t hash[32], gf_error *error);

/* The same of a picture that comes by rows, of which at most 64 are in memory. */
GF_API gf_status gf_compare_hash_rows(const gf_source *source, uint8_t hash[32], gf_error *error);

#ifdef __cplusplus
}
#endif
#endif
