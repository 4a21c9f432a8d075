/* Correlation on CUDA: marches for small kernels (conv_march_cuda.cu), and for any other a thread a sample.
 */
#include "pixel/cuda/program_cuda.cuh"
#include "pixel/window/conv/conv.h"
#include "pixel/window/conv/conv_cuda.h"

enum { GF_CONV_THREADS = 256 };

struct gf_conv_params {
    struct gf_surface in, out; /* the window's input and output */
    const float *weights;
    int64_t width, height; /* pixels */
    struct gf_conv_args args;
    int32_t border;
    float fill[GF_MAX_CHANNELS];
};

/* Sample c of the pixel at (x, y), wherever that is. */
GF_DEVICE_FN float gf_conv_sample(const struct gf_conv_params &p, int64_t x, int64_t y, int32_t c)
{
    const int64_t column = gf_border_index(x, p.width, p.border),
                  row = gf_border_index(y, p.height, p.border);
    return column < 0 || row < 0
               ? p.fill[c]
               : gf_sample_load(p.in.data + row * p.in.pitch, p.in.depth, column * p.in.channels + c);
}

static __global__ void __launch_bounds__(GF_CONV_THREADS) gf_conv(const struct gf_conv_params p)
{
    const int64_t i = int64_t(blockIdx.x) * GF_CONV_THREADS + threadIdx.x;
    const int64_t x = i / p.in.channels, samples = p.width * p.in.channels;
    const int32_t c = static_cast<int32_t>(i - x * p.in.channels);
    const int32_t columns = p.args.left + p.args.right + 1, rows = p.args.up + p.args.down + 1;
    const bool inside = x >= p.args.left && x + p.args.right < p.width;
    for (int64_t y = blockIdx.y; i < samples && y < p.height; y += gridDim.y) {
        const bool within = inside && y >= p.args.up && y + p.args.down < p.height;
        const float *weights = p.weights;
        float sum = -0.0F; /* to which a product is added as it is */
        for (int32_t v = 0; v < rows - GF_FAULT(cuda_conv_row); v++) {
            const int64_t row = y - p.args.up + v;
            const unsigned char *const from = p.in.data + row * p.in.pitch;
            for (int32_t u = 0; u < columns; u++, weights++) {
                const int64_t column = x - p.args.left + u;
                const float sample = within ? gf_sample_load(from, p.in.depth, column * p.in.channels + c)
                                            : gf_conv_sample(p, column, row, c);
                sum = gf_fma(*weights, sample, sum);
            }
        }
        gf_sample_store(p.out.data + y * p.out.pitch, p.out.depth, i, gf_quantise_to(sum, p.out.depth));
    }
}

/* Does the program behind the window have nothing to do? */
static bool gf_conv_is_last(const struct gf_pass *pass)
{
    return pass->post.n == 0 && pass->post.depth_out == pass->window.depth_out && pass->out != GF_NONE;
}

static int64_t gf_conv_pitch(const struct gf_pass *pass)
{
    return pass->width * pass->window.channels_in * gf_sample_bytes(pass->window.depth_out);
}

/* The window's output for the program after it. */
static size_t gf_conv_middle(const struct gf_pass *pass)
{
    return gf_conv_is_last(pass) ? 16 : static_cast<size_t>(gf_conv_pitch(pass) * pass->height);
}

static gf_status gf_conv_launch(const struct gf_pass_args *args, const struct gf_run *run,
                                const struct gf_scratch_layout *layout, gf_error *error)
{
    const struct gf_pass *pass = run->pass;
    const struct gf_window *window = &pass->window;
    const bool last = gf_conv_is_last(pass);
    struct gf_pass_args with = *args;
    struct gf_conv_params p = {};
    struct gf_launch launch = {};
    GF_TRY(gf_window_input(&with, run, layout, error));
    p.in = with.operand[GF_OPERAND_CENTRE];
    p.out = {static_cast<unsigned char *>(run->scratch) + layout->middle, gf_conv_pitch(pass),
             window->channels_in, window->depth_out};
    p.out = last ? with.out : p.out;
    p.weights = static_cast<const float *>(run->blocks[window->blocks[0]]);
    p.width = pass->width;
    p.height = pass->height;
    p.border = window->border;
    p.args = gf_conv_args_of(window);
    for (int32_t c = 0; c < GF_MAX_CHANNELS; c++) {
        p.fill[c] = gf_quantise_to(window->fill[c], window->depth_in);
    }
    launch.block = dim3(GF_CONV_THREADS);
    launch.grid = dim3(gf_blocks(p.width * p.in.channels, GF_CONV_THREADS),
                       gf_blocks(p.height < 65535 ? p.height : 65535, 1));
    launch.stream = gf_run_stream(run);
    GF_CUDA_TRY(error, GF_LAUNCH(gf_conv, launch, p));
    return last ? GF_OK : gf_window_output(&with, &p.out, run, error);
}

const struct gf_path gf_paths_cuda_conv[] = {
    GF_PATH_CUDA("march-conv", gf_conv_march_takes, gf_conv_march_launch, nullptr, GF_PATH_PREPARES),
    GF_PATH_CUDA("samples-conv", nullptr, gf_conv_launch, gf_conv_middle, 0), GF_PATHS_END};
