/* Filters of a section or a few: notches, equalisers, weightings. Frequencies are in cycles a sample, Q is
 * the frequency over the width, gains are in dB. Errors name the parameter, its value and what is valid. */
#pragma once

#include "gpufilter/types.h"
#include "signal/section.h"

/* Peak and shelves are those of R. Bristow-Johnson's "Audio EQ Cookbook"; the notch is scipy.signal.iirnotch.
 */
enum gf_equaliser { GF_NOTCH, GF_PEAK, GF_LOW_SHELF, GF_HIGH_SHELF };

/* gain_db, of all but the notch, is from -200 to 200. */
gf_status gf_design_equaliser(enum gf_equaliser kind, double frequency, double q, double gain_db,
                              struct gf_section *section, gf_error *error);

/* The Q of a shelf with the slope that the cookbook calls S: at 1 it is as steep as it gets without
 * overshooting. */
gf_status gf_shelf_q(double slope, double gain_db, double *q, gf_error *error);

/* Notches at a frequency and its multiples below 1/2, all as wide as the first, `most` at most, as many as
 * there is room for: section i is at (i + 1) times the frequency, its Q (i + 1) times q. */
gf_status gf_design_harmonics(double frequency, double q, int32_t most, struct gf_section *sections,
                              int32_t room, int32_t *count, gf_error *error);

/* y = x - x[-1] + r y[-1], with the r by which the gain at the frequency, at most 0.1, is -3.01 dB. */
gf_status gf_design_dc_block(double frequency, struct gf_section *section, gf_error *error);

/* 1 / (1 + s tau) by the bilinear transform, tau in samples (50 or 75 us times the rate). At 48 kHz and 50 us
 * it is 0.2 dB too low at 5 kHz, 1.3 at 10 kHz, 3.6 at 15 kHz; at 192 kHz 0.2 dB at 15 kHz. */
gf_status gf_design_deemphasis(double tau, struct gf_section *section, gf_error *error);

/* A and C: the poles of IEC 61672-1 by the bilinear transform, 0 dB at 1 kHz. Towards half the rate they fall
 * below the standard's curve: at 48 kHz by 0.04 dB at 4 kHz, 0.5 at 8, 2.7 at 12.5 and 6.4 at 16 kHz; at 192
 * kHz by 0.3 at 16 kHz. K: ITU-R BS.1770's two stages, which at 48 kHz have the standard's coefficients. The
 * rate is in Hz, from 4000. */
enum gf_weighting { GF_WEIGHTING_A, GF_WEIGHTING_C, GF_WEIGHTING_K };
enum { GF_WEIGHTING_SECTIONS = 3 }; /* at most */

gf_status gf_design_weighting(enum gf_weighting kind, double rate,
                              struct gf_section sections[GF_WEIGHTING_SECTIONS], int32_t *count,
                              gf_error *error);
