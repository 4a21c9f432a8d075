/* Passes with a window of any radius: three kernels with planes of 32-bit samples between them.
 *
 *   prepare  load, pre program           -> samples
 *   across   horizontal sums             -> middle
 *   down     vertical sums, post program -> store
 *
 * Nothing is shared between threads, so radius, border, size and alignment are free. */
#include "pixel/window_cuda.cuh"

enum { GF_WINDOW_THREADS = 128, GF_WINDOW_BLOCKS = 8192 };

template <int CM, int P>
static __global__ void __launch_bounds__(GF_WINDOW_THREADS)
    gf_window_prepare(const struct gf_pass_args a, const struct gf_planes to)
{
    const struct gf_planes no_centre = {};
    const int64_t span = int64_t(blockDim.x) * P;
    const int64_t pieces = (a.width + span - 1) / span;
    for (int64_t n = blockIdx.x; n < pieces * a.height; n += gridDim.x) {
        const int64_t y = n / pieces;
        const struct gf_place at = {(n - y * pieces) * span + threadIdx.x, blockDim.x, y};
        float v[CM][P];
        gf_pixels_load<CM, P>(a.in, a.width, at, v);
        gf_program_run<CM, P>(a, a.pre, no_centre, at, v);
#pragma unroll
        for (int c = 0; c < CM; c++) {
#pragma unroll
            for (int i = 0; i < P; i++) {
                const int64_t x = at.x + i * at.step;
                if (c < to.channels && x < a.width) {
                    to.data[(y * to.channels + c) * a.width + x] =
                        to.integer ? static_cast<uint32_t>(static_cast<int32_t>(v[c][i]))
                                   : gf_float_bits(v[c][i]);
                }
            }
        }
    }
}

/* The horizontal half at (row, c, x). out: element [row][c][x] of the middle; gradients write the slope there
 * and the smoothed row `channels` planes further. */
template <int KIND, class R, class M>
GF_DEVICE_FN void gf_across_one(const struct gf_window_params &p, const R &from, int64_t x, M *out,
                                int64_t smoothed)
{
    const int64_t n = 2 * p.rx + 1;
    if constexpr (KIND == GF_SEPARABLE_INT) {
        const int32_t sum =
            gf_sum_int(from, static_cast<const int16_t *>(p.wx), x - p.rx, n, 1U << (p.shift_x - 8));
        *out = sum >> (p.shift_x - 7);
    } else if constexpr (KIND == GF_SEPARABLE_F32) {
        *out = gf_sum_chain(from, static_cast<const float *>(p.wx), x - p.rx, n);
    } else if constexpr (KIND == GF_BOX_F32) {
        *out = gf_sum_blocks(from, x - p.rx, n);
    } else if constexpr (gf_window_traits<KIND>::gradient) {
        using T = typename gf_window_traits<KIND>::sample;
        out[0] = from.at(x + 1) - from.at(x - 1);
        out[smoothed] = gf_smooth(from, x, T(0));
    } else {
        M sum = 0;
        for (int64_t i = 0; i < n; i++) {
            sum += static_cast<M>(from.at(x - p.rx + i));
        }
        *out = sum;
    }
}

/* A block row: (row, channel, piece of the row), strided over the grid. */
template <int KIND>
static __global__ void __launch_bounds__(GF_WINDOW_THREADS)
    gf_window_across(const struct gf_window_params p, int64_t width, int64_t height)
{
    using T = typename gf_window_traits<KIND>::sample;
    using M = typename gf_window_traits<KIND>::middle;
    const int64_t pieces = (width + blockDim.x - 1) / blockDim.x;
    const int64_t rows = height + (p.border == GF_BORDER_CONSTANT);
    const int32_t planes = p.channels * (gf_window_traits<KIND>::gradient ? 2 : 1);
    for (int64_t n = blockIdx.x; n < rows * p.channels * pieces; n += gridDim.x) {
        const int64_t line = n / pieces, row = line / p.channels;
        const int64_t x = (n - line * pieces) * blockDim.x + threadIdx.x;
        const int32_t c = static_cast<int32_t>(line - row * p.channels);
        const struct gf_row_reader<T> from = {
            row < height ? p.samples.data + line *width : nullptr, width, p.border, p.fill[c]
        };
        if (x < width) {
            M *out = static_cast<M *>(p.middle) + (row * planes + c) * width + x;
            gf_across_one<KIND>(p, from, x, out, p.channels * width);
        }
    }
}

/* The running sums of integer boxes with a large radius: a thread walks along 64 samples, so the cost does
 * not grow with the radius. */
template <int KIND>
static __global__ void __launch_bounds__(GF_WINDOW_THREADS)
    gf_window_across_running(const struct gf_window_params p, int64_t width, int64_t height)
{
    using T = typename gf_window_traits<KIND>::sample;
    using M = typename gf_window_traits<KIND>::middle;
    const int64_t run = 64, pieces = (width + run - 1) / run;
    const int64_t rows = height + (p.border == GF_BORDER_CONSTANT);
    const int64_t total = rows * p.channels * pieces;
    for (int64_t n = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; n < total;
         n += int64_t(gridDim.x) * blockDim.x) {
        const int64_t line = n / pieces, row = line / p.channels;
        const int64_t first = (n - line * pieces) * run;
        const int64_t end = first + run < width ? first + run : width;
        const int32_t c = static_cast<int32_t>(line - row * p.channels);
        const struct gf_row_reader<T> from = {
            row < height ? p.samples.data + line *width : nullptr, width, p.border, p.fill[c]
        };
        M *out = static_cast<M *>(p.middle) + line * width;
        M sum = 0;
        for (int64_t i = -p.rx; i <= p.rx; i++) {
            sum += static_cast<M>(from.at(first + i));
        }
        for (int64_t x = first; x < end; x++) {
            out[x] = sum;
            sum += static_cast<M>(from.at(x + p.rx + 1)) - static_cast<M>(from.at(x - p.rx));
        }
    }
}

/* The vertical half of everything but integer boxes and gradients. */
template <int KIND, class R>
GF_DEVICE_FN float gf_down_one(const struct gf_window_params &p, const R &from, int64_t y)
{
    const int64_t n = 2 * p.ry + 1;
    if constexpr (KIND == GF_SEPARABLE_INT) {
        const int32_t sum =
            gf_sum_int(from, static_cast<const int16_t *>(p.wy), y - p.ry, n, 1U << (p.shift_y + 6));
        return static_cast<float>(gf_clamp_u8(sum >> (p.shift_y + 7)));
    } else if constexpr (KIND == GF_SEPARABLE_F32) {
        return gf_sum_chain(from, static_cast<const float *>(p.wy), y - p.ry, n);
    } else {
        return gf_div(gf_sum_blocks(from, y - p.ry, n), p.area);
    }
}

/* Gradients of C channels: slopes along x, then along y. */
template <int KIND, int C, int CM, int P, class M>
GF_DEVICE_FN void gf_down_gradient(const struct gf_window_params &p, int64_t width, int64_t height,
                                   const struct gf_place &at, float (&v)[CM][P])
{
    if constexpr (2 * C <= CM) {
#pragma unroll
        for (int c = 0; c < C; c++) {
#pragma unroll
            for (int i = 0; i < P; i++) {
                const int64_t x = at.x + i * at.step < width ? at.x + i * at.step : width - 1;
                const M *top = static_cast<const M *>(p.middle) + c * width + x;
                const struct gf_column_reader<M> slopes = {
                    top, 2 * C *width, height, p.border
                };
                const struct gf_column_reader<M> smooth = {
                    top + C *width, 2 * C *width, height, p.border
                };
                v[c][i] = static_cast<float>(gf_smooth(slopes, at.y, M(0)));
                v[C + c][i] = static_cast<float>(smooth.at(at.y + 1) - smooth.at(at.y - 1));
            }
        }
    }
}

/* A block owns P * blockDim.x columns and marches down p.segment rows. */
template <int KIND, int CM, int P>
static __global__ void __launch_bounds__(GF_WINDOW_THREADS)
    gf_window_down(const struct gf_pass_args a, const struct gf_window_params p)
{
    using M = typename gf_window_traits<KIND>::middle;
    using sum_type = typename std::conditional<gf_window_traits<KIND>::box_int, M, uint32_t>::type;
    const int64_t span = int64_t(blockDim.x) * P;
    const int64_t pieces = (a.width + span - 1) / span;
    const int64_t segments = (a.height + p.segment - 1) / p.segment;
    const int64_t stride = p.channels * a.width;
    for (int64_t n = blockIdx.x; n < pieces * segments; n += gridDim.x) {
        const int64_t segment = n / pieces, first = segment * p.segment;
        const int64_t end = first + p.segment < a.height ? first + p.segment : a.height;
        struct gf_place at = {(n - segment * pieces) * span + threadIdx.x, blockDim.x, first};
        sum_type sum[CM][P];
        if constexpr (gf_window_traits<KIND>::box_int) {
#pragma unroll
            for (int c = 0; c < CM; c++) {
#pragma unroll
                for (int i = 0; i < P; i++) {
                    const int64_t x = at.x + i * at.step;
                    sum[c][i] = 0;
                    if (c < p.channels && x < a.width) {
                        const struct gf_column_reader<M> from = {
                            static_cast<const M *>(p.middle) + c *a.width + x, stride, a.height, p.border
                        };
                        for (int64_t j = first - 1 - p.ry; j < first + p.ry; j++) {
                            sum[c][i] += from.at(j);
                        }
                    }
                }
            }
        }
        for (; at.y < end; at.y++) {
            float v[CM][P];
#pragma unroll
            for (int c = 0; c < CM; c++) {
#pragma unroll
                for (int i = 0; i < P; i++) {
                    v[c][i] = 0.0F;
                    const int64_t x = at.x + i * at.step;
                    if constexpr (!gf_window_traits<KIND>::gradient) {
                        if (c < p.channels && x < a.width) {
                            const struct gf_column_reader<M> from = {
                                static_cast<const M *>(p.middle) + c *a.width + x, stride, a.height, p.border
                            };
                            if constexpr (gf_window_traits<KIND>::box_int) {
                                sum[c][i] += from.at(at.y + p.ry) - from.at(at.y - p.ry - 1);
                                v[c][i] = static_cast<float>(gf_divide_round_half_up(sum[c][i], p.divider));
                            } else {
                                v[c][i] = gf_down_one<KIND>(p, from, at.y);
                            }
                            v[c][i] = gf_quantise_to(v[c][i], p.depth_out);
                        }
                    }
                }
            }
            if constexpr (gf_window_traits<KIND>::gradient) {
                if (p.channels == 1) {
                    gf_down_gradient<KIND, 1, CM, P, M>(p, a.width, a.height, at, v);
                } else if (p.channels == 2) {
                    gf_down_gradient<KIND, 2, CM, P, M>(p, a.width, a.height, at, v);
                } else if (p.channels == 3) {
                    gf_down_gradient<KIND, 3, CM, P, M>(p, a.width, a.height, at, v);
                } else {
                    gf_down_gradient<KIND, 4, CM, P, M>(p, a.width, a.height, at, v);
                }
            }
            gf_program_run<CM, P>(a, a.post, p.samples, at, v);
            if (a.out.data) {
                gf_pixels_store<CM, P>(a.out, a.width, at, v);
            }
        }
    }
}

/* ---- launch -------------------------------------------------------------------------------- */

static struct gf_launch gf_window_config(int64_t blocks, cudaStream_t stream)
{
    struct gf_launch launch = {};
    launch.block = dim3(GF_WINDOW_THREADS);
    launch.grid = dim3(gf_blocks(blocks < GF_WINDOW_BLOCKS ? blocks : int64_t(GF_WINDOW_BLOCKS), 1));
    launch.stream = stream;
    return launch;
}

template <int CM, int P>
static gf_status gf_prepare_launch(const struct gf_pass_args &a, const struct gf_planes &to,
                                   cudaStream_t stream, gf_error *error)
{
    const int64_t span = GF_WINDOW_THREADS * P;
    GF_CUDA_TRY(error, GF_LAUNCH((gf_window_prepare<CM, P>),
                                 gf_window_config((a.width + span - 1) / span * a.height, stream), a, to));
    return GF_OK;
}

template <int KIND, int CM, int P>
static gf_status gf_down_launch(const struct gf_pass_args &a, const struct gf_window_params &p,
                                cudaStream_t stream, gf_error *error)
{
    const int64_t span = GF_WINDOW_THREADS * P;
    const int64_t segments = (a.height + p.segment - 1) / p.segment;
    GF_CUDA_TRY(error, GF_LAUNCH((gf_window_down<KIND, CM, P>),
                                 gf_window_config((a.width + span - 1) / span * segments, stream), a, p));
    return GF_OK;
}

template <int KIND>
static gf_status gf_halves_launch(const struct gf_pass_args &a, const struct gf_window_params &p,
                                  cudaStream_t stream, gf_error *error)
{
    const int64_t lines = (a.height + 1) * p.channels;
    const int64_t blocks = lines * ((a.width + GF_WINDOW_THREADS - 1) / GF_WINDOW_THREADS);
    if constexpr (gf_window_traits<KIND>::box_int) {
        if (p.rx > 16) {
            GF_CUDA_TRY(error, GF_LAUNCH(gf_window_across_running<KIND>,
                                         gf_window_config(
                                             (lines * (a.width / 64 + 1)) / GF_WINDOW_THREADS + 1, stream),
                                         p, a.width, a.height));
        } else {
            GF_CUDA_TRY(error, GF_LAUNCH(gf_window_across<KIND>, gf_window_config(blocks, stream), p, a.width,
                                         a.height));
        }
    } else {
        GF_CUDA_TRY(
            error, GF_LAUNCH(gf_window_across<KIND>, gf_window_config(blocks, stream), p, a.width, a.height));
    }
    constexpr int most = gf_window_traits<KIND>::gradient ? 8 : 4;
    return gf_down_launch<KIND, most, 2>(a, p, stream, error);
}

/* Largest sum of an integer box; 0 when it does not fit the divider's 62 bits. */
static uint64_t gf_box_largest(const struct gf_window *window)
{
    const gf_u128 area = static_cast<gf_u128>(2 * static_cast<int64_t>(window->args.box.radius_x) + 1) *
                         static_cast<gf_u128>(2 * static_cast<int64_t>(window->args.box.radius_y) + 1);
    const gf_u128 largest = area * (window->depth_in == GF_U8 ? 255U : 65535U);
    return largest >> 61 ? 0 : static_cast<uint64_t>(largest);
}

enum gf_window_kind gf_window_kind_of(const struct gf_window *window)
{
    const bool u8 = window->depth_in == GF_U8, f32 = window->depth_in == GF_F32;
    if (window->kernel == &gf_kernel_separable) {
        return u8 ? GF_SEPARABLE_INT : GF_SEPARABLE_F32;
    }
    if (window->kernel == &gf_kernel_gradient) {
        return u8 ? GF_GRADIENT_INT : GF_GRADIENT_F32;
    }
    if (f32) {
        return GF_BOX_F32;
    }
    const uint64_t largest = gf_box_largest(window);
    return largest != 0 && largest <= UINT32_MAX ? GF_BOX_U32 : GF_BOX_U64;
}

static gf_status gf_window_params_make(const struct gf_run *run, const struct gf_scratch_layout *layout,
                                       enum gf_window_kind kind, struct gf_window_params *p, gf_error *error)
{
    const struct gf_window *window = &run->pass->window;
    unsigned char *scratch = static_cast<unsigned char *>(run->scratch);
    const bool integer = kind != GF_SEPARABLE_F32 && kind != GF_BOX_F32 && kind != GF_GRADIENT_F32;
    *p = gf_window_params();
    p->samples = {reinterpret_cast<uint32_t *>(scratch + layout->samples), window->channels_in, integer};
    p->middle = scratch + layout->middle;
    p->border = window->border;
    p->channels = window->channels_in;
    p->depth_out = window->depth_out;
    p->segment = 64;
    for (int32_t c = 0; c < GF_MAX_CHANNELS; c++) {
        const float fill = gf_quantise_to(window->fill[c], window->depth_in);
        p->fill[c] = integer ? static_cast<uint32_t>(static_cast<int32_t>(fill)) : gf_float_bits(fill);
    }
    if (kind == GF_SEPARABLE_INT || kind == GF_SEPARABLE_F32) {
        p->rx = window->args.separable.radius_x;
        p->ry = window->args.separable.radius_y;
        p->shift_x = window->args.separable.shift_x;
        p->shift_y = window->args.separable.shift_y;
        p->wx = run->blocks[window->blocks[0]];
        p->wy = run->blocks[window->blocks[1]];
    } else if (kind != GF_GRADIENT_INT && kind != GF_GRADIENT_F32) {
        p->rx = window->args.box.radius_x;
        p->ry = window->args.box.radius_y;
        const int64_t area = (2 * p->rx + 1) * (2 * p->ry + 1);
        p->area = static_cast<float>(area);
        p->segment = p->ry < 32 ? 64 : p->ry < 128 ? 128 : 256;
        if (kind != GF_BOX_F32 &&
            !gf_divider_make(static_cast<uint64_t>(area), gf_box_largest(window), &p->divider)) {
            return gf_fail(error, GF_ERROR_LIMIT, "box: a window of radius %lld x %lld has sums over 61 bits",
                           static_cast<long long>(p->rx), static_cast<long long>(p->ry));
        }
    }
    return GF_OK;
}

gf_status gf_window_launch(const struct gf_pass_args *args, const struct gf_run *run,
                           const struct gf_scratch_layout *layout, gf_error *error)
{
    const enum gf_window_kind kind = gf_window_kind_of(&run->pass->window);
    cudaStream_t stream = gf_run_stream(run);
    struct gf_window_params p;
    GF_TRY(gf_window_params_make(run, layout, kind, &p, error));
    const int32_t channels = args->in.channels;
    GF_TRY((channels == 1   ? gf_prepare_launch<1, 8>(*args, p.samples, stream, error)
            : channels <= 4 ? gf_prepare_launch<4, 4>(*args, p.samples, stream, error)
                            : gf_prepare_launch<8, 2>(*args, p.samples, stream, error)));
    switch (kind) {
    case GF_SEPARABLE_INT:
        return gf_halves_launch<GF_SEPARABLE_INT>(*args, p, stream, error);
    case GF_SEPARABLE_F32:
        return gf_halves_launch<GF_SEPARABLE_F32>(*args, p, stream, error);
    case GF_BOX_U32:
        return gf_halves_launch<GF_BOX_U32>(*args, p, stream, error);
    case GF_BOX_U64:
        return gf_halves_launch<GF_BOX_U64>(*args, p, stream, error);
    case GF_BOX_F32:
        return gf_halves_launch<GF_BOX_F32>(*args, p, stream, error);
    case GF_GRADIENT_INT:
        return gf_halves_launch<GF_GRADIENT_INT>(*args, p, stream, error);
    default:
        return gf_halves_launch<GF_GRADIENT_F32>(*args, p, stream, error);
    }
}
