#include "exec/result.h"

#include "base/planted_fault.h"
#include "base/status.h"
#include "gpufilter/pipeline.h"

#include <string.h>

gf_status gf_result_make(const struct gf_lowered_result *lowered, const struct gf_stage_node *node,
                         const void *const *blocks, struct gf_result_builder *builder, gf_error *error)
{
    *builder = (gf_result_builder){.result = {.struct_size = sizeof(gf_result),
                                              .index = lowered->stage,
                                              .stage = node->type->name,
                                              .name = node->common.name,
                                              .shape = lowered->shape,
                                              .channels = lowered->channels}};
    const gf_measured measured = {.blocks = blocks,
                                  .params = node->params,
                                  .shape = lowered->shape,
                                  .channels = lowered->channels,
                                  .roi = lowered->roi};
    lowered->finish(&measured, builder);
    if (builder->status != GF_OK) {
        gf_status status = builder->status;
        gf_result_free(builder);
        return gf_fail(error, GF_FAULT(unwind_code) ? GF_ERROR_INTERNAL : status,
                       "%s the result of stage %d '%s'",
                       status == GF_ERROR_MEMORY ? "out of memory for"
                                                 : "a field, table or column without name, size or place in",
                       lowered->stage + 1, node->type->name);
    }
    return GF_OK;
}
