/* Least and greatest samples of runs on CUDA: planes of the least of spans of 1, 2, 4, ... pixels in memory,
 * then each pixel the least of its runs, two spans that overlap each. */
#include "pixel/window/morphology/footprint.h"
#include "pixel/window/morphology/spans_cuda.h"

/* Samples of a row of a plane. */
static int64_t gf_footprint_samples(const struct gf_pass *pass, const struct gf_footprint_args *f)
{
    return (pass->width + f->left + f->right) * pass->window.channels_in;
}

static size_t gf_footprint_plane(const struct gf_pass *pass, const struct gf_footprint_args *f)
{
    return gf_spans_bytes(gf_footprint_samples(pass, f), pass->height, pass->window.depth_in);
}

static size_t gf_footprint_middle(const struct gf_pass *pass)
{
    struct gf_footprint_args f;
    gf_args_get(&pass->window.args.own, &f, sizeof f);
    const size_t levels = static_cast<size_t>(gf_span_level(f.longest)) + 1;
    return levels * gf_footprint_plane(pass, &f) + gf_spans_output_bytes(pass);
}

static gf_status gf_footprint_launch(const struct gf_pass_args *args, const struct gf_run *run,
                                     const struct gf_scratch_layout *layout, gf_error *error)
{
    const struct gf_pass *pass = run->pass;
    struct gf_pass_args with = *args;
    struct gf_footprint_args f;
    struct gf_spans spans;
    GF_TRY(gf_window_input(&with, run, layout, error));
    gf_args_get(&pass->window.args.own, &f, sizeof f);
    gf_spans_make(&spans, &with, run, f.invert);
    spans.left = f.left;
    const int64_t samples = gf_footprint_samples(pass, &f);
    const size_t plane = gf_footprint_plane(pass, &f);
    const int32_t levels = gf_span_level(f.longest) + 1;
    unsigned char *const middle = static_cast<unsigned char *>(run->scratch) + layout->middle;
    struct gf_spans_plane first = {
        middle, static_cast<int64_t>(gf_spans_pitch(samples, pass->window.depth_in)), pass->height};
    GF_TRY(gf_spans_extend(&spans, &first, samples, error));
    struct gf_spans_plane from = first;
    for (int32_t level = 1; level < levels; level++) {
        const int64_t span = (int64_t(1) << (level - 1)) * pass->window.channels_in;
        struct gf_spans_step step = {
            {0, span, 0, span}, {0, 0, 0, 0}, samples - 2 * span + pass->window.channels_in, false};
        struct gf_spans_plane to = from;
        to.data += plane;
        GF_TRY(gf_spans_least(&spans, &step, &from, &to, error));
        from = to;
    }
    gf_spans_begin_output(&spans, args, middle + plane * static_cast<size_t>(levels));
    const int16_t *runs = static_cast<const int16_t *>(run->blocks[pass->window.blocks[0]]);
    GF_TRY(gf_spans_runs(&spans, &first, plane, runs, f.runs, error));
    return gf_spans_end_output(&spans, &with, error);
}

const struct gf_path gf_paths_cuda_footprint[] = {
    GF_PATH_CUDA("spans-footprint", nullptr, gf_footprint_launch, gf_footprint_middle, 0), GF_PATHS_END};
