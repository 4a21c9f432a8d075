#include "result_builder.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static void *fail(gf_result_builder *builder, gf_status status)
{
    builder->status = status;
    return NULL;
}

/* ---- fields ---- */

static void *add_field(gf_result_builder *builder, const char *name, gf_depth depth, int32_t channels,
                       int64_t count)
{
    int32_t n = builder->result.n_fields;
    if (!name || channels < 0 || count < 0 || count > INT64_MAX / 8 / (channels + (int64_t)1)) {
        return fail(builder, GF_ERROR_ARGUMENT);
    }
    gf_field *fields = realloc(builder->fields, (size_t)(n + 1) * sizeof *fields);
    void *values = calloc((size_t)channels * (size_t)count + 1, gf_depth_size(depth));
    if (fields) {
        builder->fields = fields;
        builder->result.fields = fields;
    }
    if (!fields || !values) {
        free(values);
        return fail(builder, GF_ERROR_MEMORY);
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

/* ---- tables ---- */

void gf_result_begin_table(gf_result_builder *builder, const char *name, int64_t rows)
{
    int64_t n = builder->result.n_tables;
    if (!name || rows < 0) {
        fail(builder, GF_ERROR_ARGUMENT);
        return;
    }
    gf_table *tables = realloc(builder->tables, (size_t)(n + 1) * sizeof *tables);
    if (!tables) {
        fail(builder, GF_ERROR_MEMORY);
        return;
    }
    tables[n] = (gf_table){.name = name, .rows = rows};
    builder->tables = tables;
    builder->result.tables = tables;
    builder->result.n_tables = n + 1;
}

/* Returns how many names there are between '|'; 0: one of them is empty. */
static int32_t count_parts(const char *parts)
{
    for (int32_t n = 1;; n++) {
        size_t length = strcspn(parts, "|");
        if (length == 0) {
            return 0;
        }
        if (!parts[length]) {
            return n;
        }
        parts += length + 1;
    }
}

void *gf_result_column(gf_result_builder *builder, const char *name, const char *parts, gf_depth depth)
{
    gf_table *table = builder->result.n_tables ? &builder->tables[builder->result.n_tables - 1] : NULL;
    int32_t count = parts ? count_parts(parts) : 1;
    bool is_number = depth == GF_U32 || depth == GF_U64 || depth == GF_F32 || depth == GF_F64;
    if (builder->status != GF_OK) { /* of a table that did not begin, say */
        return NULL;
    }
    if (!table || !name || count < 1 || !is_number || table->rows > INT64_MAX / 8 / (count + (int64_t)1)) {
        return fail(builder, GF_ERROR_ARGUMENT);
    }
    int32_t n = table->n_columns;
    gf_column *columns = realloc((void *)(uintptr_t)table->columns, (size_t)(n + 1) * sizeof *columns);
    void *values = calloc((size_t)table->rows * (size_t)count + 1, gf_depth_size(depth));
    table->columns = columns ? columns : table->columns;
    if (!columns || !values) {
        free(values);
        return fail(builder, GF_ERROR_MEMORY);
    }
    columns[n] = (gf_column){.name = name, .parts = parts, .depth = depth, .count = count, .values = values};
    table->n_columns = n + 1;
    return values;
}

/* ---- the whole ---- */

void gf_result_free(struct gf_result_builder *builder)
{
    for (int32_t i = 0; i < builder->result.n_fields; i++) {
        free((void *)(uintptr_t)builder->fields[i].values);
    }
    for (int64_t t = 0; t < builder->result.n_tables; t++) {
        const gf_table *table = &builder->tables[t];
        for (int32_t i = 0; i < table->n_columns; i++) {
            free((void *)(uintptr_t)table->columns[i].values);
        }
        free((void *)(uintptr_t)table->columns);
    }
    free(builder->fields);
    free(builder->tables);
    *builder = (gf_result_builder){0};
}
