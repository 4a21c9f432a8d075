/* Passes with a window of any radius: two kernels with lines of sums between them, and one in front where a
 * program comes before the window.
 *
 *   point   load, pre program           -> samples, where there is a program
 *   across  horizontal half             -> middle
 *   down    vertical half, post program -> store */
#include "pixel/window_cuda.cuh"

/* Samples that a box sums across, and down. */
static int64_t gf_box_across(const struct gf_pass *pass)
{
    const struct gf_box_args *box = &pass->window.args.box;
    return gf_box_width(box->radius_x, box->turns_x, pass->width, pass->window.border);
}
static int64_t gf_box_down(const struct gf_pass *pass)
{
    const struct gf_box_args *box = &pass->window.args.box;
    return gf_box_width(box->radius_y, box->turns_y, pass->height, pass->window.border);
}

/* Largest sum of an integer box; 0 when it does not fit the divider's 62 bits. */
static uint64_t gf_box_largest(const struct gf_pass *pass)
{
    const gf_u128 area = static_cast<gf_u128>(gf_box_across(pass)) * static_cast<gf_u128>(gf_box_down(pass));
    const gf_u128 largest = area * (pass->window.depth_in == GF_U8 ? 255U : 65535U);
    return largest >> 61 ? 0 : static_cast<uint64_t>(largest);
}

static enum gf_window_kind gf_box_kind(const struct gf_pass *pass)
{
    const uint64_t largest = gf_box_largest(pass);
    if (largest == 0 || largest > UINT32_MAX) {
        return GF_BOX_U64;
    }
    return pass->window.depth_in == GF_U8 && gf_box_across(pass) <= 257 ? GF_BOX_U16 : GF_BOX_U32;
}

/* Horizontal sums of weights above zero fit 16 bits (docs/exactness.md). */
static bool gf_weights_are_positive(const int16_t *weights, int64_t radius)
{
    for (int64_t i = 0; i <= 2 * radius; i++) {
        if (weights[i] < 0) {
            return false;
        }
    }
    return true;
}

static enum gf_window_kind gf_window_kind_of(const struct gf_run *run)
{
    const struct gf_window *window = &run->pass->window;
    const bool u8 = window->depth_in == GF_U8;
    if (window->kernel == &gf_kernel_gradient) {
        return u8 ? GF_GRADIENT_INT : GF_GRADIENT_F32;
    }
    if (window->kernel != &gf_kernel_separable) {
        return window->depth_in == GF_F32 ? GF_BOX_F32 : gf_box_kind(run->pass);
    }
    if (!u8) {
        return GF_SEPARABLE_F32;
    }
    const int16_t *wx = static_cast<const int16_t *>(run->host_blocks[window->blocks[0]]);
    return wx && gf_weights_are_positive(wx, window->args.separable.radius_x) ? GF_SEPARABLE_S16
                                                                              : GF_SEPARABLE_S32;
}

/* ---- scratch ---------------------------------------------------------------------------------------- */

/* Does the window see what a program makes? Multirate converts as it loads. */
static bool gf_has_program_before(const struct gf_pass *pass)
{
    const bool converts =
        pass->pre.depth_in != pass->window.depth_in && pass->window.kernel != &gf_kernel_multirate;
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

size_t gf_window_samples_bytes(const struct gf_pass *pass)
{
    return gf_has_program_before(pass) ? static_cast<size_t>(gf_samples_pitch(pass) * pass->height) : 0;
}

size_t gf_window_middle_bytes(const struct gf_pass *pass)
{
    const struct gf_window *window = &pass->window;
    if (window->kernel == &gf_kernel_multirate) {
        return gf_multirate_bytes(pass);
    }
    const bool integer = window->depth_in != GF_F32 && window->kernel != &gf_kernel_separable;
    const int64_t rows = pass->height + (window->border == GF_BORDER_CONSTANT);
    const int64_t planes = window->channels_in * (window->kernel == &gf_kernel_gradient ? 2 : 1);
    const int64_t size =
        window->kernel == &gf_kernel_box && integer && gf_box_kind(pass) == GF_BOX_U64 ? 8 : 4;
    return static_cast<size_t>(rows * planes * gf_line_elements(pass) * size);
}

/* ---- launch ----------------------------------------------------------------------------------------- */

gf_status gf_window_input(struct gf_pass_args *args, const struct gf_run *run,
                          const struct gf_scratch_layout *layout, gf_error *error)
{
    const struct gf_window *window = &run->pass->window;
    struct gf_surface *const samples = &args->operand[GF_OPERAND_CENTRE];
    *samples = args->in;
    if (gf_has_program_before(run->pass)) {
        struct gf_pass_args before = *args;
        *samples = {static_cast<unsigned char *>(run->scratch) + layout->samples, gf_samples_pitch(run->pass),
                    window->channels_in, window->depth_in};
        before.out = *samples;
        before.post.n = 0;
        GF_TRY(gf_point_launch(&before, gf_run_stream(run), error));
    }
    return GF_OK;
}

static gf_status gf_box_divider(const struct gf_pass *pass, struct gf_window_params *p, gf_error *error)
{
    const int64_t area = gf_box_across(pass) * gf_box_down(pass);
    const uint64_t largest = gf_box_largest(pass);
    p->area = static_cast<float>(area);
    if (pass->window.depth_in == GF_F32) {
        return GF_OK;
    }
    if (!gf_divider_make(static_cast<uint64_t>(area), largest, &p->divider)) {
        return gf_fail(error, GF_ERROR_LIMIT, "box: a window of radius %lld x %lld has sums over 61 bits",
                       static_cast<long long>(p->rx), static_cast<long long>(p->ry));
    }
    if (largest <= UINT32_MAX) { /* leaves a multiplier of 0 where there is none */
        (void)gf_divider32_make(static_cast<uint32_t>(area), static_cast<uint32_t>(largest), &p->divider32);
    }
    return GF_OK;
}

static gf_status gf_window_params_make(const struct gf_run *run, const struct gf_scratch_layout *layout,
                                       struct gf_window_params *p, gf_error *error)
{
    const struct gf_pass *pass = run->pass;
    const struct gf_window *window = &pass->window;
    p->middle = static_cast<unsigned char *>(run->scratch) + layout->middle;
    p->width = pass->width;
    p->height = pass->height;
    p->line = gf_line_elements(pass);
    p->border = window->border;
    p->planes = window->channels_in * (window->kernel == &gf_kernel_gradient ? 2 : 1);
    p->depth_out = window->depth_out;
    if (window->kernel == &gf_kernel_separable) {
        p->rx = window->args.separable.radius_x;
        p->ry = window->args.separable.radius_y;
        p->shift_x = window->args.separable.shift_x;
        p->shift_y = window->args.separable.shift_y;
        p->wx = run->blocks[window->blocks[0]];
        p->wy = run->blocks[window->blocks[1]];
    } else if (window->kernel != &gf_kernel_gradient) {
        p->rx = window->args.box.radius_x;
        p->ry = window->args.box.radius_y;
        p->turns_x = window->args.box.turns_x;
        p->turns_y = window->args.box.turns_y;
        GF_TRY(gf_box_divider(pass, p, error));
    }
    return GF_OK;
}

gf_status gf_window_launch(const struct gf_pass_args *args, const struct gf_run *run,
                           const struct gf_scratch_layout *layout, gf_error *error)
{
    const struct gf_window *window = &run->pass->window;
    const enum gf_window_kind kind = gf_window_kind_of(run);
    const bool integer = kind != GF_SEPARABLE_F32 && kind != GF_BOX_F32 && kind != GF_GRADIENT_F32;
    cudaStream_t stream = gf_run_stream(run);
    struct gf_window_params p = gf_window_params();
    struct gf_pass_args with = *args;
    GF_TRY(gf_window_input(&with, run, layout, error));
    p.samples = with.operand[GF_OPERAND_CENTRE];
    GF_TRY(gf_window_params_make(run, layout, &p, error));
    for (int32_t c = 0; c < GF_MAX_CHANNELS; c++) {
        const float fill = gf_quantise_to(window->fill[c], window->depth_in);
        p.fill[c] = integer ? static_cast<uint32_t>(static_cast<int32_t>(fill)) : gf_float_bits(fill);
    }
    GF_TRY(gf_window_across_launch(kind, &p, stream, error));
    return gf_window_down_launch(kind, &with, &p, stream, error);
}
