/* A filter of second order, as the recursive filters are chains of them. */
#pragma once

/* y[n] = b0 x[n] + b1 x[n-1] + b2 x[n-2] - a1 y[n-1] - a2 y[n-2]. SciPy's row of sos is b0 b1 b2 1 a1 a2. */
struct gf_section {
    double b0, b1, b2, a1, a2;
};
