/* --device auto: the CPU, unless the GPU is likely to finish clearly sooner. */
#pragma once

#include "plan/plan.h"

/* Chooses for a plan whose steps and bands are found; says why. Starts nothing. */
gf_device gf_choose_device(const gf_plan *plan, char *reason, size_t size);

/* false: it runs on the CPU only. */
bool gf_op_has_device(const struct gf_op *op);
