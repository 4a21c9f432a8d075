/* The judge's Gaussian of a large sigma: every grid in full, sum by sum. */
#include "base/gf_border.h"
#include "pixel/ir/kernel_table.h"
#include "pixel/ir/multirate.h"
#include "pixel/judge/reference_parts.h"

#include <stdlib.h>

/* Samples of a grid in rows: a coarse one begins `before` samples left of and above sample (0, 0). */
struct grid {
    float *at;
    int64_t width, height;
};

struct multirate {
    const struct gf_window *window;
    const float *weights;
    int64_t step, radius;
    bool down;
    struct grid picture;  /* one channel; a last row of fill */
    struct grid across;   /* sampled down along rows */
    struct grid coarse;   /* and along columns */
    struct grid smooth;   /* blurred along rows */
    struct grid smoother; /* and along columns */
};

/* One accumulator over n products, samples and weights so many elements apart. */
static float chain(const float *x, int64_t apart, const float *weights, int64_t weights_apart, int64_t n)
{
    float sum = weights[0] * x[0];
    for (int64_t i = 1; i < n; i++) {
        sum = gf_fma(weights[i * weights_apart], x[i * apart], sum);
    }
    return sum;
}

/* Coarse samples from the first one read, radius + 4 steps before pixel 0, to the last. */
static int64_t coarse_count(const struct multirate *m, int64_t n)
{
    return (n - 1) / m->step + GF_MULTIRATE_TAPS + 2 * m->radius;
}

/* The pixel at which decimation begins for coarse sample k of the grid. */
static int64_t window_start(const struct multirate *m, int64_t k)
{
    return (k - GF_MULTIRATE_BEFORE - m->radius) * m->step - m->step * 9 / 2;
}

static void sample_across(const struct multirate *m, float *line)
{
    const float *weights = m->weights + gf_multirate_at_decimation(m->step);
    const int border = m->window->border;
    const int64_t taps = 9 * m->step + 1, w = m->picture.width;

    for (int64_t y = 0; y < m->across.height; y++) {
        const float *row = m->picture.at + y * w;
        float fill = m->picture.at[m->across.height * w];
        for (int64_t k = 0; k < m->across.width; k++) {
            for (int64_t i = 0; i < taps; i++) {
                int64_t x = gf_border_index(window_start(m, k) + i, w, border);
                line[i] = x < 0 ? fill : row[x];
            }
            m->across.at[y * m->across.width + k] = chain(line, 1, weights, 1, taps);
        }
    }
    for (int64_t i = 0; i < taps; i++) { /* what a row of fill becomes */
        line[i] = m->picture.at[m->across.height * w];
    }
    for (int64_t k = 0; k < m->across.width; k++) {
        m->across.at[m->across.height * m->across.width + k] = chain(line, 1, weights, 1, taps);
    }
}

static void sample_down(const struct multirate *m, float *line)
{
    const float *weights = m->weights + gf_multirate_at_decimation(m->step);
    const int64_t taps = 9 * m->step + 1, w = m->coarse.width;

    for (int64_t i = 0; i < m->coarse.height * w; i++) {
        int64_t row = i / w, column = i % w;
        for (int64_t t = 0; m->down && t < taps; t++) {
            int64_t y = gf_border_index(window_start(m, row) + t, m->across.height, m->window->border);
            line[t] = m->across.at[(y < 0 ? m->across.height : y) * w + column];
        }
        m->coarse.at[i] = m->down ? chain(line, 1, weights, 1, taps) : m->across.at[i];
    }
}

static void blur(const struct multirate *m)
{
    const float *weights = m->weights + gf_multirate_at_blur(m->step);
    const int64_t taps = 2 * m->radius + 1, w = m->smooth.width;

    for (int64_t i = 0; i < m->smooth.height * w; i++) {
        m->smooth.at[i] = chain(m->coarse.at + i / w * m->coarse.width + i % w, 1, weights, 1, taps);
    }
    for (int64_t i = 0; i < m->smoother.height * w; i++) {
        m->smoother.at[i] = m->down ? chain(m->smooth.at + i, w, weights, 1, taps) : m->smooth.at[i];
    }
}

/* The picture at (x, y): columns of coarse samples first, then along the row. */
static float interpolated(const struct multirate *m, int64_t x, int64_t y)
{
    float columns[GF_MULTIRATE_TAPS];
    const int64_t w = m->smoother.width;
    const float *at = m->smoother.at + (m->down ? y / m->step : y) * w + x / m->step;

    for (int64_t j = 0; j < GF_MULTIRATE_TAPS; j++) {
        columns[j] = m->down ? chain(at + j, w, m->weights + y % m->step, m->step, GF_MULTIRATE_TAPS) : at[j];
    }
    return chain(columns, 1, m->weights + x % m->step, m->step, GF_MULTIRATE_TAPS);
}

static bool allocate(struct multirate *m)
{
    const int64_t w = m->picture.width, h = m->picture.height;
    int64_t columns = coarse_count(m, w), rows = m->down ? coarse_count(m, h) : h;
    m->across = (struct grid){NULL, columns, h};
    m->coarse = (struct grid){NULL, columns, rows};
    m->smooth = (struct grid){NULL, columns - 2 * m->radius, rows};
    m->smoother = (struct grid){NULL, columns - 2 * m->radius, m->down ? rows - 2 * m->radius : rows};
    struct grid *grids[] = {&m->picture, &m->across, &m->coarse, &m->smooth, &m->smoother};
    bool ok = true;
    for (int i = 0; i < 5; i++) {
        grids[i]->at = calloc((size_t)(grids[i]->width * (grids[i]->height + 1)), sizeof(float));
        ok = ok && grids[i]->at;
    }
    return ok;
}

gf_status gf_judge_multirate(const struct gf_judge *judge, const struct gf_op *op, gf_error *error)
{
    const struct gf_window *window = &op->u.window;
    const struct gf_multirate_args args = window->args.multirate;
    const struct gf_value in = judge->list->values[op->in];
    struct multirate m = {.window = window,
                          .weights = judge->data[op->blocks[window->blocks[0]]],
                          .step = args.step,
                          .radius = args.radius,
                          .down = args.down,
                          .picture = {NULL, in.width, in.height}};
    const int64_t pixels = in.width * in.height;
    float *line = calloc((size_t)(9 * m.step + 1), sizeof *line);
    bool ok = allocate(&m) && line;

    for (int64_t c = 0; ok && c < in.channels; c++) {
        for (int64_t i = 0; i < pixels + in.width; i++) {
            m.picture.at[i] = i < pixels ? gf_judge_sample(judge->data[op->in], in.depth, i * in.channels + c)
                                         : gf_judge_quantise(in.depth, window->fill[c]);
        }
        sample_across(&m, line);
        sample_down(&m, line);
        blur(&m);
        for (int64_t i = 0; i < pixels; i++) {
            gf_judge_store(judge->data[op->out], window->depth_out, i * in.channels + c,
                           interpolated(&m, i % in.width, i / in.width));
        }
    }
    free(line);
    free(m.picture.at);
    free(m.across.at);
    free(m.coarse.at);
    free(m.smooth.at);
    free(m.smoother.at);
    return ok ? GF_OK
              : gf_fail(error, GF_ERROR_MEMORY, "no memory for the grids of %lld pixels", (long long)pixels);
}
