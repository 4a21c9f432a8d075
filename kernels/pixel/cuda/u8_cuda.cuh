/* What the fast kernels of u8 pictures share: four samples a word, programs as tables of bytes.
 *
 * A program takes part when it is [GRAY_INT] and then instructions that act on samples one by one,
 * the same everywhere in the picture, u8 in and out: then a block runs it once on all 256 values. */
#ifndef GF_PIXEL_U8_CUDA_CUH
#define GF_PIXEL_U8_CUDA_CUH

#include "pixel/cuda/program_cuda.cuh"

/* Are the words three that follow each other? */
template <int A, int B, int C, int D> struct gf_is_of_three {
    static const int left = A < B ? A : B, right = C < D ? C : D, first = left < right ? left : right;
    static const bool is = A <= first + 2 && B <= first + 2 && C <= first + 2 && D <= first + 2;
};

/* Four bytes picked from an array of words at compile-time byte positions. */
template <int A, int B, int C, int D, int N> GF_DEVICE_FN uint32_t gf_pick(const uint32_t (&w)[N])
{
    static_assert(A / 4 < N && B / 4 < N && C / 4 < N && D / 4 < N, "inside the array");
    if constexpr (A % 4 == 0 && B == A + 1 && C == A + 2 && D == A + 3) {
        return w[A / 4];
    } else if constexpr (A / 4 == B / 4 && (C / 4 == A / 4 + 1 || C / 4 == A / 4) &&
                         (D / 4 == A / 4 + 1 || D / 4 == A / 4) && A / 4 + 1 < N) {
        const int first = A / 4 * 4;
        return gf_byte_perm(w[A / 4], w[A / 4 + 1],
                            (A - first) | (B - first) << 4 | (C - first) << 8 | (D - first) << 12);
    } else if constexpr (N >= 3 && gf_is_of_three<A / 4, B / 4, C / 4, D / 4>::is) {
        constexpr int lowest = gf_is_of_three<A / 4, B / 4, C / 4, D / 4>::first;
        constexpr int first = (lowest + 2 < N ? lowest : N - 3) * 4, third = first + 8;
        const uint32_t two =
            gf_byte_perm(w[first / 4], w[first / 4 + 1],
                         (A < third ? A - first : 0) | (B < third ? B - first : 0) << 4 |
                             (C < third ? C - first : 0) << 8 | (D < third ? D - first : 0) << 12);
        return gf_byte_perm(two, w[third / 4],
                            (A < third ? 0 : A - third + 4) | (B < third ? 1 : B - third + 4) << 4 |
                                (C < third ? 2 : C - third + 4) << 8 | (D < third ? 3 : D - third + 4) << 12);
    } else if constexpr (A % 4 == B % 4 && B % 4 == C % 4 &&
                         C % 4 == D % 4) { /* two picks share the halves */
        const int pairs = A % 4 < 2 ? 0x5140 : 0x7362;
        return gf_byte_perm(gf_byte_perm(w[A / 4], w[B / 4], pairs), gf_byte_perm(w[C / 4], w[D / 4], pairs),
                            A % 2 == 0 ? 0x5410 : 0x7632);
    } else {
        const uint32_t low = gf_byte_perm(w[A / 4], w[B / 4], (A % 4) | (4 + B % 4) << 4);
        const uint32_t high = gf_byte_perm(w[C / 4], w[D / 4], (C % 4) | (4 + D % 4) << 4);
        return gf_byte_perm(low, high, 0x5410);
    }
}

/* Bytes S to S + 3; past the end of the array the last word again (for weights that are zero). */
template <int S, int N> GF_DEVICE_FN uint32_t gf_word_at(const uint32_t (&w)[N])
{
    if constexpr (S % 4 == 0) {
        return w[S / 4 < N ? S / 4 : N - 1];
    } else {
        return gf_byte_perm(w[S / 4], w[S / 4 + 1 < N ? S / 4 + 1 : N - 1], 0x3210 + 0x1111 * (S % 4));
    }
}

GF_DEVICE_FN uint32_t gf_pack4(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return gf_byte_perm(gf_byte_perm(a, b, 0x0040), gf_byte_perm(c, d, 0x0040), 0x5410);
}

/* gf_gray_u of the first three bytes of a word. */
GF_DEVICE_FN uint32_t gf_gray_word(uint32_t rgb)
{
    int32_t sum = gf_dp2a_lo(GF_GRAY_R | static_cast<uint32_t>(GF_GRAY_G) << 16, rgb, 16384);
    sum = gf_dp2a_hi(GF_GRAY_B, rgb, sum);
    return static_cast<uint32_t>(sum) >> 15;
}

/* gf_gray_u of the four pixels of three words. The weights are doubled, so that byte 2 of a sum is the gray.
 */
GF_DEVICE_FN uint32_t gf_gray_quad(const uint32_t (&w)[3])
{
    const uint32_t r = 2 * GF_GRAY_R, g = 2 * GF_GRAY_G, b = 2 * GF_GRAY_B, half = 32768;
    const uint32_t first = gf_dp2a_hi_u(b, w[0], gf_dp2a_lo_u(r | g << 16, w[0], half));
    const uint32_t second = gf_dp2a_lo_u(g | b << 16, w[1], gf_dp2a_hi_u(r << 16, w[0], half));
    const uint32_t third = gf_dp2a_lo_u(b, w[2], gf_dp2a_hi_u(r | g << 16, w[1], half));
    const uint32_t fourth = gf_dp2a_hi_u(g | b << 16, w[2], gf_dp2a_lo_u(r << 16, w[2], half));
    return gf_byte_perm(gf_byte_perm(first, second, 0x0062), gf_byte_perm(third, fourth, 0x0062), 0x5410);
}

/* One word of four pixels to C words of one channel each, and back: byte i of planes[c] is pixel i. */
template <int C, int AT, int N> GF_DEVICE_FN void gf_split(const uint32_t (&w)[N], uint32_t (&planes)[C])
{
    planes[0] = gf_pick<AT, AT + C, AT + 2 * C, AT + 3 * C>(w);
    if constexpr (C > 1) {
        planes[1] = gf_pick<AT + 1, AT + 1 + C, AT + 1 + 2 * C, AT + 1 + 3 * C>(w);
    }
    if constexpr (C > 2) {
        planes[2] = gf_pick<AT + 2, AT + 2 + C, AT + 2 + 2 * C, AT + 2 + 3 * C>(w);
    }
    if constexpr (C > 3) {
        planes[3] = gf_pick<AT + 3, AT + 3 + C, AT + 3 + 2 * C, AT + 3 + 3 * C>(w);
    }
}

/* Byte position, in an array of C plane words, of sample i of four interleaved pixels. */
template <int C, int I> struct gf_join_from {
    static const int at = I % C * 4 + I / C;
};
template <int C> GF_DEVICE_FN void gf_join(const uint32_t (&planes)[C], uint32_t (&w)[C])
{
    w[0] = gf_pick<gf_join_from<C, 0>::at, gf_join_from<C, 1>::at, gf_join_from<C, 2>::at,
                   gf_join_from<C, 3>::at>(planes);
    if constexpr (C > 1) {
        w[1] = gf_pick<gf_join_from<C, 4>::at, gf_join_from<C, 5>::at, gf_join_from<C, 6>::at,
                       gf_join_from<C, 7>::at>(planes);
    }
    if constexpr (C > 2) {
        w[2] = gf_pick<gf_join_from<C, 8>::at, gf_join_from<C, 9>::at, gf_join_from<C, 10>::at,
                       gf_join_from<C, 11>::at>(planes);
    }
    if constexpr (C > 3) {
        w[3] = gf_pick<gf_join_from<C, 12>::at, gf_join_from<C, 13>::at, gf_join_from<C, 14>::at,
                       gf_join_from<C, 15>::at>(planes);
    }
}

/* A sample through the instructions [first, n) of a program that takes part. */
GF_DEVICE_FN float gf_sample_run(const struct gf_pass_args &a, const struct gf_program &program,
                                 int32_t first, int32_t c, float v)
{
    for (int32_t n = first; n < program.n; n++) {
        const struct gf_insn insn = program.insn[n];
        if (insn.mask >> c & 1) {
            const struct gf_block_view *block = insn.block >= 0 ? &a.blocks[insn.block] : nullptr;
            const struct gf_block_view *block2 = insn.block2 >= 0 ? &a.blocks[insn.block2] : nullptr;
            v = gf_insn_sample(&insn, v, c, block, block2);
        }
    }
    return v;
}

/* Fills table[c * 256 + value]. All threads of the block take part; a barrier must follow. */
GF_DEVICE_FN void gf_table_make(const struct gf_pass_args &a, const struct gf_program &program, int32_t first,
                                int32_t channels, uint8_t *table)
{
    for (int32_t i = static_cast<int32_t>(threadIdx.x); i < 256 * channels;
         i += static_cast<int32_t>(blockDim.x)) {
        table[i] = gf_quantise_u8(gf_sample_run(a, program, first, i / 256, static_cast<float>(i % 256)));
    }
}

GF_DEVICE_FN uint32_t gf_table_word(const uint8_t *table, uint32_t w)
{
    return gf_pack4(table[w & 0xff], table[w >> 8 & 0xff], table[w >> 16 & 0xff], table[w >> 24]);
}

/* 1 in every byte of w that is above the limit. */
GF_DEVICE_FN uint32_t gf_step_bits(const struct gf_u8_step &step, uint32_t w)
{
    const uint32_t lower = (w & 0x7f7f7f7fU) + step.add;
    return (((lower & w) | ((lower | w) & step.either)) & 0x80808080U) >> 7;
}

/* Four bytes from their bits. */
GF_DEVICE_FN uint32_t gf_step_word(const struct gf_u8_step &step, uint32_t bits)
{
    return step.low + bits * static_cast<uint32_t>(step.rise);
}

/* Counts the first n of the four bytes of w. */
GF_DEVICE_FN void gf_count_word(uint32_t *counts, uint32_t w, int32_t n)
{
    if (n >= 4) {
#pragma unroll
        for (int i = 0; i < 4; i++) {
            gf_atomic_add(&counts[w >> (8 * i) & 0xff], 1u);
        }
    } else {
        for (int i = 0; i < n; i++) {
            gf_atomic_add(&counts[w >> (8 * i) & 0xff], 1u);
        }
    }
}

/* Adds a block's counts, 256 a channel, to the rows of a HIST tap, 259 a channel. */
GF_DEVICE_FN void gf_count_flush(const uint32_t *counts, int32_t channels, int32_t mask, uint64_t *rows)
{
    for (int32_t i = static_cast<int32_t>(threadIdx.x); i < 256 * channels;
         i += static_cast<int32_t>(blockDim.x)) {
        if (counts[i] != 0 && (mask >> (i / 256) & 1)) {
            gf_atomic_add(&rows[i + 3 * (i / 256)], static_cast<uint64_t>(counts[i]));
        }
    }
}

#endif
