/* How long a plan would take, by a small model of measured rates (cost_model.def): good to about a factor of
 * two on the machines of docs/measured, used to choose a device and shown by --explain. Pure; starts nothing.
 */
#pragma once

#include "plan/plan.h"

/* Milliseconds. `hidden` goes by while the caller is busy anyway: part of the device's start, which is paid
 * once, or of the CPU's work in a stream. Copies and work are those of all gf_plan_options.runs. The codec is
 * not here: it is the same on both sides. */
struct gf_cost {
    double start, hidden, copies, work;
};

struct gf_cost gf_cost_cpu(const gf_plan *plan);
/* On CUDA device 0, with pictures in the host's memory. The emulated device has no start and no launches to
 * pay for: so tests reach what follows with small pictures. Needs no CUDA in the build. */
struct gf_cost gf_cost_gpu(const gf_plan *plan, bool emulated);

double gf_cost_total(struct gf_cost cost);

/* Milliseconds that a run of the plan takes on its device: on a GPU with its start, where that is still to
 * come, and copies. Not known for the judge and for functions of the embedder; the least for some stages,
 * such as label, where only the bytes that they move are counted. */
enum gf_cost_truth { GF_COST_UNKNOWN, GF_COST_LEAST, GF_COST_ABOUT };
enum gf_cost_truth gf_cost_expected(const gf_plan *plan, double *ms);

/* Tells whether the GPU is clearly better, and the difference worthwhile. */
bool gf_cost_prefers_gpu(const gf_plan *plan, struct gf_cost cpu, struct gf_cost gpu);
