/* What a result holds, by name. */
#include "base/status.h"
#include "base/text.h"
#include "gpufilter/pipeline.h"

#include <string.h>

const gf_field *gf_result_field(const gf_result *result, const char *name)
{
    for (int32_t i = 0; result && name && i < result->n_fields; i++) {
        if (!strcmp(result->fields[i].name, name)) {
            return &result->fields[i];
        }
    }
    return NULL;
}

const gf_table *gf_result_table(const gf_result *result, const char *name)
{
    for (int64_t i = 0; result && name && i < result->n_tables; i++) {
        if (!strcmp(result->tables[i].name, name)) {
            return &result->tables[i];
        }
    }
    return NULL;
}

const gf_column *gf_table_column(const gf_table *table, const char *name)
{
    for (int32_t i = 0; table && name && i < table->n_columns; i++) {
        if (!strcmp(table->columns[i].name, name)) {
            return &table->columns[i];
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
