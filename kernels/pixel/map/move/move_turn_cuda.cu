/* "move" on the GPU where axes are swapped, of pixels of up to three bytes, all inside the input: a thread
 * turns four by four pixels in registers, and a tile of what it makes goes to rows of the output through
 * shared memory. Reads, writes and shared memory are all by words of four bytes. */
#include "base/device_scope_cuda.h"
#include "pixel/cuda/byte_square_cuda.cuh"
#include "pixel/cuda/move_cuda.h"

enum {
    GF_TURN_THREADS = 256,
    GF_TURN_ROWS = 128, /* of the input, in a tile: pixels of a row of the output */
    GF_TURN_SIDE = 4
};

/* The shape of a tile of pixels of S bytes. */
template <int S> struct gf_turn_shape {
    static const int columns = S == 1 ? 128 : 64;         /* of the input: rows of the output */
    static const int groups = columns / GF_TURN_SIDE;     /* of four columns; a thread has one of them */
    static const int together = GF_TURN_THREADS / groups; /* groups of four rows at a time */
    static const int passes = GF_TURN_ROWS / GF_TURN_SIDE / together;
    static const int words = GF_TURN_ROWS * S / 4; /* of a row of the output */
    static const int pitch = words + 1;            /* 1 mod 8: see gf_turn_row */
    static const int all = columns * pitch + columns / GF_WARP;
};

/* Returns where a row of the output lies in the tile. The rows of a warp's groups are four apart, which is
 * four banks apart, and what is added is another bank for each eight of them. */
template <int S> GF_DEVICE_FN int gf_turn_row(int row)
{
    return row * gf_turn_shape<S>::pitch + row / GF_WARP;
}

/* The thread's group of four rows in a pass. A warp with two of them has such that both go to other banks. */
template <int S> GF_DEVICE_FN int gf_turn_group()
{
    const int warp = static_cast<int>(gf_warp()), half = static_cast<int>(gf_lane()) / (GF_WARP / 2);
    return S == 1 ? warp : S == 2 ? 2 * warp + half : warp / 2 * 4 + warp % 2 + 2 * half;
}

/* Four by four pixels: in[i] is a row of the input, out[j] its column j. */
template <int S> GF_DEVICE_FN void gf_turn(const uint32_t (&in)[4][S], uint32_t (&out)[4][S])
{
    if constexpr (S == 1) {
        uint32_t word[4];
        gf_turn_bytes(in[0][0], in[1][0], in[2][0], in[3][0], word);
        GF_UNROLL
        for (int j = 0; j < 4; j++) {
            out[j][0] = word[j];
        }
    } else if constexpr (S == 2) {
        GF_UNROLL
        for (int j = 0; j < 4; j++) {
            const uint32_t order = j % 2 ? 0x7632 : 0x5410;
            out[j][0] = gf_byte_perm(in[0][j / 2], in[1][j / 2], order);
            out[j][1] = gf_byte_perm(in[2][j / 2], in[3][j / 2], order);
        }
    } else {
        GF_UNROLL
        for (int j = 0; j < 4; j++) {
            uint32_t pixel[4]; /* and a byte of no use above it */
            GF_UNROLL
            for (int i = 0; i < 4; i++) {
                pixel[i] = j == 0   ? in[i][0]
                           : j == 3 ? in[i][2] >> 8
                                    : gf_funnel_right(in[i][j - 1], in[i][j], 32U - 8U * unsigned(j));
            }
            out[j][0] = gf_byte_perm(pixel[0], pixel[1], 0x4210);
            out[j][1] = gf_byte_perm(pixel[1], pixel[2], 0x5421);
            out[j][2] = gf_byte_perm(pixel[2], pixel[3], 0x6542);
        }
    }
}

/* Columns of the output from x0 on, out of columns of the input from c0 on, to the tile. WHOLE: all of them
 * are there. */
template <int S, bool WHOLE>
GF_DEVICE_FN void gf_turn_read(const struct gf_move_params &m, int64_t x0, int64_t c0, uint32_t *tile)
{
    using shape = gf_turn_shape<S>;
    const int column = GF_TURN_SIDE * (static_cast<int>(gf_lane()) % shape::groups),
              first = gf_turn_group<S>();
    const int64_t row = m.in_width * S, at = (c0 + column) * S, step = m.args.step_y * m.in_pitch;
    const char *line = m.in + (m.args.y0 - m.in_first) * m.in_pitch + step * (x0 + GF_TURN_SIDE * first);
    uint32_t in[shape::passes][4][S];
    GF_UNROLL
    for (int k = 0; k < shape::passes; k++) {
        GF_UNROLL
        for (int i = 0; i < 4; i++) {
            const int x = GF_TURN_SIDE * (first + k * shape::together) + i;
            GF_UNROLL
            for (int s = 0; s < S; s++) {
                in[k][i][s] = WHOLE              ? gf_load4(line + at + 4 * s)
                              : x0 + x < m.width ? gf_move_word_at(line, at + 4 * s, row)
                                                 : 0;
            }
            line += step;
        }
        line += step * (GF_TURN_SIDE * (shape::together - 1));
    }
    GF_UNROLL
    for (int k = 0; k < shape::passes; k++) {
        uint32_t out[4][S];
        gf_turn<S>(in[k], out);
        GF_UNROLL
        for (int j = 0; j < 4; j++) {
            uint32_t *to = tile + gf_turn_row<S>(column + (j ^ GF_FAULT(cuda_move_swap))) +
                           S * (first + k * shape::together);
            GF_UNROLL
            for (int s = 0; s < S; s++) {
                to[s] = out[j][s];
            }
        }
    }
}

/* A warp writes whole rows of the output, up to the `left` bytes that are there. */
template <int S>
GF_DEVICE_FN void gf_turn_write(const struct gf_move_params &m, int64_t x0, int64_t c0, int64_t left,
                                const uint32_t *tile)
{
    using shape = gf_turn_shape<S>;
    const int lane = static_cast<int>(gf_lane());
    for (int row = static_cast<int>(gf_warp()); row < shape::columns; row += GF_TURN_THREADS / GF_WARP) {
        const int64_t y = (c0 + row - m.args.x0) * m.args.step_x - m.first;
        const uint32_t *from = tile + gf_turn_row<S>(row) + lane;
        char *to = m.out + y * m.out_pitch + x0 * S + 4 * lane;
        if (y < 0 || y >= m.count) {
            continue;
        }
        GF_UNROLL
        for (int k = 0; k < shape::words / GF_WARP; k++) {
            const int64_t more = left - 4 * (lane + GF_WARP * k);
            if (more >= 4) {
                gf_store4(to + 4 * GF_WARP * k, from[GF_WARP * k]);
                continue;
            }
            for (int b = 0; b < more; b++) {
                to[4 * GF_WARP * k + b] = static_cast<char>(from[GF_WARP * k] >> (8 * b));
            }
        }
    }
}

/* start: the first column of the input that is read, a multiple of four; end: behind the last. */
template <int S>
static __global__ void __launch_bounds__(GF_TURN_THREADS)
    gf_turn_kernel(const struct gf_move_params m, int64_t start, int64_t end)
{
    using shape = gf_turn_shape<S>;
    GF_SHARED(uint32_t, tile, shape::all);
    const int64_t x0 = int64_t(blockIdx.x) * GF_TURN_ROWS;
    for (int64_t c0 = start + int64_t(blockIdx.y) * shape::columns; c0 < end;
         c0 += int64_t(gridDim.y) * shape::columns) {
        if (x0 + GF_TURN_ROWS <= m.width && c0 + shape::columns <= m.in_width) {
            gf_turn_read<S, true>(m, x0, c0, tile);
        } else {
            gf_turn_read<S, false>(m, x0, c0, tile);
        }
        __syncthreads();
        gf_turn_write<S>(m, x0, c0, (m.width - x0) * S, tile);
        __syncthreads();
    }
}

template <int S> static cudaError_t gf_turn_by(const struct gf_move_params &m, cudaStream_t stream)
{
    const int64_t one = m.args.x0 + m.args.step_x * m.first, other = one + m.args.step_x * (m.count - 1);
    const int64_t start = (one < other ? one : other) / 4 * 4, end = (one < other ? other : one) + 1;
    gf_launch launch = gf_launch_on(
        stream,
        dim3(gf_blocks(m.width, GF_TURN_ROWS), gf_move_blocks(end - start, gf_turn_shape<S>::columns)),
        GF_TURN_THREADS);
    return GF_LAUNCH((gf_turn_kernel<S>), launch, m, start, end);
}

cudaError_t gf_move_turn_launch(const struct gf_move_params *m, int64_t pixel, cudaStream_t stream)
{
    return pixel == 1   ? gf_turn_by<1>(*m, stream)
           : pixel == 2 ? gf_turn_by<2>(*m, stream)
                        : gf_turn_by<3>(*m, stream);
}
