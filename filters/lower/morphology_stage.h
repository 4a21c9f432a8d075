/* What the stages of morphology share: parameters, and how they are lowered. Private to filters. */
#pragma once

#include "gpufilter/stage.h"

#include <stdbool.h>

/* Words of shape=, in the order of its choices. */
enum gf_morphology_shape { GF_SHAPE_RECT, GF_SHAPE_DISK, GF_SHAPE_DIAMOND, GF_SHAPE_CROSS };

struct gf_morphology_params {
    int64_t radius, width, height;
    int32_t shape; /* enum gf_morphology_shape */
    gf_list footprint;
};

extern const gf_param gf_morphology_params[]; /* of all six stages */

/* The least (or greatest) sample of the window at every pixel, then, where `then_back`, the greatest (or
 * least) of those; minus the picture (sign 1), the picture minus that (sign -1), or as it is (0). */
struct gf_morphology_way {
    bool greatest, then_back;
    int sign;
};
void gf_morphology_lower(gf_lowering *l, const struct gf_morphology_params *p, struct gf_morphology_way way);

/* A stage: its name, and what differs. */
#define GF_MORPHOLOGY_STAGE(word, greatest, then_back, sign, ...)                                            \
    static void lower(gf_lowering *l, const void *params)                                                    \
    {                                                                                                        \
        gf_morphology_lower(l, params, (struct gf_morphology_way){greatest, then_back, sign});               \
    }                                                                                                        \
    const gf_stage_type gf_stage_##word = {.struct_size = sizeof(gf_stage_type),                             \
                                           .name = #word,                                                    \
                                           .group = "window",                                                \
                                           .params = gf_morphology_params,                                   \
                                           .params_size = sizeof(struct gf_morphology_params),               \
                                           .flags = GF_STAGE_WINDOW,                                         \
                                           .lower = lower,                                                   \
                                           .examples = examples,                                             \
                                           __VA_ARGS__}
