/* The tap that finds the least and the greatest finite value. */
#include "pixel/cpu/cpu_tap.h"

#include <string.h>

/* A thread's state, and the output until the last band is finished, by channel: keys, the least inverted, so
 * that zeros are the start of both. */
static void widen(struct gf_row_extremes *all, uint32_t not_least, uint32_t greatest)
{
    all->least = not_least > all->least ? not_least : all->least;
    all->greatest = greatest > all->greatest ? greatest : all->greatest;
}

static size_t bytes(const struct gf_pass *pass, const struct gf_tap *tap, int64_t strip)
{
    (void)pass, (void)tap, (void)strip;
    return GF_MAX_CHANNELS * sizeof(struct gf_row_extremes);
}

static void range_row(const struct gf_cpu_tap *tap, void *state, const void *row,
                      const struct gf_cpu_piece *at)
{
    for (int32_t c = 0; c < tap->channels; c++) {
        struct gf_row_extremes e = tap->rows->f32_finite((const float *)row + c, at->n, tap->channels);
        widen((struct gf_row_extremes *)state + c, ~e.least, e.greatest);
    }
}

static void merge(const struct gf_cpu_tap *tap, void *state)
{
    const struct gf_row_extremes *own = state;
    struct gf_row_extremes all[GF_MAX_CHANNELS];
    size_t size = (size_t)tap->channels * sizeof *all;
    memcpy(all, tap->out, size);
    for (int32_t c = 0; c < tap->channels; c++) {
        widen(&all[c], own[c].least, own[c].greatest);
    }
    memcpy(tap->out, all, size);
}

static void finish(const struct gf_cpu_tap *tap)
{
    for (int32_t c = 0; c < tap->channels && !tap->part->goes_on; c++) {
        struct gf_row_extremes e;
        float range[2] = {0.0F, 0.0F};
        char *out = (char *)tap->out + (size_t)c * sizeof e;
        memcpy(&e, out, sizeof e);
        if (e.least != 0 && tap->tap->mask >> c & 1) {
            range[0] = gf_key_float(~e.least);
            range[1] = gf_key_float(e.greatest);
        }
        memcpy(out, range, sizeof range);
    }
}

static const struct gf_cpu_measure measure = {
    .bytes = bytes, .row = range_row, .merge = merge, .finish = finish};

const struct gf_kernel gf_kernel_range = {
    .name = "range",
    .kind = GF_KERNEL_TAP,
    .tap = {.block_depth = GF_F32,
            .block_row = 2,
            .work = {GF_WORK_STATS_INT, GF_WORK_STATS_INT, GF_WORK_STATS_F32} /* it reads what stats reads */,
            .cpu = &measure,
            .cuda = gf_cuda_measure_range},
    .judge = gf_judge_range,
};
