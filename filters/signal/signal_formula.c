/* Formulas over channels of a signal, as the stage expr has them. */
#include "signal/signal_lowering_private.h"

#include "param/formula_parse.h"
#include "pixel/along/formula_along.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(GF_FORMULA_READS >= GF_PARAM_TEXT_SIZE / 3, "c0+c1 has three bytes a channel");

/* Reads the n formulas of the text, which ';' parts; false after a failure. */
static bool read_all(gf_signal_lowering *l, const char *text, int32_t n, struct gf_formula *f)
{
    const char *from = text;
    for (int32_t i = 0; i < n; i++) {
        const size_t length = strcspn(from, ";");
        char why[160];
        size_t at;
        if (!gf_formula_parse(from, length, l->out->channels, 0, &f[i], &at, why)) {
            gf_signal_lower_fail(l, "formula", "formula '%.150s', at byte %zu: %s", text,
                                 (size_t)(from - text) + at + 1, why);
            return false;
        }
        from += length + 1;
    }
    return true;
}

/* The place of a channel's number among those that are read, from 1 on; puts it there. */
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

static void add(gf_signal_lowering *l, struct gf_formula *f, int32_t n)
{
    float reads[GF_FORMULA_READS];
    struct gf_signal_formula args = {.channels = l->out->channels, .rows = n};
    for (int32_t i = 0; i < n; i++) {
        args.width = 2 * f[i].n + 2 > args.width ? 2 * f[i].n + 2 : args.width;
        for (int32_t k = 0; k < f[i].n; k++) {
            float *step = &f[i].steps[2 * k];
            step[1] = step[0] == GF_FORMULA_CHANNEL ? (float)place_of(reads, &args.reads, step[1]) : step[1];
        }
    }
    float *table = calloc((size_t)(args.reads + n * args.width), sizeof *table);
    if (!table) {
        gf_signal_lower_failed(l, GF_ERROR_MEMORY, &(gf_error){.message = "out of memory"});
        return;
    }
    memcpy(table, reads, (size_t)args.reads * sizeof *table);
    for (int32_t i = 0; i < n; i++) {
        memcpy(table + args.reads + i * args.width, f[i].steps, (size_t)f[i].n * 2 * sizeof *table);
    }
    args.table = table;
    gf_signal_lower_node(l, &gf_signal_formula, &args, sizeof args, table);
}

void gf_signal_lower_formula(gf_signal_lowering *l, const char *text)
{
    int32_t n = 1;
    for (const char *c = text; *c; c++) {
        n += *c == ';';
    }
    if (n != 1 && n != l->out->channels) {
        gf_signal_lower_fail(l, "formula", "%d formulas for %d channel%s: must be 1 for all, or one for each",
                             n, l->out->channels, l->out->channels == 1 ? "" : "s");
        return;
    }
    struct gf_formula *f = malloc((size_t)n * sizeof *f);
    if (!f) {
        gf_signal_lower_failed(l, GF_ERROR_MEMORY, &(gf_error){.message = "out of memory"});
    } else if (read_all(l, text, n, f)) {
        add(l, f, n);
    }
    free(f);
}
