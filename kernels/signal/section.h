/* A second-order section: y[n] = b0 x[n] + b1 x[n-1] + b2 x[n-2] - a1 y[n-1] - a2 y[n-2]. */
#ifndef GF_SIGNAL_SECTION_H
#define GF_SIGNAL_SECTION_H

struct gf_section {
    double b0, b1, b2, a1, a2;
};

#endif
