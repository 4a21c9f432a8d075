/* A pass that is a blend of two pictures of bytes, or a mask, and nothing else but rounding: a thread has a
 * chunk of pixels of both in registers, and what is the same for all samples is decided once a word. The
 * modes that are exact in integers have point_pair_cuda.cu. */
#include "pixel/cuda/chunk_cuda.cuh"
#include "pixel/cuda/point_pair_cuda.h"
#include "pixel/cuda/store_cuda.cuh"

enum { GF_BLEND_THREADS = 256, GF_BLEND_MOST_BLOCKS = 32768 };

struct gf_blend_params {
    struct gf_insn insn; /* BLEND, MASK or OVER, */
    int32_t mode;        /* the gf_blend of the first */
    uint32_t keep[4];    /* bits that stay as they are, of word i of every four */
};

/* Pixels of C channels that a thread has, and their words and those of as many with CO channels. */
template <int C, int CO> struct gf_blend_shape {
    static const int pixels = C == 4 && CO > 1 ? 4 : 16;
    static const int words = pixels * C / 4, others = pixels * CO / 4;
};

/* Byte i of a word over 255: by the reciprocal in two parts, which is the rounded quotient for every byte. */
GF_DEVICE_FN float gf_byte_fraction(uint32_t w, uint32_t i)
{
    const float v = gf_byte_float(w, i), high = 1.0F / 255.0F;
    return gf_fma(v, high, v * -0x1.fdfdfep-33F);
}

template <int N> GF_DEVICE_FN float gf_blend_read(const uint32_t (&w)[N], int byte)
{
    return gf_byte_fraction(w[byte / 4], static_cast<uint32_t>(byte % 4));
}

/* Four samples from byte `first` on, of pictures of C and CO channels: v and o in fractions of white. */
template <int C, int CO, int N, int M>
GF_DEVICE_FN void gf_blend_four(const struct gf_blend_params &p, int first, const uint32_t (&own)[N],
                                const uint32_t (&other)[M], float (&made)[4])
{
    const float share = p.insn.k[0];
    float f[4], v[4], o[4], alpha[4];
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const int pixel = (first + i) / C, c = (first + i) % C;
        v[i] = gf_blend_read(own, first + i);
        o[i] = gf_blend_read(other, pixel * CO + (c < CO ? c : CO - 1) * (CO > 1));
        alpha[i] = share;
        if (CO == 4 && (p.insn.arg & GF_OPERAND_ALPHA)) {
            alpha[i] = share * gf_blend_read(other, pixel * CO + CO - 1);
        }
    }
    switch (p.mode) {
    case GF_BLEND_MULTIPLY:
#pragma unroll
        for (int i = 0; i < 4; i++) {
            f[i] = gf_blend_of(GF_BLEND_MULTIPLY, v[i], o[i]);
        }
        break;
    case GF_BLEND_OVER:
#pragma unroll
        for (int i = 0; i < 4; i++) {
            f[i] = o[i];
        }
        break;
    case GF_BLEND_SCREEN:
#pragma unroll
        for (int i = 0; i < 4; i++) {
            f[i] = gf_blend_of(GF_BLEND_SCREEN, v[i], o[i]);
        }
        break;
    default:
#pragma unroll
        for (int i = 0; i < 4; i++) {
            f[i] = gf_blend_of(p.mode, v[i], o[i]);
        }
    }
#pragma unroll
    for (int i = 0; i < 4; i++) {
        made[i] = gf_fma(gf_mix(alpha[i], f[i], v[i]), 255.0F, 0.0F);
    }
}

/* MASK: v stays in its units. */
template <int C, int CO, int N, int M>
GF_DEVICE_FN void gf_mask_four(const struct gf_blend_params &p, int first, const uint32_t (&own)[N],
                               const uint32_t (&other)[M], float (&made)[4])
{
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const int pixel = (first + i) / C, c = (first + i) % C;
        const float v = gf_byte_float(own[(first + i) / 4], static_cast<uint32_t>(i));
        made[i] = gf_mix(gf_blend_read(other, pixel * CO + (c < CO ? c : CO - 1) * (CO > 1)), v, p.insn.k[0]);
    }
}

/* OVER: a pixel whose last sample is alpha. */
template <int CO, int M>
GF_DEVICE_FN void gf_over_four(const struct gf_blend_params &p, int pixel, uint32_t own,
                               const uint32_t (&other)[M], float (&made)[4])
{
    const float amount = p.insn.k[0];
    float share = amount;
    if (CO == 4 && (p.insn.arg & GF_OPERAND_ALPHA)) {
        share = amount * gf_blend_read(other, pixel * CO + CO - 1);
    }
    const float rest = gf_byte_fraction(own, 3) * (1.0F - share), whole = share + rest;
#pragma unroll
    for (int c = 0; c < 3; c++) {
        const float o = gf_blend_read(other, pixel * CO + c * (CO > 1));
        const float sum = gf_fma(o, share, gf_byte_fraction(own, static_cast<uint32_t>(c)) * rest);
        made[c] = gf_fma(whole > 0.0F ? gf_div(sum, whole) : 0.0F, 255.0F, 0.0F);
    }
    made[3] = gf_fma(whole, 255.0F, 0.0F);
}

template <int C, int CO>
static __global__ void __launch_bounds__(GF_BLEND_THREADS, 4)
    gf_point_blend(const struct gf_pass_args a, const struct gf_blend_params p)
{
    using shape = gf_blend_shape<C, CO>;
    const struct gf_surface &beside = a.operand[GF_OPERAND_SECOND];
    const int64_t x = (int64_t(blockIdx.x) * GF_BLEND_THREADS + threadIdx.x) * shape::pixels;
    const int64_t left = a.width - x - GF_FAULT(cuda_blend_tail);
    const int32_t live = left < shape::pixels ? static_cast<int32_t>(left > 0 ? left : 0) : shape::pixels;
    if (x >= a.width) {
        return;
    }
    for (int64_t y = blockIdx.y; y < a.height; y += gridDim.y) {
        uint32_t own[shape::words], other[shape::others];
        gf_chunk_load(a.in.data + y * a.in.pitch + x * C, true, live * C, own);
        gf_chunk_load(beside.data + y * beside.pitch + x * CO, true, live * CO, other);
        uint32_t out[shape::words];
#pragma unroll
        for (int k = 0; k < shape::words; k++) {
            float made[4];
            if (C == 4 && p.insn.code == GF_INSN_OVER) {
                gf_over_four<CO>(p, k, own[k], other, made);
            } else if (p.insn.code == GF_INSN_MASK) {
                gf_mask_four<C, CO>(p, 4 * k, own, other, made);
            } else {
                gf_blend_four<C, CO>(p, 4 * k, own, other, made);
            }
            const uint32_t keep = p.keep[k % C];
            out[k] = (gf_u8_word(made) & ~keep) | (own[k] & keep);
        }
        gf_chunk_store(
            a.out.data + y * a.out.pitch + x * C, true,
            a.width - x < shape::pixels ? static_cast<int32_t>(a.width - x) * C : shape::pixels * C, out);
    }
}

/* ---- which passes ---- */

/* The instruction of a program that is nothing else but it, to and from fractions, and rounding; or nullptr.
 */
static const struct gf_insn *gf_blend_insn(const struct gf_program *program)
{
    const float white = 255.0F;
    const struct gf_insn *insn = program->insn;
    const bool rounds = program->n > 1 && insn[program->n - 1].code == GF_INSN_QUANTISE &&
                        insn[program->n - 1].depth == GF_U8;
    const int32_t n = program->n - rounds;
    const struct gf_insn *middle = n == 3 ? insn + 1 : insn;
    for (int32_t i = 0; i < program->n; i++) {
        if (insn[i].roi != GF_NONE || (i < n && insn[i].mask != middle->mask)) {
            return nullptr;
        }
    }
    const bool fractions = n == 3 && insn[0].code == GF_INSN_DIVIDE && insn[0].k[0] == white &&
                           insn[2].code == GF_INSN_AFFINE && insn[2].k[0] == white && insn[2].k[1] == 0;
    const bool blends = middle->code == GF_INSN_BLEND || middle->code == GF_INSN_OVER;
    const bool masks = n == 1 && middle->code == GF_INSN_MASK;
    return middle->operand == GF_OPERAND_SECOND && middle->k[1] == white && ((fractions && blends) || masks)
               ? middle
               : nullptr;
}

static bool gf_is_bytes(const struct gf_surface *s)
{
    return s->data && s->depth == GF_U8 && gf_is_aligned(s, 16);
}

/* One, three or four channels beside as many, or as one; three beside four, the last being alpha. */
static bool gf_blend_has(int32_t channels, int32_t others)
{
    return channels != 2 && channels <= 4 &&
           (others == channels || others == 1 || (channels == 3 && others == 4));
}

static const struct gf_program *gf_blend_program(const struct gf_pass_args *args)
{
    return args->pre.n > 0 ? &args->pre : &args->post;
}

bool gf_point_blend_takes(const struct gf_pass_args *args)
{
    const struct gf_surface *other = &args->operand[GF_OPERAND_SECOND];
    const struct gf_program *program = gf_blend_program(args);
    const int32_t channels = args->in.channels;
    if (args->pre.n + args->post.n != program->n || !gf_is_bytes(&args->in) || !gf_is_bytes(&args->out) ||
        !gf_is_bytes(other) || !gf_blend_has(channels, other->channels) || args->out.channels != channels) {
        return false;
    }
    const struct gf_insn *insn = gf_blend_insn(program);
    return insn && (insn->code != GF_INSN_OVER || channels == 4) &&
           (other->channels > 1 || channels == 1 || (insn->arg & GF_OPERAND_FIRST) != 0) &&
           (other->channels == 1 || (insn->arg & GF_OPERAND_FIRST) == 0);
}

template <int C, int CO> static cudaError_t gf_blend_launch(struct gf_pass_args a, cudaStream_t stream)
{
    struct gf_blend_params p = {};
    p.insn = *gf_blend_insn(gf_blend_program(&a));
    p.mode = p.insn.arg & (GF_OPERAND_FIRST - 1);
    for (int32_t b = 0; b < 16; b++) {
        p.keep[b / 4] |= (p.insn.mask >> (b % C) & 1) != 0 ? 0U : 255U << (b % 4 * 8);
    }
    gf_pair_join(&a);
    gf_launch launch = gf_launch_on(
        stream,
        dim3(gf_blocks(a.width, int64_t(GF_BLEND_THREADS) * gf_blend_shape<C, CO>::pixels),
             gf_blocks(a.height < GF_BLEND_MOST_BLOCKS ? a.height : int64_t(GF_BLEND_MOST_BLOCKS), 1)),
        GF_BLEND_THREADS);
    return GF_LAUNCH((gf_point_blend<C, CO>), launch, a, p);
}

gf_status gf_point_blend_launch(const struct gf_pass_args *args, cudaStream_t stream, gf_error *error)
{
    const int32_t others = args->operand[GF_OPERAND_SECOND].channels;
    switch (args->in.channels) {
    case 1:
        GF_CUDA_TRY(error, (gf_blend_launch<1, 1>(*args, stream)));
        return GF_OK;
    case 3:
        GF_CUDA_TRY(error, others == 1   ? (gf_blend_launch<3, 1>(*args, stream))
                           : others == 3 ? (gf_blend_launch<3, 3>(*args, stream))
                                         : (gf_blend_launch<3, 4>(*args, stream)));
        return GF_OK;
    default:
        GF_CUDA_TRY(error, others == 1 ? (gf_blend_launch<4, 1>(*args, stream))
                                       : (gf_blend_launch<4, 4>(*args, stream)));
        return GF_OK;
    }
}
