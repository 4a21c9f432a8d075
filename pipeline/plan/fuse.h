/* Fusion: ops become steps. One read and one write of memory for every run of ops between two
 * windows, or between two dependencies on the whole picture. */
#pragma once

#include "pixel/ir/op.h"

enum gf_step_form { GF_STEP_PASS, GF_STEP_APPLY, GF_STEP_CALL };

struct gf_step {
    enum gf_step_form kind; /* what the union has; gf_step_kind (plan_info.h) tells applies apart */
    int32_t first_stage, last_stage;
    int32_t sweep; /* over the bands of the picture that can run it first (sweeps.h) */
    union {
        struct gf_pass *pass; /* owned */
        struct gf_apply apply;
        struct gf_call call;
    } u;
};

struct gf_steps {
    struct gf_step *step;
    int32_t n;
};

/* Groups the ops of the list into steps that run in order. With no_fuse, ops of different
 * stages never share a pass. Rules:
 *   - an op joins the open pass if it reads the pass's last value, and nothing else does;
 *   - a pass has at most one window; taps end it: nothing but more taps joins after one;
 *   - an op that reads a block made in the open pass, an apply, and a call close it;
 *   - an op that reads the centre joins the pass of the window; one that reads a second picture joins a pass
 *     that has no other, and that does not make the picture;
 *   - a move (gf_kernel.map.moves) opens a pass that loads through it, or joins one behind its points, as
 *     moving.h says; one that nothing joins stays a step of its own. It and a window are never in one pass;
 *   - programs collapse to tables where that is exact and cheaper (collapse.h), which appends
 *     constant blocks to the list. */
struct gf_fuse_options {
    bool no_fuse;
    bool cpu, gpu; /* where the steps may run */
};
gf_status gf_fuse(struct gf_op_list *list, const struct gf_fuse_options *options, struct gf_steps *steps,
                  gf_error *error);

/* Blocks to blocks: a step that reads and makes no picture. */
bool gf_step_solves(const struct gf_step *step);

/* A picture from the rows of another (GF_KERNEL_MAP). */
bool gf_step_maps(const struct gf_step *step);

/* The map by which a step reads another number of rows than it makes: if it is a map, or a pass that loads
 * through a move; else NULL. */
const struct gf_apply *gf_step_map(const struct gf_step *step);

/* Tells whether the step is made from the whole picture, but can be by bands (gf_by_bands). */
bool gf_step_gathers(const struct gf_step *step);

/* A step that gf_steps_free can free, too. */
gf_status gf_step_copy(const struct gf_step *from, struct gf_step *copy, gf_error *error);

void gf_steps_free(struct gf_steps *steps);
