/* Results of a run: named fields that finish functions fill. */
#ifndef GF_EXEC_RESULT_H
#define GF_EXEC_RESULT_H

#include "gpufilter/stage.h"
#include "lowering.h"

struct gf_result_builder {
    gf_result result;
    gf_field *fields;
    gf_status status; /* GF_ERROR_MEMORY when a field could not be made */
};

/* Runs finish on host copies of the blocks; on failure nothing is kept. */
gf_status gf_result_make(const struct gf_lowered_result *lowered, const struct gf_stage_node *node,
                         const void *const *blocks, struct gf_result_builder *builder, gf_error *error);
void gf_result_free(struct gf_result_builder *builder);

#endif
