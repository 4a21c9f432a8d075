/* Several levels of counts, on the CPU: the best of k classes up to each group, from those of k - 1. */
#include "pixel/solve/classes.h"

#include "base/status.h"

#include <string.h>

enum { GROUPS = GF_CLASSES_GROUPS };

/* Sums over the groups before each one. */
struct groups {
    struct gf_classes_span span;
    uint64_t n[GROUPS + 1], s[GROUPS + 1];
};

static void gather(const uint64_t *counts, int32_t bins, struct groups *g)
{
    int32_t first = 0, last = bins - 1;
    while (bins > GROUPS && first < last && counts[first] == 0) {
        first++;
    }
    while (bins > GROUPS && last > first && counts[last] == 0) {
        last--;
    }
    g->span = (struct gf_classes_span){first, last - first + 1};
    g->n[0] = g->s[0] = 0;
    for (int32_t group = 0; group < GROUPS; group++) {
        g->n[group + 1] = g->n[group];
        g->s[group + 1] = g->s[group];
        const int32_t end = gf_classes_begin(g->span, group + 1);
        for (int32_t i = gf_classes_begin(g->span, group); i < end; i++) {
            g->n[group + 1] += gf_count_at(counts, i, bins);
            g->s[group + 1] += gf_count_at(counts, i, bins) * (uint64_t)i;
        }
    }
}

/* ends[k]: the last group of class k, of all but the last class. */
static void part(const struct groups *g, int32_t classes, int32_t *ends)
{
    double best[2][GROUPS];
    uint8_t from[GF_CLASSES_MOST][GROUPS];
    for (int32_t t = 0; t < GROUPS; t++) {
        best[0][t] = gf_classes_score(g->n[t + 1], g->s[t + 1]);
    }
    for (int32_t k = 1; k < classes; k++) {
        const double *before = best[(k - 1) % 2];
        for (int32_t t = k; t < GROUPS; t++) {
            double greatest = -1.0;
            for (int32_t i = k; i <= t; i++) {
                const double score =
                    before[i - 1] + gf_classes_score(g->n[t + 1] - g->n[i], g->s[t + 1] - g->s[i]);
                if (gf_classes_better(score, greatest)) {
                    greatest = score;
                    from[k][t] = (uint8_t)(i - 1);
                }
            }
            best[k % 2][t] = greatest;
        }
    }
    for (int32_t k = classes - 1, t = GROUPS - 1; k > 0; k--) {
        t = from[k][t];
        ends[k - 1] = t;
    }
}

static void store(void *row, gf_depth depth, int32_t i, float v)
{
    if (depth == GF_U8) {
        ((uint8_t *)row)[i] = (uint8_t)v;
    } else if (depth == GF_U16) {
        ((uint16_t *)row)[i] = (uint16_t)v;
    } else {
        ((float *)row)[i] = v;
    }
}

static gf_status classes(const struct gf_apply_run *run, gf_error *error)
{
    const struct gf_value *counts = &run->in_values[0], *table = &run->out_values[1];
    const size_t row_size = (size_t)table->width * gf_depth_size(table->depth);
    const float *ranges = run->in[1].data;
    struct gf_classes_args args;
    struct groups g;
    gf_args_get(&run->apply->args, &args, sizeof args);
    if (args.bins < GROUPS || counts->width < args.bins + 3 || args.classes < 2 ||
        args.classes > GF_CLASSES_MOST) {
        return gf_fail(error, GF_ERROR_INTERNAL, "classes: %d of counts that have %d bins", (int)args.classes,
                       (int)args.bins);
    }
    memset(run->out[0].data, 0, (size_t)(table->channels * (args.classes - 1)) * sizeof(float));
    memset(run->out[1].data, 0, (size_t)table->channels * row_size);
    for (int32_t c = 0; c < table->channels; c++) {
        int32_t ends[GF_CLASSES_MOST];
        const float *range = ranges ? ranges + (ptrdiff_t)(2 * c) : NULL;
        if (!(args.mask >> c & 1)) {
            continue;
        }
        gather((const uint64_t *)run->in[0].data + c * counts->width, args.bins, &g);
        part(&g, args.classes, ends);
        for (int32_t k = 0, i = 0; k < args.classes; k++) {
            const bool is_last = k + 1 == args.classes;
            const int32_t end = is_last ? args.bins : gf_classes_begin(g.span, ends[k] + 1);
            if (!is_last) {
                ((float *)run->out[0].data)[c * (args.classes - 1) + k] =
                    gf_classes_level(range, end - 1, args.bins);
            }
            for (; i < end; i++) {
                store((char *)run->out[1].data + (size_t)c * row_size, table->depth, i,
                      gf_classes_shade(k, args.classes, args.white, table->depth != GF_F32));
            }
        }
    }
    return GF_OK;
}

const struct gf_kernel gf_kernel_classes = {
    .name = "classes",
    .kind = GF_KERNEL_SOLVE,
    .words = "block to block, on the device",
    .apply = {.cpu = classes, .cuda = gf_classes_cuda, .light = true},
    .judge = gf_judge_classes,
};
