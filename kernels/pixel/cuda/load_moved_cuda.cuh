/* Pixels of a picture through a move along rows: by vectors at any address, turned where rows are mirrored,
 * and one by one where some lie beside the picture. */
#ifndef GF_PIXEL_LOAD_MOVED_CUDA_CUH
#define GF_PIXEL_LOAD_MOVED_CUDA_CUH

#include "pixel/cuda/move_vector_cuda.cuh"
#include "pixel/cuda/u8_cuda.cuh"

/* For a pass that loads through a move: `first` and rows are those of the pass. */
static inline struct gf_move_params gf_moved_params(const struct gf_run *run)
{
    const struct gf_moved moved = gf_moved_of(run);
    struct gf_move_params m = {};
    m.in = moved.in;
    m.in_pitch = moved.pitch;
    m.in_first = moved.first;
    m.in_width = moved.width;
    m.in_height = moved.height;
    m.width = run->pass->width;
    m.count = run->pass->height;
    m.args = moved.args;
    return m;
}

/* The leftmost of n pixels of the input that pixels [x, x + n) of the pass are, in either order; negative:
 * they are not all inside. */
GF_DEVICE_FN int64_t gf_moved_leftmost(const struct gf_move_params &m, int64_t x, int n)
{
    const int64_t left = m.args.step_x > 0 ? m.args.x0 + x : m.args.x0 - x - (n - 1);
    return left + n <= m.in_width ? left : -1;
}

/* Returns where pixel x of a row of the pass lies; line: gf_move_line. */
GF_DEVICE_FN const char *gf_moved_pixel(const struct gf_move_params &m, const char *line, int64_t x,
                                        int32_t size)
{
    const int64_t from = gf_move_x(m, x);
    return line && from >= 0 ? line + from * size : reinterpret_cast<const char *>(m.args.fill);
}

/* Samples of SIZE bytes, N words of them in C channels, in the order of pixels from right to left: word K and
 * on. */
template <int S, int K, int N> GF_DEVICE_FN void gf_words_turn(const uint32_t (&w)[N], uint32_t (&to)[N])
{
    if constexpr (K < N) {
        constexpr int last = 4 * N / S - 1, b = 4 * K;
        to[K] = gf_pick<(last - b / S) * S + b % S, (last - (b + 1) / S) * S + (b + 1) % S,
                        (last - (b + 2) / S) * S + (b + 2) % S, (last - (b + 3) / S) * S + (b + 3) % S>(w);
        gf_words_turn<S, K + 1>(w, to);
    }
}

/* N words of a row from byte `from` on, N a multiple of 4, of rows that begin at multiples of 16. */
template <int N> GF_DEVICE_FN void gf_vectors_take(const char *line, int64_t from, uint32_t (&w)[N])
{
    const uint32_t shift = static_cast<uint32_t>(from & 15);
    const char *first = line + (from - shift);
    uint4 v[N / 4 + 1];
#pragma unroll
    for (int i = 0; i <= N / 4; i++) {
        v[i] = i < N / 4 || shift ? gf_load16(first + 16 * i, GF_STREAM) : v[N / 4 - 1];
    }
#pragma unroll
    for (int i = 0; i < N / 4; i++) {
        const uint4 four = gf_move_shifted(v[i], v[i + 1], shift ^ GF_FAULT(cuda_moved_shift));
        w[4 * i] = four.x;
        w[4 * i + 1] = four.y;
        w[4 * i + 2] = four.z;
        w[4 * i + 3] = four.w;
    }
}

/* The same with any N, of rows that begin at multiples of 4. */
template <int N> GF_DEVICE_FN void gf_words_take_at(const char *line, int64_t from, uint32_t (&w)[N])
{
    const uint32_t shift = static_cast<uint32_t>(from & 3);
    const char *first = line + (from - shift);
    uint32_t v[N + 1];
#pragma unroll
    for (int i = 0; i <= N; i++) {
        v[i] = i < N || shift ? gf_load4(first + 4 * i) : 0;
    }
#pragma unroll
    for (int i = 0; i < N; i++) {
        w[i] = gf_funnel_right(v[i], v[i + 1], 8 * shift);
    }
}

#endif
