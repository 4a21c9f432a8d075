/* "shift" on the CPU, and its entry: a shift is a warp whose matrix is known once it is found. */
#include "pixel/map/warp/shift.h"

#include "base/planted_fault.h"
#include "base/status.h"

static gf_status shift_cpu(const struct gf_apply_run *run, gf_error *error)
{
    const struct gf_stats_block *stats = run->in[1].data;
    struct gf_warp_args args;
    double *found = run->out[0].data;
    gf_shift_find(&run->in[0], &run->in_values[0], stats->at_greatest, found);
    if (!run->out[1].data) {
        return GF_OK;
    }
    gf_args_get(&run->apply->args, &args, sizeof args);
    const double to = GF_FAULT(shift_back) ? -1.0 : 1.0;
    const double m[9] = {1.0, 0.0, -to * found[0], 0.0, 1.0, -to * found[1], 0.0, 0.0, 1.0};
    memcpy(args.m, m, sizeof m);
    const struct gf_apply warp = {.kernel = &gf_kernel_warp, .args = gf_args_of(&args, sizeof args)};
    struct gf_apply_run moved = *run;
    moved.apply = &warp;
    moved.in_values[0] = run->in_values[2];
    moved.in[0] = run->in[2];
    moved.out_values[0] = run->out_values[1];
    moved.out[0] = run->out[1];
    return gf_kernel_warp.apply.cpu(&moved, error);
}

const struct gf_kernel gf_kernel_shift = {
    .name = "shift",
    .kind = GF_KERNEL_WHOLE,
    .words = "the shift for which most speaks, and the picture moved so",
    .apply = {.cpu = shift_cpu, .cuda = gf_shift_cuda, .light = true},
    .judge = gf_judge_shift,
};
