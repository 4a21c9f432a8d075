/* The judge's percentiles and classes, written out from the definitions: see reference.h. */
#include "pixel/classes.h"
#include "pixel/percentile.h"
#include "pixel/reference_parts.h"

#include <string.h>

/* Sample number `index` in ascending order. The bins of f32 hold what lies between the least and the greatest
 * finite sample; infinities are taken for those. */
static float nth_sample(const uint64_t *counts, int32_t bins, const float *range, uint64_t index)
{
    uint64_t inside = 0, passed = counts[bins];
    for (int32_t i = 0; i < bins; i++) {
        inside += counts[i];
    }
    if (range && (inside == 0 || index <= passed)) {
        return inside ? range[0] : 0.0F;
    }
    if (range && index >= passed + inside - 1) {
        return range[1];
    }
    for (int32_t i = 0; i < bins; i++) {
        passed += counts[i];
        if (index < passed && !range) {
            return (float)i;
        }
        if (index < passed) {
            const double middle = ((double)i + 0.5) * ((double)range[1] - (double)range[0]) / (double)bins;
            return (float)((double)range[0] + middle);
        }
    }
    return 0.0F;
}

gf_status gf_judge_percentile(const struct gf_judge *judge, const struct gf_op *op, gf_error *error)
{
    const struct gf_apply *apply = &op->u.apply;
    const struct gf_value *in = &judge->list->values[apply->in[0]];
    float *out = judge->data[apply->out[0]];
    struct gf_percentile_args args;
    (void)error;
    gf_args_get(&apply->args, &args, sizeof args);
    for (int32_t c = 0; c < in->channels; c++) {
        const uint64_t *counts = (const uint64_t *)judge->data[apply->in[0]] + c * in->width;
        const float *range =
            apply->in[1] == GF_NONE ? NULL : (const float *)judge->data[apply->in[1]] + (size_t)c * 2;
        uint64_t all = counts[args.bins] + counts[args.bins + 1];
        for (int32_t i = 0; i < args.bins; i++) {
            all += counts[i];
        }
        for (int32_t i = 0; i < 2 && all > 0 && args.mask >> c & 1; i++) {
            const double place = floor(args.percent[i] / 100.0 * (double)(all - 1) + 0.5);
            out[2 * c + i] = nth_sample(counts, args.bins, range, (uint64_t)place);
        }
    }
    return GF_OK;
}

/* Group of a bin: bins share 256 groups evenly, those from the least to the greatest that counted anything
 * where there are more. */
static int32_t group_of(int32_t bin, int32_t least, int32_t greatest)
{
    const int64_t group = ((int64_t)bin - least) * 256 / (greatest - least + 1);
    return bin < least ? 0 : group > 255 ? 255 : (int32_t)group;
}

struct parting {
    double n[256], s[256];  /* exact: below 2^53 */
    double best[8][256];    /* of k + 1 classes up to a group */
    int32_t before[8][256]; /* the last group of the class before the last one there */
};

static double worth(const struct parting *p, int32_t first, int32_t last)
{
    double n = 0.0, s = 0.0;
    for (int32_t i = first; i <= last; i++) {
        n += p->n[i];
        s += p->s[i];
    }
    return n > 0 ? s / n * s : 0.0;
}

static void part_groups(struct parting *p, int32_t classes)
{
    for (int32_t last = 0; last < 256; last++) {
        p->best[0][last] = worth(p, 0, last);
    }
    for (int32_t k = 1; k < classes; k++) {
        for (int32_t last = k; last < 256; last++) {
            p->best[k][last] = -1.0;
            for (int32_t first = k; first <= last; first++) {
                const double score = p->best[k - 1][first - 1] + worth(p, first, last);
                if (score > p->best[k][last]) {
                    p->best[k][last] = score;
                    p->before[k][last] = first - 1;
                }
            }
        }
    }
}

/* The level between bin and the one before it. */
static float last_below(int32_t bin, int32_t bins, const float *range)
{
    if (!range) {
        return (float)(bin - 1);
    }
    const double middle = ((double)bin - 0.5) * ((double)range[1] - (double)range[0]) / (double)bins;
    return (float)((double)range[0] + middle);
}

/* The channel's counts become its levels and its table. */
static void part_channel(const struct gf_classes_args *args, const uint64_t *counts, const float *range,
                         float *levels, void *table, gf_depth depth)
{
    struct parting p = {0};
    int32_t ends[8] = {0}, least = 0, greatest = args->bins - 1;
    while (args->bins > 256 && least < greatest && counts[least] == 0) {
        least++;
    }
    while (args->bins > 256 && greatest > least && counts[greatest] == 0) {
        greatest--;
    }
    for (int32_t i = 0; i < args->bins; i++) {
        p.n[group_of(i, least, greatest)] += (double)counts[i];
        p.s[group_of(i, least, greatest)] += (double)counts[i] * (double)i;
    }
    part_groups(&p, args->classes);
    ends[args->classes - 1] = 255;
    for (int32_t k = args->classes - 1; k > 0; k--) {
        ends[k - 1] = p.before[k][ends[k]];
    }
    for (int32_t i = 0, k = 0; i <= args->bins; i++) { /* one more: a level may be the last bin */
        while (k < args->classes - 1 && (i == args->bins || group_of(i, least, greatest) > ends[k])) {
            levels[k++] = last_below(i, args->bins, range);
        }
        if (i < args->bins) {
            const double shade = (double)k * (double)args->white / (double)(args->classes - 1);
            gf_judge_store(table, depth, i, depth == GF_F32 ? (float)shade : (float)floor(shade + 0.5));
        }
    }
}

gf_status gf_judge_classes(const struct gf_judge *judge, const struct gf_op *op, gf_error *error)
{
    const struct gf_apply *apply = &op->u.apply;
    const struct gf_value *in = &judge->list->values[apply->in[0]],
                          *out = &judge->list->values[apply->out[1]];
    struct gf_classes_args args;
    (void)error;
    gf_args_get(&apply->args, &args, sizeof args);
    for (int32_t c = 0; c < in->channels; c++) {
        if (args.mask >> c & 1) {
            part_channel(
                &args, (const uint64_t *)judge->data[apply->in[0]] + c * in->width,
                apply->in[1] == GF_NONE ? NULL : (const float *)judge->data[apply->in[1]] + (size_t)c * 2,
                (float *)judge->data[apply->out[0]] + (size_t)c * (size_t)(args.classes - 1),
                (char *)judge->data[apply->out[1]] + (size_t)(c * out->width) * gf_depth_size(out->depth),
                out->depth);
        }
    }
    return GF_OK;
}
