/* find: where samples are what is looked for; the picture passes unchanged, or marked. gf_stage_find is a
 * function of stage.h, so that the descriptor has another name. */
#include "gpufilter/stage.h"
#include "lower/points_stage.h"
#include "pixel/whole/points/mark.h"

#include <math.h>

enum mode { FIND_FIRST, FIND_ALL, FIND_COUNT }; /* in the order of their words */

struct find {
    double value, tolerance;
    gf_list colour, mark;
    int32_t mode;
    int64_t limit;
};

static void finish(const gf_measured *m, gf_result_builder *builder)
{
    const struct find *p = m->params;
    gf_points_table(m, builder, "places", p->mode == FIND_COUNT ? 0 : SIZE_MAX);
}

/* The nearest value of the depth to a fraction of white. */
static double level(double fraction, gf_depth depth)
{
    return depth == GF_F32 ? fraction : floor(fraction * gf_depth_white(depth) + 0.5);
}

/* The interval of each measured channel; false after a failure. */
static bool bounds(gf_lowering *l, const struct find *p, gf_shape shape, struct gf_points_args *args)
{
    const uint32_t mask = gf_lowering_mask(l, shape.channels);
    const int32_t measured = __builtin_popcount(mask);
    const double tolerance = p->tolerance * gf_depth_white(shape.depth);
    if (p->colour.columns > 1 && p->colour.columns != measured) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT,
                      "colour has %d numbers, must have %d, one for each measured channel",
                      (int)p->colour.columns, (int)measured);
        return false;
    }
    if (p->tolerance < 0) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT, "tolerance is %g, must not be less than 0", p->tolerance);
        return false;
    }
    for (int32_t c = 0, number = 0; c < shape.channels; c++) {
        if (mask >> c & 1) {
            const double wanted = p->colour.columns == 1 ? p->colour.values[0]
                                  : p->colour.columns    ? p->colour.values[number++]
                                                         : p->value;
            args->lo[c] = (float)(level(wanted, shape.depth) - tolerance);
            args->hi[c] = (float)(level(wanted, shape.depth) + tolerance);
        }
    }
    return true;
}

/* The picture with the places in a colour. */
static void mark(gf_lowering *l, const struct find *p, gf_value_id v, const struct gf_points_found *found)
{
    const gf_shape shape = gf_lower_shape(l, v);
    const int32_t colours = shape.channels - (shape.channels % 2 == 0), given = p->mark.columns;
    struct gf_mark_args args = {.mask = (1U << colours) - 1};
    if (p->mode == FIND_COUNT) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT, "mark needs places, and mode=count finds none; use first or all");
        return;
    }
    if (given != 1 && given != colours) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT,
                      "mark has %d numbers, must have 1, or %d as the picture has colours", (int)given,
                      (int)colours);
        return;
    }
    for (int32_t c = 0; c < colours; c++) {
        const double colour = p->mark.values[given == 1 ? 0 : c];
        const double held = shape.depth == GF_F32 ? colour : fmin(fmax(colour, 0), 1);
        args.colour[c] = (float)level(held, shape.depth);
    }
    const int32_t out = gf_lowering_picture(l, shape.width, shape.height, shape.channels, shape.depth);
    const struct gf_lowering_operands in = {{v - 1, found->counts, found->places}, 3}, made = {{out}, 1};
    if (gf_lowering_apply(l, &gf_kernel_mark, in, made, &args, sizeof args)) {
        gf_lower_output(l, gf_to_id(out));
    }
}

static void lower(gf_lowering *l, const void *params)
{
    const struct find *p = params;
    const gf_value_id v = gf_lower_input(l);
    struct gf_points_args args = {.first = p->mode == FIND_FIRST};
    struct gf_points_found found;
    if (gf_lowering_samples(l, v) && bounds(l, p, gf_lower_shape(l, v), &args) &&
        gf_lowering_points(l, v, &args, p->mode == FIND_ALL ? p->limit : 1, finish, &found) &&
        p->mark.columns) {
        mark(l, p, v, &found);
    }
}

GF_PARAMS(
    {GF_ROW_IN(INTENSITY, find, value, "1", 0, 1),
     .help = "what every measured sample is, of u8 and u16 the nearest value", .positional = 1},
    {GF_ROW_IN(LIST, find, colour, "", -1e6, 1e6), .choices = "1x1|1x*", .unit = "colour",
     .help = "instead of value: a colour, or a number for each measured channel, fractions of white",
     .positional = 1},
    {GF_ROW_IN(INTENSITY, find, tolerance, "0", 0, 1), .help = "how far each sample may lie from it"},
    {GF_ROW(CHOICE, find, mode, "first"), .choices = "first|all|count",
     .help = "first: looks no further than the first place; all: every place; count: how many there are"},
    {GF_ROW_IN(INT, find, limit, "0", 0, 2147483647),
     .help =
         "of mode=all only the first so many rows, and memory for no more; 0: all. count stays the true one"},
    {GF_ROW_IN(LIST, find, mark, "", -1e6, 1e6), .choices = "1x1|1x*", .unit = "colour",
     .help = "the colour that the places in the table become, as red; alpha stays"});

GF_FIELDS({"count", GF_U64, 1, "pixels", "how many places there are; of mode=first 1 or 0; one value"});

static const gf_stage_table tables[] = {
    {"places", "a row a place, row by row from the top left; of mode=count none", gf_points_columns},
    {0},
};

GF_EXAMPLES({"find:[0.45 0.25 0.2]:tolerance=0.1:mode=all:mark=lime", "marks what is nearly of a colour"},
            {"gray,find:200u8", "where the first pixel of 200 is"},
            {"gray,threshold:otsu,find:mode=count", "how many pixels of a mask are white"});

const gf_stage_type gf_stage_find_value = {
    .struct_size = sizeof(gf_stage_type),
    .name = "find",
    .aliases = "search",
    .group = "measure",
    .summary = "where the picture has a value or a colour: the first place, all, or how many",
    .use =
        "To look for a marker, a key colour, a dead pixel or the first sign of something; to count a mask.\n"
        "points takes the two ends of an interval instead.",
    .formula =
        "The pixels of which each measured sample v has |v - value| <= tolerance, in raster order. Of u8 "
        "and\n"
        "u16 value times white is rounded, halves up. NaN is never found; alpha is not measured unless\n"
        "channels says so. first stops reading once nothing in front can be found.",
    .params = params,
    .params_size = sizeof(struct find),
    .flags = GF_STAGE_MEASURE,
    .lower = lower,
    .fields = fields,
    .examples = examples,
    .tables = tables,
};
