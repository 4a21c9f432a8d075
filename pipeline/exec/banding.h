/* An exec in bands: runs of an exec for one band after the other. */
#ifndef GF_EXEC_BANDING_H
#define GF_EXEC_BANDING_H

#include "exec/exec.h"

struct gf_banding {
    gf_plan *plan; /* of `sweep`, for bands of plan->input.height rows */
    gf_exec *exec; /* of it */
    uint8_t *made; /* a band's output with its wrong rows, on the host; NULL: the plan makes no picture */
    int32_t sweep;
    int64_t index; /* of the band under way */
};

/* Where bands come from and where they go; the functions get the flow. */
struct gf_flow {
    /* Before a sweep that is not the first: bands come from the top again. NULL: they do. */
    gf_status (*again)(struct gf_flow *flow, gf_error *error);
    /* The rows of the input that a band reads: data and pitch, until `release`. */
    gf_status (*take)(struct gf_flow *flow, const struct gf_band *at, struct gf_place *rows, gf_error *error);
    void (*release)(struct gf_flow *flow);
    /* The rows that a band made: its core. NULL: only results are wanted. */
    gf_status (*give)(struct gf_flow *flow, const struct gf_band *at, struct gf_place rows, gf_error *error);
};

/* Makes exec->banding, for the first band. */
gf_status gf_banding_create(gf_exec *exec, gf_error *error);
void gf_banding_destroy(gf_exec *exec);

/* Runs all bands and makes the results. */
gf_status gf_banding_run(gf_exec *exec, struct gf_flow *flow, gf_error *error);

/* The same from picture to picture on the host; `out` may be NULL. */
gf_status gf_banding_run_images(gf_exec *exec, const gf_image *in, const gf_image *out, gf_error *error);

#endif
