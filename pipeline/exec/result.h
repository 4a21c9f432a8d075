/* Results of a run: what finish functions make of the blocks. */
#pragma once

#include "gpufilter/stage.h"
#include "lower/lowering.h"
#include "result_builder.h"

/* Runs finish on host copies of the blocks; on failure nothing is kept. */
gf_status gf_result_make(const struct gf_lowered_result *lowered, const struct gf_stage_node *node,
                         const void *const *blocks, struct gf_result_builder *builder, gf_error *error);
