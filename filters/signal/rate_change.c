#include "signal/rate_change.h"

#include "design/fir_design.h"
#include "signal/signal_lowering_private.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { MOST_NUMBERS = 1 << 24 }; /* of a table */

/* The rows of the design are from the past on, those of the kernel from what lies ahead. */
static float *table_of(const struct gf_resample *design)
{
    const size_t n = (size_t)design->taps, numbers = (size_t)design->up * n;
    double *table = malloc(numbers * sizeof *table);
    float *phase = table ? malloc(numbers * sizeof *phase) : NULL;
    if (phase) {
        gf_resample_table(design, table);
        for (size_t i = 0; i < numbers; i++) {
            phase[i - i % n + (n - 1 - i % n)] = (float)table[i];
        }
    }
    free(table);
    return phase;
}

/* Finds taps; false: there is no table of so many numbers. */
static bool fits(struct gf_resample *design, gf_status *status, gf_error *why)
{
    if (design->up > MOST_NUMBERS / 16 || design->down > MOST_NUMBERS) {
        return false;
    }
    *status = gf_resample_size(design, why);
    return *status != GF_OK || design->up <= MOST_NUMBERS / design->taps;
}

/* The first convergent of the continued fraction of up / down that is within 1e-9 of it. */
static void simplify(struct gf_resample *design)
{
    const int64_t up = design->up, down = design->down;
    int64_t a = up, b = down, above[2] = {0, 1}, below[2] = {1, 0};
    do {
        const int64_t whole = a / b, rest = a % b;
        const int64_t next[2] = {whole * above[1] + above[0], whole * below[1] + below[0]};
        above[0] = above[1], above[1] = next[0];
        below[0] = below[1], below[1] = next[1];
        a = b;
        b = rest;
    } while (fabs((double)above[1] * (double)down - (double)below[1] * (double)up) >
             1e-9 * (double)below[1] * (double)up);
    design->up = above[1];
    design->down = below[1];
}

void gf_signal_lower_rate_change(gf_signal_lowering *l, int64_t up, int64_t down, int32_t quality)
{
    static const double edge[] = {0.8, 0.913, 0.95}, attenuation[] = {80, 135, 150};
    int64_t a = up, b = down;
    while (b > 0) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    struct gf_resample design = {.up = up / a,
                                 .down = down / a,
                                 .attenuation = attenuation[quality],
                                 .edge = edge[quality],
                                 .multiple = 16};
    if (design.up == design.down) {
        return;
    }
    gf_error why = GF_ERROR_INIT;
    gf_status status = GF_OK;
    const struct gf_resample asked = design;
    bool simple = fits(&design, &status, &why);
    if (!simple) {
        simplify(&design);
        simple = fits(&design, &status, &why);
    }
    if (status != GF_OK) {
        gf_signal_lower_failed(l, status, &why);
        return;
    }
    if (!simple) {
        gf_signal_lower_fail(l, NULL,
                             "%" PRId64 " frames for %" PRId64
                             " need a table of more than %d numbers: choose a rate with a simpler ratio",
                             asked.up, asked.down, MOST_NUMBERS);
        return;
    }
    if (design.up == design.down) { /* the nearest ratio is none */
        l->out->rate = l->out->rate * (double)asked.up / (double)asked.down;
        return;
    }
    float *phase = table_of(&design);
    if (!phase) {
        gf_signal_lower_failed(l, GF_ERROR_MEMORY, &(gf_error){.message = "out of memory"});
        return;
    }
    const double rate = l->out->rate * (double)asked.up / (double)asked.down;
    gf_signal_lower_resample(l, design.up, design.down, design.taps, design.taps - 1 - design.before, phase);
    l->out->rate = l->status == GF_OK ? rate : l->out->rate;
}
