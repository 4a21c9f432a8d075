/* Gaussians of a large sigma on CUDA: six kernels with the grids of multirate.h in scratch between them, and
 * one in front where a program comes before the window. The first reads the picture, the last writes it;
 * those between see a `step`-th of it or less. */
#include "pixel/window/blur/multirate_cuda.cuh"

static int64_t gf_in_fours(int64_t n)
{
    return (n + 3) / 4 * 4;
}

/* Lays the grids out from `memory` on; returns the bytes they take. */
static size_t gf_multirate_layout(const struct gf_pass *pass, float *memory, struct gf_multirate_params *p)
{
    const bool down = pass->window.args.multirate.down;
    p->grids = gf_multirate_grids_make(pass);
    p->channels = pass->window.channels_in;
    p->line = gf_in_fours(p->grids.wide);
    const int64_t line = p->channels * p->line, narrow = p->channels * p->grids.narrow;
    const int64_t sizes[] = {p->grids.source_rows * line, down ? p->grids.rows * line : 0,
                             p->grids.rows * narrow, down ? p->grids.narrow_rows * narrow : 0,
                             down ? pass->height * narrow : 0};
    float **const grids[] = {&p->across, &p->coarse, &p->smooth, &p->smoother, &p->rows};
    int64_t total = 0;
    for (int i = 0; i < 5; i++) {
        *grids[i] = memory ? memory + total : nullptr;
        total += sizes[i];
    }
    if (!down) {
        p->coarse = p->across;
        p->smoother = p->rows = p->smooth;
    }
    return static_cast<size_t>(total) * sizeof(float);
}

static size_t gf_multirate_bytes(const struct gf_pass *pass)
{
    struct gf_multirate_params p;
    return gf_multirate_layout(pass, nullptr, &p);
}

static gf_status gf_multirate_launch(const struct gf_pass_args *args, const struct gf_run *run,
                                     const struct gf_scratch_layout *layout, gf_error *error)
{
    const struct gf_pass *pass = run->pass;
    const struct gf_window *window = &pass->window;
    const int8_t slot = window->blocks[0];
    const float *host = static_cast<const float *>(run->host_blocks[slot]);
    cudaStream_t stream = gf_run_stream(run);
    struct gf_multirate_params p = gf_multirate_params();
    struct gf_pass_args with = *args;
    float *const memory =
        reinterpret_cast<float *>(static_cast<unsigned char *>(run->scratch) + layout->middle);

    (void)gf_multirate_layout(pass, memory, &p);
    p.weights = static_cast<const float *>(run->blocks[slot]);
    p.width = pass->width;
    p.height = pass->height;
    p.step = window->args.multirate.step;
    p.radius = window->args.multirate.radius;
    p.border = window->border;
    for (int32_t c = 0; c < GF_MAX_CHANNELS; c++) {
        p.fill[c] = window->fill[c];
    }
    GF_TRY(gf_window_input(&with, run, layout, error));
    p.samples = with.operand[GF_OPERAND_CENTRE];
    GF_TRY(gf_multirate_sample_across(&p, host, stream, error));
    if (window->args.multirate.down) {
        GF_TRY(gf_multirate_sample_down(&p, host, stream, error));
        GF_TRY(gf_multirate_blur(&p, false, stream, error));
        GF_TRY(gf_multirate_blur(&p, true, stream, error));
        GF_TRY(gf_multirate_interpolate_down(&p, host, stream, error));
    } else {
        GF_TRY(gf_multirate_blur(&p, false, stream, error));
    }
    return gf_multirate_interpolate_across(&with, &p, host, stream, error);
}

const struct gf_path gf_paths_cuda_multirate[] = {
    GF_PATH_CUDA("six-kernels", nullptr, gf_multirate_launch, gf_multirate_bytes, GF_PATH_CONVERTS),
    GF_PATHS_END};
