/* Sums along one axis, as docs/exactness.md orders them, over anything that has `at(i)`: the
 * sample at virtual coordinate i. Shared by the kernels that read planes in scratch. */
#ifndef GF_PIXEL_WINDOW_CUDA_CUH
#define GF_PIXEL_WINDOW_CUDA_CUH

#include "base/gf_divider.h"
#include "pixel/program_cuda.cuh"

template <int KIND> struct gf_window_traits {
    static const bool integer =
        KIND == GF_SEPARABLE_INT || KIND == GF_BOX_U32 || KIND == GF_BOX_U64 || KIND == GF_GRADIENT_INT;
    static const bool gradient = KIND == GF_GRADIENT_INT || KIND == GF_GRADIENT_F32;
    static const bool box_int = KIND == GF_BOX_U32 || KIND == GF_BOX_U64;
    static const bool box = box_int || KIND == GF_BOX_F32;
    using sample = typename std::conditional<integer, int32_t, float>::type;
    using wide = typename std::conditional<KIND == GF_BOX_U64, uint64_t, uint32_t>::type;
    /* What the horizontal half hands to the vertical half. */
    using middle = typename std::conditional<box_int, wide, sample>::type;
};

struct gf_window_params {
    struct gf_planes samples; /* the window's input */
    void *middle;        /* [rows][middle channels][width]; with a constant border, one more row: of fill */
    const void *wx, *wy; /* separable: weights in device memory, s16 or f32 */
    int64_t rx, ry;
    int32_t border, channels, shift_x, shift_y;
    gf_depth depth_out;
    uint32_t fill[GF_MAX_CHANNELS]; /* int32_t or float bits */
    struct gf_divider divider;      /* box_int */
    float area;                     /* box_f32 */
    int32_t segment;                /* rows that a block of the vertical half marches */
};

/* Row y of one channel of planes; data NULL: fill everywhere. */
template <class T> struct gf_row_reader {
    const uint32_t *data;
    int64_t width;
    int32_t border;
    uint32_t fill;
    __device__ __forceinline__ T at(int64_t x) const
    {
        const int64_t i = data ? gf_border_index(x, width, border) : -1;
        const uint32_t bits = i < 0 ? fill : data[i];
        T v;
        memcpy(&v, &bits, sizeof v);
        return v;
    }
};

/* One column of the middle, which a row apart is `stride` elements. */
template <class T> struct gf_column_reader {
    const T *data; /* row 0 */
    int64_t stride, height;
    int32_t border;
    __device__ __forceinline__ T at(int64_t y) const
    {
        const int64_t i = gf_border_index(y, height, border);
        return data[(i < 0 ? height - GF_FAULT(cuda_constant_border) : i) * stride];
    }
};

/* start + sum of weights[i] * at(first + i), modulo 2^32. */
template <class R>
GF_DEVICE_FN int32_t gf_sum_int(const R &from, const int16_t *weights, int64_t first, int64_t n,
                                uint32_t start)
{
    for (int64_t i = 0; i < n; i++) {
        start += static_cast<uint32_t>(weights[i]) * static_cast<uint32_t>(from.at(first + i));
    }
    return static_cast<int32_t>(start);
}

/* The ascending chain of fma. */
template <class R>
GF_DEVICE_FN float gf_sum_chain(const R &from, const float *weights, int64_t first, int64_t n)
{
    float sum = weights[0] * from.at(first);
    for (int64_t i = 1; i < n; i++) {
        sum = GF_FAULT(cuda_fma_split) ? weights[i] * from.at(first + i) + sum
                                       : gf_fma(weights[i], from.at(first + i), sum);
    }
    return sum;
}

/* w samples from `first`: blocks of w anchored at multiples of w; the end of one block from right to left,
 * then the beginning of the next from left to right (M. van Herk, "A fast algorithm for local minimum and
 * maximum filters on rectangular and octagonal kernels", 1992, with sums). */
template <class R> GF_DEVICE_FN float gf_sum_blocks(const R &from, int64_t first, int64_t w)
{
    const int64_t phase = gf_modulo(first, w);
    const int64_t head = phase == 0 ? 0 : w - phase;
    float prefix = from.at(first + head);
    for (int64_t i = head + 1; i < w; i++) {
        prefix = prefix + from.at(first + i);
    }
    if (head == 0) {
        return prefix;
    }
    float suffix = from.at(first + head - 1);
    for (int64_t i = head - 2; i >= 0; i--) {
        suffix = from.at(first + i) + suffix;
    }
    return suffix + prefix;
}

/* [1 2 1] around x, in the units of the depth. */
template <class R> GF_DEVICE_FN int32_t gf_smooth(const R &from, int64_t x, int32_t)
{
    return from.at(x - 1) + 2 * from.at(x) + from.at(x + 1);
}
template <class R> GF_DEVICE_FN float gf_smooth(const R &from, int64_t x, float)
{
    float sum = 0.25F * from.at(x - 1);
    sum = gf_fma(0.5F, from.at(x), sum);
    return gf_fma(0.25F, from.at(x + 1), sum);
}

#endif
