/* An exec in bands: sweeps over the bands of its plan. Runners take bands in turns: while one copies its rows
 * to the device, the one before it works or copies back. */
#pragma once

#include "exec/exec.h"
#include "plan/band_view.h"

enum { GF_MOST_RUNNERS = 2 };

/* What a runner works on. */
struct gf_banding_lane {
    bool busy;       /* with that band */
    int64_t index;   /* of the band */
    void **measured; /* by value's number: what taps measured of it, on the host */
    uint8_t *made;   /* its output with its wrong rows, on the host; NULL: the plan makes no picture */
    gf_image inputs[GF_MAX_INPUTS];
    struct gf_place rows; /* of the first of them */
    struct gf_errand errand;
};

struct gf_banding {
    struct gf_band_view view; /* of the sweep under way; no steps: none is */
    bool has_view;
    void **states; /* by step of the plan, for those that gather (gf_by_bands) */
    struct gf_banding_lane lanes[GF_MOST_RUNNERS];
    int64_t index; /* of the band that was begun last */
};

/* Where bands come from and where they go; the functions get the flow. */
struct gf_flow {
    bool stays; /* rows of the input stay where they are, released or not */
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

/* banding_images.c: the same from picture to picture on the host; `out` may be NULL. */
gf_status gf_banding_run_images(gf_exec *exec, const gf_image *in, const gf_image *out, gf_error *error);
