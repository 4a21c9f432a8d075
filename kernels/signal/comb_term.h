/* A frame of a comb, the same on every backend. */
#ifndef GF_SIGNAL_COMB_TERM_H
#define GF_SIGNAL_COMB_TERM_H

#include "base/gf_num.h"
#include "signal/signal_args.h"

/* A factor of 0 leaves its product out, so that an infinity which is only moved stays alone. */
GF_HD float gf_comb_term(const struct gf_signal_comb *a, float own, float earlier, float back)
{
    float y = a->back != 0 ? a->back * back : 0.0F;
    if (a->earlier != 0) {
        y = gf_fma(a->earlier, earlier, y);
    }
    if (a->own != 0) {
        y = gf_fma(a->own, own, y);
    }
    return gf_canonical(y);
}

#endif
