/* Bilateral means on CUDA: of any radius and depth, a thread a pixel, samples through the caches. */
#include "pixel/bilateral_cuda.cuh"

enum { GF_BILATERAL_ACROSS = 32, GF_BILATERAL_DOWN = 8 };

/* The samples of pixel `column` of a row; row NULL or column -1: the fill. */
template <class T, int C>
GF_DEVICE_FN void gf_bilateral_take(const struct gf_bilateral_params &p, const T *row, int64_t column,
                                    float (&v)[C])
{
#pragma unroll
    for (int c = 0; c < C; c++) {
        v[c] = c >= p.in.channels   ? 0.0F
               : !row || column < 0 ? p.fill[c]
                                    : static_cast<float>(row[column * p.in.channels + c]);
    }
}

template <class T, int C>
GF_DEVICE_FN float gf_bilateral_apart(const struct gf_bilateral_params &p, const float (&m)[C],
                                      const float (&v)[C])
{
    float sum = 0.0F;
#pragma unroll
    for (int c = 0; c < C; c++) {
        if (c < p.in.channels && p.args.channel[c] != 0) {
            const float d = m[c] - v[c];
            sum = gf_fma(p.args.channel[c], d < 0 ? -d : d, sum);
        }
    }
    return sum * p.args.reach;
}

/* The mean at (x, y). near: weights by squared distance. C: the most channels. */
template <class T, int C>
GF_DEVICE_FN void gf_bilateral_pixel(const struct gf_bilateral_params &p, const float *near, int64_t x,
                                     int64_t y, float (&mean)[C])
{
    const int32_t r = p.args.radius, ry = p.args.radius_y;
    const bool inside = x >= r && x + r < p.width;
    float m[C], norm = 0.0F;
    gf_bilateral_take<T>(p, reinterpret_cast<const T *>(p.in.data + y * p.in.pitch), x, m);
#pragma unroll
    for (int c = 0; c < C; c++) {
        mean[c] = -0.0F;
    }
    int32_t chord = 0;
    for (int32_t dy = -ry; dy <= ry; dy++) {
        while ((chord + 1) * (chord + 1) + dy * dy <= r * r) {
            chord++;
        }
        while (chord * chord + dy * dy > r * r) {
            chord--;
        }
        const int64_t v = gf_border_index(y + dy, p.height, p.border);
        const T *row = v < 0 ? nullptr : reinterpret_cast<const T *>(p.in.data + v * p.in.pitch);
        for (int32_t dx = -chord; dx <= chord; dx++) {
            float sample[C];
            const int64_t column = inside ? x + dx : gf_border_index(x + dx, p.width, p.border);
            gf_bilateral_take<T>(p, row, column, sample);
            const float t = gf_bilateral_apart<T>(p, m, sample);
            if (t < GF_BILATERAL_FAR) {
                const float weight = near[dx * dx + dy * dy] * gf_bilateral_alike(t);
                norm += weight;
#pragma unroll
                for (int c = 0; c < C; c++) {
                    mean[c] = c < p.in.channels ? gf_fma(weight, sample[c], mean[c]) : mean[c];
                }
            }
        }
    }
#pragma unroll
    for (int c = 0; c < C; c++) {
        mean[c] = norm > 0 ? gf_div(mean[c], norm) : m[c];
    }
}

template <class T, int C>
static __global__ void __launch_bounds__(GF_BILATERAL_ACROSS *GF_BILATERAL_DOWN)
    gf_bilateral_any(const struct gf_bilateral_params p)
{
    GF_SHARED_DYN(float, near);
    const int32_t most = p.args.radius * p.args.radius;
    for (int32_t i = static_cast<int32_t>(threadIdx.y * GF_BILATERAL_ACROSS + threadIdx.x); i <= most;
         i += GF_BILATERAL_ACROSS * GF_BILATERAL_DOWN) {
        near[i] = gf_bilateral_near(p.args.fall, i);
    }
    __syncthreads();
    const int64_t x = int64_t(blockIdx.x) * GF_BILATERAL_ACROSS + threadIdx.x;
    for (int64_t y = int64_t(blockIdx.y) * GF_BILATERAL_DOWN + threadIdx.y; x < p.width && y < p.height;
         y += int64_t(gridDim.y) * GF_BILATERAL_DOWN) {
        float mean[C];
        gf_bilateral_pixel<T>(p, near, x, y, mean);
#pragma unroll
        for (int c = 0; c < C; c++) {
            if (c < p.in.channels) {
                gf_sample_store(p.out.data + y * p.out.pitch, p.out.depth, x * p.in.channels + c, mean[c]);
            }
        }
    }
}

template <class T>
static gf_status gf_bilateral_any_of(const struct gf_bilateral_params *p, const struct gf_launch &launch,
                                     gf_error *error)
{
    if (p->in.channels == 1) {
        GF_CUDA_TRY(error, GF_LAUNCH((gf_bilateral_any<T, 1>), launch, *p));
    } else {
        GF_CUDA_TRY(error, GF_LAUNCH((gf_bilateral_any<T, GF_BILATERAL_CHANNELS>), launch, *p));
    }
    return GF_OK;
}

static gf_status gf_bilateral_any_queue(const struct gf_bilateral_params *p, cudaStream_t stream,
                                        gf_error *error)
{
    struct gf_launch launch = {};
    launch.block = dim3(GF_BILATERAL_ACROSS, GF_BILATERAL_DOWN);
    const unsigned down = gf_blocks(p->height, GF_BILATERAL_DOWN);
    launch.grid = dim3(gf_blocks(p->width, GF_BILATERAL_ACROSS), down < 65535 ? down : 65535);
    launch.shared =
        (static_cast<size_t>(p->args.radius) * static_cast<size_t>(p->args.radius) + 1) * sizeof(float);
    launch.stream = stream;
    switch (p->in.depth) {
    case GF_U8:
        return gf_bilateral_any_of<uint8_t>(p, launch, error);
    case GF_U16:
        return gf_bilateral_any_of<uint16_t>(p, launch, error);
    default:
        return gf_bilateral_any_of<float>(p, launch, error);
    }
}

/* ---- passes ------------------------------------------------------------------------------------------ */

static bool gf_bilateral_is_last(const struct gf_pass *pass)
{
    return pass->post.n == 0 && pass->post.depth_out == pass->window.depth_out && pass->out != GF_NONE;
}

static int64_t gf_bilateral_pitch(const struct gf_pass *pass)
{
    return (pass->width * pass->window.channels_out * gf_sample_bytes(pass->window.depth_out) + 15) / 16 * 16;
}

size_t gf_bilateral_middle(const struct gf_pass *pass)
{
    return gf_bilateral_is_last(pass) ? 0 : static_cast<size_t>(gf_bilateral_pitch(pass) * pass->height);
}

gf_status gf_bilateral_launch(const struct gf_pass_args *args, const struct gf_run *run,
                              const struct gf_scratch_layout *layout, gf_bilateral_queue queue,
                              gf_error *error)
{
    const struct gf_pass *pass = run->pass;
    const struct gf_window *window = &pass->window;
    struct gf_pass_args with = *args;
    struct gf_bilateral_params p = {};
    GF_TRY(gf_window_input(&with, run, layout, error));
    p.in = with.operand[GF_OPERAND_CENTRE];
    p.width = pass->width;
    p.height = pass->height;
    p.border = window->border;
    gf_args_get(&window->args.own, &p.args, sizeof p.args);
    for (int32_t c = 0; c < GF_BILATERAL_CHANNELS; c++) {
        p.fill[c] = gf_quantise_to(window->fill[c], window->depth_in);
    }
    if (gf_bilateral_is_last(pass)) {
        p.out = with.out;
        return queue(&p, gf_run_stream(run), error);
    }
    p.out = {static_cast<unsigned char *>(run->scratch) + layout->middle, gf_bilateral_pitch(pass),
             window->channels_out, window->depth_out};
    GF_TRY(queue(&p, gf_run_stream(run), error));
    with.in = p.out;
    with.pre.n = 0;
    with.pre.channels_in = with.pre.channels_out = window->channels_out;
    with.pre.depth_in = with.pre.depth_out = window->depth_out;
    return gf_point_launch(&with, gf_run_stream(run), error);
}

static gf_status gf_bilateral_any_launch(const struct gf_pass_args *args, const struct gf_run *run,
                                         const struct gf_scratch_layout *layout, gf_error *error)
{
    return gf_bilateral_launch(args, run, layout, gf_bilateral_any_queue, error);
}

static const struct gf_cuda_way gf_way_bilateral = {gf_bilateral_any_launch, gf_bilateral_middle, false,
                                                    false, false};
const struct gf_path gf_paths_cuda_bilateral[] = {
    GF_PATH_CUDA("tiles u8", gf_bilateral_u8_takes, gf_way_bilateral_u8),
    GF_PATH_CUDA("pixels", nullptr, gf_way_bilateral), GF_PATHS_END};
