/* The fields of a stage's result, for `help STAGE`; docs/stages.md makes its table of them from this. */
#include "help_results.h"

#include <stdio.h>

void help_results_add(struct buffer *text, const gf_stage_type *type)
{
    const gf_stage_field *field;
    for (int32_t i = 0; (field = gf_stage_result(type, i)); i++) {
        char values[16];
        snprintf(values, sizeof values, field->count ? "%d" : "n", field->count);
        if (i == 0) {
            buffer_add(text, "\nResult: fields, their type, values per channel and unit\n");
        }
        buffer_printf(text, "  %-8s  %-3s  %-2s  %-12s  %s\n", field->name, gf_depth_name(field->depth),
                      values, field->unit, field->help);
    }
}
