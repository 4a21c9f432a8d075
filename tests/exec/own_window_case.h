/* A stage whose window is what a test says, and what that should make: sums over neighbours that are looked
 * up one by one, in integers, so that every order gives the same. */
#ifndef OWN_WINDOW_CASE_H
#define OWN_WINDOW_CASE_H

#include "stream_bench.h"

/* ---- a stage whose window is what `now` says ---- */

struct weights {
    int32_t left, right, up, down, total;
};

static struct {
    gf_window_function window;
    struct weights weights;
    gf_value_id (*before)(gf_lowering *l, gf_value_id v);
    bool nothing; /* NULL instead of the window */
} now;

static inline int32_t weight(int64_t row, int64_t column, int32_t channel)
{
    return (int32_t)((row * 7 + column * 3 + channel * 5) % 11) - 2;
}

static inline int64_t sample_of(const void *data, gf_depth depth, int64_t i)
{
    return depth == GF_U8    ? ((const uint8_t *)data)[i]
           : depth == GF_U16 ? ((const uint16_t *)data)[i]
                             : (int64_t)((const float *)data)[i];
}

/* Returns what a sum is as a sample: of integers as they are stored a whole one, from 0 to white. */
static inline double share_of(int64_t sum, int32_t total, gf_depth depth)
{
    const double white = gf_depth_white(depth);
    const int64_t whole = sum / total;
    return depth == GF_F32 ? (double)((float)sum / (float)total)
                           : (double)(whole < 0                ? 0
                                      : whole > (int64_t)white ? (int64_t)white
                                                               : whole);
}

static inline void store(void *data, gf_depth depth, int64_t i, double v)
{
    if (depth == GF_U8) {
        ((uint8_t *)data)[i] = (uint8_t)v;
    } else if (depth == GF_U16) {
        ((uint16_t *)data)[i] = (uint16_t)v;
    } else {
        ((float *)data)[i] = (float)v;
    }
}

/* Sums are of integers, below 2^24: every order gives the same. */
static inline gf_status weigh(const gf_window_row *row, const void *args, gf_error *error)
{
    const struct weights *w = args;
    (void)error;
    for (int64_t i = 0; i < row->pixels; i++) {
        for (int32_t c = 0; c < row->channels_out; c++) {
            int64_t sum = 0;
            for (int64_t v = 0; v <= w->up + w->down; v++) {
                for (int64_t u = -w->left; u <= w->right; u++) {
                    sum +=
                        weight(v, u + w->left, c) *
                        sample_of(row->in[v], row->depth, (i + u) * row->channels_in + c % row->channels_in);
                }
            }
            store(row->out, row->depth, i * row->channels_out + c, share_of(sum, w->total, row->depth));
        }
    }
    return GF_OK;
}

static inline void lower_own(gf_lowering *l, const void *params)
{
    gf_value_id v = gf_lower_input(l);
    struct weights copied = now.weights;
    gf_window_function window = now.window;
    (void)params;
    if (window.args_size == sizeof copied) {
        window.args = &copied;
    }
    gf_lower_output(l, gf_lower_window(l, now.before ? now.before(l, v) : v, now.nothing ? NULL : &window));
    copied.total = 0; /* nobody needs it any more */
}

static const gf_stage_type own = {.struct_size = sizeof own,
                                  .name = "own",
                                  .group = "test",
                                  .summary = "",
                                  .formula = "",
                                  .flags = GF_STAGE_WINDOW | GF_STAGE_POINT,
                                  .lower = lower_own};
static const gf_stage_type *const types[] = {&own};

static inline void set_now(const int32_t reach[4], int32_t channels, bool as_stored)
{
    memset(&now, 0, sizeof now);
    now.weights = (struct weights){reach[0], reach[1], reach[2], reach[3], 6};
    now.window = (gf_window_function){.struct_size = sizeof now.window,
                                      .channels = channels,
                                      .host = weigh,
                                      .name = "weigh",
                                      .left = reach[0],
                                      .right = reach[1],
                                      .up = reach[2],
                                      .down = reach[3],
                                      .as_stored = as_stored,
                                      .args_size = sizeof now.weights};
}

/* ---- what it should make ---- */

/* The sample that stands for one outside; -1: the constant. */
static inline int64_t inside(int64_t i, int64_t n, gf_border border)
{
    while (i < 0 || i >= n) {
        if (border == GF_BORDER_CONSTANT) {
            return -1;
        }
        if (border == GF_BORDER_REPLICATE || n == 1) {
            i = i < 0 ? 0 : n - 1;
        } else if (border == GF_BORDER_WRAP) {
            i += i < 0 ? n : -n;
        } else {
            const int64_t edge = border == GF_BORDER_REFLECT;
            i = i < 0 ? -edge - i : 2 * n - 2 + edge - i;
        }
    }
    return i;
}

static inline double expected(const gf_image *in, gf_border border, int64_t x, int64_t y, int32_t c,
                              double fill)
{
    const struct weights *w = &now.weights;
    const gf_depth depth = in->shape.depth;
    int64_t sum = 0;
    for (int64_t v = -w->up; v <= w->down; v++) {
        for (int64_t u = -w->left; u <= w->right; u++) {
            const int64_t column = inside(x + u, in->shape.width, border);
            const int64_t row = inside(y + v, in->shape.height, border);
            const char *line = (const char *)in->data + row * in->pitch;
            const int64_t at = column * in->shape.channels + c % in->shape.channels;
            sum += weight(v + w->up, u + w->left, c) *
                   (column < 0 || row < 0 ? (int64_t)fill : sample_of(line, depth, at));
        }
    }
    if (now.window.as_stored || depth == GF_F32) {
        return share_of(sum, w->total, depth);
    }
    const double white = gf_depth_white(depth), v = rint((double)((float)sum / (float)w->total));
    return v < 0 ? 0 : v > white ? white : v;
}

static inline void check_picture(const struct bench *b, gf_border border, double fill, const char *what)
{
    const gf_image *out = &b->expected; /* of the plan that is not streamed */
    int wrong = 0;
    for (int64_t i = 0; i < out->shape.width * out->shape.height; i++) {
        const int64_t x = i % out->shape.width, y = i / out->shape.width;
        const char *line = (const char *)out->data + y * out->pitch;
        for (int32_t c = 0; c < out->shape.channels; c++) {
            const int64_t at = x * out->shape.channels + c;
            const double v = expected(&b->in, border, x, y, c, fill);
            const double made = out->shape.depth == GF_F32 ? (double)((const float *)(const void *)line)[at]
                                                           : (double)sample_of(line, out->shape.depth, at);
            wrong += made != v;
            CHECK_MSG(made == v || wrong > 1, "%s: sample %d of (%lld, %lld) is %g, not %g", what, (int)c,
                      (long long)x, (long long)y, made, v);
        }
    }
}

#endif
