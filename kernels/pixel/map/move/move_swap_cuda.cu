/* "move" on the GPU where axes are swapped and all lies inside the input, of pixels of four bytes or more:
 * tiles pass through shared memory, read from rows of the input and written to rows of the output by words of
 * four bytes. Rows of a tile are an odd number of words apart, so that a column of it lies in different
 * banks. */
#include "base/device_scope_cuda.h"
#include "pixel/cuda/move_cuda.h"

enum { GF_SWAP_THREADS = 256, GF_SWAP_TOGETHER = 8 };

/* The shape of a tile of pixels of C samples of T: it is as wide in the input as it is tall in the output. */
template <class T, int C> struct gf_swap_shape {
    static const int pixel = sizeof(T) * C;
    static const int columns = pixel == 4 ? 64 : pixel <= 16 ? 32 : 16; /* of the input */
    static const int rows = pixel <= 8 ? 64 : 32;
    static const int words = columns * pixel / 4 + 1; /* of a row: its first byte may lie within a word */
    static const int out_words = rows * pixel / 4;
    static const int bytes = 4 * words;
    static_assert(out_words % GF_WARP == 0, "lanes take as many words each");
};

/* Rows of the tile: what columns of the output from x0 on are made of, from byte `first` of them on. WHOLE:
 * all of them, and all their words, lie inside. */
template <class T, int C, bool WHOLE>
GF_DEVICE_FN void gf_swap_read(const struct gf_move_params &m, int64_t x0, int64_t first, uint32_t *tile)
{
    using shape = gf_swap_shape<T, C>;
    const int64_t row = m.in_width * shape::pixel, tall = m.width - x0;
    const int all = shape::words * (WHOLE || tall >= shape::rows ? shape::rows : static_cast<int>(tall));
    const int rows = GF_SWAP_THREADS / shape::words, columns = GF_SWAP_THREADS % shape::words;
    const int64_t step = m.args.step_y * m.in_pitch;
    int at = static_cast<int>(threadIdx.x) % shape::words;
    const char *line = m.in + (m.args.y0 + m.args.step_y * x0 - m.in_first) * m.in_pitch + first +
                       step * (static_cast<int>(threadIdx.x) / shape::words);
    for (int begin = static_cast<int>(threadIdx.x); begin < all;
         begin += GF_SWAP_THREADS * GF_SWAP_TOGETHER) {
        uint32_t word[GF_SWAP_TOGETHER] = {};
        GF_UNROLL
        for (int k = 0; k < GF_SWAP_TOGETHER; k++) {
            if (begin + k * GF_SWAP_THREADS < all) {
                word[k] =
                    WHOLE ? gf_load4(line + 4 * at) : gf_move_word_at(line - first, first + 4 * at, row);
            }
            const bool next = at + columns >= shape::words; /* GF_SWAP_THREADS words on */
            at += next ? columns - shape::words : columns;
            line += step * (rows + next);
        }
        GF_UNROLL
        for (int k = 0; k < GF_SWAP_TOGETHER; k++) {
            if (begin + k * GF_SWAP_THREADS < all) {
                tile[begin + k * GF_SWAP_THREADS] = word[k];
            }
        }
    }
}

/* Where in a tile the samples of a lane's words of an output row lie, from the row's column on: the same for
 * every row. */
template <class T, int C> struct gf_swap_places {
    static const int words = gf_swap_shape<T, C>::out_words / GF_WARP, samples = 4 / sizeof(T);
    int at[words][samples];
};

template <class T, int C> GF_DEVICE_FN struct gf_swap_places<T, C> gf_swap_find() {
    using places = gf_swap_places<T, C>;
    using shape = gf_swap_shape<T, C>;
    places p;
    GF_UNROLL
    for (int k = 0; k < places::words; k++) {
        GF_UNROLL
        for (int i = 0; i < places::samples; i++) {
            const int byte = 4 * (static_cast<int>(gf_lane()) + GF_WARP * k) + i * int(sizeof(T));
            const int x = byte / shape::pixel, own = byte - x * shape::pixel;
            p.at[k][i] = x * shape::bytes + (own ^ GF_FAULT(cuda_move_swap));
        }
    }
    return p;
}

template <class T, int N>
GF_DEVICE_FN uint32_t gf_swap_word(const unsigned char *column, const int (&at)[N])
{
    uint32_t part[N];
    GF_UNROLL
    for (int i = 0; i < N; i++) {
        part[i] = *reinterpret_cast<const T *>(column + at[i]);
    }
    if constexpr (N == 1) {
        return part[0];
    } else {
        return part[0] | part[1] << 16;
    }
}

/* A warp writes whole rows of the output. */
template <class T, int C>
GF_DEVICE_FN void gf_swap_write(const struct gf_move_params &m, int64_t x0, int64_t y0,
                                const struct gf_swap_places<T, C> &places, const unsigned char *tile)
{
    using shape = gf_swap_shape<T, C>;
    const int64_t end = m.first + m.count - y0, left = (m.width - x0) * shape::pixel;
    const int rows = end < shape::columns ? static_cast<int>(end) : shape::columns;
    const int step = m.args.step_x > 0 ? shape::pixel : -shape::pixel;
    const unsigned char *column = tile + (m.args.step_x > 0 ? 0 : (shape::columns - 1) * shape::pixel);
    const int lane = 4 * static_cast<int>(gf_lane());
    char *to = m.out + (y0 - m.first) * m.out_pitch + x0 * shape::pixel + lane;
    for (int y = static_cast<int>(gf_warp()); y < rows; y += GF_SWAP_THREADS / GF_WARP) {
        GF_UNROLL
        for (int k = 0; k < gf_swap_places<T, C>::words; k++) {
            const int64_t more = left - (lane + 4 * GF_WARP * k);
            char *at = to + y * m.out_pitch + 4 * GF_WARP * k;
            if (more <= 0) {
                continue;
            }
            const uint32_t word = gf_swap_word<T>(column + y * step, places.at[k]);
            if (more >= 4) {
                gf_store4(at, word);
                continue;
            }
            for (int b = 0; b < more; b++) {
                at[b] = static_cast<char>(word >> (8 * b));
            }
        }
    }
}

template <class T, int C>
static __global__ void __launch_bounds__(GF_SWAP_THREADS) gf_swap_kernel(const struct gf_move_params m)
{
    using shape = gf_swap_shape<T, C>;
    GF_SHARED(uint32_t, tile, shape::rows * shape::words);
    const int64_t x0 = int64_t(blockIdx.x) * shape::rows, end = m.first + m.count;
    const struct gf_swap_places<T, C> places = gf_swap_find<T, C>();
    for (int64_t y0 = m.first + int64_t(blockIdx.y) * shape::columns; y0 < end;
         y0 += int64_t(gridDim.y) * shape::columns) {
        const int64_t left =
            m.args.step_x > 0 ? m.args.x0 + y0 : m.args.x0 - y0 - (shape::columns - 1); /* may be < 0 */
        const int lead = static_cast<int>(left * shape::pixel & 3);
        const int64_t first = left * shape::pixel - lead;
        if (x0 + shape::rows <= m.width && first >= 0 && first + shape::bytes <= m.in_width * shape::pixel) {
            gf_swap_read<T, C, true>(m, x0, first, tile);
        } else {
            gf_swap_read<T, C, false>(m, x0, first, tile);
        }
        __syncthreads();
        gf_swap_write<T, C>(m, x0, y0, places, reinterpret_cast<const unsigned char *>(tile) + lead);
        __syncthreads();
    }
}

template <class T, int C> static cudaError_t gf_swap(const struct gf_move_params &m, cudaStream_t stream)
{
    using shape = gf_swap_shape<T, C>;
    gf_launch launch =
        gf_launch_on(stream, dim3(gf_blocks(m.width, shape::rows), gf_move_blocks(m.count, shape::columns)),
                     GF_SWAP_THREADS);
    return GF_LAUNCH((gf_swap_kernel<T, C>), launch, m);
}

/* Do the first and the last of n places from `first` on lie on an axis of that length? */
static bool gf_swap_is_inside(int64_t first, int32_t step, int64_t n, int64_t length)
{
    const int64_t last = first + step * (n - 1);
    return first >= 0 && first < length && last >= 0 && last < length;
}

bool gf_move_swap_takes(const struct gf_move_params *m)
{
    return m->args.swapped && gf_move_is_aligned(m->in, m->in_pitch, 4) &&
           gf_move_is_aligned(m->out, m->out_pitch, 4) && m->count > 0 &&
           gf_swap_is_inside(m->args.x0 + m->args.step_x * m->first, m->args.step_x, m->count, m->in_width) &&
           gf_swap_is_inside(m->args.y0, m->args.step_y, m->width, m->in_height);
}

cudaError_t gf_move_swap_launch(const struct gf_move_params *m, int64_t pixel, cudaStream_t stream)
{
    return pixel == 4    ? gf_swap<uint32_t, 1>(*m, stream)
           : pixel == 6  ? gf_swap<uint16_t, 3>(*m, stream)
           : pixel == 8  ? gf_swap<uint32_t, 2>(*m, stream)
           : pixel == 12 ? gf_swap<uint32_t, 3>(*m, stream)
           : pixel == 16 ? gf_swap<uint32_t, 4>(*m, stream)
           : pixel == 24 ? gf_swap<uint32_t, 6>(*m, stream)
                         : gf_swap<uint32_t, 8>(*m, stream);
}
