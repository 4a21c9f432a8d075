/* list_case.h: values of LIST parameters, of each shape that a row takes. */
#ifndef LIST_CASE_H
#define LIST_CASE_H

#include "base/text.h"
#include "gpufilter/stage.h"
#include "plan_cases.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Rows and columns of shape i, '*' being `any`; false past the last. */
static inline bool list_shape(const gf_param *row, int32_t i, int32_t any, int32_t *rows, int32_t *columns)
{
    const bool fixed = row->choices && strcmp(row->choices, "*x*") != 0;
    const char *c = fixed ? row->choices : "3x3|1x5|2x3|1x1";
    for (; i > 0; i--) {
        c = strchr(c, '|');
        if (!c) {
            return false;
        }
        c++;
    }
    *rows = *c == '*' ? any : atoi(c);
    c = strchr(c, 'x') + 1;
    *columns = *c == '*' ? any : atoi(c);
    return true;
}

/* A list of numbers inside the row's interval: with `random` any of two decimals, without 1 on the diagonal
 * and 0 elsewhere, as short as can be. */
static inline void list_text(const gf_param *row, int32_t rows, int32_t columns, struct plan_random *random,
                             struct gf_text *text)
{
    if (strcmp(row->name, "corners") == 0) { /* which go round clockwise */
        const char *bends = random && plan_random_below(random, 2) ? "4" : "0.5";
        gf_text_append(text, "[1 %s 9 1 8.25 7 0 6]", bends);
        return;
    }
    bool bounded = row->min != 0 || row->max != 0;
    gf_text_string(text, "[");
    for (int32_t i = 0; i < rows * columns; i++) {
        double v = random ? (double)plan_random_between(random, -150, 150) / 100 : i / columns == i % columns;
        v = bounded && v < row->min ? row->min : bounded && v > row->max ? row->max : v;
        gf_text_string(text, i == 0 ? "" : i % columns ? " " : ";");
        gf_text_number(text, v);
    }
    gf_text_string(text, "]");
}

static inline bool list_value(const gf_param *row, int32_t i, struct gf_text *text)
{
    int32_t rows, columns;
    if (i == 4 && row->choices && !strcmp(row->choices, "*x*")) {
        gf_text_string(text,
                       "@numbers_33_32"); /* so many that a kernel of its own sums them: stage_inputs.h */
        return true;
    }
    if (!list_shape(row, i, 3, &rows, &columns)) {
        const bool single =
            row->choices && !strcmp(row->choices, "1x1") && i == 1; /* a number has two cases */
        if (single) {
            gf_text_append(text, "[%g]", row->min);
        }
        return single;
    }
    list_text(row, rows, columns, NULL, text);
    return true;
}

static inline void list_draw(const gf_param *row, struct plan_random *random, struct gf_text *text)
{
    int32_t n = 0, rows = 1, columns = 1;
    while (list_shape(row, n, 3, &rows, &columns)) {
        n++;
    }
    list_shape(row, (int32_t)plan_random_below(random, (uint32_t)n),
               1 + (int32_t)plan_random_below(random, 7), &rows, &columns);
    list_text(row, rows, columns, random, text);
}

#endif
