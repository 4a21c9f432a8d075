/* Fields of several values as a table: what --table writes of a stage that has no table of its own. */
#pragma once

#include "gpufilter/pipeline.h"

#include <stdbool.h>

enum { FIELD_TABLE_COLUMNS = 8 };

struct field_table {
    gf_table table;
    gf_column columns[FIELD_TABLE_COLUMNS];
    char parts[5120]; /* names of the channels, of up to 1024 */
};

/* Tells whether results of that type have such fields, as hist and percentiles have. */
bool field_table_is_of(const gf_stage_type *type);

/* A row for each value, with its number from 0, and a column for each such field of the type, with a part for
 * each channel that was measured. `made` may not be moved; field_table_clear frees the columns.
 * GF_ERROR_MEMORY. */
gf_status field_table_make(const gf_stage_type *type, const gf_result *result, struct field_table *made);

/* Frees the columns; the name and the number of rows stay. */
void field_table_clear(struct field_table *made);
