/* What "frequency" does beside its transforms on the GPU: a thread takes a column of numbers, and of the rows
 * those whose turn it is. */
#include "base/device_scope_cuda.h"
#include "base/gf_border.h"
#include "pixel/whole/frequency/frequency.h"

enum { GF_FREQUENCY_THREADS = 256, GF_FREQUENCY_MOST_ROWS = 32768 };

struct gf_frequency_params {
    const char *in; /* at the channel of the first pixel; so is `out` */
    char *out;
    float *numbers;
    int64_t in_pitch, out_pitch, width, height; /* width, height: of what the part makes */
    int64_t row, pixels, rows;                  /* pixels, rows: of the picture */
    int32_t channels, in_depth, out_depth;
    struct gf_frequency_args args;
};

GF_DEVICE_FN int64_t gf_frequency_column()
{
    return int64_t(blockIdx.x) * GF_FREQUENCY_THREADS + threadIdx.x;
}

static __global__ void __launch_bounds__(GF_FREQUENCY_THREADS)
    gf_frequency_take(const struct gf_frequency_params p)
{
    const int64_t x = gf_frequency_column(),
                  own = gf_border_index(x - p.args.left, p.pixels, p.args.border) * p.channels;
    for (int64_t y = blockIdx.y; x < p.width && y < p.height; y += gridDim.y) {
        const char *row = p.in + gf_border_index(y - p.args.top, p.rows, p.args.border) * p.in_pitch;
        p.numbers[y * p.row + x] = gf_frequency_sample(row, p.in_depth, own);
    }
}

/* copies: from the input, not the plane. */
static __global__ void __launch_bounds__(GF_FREQUENCY_THREADS)
    gf_frequency_finish(const struct gf_frequency_params p, const int copies)
{
    const int64_t x = gf_frequency_column();
    for (int64_t y = blockIdx.y; x < p.width && y < p.height; y += gridDim.y) {
        const float v =
            copies ? gf_frequency_sample(p.in + y * p.in_pitch, p.in_depth, x * p.channels)
                   : gf_fft_show(p.args.shown, p.numbers[(y + p.args.top) * p.row + x + p.args.left]);
        gf_frequency_give(p.out + y * p.out_pitch, p.out_depth, x * p.channels, v);
    }
}

gf_status gf_frequency_part_cuda(const struct gf_frequency_plane *plane, enum gf_frequency_part part,
                                 gf_error *error)
{
    const struct gf_apply_run *run = plane->run;
    const bool gives = part == GF_FREQUENCY_GIVE || part == GF_FREQUENCY_COPY;
    const struct gf_value *in = &run->in_values[0], *out = &run->out_values[0];
    const size_t at = static_cast<size_t>(plane->channel);
    struct gf_frequency_params p = {};
    GF_ON_DEVICE(run->queue.device, error)
    p.in = static_cast<const char *>(run->in[0].data) + at * gf_depth_size(in->depth);
    p.out = static_cast<char *>(run->out[0].data) + at * gf_depth_size(out->depth);
    p.numbers = plane->numbers;
    p.in_pitch = run->in[0].pitch;
    p.out_pitch = run->out[0].pitch;
    p.width = gives ? plane->pixels : plane->width;
    p.height = gives ? out->height : plane->height;
    p.row = plane->row;
    p.pixels = plane->pixels;
    p.rows = in->height;
    p.channels = plane->channels;
    p.in_depth = static_cast<int32_t>(in->depth);
    p.out_depth = static_cast<int32_t>(out->depth);
    p.args = plane->args;
    struct gf_launch launch = {};
    launch.stream = static_cast<cudaStream_t>(run->queue.stream);
    launch.block = dim3(GF_FREQUENCY_THREADS);
    launch.grid = dim3(gf_blocks(p.width, GF_FREQUENCY_THREADS), gf_blocks(p.height, 1));
    launch.grid.y = launch.grid.y < GF_FREQUENCY_MOST_ROWS ? launch.grid.y : unsigned(GF_FREQUENCY_MOST_ROWS);
    if (gives) {
        GF_CUDA_TRY(error,
                    GF_LAUNCH(gf_frequency_finish, launch, p, static_cast<int>(part == GF_FREQUENCY_COPY)));
    } else {
        GF_CUDA_TRY(error, GF_LAUNCH(gf_frequency_take, launch, p));
    }
    return GF_OK;
}
