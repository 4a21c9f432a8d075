/* The judge's percentiles and classes, written out from the definitions: see reference.h. */
#include "pixel/judge/reference_parts.h"
#include "pixel/solve/classes.h"
#include "pixel/solve/percentile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The first number, in the order of gf_float_key, with those digits above the last `rest` bits, and the last
 * one. */
static double first_number(uint64_t key, int rest)
{
    return (double)gf_key_float((uint32_t)(key >> rest << rest));
}
static double last_number(uint64_t key, int rest)
{
    return (double)gf_key_float((uint32_t)(key | ((UINT64_C(1) << rest) - 1)));
}

/* The range from the least to the greatest sample, without those that lie beyond percentiles 1 and 99, as
 * exactly as their first 11 bits tell, by more than four times what is between those two. */
static void range_within(const uint64_t *keys, const float *least_greatest, float *range)
{
    const double from = first_number(keys[0], 21), to = last_number(keys[1], 21), way = to - from;
    range[0] = least_greatest[0];
    range[1] = least_greatest[1];
    if (keys[0] != keys[1] && (double)range[0] < from - 4 * way) {
        range[0] = (float)(from - 4 * way);
    }
    if (keys[0] != keys[1] && (double)range[1] > to + 4 * way) {
        range[1] = (float)(to + 4 * way);
    }
}

/* Which sample the percentile is, counted from the first, by the counts of a first digit or of values. all:
 * how many there are; where infinities are left out, `below` of them and `above` have no place. */
static uint64_t place_of(double percent, uint64_t all, uint64_t below, uint64_t above)
{
    const double place = floor(percent / 100.0 * (double)(all - 1) + 0.5);
    const uint64_t last = all - above - 1;
    return place < (double)below ? below : place > (double)last ? last : (uint64_t)place;
}

/* A channel's percentiles: n pairs of a key, of the digits that are known, and of a place among the samples
 * that have these digits; they get what the counts of the next digit tell. */
static void find_digits(const struct gf_percentile_args *args, const uint64_t *counts, const double *percents,
                        const uint64_t *before, int32_t n, uint64_t *picks)
{
    const int bits = args->shift < 0 ? 0 : args->shift;
    for (int32_t i = 0; i < n; i++) {
        const uint64_t *own = counts;
        uint64_t all = 0, below = 0, above = 0, *key = &picks[2 * i], *place = &picks[2 * i + 1];
        if (before) {
            const int known = args->shift == 0 ? 10 : 21;
            *key = before[2 * i];
            *place = before[2 * i + 1];
            for (int32_t k = 0; before[2 * k] >> known != *key >> known; k++) {
                own += 2048; /* picks with the same digits share the counts of the first */
            }
        } else {
            for (int32_t k = 0; k < args->bins; k++) {
                all += counts[k];
            }
            if (args->finite && args->shift >= 0) {
                below = counts[3]; /* 0x007fffff, the key of -inf, begins with 3; 0xff800000 with 0x7fc */
                above = counts[0x7fc];
            }
            const bool none = all == below + above;
            *key = !none ? 0 : args->finite ? 0x80000000U : gf_float_key(gf_bits_float(GF_CANONICAL_NAN));
            *place = none ? UINT64_MAX : place_of(percents[i], all, below, above);
        }
        for (int32_t k = 0; k < args->bins; k++) {
            if (*place < own[k]) {
                *key += (uint64_t)k << bits;
                break;
            }
            *place -= own[k];
        }
    }
}

gf_status gf_judge_percentile(const struct gf_judge *judge, const struct gf_op *op, gf_error *error)
{
    const struct gf_apply *apply = &op->u.apply;
    const struct gf_value *values = judge->list->values, *in = &values[apply->in[0]];
    const int32_t n = (int32_t)values[apply->in[1]].width;
    const double *percents = judge->data[apply->in[1]];
    uint64_t *picks = calloc((size_t)n, 2 * sizeof *picks);
    struct gf_percentile_args args;
    gf_args_get(&apply->args, &args, sizeof args);
    for (int32_t c = 0; picks && c < in->channels; c++) {
        const uint64_t *counts = (const uint64_t *)judge->data[apply->in[0]] + c * in->width, *before = NULL;
        if (args.shift == 10 || args.shift == 0) {
            before = (const uint64_t *)judge->data[apply->in[2]] + (ptrdiff_t)(2 * c) * n;
        }
        if (!(args.mask >> c & 1)) {
            continue;
        }
        find_digits(&args, counts, percents, before, n, picks);
        if (args.makes == GF_PERCENTILE_PICK) {
            memcpy((uint64_t *)judge->data[apply->out[0]] + (size_t)c * 2 * (size_t)n, picks,
                   (size_t)n * 2 * sizeof *picks);
        } else if (args.makes == GF_PERCENTILE_RANGE) {
            const uint64_t keys[2] = {picks[0], picks[2]};
            range_within(keys, (const float *)judge->data[apply->in[2]] + (size_t)c * 2,
                         (float *)judge->data[apply->out[0]] + (size_t)c * 2);
        } else {
            float *levels = (float *)judge->data[apply->out[0]] + (size_t)c * (size_t)n;
            for (int32_t i = 0; i < n; i++) {
                levels[i] = args.shift < 0 ? (float)picks[2 * i] : gf_key_float((uint32_t)picks[2 * i]);
            }
        }
    }
    const gf_status status =
        picks ? GF_OK : gf_fail(error, GF_ERROR_MEMORY, "no memory for the judge's ranks");
    free(picks);
    return status;
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
        const double n = (double)gf_judge_count(counts, i, args->bins);
        p.n[group_of(i, least, greatest)] += n;
        p.s[group_of(i, least, greatest)] += n * (double)i;
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
