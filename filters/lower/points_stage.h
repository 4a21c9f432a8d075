/* What points and find share: the pixels whose samples lie in intervals, as a table. */
#pragma once

#include "lower/lowering_private.h"
#include "pixel/whole/points/points.h"

/* The values that gf_kernel_points makes of v in order, of at most `limit` rows (0: all of them), args->roi
 * and args->mask being filled in from the stage, and as its result, unless finish is NULL. false on failure.
 */
struct gf_points_found {
    int32_t counts, places, values;
};
bool gf_lowering_points(gf_lowering *l, gf_value_id v, struct gf_points_args *args, int64_t limit,
                        gf_finish finish, struct gf_points_found *found);

/* In finish: `count`, and a table of that name with x, y and value, of as many rows as there are but at most
 * `most`. */
void gf_points_table(const gf_measured *m, gf_result_builder *builder, const char *name, size_t most);
extern const gf_stage_field gf_points_columns[];
