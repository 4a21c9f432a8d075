/* "resize" on the CPU, and its entry: rows of the output over threads. */
#include "pixel/map/resize/resize.h"

#include "base/cpu_level.h"
#include "base/float_mode.h"
#include "base/planted_fault.h"
#include "base/team.h"

struct job {
    const struct gf_apply_run *run;
    struct gf_resize_args args;
    struct gf_resize_axis axis;
    const struct gf_resize_rows *rows;
    const struct gf_resize_u8_rows *rows_u8;
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

/* Lists at most `step` rows from y on, in and out; the last of them again where they are too few. */
static void list_rows(const struct job *job, int64_t y, int64_t end, int step, const void **from, void **to)
{
    for (int r = 0; r < step; r++) {
        const int64_t row = y + r < end ? y + r : end - 1;
        from[r] = row_in(job, row);
        to[r] = row_out(job, row);
    }
}

/* Bytes of the rows of one time, in f32 or, more of them, in u8. */
static size_t weighed_size(const struct gf_value *in)
{
    _Static_assert(GF_RESIZE_ROWS * sizeof(float) == GF_RESIZE_U8_ROWS, "either needs as many");
    return GF_RESIZE_U8_ROWS * (size_t)in->width * (size_t)in->channels;
}

/* `n` rows times alpha, in the scratch memory of this part of the work. */
static void weigh_rows(const struct job *job, const void **rows, int n, int part)
{
    const struct gf_value *in = &job->run->in_values[0];
    const size_t sample = in->depth == GF_U8 ? 1 : sizeof(float);
    char *to = (char *)job->run->scratch + (size_t)part * weighed_size(in);
    if (!job->args.weighed || (in->depth == GF_U8 && GF_FAULT(resize_unweighed))) {
        return;
    }
    for (int r = 0; r < n; r++, to += (size_t)in->width * (size_t)in->channels * sample) {
        job->rows->weigh(rows[r], in->depth, in->channels, to, in->width);
        rows[r] = to;
    }
}

static size_t resize_scratch(const struct gf_apply_run *run)
{
    struct gf_resize_args args;
    gf_args_get(&run->apply->args, &args, sizeof args);
    return args.weighed && run->queue.device < 0 ? (size_t)run->threads * weighed_size(&run->in_values[0])
                                                 : 0;
}

/* Rows [y, end), a few at a time, as part `part` of the work. */
static void across(const struct job *job, int64_t y, int64_t end, int part)
{
    const struct gf_value *in = &job->run->in_values[0], *out = &job->run->out_values[0];
    const void *from[GF_RESIZE_U8_ROWS];
    void *to[GF_RESIZE_U8_ROWS];
    const bool bytes = in->depth == GF_U8, by_quads = bytes && job->rows_u8->across;
    for (; by_quads && y < end; y += GF_RESIZE_U8_ROWS) {
        list_rows(job, y, end, GF_RESIZE_U8_ROWS, from, to);
        weigh_rows(job, from, GF_RESIZE_U8_ROWS, part);
        if (!job->rows_u8->across(&job->axis, from, to, in->width, out->width, in->channels)) {
            break;
        }
    }
    for (; y < end; y += GF_RESIZE_ROWS) {
        list_rows(job, y, end, GF_RESIZE_ROWS, from, to);
        weigh_rows(job, from, GF_RESIZE_ROWS, part);
        job->rows->across(&job->axis, from, job->args.weighed && !bytes ? GF_F32 : in->depth, to, out->depth,
                          out->width, in->channels);
    }
}

static void down(const struct job *job, int64_t y)
{
    const struct gf_value *in = &job->run->in_values[0], *out = &job->run->out_values[0];
    const void *from = row_in(job, job->axis.first[y]);
    const int64_t n = out->width * out->channels, pitch = job->run->in[0].pitch;
    if (in->depth == GF_U8 && job->rows_u8->down &&
        job->rows_u8->down(&job->axis, y, from, pitch, row_out(job, y), n)) {
        return;
    }
    job->rows->down(&job->axis, y, from, pitch, in->depth, row_out(job, y), out->depth, n);
}

static void work(void *argument, int i, int n)
{
    const struct job *job = argument;
    const struct gf_rows rows = job->run->out[0].rows;
    const int64_t first = rows.first + rows.count * i / n, end = rows.first + rows.count * (i + 1) / n;
    gf_float_mode saved;
    gf_float_mode_set(&saved);
    if (!job->args.down) {
        across(job, first, end, i);
    }
    for (int64_t y = first; job->args.down && y < end; y++) {
        down(job, y);
    }
    gf_float_mode_restore(&saved);
}

static const struct gf_resize_u8_rows *best_u8(void)
{
#if defined(__x86_64__) && !defined(GF_ROWS_BASELINE_ONLY)
    if (gf_cpu_level() == GF_CPU_AVX512 && __builtin_cpu_supports("avx512vnni")) {
        return &gf_resize_u8_rows_vnni;
    }
#endif
    return GF_LEVEL_BEST(&gf_resize_u8_rows);
}

static gf_status resize_cpu(const struct gf_apply_run *run, gf_error *error)
{
    struct job job = {.run = run, .rows = GF_LEVEL_BEST(&gf_resize_rows), .rows_u8 = best_u8()};
    (void)error;
    gf_args_get(&run->apply->args, &job.args, sizeof job.args);
    const int32_t *samples = run->in[1].data;
    job.axis = (struct gf_resize_axis){.first = samples,
                                       .count = samples + run->in_values[1].width,
                                       .weights = run->in[2].data,
                                       .digits = run->in_values[0].depth == GF_U8 ? run->in[3].data : NULL,
                                       .taps = job.args.taps,
                                       .quads = gf_resize_quads(job.args.taps, job.args.down)};
    gf_team_run(run->team, run->threads, work, &job);
    return GF_OK;
}

static bool resize_reach(const struct gf_apply *apply, const struct gf_value *in, const struct gf_value *out,
                         struct gf_rows want, struct gf_rows *need)
{
    struct gf_resize_args args;
    int64_t first, count;
    (void)in;
    gf_args_get(&apply->args, &args, sizeof args);
    *need = want;
    if (args.down) {
        gf_resize_samples(&args, out->height, want.first + want.count - 1, &first, &count);
        need->count = first + count;
        gf_resize_samples(&args, out->height, want.first, &need->first, &count);
        need->count -= need->first;
    }
    return true;
}

/* Products, as those of a separable window. */
static void resize_works(const struct gf_apply *apply, const struct gf_value *in, const struct gf_value *out,
                         double amounts[GF_WORKS])
{
    struct gf_resize_args args;
    gf_args_get(&apply->args, &args, sizeof args);
    const enum gf_work kind = in->depth == GF_U8    ? GF_WORK_TAP_U8
                              : in->depth == GF_U16 ? GF_WORK_TAP_U16
                                                    : GF_WORK_TAP_F32;
    amounts[kind] += (double)out->width * (double)out->height * out->channels * args.taps;
}

const struct gf_kernel gf_kernel_resize = {
    .name = "resize",
    .kind = GF_KERNEL_MAP,
    .words = "weighted sums along one axis",
    .apply = {.cpu = resize_cpu, .cuda = gf_resize_cuda, .scratch = resize_scratch, .works = resize_works},
    .map = {.reach = resize_reach},
    .judge = gf_judge_resize,
};
