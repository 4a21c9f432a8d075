/* What was measured, as judges, tables and figures look it up. */
#include "bench.h"

#include <string.h>

const struct bench_row *bench_row_at(const struct bench_result *result, int line, int index)
{
    for (int i = 0; i < result->n_rows; i++) {
        const struct bench_row *row = &result->rows[i];
        if (row->series == line && row->timed && index-- == 0) {
            return row;
        }
    }
    return NULL;
}

void bench_title_add(const struct bench_result *result, int panel, struct buffer *text)
{
    const char *title = result->experiment->panels[panel].title, *sizes = strstr(title, " | ");
    buffer_add_bytes(text, title, sizes ? (size_t)(sizes - title) : strlen(title));
    if (sizes && !result->reduced) {
        buffer_printf(text, ", %s", sizes + strlen(" | "));
    }
}
