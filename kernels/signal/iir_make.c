#include "signal/iir_make.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

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

/* to = a a, n x n; lower triangles of 2 x 2, as no section's states depend on a later one's. */
static void square(int n, const struct gf_dd *a, struct gf_dd *to)
{
    memset(to, 0, (size_t)n * (size_t)n * sizeof *to);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= (i | 1); j++) {
            struct gf_dd sum = {0.0, 0.0};
            for (int m = j & ~1; m <= (i | 1); m++) {
                gf_dd_add_product(&sum, a[i * n + m], a[m * n + j]);
            }
            to[i * n + j] = gf_dd_done(sum);
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

/* A, A^2, ... A^64 have the places of the two last powers, which are made last. */
static void make_powers(const struct gf_signal_iir_made *made, struct gf_dd *to)
{
    const int n = made->states, size = n * n;
    struct gf_dd *last[2] = {to + (GF_IIR_LEVELS - 2) * size, to + (GF_IIR_LEVELS - 1) * size};
    for (int j = 0; j < n; j++) { /* column j of A is what a step makes of the unit state j */
        struct gf_dd state[GF_IIR_STATES];
        memset(state, 0, sizeof state);
        state[j].hi = 1.0;
        step(made, state, (struct gf_dd){0.0, 0.0});
        for (int i = 0; i < n; i++) {
            last[0][i * n + j] = state[i];
        }
    }
    for (int i = 0; i < GF_IIR_BITS - 1; i++) {
        square(n, last[i % 2], last[(i + 1) % 2]);
    }
    square(n, last[(GF_IIR_BITS - 1) % 2], to);
    for (int k = 1; k < GF_IIR_LEVELS; k++) {
        square(n, to + (k - 1) * size, to + k * size);
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
    *made = m;
    if (!m) {
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
    make_powers(m, (struct gf_dd *)(void *)(sums + GF_IIR_BLOCK * n));
    return GF_OK;
}
