/* bounds: the box of what is not border; the picture passes unchanged. */
#include "lower/lowering_private.h"
#include "stages/trim.h"

/* The first and, behind the last, the end of sums that are not 0; equal where all are. */
static void extent(const uint64_t *sums, int64_t n, int64_t *first, int64_t *end)
{
    *first = 0;
    *end = n;
    while (*end > 0 && sums[*end - 1] == 0) {
        --*end;
    }
    while (*first < *end && sums[*first] == 0) {
        ++*first;
    }
    *first = *end == 0 ? 0 : *first;
}

static void finish(const gf_measured *m, gf_result_builder *builder)
{
    int64_t left, right, top, bottom;
    uint64_t *x = gf_result_u64(builder, "x", 1, 1), *y = gf_result_u64(builder, "y", 1, 1);
    uint64_t *width = gf_result_u64(builder, "width", 1, 1), *height = gf_result_u64(builder, "height", 1, 1);
    if (!x || !y || !width || !height) {
        return;
    }
    extent(m->blocks[0], m->shape.width, &left, &right);
    extent(m->blocks[1], m->shape.height, &top, &bottom);
    *x = (uint64_t)left;
    *y = (uint64_t)top;
    *width = (uint64_t)(right - left);
    *height = (uint64_t)(bottom - top);
}

static void lower(gf_lowering *l, const void *params)
{
    const struct gf_bounds *p = params;
    const gf_value_id v = gf_lower_input(l);
    const int32_t n = p->colour.rows ? p->colour.columns : 0;
    const gf_value_id apart = gf_lowering_apart(l, v, p->colour.values, n, p->tolerance);
    if (apart) {
        const gf_value_id sums[2] = {gf_lowering_sums_of_all(l, apart, false),
                                     gf_lowering_sums_of_all(l, apart, true)};
        gf_lower_result(l, v, sums, 2, finish);
    }
}

GF_PARAMS(GF_BOUNDS_PARAMS(0));

GF_FIELDS({"x", GF_U64, 1, "pixels", "column of the box's left edge"},
          {"y", GF_U64, 1, "pixels", "row of its upper edge"},
          {"width", GF_U64, 1, "pixels", "how wide it is; 0 where all is border"},
          {"height", GF_U64, 1, "pixels", "how high it is"});

GF_EXAMPLES({"bounds:2%", "where a scan begins and ends on its sheet"},
            {"gray,threshold:otsu,bounds:colour=0", "the box around all that is bright"});

const gf_stage_type gf_stage_bounds = {
    GF_STAGE_NAMED(bounds),
    .aliases = "find_trim",
    .group = "measure",
    .summary = "the box of what is not border; the picture passes unchanged",
    .use = "To know what trim would cut, or where something lies on an even ground.",
    .formula = "A pixel is border where no channel, alpha among them, lies farther than tolerance from the "
               "border's\n"
               "colour; where both are without alpha, whatever their colour. The box is the least that has "
               "all pixels\n"
               "that are not, NaN among them. colour has white as its alpha. With roi= the box is of its "
               "pixels, and "
               "the\n"
               "colour that of its upper left one.",
    .params = params,
    .params_size = sizeof(struct gf_bounds),
    .flags = GF_STAGE_MEASURE,
    .lower = lower,
    .fields = fields,
};
