/* label, as the contract has it: each region is flooded from its first pixel. */
#include "base/gf_order.h"
#include "pixel/judge/reference_parts.h"
#include "pixel/whole/label/label.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct flood {
    const void *samples;
    const struct gf_value *in;
    struct gf_label_args args;
    bool *seen;
    int64_t *pixels; /* of the region under way */
    int64_t *areas;  /* of the regions that count, if only the largest do */
    int64_t least, of_least;
};

static float value_of(const struct flood *f, int64_t pixel)
{
    return gf_judge_sample(f->samples, f->in->depth, pixel * f->in->channels);
}

/* Collects the region of a pixel; returns its area. */
static int64_t collect(const struct flood *f, int64_t first)
{
    int64_t area = 1, w = f->in->width, h = f->in->height;
    f->pixels[0] = first;
    f->seen[first] = true;
    for (int64_t done = 0; done < area; done++) {
        for (int dy = -1; dy <= 1; dy++) {
            for (int dx = -1; dx <= 1; dx++) {
                int64_t x = f->pixels[done] % w + dx, y = f->pixels[done] / w + dy;
                if (x < 0 || y < 0 || x >= w || y >= h || f->seen[y * w + x] ||
                    (f->args.connectivity == 4 && dx != 0 && dy != 0)) {
                    continue;
                }
                float v = value_of(f, y * w + x);
                if ((v < 0 || v > 0) && (!f->args.equal || v == value_of(f, first))) {
                    f->seen[y * w + x] = true;
                    f->pixels[area++] = y * w + x;
                }
            }
        }
    }
    return area;
}

static uint32_t key_of(const struct flood *f, int64_t pixel)
{
    float v = value_of(f, pixel);
    return f->in->depth == GF_F32 ? gf_key_f32(v) : (uint32_t)v;
}

/* Does the region count? */
static bool is_kept(const struct flood *f, int64_t area)
{
    int64_t w = f->in->width, h = f->in->height;
    bool touches = false;
    for (int64_t i = 0; i < area; i++) {
        int64_t x = f->pixels[i] % w, y = f->pixels[i] / w;
        touches = touches || x == 0 || y == 0 || x == w - 1 || y == h - 1;
    }
    return area >= f->args.min_area && area <= f->args.max_area && !(f->args.drops_border && touches);
}

static int larger_first(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x < y) - (x > y);
}

/* Finds the area of the last of the largest regions, and how many of that area are among them. */
static void choose_largest(struct flood *f, int64_t n)
{
    int64_t regions = 0;
    for (int64_t i = 0; i < n; i++) {
        float v = value_of(f, i);
        int64_t area = !f->seen[i] && (v < 0 || v > 0) ? collect(f, i) : 0;
        if (area > 0 && is_kept(f, area)) {
            f->areas[regions++] = area;
        }
    }
    memset(f->seen, 0, (size_t)n * sizeof *f->seen);
    qsort(f->areas, (size_t)regions, sizeof *f->areas, larger_first);
    for (int64_t i = 0; i < regions && i < f->args.largest; i++) {
        f->of_least = f->areas[i] == f->least ? f->of_least + 1 : 1;
        f->least = f->areas[i];
    }
}

/* Is a region that counts one of the largest? Regions come in the order of their first pixels. */
static bool is_chosen(struct flood *f, int64_t area)
{
    return f->args.largest == 0 || area > f->least || (area == f->least && f->of_least-- > 0);
}

static struct gf_region measure(const struct flood *f, int64_t area)
{
    struct gf_region r = {.area = (uint64_t)area, .left = UINT32_MAX, .top = UINT32_MAX, .least = UINT32_MAX};
    for (int64_t i = 0; i < area; i++) {
        uint32_t x = (uint32_t)(f->pixels[i] % f->in->width), y = (uint32_t)(f->pixels[i] / f->in->width);
        r.sum_x += x;
        r.sum_y += y;
        r.sum_v += f->in->depth == GF_F32 ? 0 : (uint64_t)value_of(f, f->pixels[i]);
        uint32_t key = key_of(f, f->pixels[i]);
        r.least = key < r.least ? key : r.least;
        r.greatest = key > r.greatest ? key : r.greatest;
        r.left = x < r.left ? x : r.left;
        r.right = x > r.right ? x : r.right;
        r.top = y < r.top ? y : r.top;
        r.bottom = y > r.bottom ? y : r.bottom;
    }
    return r;
}

/* The colour of a region, by its number: hue, greatest and least channel; a channel is as near to the
 * greatest as the hue is to its own. */
static void paint(uint32_t number, uint8_t *pixel)
{
    const uint32_t turns[3] = {number * 3518319155U, number * 2882110345U, number * 2360945575U};
    const int64_t hue = (int64_t)turns[0] * 1536 / 4294967296;
    const int64_t greatest = 255 - (int64_t)turns[1] * 96 / 4294967296;
    const int64_t least = greatest * (turns[2] / 16777216) / 512;
    for (int channel = 0; channel < 3; channel++) {
        int64_t away = llabs(hue - 512 * channel);
        away = away > 768 ? 1536 - away : away;
        const int64_t share = away <= 257 ? 255 : away >= 512 ? 0 : 512 - away;
        pixel[channel] = (uint8_t)(least + (greatest - least) * share / 255);
    }
}

gf_status gf_judge_label(const struct gf_judge *judge, const struct gf_op *op, gf_error *error)
{
    const struct gf_apply *apply = &op->u.apply;
    const struct gf_value *out = &judge->list->values[apply->out[0]];
    struct flood f = {.samples = judge->data[apply->in[0]], .in = &judge->list->values[apply->in[0]]};
    uint64_t *counts = judge->data[apply->out[1]];
    struct gf_region *regions = judge->data[apply->out[2]];
    int64_t n = f.in->width * f.in->height;
    gf_args_get(&apply->args, &f.args, sizeof f.args);
    f.seen = calloc((size_t)n, sizeof *f.seen);
    f.pixels = calloc((size_t)n, sizeof *f.pixels);
    f.areas = calloc((size_t)n, sizeof *f.areas);
    const bool good = f.seen && f.pixels && f.areas;
    if (good && f.args.largest > 0) {
        choose_largest(&f, n);
    }
    for (int64_t i = 0; good && i < n; i++) {
        float v = value_of(&f, i);
        if (f.seen[i] || !(v < 0 || v > 0)) {
            continue;
        }
        int64_t area = collect(&f, i);
        if (!is_kept(&f, area) || !is_chosen(&f, area)) {
            continue;
        }
        regions[counts[0]] = measure(&f, area);
        counts[1] = ++counts[0];
        for (int64_t k = 0; k < area; k++) {
            if (f.args.output == GF_LABEL_NUMBERS) {
                ((uint32_t *)judge->data[apply->out[0]])[f.pixels[k]] = (uint32_t)counts[0];
            } else if (f.args.output == GF_LABEL_COLOURS) {
                paint((uint32_t)counts[0], (uint8_t *)judge->data[apply->out[0]] + 3 * f.pixels[k]);
            } else {
                float white = (float)gf_depth_white(out->depth);
                gf_judge_store(judge->data[apply->out[0]], out->depth, f.pixels[k],
                               f.args.output == GF_LABEL_MASK ? white : value_of(&f, f.pixels[k]));
            }
        }
    }
    gf_status status = gf_need_memory(good, error);
    free(f.seen);
    free(f.pixels);
    free(f.areas);
    return status;
}
