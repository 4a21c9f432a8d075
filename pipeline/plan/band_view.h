/* One sweep over the bands of a plan: the steps that it runs, copied, with room for every band, placed at one
 * after the other. */
#pragma once

#include "plan/band.h"

/* So many bytes of a band's input are worth a thread, as more threads wait for each other. */
#define GF_BAND_THREAD_BYTES ((int64_t)1 << 20)

struct gf_band_view {
    struct gf_view view; /* at the band where it was placed last */
    struct gf_buffers buffers;
    const gf_plan *plan;
    const struct gf_bands *bands;
    int32_t sweep;
    struct gf_band band;
    int64_t read, stored; /* rows of input and of output that a band has in memory, at most */
    int64_t above, below; /* of input beyond its own, at most */
    struct gf_steps steps;
    struct gf_rows *runs;
    int32_t *of_plan;
    bool *around;     /* by step: bands read rows that are not their own, so that taps must be told */
    bool uses_output; /* also where nobody wants it: it is measured, or read by a step */
    bool falls;       /* a map reaches for rows above those that it has reached for in the band before */
};

/* The sweep over those bands, placed at the first. On failure nothing is left. */
gf_status gf_band_view_create(const gf_plan *plan, const struct gf_bands *bands, int32_t sweep,
                              struct gf_band_view *view, gf_error *error);
void gf_band_view_free(struct gf_band_view *view);

/* Moves it to a band: pictures begin at other rows, regions of stages go with the picture, and taps measure
 * the band's own rows only. */
void gf_band_view_place(struct gf_band_view *view, int64_t index);

/* Gives every tap of the pass a region of its own, but one to all that measure everywhere: in slots that
 * programs do not use. false: there are not so many. */
bool gf_band_tap_slots(const struct gf_pass *pass, int8_t slots[GF_MAX_PASS_TAPS]);
