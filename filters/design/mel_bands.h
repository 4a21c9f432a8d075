/* Bands as ears part frequencies: equal steps of the mel scale. */
#pragma once

#include <stdint.h>

/* The formulas of Slaney's Auditory Toolbox (librosa's default), linear up to 1 kHz, and of HTK
 * (torchaudio's). */
enum gf_mel_scale { GF_MEL_SLANEY, GF_MEL_HTK };

/* Writes bands + 2 ascending frequencies in Hz, from low to high: band b begins at edge[b], is strongest at
 * edge[b + 1] and ends at edge[b + 2]. 0 <= low < high. */
void gf_mel_edges(enum gf_mel_scale scale, double low, double high, int32_t bands, double *edge);
