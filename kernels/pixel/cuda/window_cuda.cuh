/* What the two kernels of a window of any radius share: parameters, and how samples are found. */
#ifndef GF_PIXEL_WINDOW_CUDA_CUH
#define GF_PIXEL_WINDOW_CUDA_CUH

#include "base/gf_divider.h"
#include "pixel/cuda/program_cuda.cuh"
#include "pixel/window/gradient/gradient.h"

enum { GF_WINDOW_THREADS = 128 };

/* The windows that go through scratch, by what the sums between their halves are. */
enum gf_window_kind {
    GF_SEPARABLE_S16, /* of weights above zero */
    GF_SEPARABLE_S32,
    GF_SEPARABLE_F32,
    GF_BOX_U16, /* rows of 16 bits, windows of 32 */
    GF_BOX_U32,
    GF_BOX_U64,
    GF_BOX_F32,
    GF_GRADIENT_INT,
    GF_GRADIENT_F32
};

template <int KIND> struct gf_window_traits {
    static const bool separable =
        KIND == GF_SEPARABLE_S16 || KIND == GF_SEPARABLE_S32 || KIND == GF_SEPARABLE_F32;
    static const bool gradient = KIND == GF_GRADIENT_INT || KIND == GF_GRADIENT_F32;
    static const bool box_int = KIND == GF_BOX_U16 || KIND == GF_BOX_U32 || KIND == GF_BOX_U64;
    static const bool integer = KIND != GF_SEPARABLE_F32 && KIND != GF_BOX_F32 && KIND != GF_GRADIENT_F32;
    using sample = typename std::conditional<integer, int32_t, float>::type;
    /* What the horizontal half hands to the vertical half. */
    using narrow = typename std::conditional<
        KIND == GF_BOX_U16, uint16_t,
        typename std::conditional<KIND == GF_BOX_U32, uint32_t, int16_t>::type>::type;
    using number = typename std::conditional<
        KIND == GF_SEPARABLE_S32, int32_t,
        typename std::conditional<KIND == GF_BOX_U64, uint64_t, narrow>::type>::type;
    using middle = typename std::conditional<integer, number, float>::type;
    /* For sums: integers modulo 2^32 or 2^64. */
    using wide = typename std::conditional<KIND == GF_BOX_U64, uint64_t, uint32_t>::type;
    using sum = typename std::conditional<integer, wide, float>::type;
    /* Returns what a sum starts with: -0 + x is x, whatever x. */
    static __device__ sum start() { return integer ? sum(0) : sum(-0.0F); }
};

struct gf_window_params {
    struct gf_surface samples; /* the window's input */
    void *middle;              /* planes of lines: see gf_middle_line */
    const void *wx, *wy;       /* separable: weights in device memory, s16 or f32 */
    int64_t width, height;
    int64_t line; /* elements of a line of the middle: the width and what makes lines aligned */
    int64_t rx, ry;
    int64_t turns_x, turns_y; /* boxes: see gf_border_period */
    int32_t planes;           /* of the middle: channels, of gradients twice as many */
    int32_t border, shift_x, shift_y;
    int32_t segment; /* rows that a block of the vertical half marches */
    gf_depth depth_out;
    bool wide_out;                  /* `out` allows stores of a thread's pixels at once */
    uint32_t fill[GF_MAX_CHANNELS]; /* int32_t or float bits */
    struct gf_divider divider;      /* boxes of integers */
    struct gf_divider32 divider32;  /* multiplier 0: there is none */
    float area;                     /* boxes of f32 */
    struct gf_gradient_args gradient;
};

/* Line `row` of a plane of the middle. With a constant border there is one row more, of fill. */
template <class M>
GF_DEVICE_FN M *gf_middle_line(const struct gf_window_params &p, int64_t row, int32_t plane)
{
    return static_cast<M *>(p.middle) + (row * p.planes + plane) * p.line;
}

/* The row of the middle that stands for row y. */
GF_DEVICE_FN int64_t gf_middle_row(const struct gf_window_params &p, int64_t y)
{
    const int64_t row = gf_border_index(y, p.height, p.border);
    return row < 0 ? p.height - GF_FAULT(cuda_constant_border) : row;
}

/* f32 sums of `times` turns of the border, from what one of them adds. */
GF_DEVICE_FN float gf_add_turns(float sum, int64_t times, float turn)
{
    return sum + static_cast<float>(times - GF_FAULT(cuda_box_turn)) * turn;
}

/* Eight samples, or numbers of 4 bytes, from aligned memory. */
template <class T> GF_DEVICE_FN void gf_take8(const T *from, T *to)
{
    static_assert(sizeof(T) == 4, "two loads of 16 bytes");
    const uint4 low = gf_load16(from), high = gf_load16(from + 4);
    memcpy(to, &low, sizeof low);
    memcpy(to + 4, &high, sizeof high);
}

/* sum + weight * x. */
GF_DEVICE_FN uint32_t gf_window_tap(int32_t weight, int32_t x, uint32_t sum)
{
    return sum + static_cast<uint32_t>(weight) * static_cast<uint32_t>(x);
}
GF_DEVICE_FN float gf_window_tap(float weight, float x, float sum)
{
    return GF_FAULT(cuda_fma_split) ? weight * x + sum : gf_fma(weight, x, sum);
}

/* Three samples smoothed, in the units of the depth. */
GF_DEVICE_FN int32_t gf_smooth(const struct gf_gradient_args &g, int32_t a, int32_t b, int32_t c)
{
    return g.side * (a + c) + g.middle * b;
}
GF_DEVICE_FN float gf_smooth(const struct gf_gradient_args &g, float a, float b, float c)
{
    return gf_fma(g.float_side, c, gf_fma(g.float_middle, b, g.float_side * a));
}

/* Bytes of the middle, whose numbers have `size`. */
size_t gf_window_middle_bytes(const struct gf_pass *pass, int32_t planes, int64_t size);

/* Both kernels, and the one before: the kind and what it alone has in *p (radii, weights, dividers, planes)
 * are known. */
gf_status gf_window_launch(enum gf_window_kind kind, struct gf_window_params *p,
                           const struct gf_pass_args *args, const struct gf_run *run,
                           const struct gf_scratch_layout *layout, gf_error *error);

gf_status gf_window_across_launch(enum gf_window_kind kind, const struct gf_window_params *p,
                                  cudaStream_t stream, gf_error *error);
gf_status gf_window_down_launch(enum gf_window_kind kind, const struct gf_pass_args *a,
                                const struct gf_window_params *p, cudaStream_t stream, gf_error *error);

#endif
