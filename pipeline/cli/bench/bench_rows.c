/* What was measured, as judges, tables and figures look it up. */
#include "bench/bench.h"

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

int bench_row_count(const struct bench_result *result, int line)
{
    int n = 0;
    while (bench_row_at(result, line, n)) {
        n++;
    }
    return n;
}

const struct bench_row *bench_row_beside(const struct bench_result *result, int line,
                                         const struct bench_row *other)
{
    const struct bench_row *row;
    for (int i = 0; (row = bench_row_at(result, line, i)) != NULL; i++) {
        if (row->x == other->x) {
            return row;
        }
    }
    return NULL;
}

int bench_line_of(const struct bench_result *result, int panel, const char *label)
{
    for (int l = 0; label && l < result->n_lines; l++) {
        if (result->lines[l].panel == panel && !strcmp(result->lines[l].label, label)) {
            return l;
        }
    }
    return -1;
}

void bench_words_add(const char *words, bool reduced, struct buffer *text)
{
    const char *sizes = strstr(words, " | ");
    buffer_add_bytes(text, words, sizes ? (size_t)(sizes - words) : strlen(words));
    if (sizes && !reduced) {
        buffer_printf(text, ", %s", sizes + strlen(" | "));
    }
}

void bench_title_add(const struct bench_result *result, int panel, struct buffer *text)
{
    bench_words_add(result->experiment->panels[panel].title, result->reduced, text);
}
