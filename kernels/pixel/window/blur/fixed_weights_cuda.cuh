/* Separable windows over u8 in the integers of docs/exactness.md: weights of a radius known to the compiler,
 * and the two halves, for kernels that march down the rows. */
#ifndef GF_PIXEL_FIXED_WEIGHTS_CUDA_CUH
#define GF_PIXEL_FIXED_WEIGHTS_CUDA_CUH

#include "pixel/cuda/u8_cuda.cuh"

template <int R> struct gf_fixed_weights {
    uint32_t wx[R + 1]; /* pairs of s16; the second of the last is zero */
    uint32_t wy[2 * R + 1];
    int32_t shift_x, half_x; /* of the first rounding */
    uint32_t half_y;         /* ... and the second, whose result is the sum's highest byte */
    int32_t shift_y;         /* ... but where sums have to be clamped, as weights are below zero */
    bool clamp;
};

/* Weights of one axis, centred in 2 R + 1, zeros beside them; false: one is below zero. */
template <int R> static bool gf_fixed_axis(const int16_t *weights, int32_t radius, int32_t (&to)[2 * R + 1])
{
    bool positive = true;
    for (int32_t i = 0; i <= 2 * R; i++) {
        const int32_t from = i - R + radius;
        to[i] = from >= 0 && from <= 2 * radius ? weights[from] : 0;
        positive = positive && to[i] >= 0;
    }
    return positive;
}

/* The weights of the pass's window, whose radii are at most R. */
template <int R>
static gf_status gf_fixed_weights_make(const struct gf_run *run, struct gf_fixed_weights<R> *p,
                                       gf_error *error)
{
    const struct gf_window *window = &run->pass->window;
    const struct gf_separable_args *s = &window->args.separable;
    const int16_t *wx = static_cast<const int16_t *>(run->host_blocks[window->blocks[0]]);
    const int16_t *wy = static_cast<const int16_t *>(run->host_blocks[window->blocks[1]]);
    int32_t across[2 * R + 1], down[2 * R + 1];
    if (!wx || !wy) {
        return gf_fail(error, GF_ERROR_INTERNAL, "separable: the weights are not a constant block");
    }
    p->clamp = !gf_fixed_axis<R>(wx, s->radius_x, across);
    p->clamp = !gf_fixed_axis<R>(wy, s->radius_y, down) || p->clamp;
    for (int32_t i = 0; i <= R; i++) {
        const uint32_t second = 2 * i + 1 <= 2 * R ? static_cast<uint32_t>(across[2 * i + 1]) : 0U;
        p->wx[i] = (static_cast<uint32_t>(across[2 * i]) & 0xffffU) | second << 16;
    }
    p->shift_x = s->shift_x - 7;
    p->half_x = 1 << (s->shift_x - 8);
    p->shift_y = s->shift_y + 7;
    p->clamp = p->clamp || p->shift_y > 24;
    const int32_t up = p->clamp ? 0 : 24 - p->shift_y;
    p->half_y = 1U << (p->shift_y - 1 + up + GF_FAULT(cuda_rounding_up));
    for (int32_t i = 0; i <= 2 * R; i++) {
        p->wy[i] = static_cast<uint32_t>(down[i]) << up;
    }
    return GF_OK;
}

/* sum + the pairs K to R of the horizontal weights at the bytes from S on. */
template <int R, int K, int S, int N>
GF_DEVICE_FN int32_t gf_fixed_pairs(const uint32_t (&wx)[R + 1], const uint32_t (&w)[N], int32_t sum)
{
    if constexpr (K > R) {
        return sum;
    } else {
        const uint32_t bytes = gf_word_at<S + K / 2 * 4>(w);
        sum = K % 2 == 0 ? gf_dp2a_lo(wx[K], bytes, sum) : gf_dp2a_hi(wx[K], bytes, sum);
        return gf_fixed_pairs<R, K + 1, S>(wx, w, sum);
    }
}

/* Horizontal sums of the pixels I, I + 1, ... < P; w: their words, with as many on each side. */
template <int R, int I, int P, int N>
GF_DEVICE_FN void gf_fixed_across(const struct gf_fixed_weights<R> &p, const uint32_t (&w)[N],
                                  int32_t (&middle)[P])
{
    if constexpr (I < P) {
        middle[I] = gf_fixed_pairs<R, 0, (N - P / 4) * 2 + I - R>(p.wx, w, p.half_x) >> p.shift_x;
        gf_fixed_across<R, I + 1, P>(p, w, middle);
    }
}

/* Bytes apart by channels: word Q of a channel has its samples 4 Q to 4 Q + 3 of those in w. Past the end
 * stands the last byte, for weights that are zero. */
template <int C, int AT, int N, int M>
GF_DEVICE_FN void gf_fixed_part(const uint32_t (&w)[N], uint32_t (&planes)[C][M])
{
    if constexpr (AT < C * M) {
        constexpr int first = AT / M + AT % M * 4 * C, last = 4 * N - 1;
        planes[AT / M][AT % M] = gf_pick<(first < last ? first : last), (first + C < last ? first + C : last),
                                         (first + 2 * C < last ? first + 2 * C : last),
                                         (first + 3 * C < last ? first + 3 * C : last)>(w);
        gf_fixed_part<C, AT + 1>(w, planes);
    }
}

/* gf_fixed_across of samples of C channels, the first of which has FIRST bytes of w on its left. */
template <int R, int C, int I, int FIRST, int P, int M>
GF_DEVICE_FN void gf_fixed_across_parts(const struct gf_fixed_weights<R> &p, const uint32_t (&planes)[C][M],
                                        int32_t (&middle)[P])
{
    if constexpr (I < P) {
        constexpr int at = FIRST + I;
        middle[I] = gf_fixed_pairs<R, 0, at / C - R>(p.wx, planes[at % C], p.half_x) >> p.shift_x;
        gf_fixed_across_parts<R, C, I + 1, FIRST>(p, planes, middle);
    }
}

/* One row into the waiting sums, modulo 2^32; the one that is complete comes out. */
template <int R>
GF_DEVICE_FN uint32_t gf_fixed_down(const struct gf_fixed_weights<R> &p, uint32_t (&sum)[2 * R],
                                    int32_t middle)
{
    const uint32_t m = static_cast<uint32_t>(middle), out = sum[0] + p.wy[2 * R] * m;
#pragma unroll
    for (int j = 0; j < 2 * R - 1; j++) {
        sum[j] = sum[j + 1] + p.wy[2 * R - 1 - j] * m;
    }
    sum[2 * R - 1] = p.half_y + p.wy[0] * m;
    return out;
}

/* P complete sums as bytes. */
template <int R, int P>
GF_DEVICE_FN void gf_fixed_pack(const struct gf_fixed_weights<R> &p, uint32_t (&sums)[P],
                                uint32_t (&to)[P / 4])
{
    if (p.clamp) {
#pragma unroll
        for (int i = 0; i < P; i++) {
            const int32_t v = static_cast<int32_t>(sums[i]) >> p.shift_y;
            sums[i] = static_cast<uint32_t>(gf_clamp_u8(v)) << 24;
        }
    }
#pragma unroll
    for (int i = 0; i < P; i += 4) {
        to[i / 4] = gf_byte_perm(gf_byte_perm(sums[i], sums[i + 1], 0x0073),
                                 gf_byte_perm(sums[i + 2], sums[i + 3], 0x0073), 0x5410);
    }
}

#endif
