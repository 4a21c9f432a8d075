/* The fields of a stage's result, for `help STAGE`; docs/stages.md makes its table of them from this. */
#include "help/help_results.h"

#include <stdio.h>

static void add_field(struct buffer *text, const gf_stage_field *field)
{
    char values[16];
    snprintf(values, sizeof values, field->count ? "%d" : "n", field->count);
    buffer_printf(text, "  %-8s  %-3s  %-2s  %-12s  %s\n", field->name, gf_depth_name(field->depth), values,
                  field->unit, field->help);
}

void help_results_add(struct buffer *text, const gf_stage_type *type)
{
    const gf_stage_field *field;
    const gf_stage_table *table;
    for (int32_t i = 0; (field = gf_stage_result(type, i)); i++) {
        buffer_add(text, i ? "" : "\nResult: fields, their type, values per channel and unit\n");
        add_field(text, field);
    }
    for (int32_t i = 0; (table = gf_stage_result_table(type, i)); i++) {
        buffer_printf(text, "\nTable %s: %s\n", table->name, table->help);
        for (field = table->columns; field->name; field++) {
            add_field(text, field);
        }
    }
}
