/* An exec in bands: sweeps over the bands of its plan, one after the other. */
#ifndef GF_EXEC_BANDING_H
#define GF_EXEC_BANDING_H

#include "exec/exec.h"
#include "plan/band_view.h"

struct gf_banding {
    struct gf_band_view view; /* of the sweep under way; no steps: of none */
    bool has_view;
    void **states;   /* by step of the plan: of those that gather (gf_by_bands) */
    void **measured; /* by value's number: what taps measured of a band, on the host */
    uint8_t *made;   /* a band's output with its wrong rows, on the host; NULL: the plan makes no picture */
    int64_t index;   /* of the band under way */
};

/* Where bands come from and where they go; the functions get the flow. */
struct gf_flow {
    /* Before a sweep that is not the first: rows come from the top again. NULL: they do. */
    gf_status (*again)(struct gf_flow *flow, int32_t sweep, gf_error *error);
    /* The rows of the input that a band reads, from the first on: data and pitch, until `release`. */
    gf_status (*take)(struct gf_flow *flow, struct gf_rows rows, struct gf_place *place, gf_error *error);
    void (*release)(struct gf_flow *flow);
    /* After the last band of a sweep. NULL: nothing is left to do. */
    gf_status (*end)(struct gf_flow *flow, gf_error *error);
    /* Rows of the output, one or more. NULL: only results are wanted. */
    gf_status (*give)(struct gf_flow *flow, struct gf_rows rows, struct gf_place place, gf_error *error);
};

/* Makes exec->banding; its runner is made. */
gf_status gf_banding_create(gf_exec *exec, gf_error *error);
void gf_banding_destroy(gf_exec *exec);

/* Runs all bands and makes the results. */
gf_status gf_banding_run(gf_exec *exec, struct gf_flow *flow, gf_error *error);

/* The same from picture to picture on the host; `out` may be NULL. */
gf_status gf_banding_run_images(gf_exec *exec, const gf_image *in, const gf_image *out, gf_error *error);

#endif
