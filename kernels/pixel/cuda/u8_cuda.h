/* Which passes the fast kernels of u8 pictures take. Private to the CUDA backend. */
#pragma once

#include "pixel/cuda/pass_cuda.h"

enum {
    GF_STRIP_SIDE = 1 << 28 /* pixels: marches count bytes of a row in 32 bits */
};

struct gf_u8_plan {
    bool takes;       /* the fast kernels run this pass */
    bool gray;        /* pre begins with GRAY_INT */
    bool tables[2];   /* pre (without gray), post: not the identity */
    int32_t behind;   /* instructions of post that are the window's own end, in front of its table */
    int32_t tap;      /* a HIST tap that is counted on the way, or GF_NONE */
    int32_t channels; /* after gray */
};

/* The step that the program's instructions from `first` on are; is: false where they are none that is known
 * on the host. */
struct gf_u8_step gf_u8_step_make(const struct gf_run *run, const struct gf_program *program, int32_t first);

/* The plan of a pass with a separable window, or without one. It depends on the pass alone. */
struct gf_u8_plan gf_u8_plan_make(const struct gf_pass *pass);

/* Returns how many instructions behind a gradient make bytes of it, a magnitude that is rounded; or 0.
 */
int32_t gf_gradient_makes_bytes(const struct gf_pass *pass);

bool gf_u8_takes(const struct gf_pass *pass);

gf_path_launch gf_point_u8_launch;
