#include "job/field_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tells whether a parameter says how many values the field has. */
static bool has_many(const gf_stage_type *type, const char *name)
{
    for (const gf_stage_field *field = type->fields; field && field->name; field++) {
        if (field->count == 0 && (!name || !strcmp(field->name, name))) {
            return true;
        }
    }
    return false;
}

bool field_table_is_of(const gf_stage_type *type)
{
    return !type->tables && has_many(type, NULL);
}

static void name_channels(const gf_result *result, char *parts, size_t size)
{
    static const char *const of_gray[] = {"gray", "alpha"}, *const of_colour[] = {"r", "g", "b", "alpha"};
    size_t length = 0;
    for (int c = 0; c < result->shape.channels && result->shape.height == 0 && length < size; c++) {
        length += (size_t)snprintf(parts + length, size - length, "%s%d", length ? "|" : "", c + 1);
    }
    for (int c = 0; c < 4 && length < size; c++) {
        if (result->channels >> c & 1) {
            const char *name = result->shape.channels > 2 ? of_colour[c] : of_gray[c & 1];
            length += (size_t)snprintf(parts + length, size - length, "%s%s", length ? "|" : "", name);
        }
    }
}

/* The values of a field lie channel by channel, those of a column row by row. NULL: numbers from 0. */
static bool add_column(struct field_table *made, const gf_field *field)
{
    const int32_t channels = field ? field->channels : 1;
    uint64_t *out = calloc((size_t)made->table.rows * (size_t)channels, sizeof *out);
    for (int64_t i = 0; out && i < made->table.rows; i++) {
        for (int32_t c = 0; c < channels; c++) {
            out[i * channels + c] =
                field ? ((const uint64_t *)field->values)[c * field->count + i] : (uint64_t)i;
        }
    }
    made->columns[made->table.n_columns++] = (gf_column){.name = field ? field->name : "index",
                                                         .parts = channels > 1 ? made->parts : NULL,
                                                         .depth = field ? field->depth : GF_U64,
                                                         .count = channels,
                                                         .values = out};
    return out;
}

gf_status field_table_make(const gf_stage_type *type, const gf_result *result, struct field_table *made)
{
    *made = (struct field_table){.table = {.name = "values", .columns = made->columns}};
    name_channels(result, made->parts, sizeof made->parts);
    for (int32_t i = 0; i < result->n_fields && made->table.n_columns < FIELD_TABLE_COLUMNS; i++) {
        const gf_field *field = &result->fields[i];
        if (!has_many(type, field->name)) {
            continue;
        }
        const bool first = made->table.n_columns == 0;
        made->table.rows = field->count;
        if ((first && !add_column(made, NULL)) || !add_column(made, field)) {
            field_table_clear(made);
            return GF_ERROR_MEMORY;
        }
    }
    return GF_OK;
}

void field_table_clear(struct field_table *made)
{
    for (; made->table.n_columns > 0; made->table.n_columns--) {
        free((void *)(uintptr_t)made->columns[made->table.n_columns - 1].values);
    }
}
