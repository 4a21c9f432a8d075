/* gpufilter/lower.h: the builders that a stage's lower() is made of. Part of stage.h, which says what they
 * are for; whoever writes a stage includes that. */
#ifndef GPUFILTER_LOWER_H
#define GPUFILTER_LOWER_H

#include "gpufilter/param.h"
#include "gpufilter/window.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The library's own, for the time of one call of lower(). */
typedef struct gf_lowering gf_lowering;

/* A picture or block inside the plan. Builders return one and take several; after a failure
 * they return 0 and do nothing, so lower() needs no checks of its own. */
typedef int32_t gf_value_id;

/* The picture that enters this stage, and the one that leaves it (default: the same). */
GF_API gf_value_id gf_lower_input(gf_lowering *l);
GF_API void gf_lower_output(gf_lowering *l, gf_value_id picture);

/* The picture that a PICTURE parameter of this stage names, as it enters the pipeline: it may have any shape;
 * the stage decides what it can do with it. Where none is given the binding fails. */
GF_API gf_value_id gf_lower_picture(gf_lowering *l, const gf_picture_name *picture);

/* Shape of a picture value. */
GF_API gf_shape gf_lower_shape(const gf_lowering *l, gf_value_id picture);

/* Full scale of a picture value: 255, 65535 or 1. */
GF_API double gf_lower_white(const gf_lowering *l, gf_value_id picture);

/* Fails the binding with a message that names the stage; the plan is not made. */
GF_API void gf_lower_fail(gf_lowering *l, gf_status code, const char *format, ...);

/* POINT builders. They act on the stage's channels= (default: colour, not alpha) inside roi=,
 * keep the depth unless said, and round to it (half to even, clamped) when it is u8 or u16. */
GF_API gf_value_id gf_lower_affine(gf_lowering *l, gf_value_id v, double gain, double offset);
/* white * copysign(|v / white| ^ exponent, v) */
GF_API gf_value_id gf_lower_power(gf_lowering *l, gf_value_id v, double exponent);
/* v > level ? white : 0; level in sample units */
GF_API gf_value_id gf_lower_threshold(gf_lowering *l, gf_value_id v, double level);
/* the same with one level a channel from a block (gf_lower_otsu) */
GF_API gf_value_id gf_lower_threshold_block(gf_lowering *l, gf_value_id v, gf_value_id levels);
/* table look-up (gf_lower_equalize); range: the f32 range block the counts came from, or 0 */
GF_API gf_value_id gf_lower_table(gf_lowering *l, gf_value_id v, gf_value_id table, gf_value_id range);
/* gain of each channel, n of them: 1, or one for each colour channel */
GF_API gf_value_id gf_lower_gain(gf_lowering *l, gf_value_id v, const double *gain, int32_t n);
/* the nearest of so many levels from 0 to white (2 to 65536), ties to the even one; NaN becomes 0 */
GF_API gf_value_id gf_lower_posterize(gf_lowering *l, gf_value_id v, int32_t levels);
/* light of sRGB samples (IEC 61966-2-1), or, with `encode`, sRGB samples of light; below 0 by symmetry */
GF_API gf_value_id gf_lower_transfer(gf_lowering *l, gf_value_id v, int encode);
/* what a curve has at v: `values` are rows of n >= 2 numbers in fractions of white, over equal parts of the
 * scale, and lines between them; one row, or one for each colour channel. Outside the scale its ends; NaN
 * stays */
GF_API gf_value_id gf_lower_curve(gf_lowering *l, gf_value_id v, const double *values, int32_t rows,
                                  int32_t n);
/* what formulas make of each pixel, in fractions of white; one for all channels, or one for each, separated
 * by ';' (docs of the stage expr). A formula that reads other channels than its own takes the whole picture.
 */
GF_API gf_value_id gf_lower_formula(gf_lowering *l, gf_value_id v, const char *text);
/* CIE L*a*b* of sRGB colours (D65), stored as L / 100, (a + 128) / 255, (b + 128) / 255 of white, or back
 * from there; whole picture, alpha stays. A gray picture is refused */
GF_API gf_value_id gf_lower_lab(gf_lowering *l, gf_value_id v, int back);
/* what a cube of n x n x n colours (2 to 256), red's place changing fastest, has at each colour, by
 * tetrahedra: colours / scale are fractions of white; domain: six numbers, the least red, green and blue that
 * it goes from and the greatest that it goes to; NULL: 0 to 1. A gray picture is refused */
GF_API gf_value_id gf_lower_cube(gf_lowering *l, gf_value_id v, const double *colours, int32_t n,
                                 const double *domain, double scale);
/* another depth, full scale to full scale, all channels, whole picture */
GF_API gf_value_id gf_lower_convert(gf_lowering *l, gf_value_id v, gf_depth depth);
/* BT.601 luma: 3 -> 1 or 4 -> 2 channels; others unchanged */
GF_API gf_value_id gf_lower_gray(gf_lowering *l, gf_value_id v);

/* Builders of a second picture: of the same width and height, any depth, gray or with the colours of v. */
/* v + amount (f - v), f what the mode makes of v and `other` (gf_blend) in fractions of full scale; where
 * `other` has alpha, that takes part in amount. GF_BLEND_OVER on a picture with alpha makes new alpha, too.
 */
GF_API gf_value_id gf_lower_blend(gf_lowering *l, gf_value_id v, gf_value_id other, gf_blend mode,
                                  double amount);
/* v where `other` is white, `value` (sample units) where it is 0, their mean weighted by it in between */
GF_API gf_value_id gf_lower_mask(gf_lowering *l, gf_value_id v, gf_value_id other, double value);

/* Builders that change the channels, of the whole picture. */
/* gray to colour: 1 -> 3 or 2 -> 4 channels; others unchanged */
GF_API gf_value_id gf_lower_rgb(gf_lowering *l, gf_value_id v);
/* 1 -> 2 or 3 -> 4 channels, alpha being `value` (sample units) everywhere; others unchanged */
GF_API gf_value_id gf_lower_add_alpha(gf_lowering *l, gf_value_id v, double value);
/* 2 -> 1 or 4 -> 3 channels; others unchanged */
GF_API gf_value_id gf_lower_drop_alpha(gf_lowering *l, gf_value_id v);
/* the same, the picture laid over a background whose samples are `colour`, in sample units: n is 1, or a
 * number for each colour channel */
GF_API gf_value_id gf_lower_flatten(gf_lowering *l, gf_value_id v, const double *colour, int32_t n);
/* Channel r of the result is m[r][0] v[0] + m[r][1] v[1] + ..., `m` being rows one after the other, plus,
 * where there is one column more than channels, white times the last. Either over all channels, or over the
 * colour alone, alpha staying behind it: then with 1 or 3 rows. 3 rows make a colour picture, 1 a gray one.
 */
GF_API gf_value_id gf_lower_matrix(gf_lowering *l, gf_value_id v, const double *m, int32_t rows,
                                   int32_t columns);

/* WINDOW builders, with the stage's border=, value=, channels= and roi=; windows at the edge of
 * a roi read true neighbours outside it. Radii >= 0, any size. */
/* radius GF_AUTO: floor(4 sigma + 1/2), or from sigma 8 on a Gaussian that is not cut off */
GF_API gf_value_id gf_lower_gaussian(gf_lowering *l, gf_value_id v, double sigma, int64_t radius);
GF_API gf_value_id gf_lower_box(gf_lowering *l, gf_value_id v, int64_t radius);
/* v + amount (v - blur), the blur a Gaussian that is not rounded; v where |v - blur| < threshold (sample
 * units) */
GF_API gf_value_id gf_lower_unsharp(gf_lowering *l, gf_value_id v, double sigma, double amount,
                                    double threshold);
/* of the (2 radius + 1)^2 samples, sorted, that of index floor(percentile / 100 (n - 1) + 1/2); percentile 50
 * is the median. radius: at most the longer side of the picture */
GF_API gf_value_id gf_lower_rank(gf_lowering *l, gf_value_id v, int64_t radius, double percentile);
/* sqrt((gx^2 + gy^2) / 2), taps [1 2 1]/4 and [-1 0 1] */
GF_API gf_value_id gf_lower_sobel(gf_lowering *l, gf_value_id v);
/* Canny's edges, white on black, gray, in the depth of v: ridges of the gradient by [1 2 1] and [-1 0 1] (not
 * divided) that are above `low` and connected with one above `high`, in sample units, 0 <= low <= high. The
 * steepest of the stage's channels counts; a roi is refused */
GF_API gf_value_id gf_lower_canny(gf_lowering *l, gf_value_id v, double low, double high);
/* What a function of your own makes of a pixel's neighbours: window.h. It joins the points and taps around it
 * and works in bands and threads as any window does; on a GPU it does not run, so that the plan runs on the
 * CPU. With alpha premul and without channels= samples are f32, colour times alpha, and what is made is
 * divided by its alpha. Where `channels` is not that of v, alpha is a channel as others, and channels= and
 * roi= are refused. *window is not kept. */
GF_API gf_value_id gf_lower_window(gf_lowering *l, gf_value_id v, const gf_window_function *window);

/* MAP builders. The picture that comes out has another size or order; all channels take part. Moves first:
 * every bit of a sample stays. */
/* the pixels inside `area`, which must lie in the picture */
GF_API gf_value_id gf_lower_crop(gf_lowering *l, gf_value_id v, gf_rect area);
/* A colour in fractions of full scale; n = 0: none is given. */
typedef struct gf_colour3 {
    double v[3];
    int32_t n; /* 0 or 3 */
} gf_colour3;
/* so many pixels more a side, by a border rule. constant: `value` for colour and `alpha` for the last channel
 * where it is alpha, both fractions of full scale; alpha GF_AUTO: opaque, but with alpha premul and value 0
 * transparent; `colour` for the first three channels where it is given */
typedef struct gf_padding {
    int64_t left, right, top, bottom; /* >= 0 */
    gf_border border;
    double value, alpha;
    gf_colour3 colour;
} gf_padding;
GF_API gf_value_id gf_lower_pad(gf_lowering *l, gf_value_id v, const gf_padding *padding);
/* mirrored: left and right change places (across), top and bottom (down), or both */
GF_API gf_value_id gf_lower_flip(gf_lowering *l, gf_value_id v, int across, int down);
/* turned clockwise by so many quarters of a full turn, any number */
GF_API gf_value_id gf_lower_rotate(gf_lowering *l, gf_value_id v, int64_t quarters);
/* rows become columns: pixel (x, y) goes to (y, x) */
GF_API gf_value_id gf_lower_transpose(gf_lowering *l, gf_value_id v);
/* another size, antialiased; with alpha premul colour is weighted by it. light GF_LIGHT_LINEAR: samples are
 * sRGB, and what is weighted is the light that they stand for */
typedef enum gf_resize_filter {
    GF_FILTER_BOX,
    GF_FILTER_TRIANGLE,
    GF_FILTER_HAMMING,
    GF_FILTER_CUBIC, /* a = -1/2 */
    GF_FILTER_LANCZOS,
    GF_FILTER_MITCHELL /* B = C = 1/3 */
} gf_resize_filter;
typedef enum gf_light { GF_LIGHT_STORED, GF_LIGHT_LINEAR } gf_light;
GF_API gf_value_id gf_lower_resize(gf_lowering *l, gf_value_id v, int64_t width, int64_t height,
                                   gf_resize_filter filter, gf_light light);

/* seen through a matrix: pixel (x, y) goes to (m[0..2] . p, m[3..5] . p) / (m[6..8] . p), p being (x, y, 1).
 * What lies outside is read by a border rule. constant: as gf_padding */
typedef enum gf_interpolation {
    GF_INTERPOLATE_NEAREST,
    GF_INTERPOLATE_LINEAR,
    GF_INTERPOLATE_CUBIC, /* a = -1/2 */
    GF_INTERPOLATE_LANCZOS
} gf_interpolation;
typedef struct gf_warp {
    double m[9];
    int64_t width, height; /* of the result */
    gf_interpolation filter;
    gf_border border;
    double value, alpha;
    gf_colour3 colour;
} gf_warp;
GF_API gf_value_id gf_lower_warp(gf_lowering *l, gf_value_id v, const gf_warp *warp);

/* TAP builders, picture to block, and SOLVE builders, block to block (otsu, equalize). `bins` and lo, hi
 * (sample units) count for f32 only; u8 and u16 count every value. range 0: use lo, hi. */
GF_API gf_value_id gf_lower_histogram(gf_lowering *l, gf_value_id v, int32_t bins, double lo, double hi,
                                      gf_value_id range);
GF_API gf_value_id gf_lower_range(gf_lowering *l,
                                  gf_value_id v); /* f32: least, greatest, but far outliers; else 0 */
GF_API gf_value_id gf_lower_stats(gf_lowering *l, gf_value_id v);
/* what the samples of each column, or row, add up to: u64, a row of as many as there are for each channel;
 * for f32 f64, without NaN, and behind them how many samples are NaN */
GF_API gf_value_id gf_lower_sums(gf_lowering *l, gf_value_id v, int of_rows);
GF_API gf_value_id gf_lower_otsu(gf_lowering *l, gf_value_id counts, gf_value_id range);
GF_API gf_value_id gf_lower_equalize(gf_lowering *l, gf_value_id counts, gf_value_id range);

/* CALL: a step of your own on a whole picture. `host` runs on host memory with any number of
 * calls at once from different plans; `device`, if given, queues work on a CUDA stream and must
 * not synchronise; without it the plan runs on the CPU only. `out` has the shape given here and
 * must be written in full; it may be of u32, u64 or f64, which other builders than CALL do not take. args are
 * the stage's params (as given to lower), or NULL, or memory that lives as long as the stage's type. Both
 * return GF_OK or fill `error`, which is not NULL. */
typedef gf_status (*gf_call_host)(const gf_image *in, gf_image *out, const void *args, gf_error *error);
typedef gf_status (*gf_call_device)(const gf_image *in, gf_image *out, const void *args, void *stream,
                                    gf_error *error);
GF_API gf_value_id gf_lower_call(gf_lowering *l, gf_value_id v, const gf_shape *out, gf_call_host host,
                                 gf_call_device device, const void *args);

#ifdef __cplusplus
}
#endif
#endif
