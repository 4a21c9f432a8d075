/* "dct" on the CPU: threads take rows of blocks; a block goes through two products in the nearest cache. */
#include "pixel/whole/dct/dct.h"

#include "base/cpu_level.h"
#include "base/float_mode.h"
#include "base/gf_num.h"
#include "base/planted_fault.h"
#include "base/team.h"

#include <string.h>

enum { TILES = 3 }; /* a block's samples, rows done, columns done */

struct job {
    const struct gf_apply_run *run;
    const struct gf_dct_rows *rows;
    const float *matrices;
    float *scratch;
    int64_t block, stride, width, height;
    int32_t channels;
};

static size_t tile_elements(int64_t block)
{
    return (size_t)(gf_dct_stride(block) * gf_dct_stride(block));
}

/* The part of a block that begins at (x, y), of w x h, of one channel. */
static void transform(const struct job *job, float *tiles, int64_t x, int64_t y, int w, int h, int32_t c)
{
    const size_t each = tile_elements(job->block);
    const struct gf_plane *in = &job->run->in[0], *out = &job->run->out[0];
    const int64_t n = job->channels, stride = job->stride, end = out->rows.first + out->rows.count;
    float *v = tiles, *t = tiles + each, *made = tiles + 2 * each;
    const int across = w < job->block ? GF_DCT_RIGHT : GF_DCT_FULL;
    const int down = h < job->block && !GF_FAULT(dct_edge) ? GF_DCT_LOWER : GF_DCT_FULL;
    for (int r = 0; r < h; r++) {
        const float *row = (const float *)((const char *)in->data + (y + r - in->rows.first) * in->pitch);
        if (n == 1) {
            memcpy(v + r * stride, row + x, (size_t)w * sizeof *v);
            continue;
        }
        for (int i = 0; i < w; i++) {
            v[r * stride + i] = row[(x + i) * n + c];
        }
    }
    job->rows->product(v, job->matrices + (GF_DCT_TURNED + across) * (int64_t)each, t, stride, h, w, w);
    job->rows->product(job->matrices + down * (int64_t)each, t, made, stride, h, h, w);
    for (int r = 0; r < h; r++) {
        if (y + r >= out->rows.first && y + r < end) {
            float *row = (float *)((char *)out->data + (y + r - out->rows.first) * out->pitch);
            for (int i = 0; i < w; i++) {
                row[(x + i) * n + c] = gf_canonical(made[r * stride + i]);
            }
        }
    }
}

static void transform_part(void *argument, int i, int n)
{
    const struct job *job = argument;
    const struct gf_rows rows = job->run->out[0].rows;
    const int64_t first = rows.first / job->block;
    const int64_t blocks = (rows.first + rows.count + job->block - 1) / job->block - first;
    const size_t bytes = TILES * tile_elements(job->block) * sizeof(float);
    gf_float_mode saved;
    float *tiles = job->scratch + (size_t)i * bytes / sizeof(float);
    memset(tiles, 0, bytes); /* what pads a small block is computed with, and left away */
    gf_float_mode_set(&saved);
    for (int64_t b = first + blocks * i / n; b < first + blocks * (i + 1) / n; b++) {
        const int64_t y = b * job->block;
        const int64_t h = job->height - y < job->block ? job->height - y : job->block;
        for (int64_t x = 0; x < job->width; x += job->block) {
            const int64_t w = job->width - x < job->block ? job->width - x : job->block;
            for (int32_t c = 0; c < job->channels; c++) {
                transform(job, tiles, x, y, (int)w, (int)h, c);
            }
        }
    }
    gf_float_mode_restore(&saved);
}

static int32_t block_of(const struct gf_apply *apply)
{
    struct gf_dct_args args;
    gf_args_get(&apply->args, &args, sizeof args);
    return args.block;
}

static size_t dct_scratch(const struct gf_apply_run *run)
{
    const size_t each = TILES * tile_elements(block_of(run->apply)) * sizeof(float);
    return run->queue.device >= 0 ? 0 : each * (size_t)run->threads;
}

static gf_status dct_cpu(const struct gf_apply_run *run, gf_error *error)
{
    const struct gf_value *in = &run->in_values[0];
    struct job job = {.run = run,
                      .rows = GF_LEVEL_BEST(&gf_dct_rows),
                      .matrices = run->in[1].data,
                      .scratch = run->scratch,
                      .block = block_of(run->apply),
                      .width = in->width,
                      .height = in->height,
                      .channels = in->channels};
    (void)error;
    job.stride = gf_dct_stride(job.block);
    gf_team_run(run->team, run->threads, transform_part, &job);
    return GF_OK;
}

/* Whole rows of blocks. */
static bool dct_reach(const struct gf_apply *apply, const struct gf_value *in, const struct gf_value *out,
                      struct gf_rows want, struct gf_rows *need)
{
    const int64_t block = block_of(apply);
    const int64_t end = (want.first + want.count + block - 1) / block * block;
    (void)out;
    need->first = want.first / block * block;
    need->count = (end < in->height ? end : in->height) - need->first;
    return true;
}

static void dct_works(const struct gf_apply *apply, const struct gf_value *in, const struct gf_value *out,
                      double amounts[GF_WORKS])
{
    (void)in;
    amounts[GF_WORK_PRODUCT] +=
        2.0 * (double)block_of(apply) * (double)out->width * (double)out->height * out->channels;
}

const struct gf_kernel gf_kernel_dct = {
    .name = "dct",
    .kind = GF_KERNEL_MAP,
    .words = "blocks by a matrix from both sides",
    .apply = {.cpu = dct_cpu, .cuda = gf_dct_cuda, .scratch = dct_scratch, .works = dct_works},
    .map = {.reach = dct_reach},
    .judge = gf_judge_dct,
};
