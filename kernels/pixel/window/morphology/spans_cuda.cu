/* Least samples of spans in memory: see spans_cuda.h. A thread has a word of a row; words that do not lie at
 * a word's address are put together of two. */
#include "pixel/window/morphology/spans_cuda.h"

#include "pixel/cuda/program_cuda.cuh"
#include "pixel/window/morphology/footprint.h"
#include "pixel/window/morphology/least_cuda.cuh"

enum { GF_SPANS_THREADS = 256 };

struct gf_spans_params {
    struct gf_spans_plane from, to;
    struct gf_surface in;
    int64_t width, height, left, up, samples;
    int64_t dx[4], dy[4]; /* dx: bytes */
    int32_t border, outside, final;
    uint32_t flip;
    uint32_t fill[GF_MAX_CHANNELS];
    const int16_t *runs;
    int32_t n_runs;
    size_t plane;
};

/* The word whose first sample is number i of a row beside the picture. */
template <class T> GF_DEVICE_FN uint32_t gf_spans_fill(const struct gf_spans_params &p, int64_t i)
{
    uint32_t word = 0;
    for (unsigned j = 0; j < 4 / sizeof(T); j++) {
        const uint32_t key = p.fill[(i + j) % p.in.channels];
        word |= (sizeof(T) == 4 ? key : key & ((1U << 8 * (sizeof(T) % 4)) - 1)) << (8 * sizeof(T) * j);
    }
    return word;
}

/* The word at any address around which words can be read. */
GF_DEVICE_FN uint32_t gf_spans_load(const unsigned char *from)
{
    const unsigned shift = static_cast<unsigned>(reinterpret_cast<uintptr_t>(from) % 4);
    const uint32_t low = gf_load4(from - shift);
    return shift == 0 ? low : gf_funnel_right(low, gf_load4(from - shift + 4), 8 * shift);
}

/* Bytes that a step writes from the start of row y on: a plane is written whole, with what lies behind its
 * rows, since words that reach over the end of a row are read; 0 behind the last row. */
GF_DEVICE_FN int64_t gf_spans_row_end(const struct gf_spans_params &p, int64_t y)
{
    return y >= p.to.rows ? 0 : y < p.to.rows - 1 ? p.to.pitch : p.to.pitch + GF_SPANS_BEHIND;
}

template <class T>
static __global__ void __launch_bounds__(GF_SPANS_THREADS) gf_spans_keys(const struct gf_spans_params p)
{
    const int64_t i = int64_t(blockIdx.x) * GF_SPANS_THREADS + threadIdx.x;
    const int64_t column = gf_border_index(i / p.in.channels - p.left, p.width, p.border);
    const int64_t c = i % p.in.channels;
    for (int64_t y = blockIdx.y; i * int64_t(sizeof(T)) < gf_spans_row_end(p, y); y += gridDim.y) {
        uint32_t key = i < p.samples ? p.fill[c] : 0;
        if (column >= 0 && i < p.samples) {
            T v;
            memcpy(&v, p.in.data + y * p.in.pitch + (column * p.in.channels + c) * int64_t(sizeof(T)),
                   sizeof(T));
            key = gf_least_key<T>(v, p.flip);
        }
        const T made = static_cast<T>(key);
        memcpy(p.to.data + y * p.to.pitch + i * int64_t(sizeof(T)), &made, sizeof(T));
    }
}

/* Stores a word of keys, or in the output what they stand for, as far as the row goes. */
template <class T>
GF_DEVICE_FN void gf_spans_store(const struct gf_spans_params &p, int64_t i, int64_t y, uint32_t word)
{
    unsigned char *to = p.to.data + y * p.to.pitch + i * int64_t(sizeof(T));
    if (!p.final) {
        gf_store4(to, word, GF_CACHED);
        return;
    }
    word = gf_least_bits<T>(word, p.flip);
    for (int b = 0; b < 4 && i + b / int(sizeof(T)) < p.samples; b++) {
        to[b] = static_cast<unsigned char>(word >> 8 * b);
    }
}

template <class T>
static __global__ void __launch_bounds__(GF_SPANS_THREADS) gf_spans_of_four(const struct gf_spans_params p)
{
    const int64_t i = (int64_t(blockIdx.x) * GF_SPANS_THREADS + threadIdx.x) * int64_t(4 / sizeof(T));
    for (int64_t y = blockIdx.y; y < p.to.rows; y += gridDim.y) {
        if (i >= p.samples) {
            if (!p.final && i * int64_t(sizeof(T)) < gf_spans_row_end(p, y)) {
                gf_store4(p.to.data + y * p.to.pitch + i * int64_t(sizeof(T)), 0, GF_CACHED);
            }
            continue;
        }
        struct gf_least_word<T> least;
        least.start(UINT32_MAX);
#pragma unroll
        for (int k = 0; k < 4; k++) {
            int64_t row = y + p.dy[k];
            row = p.outside ? gf_border_index(row - p.up, p.height, p.border) : row;
            least.take(
                row < 0 ? gf_spans_fill<T>(p, i)
                        : gf_spans_load(p.from.data + row * p.from.pitch + i * int64_t(sizeof(T)) + p.dx[k]));
        }
        gf_spans_store<T>(p, i, y, least.word());
    }
}

template <class T>
static __global__ void __launch_bounds__(GF_SPANS_THREADS) gf_spans_of_runs(const struct gf_spans_params p)
{
    const int64_t i = (int64_t(blockIdx.x) * GF_SPANS_THREADS + threadIdx.x) * int64_t(4 / sizeof(T));
    const int64_t pixel = p.in.channels * int64_t(sizeof(T));
    for (int64_t y = blockIdx.y; i < p.samples && y < p.to.rows; y += gridDim.y) {
        struct gf_least_word<T> least;
        least.start(UINT32_MAX);
        const int16_t *run = p.runs;
        for (int32_t k = 0; k < p.n_runs - (GF_FAULT(cuda_footprint_run) && p.n_runs > 1);
             k++, run += GF_RUN_NUMBERS) {
            const int64_t row = gf_border_index(y + run[GF_RUN_ROW], p.height, p.border);
            if (row < 0) {
                least.take(gf_spans_fill<T>(p, i));
                continue;
            }
            const int32_t length = run[GF_RUN_TO] - run[GF_RUN_FROM] + 1, level = gf_span_level(length);
            const unsigned char *from = p.from.data + int64_t(p.plane) * level + row * p.from.pitch +
                                        i * int64_t(sizeof(T)) + (p.left + run[GF_RUN_FROM]) * pixel;
            least.take(gf_spans_load(from));
            least.take(gf_spans_load(from + (length - (1 << level)) * pixel));
        }
        gf_spans_store<T>(p, i, y, least.word());
    }
}

/* ---- launch ------------------------------------------------------------------------------------------- */

void gf_spans_make(struct gf_spans *spans, const struct gf_pass_args *args, const struct gf_run *run,
                   uint32_t flip)
{
    const struct gf_window *window = &run->pass->window;
    *spans = gf_spans();
    spans->run = run;
    spans->in = args->operand[GF_OPERAND_CENTRE];
    spans->width = args->width;
    spans->height = args->height;
    spans->border = window->border;
    spans->flip = flip;
    for (int32_t c = 0; c < GF_MAX_CHANNELS; c++) {
        const float v = gf_quantise_to(window->fill[c], window->depth_in);
        spans->fill[c] = (window->depth_in == GF_F32 ? gf_float_key(v) : static_cast<uint32_t>(v)) ^ flip;
    }
}

static struct gf_spans_params gf_spans_params_make(const struct gf_spans *spans)
{
    struct gf_spans_params p = {};
    p.in = spans->in;
    p.width = spans->width;
    p.height = spans->height;
    p.left = spans->left;
    p.up = spans->up;
    p.border = spans->border;
    p.flip = spans->flip;
    for (int32_t c = 0; c < GF_MAX_CHANNELS; c++) {
        p.fill[c] = spans->fill[c];
    }
    return p;
}

static struct gf_launch gf_spans_grid(const struct gf_spans *spans, int64_t threads, int64_t rows)
{
    gf_launch launch =
        gf_launch_on(gf_run_stream(spans->run),
                     dim3(gf_blocks(threads, GF_SPANS_THREADS), gf_blocks(rows < 65535 ? rows : 65535, 1)),
                     GF_SPANS_THREADS);
    return launch;
}

/* The kernel of the depth. */
#define GF_SPANS_LAUNCH(kernel, spans, launch, p)                                                            \
    do {                                                                                                     \
        if ((spans)->in.depth == GF_U8) {                                                                    \
            GF_CUDA_TRY(error, GF_LAUNCH(kernel<uint8_t>, launch, p));                                       \
        } else if ((spans)->in.depth == GF_U16) {                                                            \
            GF_CUDA_TRY(error, GF_LAUNCH(kernel<uint16_t>, launch, p));                                      \
        } else {                                                                                             \
            GF_CUDA_TRY(error, GF_LAUNCH(kernel<uint32_t>, launch, p));                                      \
        }                                                                                                    \
    } while (0)

gf_status gf_spans_extend(const struct gf_spans *spans, const struct gf_spans_plane *to, int64_t samples,
                          gf_error *error)
{
    struct gf_spans_params p = gf_spans_params_make(spans);
    p.to = *to;
    p.samples = samples;
    const int64_t written = (to->pitch + GF_SPANS_BEHIND) / gf_sample_bytes(spans->in.depth);
    GF_SPANS_LAUNCH(gf_spans_keys, spans, gf_spans_grid(spans, written, to->rows), p);
    return GF_OK;
}

/* The window's output, as a plane. */
static struct gf_spans_plane gf_spans_output(const struct gf_spans *spans)
{
    return {spans->out.data, spans->out.pitch, spans->height};
}

gf_status gf_spans_least(const struct gf_spans *spans, const struct gf_spans_step *step,
                         const struct gf_spans_plane *from, const struct gf_spans_plane *to, gf_error *error)
{
    struct gf_spans_params p = gf_spans_params_make(spans);
    const int64_t bytes = gf_sample_bytes(spans->in.depth);
    p.from = *from;
    p.to = to ? *to : gf_spans_output(spans);
    p.final = !to;
    p.outside = step->outside;
    p.samples = step->samples;
    for (int k = 0; k < 4; k++) {
        p.dx[k] = step->dx[k] * bytes;
        p.dy[k] = step->dy[k];
    }
    const int64_t words = to ? (to->pitch + GF_SPANS_BEHIND) / 4 : (p.samples * bytes + 3) / 4;
    GF_SPANS_LAUNCH(gf_spans_of_four, spans, gf_spans_grid(spans, words, p.to.rows), p);
    return GF_OK;
}

gf_status gf_spans_runs(const struct gf_spans *spans, const struct gf_spans_plane *level, size_t plane,
                        const int16_t *runs, int32_t count, gf_error *error)
{
    struct gf_spans_params p = gf_spans_params_make(spans);
    p.from = *level;
    p.to = gf_spans_output(spans);
    p.final = true;
    p.plane = plane;
    p.runs = runs;
    p.n_runs = count;
    p.samples = spans->width * spans->in.channels;
    const int64_t words = (p.samples * gf_sample_bytes(spans->in.depth) + 3) / 4;
    GF_SPANS_LAUNCH(gf_spans_of_runs, spans, gf_spans_grid(spans, words, p.to.rows), p);
    return GF_OK;
}

/* ---- the program behind the window ---------------------------------------------------------------------- */

static int64_t gf_spans_row(const struct gf_pass *pass)
{
    return pass->width * pass->window.channels_out * gf_sample_bytes(pass->window.depth_out);
}

static bool gf_spans_is_last(const struct gf_pass *pass)
{
    return pass->post.n == 0 && pass->post.depth_out == pass->window.depth_out;
}

size_t gf_spans_output_bytes(const struct gf_pass *pass)
{
    return gf_spans_is_last(pass) ? 0 : static_cast<size_t>(gf_spans_row(pass) * pass->height);
}

bool gf_spans_begin_output(struct gf_spans *spans, const struct gf_pass_args *args, void *scratch)
{
    const struct gf_pass *pass = spans->run->pass;
    const bool last = gf_spans_is_last(pass);
    spans->out = args->out;
    if (!last) {
        spans->out = {static_cast<unsigned char *>(scratch), gf_spans_row(pass), pass->window.channels_out,
                      pass->window.depth_out};
    }
    return last;
}

gf_status gf_spans_end_output(const struct gf_spans *spans, const struct gf_pass_args *args, gf_error *error)
{
    return gf_spans_is_last(spans->run->pass) ? GF_OK
                                              : gf_window_output(args, &spans->out, spans->run, error);
}
