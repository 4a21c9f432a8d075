#include "exec/result.h"

#include "base/planted_fault.h"
#include "base/status.h"
#include "base/text.h"
#include "gpufilter/pipeline.h"

#include <stdlib.h>
#include <string.h>

static void *add_field(gf_result_builder *builder, const char *name, gf_depth depth, int32_t channels,
                       int64_t count)
{
    int32_t n = builder->result.n_fields;
    if (!name || channels < 0 || count < 0 || count > INT64_MAX / 8 / (channels + (int64_t)1)) {
        builder->status = GF_ERROR_ARGUMENT;
        return NULL;
    }
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
                                              .name = node->common.name,
                                              .shape = lowered->shape,
                                              .channels = lowered->channels}};
    const gf_measured measured = {
        .blocks = blocks, .params = node->params, .shape = lowered->shape, .channels = lowered->channels};
    lowered->finish(&measured, builder);
    if (builder->status != GF_OK) {
        gf_status status = builder->status;
        gf_result_free(builder);
        return gf_fail(error, GF_FAULT(unwind_code) ? GF_ERROR_INTERNAL : status,
                       "%s the result of stage %d '%s'",
                       status == GF_ERROR_MEMORY ? "out of memory for" : "a field without name or size in",
                       lowered->stage + 1, node->type->name);
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
    for (int32_t i = 0; result && name && i < result->n_fields; i++) {
        if (!strcmp(result->fields[i].name, name)) {
            return &result->fields[i];
        }
    }
    return NULL;
}

static gf_status fail_field(const gf_result *result, const char *field, gf_error *error)
{
    char names[240];
    struct gf_text text = gf_text_begin(names, sizeof names);
    for (int32_t i = 0; i < result->n_fields; i++) {
        gf_text_append(&text, "%s%s", i ? ", " : "", result->fields[i].name);
    }
    return gf_fail(error, GF_ERROR_ARGUMENT, "the result of '%s' has no field '%s'; it has: %s",
                   result->stage, field, names);
}

gf_status gf_result_number(const gf_result *result, const char *field, int32_t channel, double *number,
                           gf_error *error)
{
    if (!result) {
        return gf_fail(error, GF_ERROR_ARGUMENT,
                       "result is NULL: no stage of that name has measured, or no run has ended well");
    }
    if (!field || !number) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "%s is NULL", field ? "number" : "field");
    }
    const gf_field *found = gf_result_field(result, field);
    if (!found) {
        return fail_field(result, field, error);
    }
    if (found->count != 1) {
        return gf_fail(error, GF_ERROR_ARGUMENT,
                       "field '%s' of '%s' has %lld values per channel: read them from gf_result_field",
                       field, result->stage, (long long)found->count);
    }
    if (channel < 0 || channel >= found->channels) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "channel %d of '%s': %d were measured, counted from 0",
                       channel, result->stage, found->channels);
    }
    *number = found->depth == GF_U64 ? (double)((const uint64_t *)found->values)[channel]
                                     : ((const double *)found->values)[channel];
    return GF_OK;
}
