/* warp: seen through a matrix. */
#include "stages/outside_rows.h"

#include <math.h>

enum { MOST = 1000000 }; /* pixels a side */

struct warp {
    gf_list matrix, corners;
    int64_t width, height;
    int32_t filter, border;
    double value, alpha;
    gf_list colour;
};

/* Do the four corners c turn clockwise, as rows go down, everywhere? */
static bool is_clockwise(const double *c)
{
    for (int i = 0; i < 4; i++) {
        const double *a = c + 2 * i, *b = c + 2 * ((i + 1) % 4), *d = c + 2 * ((i + 2) % 4);
        if (!((b[0] - a[0]) * (d[1] - b[1]) - (b[1] - a[1]) * (d[0] - b[0]) > 0)) {
            return false;
        }
    }
    return true;
}

/* The longer of two sides between corners, in pixels; both ends count. */
static int64_t side_of(const double *a, const double *b, const double *c, const double *d)
{
    const double first = sqrt((b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1]));
    const double second = sqrt((d[0] - c[0]) * (d[0] - c[0]) + (d[1] - c[1]) * (d[1] - c[1]));
    const double pixels = floor((first > second ? first : second) + 1.5);
    return pixels < MOST ? (int64_t)pixels : MOST + 1;
}

/* Sets the matrix by which the corners c become those of the result, by the square that lies between (P.
 * Heckbert): its columns and rows reach from 0 to 1. */
static void set_corners(const double *c, gf_warp *warp)
{
    const double across = warp->width > 1 ? (double)(warp->width - 1) : 1;
    const double down = warp->height > 1 ? (double)(warp->height - 1) : 1;
    const double dx1 = c[2] - c[4], dx2 = c[6] - c[4], dy1 = c[3] - c[5], dy2 = c[7] - c[5];
    const double sx = c[0] - c[2] + c[4] - c[6], sy = c[1] - c[3] + c[5] - c[7];
    const double by = dx1 * dy2 - dx2 * dy1;
    const double g = (sx * dy2 - dx2 * sy) / by, h = (dx1 * sy - sx * dy1) / by;
    const double back[9] = {(c[2] - c[0] + g * c[2]) / across,
                            (c[6] - c[0] + h * c[6]) / down,
                            c[0],
                            (c[3] - c[1] + g * c[3]) / across,
                            (c[7] - c[1] + h * c[7]) / down,
                            c[1],
                            g / across,
                            h / down,
                            1};
    for (int i = 0; i < 9; i++) { /* the adjugate, which undoes it but for a factor */
        const int row = i / 3, column = i % 3, r = (column + 1) % 3, s = (column + 2) % 3, t = (row + 1) % 3,
                  u = (row + 2) % 3;
        warp->m[i] = back[3 * r + t] * back[3 * s + u] - back[3 * r + u] * back[3 * s + t];
    }
}

/* False after a failure. */
static bool by_corners(gf_lowering *l, const struct warp *p, gf_warp *warp)
{
    const double *c = p->corners.values;
    if (p->matrix.rows) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT, "matrix= and corners= say the same; give only one");
        return false;
    }
    if (!is_clockwise(c)) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT,
                      "corners= must be x and y of upper left, upper right, lower right and lower left, no "
                      "three of them on a line");
        return false;
    }
    warp->width = p->width == GF_AUTO ? side_of(c, c + 2, c + 6, c + 4) : p->width;
    warp->height = p->height == GF_AUTO ? side_of(c, c + 6, c + 2, c + 4) : p->height;
    if (warp->width > MOST || warp->height > MOST) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT, "corners= are more than %d pixels apart", (int)MOST);
        return false;
    }
    set_corners(c, warp);
    return true;
}

/* False after a failure. */
static bool by_matrix(gf_lowering *l, const struct warp *p, gf_warp *warp)
{
    const int32_t rows = p->matrix.rows, columns = p->matrix.columns;
    if (rows == 0) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT,
                      "matrix= is not given, must be a list as [1 0.2 0; 0 1 0], of 2 or 3 rows of 3, or "
                      "@FILE; or corners= says which four become those of the result");
        return false;
    }
    if (columns != 3 || (rows != 2 && rows != 3)) {
        gf_lower_fail(
            l, GF_ERROR_ARGUMENT,
            "matrix= has %d rows of %d numbers, must have 2 (affine) or 3 (projective) of 3; of four "
            "corners say corners=[x0 y0 x1 y1 x2 y2 x3 y3]",
            rows, columns);
        return false;
    }
    for (int32_t i = 0; i < rows * columns; i++) {
        warp->m[i] = p->matrix.values[i];
    }
    return true;
}

static void lower(gf_lowering *l, const void *params)
{
    const struct warp *p = params;
    const gf_value_id v = gf_lower_input(l);
    const gf_shape shape = gf_lower_shape(l, v);
    struct gf_outside outside = {(gf_border)p->border, p->value, p->alpha, {{0}, 0}};
    if (!gf_lowering_outside(l, v, &p->colour, &outside)) {
        return;
    }
    gf_warp warp = {.m = {[8] = 1},
                    .width = p->width == GF_AUTO ? shape.width : p->width,
                    .height = p->height == GF_AUTO ? shape.height : p->height,
                    .filter = (gf_interpolation)p->filter,
                    .border = outside.border,
                    .value = outside.value,
                    .alpha = outside.alpha,
                    .colour = outside.colour};
    if (p->corners.rows ? !by_corners(l, p, &warp) : !by_matrix(l, p, &warp)) {
        return;
    }
    gf_lower_output(l, gf_lower_warp(l, v, &warp));
}

GF_PARAMS({GF_ROW(LIST, warp, matrix, ""),
           .help = "2 or 3 rows of 3: where pixel (x, y) goes; a list, or @FILE", .positional = 1},
          {GF_ROW_IN(INT, warp, width, "auto", 1, MOST), .unit = "px", .auto_word = "auto",
           .help = "of the result; auto: the picture's, or the longer side between corners"},
          {GF_ROW_IN(INT, warp, height, "auto", 1, MOST), .unit = "px", .auto_word = "auto",
           .help = "of the result; auto: the picture's, or the longer side between corners"},
          {GF_ROW_IN(LIST, warp, corners, "", -1e9, 1e9), .choices = "1x8|4x2",
           .help = "instead of matrix: x and y of what become the corners, clockwise from the upper left"},
          GF_INTERPOLATION_ROW(warp, "what lies between pixels, from coarse to sharp"),
          GF_OUTSIDE_ROWS(warp, "constant", "what lies outside the picture", "its"));

GF_EXAMPLES({"warp:[1 0.3 -20; 0 1 0]", "leans to the right, going down"},
            {"warp:[2 0 0; 0 2 0]:width=400:height=300:filter=cubic", "a part, twice as large"},
            {"warp:[1 0 0; 0 1 0; 0.001 0 1]:border=replicate", "turns the right side away from who looks"},
            {"warp:corners=[52 18 190 8 206 130 30 118]:filter=cubic", "a page seen at an angle, upright"},
            {"warp:[1 0 0.5; 0 1 0]:filter=lanczos", "moves by half a pixel"});

const gf_stage_type gf_stage_warp = {
    GF_STAGE_OF(warp),
    .group = "geometry",
    .summary = "seen through a matrix: leaned, turned, in perspective",
    .use = "To straighten what was taken at an angle, to lay pictures over each other, to correct by a "
           "measured matrix.\n"
           "What becomes smaller is not antialiased: resize first.",
    .source = "cubic: R. Keys, IEEE Trans. ASSP 29, 1981.",
    .formula =
        "Pixel (x, y) goes to (m[0] . (x, y, 1), m[1] . (x, y, 1)), divided by m[2] . (x, y, 1) where there\n"
        "is a third row; centres of pixels are whole numbers, as in OpenCV. The matrix is inverted in f64,\n"
        "and each pixel of the result is interpolated at the place that it comes from: nearest 1 x 1, "
        "linear\n"
        "2 x 2, cubic (a = -1/2) 4 x 4, lanczos 6 x 6 samples, in f32 chains along rows, then columns.\n"
        "What has no place, as behind the horizon, is as outside with border=constant.",
    .lower = lower,
};
