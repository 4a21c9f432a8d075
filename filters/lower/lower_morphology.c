/* The stages of morphology: windows from shapes and footprints, and the passes that they take. */
#include "lower/lowering_private.h"

#include "base/planted_fault.h"
#include "lower/morphology_stage.h"
#include "pixel/window/morphology/footprint.h"
#include "pixel/window/morphology/morphology.h"

#include <math.h>

const gf_param gf_morphology_params[] = {
    {GF_ROW_IN(INT, gf_morphology_params, radius, "1", 0, 1000000), .unit = "px",
     .help = "the window is 2 radius + 1 wide and high", .positional = 1},
    {GF_ROW_IN(INT, gf_morphology_params, width, "0", 0, 2000001), .unit = "px",
     .help = "of a rect, odd or even; 0: as radius says"},
    {GF_ROW_IN(INT, gf_morphology_params, height, "0", 0, 2000001), .unit = "px",
     .help = "of a rect, odd or even; 0: as radius says"},
    {GF_ROW(CHOICE, gf_morphology_params, shape, "rect"), .choices = "rect|disk|diamond|cross",
     .help = "dx^2 + dy^2 <= radius^2: disk; |dx| + |dy| <= radius: diamond; dx dy = 0: cross"},
    {GF_ROW_IN(LIST, gf_morphology_params, footprint, "", 0, 1),
     .help = "instead of a shape: rows of 0 and 1, the pixel at or left of and above the middle"},
    {0},
};

enum { ROW_RADIUS, ROW_WIDTH, ROW_HEIGHT, ROW_SHAPE, ROW_FOOTPRINT };

/* A window: a rectangle, or where there is a block of the plan with runs, those. */
struct window {
    struct gf_morphology_args rectangle;
    struct gf_footprint_args footprint;
    int32_t block; /* GF_NONE: none */
};

/* ---- shapes ---- */

/* The pixels of a row of a shape lie from -that to that; -1: there are none. */
static int64_t half_width(int32_t shape, int64_t radius, int64_t row)
{
    if (shape == GF_SHAPE_DIAMOND) {
        return radius - (row < 0 ? -row : row);
    }
    if (shape == GF_SHAPE_CROSS) {
        return row == 0 ? radius : 0;
    }
    int64_t half = (int64_t)sqrt((double)(radius * radius - row * row));
    while (half * half > radius * radius - row * row) {
        half--;
    }
    while ((half + 1) * (half + 1) <= radius * radius - row * row) {
        half++;
    }
    return half;
}

/* Every pixel sees the whole picture, and what lies around it, from this radius on: a larger one makes no
 * difference. */
static int64_t radius_that_counts(int64_t radius, const struct gf_shape *picture)
{
    const int64_t all = picture->width + picture->height;
    return radius < all ? radius : all;
}

static struct window shape_window(gf_lowering *l, const struct gf_morphology_params *p, bool greatest)
{
    const gf_shape picture = gf_lower_shape(l, gf_lower_input(l));
    const int64_t radius = radius_that_counts(p->radius, &picture);
    struct window w = {.block = GF_NONE};
    if (p->width || p->height) {
        gf_lowering_fail_at(l, p->width ? ROW_WIDTH : ROW_HEIGHT,
                            "width= and height= are of shape=rect; the size of a %s is radius=",
                            p->shape == GF_SHAPE_DISK      ? "disk"
                            : p->shape == GF_SHAPE_DIAMOND ? "diamond"
                                                           : "cross");
        return w;
    }
    if (picture.height == 1 || radius == 0) { /* the middle row */
        w.rectangle = gf_morphology_make(2 * radius + 1, picture.height == 1 ? 1 : 2 * radius + 1,
                                         picture.width, picture.height, greatest);
        return w;
    }
    if (radius > GF_FOOTPRINT_FAR) {
        gf_lowering_fail_at(
            l, ROW_RADIUS, "radius is %lld, must be at most %d in a picture of %lld x %lld, or shape=rect",
            (long long)p->radius, GF_FOOTPRINT_FAR, (long long)picture.width, (long long)picture.height);
        return w;
    }
    int16_t *run = gf_lowering_constant(l, GF_S16, 1, GF_RUN_NUMBERS * (2 * radius + 1), &w.block);
    if (!run) {
        return w;
    }
    for (int64_t row = -radius; row <= radius; row++, run += GF_RUN_NUMBERS) {
        const int64_t half = half_width(p->shape, radius, row);
        run[GF_RUN_ROW] = (int16_t)row;
        run[GF_RUN_FROM] = (int16_t)-half;
        run[GF_RUN_TO] = (int16_t)half;
    }
    const int32_t r = (int32_t)radius;
    w.footprint = (struct gf_footprint_args){r, r, r, r, greatest ? ~0U : 0U, 2 * r + 1, 2 * r + 1};
    return w;
}

/* ---- footprints ---- */

static bool footprint_is_fine(gf_lowering *l, const struct gf_morphology_params *p)
{
    const gf_list *f = &p->footprint;
    double ones = 0;
    for (int32_t i = 0; i < f->rows * f->columns; i++) {
        if (f->values[i] != 0 && f->values[i] != 1) {
            gf_lowering_fail_at(l, ROW_FOOTPRINT, "row %d, column %d of footprint is %g, must be 0 or 1",
                                i / f->columns + 1, i % f->columns + 1, f->values[i]);
            return false;
        }
        ones += f->values[i];
    }
    if (ones == 0) {
        gf_lowering_fail_at(l, ROW_FOOTPRINT, "footprint is all 0, must have at least one 1");
        return false;
    }
    if (p->radius != 1 || p->width || p->height || p->shape != GF_SHAPE_RECT) {
        gf_lowering_fail_at(l, ROW_FOOTPRINT,
                            "footprint= stands instead of radius, width, height and shape: give one of them");
        return false;
    }
    return true;
}

/* Runs of ones; `to` NULL: only counts them. */
static int32_t list_runs(const gf_list *f, int16_t *to, struct gf_footprint_args *args)
{
    const int32_t middle_x = (f->columns - 1) / 2, middle_y = (f->rows - 1) / 2;
    const int32_t sign =
        args->invert && !GF_FAULT(footprint_straight) ? -1 : 1; /* of a dilation it is turned */
    int32_t runs = 0;
    for (int32_t i = 0; i < f->rows * f->columns; i++) {
        const int32_t x = i % f->columns;
        if (f->values[i] == 0 || (x > 0 && f->values[i - 1] != 0)) {
            continue;
        }
        int32_t n = 1;
        while (x + n < f->columns && f->values[i + n] != 0) {
            n++;
        }
        const int32_t row = sign * (i / f->columns - middle_y);
        const int32_t a = sign * (x - middle_x), b = sign * (x + n - 1 - middle_x);
        const int32_t from = a < b ? a : b, until = a < b ? b : a;
        args->left = -from > args->left ? -from : args->left;
        args->right = until > args->right ? until : args->right;
        args->up = -row > args->up ? -row : args->up;
        args->down = row > args->down ? row : args->down;
        args->longest = n > args->longest ? n : args->longest;
        if (to) {
            to[GF_RUN_NUMBERS * runs + GF_RUN_ROW] = (int16_t)row;
            to[GF_RUN_NUMBERS * runs + GF_RUN_FROM] = (int16_t)from;
            to[GF_RUN_NUMBERS * runs + GF_RUN_TO] = (int16_t)until;
        }
        runs++;
    }
    return runs;
}

static struct window footprint_window(gf_lowering *l, const struct gf_morphology_params *p, bool greatest)
{
    struct window w = {.footprint.invert = greatest ? ~0U : 0U, .block = GF_NONE};
    if (!footprint_is_fine(l, p)) {
        return w;
    }
    w.footprint.runs = list_runs(&p->footprint, NULL, &w.footprint);
    int16_t *runs = gf_lowering_constant(l, GF_S16, 1, GF_RUN_NUMBERS * w.footprint.runs, &w.block);
    if (runs) {
        list_runs(&p->footprint, runs, &w.footprint);
    }
    return w;
}

static bool is_full(const gf_list *f)
{
    for (int32_t i = 0; i < f->rows * f->columns; i++) {
        if (f->values[i] != 1) {
            return false;
        }
    }
    return true;
}

/* ---- passes ---- */

static struct window window_of(gf_lowering *l, const struct gf_morphology_params *p, bool greatest)
{
    const gf_shape picture = gf_lower_shape(l, gf_lower_input(l));
    if (p->footprint.rows > 0 && !is_full(&p->footprint)) {
        return footprint_window(l, p, greatest);
    }
    if (p->footprint.rows == 0 && p->shape != GF_SHAPE_RECT) {
        return shape_window(l, p, greatest);
    }
    const int64_t side = 2 * p->radius + 1;
    int64_t width = p->width ? p->width : side, height = p->height ? p->height : side;
    if (p->footprint.rows > 0 && footprint_is_fine(l, p)) {
        width = p->footprint.columns;
        height = p->footprint.rows;
    }
    return (struct window){.rectangle =
                               gf_morphology_make(width, height, picture.width, picture.height, greatest),
                           .block = GF_NONE};
}

static gf_value_id pass(gf_lowering *l, gf_value_id v, gf_value_id original,
                        const struct gf_morphology_params *p, bool greatest)
{
    const struct window w = window_of(l, p, greatest);
    return w.block == GF_NONE ? gf_lowering_bare_window(l, v, original, &gf_kernel_morphology, &w.rectangle,
                                                        sizeof w.rectangle, GF_NONE)
                              : gf_lowering_bare_window(l, v, original, &gf_kernel_footprint, &w.footprint,
                                                        sizeof w.footprint, w.block);
}

/* sign (v - original) where the stage acts; else the original. */
static gf_value_id minus(gf_lowering *l, gf_value_id v, gf_value_id original, int sign)
{
    const gf_shape shape = gf_lower_shape(l, v);
    const uint8_t all = (uint8_t)((1U << shape.channels) - 1), mask = gf_lowering_mask(l, shape.channels);
    int32_t out;
    struct gf_op *op = v ? gf_lowering_point(l, v, shape.depth, shape.channels, &out) : NULL;
    if (!op) {
        return 0;
    }
    op->operand[GF_OPERAND_SECOND] = original - 1;
    if (mask != all) {
        gf_point_push(op, GF_INSN_KEEP, mask, 0, 0)->operand = GF_OPERAND_SECOND;
    }
    gf_point_push(op, GF_INSN_SUM, mask, (float)-sign, (float)sign)->operand = GF_OPERAND_SECOND;
    if (shape.depth != GF_F32) {
        gf_point_push(op, GF_INSN_QUANTISE, all, 0, 0)->roi = GF_NONE;
    }
    return gf_to_id(out);
}

void gf_morphology_lower(gf_lowering *l, const struct gf_morphology_params *p, struct gf_morphology_way way)
{
    const gf_value_id v = gf_lower_input(l), source = gf_lowering_window_source(l, v);
    gf_value_id made = pass(l, source, v, p, way.greatest);
    if (way.then_back) {
        made = pass(l, made, v, p, !way.greatest);
    }
    struct gf_window_end end = {.centre = way.then_back ? 0 : source, .second = v, .weighed = true};
    end.depth = gf_lower_shape(l, v).depth;
    made = gf_lowering_window_end(l, made, &end);
    gf_lower_output(l, way.sign ? minus(l, made, v, way.sign) : made);
}
