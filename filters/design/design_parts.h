/* What the designs share: filters as zeros, poles and a gain, on the way to sections, and refusals. */
#pragma once

#include "design/design_math.h"
#include "design/iir_design.h"

#include <stdbool.h>

/* A number with an imaginary part, always above 0, stands for itself and its conjugate. */
struct gf_roots {
    int count;
    struct gf_complex at[2 * GF_IIR_ORDER_MAX + 2];
};

struct gf_zero_pole {
    struct gf_roots zeros, poles;
    double gain;
};

static inline void gf_roots_add(struct gf_roots *roots, double re, double im)
{
    roots->at[roots->count++] = (struct gf_complex){re, im < 0.0 ? -im : im};
}

/* How many roots there are, conjugates included. */
static inline int gf_roots_degree(const struct gf_roots *roots)
{
    int degree = 0;
    for (int i = 0; i < roots->count; i++) {
        degree += roots->at[i].im != 0.0 ? 2 : 1;
    }
    return degree;
}

/* The product of x less each root. */
static inline double gf_roots_product(const struct gf_roots *roots, double x)
{
    double product = 1.0;
    for (int i = 0; i < roots->count; i++) {
        const struct gf_complex v = {x - roots->at[i].re, roots->at[i].im};
        product *= v.im != 0.0 ? gf_complex_square(v) : v.re;
    }
    return product;
}

/* The analog lowpass with its edge at 1 radian a second; the design has been checked. */
void gf_iir_prototype(const struct gf_iir *design, struct gf_zero_pole *prototype);

/* Pairs zeros and poles, of which there are equally many, as SciPy's zpk2sos(pairing='nearest'); *sections
 * has room. */
void gf_zero_pole_sections(const struct gf_zero_pole *filter, struct gf_section *sections);

/* GF_ERROR_ARGUMENT, with all that is said here, for a value outside an interval; `ends` is as in "(]". */
gf_status gf_check(const char *name, double value, double low, double high, const char *ends,
                   gf_error *error);

/* Where edges of this kind must be. */
gf_status gf_check_edges(enum gf_filter_kind kind, const double edge[2], gf_error *error);

static inline bool gf_has_two_edges(enum gf_filter_kind kind)
{
    return kind == GF_BANDPASS || kind == GF_BANDSTOP;
}
