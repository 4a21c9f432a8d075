/* The judge's windows, sum by sum. */
#include "base/gf_border.h"
#include "pixel/judge/reference_parts.h"
#include "pixel/window/gradient/gradient.h"

#include <stdlib.h>

static int64_t weighted(const int64_t *x, const int16_t *weights, int64_t n)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < n; i++) {
        sum += weights[i] * x[i];
    }
    return sum;
}

static float chain(const float *x, const float *weights, int64_t n)
{
    float sum = weights[0] * x[0];
    for (int64_t i = 1; i < n; i++) {
        sum = gf_fma(weights[i], x[i], sum);
    }
    return sum;
}

/* The sum of x[0 .. w - 1], x[0] lying at coordinate `start`: the end of one block of w samples from its
 * right to its left, then the beginning of the next from left to right (van Herk; Gil and Werman). */
static float block_sum(const float *x, int64_t start, int64_t w)
{
    int64_t head = gf_modulo(start, w) == 0 ? 0 : w - gf_modulo(start, w);
    float suffix = x[head > 0 ? head - 1 : 0];
    float prefix = x[head];

    for (int64_t i = head - 2; i >= 0; i--) {
        suffix = x[i] + suffix;
    }
    for (int64_t i = head + 1; i < w; i++) {
        prefix += x[i];
    }
    return head > 0 ? suffix + prefix : prefix;
}

/* Separable or box: what one column of the result needs. */
struct sweep {
    struct gf_judge_plane plane;
    const void *wx, *wy; /* separable; NULL for box */
    int64_t rx, ry;
    int64_t turns_x, turns_y; /* box */
    bool floors;              /* box */
    int32_t shift_x, shift_y;
    bool exact;                 /* integer arithmetic */
    int64_t *line_i, *middle_i; /* 2 rx + 1 samples of a row; height + 2 ry sums of a column */
    float *line_f, *middle_f;
    int64_t turn_i; /* what a turn adds down the column */
    float turn_f;
};

/* ---- turns of the border, beyond the radius of a box ---- */

/* Sample i of an axis: along row y, or, where `sums` is not NULL, of the column whose row 0 is there. */
struct axis {
    const struct sweep *sweep;
    int64_t y;
    const int64_t *sums_i;
    const float *sums_f;
    int64_t n;
};

static float axis_float(const struct axis *a, int64_t i)
{
    return a->sums_f ? a->sums_f[i] : gf_judge_extended(&a->sweep->plane, i, a->y);
}

static int64_t axis_integer(const struct axis *a, int64_t i)
{
    return a->sums_i ? a->sums_i[i] : (int64_t)gf_judge_extended(&a->sweep->plane, i, a->y);
}

static int64_t turn_integer(const struct axis *a, int border)
{
    int64_t sum = border == GF_BORDER_CONSTANT ? 2 * axis_integer(a, -1) : 0;
    for (int64_t i = 0; i < a->n; i++) {
        sum += gf_border_turn(i, a->n, border) * axis_integer(a, i);
    }
    return sum;
}

/* The sum of one turn of the border, in ascending order. */
static float turn_float(const struct axis *a, int border)
{
    if (border == GF_BORDER_CONSTANT) {
        return 2.0F * axis_float(a, -1);
    }
    float sum = (float)gf_border_turn(0, a->n, border) * axis_float(a, 0);
    for (int64_t i = 1; i < a->n; i++) {
        int32_t times = gf_border_turn(i, a->n, border);
        if (times > 0) {
            sum += (float)times * axis_float(a, i);
        }
    }
    return sum;
}

/* The horizontal sum around (x, y), y anywhere: middle[j]. */
static void sum_across(struct sweep *s, int64_t x, int64_t y, int64_t j)
{
    int64_t w = 2 * s->rx + 1;
    const struct axis row = {s, y, NULL, NULL, s->plane.value.width};
    const int border = s->plane.window->border;

    for (int64_t i = 0; i < w; i++) {
        s->line_f[i] = gf_judge_extended(&s->plane, x - s->rx + i, y);
        s->line_i[i] = s->exact ? (int64_t)s->line_f[i] : 0;
    }
    if (s->wx && s->exact) {
        int64_t half = (int64_t)1 << (s->shift_x - 8);
        s->middle_i[j] = (weighted(s->line_i, s->wx, w) + half) >> (s->shift_x - 7);
    } else if (s->wx) {
        s->middle_f[j] = chain(s->line_f, s->wx, w);
    } else if (s->exact) {
        s->middle_i[j] = s->turns_x > 0 ? s->turns_x * turn_integer(&row, border) : 0;
        for (int64_t i = 0; i < w; i++) {
            s->middle_i[j] += s->line_i[i];
        }
    } else {
        s->middle_f[j] = block_sum(s->line_f, x - s->rx, w);
        if (s->turns_x > 0) {
            s->middle_f[j] += (float)s->turns_x * turn_float(&row, border);
        }
    }
}

/* Once the middle is there: what a turn adds to the sums of its column. */
static void make_turn_down(struct sweep *s)
{
    const struct axis column = {s, 0, s->middle_i + s->ry, s->middle_f + s->ry, s->plane.value.height};
    if (s->turns_y > 0 && s->exact) {
        s->turn_i = turn_integer(&column, s->plane.window->border);
    } else if (s->turns_y > 0) {
        s->turn_f = turn_float(&column, s->plane.window->border);
    }
}

/* The sample at row y from the sums of rows y - ry to y + ry. */
static float sum_down(const struct sweep *s, int64_t y)
{
    int64_t w = 2 * s->ry + 1;
    if (s->wy && s->exact) {
        int64_t sum = weighted(s->middle_i + y, s->wy, w) + ((int64_t)1 << (s->shift_y + 6));
        return (float)(sum >> (s->shift_y + 7)); /* the store clamps */
    }
    if (s->wy) {
        return chain(s->middle_f + y, s->wy, w);
    }
    const int border = s->plane.window->border;
    int64_t area = gf_box_width(s->rx, s->turns_x, s->plane.value.width, border) *
                   gf_box_width(s->ry, s->turns_y, s->plane.value.height, border);
    if (!s->exact) {
        float sum = block_sum(s->middle_f + y, y - s->ry, w);
        return gf_div(s->turns_y > 0 ? sum + (float)s->turns_y * s->turn_f : sum, (float)area);
    }
    int64_t sum = (s->floors ? 0 : area / 2) + s->turns_y * s->turn_i;
    for (int64_t i = 0; i < w; i++) {
        sum += s->middle_i[y + i];
    }
    return (float)(sum / area);
}

static void free_sweep(struct sweep *s)
{
    free(s->line_i);
    free(s->line_f);
    free(s->middle_i);
    free(s->middle_f);
}

static gf_status run_sweep(struct sweep *s, void *out, gf_error *error)
{
    const struct gf_value in = s->plane.value;
    const gf_depth depth = s->plane.window->depth_out;
    size_t line = (size_t)(2 * s->rx + 1);
    size_t middle = (size_t)(in.height + 2 * s->ry);

    s->line_i = calloc(line, sizeof *s->line_i);
    s->line_f = calloc(line, sizeof *s->line_f);
    s->middle_i = calloc(middle, sizeof *s->middle_i);
    s->middle_f = calloc(middle, sizeof *s->middle_f);
    if (!s->line_i || !s->line_f || !s->middle_i || !s->middle_f) {
        free_sweep(s);
        return gf_fail(error, GF_ERROR_MEMORY, "no memory for %zu columns and %zu rows", line, middle);
    }
    for (s->plane.channel = 0; s->plane.channel < in.channels; s->plane.channel++) {
        for (int64_t x = 0; x < in.width; x++) {
            for (int64_t j = 0; j < in.height + 2 * s->ry; j++) {
                sum_across(s, x, j - s->ry, j);
            }
            make_turn_down(s);
            for (int64_t y = 0; y < in.height; y++) {
                gf_judge_store(out, depth, (y * in.width + x) * in.channels + s->plane.channel,
                               gf_judge_quantise(depth, sum_down(s, y)));
            }
        }
    }
    free_sweep(s);
    return GF_OK;
}

/* [-1 0 1] along x and smoothed along y, or, `along_y`, the other way round. */
static float slope(const struct gf_judge_plane *p, int64_t x, int64_t y, bool along_y)
{
    const struct gf_gradient_args args = gf_gradient_args_of(p->window);
    const bool exact = p->value.depth == GF_U8;
    const float side = exact ? (float)args.side : args.float_side;
    const float weights[3] = {side, exact ? (float)args.middle : args.float_middle, side};
    float part[3];

    for (int64_t i = -1; i <= 1; i++) {
        float row[3] = {gf_judge_extended(p, x - 1, y + i), gf_judge_extended(p, x, y + i),
                        gf_judge_extended(p, x + 1, y + i)};
        part[i + 1] = along_y ? chain(row, weights, 3) : row[2] - row[0];
    }
    return along_y ? part[2] - part[0] : chain(part, weights, 3);
}

static void run_gradient(struct gf_judge_plane *p, void *out)
{
    const int32_t channels = p->value.channels;

    for (p->channel = 0; p->channel < channels; p->channel++) {
        for (int64_t i = 0; i < p->value.width * p->value.height; i++) {
            int64_t x = i % p->value.width;
            int64_t y = i / p->value.width;
            int64_t at = i * 2 * channels + p->channel;
            gf_judge_store(out, p->window->depth_out, at, slope(p, x, y, false));
            gf_judge_store(out, p->window->depth_out, at + channels, slope(p, x, y, true));
        }
    }
}

gf_status gf_judge_gradient(const struct gf_judge *judge, const struct gf_op *op, gf_error *error)
{
    struct gf_judge_plane plane = gf_judge_input(judge, op);
    (void)error;
    run_gradient(&plane, judge->data[op->out]);
    return GF_OK;
}

gf_status gf_judge_separable(const struct gf_judge *judge, const struct gf_op *op, gf_error *error)
{
    const struct gf_window *window = &op->u.window;
    const struct gf_separable_args *args = &window->args.separable;
    struct sweep s = {.plane = gf_judge_input(judge, op),
                      .wx = judge->data[op->blocks[window->blocks[0]]],
                      .wy = judge->data[op->blocks[window->blocks[1]]],
                      .rx = args->radius_x,
                      .ry = args->radius_y,
                      .shift_x = args->shift_x,
                      .shift_y = args->shift_y};
    s.exact = s.plane.value.depth == GF_U8;
    return run_sweep(&s, judge->data[op->out], error);
}

gf_status gf_judge_box(const struct gf_judge *judge, const struct gf_op *op, gf_error *error)
{
    const struct gf_box_args *args = &op->u.window.args.box;
    struct sweep s = {.plane = gf_judge_input(judge, op),
                      .rx = args->radius_x,
                      .ry = args->radius_y,
                      .turns_x = args->turns_x,
                      .turns_y = args->turns_y,
                      .floors = args->floors};
    s.exact = s.plane.value.depth != GF_F32;
    return run_sweep(&s, judge->data[op->out], error);
}
