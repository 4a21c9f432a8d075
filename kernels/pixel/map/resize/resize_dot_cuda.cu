/* "resize" of u8 along rows on the GPU where few samples make an output, by four products at a time (dp4a). A
 * thread has one output, whose weights it keeps, and goes down the picture; copies bring the next rows to
 * shared memory meanwhile. resize_across_cuda.cu has the way for many samples. */
#include "base/planted_fault.h"
#include "pixel/cuda/rgb_words_cuda.cuh"
#include "pixel/map/resize/resize_copies_cuda.cuh"
#include "pixel/map/resize/resize_split_cuda.cuh"

enum {
    GF_DOT_THREADS = 128,  /* outputs of a block */
    GF_DOT_ROWS = 4,       /* that it makes at a time */
    GF_DOT_STAGES = 3,     /* of so many rows in shared memory, all but one of them on their way */
    GF_DOT_BLOCKS = 8,     /* of a processor */
    GF_DOT_CHUNK = 16,     /* bytes that are copied at once */
    GF_DOT_QUADS = 7,      /* of an output, at most: tensor cores are faster where they are more, */
    GF_DOT_RGBA_QUADS = 4, /* and of four channels where they are these */
    GF_DOT_SHARED = 48 << 10
};

/* What a thread copies of GF_DOT_ROWS rows, taken as one row of chunks: every GF_DOT_THREADS-th, so that
 * where they lie is found by a few additions. */
struct gf_dot_copies {
    int32_t chunks, bytes, odd; /* of a row: whole ones, their bytes, and bytes behind them where it ends */
    int32_t at, step;           /* in the row: the thread's first chunk, and how far on the next is */
    int64_t from, step_from, wrap_from; /* in the picture: the same, and from the end of a row to the next */
    int32_t to, step_to, wrap_to;       /* in shared memory */
};

GF_DEVICE_FN struct gf_dot_copies gf_dot_find(const struct gf_resize_copies &row, int64_t pitch, int32_t span)
{
    struct gf_dot_copies c = {};
    const int32_t thread = static_cast<int32_t>(threadIdx.x), all = GF_DOT_THREADS * GF_DOT_CHUNK;
    c.chunks = (row.bytes + GF_DOT_CHUNK - 1) / GF_DOT_CHUNK;
    c.bytes = c.chunks * GF_DOT_CHUNK;
    c.odd = row.odd;
    if (c.chunks > 0) {
        const int32_t first = thread / c.chunks, rows = all / c.bytes;
        c.at = (thread - first * c.chunks) * GF_DOT_CHUNK;
        c.step = all - rows * c.bytes;
        c.from = first * pitch + c.at;
        c.to = first * span + c.at;
        c.step_from = rows * pitch + c.step;
        c.step_to = rows * span + c.step;
        c.wrap_from = pitch - c.bytes;
        c.wrap_to = span - c.bytes;
    }
    return c;
}

/* Fetches at most n rows, the first of which is at `from`, to `rows`, where they are `span` bytes apart. */
GF_DEVICE_FN void gf_dot_fetch(const struct gf_dot_copies &c, const char *from, int64_t pitch, int64_t n,
                               int32_t span, char *rows)
{
    const int32_t count = static_cast<int32_t>(n < GF_DOT_ROWS ? n : int64_t(GF_DOT_ROWS));
    const char *in = from + c.from;
    char *to = rows + c.to;
    int32_t at = c.at;
#pragma unroll 1
    for (int32_t left = count * c.chunks - static_cast<int32_t>(threadIdx.x); left > 0;
         left -= GF_DOT_THREADS) {
        gf_cp_async<GF_DOT_CHUNK>(to, in);
        at += c.step;
        in += c.step_from;
        to += c.step_to;
        if (at >= c.bytes) {
            at -= c.bytes;
            in += c.wrap_from;
            to += c.wrap_to;
        }
    }
    if (c.odd > 0) {
#pragma unroll 1
        for (int32_t i = static_cast<int32_t>(threadIdx.x); i < count * c.odd; i += GF_DOT_THREADS) {
            const int32_t row = i / c.odd, k = c.bytes + i - row * c.odd;
            rows[row * span + k] = from[row * pitch + k];
        }
    }
    gf_cp_async_commit();
}

/* The digits of an output's weights, quad by quad; 0 behind them. Returns how many quads there are. */
template <int QUADS>
GF_DEVICE_FN int32_t gf_dot_weights(const struct gf_resize_params &p, int64_t output,
                                    uint32_t (&w)[QUADS][GF_RESIZE_DIGITS])
{
    const int32_t quads = output < p.outputs ? (p.begin[output] % 4 + p.many[output] + 3) / 4 : 0;
    const int32_t *digits = p.digits + output * p.quads * GF_RESIZE_DIGITS;
    GF_UNROLL
    for (int q = 0; q < QUADS; q++) {
        GF_UNROLL
        for (int d = 0; d < GF_RESIZE_DIGITS; d++) {
            w[q][d] = q < quads - GF_FAULT(cuda_resize_quad)
                          ? static_cast<uint32_t>(digits[q * GF_RESIZE_DIGITS + d])
                          : 0U;
        }
    }
    return quads;
}

/* The lowest digit that any weight of the warp has: weights of whole scales are short, a box's a power of
 * two. */
template <int QUADS> GF_DEVICE_FN int gf_dot_lowest(const uint32_t (&w)[QUADS][GF_RESIZE_DIGITS])
{
    uint32_t any[GF_RESIZE_DIGITS] = {};
    GF_UNROLL
    for (int q = 0; q < QUADS; q++) {
        GF_UNROLL
        for (int d = 0; d < GF_RESIZE_DIGITS; d++) {
            any[d] |= w[q][d];
        }
    }
    return gf_any(any[0] != 0) ? 0 : gf_any(any[1] != 0) ? 1 : 2;
}

/* An output of a row, whose first four pixels are at `at`, in a word. Digits below LOWEST are 0. */
template <int C, int QUADS, int LOWEST>
GF_DEVICE_FN uint32_t gf_dot_pixel(const uint32_t *at, const uint32_t (&w)[QUADS][GF_RESIZE_DIGITS],
                                   int32_t quads)
{
    int32_t sum[C][GF_RESIZE_DIGITS] = {}, whole[4] = {};
    GF_UNROLL
    for (int c = 0; c < C; c++) {
        sum[c][LOWEST] = 1 << (GF_RESIZE_SHIFT - 1 - 8 * LOWEST); /* for rounding */
    }
    GF_UNROLL
    for (int q = 0; q < QUADS; q++) {
        if (q == 0 || q < QUADS - 1 || q < quads) {
            uint32_t word[C];
            gf_resize_split<C>(at + q * C, word);
            GF_UNROLL
            for (int c = 0; c < C; c++) {
                GF_UNROLL
                for (int d = LOWEST; d < GF_RESIZE_DIGITS; d++) {
                    sum[c][d] = gf_dp4a_us(word[c], w[q][d], sum[c][d]);
                }
            }
        }
    }
    GF_UNROLL
    for (int c = 0; c < C; c++) {
        whole[c] = gf_resize_shifted<LOWEST>(sum[c][0], sum[c][1], sum[c][2]);
    }
    return gf_pack_u8(whole[0], whole[1], whole[2], whole[3]);
}

/* Where a thread's outputs go. */
struct gf_dot_to {
    char *out;           /* of the words of a warp the lane's, else of the thread's pixel */
    int64_t pitch, rows; /* of them */
    int32_t back;        /* from that word to the pixel */
    bool mine, words;
    struct gf_rgb_lane lane;
};

/* A pixel of each of GF_DOT_ROWS rows to its place; whole warps of RGB write a word to the lane's. */
template <int C>
GF_DEVICE_FN void gf_dot_store(const struct gf_dot_to &to, const uint32_t (&pixel)[GF_DOT_ROWS])
{
    char *out = to.out;
    if constexpr (C == 3) {
        if (to.words && to.rows >= GF_DOT_ROWS) { /* all lanes or none */
            GF_UNROLL
            for (int r = 0; r < GF_DOT_ROWS; r++, out += to.pitch) {
                const uint32_t word = gf_rgb_word(to.lane, pixel[r]);
                if (gf_lane() < GF_RGB_WORDS) {
                    gf_store4(out, word);
                }
            }
            return;
        }
        out += to.back;
    }
    GF_UNROLL
    for (int r = 0; r < GF_DOT_ROWS; r++, out += to.pitch) {
        if (!to.mine || r >= to.rows) {
            continue;
        }
        if constexpr (C == 4) {
            gf_store4(out, pixel[r]);
        } else {
            for (int c = 0; c < C; c++) {
                out[c] = static_cast<char>(pixel[r] >> (8 * c));
            }
        }
    }
}

/* GF_DOT_ROWS outputs of a thread, from rows `span` bytes apart. */
template <int C, int QUADS, int LOWEST>
GF_DEVICE_FN void gf_dot_rows(const char *row, int32_t span, const uint32_t (&w)[QUADS][GF_RESIZE_DIGITS],
                              int32_t quads, const struct gf_dot_to &to)
{
    uint32_t pixel[GF_DOT_ROWS];
    GF_UNROLL
    for (int r = 0; r < GF_DOT_ROWS; r++, row += span) {
        pixel[r] = gf_dot_pixel<C, QUADS, LOWEST>(reinterpret_cast<const uint32_t *>(row), w, quads);
    }
    gf_dot_store<C>(to, pixel);
}

/* span: bytes from row to row in shared memory. */
template <int C, int QUADS>
static __global__ void __launch_bounds__(GF_DOT_THREADS, GF_DOT_BLOCKS)
    gf_resize_dot_kernel(const struct gf_resize_params p, int32_t span)
{
    GF_SHARED_DYN(char, rows);
    const int64_t x0 = int64_t(blockIdx.x) * GF_DOT_THREADS, x = x0 + threadIdx.x;
    const int64_t last = x0 + GF_DOT_THREADS < p.outputs ? x0 + GF_DOT_THREADS - 1 : p.outputs - 1;
    const int64_t own = x < p.outputs ? x : p.outputs - 1;
    const int64_t from = int64_t(p.begin[x0]) / 4 * 4 * C / GF_DOT_CHUNK * GF_DOT_CHUNK;
    const int64_t to = (p.begin[last] + p.many[last] + 3) / 4 * 4 * int64_t(C);
    const int64_t warp_x = x - gf_lane();
    const bool words = C == 3 && warp_x + GF_WARP <= p.outputs;
    const int64_t stride = int64_t(GF_DOT_ROWS) * gridDim.y;
    gf_pdl_launch(); /* the kernel down may make its weights meanwhile */
    uint32_t w[QUADS][GF_RESIZE_DIGITS];
    int32_t quads = gf_dot_weights<QUADS>(p, x, w);
    for (unsigned apart = GF_WARP / 2; apart > 0; apart /= 2) { /* the most of the warp's */
        const int32_t other = static_cast<int32_t>(gf_shfl_xor(quads, apart));
        quads = other > quads ? other : quads;
    }
    const int lowest = gf_dot_lowest<QUADS>(w) + GF_FAULT(cuda_resize_digit);
    const struct gf_dot_copies copies =
        gf_dot_find(gf_resize_find(p, GF_DOT_CHUNK, 0, from, to), p.in_pitch, span);
    const char *at = rows + (int64_t(p.begin[own]) / 4 * 4 * C - from);
    const int64_t first = int64_t(GF_DOT_ROWS) * blockIdx.y, step = stride * p.in_pitch;
    const char *in = p.in + (p.first + first - p.in_first) * p.in_pitch + from;
    const int32_t lane = static_cast<int32_t>(gf_lane());
    struct gf_dot_to give = {p.out + first * p.out_pitch + (words ? warp_x * C + 4 * lane : x * C),
                             p.out_pitch,
                             0,
                             words ? (C - 4) * lane : 0,
                             x < p.outputs,
                             words,
                             gf_rgb_find()};
    for (int i = 0; i < GF_DOT_STAGES - 1; i++, in += step) {
        gf_dot_fetch(copies, in, p.in_pitch, p.count - first - i * stride, span,
                     rows + i * GF_DOT_ROWS * span);
    }
    int stage = 0, unused = GF_DOT_STAGES - 1;
    for (int64_t left = p.count - first; left > 0;
         left -= stride, in += step, give.out += stride * p.out_pitch) {
        gf_cp_async_wait<GF_DOT_STAGES - 2>();
        __syncthreads();
        gf_dot_fetch(copies, in, p.in_pitch, left - (GF_DOT_STAGES - 1) * stride, span,
                     rows + unused * GF_DOT_ROWS * span);
        const char *row = at + stage * GF_DOT_ROWS * span;
        give.rows = left;
        if (lowest == 0) {
            gf_dot_rows<C, QUADS, 0>(row, span, w, quads, give);
        } else if (lowest == 1) {
            gf_dot_rows<C, QUADS, 1>(row, span, w, quads, give);
        } else {
            gf_dot_rows<C, QUADS, 2>(row, span, w, quads, give);
        }
        unused = stage;
        stage = stage + 1 < GF_DOT_STAGES ? stage + 1 : 0;
    }
}

template <int C>
static cudaError_t gf_dot_by_quads(const struct gf_resize_params &p, int32_t span,
                                   const struct gf_launch &launch)
{
    return p.quads <= 2   ? GF_LAUNCH((gf_resize_dot_kernel<C, 2>), launch, p, span)
           : p.quads == 3 ? GF_LAUNCH((gf_resize_dot_kernel<C, 3>), launch, p, span)
           : p.quads == 4 ? GF_LAUNCH((gf_resize_dot_kernel<C, 4>), launch, p, span)
           : p.quads == 5 ? GF_LAUNCH((gf_resize_dot_kernel<C, 5>), launch, p, span)
           : p.quads == 6 ? GF_LAUNCH((gf_resize_dot_kernel<C, 6>), launch, p, span)
                          : GF_LAUNCH((gf_resize_dot_kernel<C, GF_DOT_QUADS>), launch, p, span);
}

bool gf_resize_dot_launch(const struct gf_resize_params &p, cudaStream_t stream, cudaError_t *status)
{
    const double scale = static_cast<double>(p.in_size / p.channels) / static_cast<double>(p.outputs);
    const uint64_t places = reinterpret_cast<uint64_t>(p.in) | static_cast<uint64_t>(p.in_pitch);
    const int64_t wide =
        static_cast<int64_t>(GF_DOT_THREADS * scale) + 4 * p.quads + 8; /* pixels of a block */
    const int64_t span = (wide * p.channels + 2 * GF_DOT_CHUNK) / GF_DOT_CHUNK * GF_DOT_CHUNK;
    const int64_t shared = span * GF_DOT_ROWS * GF_DOT_STAGES;
    if (p.quads > (p.channels == 4 ? GF_DOT_RGBA_QUADS : GF_DOT_QUADS) || places % GF_DOT_CHUNK != 0 ||
        shared > GF_DOT_SHARED) {
        return false;
    }
    const unsigned across = gf_blocks(p.outputs, GF_DOT_THREADS), down = gf_blocks(p.count, GF_DOT_ROWS),
                   room = GF_DOT_BLOCKS * static_cast<unsigned>(p.processors) / across;
    gf_launch launch = gf_launch_on(stream,
                                    dim3(across, down < room ? down
                                                 : room > 0  ? room
                                                             : 1),
                                    GF_DOT_THREADS);
    launch.shared = static_cast<size_t>(shared);
    *status = p.channels == 1   ? gf_dot_by_quads<1>(p, static_cast<int32_t>(span), launch)
              : p.channels == 2 ? gf_dot_by_quads<2>(p, static_cast<int32_t>(span), launch)
              : p.channels == 3 ? gf_dot_by_quads<3>(p, static_cast<int32_t>(span), launch)
                                : gf_dot_by_quads<4>(p, static_cast<int32_t>(span), launch);
    return true;
}
