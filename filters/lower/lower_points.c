/* Places of pixels as a result. */
#include "lower/channel_parts.h"
#include "lower/points_stage.h"

#include <string.h>

bool gf_lowering_points(gf_lowering *l, gf_value_id v, struct gf_points_args *args, int64_t limit,
                        gf_finish finish, struct gf_points_found *found)
{
    const gf_rect roi = l->node->common.roi.rect;
    const gf_shape shape = gf_lower_shape(l, v);
    args->roi = roi.w ? roi : (gf_rect){0, 0, shape.width, shape.height};
    args->mask = gf_lowering_mask(l, shape.channels);
    args->limit = limit;
    const int32_t measured = __builtin_popcount(args->mask);
    const int64_t pixels = args->roi.w * args->roi.h, most = limit && limit < pixels ? limit : pixels;
    found->counts = gf_lowering_block(l, GF_U64, 1, 2);
    found->places = gf_lowering_rows(l, GF_U32, 2, most, found->counts);
    found->values = gf_lowering_rows(l, GF_F32, measured ? measured : 1, most, found->counts);
    const struct gf_lowering_operands in = {{v - 1}, 1},
                                      out = {{found->counts, found->places, found->values}, 3};
    gf_lowering_gathered_bytes(l, (uint64_t)most * (2 + (uint64_t)measured) * sizeof(float));
    if (!gf_lowering_apply(l, &gf_kernel_points, in, out, args, sizeof *args)) {
        return false;
    }
    const gf_value_id blocks[] = {gf_to_id(found->counts), gf_to_id(found->places), gf_to_id(found->values)};
    if (finish) {
        gf_lower_result(l, v, blocks, 3, finish);
    }
    return true;
}

const gf_stage_field gf_points_columns[] = {
    {"x", GF_U32, 1, "pixels", "column, from 0"},
    {"y", GF_U32, 1, "pixels", "row, from 0"},
    {"value", GF_F32, 0, "sample units", "the samples that were measured, exact"},
    {0},
};

void gf_points_table(const gf_measured *m, gf_result_builder *builder, const char *name, size_t most)
{
    const uint64_t *counts = m->blocks[0];
    const uint32_t *places = m->blocks[1];
    const size_t made = (size_t)counts[0], rows = made < most ? made : most;
    const size_t measured = (size_t)__builtin_popcount(m->channels);
    const char *parts = gf_channel_parts(m->shape.channels, m->channels);
    uint64_t *count = gf_result_u64(builder, "count", 1, 1);
    gf_result_begin_table(builder, name, (int64_t)rows);
    uint32_t *x = gf_result_column(builder, "x", NULL, GF_U32);
    uint32_t *y = gf_result_column(builder, "y", NULL, GF_U32);
    float *value = gf_result_column(builder, "value", parts, GF_F32);
    if (!count || !x || !y || !value) {
        return;
    }
    *count = counts[1];
    for (size_t i = 0; i < rows; i++) {
        x[i] = places[2 * i];
        y[i] = places[2 * i + 1];
    }
    memcpy(value, m->blocks[2], rows * measured * sizeof *value);
}
