/* warp: seen through a matrix. */
#include "stages/outside_rows.h"

enum { MOST = 1000000 }; /* pixels a side */

struct warp {
    gf_list matrix;
    int64_t width, height;
    int32_t filter, border;
    double value, alpha;
};

static void lower(gf_lowering *l, const void *params)
{
    const struct warp *p = params;
    const gf_value_id v = gf_lower_input(l);
    const gf_shape shape = gf_lower_shape(l, v);
    gf_warp warp = {.m = {[8] = 1},
                    .width = p->width == GF_AUTO ? shape.width : p->width,
                    .height = p->height == GF_AUTO ? shape.height : p->height,
                    .filter = (gf_interpolation)p->filter,
                    .border = (gf_border)p->border,
                    .value = p->value,
                    .alpha = p->alpha};
    const int32_t rows = p->matrix.rows, columns = p->matrix.columns;
    if (rows == 0) {
        gf_lower_fail(
            l, GF_ERROR_ARGUMENT,
            "matrix= is not given, must be a list as [1 0.2 0; 0 1 0], of 2 or 3 rows of 3, or @FILE");
        return;
    }
    if (columns != 3 || (rows != 2 && rows != 3)) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT,
                      "matrix= has %d rows of %d numbers, must have 2 (affine) or 3 (projective) of 3", rows,
                      columns);
        return;
    }
    for (int32_t i = 0; i < rows * columns; i++) {
        warp.m[i] = p->matrix.values[i];
    }
    gf_lower_output(l, gf_lower_warp(l, v, &warp));
}

GF_PARAMS({GF_ROW(LIST, warp, matrix, ""),
           .help = "2 or 3 rows of 3: where pixel (x, y) goes; a list, or @FILE", .positional = 1},
          {GF_ROW_IN(INT, warp, width, "auto", 1, MOST), .unit = "px", .auto_word = "auto",
           .help = "of the result; auto: the picture's"},
          {GF_ROW_IN(INT, warp, height, "auto", 1, MOST), .unit = "px", .auto_word = "auto",
           .help = "of the result; auto: the picture's"},
          GF_INTERPOLATION_ROW(warp, "what lies between pixels, from coarse to sharp"),
          GF_OUTSIDE_ROWS(warp, "constant", "what lies outside the picture", "its"));

GF_EXAMPLES({"warp:[1 0.3 -20; 0 1 0]", "leans to the right, going down"},
            {"warp:[2 0 0; 0 2 0]:width=400:height=300:filter=cubic", "a part, twice as large"},
            {"warp:[1 0 0; 0 1 0; 0.001 0 1]:border=replicate", "turns the right side away from who looks"},
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
