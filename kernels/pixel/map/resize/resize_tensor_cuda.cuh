/* What "resize" of u8 has on tensor cores: the weights of sixteen outputs, most of them 0, times samples, 32
 * a step. Each weight is three digits of a byte, so there are three sums, of whole numbers and exact. */
#ifndef GF_PIXEL_RESIZE_TENSOR_CUDA_CUH
#define GF_PIXEL_RESIZE_TENSOR_CUDA_CUH

#include "base/gf_num.h"
#include "base/planted_fault.h"
#include "pixel/map/resize/resize_cuda.h"

enum {
    GF_RESIZE_TILE = 16, /* outputs of a product, */
    GF_RESIZE_STEP = 32, /* and samples */
    GF_RESIZE_MOST_WARPS = 8,
    GF_RESIZE_SIDE = GF_RESIZE_DIGITS * GF_WARP * 4, /* words of the weights of a step, for all lanes */
    GF_RESIZE_MOST_SHARED = 110 << 10                /* two blocks a processor */
};

/* A lane's weights of a step. */
typedef uint32_t gf_resize_weights[GF_RESIZE_DIGITS][4];

/* The three sums of a lane's four outputs. */
struct gf_resize_sums {
    int32_t digit[GF_RESIZE_DIGITS][4];
};

/* Nothing yet but what rounds them. Digits of weights below LOWEST are 0, here and further down. */
template <int LOWEST = 0> GF_DEVICE_FN void gf_resize_begin(struct gf_resize_sums &s)
{
    GF_UNROLL
    for (int d = 0; d < GF_RESIZE_DIGITS; d++) {
        GF_UNROLL
        for (int e = 0; e < 4; e++) {
            s.digit[d][e] = d == LOWEST ? 1 << (GF_RESIZE_SHIFT - 1 - 8 * LOWEST) : 0;
        }
    }
}

template <int LOWEST = 0>
GF_DEVICE_FN void gf_resize_add(struct gf_resize_sums &s, const gf_resize_weights &w, uint32_t b0,
                                uint32_t b1)
{
    GF_UNROLL
    for (int d = LOWEST; d < GF_RESIZE_DIGITS; d++) {
        gf_multiply_bytes_su(s.digit[d], w[d], b0, b1);
    }
}

/* Rounded, not yet clamped. */
template <int LOWEST = 0> GF_DEVICE_FN int32_t gf_resize_whole(const struct gf_resize_sums &s, int e)
{
    return gf_resize_shifted<LOWEST>(s.digit[0][e], s.digit[1][e], s.digit[2][e]);
}

/* Weights of one output for the four samples from `sample` on: its word in each digit. DOWN: as in the
 * arguments; quads across begin with a multiple of four, so that none is cut. */
template <int DOWN>
GF_DEVICE_FN void gf_resize_words(const struct gf_resize_params &p, int64_t output, int32_t sample,
                                  uint32_t (&word)[GF_RESIZE_DIGITS])
{
    const int64_t i = output < p.outputs ? output : p.outputs - 1;
    const int32_t first = p.begin[i], begin = DOWN ? first : first / 4 * 4;
    const int32_t quads = (first - begin + p.many[i] + 3) / 4 - GF_FAULT(cuda_resize_quad);
    const int32_t off = sample - begin, quad = off >> 2;
    const int32_t *digits = p.digits + i * p.quads * GF_RESIZE_DIGITS + int64_t(quad) * GF_RESIZE_DIGITS;
    const bool low = output < p.outputs && quad >= 0 && quad < quads;
    const bool high = DOWN && output < p.outputs && quad >= -1 && quad + 1 < quads;
    GF_UNROLL
    for (int d = 0; d < GF_RESIZE_DIGITS; d++) {
        const uint32_t a = low ? static_cast<uint32_t>(digits[d]) : 0;
        const uint32_t b = high ? static_cast<uint32_t>(digits[d + GF_RESIZE_DIGITS]) : 0;
        word[d] = DOWN ? gf_funnel_right(a, b, 8U * (static_cast<uint32_t>(off) & 3U)) : a;
    }
}

/* Those of lane l's word w, for the tile of outputs from `first` on and the samples from `base` on. */
template <int DOWN>
GF_DEVICE_FN void gf_resize_lane_words(const struct gf_resize_params &p, int64_t first, int32_t base, int l,
                                       int w, uint32_t (&word)[GF_RESIZE_DIGITS])
{
    gf_resize_words<DOWN>(p, first + l / 4 + w % 2 * 8, base + l % 4 * 4 + w / 2 * 16, word);
}

/* The weights of a tile in shared memory, by a block, with a barrier. Returns the lowest digit that any of
 * them has: weights of whole scales are short, a box's a power of two. */
template <int DOWN>
GF_DEVICE_FN int gf_resize_sides(const struct gf_resize_params &p, int64_t first, int32_t base, int32_t steps,
                                 uint32_t *sides)
{
    uint32_t any[GF_RESIZE_DIGITS] = {};
    for (int32_t i = static_cast<int32_t>(gf_thread()); i < steps * GF_WARP * 4;
         i += static_cast<int32_t>(blockDim.x)) {
        const int32_t step = i / (GF_WARP * 4), at = i % (GF_WARP * 4);
        uint32_t word[GF_RESIZE_DIGITS];
        gf_resize_lane_words<DOWN>(p, first, base + step * GF_RESIZE_STEP, at / 4, at % 4, word);
        GF_UNROLL
        for (int d = 0; d < GF_RESIZE_DIGITS; d++) {
            sides[step * GF_RESIZE_SIDE + d * GF_WARP * 4 + at] = word[d];
            any[d] |= word[d];
        }
    }
    return __syncthreads_or(any[0] != 0) ? 0 : __syncthreads_or(any[1] != 0) ? 1 : 2;
}

/* This lane's, from there. */
template <int LOWEST>
GF_DEVICE_FN void gf_resize_side(const uint32_t *sides, int32_t step, gf_resize_weights &w)
{
    GF_UNROLL
    for (int d = LOWEST; d < GF_RESIZE_DIGITS; d++) {
        const uint4 v = gf_load16(sides + step * GF_RESIZE_SIDE + d * GF_WARP * 4 + 4 * gf_lane());
        w[d][0] = v.x;
        w[d][1] = v.y;
        w[d][2] = v.z;
        w[d][3] = v.w;
    }
}

/* Four samples of a row, `left` of them at most. */
GF_DEVICE_FN void gf_resize_put(char *to, int64_t left, uint32_t made)
{
    if (left >= 4) {
        gf_store4(to, made);
        return;
    }
    for (int64_t i = 0; i < left; i++) {
        to[i] = static_cast<char>(made >> (8 * i));
    }
}

/* Steps of samples from `base` on that the outputs before and with `last` are made of. */
GF_DEVICE_FN int32_t gf_resize_steps(const struct gf_resize_params &p, int64_t last, int32_t base)
{
    return (p.begin[last] + p.many[last] - base + GF_RESIZE_STEP - 1) / GF_RESIZE_STEP;
}

/* The most steps, where the base is up to `before` samples before the first; scale: of input to output. */
static inline int32_t gf_resize_most_steps(const struct gf_resize_params &p, double scale, int32_t before)
{
    const int32_t samples = static_cast<int32_t>((GF_RESIZE_TILE - 1) * scale) + p.taps + 2 + before;
    return (samples + GF_RESIZE_STEP - 1) / GF_RESIZE_STEP;
}

/* The most warps of a block, a power of two, where each takes `each` words of shared memory and all of them
 * `common`; 0: not even one. */
static inline unsigned gf_resize_warps(size_t each, size_t common)
{
    unsigned warps = GF_RESIZE_MOST_WARPS;
    while (warps > 0 && (warps * each + common) * sizeof(uint32_t) > GF_RESIZE_MOST_SHARED) {
        warps /= 2;
    }
    return warps;
}

#endif
