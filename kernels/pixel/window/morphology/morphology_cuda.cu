/* Least and greatest samples of rectangles on CUDA: in one read where the window fits the chip
 * (march_least_cuda.cu), else through memory, in a number of steps that grows with the logarithm of its
 * sides. */
#include "pixel/window/morphology/morphology.h"

#include "pixel/window/morphology/march_least_cuda.h"
#include "pixel/window/morphology/spans_cuda.h"

static int64_t gf_morphology_across(const struct gf_morphology_args *args)
{
    return int64_t(args->left) + args->right + 1;
}
static int64_t gf_morphology_down(const struct gf_morphology_args *args)
{
    return int64_t(args->up) + args->down + 1;
}

static size_t gf_morphology_plane(const struct gf_pass *pass)
{
    struct gf_morphology_args args;
    gf_args_get(&pass->window.args.own, &args, sizeof args);
    const int64_t channels = pass->window.channels_in;
    const gf_depth depth = pass->window.depth_in;
    const size_t wide =
        gf_spans_bytes((pass->width + gf_morphology_across(&args)) * channels, pass->height, depth);
    const size_t high =
        gf_spans_bytes(pass->width * channels, pass->height + gf_morphology_down(&args), depth);
    return wide > high ? wide : high;
}

/* Two planes in turn, and the window's output. */
static size_t gf_morphology_middle(const struct gf_pass *pass)
{
    return 2 * gf_morphology_plane(pass) + gf_spans_output_bytes(pass);
}

/* What the steps share, and one of them: spans of `span` pixels along an axis that cover `window`, for so
 * many samples of so many rows. */
struct gf_morphology_steps {
    const struct gf_spans *spans;
    struct gf_spans_plane from, other;
};
struct gf_morphology_span {
    bool down, outside, last;
    int64_t span, window, samples, rows;
};

static gf_status gf_morphology_step(struct gf_morphology_steps *s, const struct gf_morphology_span &w,
                                    gf_error *error)
{
    const struct gf_spans *spans = s->spans;
    struct gf_spans_step step = {{}, {}, w.samples, w.outside};
    const int64_t furthest = w.window - w.span - (GF_FAULT(cuda_spans_seam) && w.window > w.span);
    for (int64_t k = 0; k < 4; k++) {
        const int64_t at = k * w.span < furthest ? k * w.span : furthest;
        (w.down ? step.dy : step.dx)[k] = w.down ? at : at * spans->in.channels;
    }
    const struct gf_spans_plane to = {
        s->other.data, static_cast<int64_t>(gf_spans_pitch(w.samples, spans->in.depth)), w.rows};
    GF_TRY(gf_spans_least(spans, &step, &s->from, w.last ? nullptr : &to, error));
    s->other = s->from;
    s->from = to;
    return GF_OK;
}

/* Steps of 4, 16, ... pixels along an axis, then one that covers the window. */
static gf_status gf_morphology_axis(struct gf_morphology_steps *s, bool down, int64_t window, bool last,
                                    gf_error *error)
{
    const int64_t width = s->spans->width, height = s->spans->height, channels = s->spans->in.channels;
    struct gf_morphology_span w = {down, down, false, 1, 0, width * channels, height};
    for (; 4 * w.span < window; w.span *= 4, w.outside = false) {
        w.window = 4 * w.span;
        w.samples = (width + (down ? 0 : window - w.window)) * channels;
        w.rows = height + (down ? window - w.window : 0);
        GF_TRY(gf_morphology_step(s, w, error));
    }
    w.window = window;
    w.samples = width * channels;
    w.rows = height;
    w.last = last;
    return gf_morphology_step(s, w, error);
}

static gf_status gf_morphology_launch(const struct gf_pass_args *args, const struct gf_run *run,
                                      const struct gf_scratch_layout *layout, gf_error *error)
{
    const struct gf_pass *pass = run->pass;
    const size_t plane = gf_morphology_plane(pass);
    unsigned char *const middle = static_cast<unsigned char *>(run->scratch) + layout->middle;
    struct gf_pass_args with = *args;
    struct gf_morphology_args m;
    struct gf_spans spans;
    GF_TRY(gf_window_input(&with, run, layout, error));
    gf_args_get(&pass->window.args.own, &m, sizeof m);
    gf_spans_make(&spans, &with, run, m.invert);
    spans.left = m.left;
    spans.up = m.up;
    gf_spans_begin_output(&spans, args, middle + 2 * plane);
    const int64_t across = gf_morphology_across(&m), down = gf_morphology_down(&m);
    const int64_t samples = (pass->width + across - 1) * pass->window.channels_in;
    const struct gf_spans_plane first = {
        middle, static_cast<int64_t>(gf_spans_pitch(samples, pass->window.depth_in)), pass->height};
    struct gf_morphology_steps steps = {&spans, first, {middle + plane, 0, 0}};
    GF_TRY(gf_spans_extend(&spans, &first, samples, error));
    GF_TRY(gf_morphology_axis(&steps, false, across, down == 1, error));
    if (down > 1) {
        GF_TRY(gf_morphology_axis(&steps, true, down, true, error));
    }
    return gf_spans_end_output(&spans, &with, error);
}

const struct gf_path gf_paths_cuda_morphology[] = {
    GF_PATH_CUDA("march-least", gf_march_least_takes, gf_march_least_launch, gf_spans_output_bytes,
                 GF_PATH_PREPARES),
    GF_PATH_CUDA("spans-least", nullptr, gf_morphology_launch, gf_morphology_middle, 0), GF_PATHS_END};
