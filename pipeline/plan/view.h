/* What a runner works through: steps, and which rows of their values lie in memory. */
#pragma once

#include "plan/fuse.h"

/* The whole of a plan, or a band of it: a band has copies of the steps that it runs. Values are the plan's,
 * as high as the whole picture. */
struct gf_view {
    const struct gf_op_list *list;
    const struct gf_steps *steps;
    const struct gf_rows *rows; /* of each value's picture, by its number; NULL: all */
    const struct gf_rows
        *runs;              /* those that each step makes, by its index; NULL: all. None: it is left out */
    const int32_t *of_plan; /* which step of the plan each step is; NULL: the same */
    int32_t threads;        /* CPU threads, >= 1 */
    bool keeps;             /* rows of `kept` stay from band to band: */
    int32_t kept;           /* a value */
    struct gf_rows before;  /* those in memory where the band begins */
};

static inline struct gf_rows gf_view_rows(const struct gf_view *view, int32_t value)
{
    return view->rows ? view->rows[value] : (struct gf_rows){0, view->list->values[value].height};
}

/* Those of them made by the step that makes the value. */
static inline struct gf_rows gf_view_made(const struct gf_view *view, int32_t value)
{
    struct gf_rows rows = gf_view_rows(view, value);
    if (view->keeps && value == view->kept && view->before.count && rows.count) {
        const int64_t there = view->before.first + view->before.count - rows.first;
        rows = (struct gf_rows){rows.first + there, rows.count - there};
    }
    return rows;
}

static inline bool gf_view_skips(const struct gf_view *view, int32_t step)
{
    return view->runs && view->runs[step].count == 0;
}
