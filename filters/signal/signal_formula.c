/* Formulas over channels of a signal, as the stage expr has them. */
#include "signal/signal_lowering_private.h"

#include "param/formula_parse.h"
#include "pixel/along/formula_along.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(GF_FORMULA_READS >= GF_PARAM_TEXT_SIZE / 3, "c0+c1 has three bytes a channel");

/* The place of a channel's number among the n that are read, from 1 on; puts it there. */
static int32_t place_of(float *numbers, int32_t *n, float channel)
{
    int32_t k = 0;
    while (k < *n && numbers[k] != channel) {
        k++;
    }
    numbers[k] = channel;
    *n += k == *n;
    return k + 1;
}

/* Reads the formula at `from` in the text, which ends or has ';' behind it, into a row; returns its length.
 */
static size_t read_one(gf_signal_lowering *l, const char *text, const char *from, float *table,
                       int32_t *reads, float *row)
{
    const size_t length = strcspn(from, ";");
    struct gf_formula f;
    char why[160];
    size_t at;
    const struct gf_formula_of of = {.channels = l->out->channels};
    if (!gf_formula_parse(from, length, &of, &f, &at, why)) {
        gf_signal_lower_fail(l, "formula", "formula '%.150s', at byte %zu: %s", text,
                             (size_t)(from - text) + at + 1, why);
        return length;
    }
    for (float *step = f.steps; step < f.steps + 2 * f.n; step += 2) {
        step[1] = step[0] == GF_FORMULA_CHANNEL ? (float)place_of(table, reads, step[1]) : step[1];
    }
    memcpy(row, f.steps, sizeof f.steps);
    return length;
}

void gf_signal_lower_formula(gf_signal_lowering *l, const char *text)
{
    struct gf_signal_formula args = {.channels = l->out->channels, .rows = 1};
    const char *from = text;
    for (const char *c = text; *c; c++) {
        args.rows += *c == ';';
    }
    if (args.rows != 1 && args.rows != args.channels) {
        gf_signal_lower_fail(l, "formula", "%d formulas for %d channel%s: must be 1 for all, or one for each",
                             args.rows, args.channels, args.channels == 1 ? "" : "s");
        return;
    }
    float *table = calloc((size_t)(GF_FORMULA_READS + args.rows * GF_FORMULA_WIDTH), sizeof *table);
    if (!table) {
        gf_signal_lower_failed(l, GF_ERROR_MEMORY, &(gf_error){.message = "out of memory"});
        return;
    }
    for (int32_t i = 0; i < args.rows; i++) {
        from += 1 + read_one(l, text, from, table, &args.reads,
                             table + GF_FORMULA_READS + (ptrdiff_t)i * GF_FORMULA_WIDTH);
    }
    args.table = table;
    gf_signal_lower_node(l, &gf_signal_formula, &args, sizeof args, table);
}
