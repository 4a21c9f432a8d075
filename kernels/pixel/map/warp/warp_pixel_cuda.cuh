/* Pixels of "warp" on the GPU: their places, their weights and their sums, out of samples in global or in
 * shared memory. A pixel's place takes only two sums of f64 an axis: products are those of a column or of a
 * row. */
#ifndef GF_PIXEL_WARP_PIXEL_CUDA_CUH
#define GF_PIXEL_WARP_PIXEL_CUDA_CUH

#include "base/gf_cuda.h"
#include "base/planted_fault.h"
#include "pixel/map/warp/warp.h"

enum { GF_WARP_THREADS = 256 };

struct gf_warp_params {
    struct gf_warp_args args;
    const char *in; /* row 0 */
    char *out;      /* row `first` */
    const float *table;
    int64_t in_pitch, out_pitch, in_width, in_height, width, first, count;
    bool leans;                    /* in perspective */
    uint32_t inner_x, inner_y;     /* places below them have all samples inside, and of bytes all words */
    int32_t pitch;                 /* in_pitch, where it fits; else inner_x is 0 */
    bool words;                    /* rows of both pictures are bytes and begin at multiples of 4 */
    int32_t tall;                  /* rows that a block makes at a time */
    int32_t tile_rows, tile_pitch; /* room for a tile in shared memory, bytes; no rows: none is used */
    int processors;                /* of the GPU */
    double least_w;                /* of places in perspective, so that rounding moves none by a pixel */
};

template <int FILTER> struct gf_warp_shape {
    static const int taps = FILTER == GF_WARP_NEAREST  ? 1
                            : FILTER == GF_WARP_LINEAR ? 2
                            : FILTER == GF_WARP_CUBIC  ? 4
                                                       : int(GF_WARP_TAPS);
};

/* floor(t), also as f64, |t| < 2^30: the lowest bits of 1.5 * 2^52 and t, rounded down. Conversions between
 * f64 and integers are a quarter as fast as sums. */
GF_DEVICE_FN int32_t gf_warp_whole(double t, double *whole)
{
#ifdef __CUDA_ARCH__
    const double even = 6755399441055744.0, sum = __dadd_rd(t, even);
    *whole = sum - even;
    return __double2loint(sum);
#else
    const int32_t floor = gf_warp_floor(t);
    *whole = floor;
    return floor;
#endif
}

/* gf_warp_weights, with another floor. */
template <int FILTER> GF_DEVICE_FN int32_t gf_warp_along(const float *table, double t, float *w)
{
    double whole;
    if (FILTER == GF_WARP_NEAREST) {
        w[0] = 1.0F;
        return gf_warp_whole(t + 0.5, &whole);
    }
    const int32_t first = gf_warp_whole(t, &whole);
    gf_warp_weights_of(FILTER, table, static_cast<float>(t - whole), w);
    return first - gf_warp_lead(FILTER);
}

/* One row of samples into the sums: of row j of N. `line` is what the row alone makes. */
template <int C, int N>
GF_DEVICE_FN void gf_warp_down(int j, const float (&down)[N], const float (&line)[C], float (&sum)[C])
{
    const float w = down[GF_FAULT(cuda_warp_row) ? N - 1 - j : j];
    GF_UNROLL
    for (int c = 0; c < C; c++) {
        sum[c] = j == 0 ? w * line[c] : gf_fma(w, line[c], sum[c]);
    }
}

/* N x N samples anywhere, the first at (x, y). Rare, so that it is to take few registers: it loops over
 * weights in shared memory, where `own` has room for the thread's, GF_WARP_THREADS apart. */
template <class T, int C, int N>
GF_DEVICE_FN void gf_warp_anywhere(const struct gf_warp_params &p, int32_t x, int32_t y, float *own,
                                   const float (&across)[N], const float (&down)[N], float (&sum)[C])
{
    GF_UNROLL
    for (int i = 0; i < N; i++) {
        own[i * GF_WARP_THREADS] = across[i];
        own[(N + i) * GF_WARP_THREADS] = down[i];
    }
#pragma unroll 1
    for (int j = 0; j < N; j++) {
        const int64_t at = gf_border_index(int64_t(y) + j, p.in_height, p.args.border);
        const T *row = reinterpret_cast<const T *>(p.in + at * p.in_pitch);
        const float w = own[(N + (GF_FAULT(cuda_warp_row) ? N - 1 - j : j)) * GF_WARP_THREADS];
        float line[C] = {};
#pragma unroll 1
        for (int i = 0; i < N; i++) {
            const int64_t column = gf_border_index(int64_t(x) + i - (GF_FAULT(cuda_warp_border) && i == 1),
                                                   p.in_width, p.args.border);
            const float weight = own[i * GF_WARP_THREADS];
            GF_UNROLL
            for (int c = 0; c < C; c++) {
                const float sample =
                    at < 0 || column < 0 ? p.args.fill[c] : static_cast<float>(row[column * C + c]);
                line[c] = i == 0 ? weight * sample : gf_fma(weight, sample, line[c]);
            }
        }
        GF_UNROLL
        for (int c = 0; c < C; c++) {
            sum[c] = j == 0 ? w * line[c] : gf_fma(w, line[c], sum[c]);
        }
    }
}

/* ... that all are the constant border. */
template <int C, int N>
GF_DEVICE_FN void gf_warp_outside(const struct gf_warp_params &p, const float (&across)[N],
                                  const float (&down)[N], float (&sum)[C])
{
    float line[C] = {};
    GF_UNROLL
    for (int c = 0; c < C; c++) {
        GF_UNROLL
        for (int i = 0; i < N; i++) {
            line[c] = i == 0 ? across[0] * p.args.fill[c] : gf_fma(across[i], p.args.fill[c], line[c]);
        }
    }
    GF_UNROLL
    for (int j = 0; j < N; j++) {
        gf_warp_down(j, down, line, sum);
    }
}

/* ... that all lie in the picture, from `from` on. */
template <class T, int C, int N>
GF_DEVICE_FN void gf_warp_inside(const char *from, int64_t pitch, const float (&across)[N],
                                 const float (&down)[N], float (&sum)[C])
{
    GF_UNROLL
    for (int j = 0; j < N; j++, from += pitch) {
        float line[C] = {};
        GF_UNROLL
        for (int i = 0; i < N; i++) {
            GF_UNROLL
            for (int c = 0; c < C; c++) {
                const float sample = static_cast<float>(reinterpret_cast<const T *>(from)[i * C + c]);
                line[c] = i == 0 ? across[0] * sample : gf_fma(across[i], sample, line[c]);
            }
        }
        gf_warp_down(j, down, line, sum);
    }
}

/* Words of a row that hold N pixels of C bytes, wherever they begin. */
template <int C, int N> struct gf_warp_words {
    static const int used = (C * N + 3) / 4, loaded = C == 4 ? N : (C * N + 6) / 4;
};

/* ... for bytes, by words: the first sample is byte `lead` mod 4 of the word at `from`. A byte in the bits
 * from 16 on is that many times 2^-133 as f32, with no sum to make it one. Weights across are 2^120 times
 * theirs, which makes a line 2^-13 of its own, and those down make up for it; all of this is exact, as
 * products below 2^-113 go with a place that is next to a sample, whose weight is then 1. */
template <int C, int N>
GF_DEVICE_FN void gf_warp_bytes(const char *from, int64_t pitch, uint32_t lead, const float (&across)[N],
                                const float (&down)[N], float (&sum)[C])
{
    using words = gf_warp_words<C, N>;
    const uint32_t shift = GF_FAULT(cuda_warp_word) ? 0U : 8 * lead; /* mod 32 */
    float high[N], low[N];
    GF_UNROLL
    for (int i = 0; i < N; i++) {
        const bool linear = N == 2 && i == 0; /* 1 less the other, by one step */
        high[i] = linear ? gf_fma(across[N - 1], -0x1p120F, 0x1p120F) : across[i] * 0x1p120F;
        low[i] = linear ? gf_fma(down[N - 1], -0x1p13F, 0x1p13F) : down[i] * 0x1p13F;
    }
    GF_UNROLL
    for (int j = 0; j < N; j++, from += pitch) {
        uint32_t w[words::loaded], b[words::used];
        float line[C] = {};
        GF_UNROLL
        for (int k = 0; k < words::loaded; k++) {
            w[k] = gf_load4(from + 4 * k);
        }
        GF_UNROLL
        for (int k = 0; k < words::used; k++) {
            b[k] = C == 4 ? w[k] : gf_funnel_right(w[k], w[k + 1 < words::loaded ? k + 1 : k], shift);
        }
        GF_UNROLL
        for (int i = 0; i < N; i++) {
            GF_UNROLL
            for (int c = 0; c < C; c++) {
                const uint32_t bits =
                    gf_byte_perm(b[(i * C + c) / 4], 0, 0x4044U | uint32_t(i * C + c) % 4 << 8);
                const float sample = gf_bits_float(bits);
                line[c] = i == 0 ? high[0] * sample : gf_fma(high[i], sample, line[c]);
            }
        }
        gf_warp_down(j, low, line, sum);
    }
}

template <class T, int C, int FILTER>
GF_DEVICE_FN void gf_warp_pixel(const struct gf_warp_params &p, double u, double v, float *own,
                                float (&sum)[C])
{
    const int taps = gf_warp_shape<FILTER>::taps;
    float across[taps], down[taps];
    const int32_t x = gf_warp_along<FILTER>(p.table, u, across);
    const int32_t y = gf_warp_along<FILTER>(p.table, v, down);
    if (static_cast<uint32_t>(x) < p.inner_x && static_cast<uint32_t>(y) < p.inner_y) { /* by 32 bits */
        const char *row = p.in + int64_t(y) * p.pitch;
        if constexpr (sizeof(T) == 1) {
            const int32_t byte = x * C;
            gf_warp_bytes<C>(row + (byte & ~3), p.pitch, static_cast<uint32_t>(byte), across, down, sum);
        } else {
            gf_warp_inside<T, C>(row + x * int32_t(sizeof(T) * C), p.pitch, across, down, sum);
        }
        return;
    }
    if (p.args.border == GF_BORDER_CONSTANT &&
        (x + taps <= 0 || y + taps <= 0 || x >= p.in_width || y >= p.in_height)) {
        gf_warp_outside(p, across, down, sum);
        return;
    }
    gf_warp_anywhere<T, C>(p, x, y, own, across, down, sum);
}

/* Is the place one that gf_warp_place finds? */
GF_DEVICE_FN bool gf_warp_is_near(double u, double v)
{
#ifdef __CUDA_ARCH__
    const uint32_t most = 0x41d00000; /* of 2^30, the higher half */
    return (static_cast<uint32_t>(__double2hiint(u)) & 0x7fffffffU) < most &&
           (static_cast<uint32_t>(__double2hiint(v)) & 0x7fffffffU) < most;
#else
    const double most = 1073741824.0;
    return u > -most && u < most && v > -most && v < most;
#endif
}

#endif
