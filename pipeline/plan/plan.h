/* A plan: a pipeline bound to a shape and a device. */
#ifndef GF_PLAN_PLAN_H
#define GF_PLAN_PLAN_H

#include "context/context.h"
#include "lowering.h"
#include "plan/bands.h"
#include "plan/buffers.h"
#include "plan/fuse.h"

struct gf_plan {
    struct gf_refs refs;   /* the caller's hold, and its execs' */
    gf_context *context;   /* held */
    gf_pipeline *pipeline; /* held: a copy that only plans made from one another share */
    int32_t n_stages;      /* of the pipeline's stages, the first so many (gf_verify binds prefixes) */
    gf_plan_options options;
    gf_shape input;
    struct gf_input
        inputs[GF_MAX_INPUTS]; /* of the whole pipeline, `input` first; names are the pipeline's */
    int32_t n_inputs;
    gf_device device;
    char reason[160]; /* why that device */
    int32_t threads;  /* CPU threads, >= 1 */
    struct gf_lowered lowered;
    struct gf_steps steps;
    struct gf_buffers buffers; /* for the whole picture at once */
    struct gf_bands bands;
    uint64_t memory; /* that an exec takes; in bands much less than buffers.total */
};

/* A plan for the first n_stages stages of the plan's pipeline, with other options. */
gf_status gf_plan_create_like(const gf_plan *plan, int32_t n_stages, const gf_plan_options *options,
                              gf_plan **made, gf_error *error);

/* Held until gf_plan_destroy. */
const gf_plan *gf_plan_hold(const gf_plan *plan);
void gf_plan_release(const gf_plan *plan);

/* What results take beside buffers, which plan->memory counts: blocks on the host, of bands those of a band,
 * too, and fields as far as stages tell. */
uint64_t gf_plan_result_bytes(const gf_plan *plan, bool whole);

/* false: it runs on the CPU only. */
bool gf_op_has_device(const struct gf_op *op);

/* Bytes of a picture's samples, without padding. */
uint64_t gf_picture_bytes(const struct gf_value *picture);

/* Sets plan->device and plan->reason for GF_DEVICE_AUTO. Starts nothing. */
void gf_choose_device(gf_plan *plan);

#endif
