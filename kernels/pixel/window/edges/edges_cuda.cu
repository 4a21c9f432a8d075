/* Edges on CUDA, for any depth and channels: a thread has a pixel, and works out the gradient there and,
 * where that is steep enough, at the two pixels beside it along the gradient. */
#include "base/gf_num.h"
#include "pixel/cuda/program_cuda.cuh"
#include "pixel/window/edges/edges_cuda.h"

enum { GF_EDGES_THREADS = 256 };

struct gf_edges_params {
    struct gf_surface in, out; /* the window's input and output */
    int64_t width, height;     /* pixels */
    struct gf_edges_args args;
    int32_t border;
    float fill[GF_MAX_CHANNELS];
};

/* T: f32 where integers are exact in it, those of u8; else f64. */
template <class T> struct gf_slope {
    T x, y, square;
};

/* Rows and columns around a pixel as the border finds them; -1: the fill. */
struct gf_edges_around {
    int64_t columns[3], rows[3];

    __device__ __forceinline__ gf_edges_around(const struct gf_edges_params &p, int64_t x, int64_t y)
    {
        GF_UNROLL
        for (int i = 0; i < 3; i++) {
            const int64_t u = x + i - 1, v = y + i - 1;
            columns[i] = u >= 0 && u < p.width ? u : gf_border_index(u, p.width, p.border);
            rows[i] = v >= 0 && v < p.height ? v : gf_border_index(v, p.height, p.border);
        }
    }
};

template <class S, class T>
GF_DEVICE_FN struct gf_slope<T> gf_slope_of_channel(const struct gf_edges_params &p,
                                                    const struct gf_edges_around &around, int32_t c) {
    float d[3], s[3];
    GF_UNROLL
    for (int j = 0; j < 3; j++) {
        float v[3];
        const S *row = reinterpret_cast<const S *>(p.in.data + around.rows[j] * p.in.pitch);
        GF_UNROLL
        for (int i = 0; i < 3; i++) {
            const bool is = around.rows[j] >= 0 && around.columns[i] >= 0;
            v[i] = is ? static_cast<float>(row[around.columns[i] * p.in.channels + c]) : p.fill[c];
        }
        d[j] = v[2] - v[0];
        s[j] = (v[0] + v[2]) + 2.0F * v[1];
    }
    struct gf_slope<T> slope = {
        static_cast<T>((d[0] + d[2]) + 2.0F * d[1]), static_cast<T>(s[2] - s[0]), 0
    };
    slope.square = slope.x * slope.x + slope.y * slope.y;
    return slope;
}

/* The slope of the channel where it is steepest; nothing outside the picture, and where it is NaN. */
template <class S, class T>
GF_DEVICE_FN struct gf_slope<T> gf_slope_at(const struct gf_edges_params &p, int64_t x, int64_t y) {
    struct gf_slope<T> strongest = {
        0, 0, 0
    };
    if (x < 0 || y < 0 || x >= p.width || y >= p.height) {
        return strongest;
    }
    const struct gf_edges_around around(p, x, y);
    for (int32_t c = 0; c < p.in.channels; c++) {
        if (p.args.mask >> c & 1) {
            const struct gf_slope<T> slope = gf_slope_of_channel<S, T>(p, around, c);
            strongest = slope.square > strongest.square ? slope : strongest;
        }
    }
    return strongest;
}

/* Sums and products here are exact, or rounded where that changes no comparison. */
template <class S, class T>
GF_DEVICE_FN bool gf_edges_ridge(const struct gf_edges_params &p, const struct gf_slope<T> &s, int64_t x,
                                 int64_t y)
{
    const T ax = s.x < 0 ? -s.x : s.x, ay = (s.y < 0 ? -s.y : s.y) * GF_EDGES_ONE;
    const bool across = ay < ax * GF_EDGES_TANGENT;
    const bool upright = !across && ay - ax * (2 * GF_EDGES_ONE) > ax * GF_EDGES_TANGENT;
    const int side = (s.x < 0) != (s.y < 0) ? -1 : 1;
    const int dx = across ? 1 : upright ? 0 : side, dy = across ? 0 : 1;
    const T before = gf_slope_at<S, T>(p, x - dx, y - dy).square;
    const T after = gf_slope_at<S, T>(p, x + dx, y + dy).square;
    return s.square > before && (across || upright ? s.square >= after : s.square > after);
}

template <class S, class T>
static __global__ void __launch_bounds__(GF_EDGES_THREADS) gf_edges_plain(const struct gf_edges_params p)
{
    const int64_t x = int64_t(blockIdx.x) * GF_EDGES_THREADS + threadIdx.x;
    for (int64_t y = blockIdx.y; x < p.width && y < p.height; y += gridDim.y) {
        const struct gf_slope<T> s = gf_slope_at<S, T>(p, x, y);
        unsigned char edge = GF_EDGE_NONE;
        if (s.square > static_cast<T>(p.args.low) && gf_edges_ridge<S, T>(p, s, x, y)) {
            edge = s.square > static_cast<T>(p.args.high) ? GF_EDGE_STRONG : GF_EDGE_WEAK;
        }
        p.out.data[y * p.out.pitch + x] = edge;
    }
}

/* The pitch of the picture of edges, where a program comes after it. */
static int64_t gf_edges_pitch(const struct gf_pass *pass)
{
    return (pass->width + 63) / 64 * 64;
}

static size_t gf_edges_middle(const struct gf_pass *pass)
{
    return static_cast<size_t>(gf_edges_pitch(pass) * pass->height);
}

static gf_status gf_edges_queue(const struct gf_edges_params &p, cudaStream_t stream, gf_error *error)
{
    gf_launch launch = gf_launch_on(
        stream, dim3(gf_blocks(p.width, GF_EDGES_THREADS), gf_blocks(p.height < 65535 ? p.height : 65535, 1)),
        GF_EDGES_THREADS);
    if (p.in.depth == GF_U8) {
        GF_CUDA_TRY(error, GF_LAUNCH((gf_edges_plain<uint8_t, float>), launch, p));
    } else if (p.in.depth == GF_U16) {
        GF_CUDA_TRY(error, GF_LAUNCH((gf_edges_plain<uint16_t, double>), launch, p));
    } else {
        GF_CUDA_TRY(error, GF_LAUNCH((gf_edges_plain<float, double>), launch, p));
    }
    return GF_OK;
}

/* Tells whether gf_edges_march takes it: a size that it counts in 32 bits. */
static bool gf_edges_marches(const struct gf_pass *pass)
{
    const struct gf_window *w = &pass->window;
    return w->depth_in == GF_U8 && w->channels_in == 1 && pass->width < INT32_MAX / 2 &&
           pass->height < INT32_MAX / 2;
}

static gf_status gf_edges_launch(const struct gf_pass_args *args, const struct gf_run *run,
                                 const struct gf_scratch_layout *layout, gf_error *error)
{
    const struct gf_pass *pass = run->pass;
    const struct gf_window *window = &pass->window;
    const bool direct = pass->post.n == 0 && pass->post.depth_out == window->depth_out && args->out.data;
    struct gf_pass_args with = *args;
    struct gf_edges_params p = {};
    GF_TRY(gf_window_input(&with, run, layout, error));
    p.in = with.operand[GF_OPERAND_CENTRE];
    p.width = pass->width;
    p.height = pass->height;
    p.border = window->border;
    gf_args_get(&window->args.own, &p.args, sizeof p.args);
    for (int32_t c = 0; c < GF_MAX_CHANNELS; c++) {
        p.fill[c] = gf_quantise_to(window->fill[c], window->depth_in);
    }
    p.out = {static_cast<unsigned char *>(run->scratch) + layout->middle, gf_edges_pitch(pass), 1, GF_U8};
    p.out = direct ? with.out : p.out;
    if (gf_edges_marches(pass)) {
        struct gf_pass_args march = with;
        march.in = p.in;
        march.out = p.out;
        GF_TRY(gf_edges_march(&march, run, &p.args, error));
    } else {
        GF_TRY(gf_edges_queue(p, gf_run_stream(run), error));
    }
    return direct ? GF_OK : gf_window_output(&with, &p.out, run, error);
}

static gf_status gf_edges_march_launch(const struct gf_pass_args *args, const struct gf_run *run,
                                       const struct gf_scratch_layout *layout, gf_error *error)
{
    if (gf_only_prepares(run)) {
        const struct gf_edges_args none = {};
        return gf_edges_march(args, run, &none, error);
    }
    return gf_edges_launch(args, run, layout, error);
}

const struct gf_path gf_paths_cuda_edges[] = {
    GF_PATH_CUDA("march-edges", gf_edges_marches, gf_edges_march_launch, gf_edges_middle, GF_PATH_PREPARES),
    GF_PATH_CUDA("plain", nullptr, gf_edges_launch, gf_edges_middle, 0), GF_PATHS_END};
