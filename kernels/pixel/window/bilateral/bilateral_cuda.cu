/* Bilateral means on CUDA: of any radius and depth, a thread a pixel, samples through the caches. */
#include "pixel/cuda/dispatch_pixel_cuda.cuh"
#include "pixel/window/bilateral/bilateral_cuda.cuh"

enum { GF_BILATERAL_ACROSS = 32, GF_BILATERAL_DOWN = 8 };

/* C: the most channels. */
template <int C> GF_DEVICE_FN int32_t gf_bilateral_channels(const struct gf_bilateral_params &p)
{
    return C == 1 ? 1 : p.in.channels;
}

/* The samples of a pixel at `from`; NULL: the fill. */
template <class T, int C>
GF_DEVICE_FN void gf_bilateral_take(const struct gf_bilateral_params &p, const T *from, float (&v)[C])
{
#pragma unroll
    for (int c = 0; c < C; c++) {
        v[c] = c >= gf_bilateral_channels<C>(p) ? 0.0F : from ? static_cast<float>(from[c]) : p.fill[c];
    }
}

/* What a pixel is made of: its own samples, and sums. */
template <int C> struct gf_bilateral_sums {
    float middle[C], sum[C], norm;
};

/* A tap with those samples joins. */
template <int C>
GF_DEVICE_FN void gf_bilateral_add(const struct gf_bilateral_params &p, float near, const float (&v)[C],
                                   struct gf_bilateral_sums<C> &sums)
{
    float apart = 0.0F;
#pragma unroll
    for (int c = 0; c < C; c++) {
        if (c < gf_bilateral_channels<C>(p) && p.args.channel[c] != 0) {
            const float d = sums.middle[c] - v[c];
            apart = gf_fma(p.args.channel[c], d < 0 ? -d : d, apart);
        }
    }
    const float t = apart * p.args.reach;
    if (t < GF_BILATERAL_FAR) {
        const float weight = near * gf_bilateral_alike(t);
        sums.norm += weight;
#pragma unroll
        for (int c = 0; c < C; c++) {
            sums.sum[c] = gf_fma(weight, v[c], sums.sum[c]);
        }
    }
}

/* The sums of the pixel at (x, y). near: weights by squared distance. */
template <class T, int C>
GF_DEVICE_FN void gf_bilateral_pixel(const struct gf_bilateral_params &p, const float *near, int64_t x,
                                     int64_t y, struct gf_bilateral_sums<C> &sums)
{
    const int32_t r = p.args.radius, channels = gf_bilateral_channels<C>(p);
    const bool inside = x >= r && x + r < p.width;
    gf_bilateral_take(p, reinterpret_cast<const T *>(p.in.data + y * p.in.pitch) + x * channels, sums.middle);
    sums.norm = 0.0F;
#pragma unroll
    for (int c = 0; c < C; c++) {
        sums.sum[c] = -0.0F;
    }
    int32_t chord = 0;
    for (int32_t dy = -p.args.radius_y; dy <= p.args.radius_y; dy++) {
        while ((chord + 1) * (chord + 1) + dy * dy <= r * r) {
            chord++;
        }
        while (chord * chord + dy * dy > r * r) {
            chord--;
        }
        float v[C];
        const int64_t line = gf_border_index(y + dy, p.height, p.border);
        const T *row = line < 0 ? nullptr : reinterpret_cast<const T *>(p.in.data + line * p.in.pitch);
        if (row && inside) {
            const T *from = row + (x - chord) * channels;
            for (int32_t dx = -chord; dx <= chord - GF_FAULT(cuda_bilateral_chord); dx++, from += channels) {
                gf_bilateral_take(p, from, v);
                gf_bilateral_add(p, near[dx * dx + dy * dy], v, sums);
            }
        } else {
            for (int32_t dx = -chord; dx <= chord; dx++) {
                const int64_t column = row ? gf_border_index(x + dx, p.width, p.border) : -1;
                gf_bilateral_take(p, column < 0 ? nullptr : row + column * channels, v);
                gf_bilateral_add(p, near[dx * dx + dy * dy], v, sums);
            }
        }
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
        struct gf_bilateral_sums<C> sums;
        gf_bilateral_pixel<T>(p, near, x, y, sums);
#pragma unroll
        for (int c = 0; c < C; c++) {
            if (c < gf_bilateral_channels<C>(p)) {
                const float mean = sums.norm > 0 ? gf_div(sums.sum[c], sums.norm) : sums.middle[c];
                gf_sample_store(p.out.data + y * p.out.pitch, p.out.depth,
                                x * gf_bilateral_channels<C>(p) + c, mean);
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
    const unsigned down = gf_blocks(p->height, GF_BILATERAL_DOWN);
    gf_launch launch =
        gf_launch_on(stream, dim3(gf_blocks(p->width, GF_BILATERAL_ACROSS), down < 65535 ? down : 65535),
                     dim3(GF_BILATERAL_ACROSS, GF_BILATERAL_DOWN));
    launch.shared =
        (static_cast<size_t>(p->args.radius) * static_cast<size_t>(p->args.radius) + 1) * sizeof(float);
    return gf_dispatch_sample(p->in.depth, error, [&](auto tag) {
        return gf_bilateral_any_of<typename decltype(tag)::type>(p, launch, error);
    });
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
    return gf_window_output(&with, &p.out, run, error);
}

static gf_status gf_bilateral_any_launch(const struct gf_pass_args *args, const struct gf_run *run,
                                         const struct gf_scratch_layout *layout, gf_error *error)
{
    return gf_bilateral_launch(args, run, layout, gf_bilateral_any_queue, error);
}

const struct gf_path gf_paths_cuda_bilateral[] = {
    GF_PATH_CUDA("tiles-u8", gf_bilateral_u8_takes, gf_bilateral_u8_launch, gf_bilateral_middle, 0),
    GF_PATH_CUDA("pixels", nullptr, gf_bilateral_any_launch, gf_bilateral_middle, 0), GF_PATHS_END};
