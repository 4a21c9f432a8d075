#include "exec/result.h"

#include "base/planted_fault.h"
#include "base/status.h"
#include "gpufilter/pipeline.h"

#include <stdlib.h>
#include <string.h>

static void *add_field(gf_result_builder *builder, const char *name, gf_depth depth, int32_t channels,
                       int64_t count)
{
    int32_t n = builder->result.n_fields;
    gf_field *fields = realloc(builder->fields, (size_t)(n + 1) * sizeof *fields);
    void *values = calloc((size_t)channels * (size_t)count + 1, gf_depth_size(depth));
    if (fields) {
        builder->fields = fields;
        builder->result.fields = fields;
    }
    if (!fields || !values) {
        free(values);
        builder->status = GF_ERROR_MEMORY;
        return NULL;
    }
    fields[n] =
        (gf_field){.name = name, .depth = depth, .channels = channels, .count = count, .values = values};
    builder->result.n_fields = n + 1;
    return values;
}

uint64_t *gf_result_u64(gf_result_builder *builder, const char *name, int32_t channels, int64_t count)
{
    return add_field(builder, name, GF_U64, channels, count);
}

double *gf_result_f64(gf_result_builder *builder, const char *name, int32_t channels, int64_t count)
{
    return add_field(builder, name, GF_F64, channels, count);
}

gf_status gf_result_make(const struct gf_lowered_result *lowered, const struct gf_stage_node *node,
                         const void *const *blocks, struct gf_result_builder *builder, gf_error *error)
{
    *builder = (gf_result_builder){.result = {.struct_size = sizeof(gf_result),
                                              .index = lowered->stage,
                                              .stage = node->type->name,
                                              .name = node->common.name}};
    const gf_measured measured = {
        .blocks = blocks, .params = node->params, .shape = lowered->shape, .channels = lowered->channels};
    lowered->finish(&measured, builder);
    if (builder->status != GF_OK) {
        gf_result_free(builder);
        return gf_fail(error, GF_FAULT(unwind_code) ? GF_ERROR_INTERNAL : GF_ERROR_MEMORY,
                       "out of memory for the result of stage %d '%s'", lowered->stage + 1, node->type->name);
    }
    return GF_OK;
}

void gf_result_free(struct gf_result_builder *builder)
{
    for (int32_t i = 0; i < builder->result.n_fields; i++) {
        free((void *)(uintptr_t)builder->fields[i].values);
    }
    free(builder->fields);
    *builder = (gf_result_builder){0};
}

const gf_field *gf_result_field(const gf_result *result, const char *name)
{
    for (int32_t i = 0; result && i < result->n_fields; i++) {
        if (!strcmp(result->fields[i].name, name)) {
            return &result->fields[i];
        }
    }
    return NULL;
}
