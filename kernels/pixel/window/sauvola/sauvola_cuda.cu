/* Levels by mean and spread on CUDA: both sums of a window across into lines of scratch, then down.
 *
 * Integers: a warp walks along a row with sums that enter and leave, added up over the warp; down, a thread
 * has a column of a channel in a segment of rows. f32: f64, each sum from its first sample on, as
 * docs/exactness.md has it. A line of the middle has all sums, then all sums of squares. */
#include "pixel/cuda/sample_cuda.cuh"
#include "pixel/cuda/window_cuda.cuh"
#include "pixel/window/sauvola/sauvola.h"

enum {
    GF_SAUVOLA_PIXELS = 8, /* of a lane */
    GF_SAUVOLA_PIECE = GF_WARP * GF_SAUVOLA_PIXELS,
    GF_SAUVOLA_WARPS = GF_WINDOW_THREADS / GF_WARP,
    GF_SAUVOLA_BLOCKS = 8192
};

struct gf_sauvola_params {
    struct gf_window_params window; /* planes: two a channel */
    struct gf_surface out;
    struct gf_sauvola_args args;
    float fill[GF_MAX_CHANNELS];
};

template <class A> struct gf_moments {
    A sum, squares;
};

/* Channel c of pixel x in a row of the picture; row NULL: the fill. */
template <class A>
GF_DEVICE_FN A gf_sauvola_at(const struct gf_sauvola_params &p, const unsigned char *row, int64_t x,
                             int32_t c)
{
    const struct gf_surface &s = p.window.samples;
    const int64_t at = x >= 0 && x < p.window.width ? x : gf_border_index(x, p.window.width, p.window.border);
    return static_cast<A>(row && at >= 0 ? gf_sample_load(row, s.depth, at * s.channels + c) : p.fill[c]);
}

/* The sums around pixel x, from left to right. */
template <class A>
GF_DEVICE_FN struct gf_moments<A> gf_sauvola_row(const struct gf_sauvola_params &p, const unsigned char *row,
                                                 int64_t x, int32_t c) {
    const A first = gf_sauvola_at<A>(p, row, x - p.window.rx, c);
    struct gf_moments<A> m = {
        first, first *first
    };
    for (int64_t i = 1 - p.window.rx; i <= p.window.rx; i++) {
        const A v = gf_sauvola_at<A>(p, row, x + i, c);
        m.sum += v;
        m.squares += v * v;
    }
    return m;
}

/* The sums around 8 pixels from x on, where the warp's first lane is at x0; *before: those around x0, then
 * those around the next piece. */
template <class A>
GF_DEVICE_FN void gf_sauvola_walk(const struct gf_sauvola_params &p, const unsigned char *row, int64_t x,
                                  int32_t c, struct gf_moments<A> *before,
                                  struct gf_moments<A> (&made)[GF_SAUVOLA_PIXELS])
{
    struct gf_moments<A> own = {
        0, 0
    };
#pragma unroll
    for (int i = 0; i < GF_SAUVOLA_PIXELS; i++) {
        const A enter = gf_sauvola_at<A>(p, row, x + i + p.window.rx + 1, c);
        const A leave = gf_sauvola_at<A>(p, row, x + i - p.window.rx, c);
        made[i] = own;
        own.sum += enter - leave;
        own.squares += enter * enter - leave * leave;
    }
    struct gf_moments<A> upto = own;
#pragma unroll
    for (unsigned distance = 1; distance < GF_WARP; distance *= 2) {
        const A sum = gf_shfl_up(upto.sum, distance), squares = gf_shfl_up(upto.squares, distance);
        upto.sum += gf_lane() >= distance ? sum : A(0);
        upto.squares += gf_lane() >= distance ? squares : A(0);
    }
#pragma unroll
    for (int i = 0; i < GF_SAUVOLA_PIXELS; i++) {
        made[i].sum += before->sum + (upto.sum - own.sum);
        made[i].squares += before->squares + (upto.squares - own.squares);
    }
    before->sum += gf_shfl(upto.sum, GF_WARP - 1);
    before->squares += gf_shfl(upto.squares, GF_WARP - 1);
}

/* The sums around pixel x0, by a warp. */
template <class A>
GF_DEVICE_FN struct gf_moments<A> gf_sauvola_first(const struct gf_sauvola_params &p,
                                                   const unsigned char *row, int64_t x0, int32_t c) {
    struct gf_moments<A> m = {
        0, 0
    };
    for (int64_t i = -p.window.rx + gf_lane(); i <= p.window.rx; i += GF_WARP) {
        const A v = gf_sauvola_at<A>(p, row, x0 + i, c);
        m.sum += v;
        m.squares += v * v;
    }
#pragma unroll
    for (unsigned distance = GF_WARP / 2; distance > 0; distance /= 2) {
        m.sum += gf_shfl_xor(m.sum, distance);
        m.squares += gf_shfl_xor(m.squares, distance);
    }
    return m;
}

template <class A>
static __global__ void __launch_bounds__(GF_WINDOW_THREADS)
    gf_sauvola_across(const struct gf_sauvola_params p)
{
    const struct gf_window_params &w = p.window;
    const int32_t channels = w.samples.channels;
    const int64_t rows = w.height + (w.border == GF_BORDER_CONSTANT);
    for (int64_t n = int64_t(blockIdx.x) * GF_SAUVOLA_WARPS + gf_warp(); n < rows * channels;
         n += int64_t(gridDim.x) * GF_SAUVOLA_WARPS) {
        const int64_t y = n / channels;
        const int32_t c = static_cast<int32_t>(n - y * channels);
        const unsigned char *const row = y < w.height ? w.samples.data + y * w.samples.pitch : nullptr;
        A *const sums = gf_middle_line<A>(w, y, c), *const squares = gf_middle_line<A>(w, y, channels + c);
        struct gf_moments<A> before = {
            0, 0
        };
        if constexpr (!std::is_same<A, double>::value) {
            before = gf_sauvola_first<A>(p, row, 0, c);
        }
        for (int64_t x0 = 0; x0 < w.width; x0 += GF_SAUVOLA_PIECE) {
            const int64_t x = x0 + gf_lane() * GF_SAUVOLA_PIXELS;
            struct gf_moments<A> made[GF_SAUVOLA_PIXELS];
            if constexpr (!std::is_same<A, double>::value) {
                gf_sauvola_walk<A>(p, row, x, c, &before, made);
            } else {
                for (int i = 0; i < GF_SAUVOLA_PIXELS; i++) {
                    made[i] = gf_sauvola_row<A>(p, row, x + i, c);
                }
            }
            for (int i = 0; i < GF_SAUVOLA_PIXELS && x + i < w.width; i++) {
                sums[x + i] = made[i].sum;
                squares[x + i] = made[i].squares;
            }
        }
    }
}

/* Row y of column x in both planes of channel c. */
template <class A>
GF_DEVICE_FN struct gf_moments<A> gf_sauvola_line(const struct gf_window_params &w, int64_t x, int64_t y,
                                                  int32_t c) {
    const int64_t row = y >= 0 && y < w.height ? y : gf_middle_row(w, y);
    return {gf_middle_line<A>(w, row, c)[x], gf_middle_line<A>(w, row, w.samples.channels + c)[x]};
}

/* The sums of the rows around y, from top to bottom. */
template <class A>
GF_DEVICE_FN struct gf_moments<A> gf_sauvola_rows(const struct gf_window_params &w, int64_t x, int64_t y,
                                                  int32_t c) {
    struct gf_moments<A> m = gf_sauvola_line<A>(w, x, y - w.ry, c);
    for (int64_t i = 1 - w.ry; i <= w.ry; i++) {
        const struct gf_moments<A> row = gf_sauvola_line<A>(w, x, y + i, c);
        m.sum += row.sum;
        m.squares += row.squares;
    }
    return m;
}

template <class A>
GF_DEVICE_FN void gf_sauvola_store(const struct gf_sauvola_params &p, int64_t i, int64_t y,
                                   const struct gf_moments<A> &m)
{
    const double level =
        gf_sauvola_level(static_cast<double>(m.sum), static_cast<double>(m.squares),
                         static_cast<double>(gf_sauvola_area(&p.args)), p.args.k, p.args.range);
    unsigned char *const row = p.out.data + y * p.out.pitch;
    if constexpr (std::is_same<A, double>::value) {
        gf_sample_store(row, GF_F32, i, static_cast<float>(level));
    } else {
        const uint32_t white = p.out.depth == GF_U8 ? 255 : 65535;
        gf_sample_store(row, p.out.depth, i, static_cast<float>(gf_sauvola_floor(level, white)));
    }
}

template <class A>
static __global__ void __launch_bounds__(GF_WINDOW_THREADS) gf_sauvola_down(const struct gf_sauvola_params p)
{
    const struct gf_window_params &w = p.window;
    const int32_t channels = w.samples.channels;
    const int64_t i = int64_t(blockIdx.x) * GF_WINDOW_THREADS + threadIdx.x;
    const int64_t x = i / channels;
    const int32_t c = static_cast<int32_t>(i - x * channels);
    for (int64_t begin = int64_t(blockIdx.y) * w.segment; x < w.width && begin < w.height;
         begin += int64_t(gridDim.y) * w.segment) {
        const int64_t end = begin + w.segment < w.height ? begin + w.segment : w.height;
        struct gf_moments<A> m = gf_sauvola_rows<A>(w, x, begin, c);
        for (int64_t y = begin; y < end; y++) {
            if (y > begin) {
                if constexpr (std::is_same<A, double>::value) {
                    m = gf_sauvola_rows<A>(w, x, y, c);
                } else {
                    const struct gf_moments<A> enter = gf_sauvola_line<A>(w, x, y + w.ry, c);
                    const struct gf_moments<A> leave =
                        gf_sauvola_line<A>(w, x, y - w.ry - 1 + GF_FAULT(cuda_sauvola_drift), c);
                    m.sum += enter.sum - leave.sum;
                    m.squares += enter.squares - leave.squares;
                }
            }
            gf_sauvola_store<A>(p, i, y, m);
        }
    }
}

/* ---- launch ------------------------------------------------------------------------------------------- */

static size_t gf_sauvola_sums(const struct gf_pass *pass)
{
    const struct gf_sauvola_args args = gf_sauvola_args_of(&pass->window);
    const int64_t size = gf_sauvola_is_narrow(&args, pass->window.depth_in) ? 4 : 8;
    return (gf_window_middle_bytes(pass, 2 * pass->window.channels_in, size) + 15) / 16 * 16;
}

static int64_t gf_sauvola_pitch(const struct gf_pass *pass)
{
    return (pass->width * pass->window.channels_in * gf_sample_bytes(pass->window.depth_out) + 15) / 16 * 16;
}

/* The sums, then the levels. */
static size_t gf_sauvola_middle(const struct gf_pass *pass)
{
    return gf_sauvola_sums(pass) + static_cast<size_t>(gf_sauvola_pitch(pass) * pass->height);
}

template <class A>
static gf_status gf_sauvola_run(const struct gf_sauvola_params &p, cudaStream_t stream, gf_error *error)
{
    const struct gf_window_params &w = p.window;
    const int64_t lines = (w.height + 1) * w.samples.channels, most = GF_SAUVOLA_BLOCKS * GF_SAUVOLA_WARPS;
    gf_launch launch =
        gf_launch_on(stream, gf_blocks(lines < most ? lines : most, GF_SAUVOLA_WARPS), GF_WINDOW_THREADS);
    GF_CUDA_TRY(error, GF_LAUNCH(gf_sauvola_across<A>, launch, p));
    const int64_t segments = (w.height + w.segment - 1) / w.segment;
    launch.grid = dim3(gf_blocks(w.width * w.samples.channels, GF_WINDOW_THREADS),
                       gf_blocks(segments < 65535 ? segments : 65535, 1));
    GF_CUDA_TRY(error, GF_LAUNCH(gf_sauvola_down<A>, launch, p));
    return GF_OK;
}

static gf_status gf_sauvola_launch(const struct gf_pass_args *args, const struct gf_run *run,
                                   const struct gf_scratch_layout *layout, gf_error *error)
{
    const struct gf_pass *pass = run->pass;
    const struct gf_window *window = &pass->window;
    cudaStream_t stream = gf_run_stream(run);
    struct gf_pass_args with = *args;
    struct gf_sauvola_params p = {};
    GF_TRY(gf_window_input(&with, run, layout, error));
    p.args = gf_sauvola_args_of(window);
    p.window.samples = with.operand[GF_OPERAND_CENTRE];
    p.window.middle = static_cast<unsigned char *>(run->scratch) + layout->middle;
    p.window.width = pass->width;
    p.window.height = pass->height;
    p.window.line = (pass->width + 7) / 8 * 8;
    p.window.rx = p.args.radius_x;
    p.window.ry = p.args.radius_y;
    p.window.planes = 2 * window->channels_in;
    p.window.border = window->border;
    p.window.segment = p.args.radius_y < 8 ? 32 : 4 * p.args.radius_y;
    p.out = {static_cast<unsigned char *>(p.window.middle) + gf_sauvola_sums(pass), gf_sauvola_pitch(pass),
             window->channels_in, window->depth_out};
    for (int32_t c = 0; c < GF_MAX_CHANNELS; c++) {
        p.fill[c] = gf_quantise_to(window->fill[c], window->depth_in);
    }
    GF_TRY(window->depth_in == GF_F32                        ? gf_sauvola_run<double>(p, stream, error)
           : gf_sauvola_is_narrow(&p.args, window->depth_in) ? gf_sauvola_run<uint32_t>(p, stream, error)
                                                             : gf_sauvola_run<uint64_t>(p, stream, error));
    return gf_window_output(&with, &p.out, run, error);
}

const struct gf_path gf_paths_cuda_sauvola[] = {
    GF_PATH_CUDA("sums", nullptr, gf_sauvola_launch, gf_sauvola_middle, 0), GF_PATHS_END};
