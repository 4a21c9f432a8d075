/* "warp" on the CPU, and its entry: rows of the output over threads. */
#include "pixel/map/warp/warp.h"

#include "base/cpu_level.h"
#include "base/float_mode.h"
#include "base/team.h"

static void work(void *argument, int i, int n)
{
    const struct gf_warp_job *job = argument;
    const struct gf_warp_rows *best = GF_LEVEL_BEST(&gf_warp_rows);
    const struct gf_rows rows = job->run->out[0].rows;
    gf_float_mode saved;
    gf_float_mode_set(&saved);
    for (int64_t y = rows.first + rows.count * i / n; y < rows.first + rows.count * (i + 1) / n; y++) {
        best->row(job, y);
    }
    gf_float_mode_restore(&saved);
}

static gf_status warp_cpu(const struct gf_apply_run *run, gf_error *error)
{
    struct gf_warp_job job = {.run = run};
    (void)error;
    gf_args_get(&run->apply->args, &job.args, sizeof job.args);
    job.table = job.args.filter == GF_WARP_LANCZOS ? run->in[1].data : NULL;
    gf_team_run(run->team, run->threads, work, &job);
    return GF_OK;
}

/* A pixel's place and its weights, and the samples that they weigh. */
static void warp_works(const struct gf_apply *apply, const struct gf_value *in, const struct gf_value *out,
                       double amounts[GF_WORKS])
{
    struct gf_warp_args args;
    gf_args_get(&apply->args, &args, sizeof args);
    const bool by_vectors = in->depth == GF_U8 && args.filter != GF_WARP_LANCZOS;
    const double pixels = (double)out->width * (double)out->height, taps = gf_warp_taps(args.filter);
    amounts[by_vectors ? GF_WORK_WARP_U8 : GF_WORK_WARP] += pixels;
    amounts[by_vectors ? GF_WORK_WARP_TAP_U8 : GF_WORK_WARP_TAP] += pixels * out->channels * taps * taps;
    amounts[GF_WORK_WARP_LANCZOS] += args.filter == GF_WARP_LANCZOS ? pixels : 0;
}

const struct gf_kernel gf_kernel_warp = {
    .name = "warp",
    .kind = GF_KERNEL_MAP,
    .words = "pixels interpolated where a matrix finds them",
    .apply = {.cpu = warp_cpu, .cuda = gf_warp_cuda, .works = warp_works},
    .judge = gf_judge_warp,
};
