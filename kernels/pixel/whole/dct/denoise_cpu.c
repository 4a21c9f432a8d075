/* "denoise" on the CPU: threads take strips of columns, and go down each channel of them. */
#include "pixel/whole/dct/denoise.h"

#include "base/cpu_level.h"
#include "base/float_mode.h"
#include "base/gf_num.h"
#include "base/team.h"

#include <string.h>

enum { LINE = GF_DENOISE_BLOCKS + GF_DENOISE_MOST };

struct job {
    const struct gf_apply_run *run;
    const struct gf_denoise_rows *rows;
    struct gf_denoise_args args;
    float *scratch;
    int64_t width; /* of the output */
    int32_t channels;
    int64_t strips, wide; /* of columns of the output */
};

/* Floats of a thread. */
static size_t thread_floats(const struct gf_denoise_args *args)
{
    const size_t rows = (size_t)args->upright;
    return LINE + rows * (size_t)args->block * GF_DENOISE_BLOCKS + rows * LINE;
}

static const float *row_in(const struct job *job, int64_t y)
{
    const struct gf_plane *in = &job->run->in[0];
    return (const float *)((const char *)in->data + (y - in->rows.first) * in->pitch);
}

/* Puts row y of the input, from column x on, where the strip reads it: what is not there is 0. */
static void read_line(const struct job *job, const struct gf_denoise_strip *strip, int64_t x, int64_t y,
                      int32_t c, int32_t slot)
{
    const float *row = row_in(job, y);
    const int64_t width = job->width + 2 * (job->args.block - 1);
    const int64_t n = width - x < LINE ? width - x : LINE;
    for (int64_t i = 0; i < n; i++) {
        strip->line[i] = row[(x + i) * job->channels + c];
    }
    memset(strip->line + n, 0, (size_t)(LINE - n) * sizeof *strip->line);
    job->rows->across(strip, slot);
}

/* Columns x to x + n of channel c. Row y of the output is whole once the blocks that begin in row
 * y + upright - 1 of the input are added. */
static void denoise_strip(const struct job *job, const struct gf_denoise_strip *strip, int64_t x, int64_t n,
                          int32_t c)
{
    const struct gf_plane *out = &job->run->out[0];
    const int32_t m = strip->upright, left = strip->block - 1;
    const float scale = (float)(1.0 / (strip->block * m));
    const int64_t first = out->rows.first, end = first + out->rows.count;
    memset(strip->sums, 0, (size_t)(m * LINE) * sizeof *strip->sums);
    for (int64_t y = first; y < first + m - 1; y++) {
        read_line(job, strip, x, y, c, (int32_t)(y % m));
    }
    for (int64_t y = first; y < end + m - 1; y++) { /* of the input: the first row of blocks */
        const int32_t slot = (int32_t)(y % m);
        float *sums = strip->sums + slot * LINE;
        read_line(job, strip, x, y + m - 1, c, (int32_t)((y + m - 1) % m));
        job->rows->blocks(strip, slot);
        if (y - (m - 1) >= first) {
            float *to = (float *)((char *)out->data + (y - (m - 1) - first) * out->pitch);
            for (int64_t i = 0; i < n; i++) {
                to[(x + i) * job->channels + c] = gf_canonical(sums[left + i] * scale);
            }
        }
        memset(sums, 0, LINE * sizeof *sums);
    }
}

static void copy_strip(const struct job *job, int64_t x, int64_t n, int32_t c)
{
    const struct gf_plane *out = &job->run->out[0];
    for (int64_t y = 0; y < out->rows.count; y++) {
        const float *row = row_in(job, out->rows.first + y + job->args.upright - 1);
        float *to = (float *)((char *)out->data + y * out->pitch);
        for (int64_t i = x; i < x + n; i++) {
            to[i * job->channels + c] = row[(i + job->args.block - 1) * job->channels + c];
        }
    }
}

static void denoise_part(void *argument, int thread, int threads)
{
    const struct job *job = argument;
    struct gf_denoise_strip strip = {
        .matrix = job->run->in[1].data, .block = job->args.block, .upright = job->args.upright};
    gf_float_mode saved;
    strip.line = job->scratch + (size_t)thread * thread_floats(&job->args);
    strip.waves = strip.line + LINE;
    strip.sums = strip.waves + strip.upright * strip.block * GF_DENOISE_BLOCKS;
    gf_float_mode_set(&saved);
    for (int64_t i = thread; i < job->strips * job->channels; i += threads) {
        const int32_t c = (int32_t)(i % job->channels);
        const int64_t x = i / job->channels * job->wide;
        const int64_t n = job->width - x < job->wide ? job->width - x : job->wide;
        strip.threshold = job->args.threshold[c];
        if (strip.threshold < 0) {
            copy_strip(job, x, n, c);
        } else {
            denoise_strip(job, &strip, x, n, c);
        }
    }
    gf_float_mode_restore(&saved);
}

static struct gf_denoise_args args_of(const struct gf_apply *apply)
{
    struct gf_denoise_args args;
    gf_args_get(&apply->args, &args, sizeof args);
    return args;
}

static size_t denoise_scratch(const struct gf_apply_run *run)
{
    const struct gf_denoise_args args = args_of(run->apply);
    return run->queue.device >= 0 ? 0 : (size_t)run->threads * thread_floats(&args) * sizeof(float);
}

static gf_status denoise_cpu(const struct gf_apply_run *run, gf_error *error)
{
    const struct gf_value *out = &run->out_values[0];
    struct job job = {.run = run,
                      .rows = GF_LEVEL_BEST(&gf_denoise_rows),
                      .args = args_of(run->apply),
                      .scratch = run->scratch,
                      .width = out->width,
                      .channels = out->channels};
    (void)error;
    job.wide = GF_DENOISE_BLOCKS - (job.args.block - 1);
    job.strips = (job.width + job.wide - 1) / job.wide;
    gf_team_run(run->team, run->threads, denoise_part, &job);
    return GF_OK;
}

/* Rows of the input around those of the output. */
static bool denoise_reach(const struct gf_apply *apply, const struct gf_value *in, const struct gf_value *out,
                          struct gf_rows want, struct gf_rows *need)
{
    (void)in;
    (void)out;
    need->first = want.first;
    need->count = want.count + 2 * (args_of(apply).upright - 1);
    return true;
}

static void denoise_works(const struct gf_apply *apply, const struct gf_value *in, const struct gf_value *out,
                          double amounts[GF_WORKS])
{
    const struct gf_denoise_args args = args_of(apply);
    double channels = 0;
    (void)in;
    for (int32_t c = 0; c < out->channels; c++) {
        channels += args.threshold[c] >= 0;
    }
    amounts[GF_WORK_PRODUCT] += channels * (double)out->width * (double)out->height * args.block *
                                (args.block * (1.0 + args.upright) + 2.0 * args.upright * args.upright);
}

const struct gf_kernel gf_kernel_denoise = {
    .name = "denoise",
    .kind = GF_KERNEL_MAP,
    .words = "small frequencies of the blocks around each pixel left out",
    .apply = {.cpu = denoise_cpu,
              .cuda = gf_denoise_cuda,
              .scratch = denoise_scratch,
              .works = denoise_works},
    .map = {.reach = denoise_reach},
    .judge = gf_judge_denoise,
};
