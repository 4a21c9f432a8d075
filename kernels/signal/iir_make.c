#include "signal/iir_make.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

struct matrix {
    struct gf_dd of[GF_IIR_STATES][GF_IIR_STATES];
};

/* One step of the transposed direct form II in double-double: the states of the frame before become those
 * behind input x. */
static void step(const struct gf_signal_iir_made *made, struct gf_dd *state, struct gf_dd x)
{
    for (int k = 0; k < made->sections; k++) {
        const struct gf_section *c = &made->section[k];
        struct gf_dd y = state[2 * k], s1 = state[2 * k + 1], s2 = {0.0, 0.0};
        gf_dd_add_product(&y, (struct gf_dd){c->b0, 0.0}, x);
        y = gf_dd_done(y);
        gf_dd_add_product(&s1, (struct gf_dd){c->b1, 0.0}, x);
        gf_dd_add_product(&s1, (struct gf_dd){-c->a1, 0.0}, y);
        gf_dd_add_product(&s2, (struct gf_dd){c->b2, 0.0}, x);
        gf_dd_add_product(&s2, (struct gf_dd){-c->a2, 0.0}, y);
        state[2 * k] = gf_dd_done(s1);
        state[2 * k + 1] = gf_dd_done(s2);
        x = y;
    }
}

/* `to` = a a; lower triangles of 2 x 2, as no section's states depend on a later one's. */
static void square(int n, const struct matrix *a, struct matrix *to)
{
    memset(to, 0, sizeof *to);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= (i | 1); j++) {
            struct gf_dd sum = {0.0, 0.0};
            for (int m = j & ~1; m <= (i | 1); m++) {
                gf_dd_add_product(&sum, a->of[i][m], a->of[m][j]);
            }
            to->of[i][j] = gf_dd_done(sum);
        }
    }
}

static void make_sums(const struct gf_signal_iir_made *made, double *sums)
{
    struct gf_dd state[GF_IIR_STATES];
    memset(state, 0, sizeof state);
    for (int i = GF_IIR_BLOCK - 1; i >= 0; i--) {
        step(made, state, (struct gf_dd){i == GF_IIR_BLOCK - 1 ? 1.0 : 0.0, 0.0});
        for (int j = 0; j < made->states; j++) {
            sums[i * made->states + j] = state[j].hi;
        }
    }
}

/* two: room for two matrices. */
static void make_powers(const struct gf_signal_iir_made *made, struct matrix *two, struct gf_dd *to)
{
    const int n = made->states;
    struct matrix *power = two, *next = two + 1;
    for (int j = 0; j < n; j++) { /* column j of A is what a step makes of the unit state j */
        struct gf_dd state[GF_IIR_STATES];
        memset(state, 0, sizeof state);
        state[j].hi = 1.0;
        step(made, state, (struct gf_dd){0.0, 0.0});
        for (int i = 0; i < n; i++) {
            power->of[i][j] = state[i];
        }
    }
    for (int k = -6; k < GF_IIR_LEVELS; k++) { /* power is A^(64 2^k) */
        for (int i = 0; i < n && k >= 0; i++, to += n) {
            memcpy(to, power->of[i], (size_t)n * sizeof *to);
        }
        square(n, power, next);
        struct matrix *was = power;
        power = next;
        next = was;
    }
}

gf_status gf_signal_iir_make(int32_t count, const struct gf_section *section,
                             struct gf_signal_iir_made **made, gf_error *error)
{
    int32_t sections = 1;
    while (sections < count) {
        sections *= 2;
    }
    const size_t n = 2 * (size_t)sections;
    const size_t bytes = sizeof **made + (GF_IIR_BLOCK * n + 2 * GF_IIR_LEVELS * n * n) * sizeof(double);
    struct gf_signal_iir_made *m = calloc(1, bytes);
    struct matrix *two = calloc(2, sizeof *two);
    *made = m;
    if (!m || !two) {
        free(m);
        free(two);
        *made = NULL;
        return gf_fail(error, GF_ERROR_MEMORY, "no memory for a filter of %d sections: %zu bytes", count,
                       bytes);
    }
    m->sections = sections;
    m->states = 2 * sections;
    m->bytes = bytes;
    memcpy(m->section, section, (size_t)count * sizeof *section);
    for (int32_t k = count; k < GF_SIGNAL_SECTIONS; k++) {
        m->section[k].b0 = 1.0;
    }
    double *sums = (double *)(void *)(m + 1);
    make_sums(m, sums);
    make_powers(m, two, (struct gf_dd *)(void *)(sums + GF_IIR_BLOCK * n));
    free(two);
    return GF_OK;
}
