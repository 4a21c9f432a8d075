/* What the CUDA kernels of "move" share: their parameters, and the launchers of the fast ones. Private to the
 * CUDA backend; included after base/gf_cuda.h. */
#pragma once

#include "base/gf_border.h"
#include "base/gf_cuda.h"
#include "base/planted_fault.h"
#include "pixel/ir/move.h"

enum { GF_MOVE_MOST_BLOCKS = 32768 };

struct gf_move_params {
    const char *in; /* row in_first of the input */
    char *out;      /* row `first` of the output */
    int64_t in_pitch, out_pitch, in_first, in_width, in_height;
    int64_t width, first, count; /* output */
    struct gf_move_args args;
    int processors; /* of the GPU */
};

/* Return what stands for column i, and row i, of a move whose axes are named as the input's; -1: fill. */
GF_DEVICE_FN int64_t gf_move_x(const struct gf_move_params &m, int64_t i)
{
    return gf_border_index(m.args.x0 + m.args.step_x * i, m.in_width, m.args.border);
}

GF_DEVICE_FN int64_t gf_move_y(const struct gf_move_params &m, int64_t i)
{
    return gf_border_index(m.args.y0 + m.args.step_y * i, m.in_height, m.args.border);
}

/* The word of a row of `row` bytes at byte `at`, a multiple of 4, as far as it lies in the row. */
GF_DEVICE_FN uint32_t gf_move_word_at(const char *line, int64_t at, int64_t row)
{
    if (at >= 0 && at + 4 <= row) {
        return gf_load4(line + at);
    }
    uint32_t word = 0;
    for (int i = 0; i < 4; i++) {
        if (at + i >= 0 && at + i < row) {
            word |= static_cast<uint32_t>(static_cast<unsigned char>(line[at + i])) << (8 * i);
        }
    }
    return word;
}

static inline unsigned gf_move_blocks(int64_t rows, int64_t each)
{
    const unsigned blocks = gf_blocks(rows, each);
    return blocks < GF_MOVE_MOST_BLOCKS ? blocks : static_cast<unsigned>(GF_MOVE_MOST_BLOCKS);
}

/* Do rows of both pictures, the output's being at `data`, begin at multiples of `bytes`? */
static inline bool gf_move_is_aligned(const void *data, int64_t pitch, int64_t bytes)
{
    return reinterpret_cast<uintptr_t>(data) % static_cast<uintptr_t>(bytes) == 0 && pitch % bytes == 0;
}

/* A pixel of COUNT words of type T. */
template <class T, int COUNT> struct gf_move_pixel {
    using word = T;
    static constexpr int count = COUNT;
};

template <class T, class F> static cudaError_t gf_move_by_count(int32_t count, F &&f)
{
    return count == 1   ? f(gf_move_pixel<T, 1>())
           : count == 2 ? f(gf_move_pixel<T, 2>())
           : count == 3 ? f(gf_move_pixel<T, 3>())
                        : f(gf_move_pixel<T, 4>());
}

/* f of what a pixel of `channels` samples, of `sample` bytes each, is made of. */
template <class F> static cudaError_t gf_move_by_pixel(size_t sample, int32_t channels, F &&f)
{
    const int32_t words = channels * static_cast<int32_t>(sample / 4);
    return sample == 1   ? gf_move_by_count<uint8_t>(channels, f)
           : sample == 2 ? gf_move_by_count<uint16_t>(channels, f)
           : words == 6  ? f(gf_move_pixel<uint32_t, 6>())
           : words == 8  ? f(gf_move_pixel<uint32_t, 8>())
                         : gf_move_by_count<uint32_t>(words, f);
}

/* Rows that go along rows, by words: move_rows_cuda.cu. `sample` bytes a sample. */
bool gf_move_rows_takes(const struct gf_move_params *m);
cudaError_t gf_move_rows_launch(const struct gf_move_params *m, size_t sample, int32_t channels,
                                cudaStream_t stream);

/* Axes swapped, all from inside the input; `pixel`: its bytes. Those of less than four, move_turn_cuda.cu,
 * and the others, move_swap_cuda.cu. */
bool gf_move_swap_takes(const struct gf_move_params *m);
cudaError_t gf_move_turn_launch(const struct gf_move_params *m, int64_t pixel, cudaStream_t stream);
cudaError_t gf_move_swap_launch(const struct gf_move_params *m, int64_t pixel, cudaStream_t stream);
