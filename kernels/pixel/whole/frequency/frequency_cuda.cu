/* What "frequency" does beside its transforms on the GPU: a thread takes a column of numbers, and of the rows
 * those whose turn it is. */
#include "base/device_scope_cuda.h"
#include "pixel/whole/frequency/frequency.h"

enum { GF_FREQUENCY_THREADS = 256, GF_FREQUENCY_MOST_ROWS = 32768 };

struct gf_frequency_params {
    const char *in; /* at the channel of the first pixel; so is `out` */
    char *out;
    float *numbers;
    int64_t in_pitch, out_pitch, width, height, half; /* width, height: of what the part makes */
    int32_t channels;
    struct gf_frequency_args args;
};

GF_DEVICE_FN int64_t gf_frequency_column()
{
    return int64_t(blockIdx.x) * GF_FREQUENCY_THREADS + threadIdx.x;
}

static __global__ void __launch_bounds__(GF_FREQUENCY_THREADS)
    gf_frequency_take(const struct gf_frequency_params p)
{
    const int64_t x = gf_frequency_column();
    for (int64_t y = blockIdx.y; x < p.width && y < p.height; y += gridDim.y) {
        const float *row = reinterpret_cast<const float *>(p.in + y * p.in_pitch);
        p.numbers[y * 2 * p.half + x] = row[x * p.channels];
    }
}

/* copies: from the input, not the plane. */
static __global__ void __launch_bounds__(GF_FREQUENCY_THREADS)
    gf_frequency_give(const struct gf_frequency_params p, const int copies)
{
    const int64_t x = gf_frequency_column(), left = x + p.args.left;
    for (int64_t y = blockIdx.y; x < p.width && y < p.height; y += gridDim.y) {
        const int64_t top = y + p.args.top;
        float *to = reinterpret_cast<float *>(p.out + y * p.out_pitch) + x * p.channels;
        *to = copies ? reinterpret_cast<const float *>(p.in + top * p.in_pitch)[left * p.channels]
                     : p.numbers[top * 2 * p.half + left];
    }
}

gf_status gf_frequency_part_cuda(const struct gf_frequency_plane *plane, enum gf_frequency_part part,
                                 gf_error *error)
{
    const struct gf_apply_run *run = plane->run;
    const bool gives = part == GF_FREQUENCY_GIVE || part == GF_FREQUENCY_COPY;
    const struct gf_value *out = &run->out_values[0];
    struct gf_frequency_params p = {};
    GF_ON_DEVICE(run->queue.device, error)
    p.in = static_cast<const char *>(run->in[0].data) + plane->channel * sizeof(float);
    p.out = static_cast<char *>(run->out[0].data) + plane->channel * sizeof(float);
    p.numbers = plane->numbers;
    p.in_pitch = run->in[0].pitch;
    p.out_pitch = run->out[0].pitch;
    p.width = gives ? out->width * out->channels / plane->channels : plane->width;
    p.height = gives ? out->height : plane->height;
    p.half = plane->half;
    p.channels = plane->channels;
    p.args = plane->args;
    struct gf_launch launch = {};
    launch.stream = static_cast<cudaStream_t>(run->queue.stream);
    launch.block = dim3(GF_FREQUENCY_THREADS);
    launch.grid = dim3(gf_blocks(p.width, GF_FREQUENCY_THREADS), gf_blocks(p.height, 1));
    launch.grid.y = launch.grid.y < GF_FREQUENCY_MOST_ROWS ? launch.grid.y : unsigned(GF_FREQUENCY_MOST_ROWS);
    if (gives) {
        GF_CUDA_TRY(error,
                    GF_LAUNCH(gf_frequency_give, launch, p, static_cast<int>(part == GF_FREQUENCY_COPY)));
    } else {
        GF_CUDA_TRY(error, GF_LAUNCH(gf_frequency_take, launch, p));
    }
    return GF_OK;
}
