#include "design/mel_bands.h"

#include "design/design_math.h"

#define KNEE 1000.0               /* Hz, which are 15 mel */
#define STEP 0.068751777420949123 /* log(6.4) / 27 */

static double to_mel(enum gf_mel_scale scale, double hz)
{
    return scale == GF_MEL_HTK ? 2595.0 / GF_LN10 * gf_log1p_double(hz / 700.0)
           : hz < KNEE         ? 3.0 * hz / 200.0
                               : 15.0 + gf_log_double(hz / KNEE) / STEP;
}

static double to_hz(enum gf_mel_scale scale, double mel)
{
    return scale == GF_MEL_HTK ? 700.0 * gf_expm1_double(mel * GF_LN10 / 2595.0)
           : mel < 15.0        ? 200.0 * mel / 3.0
                               : KNEE * gf_exp_double((mel - 15.0) * STEP);
}

void gf_mel_edges(enum gf_mel_scale scale, double low, double high, int32_t bands, double *edge)
{
    const double from = to_mel(scale, low), to = to_mel(scale, high);
    for (int32_t i = 0; i < bands + 2; i++) {
        edge[i] = i == 0      ? low
                  : i > bands ? high
                              : to_hz(scale, from + (to - from) * (double)i / (double)(bands + 1));
    }
}
