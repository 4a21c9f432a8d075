/* What stages of pictures by frequency share: how a picture is extended, and what lowers them. */
#pragma once

#include "lower/lowering_private.h"

#include "pixel/whole/frequency/frequency.h"

/* The row of the member border: a gf_border but for GF_BORDER_CONSTANT. */
#define GF_FREQUENCY_BORDER_ROW(owner, help_text)                                                            \
    {                                                                                                        \
        GF_ROW(CHOICE, owner, border, "reflect"), .choices = "replicate|reflect101|reflect|wrap",            \
                                                  .help = help_text                                          \
    }

/* A place (u, v) in cycles a pixel, and a distance: from there a Gaussian falls off, or around (0, 0) the
 * filter ends. */
struct gf_frequency_place {
    double u, v, distance;
};

/* terms[i] is of place[i]. args: all but left, top and mask. */
struct gf_frequency_filter {
    struct gf_frequency_args args;
    struct gf_frequency_place place[GF_FREQUENCY_TERMS];
    int32_t border;
    enum gf_negative negative; /* what is shown of results below 0 */
};

/* v in f32 as complex numbers, two channels: of one channel with imaginary parts 0. Their transform or the
 * one back, frequency 0 in the middle (centre) or at (0, 0); what an instruction makes of re and im, one
 * channel.
 */
gf_value_id gf_lowering_complex(gf_lowering *l, gf_value_id v);
gf_value_id gf_lowering_fourier(gf_lowering *l, gf_value_id v, int32_t inverse, int32_t centre);
gf_value_id gf_lowering_polar(gf_lowering *l, gf_value_id v, enum gf_insn_code code);

/* A plan of transforms that the op list owns; NULL after a failure. */
gf_fft_plan *gf_lowering_fft_plan(gf_lowering *l, const gf_fft_shape *shape);

/* v extended by the border on all sides, so that what lies 1 / distance away is not the other end, and to
 * sides that are quick to transform. *inner: where v lies in it. */
gf_value_id gf_lowering_extended(gf_lowering *l, gf_value_id v, double distance, int32_t border,
                                 gf_rect *inner);

/* How much speaks for each shift that lays v upon `other`, of the same size: one channel, pixel (x, y), round
 * its edges, for x to the right and y down. */
gf_value_id gf_lowering_shift_votes(gf_lowering *l, gf_value_id v, gf_value_id other, bool tapers);

/* The picture of v weighted so, rounded to its depth, with the stage's channels, roi and alpha. */
gf_value_id gf_lowering_frequency(gf_lowering *l, gf_value_id v, const struct gf_frequency_filter *filter);
