/* A plan: a pipeline bound to a shape and a device. What planning finds is here as data; those who find it
 * come in this order, and none needs one behind it:
 *
 *   fuse, collapse   sweeps   buffers   band   band_view   bands, band_height   cost   choose   plan explain
 */
#pragma once

#include "context/context.h"
#include "lower/lowering.h"
#include "plan/buffers.h"
#include "plan/fuse.h"

/* How the plan works through its picture: in bands of rows (bands.h), or at once. */
struct gf_bands {
    char reason[128]; /* why the plan cannot be cut; "": it can */
    int64_t align;    /* bands begin at multiples of it, where windows are anchored at rows of the picture */
    int64_t above, below; /* rows of input that a band reads beyond its own, at most */
    bool steady;          /* all bands but the first and the last are alike */
    int64_t lead, stride; /* rows of input: band i > 0 begins at lead + i * stride */
    int64_t count;        /* 1: not cut */
    int64_t every;        /* that is looked at, where not all are yet, as that takes long; else 1 */
    int64_t height, made; /* rows of input that a band reads, and of output that it stores, at most */
    uint64_t arena;       /* bytes of buffers of the sweep that needs most */
    int32_t runners;      /* that work on bands at the same time, each with an arena: on a GPU two */
    int32_t sweeps;       /* over the bands, >= 1 (sweeps.h) */
    char waits[96];       /* why more than one */
    bool holds_input;     /* between them; else it is read again */
    int32_t keeps;        /* the step whose rows stay for the bands after it (band.h); GF_NONE: none */
};

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
    bool sleeps;      /* threads that wait for a GPU leave the processor to others; for a batch's plans */
    struct gf_lowered lowered;
    struct gf_steps steps;
    struct gf_buffers buffers; /* for the whole picture at once */
    struct gf_bands bands;
    int32_t pieces;  /* that an exec takes, too, where pictures are in pageable memory: staged.h */
    uint64_t memory; /* that an exec takes; in bands much less than buffers.total */
};

/* A plan for the first n_stages stages of the plan's pipeline, with other options. */
gf_status gf_plan_create_like(const gf_plan *plan, int32_t n_stages, const gf_plan_options *options,
                              gf_plan **made, gf_error *error);

/* Held until gf_plan_destroy. */
const gf_plan *gf_plan_hold(const gf_plan *plan);
void gf_plan_release(const gf_plan *plan);

/* Views all of it at once. */
static inline struct gf_view gf_plan_view(const gf_plan *plan)
{
    return (struct gf_view){.list = &plan->lowered.list, .steps = &plan->steps, .threads = plan->threads};
}
