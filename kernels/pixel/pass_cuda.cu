/* Running a pass on a CUDA device: which kernels, with which scratch. */
#include "pixel/pass_cuda.h"

#include "base/device_scope_cuda.h"
#include "pixel/march_cuda.h"
#include "pixel/strip_f32_cuda.h"
#include "pixel/u8_cuda.h"

/* ---- scratch ------------------------------------------------------------------------------- */

static size_t gf_take(struct gf_scratch_layout *layout, size_t bytes)
{
    const size_t at = layout->total;
    layout->total += (bytes + 255) / 256 * 256;
    return at;
}

/* Do the taps see exactly the picture that the pass reads? */
static bool gf_taps_see_input(const struct gf_pass *pass)
{
    return pass->window.kernel == nullptr && pass->pre.n == 0 && pass->post.n == 0;
}

static int64_t gf_row_bytes(const struct gf_pass *pass)
{
    return pass->width * pass->post.channels_out * gf_sample_bytes(pass->post.depth_out);
}

/* Are there taps that read a picture from memory? */
static bool gf_has_taps_left(const struct gf_pass *pass, const struct gf_u8_plan *plan)
{
    return pass->n_taps > (plan->tap != GF_NONE ? 1 : 0);
}

static bool gf_has_stats(const struct gf_pass *pass)
{
    for (int32_t i = 0; i < pass->n_taps; i++) {
        if (pass->taps[i].kind == GF_TAP_STATS) {
            return true;
        }
    }
    return false;
}

void gf_scratch_layout_make(const struct gf_pass *pass, struct gf_scratch_layout *layout)
{
    *layout = {0, 0, 0, 0, 0};
    const struct gf_u8_plan plan = gf_u8_plan_make(pass);
    if (pass->window.kernel && !plan.takes && !gf_march_takes(pass) && !gf_strip_f32_takes(pass)) {
        layout->samples = gf_take(layout, gf_window_samples_bytes(pass));
        layout->middle = gf_take(layout, gf_window_middle_bytes(pass));
    }
    if (pass->out == GF_NONE && gf_has_taps_left(pass, &plan) && !gf_taps_see_input(pass)) {
        layout->picture = gf_take(layout, static_cast<size_t>(gf_row_bytes(pass) * pass->height));
    }
    if (gf_has_stats(pass)) {
        layout->measures = gf_take(layout, gf_stats_scratch(pass));
    }
}

static size_t gf_pass_scratch(const struct gf_pass *pass)
{
    struct gf_scratch_layout layout;
    gf_scratch_layout_make(pass, &layout);
    return layout.total;
}

/* ---- running ------------------------------------------------------------------------------- */

static gf_status gf_pass_cuda(struct gf_run *run, gf_error *error)
{
    const struct gf_pass *pass = run->pass;
    struct gf_scratch_layout layout;
    struct gf_pass_args args = gf_pass_args_make(run);
    struct gf_surface picture = args.out; /* what taps read */
    const struct gf_u8_plan plan = gf_u8_plan_make(pass);
    GF_ON_DEVICE(run->queue.device, error)
    gf_scratch_layout_make(pass, &layout);
    if (!args.out.data && gf_has_taps_left(pass, &plan)) {
        if (gf_taps_see_input(pass)) {
            picture = args.in;
        } else {
            picture.data = static_cast<unsigned char *>(run->scratch) + layout.picture;
            picture.pitch = gf_row_bytes(pass);
            args.out = picture;
        }
    }
    if (plan.tap != GF_NONE) {
        GF_TRY(gf_tap_clear(run, plan.tap, error));
    }
    if (args.out.data && plan.tap == GF_NONE && gf_march_takes(pass)) {
        GF_TRY(gf_march_launch(&args, run, error));
    } else if (plan.takes) {
        GF_TRY(pass->window.kernel ? gf_strip_u8_launch(&args, run, &plan, error)
                                   : gf_point_u8_launch(&args, run, &plan, error));
    } else if (args.out.data && gf_strip_f32_takes(pass)) {
        GF_TRY(gf_strip_f32_launch(&args, run, error));
    } else if (args.out.data && pass->window.kernel == &gf_kernel_multirate) {
        GF_TRY(gf_multirate_launch(&args, run, &layout, error));
    } else if (args.out.data && pass->window.kernel) {
        GF_TRY(gf_window_launch(&args, run, &layout, error));
    } else if (args.out.data) {
        GF_TRY(gf_point_launch(&args, gf_run_stream(run), error));
    }
    GF_TRY(gf_taps_launch(run, picture, &layout, plan.tap == GF_NONE ? 0U : 1U << plan.tap, error));
    const uint64_t pixels = static_cast<uint64_t>(pass->width) * static_cast<uint64_t>(pass->height);
    run->bytes_read =
        pixels * static_cast<uint64_t>(pass->pre.channels_in * gf_sample_bytes(pass->pre.depth_in)) +
        gf_pass_second_size(pass);
    run->bytes_written = pass->out == GF_NONE ? 0 : static_cast<uint64_t>(gf_row_bytes(pass) * pass->height);
    return GF_OK;
}

#define GF_PASS_KERNEL(name)                                                                                 \
    size_t gf_##name##_cuda_scratch(const struct gf_pass *pass)                                              \
    {                                                                                                        \
        return gf_pass_scratch(pass);                                                                        \
    }                                                                                                        \
    gf_status gf_##name##_cuda(struct gf_run *run, gf_error *error)                                          \
    {                                                                                                        \
        return gf_pass_cuda(run, error);                                                                     \
    }
GF_PASS_KERNEL(point)
GF_PASS_KERNEL(separable)
GF_PASS_KERNEL(box)
GF_PASS_KERNEL(gradient)
GF_PASS_KERNEL(multirate)
