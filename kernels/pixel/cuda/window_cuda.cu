/* Passes with a window of any radius: two kernels with lines of sums between them, and one in front where a
 * program comes before the window.
 *
 *   point   load, pre program           -> samples, where there is a program
 *   across  horizontal half             -> middle
 *   down    vertical half, post program -> store */
#include "pixel/cuda/window_cuda.cuh"

/* ---- scratch ---------------------------------------------------------------------------------------- */

/* Does the window see what a program makes? */
static bool gf_has_program_before(const struct gf_pass *pass, const struct gf_path *path)
{
    const bool converts = pass->pre.depth_in != pass->window.depth_in && !(path->flags & GF_PATH_CONVERTS);
    return pass->pre.n > 0 || converts || pass->pre.channels_in != pass->window.channels_in;
}

static int64_t gf_samples_pitch(const struct gf_pass *pass)
{
    return (pass->width * pass->window.channels_in * gf_sample_bytes(pass->window.depth_in) + 15) / 16 * 16;
}

/* Elements of a line of the middle: whole eights. */
static int64_t gf_line_elements(const struct gf_pass *pass)
{
    return (pass->width + 7) / 8 * 8;
}

size_t gf_window_samples_bytes(const struct gf_pass *pass, const struct gf_path *path)
{
    return gf_has_program_before(pass, path) ? static_cast<size_t>(gf_samples_pitch(pass) * pass->height) : 0;
}

size_t gf_window_middle_bytes(const struct gf_pass *pass, int32_t planes, int64_t size)
{
    const int64_t rows = pass->height + (pass->window.border == GF_BORDER_CONSTANT);
    return static_cast<size_t>(rows * planes * gf_line_elements(pass) * size);
}

/* ---- launch ----------------------------------------------------------------------------------------- */

gf_status gf_window_input(struct gf_pass_args *args, const struct gf_run *run,
                          const struct gf_scratch_layout *layout, gf_error *error)
{
    const struct gf_window *window = &run->pass->window;
    struct gf_surface *const samples = &args->operand[GF_OPERAND_CENTRE];
    *samples = args->in;
    if (layout->samples != GF_NO_SAMPLES) {
        struct gf_pass_args before = *args;
        *samples = {static_cast<unsigned char *>(run->scratch) + layout->samples, gf_samples_pitch(run->pass),
                    window->channels_in, window->depth_in};
        before.out = *samples;
        before.post.n = 0;
        GF_TRY(gf_point_launch(&before, gf_run_stream(run), error));
    }
    return GF_OK;
}

gf_status gf_window_output(const struct gf_pass_args *args, const struct gf_surface *made,
                           const struct gf_run *run, gf_error *error)
{
    struct gf_pass_args with = *args;
    with.in = *made;
    with.pre.n = 0;
    with.pre.channels_in = with.pre.channels_out = made->channels;
    with.pre.depth_in = with.pre.depth_out = made->depth;
    return gf_point_launch(&with, gf_run_stream(run), error);
}

gf_status gf_window_launch(enum gf_window_kind kind, struct gf_window_params *p,
                           const struct gf_pass_args *args, const struct gf_run *run,
                           const struct gf_scratch_layout *layout, gf_error *error)
{
    const struct gf_window *window = &run->pass->window;
    const bool integer = kind != GF_SEPARABLE_F32 && kind != GF_BOX_F32 && kind != GF_GRADIENT_F32;
    cudaStream_t stream = gf_run_stream(run);
    p->middle = static_cast<unsigned char *>(run->scratch) + layout->middle;
    p->width = run->pass->width;
    p->height = run->pass->height;
    p->line = gf_line_elements(run->pass);
    p->border = window->border;
    p->depth_out = window->depth_out;
    struct gf_pass_args with = *args;
    GF_TRY(gf_window_input(&with, run, layout, error));
    p->samples = with.operand[GF_OPERAND_CENTRE];
    for (int32_t c = 0; c < GF_MAX_CHANNELS; c++) {
        const float fill = gf_quantise_to(window->fill[c], window->depth_in);
        p->fill[c] = integer ? static_cast<uint32_t>(static_cast<int32_t>(fill)) : gf_float_bits(fill);
    }
    GF_TRY(gf_window_across_launch(kind, p, stream, error));
    return gf_window_down_launch(kind, &with, p, stream, error);
}
