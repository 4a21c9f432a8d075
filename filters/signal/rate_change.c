#include "signal/rate_change.h"

#include "design/fir_design.h"

#include <inttypes.h>
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
    const bool simple = design.up <= MOST_NUMBERS / 16 && design.down <= MOST_NUMBERS;
    if (simple) {
        status = gf_resample_size(&design, &why);
    }
    if (status != GF_OK) {
        gf_signal_lower_failed(l, status, &why);
        return;
    }
    if (!simple || design.up > MOST_NUMBERS / design.taps) {
        gf_signal_lower_fail(l, NULL,
                             "%" PRId64 " frames for %" PRId64
                             " need a table of more than %d numbers: choose a rate with a simpler ratio",
                             design.up, design.down, MOST_NUMBERS);
        return;
    }
    float *phase = table_of(&design);
    if (!phase) {
        gf_signal_lower_failed(l, GF_ERROR_MEMORY, &(gf_error){.message = "out of memory"});
        return;
    }
    gf_signal_lower_resample(l, design.up, design.down, design.taps, design.taps - 1 - design.before, phase);
}
