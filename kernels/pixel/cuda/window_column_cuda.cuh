/* Sums of f32 boxes down a column of the middle, in the order of docs/exactness.md. */
#ifndef GF_PIXEL_WINDOW_COLUMN_CUDA_CUH
#define GF_PIXEL_WINDOW_COLUMN_CUDA_CUH

#include "pixel/cuda/window_cuda.cuh"

/* Works as gf_row_blocks of the horizontal half, down a column. */
static __device__ __noinline__ float gf_column_blocks(const struct gf_window_params &p, const float *column,
                                                      int64_t first, int64_t w)
{
    const int64_t stride = p.planes * p.line;
    const int64_t phase = gf_modulo(first, w);
    const int64_t head = phase == 0 ? 0 : w - phase;
    float prefix = column[gf_middle_row(p, first + head) * stride];
    for (int64_t i = head + 1; i < w; i++) {
        prefix = prefix + column[gf_middle_row(p, first + i) * stride];
    }
    if (head == 0) {
        return prefix;
    }
    float suffix = column[gf_middle_row(p, first + head - 1) * stride];
    for (int64_t i = head - 2; i >= 0; i--) {
        suffix = column[gf_middle_row(p, first + i) * stride] + suffix;
    }
    return suffix + prefix;
}

/* Returns what a turn of the border adds down a column. */
static __device__ __noinline__ float gf_column_turn(const struct gf_window_params &p, const float *column)
{
    const int64_t stride = p.planes * p.line;
    if (p.border == GF_BORDER_CONSTANT) {
        return 2.0F * column[p.height * stride];
    }
    const int64_t step = gf_border_turn_step(p.height, p.border);
    float sum = static_cast<float>(gf_border_turn(0, p.height, p.border)) * column[0];
    for (int64_t i = step; i < p.height; i += step) {
        sum = sum + static_cast<float>(gf_border_turn(i, p.height, p.border)) * column[i * stride];
    }
    return sum;
}

#endif
