/* mark on the CPU: rows are copied, then places are written, each by one thread. */
#include "base/planted_fault.h"
#include "base/team.h"
#include "pixel/whole/points/mark.h"

struct mark {
    const struct gf_apply_run *run;
    struct gf_mark_args args;
};

/* The first of n things that part i of `parts` has. */
static int64_t begin_of(int64_t n, int i, int parts)
{
    return n / parts * i + (i < n % parts ? i : n % parts);
}

static void copy_part(void *argument, int i, int n)
{
    const struct mark *mark = argument;
    const struct gf_apply_run *run = mark->run;
    const struct gf_value *in = &run->in_values[0];
    const size_t row = (size_t)in->width * gf_depth_size(in->depth) * (size_t)in->channels;
    for (int64_t y = begin_of(in->height, i, n); y < begin_of(in->height, i + 1, n); y++) {
        memcpy((char *)run->out[0].data + y * run->out[0].pitch,
               (const char *)run->in[0].data + y * run->in[0].pitch, row);
    }
}

static void draw_part(void *argument, int i, int n)
{
    const struct mark *mark = argument;
    const struct gf_apply_run *run = mark->run;
    const struct gf_value *in = &run->in_values[0];
    const int64_t places = (int64_t)((const uint64_t *)run->in[1].data)[0];
    const uint32_t *at = run->in[2].data;
    for (int64_t k = begin_of(places, i, n); k < begin_of(places, i + 1, n) - GF_FAULT(mark_last); k++) {
        char *row = (char *)run->out[0].data + at[2 * k + 1] * run->out[0].pitch;
        for (int32_t c = 0; c < in->channels; c++) {
            const int64_t sample = (int64_t)at[2 * k] * in->channels + c;
            if (!(mark->args.mask >> c & 1)) {
                continue;
            }
            if (in->depth == GF_U8) {
                ((uint8_t *)row)[sample] = (uint8_t)mark->args.colour[c];
            } else if (in->depth == GF_U16) {
                ((uint16_t *)(void *)row)[sample] = (uint16_t)mark->args.colour[c];
            } else {
                ((float *)(void *)row)[sample] = mark->args.colour[c];
            }
        }
    }
}

static gf_status mark_cpu(const struct gf_apply_run *run, gf_error *error)
{
    struct mark mark = {.run = run};
    (void)error;
    gf_args_get(&run->apply->args, &mark.args, sizeof mark.args);
    gf_team_run(run->team, run->threads, copy_part, &mark);
    gf_team_run(run->team, run->threads, draw_part, &mark);
    return GF_OK;
}

const struct gf_kernel gf_kernel_mark = {
    .name = "mark",
    .kind = GF_KERNEL_WHOLE,
    .words = "the picture with the pixels of a table marked",
    .apply = {.cpu = mark_cpu, .cuda = gf_mark_cuda},
    .judge = gf_judge_mark,
};
