/* Recursive filters from what is asked of them, as SciPy 1.10 and later design them: butter, cheby1, cheby2,
 * ellip and bessel (norm='phase') with output='sos'. Frequencies are in cycles a sample, above 0 and below
 * 1/2. Nothing here allocates, keeps state or depends on the C library's mathematics: the same bits on every
 * machine. */
#pragma once

#include "gpufilter/types.h"
#include "signal/section.h"

enum gf_filter_family { GF_BUTTERWORTH, GF_CHEBYSHEV1, GF_CHEBYSHEV2, GF_ELLIPTIC, GF_BESSEL };
enum gf_filter_kind { GF_LOWPASS, GF_HIGHPASS, GF_BANDPASS, GF_BANDSTOP };

/* Orders up to this one are tested; a bandpass or bandstop of order n has 2 n poles. */
enum { GF_IIR_ORDER_MAX = 32 };

struct gf_iir {
    enum gf_filter_family family;
    enum gf_filter_kind kind;
    int32_t order;
    double edge[2];     /* lowpass and highpass have one, bandpass and bandstop two, in order. Gain there:
                           Butterworth     -3.01 dB, Chebyshev 1 and elliptic -ripple, Chebyshev 2 -attenuation;
                           of     Bessel the phase is     at half of its range */
    double ripple;      /* dB in the passband, of Chebyshev 1 and elliptic */
    double attenuation; /* dB in the stopband, of Chebyshev 2 and elliptic */
};

/* How many sections a design has: (order + 1) / 2, and order for bandpass and bandstop. */
int32_t gf_iir_sections(const struct gf_iir *design);

/* Writes the sections in SciPy's order, that whose poles are nearest to the circle last, the gain in the
 * first; *count is gf_iir_sections. (Where two poles are equally near, as in a bandpass around 1/4, it is
 * SciPy's rounding that decides, and the order may be another.) GF_ERROR_ARGUMENT names what is outside its
 * interval, and too little room. GF_ERROR_UNSUPPORTED: edges so near to 0, to 1/2 or to each other that
 * sections rounded to f64 would not be the filter any more: a pole on the circle, or a gain off by 0.05 dB in
 * the passband. */
gf_status gf_design_iir(const struct gf_iir *design, struct gf_section *sections, int32_t room,
                        int32_t *count, gf_error *error);
