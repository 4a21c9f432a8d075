/* What windows of least and greatest samples share on the CPU: morphology_cpu.c, footprint_cpu.c. Samples are
 * u8, u16, or the keys of f32 (gf_float_key), all bits flipped where the greatest is looked for. */
#pragma once

#include "pixel/cpu/cpu_pass.h"

/* Bytes of a sample, or its key. */
static inline size_t gf_least_size(gf_depth depth)
{
    return gf_depth_size(depth);
}

static inline const struct gf_cpu_least *gf_least_rows(const struct gf_cpu_plan *plan)
{
    const gf_depth depth = plan->window.line;
    return &plan->rows->least[depth == GF_U8 ? 0 : depth == GF_U16 ? 1 : 2];
}
