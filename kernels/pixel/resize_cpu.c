/* "resize" on the CPU, and its entry: rows of the output over threads. */
#include "pixel/resize.h"

#include "base/cpu_level.h"
#include "base/float_mode.h"
#include "base/team.h"

struct job {
    const struct gf_apply_run *run;
    struct gf_resize_args args;
    struct gf_resize_axis axis;
    const struct gf_resize_rows *rows;
};

static const void *row_in(const struct job *job, int64_t y)
{
    const struct gf_plane *in = &job->run->in[0];
    return (const char *)in->data + (y - in->rows.first) * in->pitch;
}

static void *row_out(const struct job *job, int64_t y)
{
    const struct gf_plane *out = &job->run->out[0];
    return (char *)out->data + (y - out->rows.first) * out->pitch;
}

/* Rows [y, end), a few at a time; the last of them more than once where they are too few. */
static void across(const struct job *job, int64_t y, int64_t end)
{
    const struct gf_value *in = &job->run->in_values[0], *out = &job->run->out_values[0];
    for (; y < end; y += GF_RESIZE_ROWS) {
        const void *from[GF_RESIZE_ROWS];
        void *to[GF_RESIZE_ROWS];
        for (int r = 0; r < GF_RESIZE_ROWS; r++) {
            const int64_t row = y + r < end ? y + r : end - 1;
            from[r] = row_in(job, row);
            to[r] = row_out(job, row);
        }
        job->rows->across(&job->axis, from, in->depth, to, out->depth, out->width, in->channels);
    }
}

static void work(void *argument, int i, int n)
{
    const struct job *job = argument;
    const struct gf_value *in = &job->run->in_values[0], *out = &job->run->out_values[0];
    const struct gf_rows rows = job->run->out[0].rows;
    const int64_t first = rows.first + rows.count * i / n, end = rows.first + rows.count * (i + 1) / n;
    gf_float_mode saved;
    gf_float_mode_set(&saved);
    if (!job->args.down) {
        across(job, first, end);
    }
    for (int64_t y = first; job->args.down && y < end; y++) {
        job->rows->down(&job->axis, y, row_in(job, job->axis.first[y]), job->run->in[0].pitch, in->depth,
                        row_out(job, y), out->depth, out->width * out->channels);
    }
    gf_float_mode_restore(&saved);
}

static gf_status resize_cpu(const struct gf_apply_run *run, gf_error *error)
{
    struct job job = {.run = run, .rows = GF_LEVEL_BEST(&gf_resize_rows)};
    (void)error;
    gf_args_get(&run->apply->args, &job.args, sizeof job.args);
    const int32_t *samples = run->in[1].data;
    job.axis =
        (struct gf_resize_axis){samples, samples + run->in_values[1].width, run->in[2].data, job.args.taps};
    gf_team_run(run->team, run->threads, work, &job);
    return GF_OK;
}

static bool resize_reach(const struct gf_apply *apply, const struct gf_value *in, const struct gf_value *out,
                         struct gf_rows want, struct gf_rows *need)
{
    struct gf_resize_args args;
    int64_t first, count;
    gf_args_get(&apply->args, &args, sizeof args);
    *need = want;
    if (args.down) {
        gf_resize_samples(args.support, in->height, out->height, want.first + want.count - 1, &first, &count);
        need->count = first + count;
        gf_resize_samples(args.support, in->height, out->height, want.first, &need->first, &count);
        need->count -= need->first;
    }
    return true;
}

const struct gf_kernel gf_kernel_resize = {
    .name = "resize",
    .kind = GF_KERNEL_MAP,
    .apply_cpu = resize_cpu,
    .apply_cuda = GF_CUDA_FN(gf_resize_cuda),
    .reach = resize_reach,
    .judge = gf_judge_resize,
    .words = "weighted sums along one axis",
};
