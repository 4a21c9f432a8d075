/* Running a pass on a CUDA device: which kernels, with which scratch. */
#include "pixel/cuda/pass_cuda.h"

#include "base/device_scope_cuda.h"
#include "pixel/cuda/u8_cuda.h"

/* ---- scratch ------------------------------------------------------------------------------- */

static size_t gf_take(struct gf_scratch_layout *layout, size_t bytes)
{
    const size_t at = layout->total;
    layout->total += (bytes + 255) / 256 * 256;
    return at;
}

/* Do the taps see exactly the picture that the pass reads, where that lies? */
static bool gf_taps_see_input(const struct gf_pass *pass)
{
    return !pass->map.move.kernel && pass->window.kernel == nullptr && pass->pre.n == 0 && pass->post.n == 0;
}

static int64_t gf_row_bytes(const struct gf_pass *pass)
{
    return pass->width * pass->post.channels_out * gf_sample_bytes(pass->post.depth_out);
}

/* Are there taps that read a picture from memory, beside the one that is counted? */
static bool gf_has_taps_left(const struct gf_pass *pass, int32_t counted)
{
    return pass->n_taps > (counted != GF_NONE ? 1 : 0);
}

/* The tap that is counted on the way. */
static int32_t gf_tap_counted(const struct gf_pass *pass, const struct gf_path *path)
{
    return path->flags & GF_PATH_COUNTS ? gf_u8_plan_make(pass).tap : GF_NONE;
}

/* Scratch of the tap that takes most. */
static size_t gf_taps_scratch(const struct gf_pass *pass)
{
    size_t most = 0;
    for (int32_t i = 0; i < pass->n_taps; i++) {
        const struct gf_cuda_measure *measure = pass->taps[i].kernel->tap.cuda();
        const size_t bytes = measure->scratch ? measure->scratch(pass) : 0;
        most = bytes > most ? bytes : most;
    }
    return most;
}

static void gf_scratch_layout_make(const struct gf_pass *pass, const struct gf_path *path,
                                   struct gf_scratch_layout *layout)
{
    *layout = {GF_NO_SAMPLES, 0, 0, 0, 0};
    if (path->middle) {
        const size_t samples = gf_window_samples_bytes(pass, path);
        if (samples > 0) {
            layout->samples = gf_take(layout, samples);
        }
        layout->middle = gf_take(layout, path->middle(pass));
    }
    if (pass->out == GF_NONE && gf_has_taps_left(pass, gf_tap_counted(pass, path)) &&
        !gf_taps_see_input(pass)) {
        layout->picture = gf_take(layout, static_cast<size_t>(gf_row_bytes(pass) * pass->height));
    }
    layout->measures = gf_take(layout, gf_taps_scratch(pass));
}

size_t gf_pass_cuda_scratch(const struct gf_path *path, const struct gf_pass *pass, int32_t)
{
    struct gf_scratch_layout layout;
    gf_scratch_layout_make(pass, path, &layout);
    return layout.total;
}

/* ---- running ------------------------------------------------------------------------------- */

gf_status gf_tap_clear(const struct gf_run *run, int32_t tap, gf_error *error)
{
    const size_t bytes = gf_tap_block_size(run->pass, &run->pass->taps[tap]);
    GF_CUDA_TRY(error, cudaMemsetAsync(run->taps[tap], 0, bytes, gf_run_stream(run)));
    return GF_OK;
}

/* Launches all taps but the one that is counted. Those that count come first: others follow from counts. */
static gf_status gf_taps_launch(const struct gf_run *run, const struct gf_surface &picture, void *scratch,
                                int32_t counted, gf_error *error)
{
    for (int counts = 1; counts >= 0; counts--) {
        for (int32_t i = 0; i < run->pass->n_taps; i++) {
            const struct gf_cuda_measure *measure = run->pass->taps[i].kernel->tap.cuda();
            if (measure->counts == (counts == 1) && i != counted) {
                if (!run->pass->part.continues || !gf_tap_continues(run->pass, &run->pass->taps[i])) {
                    GF_TRY(gf_tap_clear(run, i, error));
                }
                GF_TRY(measure->launch(run, i, picture, scratch, error));
            }
        }
    }
    return GF_OK;
}

gf_status gf_pass_cuda(const struct gf_path *path, struct gf_run *run, gf_error *error)
{
    const struct gf_pass *pass = run->pass;
    struct gf_scratch_layout layout;
    struct gf_pass_args args = gf_pass_args_make(run);
    struct gf_surface picture = args.out; /* what taps read */
    const int32_t counted = gf_tap_counted(pass, path);
    GF_ON_DEVICE(run->queue.device, error)
    gf_scratch_layout_make(pass, path, &layout);
    if (!args.out.data && gf_has_taps_left(pass, counted)) {
        if (gf_taps_see_input(pass)) {
            picture = args.in;
        } else {
            picture.data = static_cast<unsigned char *>(run->scratch) + layout.picture;
            picture.pitch = gf_row_bytes(pass);
            args.out = picture;
        }
    }
    if (counted != GF_NONE) {
        GF_TRY(gf_tap_clear(run, counted, error));
    }
    if (args.out.data || counted != GF_NONE) {
        GF_TRY(path->launch(&args, run, &layout, error));
    }
    void *const scratch = static_cast<unsigned char *>(run->scratch) + layout.measures;
    GF_TRY(gf_taps_launch(run, picture, scratch, counted, error));
    run->bytes_read = gf_pass_in_size(pass) + gf_pass_second_size(pass);
    run->bytes_written = pass->out == GF_NONE ? 0 : static_cast<uint64_t>(gf_row_bytes(pass) * pass->height);
    return GF_OK;
}

gf_status gf_pass_cuda_prepare(const struct gf_path *path, struct gf_run *run, gf_error *error)
{
    const struct gf_pass_args args = gf_pass_args_make(run);
    struct gf_scratch_layout layout;
    GF_ON_DEVICE(run->queue.device, error)
    gf_scratch_layout_make(run->pass, path, &layout);
    run->prepared->own = gf_args();
    if (path->flags & GF_PATH_PREPARES) {
        GF_TRY(path->launch(&args, run, &layout, error));
    }
    gf_prepared_of(run)->known = 1;
    return GF_OK;
}
