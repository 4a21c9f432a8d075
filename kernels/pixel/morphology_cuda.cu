/* Least and greatest samples of rectangles on CUDA: across, then down, then the program, where there is one.
 * Samples are compared as keys, as in morphology_cpu.c. */
#include "pixel/morphology.h"
#include "pixel/program_cuda.cuh"

enum { GF_MORPHOLOGY_THREADS = 256 };

struct gf_morphology_params {
    struct gf_surface in, out; /* the window's input and output */
    uint32_t *keys;            /* rows of samples: the least of each row of a window */
    int64_t width, height;     /* pixels */
    struct gf_morphology_args args;
    int32_t border;
    uint32_t fill[GF_MAX_CHANNELS]; /* keys */
};

static __global__ void __launch_bounds__(GF_MORPHOLOGY_THREADS)
    gf_morphology_across(const struct gf_morphology_params p)
{
    const int64_t i = int64_t(blockIdx.x) * GF_MORPHOLOGY_THREADS + threadIdx.x;
    const int64_t x = i / p.in.channels, samples = p.width * p.in.channels;
    const int32_t c = static_cast<int32_t>(i - x * p.in.channels);
    for (int64_t y = blockIdx.y; i < samples && y < p.height; y += gridDim.y) {
        uint32_t least = UINT32_MAX;
        for (int64_t u = x - p.args.left; u <= x + p.args.right; u++) {
            const int64_t column = gf_border_index(u, p.width, p.border);
            const uint32_t key = column < 0
                                     ? p.fill[c]
                                     : gf_float_key(gf_sample_load(p.in.data + y * p.in.pitch, p.in.depth,
                                                                   column * p.in.channels + c)) ^
                                           p.args.invert;
            least = key < least ? key : least;
        }
        p.keys[y * samples + i] = least;
    }
}

static __global__ void __launch_bounds__(GF_MORPHOLOGY_THREADS)
    gf_morphology_down(const struct gf_morphology_params p)
{
    const int64_t i = int64_t(blockIdx.x) * GF_MORPHOLOGY_THREADS + threadIdx.x;
    const int64_t samples = p.width * p.in.channels;
    for (int64_t y = blockIdx.y; i < samples && y < p.height; y += gridDim.y) {
        uint32_t least = UINT32_MAX;
        for (int64_t v = y - p.args.up; v <= y + p.args.down; v++) {
            const int64_t row = gf_border_index(v, p.height, p.border);
            const uint32_t key = row < 0 ? p.fill[i % p.in.channels] : p.keys[row * samples + i];
            least = key < least ? key : least;
        }
        gf_sample_store(p.out.data + y * p.out.pitch, p.out.depth, i, gf_key_float(least ^ p.args.invert));
    }
}

static int64_t gf_morphology_keys(const struct gf_pass *pass)
{
    return (pass->width * pass->window.channels_in * pass->height + 63) / 64 * 64;
}

static int64_t gf_morphology_pitch(const struct gf_pass *pass)
{
    return pass->width * pass->window.channels_in * gf_sample_bytes(pass->window.depth_out);
}

/* Keys, and the window's output for the program after it. */
static size_t gf_morphology_middle(const struct gf_pass *pass)
{
    return static_cast<size_t>(gf_morphology_keys(pass)) * sizeof(uint32_t) +
           static_cast<size_t>(gf_morphology_pitch(pass) * pass->height);
}

static gf_status gf_morphology_launch(const struct gf_pass_args *args, const struct gf_run *run,
                                      const struct gf_scratch_layout *layout, gf_error *error)
{
    const struct gf_pass *pass = run->pass;
    const struct gf_window *window = &pass->window;
    unsigned char *const middle = static_cast<unsigned char *>(run->scratch) + layout->middle;
    const bool direct = pass->post.n == 0 && pass->post.depth_out == window->depth_out;
    struct gf_pass_args with = *args;
    struct gf_morphology_params p = {};
    struct gf_launch launch = {};
    GF_TRY(gf_window_input(&with, run, layout, error));
    p.in = with.operand[GF_OPERAND_CENTRE];
    p.keys = reinterpret_cast<uint32_t *>(middle);
    p.width = pass->width;
    p.height = pass->height;
    p.border = window->border;
    gf_args_get(&window->args.own, &p.args, sizeof p.args);
    p.out = {middle + gf_morphology_keys(pass) * int64_t(sizeof(uint32_t)), gf_morphology_pitch(pass),
             window->channels_in, window->depth_out};
    p.out = direct ? with.out : p.out;
    for (int32_t c = 0; c < GF_MAX_CHANNELS; c++) {
        p.fill[c] = gf_float_key(gf_quantise_to(window->fill[c], window->depth_in)) ^ p.args.invert;
    }
    launch.block = dim3(GF_MORPHOLOGY_THREADS);
    launch.grid = dim3(gf_blocks(p.width * p.in.channels, GF_MORPHOLOGY_THREADS),
                       gf_blocks(p.height < 65535 ? p.height : 65535, 1));
    launch.stream = gf_run_stream(run);
    GF_CUDA_TRY(error, GF_LAUNCH(gf_morphology_across, launch, p));
    GF_CUDA_TRY(error, GF_LAUNCH(gf_morphology_down, launch, p));
    if (direct) {
        return GF_OK;
    }
    with.in = p.out;
    with.pre.n = 0;
    with.pre.channels_in = with.pre.channels_out = window->channels_out;
    with.pre.depth_in = with.pre.depth_out = window->depth_out;
    return gf_point_launch(&with, launch.stream, error);
}

static const struct gf_cuda_way gf_way_morphology = {gf_morphology_launch, gf_morphology_middle, false, false,
                                                     false};
const struct gf_path gf_paths_cuda_morphology[] = {GF_PATH_CUDA("plain", nullptr, gf_way_morphology),
                                                   GF_PATHS_END};
