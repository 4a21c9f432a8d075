/* A pass that makes each byte of one of its own and one of another picture: 16 bytes an access, four bytes a
 * word, no f32. */
#include "pixel/cuda/chunk_cuda.cuh"
#include "pixel/cuda/point_pair_cuda.h"
#include "pixel/ir/blend_bytes.h"

enum { GF_PAIR_THREADS = 256, GF_PAIR_TOGETHER = 4, GF_PAIR_MOST_BLOCKS = 32768 };

/* Takes the greater byte of each two: bit 7 of `low` tells about their lower bits, so `least` about all. */
GF_DEVICE_FN uint32_t gf_pair_greatest(uint32_t a, uint32_t b)
{
    const uint32_t high = 0x80808080U, low = (a | high) - (b & ~high);
    const uint32_t least = ((a & ~b) | (~(a ^ b) & low)) & high; /* a >= b */
    const uint32_t mask = (least >> 7) * 255U;
    return (a & mask) | (b & ~mask);
}

template <int MODE> GF_DEVICE_FN uint32_t gf_pair_word(uint32_t a, uint32_t b)
{
    if constexpr (MODE == GF_BLEND_ADD) { /* a + the lesser of b and what is left above a */
        const uint32_t left = ~a;
        return a + (left ^ b ^ gf_pair_greatest(left, b));
    }
    const uint32_t greatest = gf_pair_greatest(a, b);
    return MODE == GF_BLEND_SUBTRACT ? greatest - b
           : MODE == GF_BLEND_MAX    ? greatest
           : MODE == GF_BLEND_MIN    ? a ^ b ^ greatest
                                     : greatest - (a ^ b ^ greatest);
}

template <int MODE>
static __global__ void __launch_bounds__(GF_PAIR_THREADS) gf_point_pair(const struct gf_pass_args a)
{
    const struct gf_surface &other = a.operand[GF_OPERAND_SECOND];
    const int64_t row = a.width * a.in.channels, apart = int64_t(GF_PAIR_THREADS) * 16;
    const int64_t first = int64_t(blockIdx.x) * GF_PAIR_TOGETHER * apart + threadIdx.x * 16;
    for (int64_t y = blockIdx.y; y < a.height; y += gridDim.y) {
        const unsigned char *from = a.in.data + y * a.in.pitch, *beside = other.data + y * other.pitch;
        unsigned char *to = a.out.data + y * a.out.pitch;
        uint32_t left[GF_PAIR_TOGETHER][4], right[GF_PAIR_TOGETHER][4];
#pragma unroll
        for (int k = 0; k < GF_PAIR_TOGETHER; k++) {
            const int64_t x = first + k * apart, rest = row - x - GF_FAULT(cuda_pair_tail);
            const int32_t bytes = rest < 16 ? static_cast<int32_t>(rest) : 16;
            gf_chunk_load(from + x, true, bytes, left[k]);
            gf_chunk_load(beside + x, true, bytes, right[k]);
        }
#pragma unroll
        for (int k = 0; k < GF_PAIR_TOGETHER; k++) {
            const int64_t x = first + k * apart, rest = row - x;
#pragma unroll
            for (int i = 0; i < 4; i++) {
                left[k][i] = gf_pair_word<MODE>(left[k][i], right[k][i]);
            }
            gf_chunk_store(to + x, true, rest < 16 ? static_cast<int32_t>(rest) : 16, left[k]);
        }
    }
}

static int32_t gf_pair_mode(const struct gf_pass_args *args)
{
    const struct gf_surface *other = &args->operand[GF_OPERAND_SECOND];
    const struct gf_pass_operand operand = {0, other->channels, other->depth};
    const struct gf_program *program = args->pre.n > 0 ? &args->pre : &args->post;
    return args->pre.n + args->post.n == program->n ? gf_blend_of_bytes(program, &operand) : GF_NONE;
}

bool gf_point_pair_takes(const struct gf_pass_args *args)
{
    const struct gf_surface *other = &args->operand[GF_OPERAND_SECOND];
    return other->data && gf_pair_mode(args) != GF_NONE && args->in.depth == GF_U8 &&
           args->out.depth == GF_U8 && gf_is_aligned(&args->in, 16) && gf_is_aligned(&args->out, 16) &&
           gf_is_aligned(other, 16);
}

gf_status gf_point_pair_launch(const struct gf_pass_args *args, cudaStream_t stream, gf_error *error)
{
    struct gf_pass_args a = *args;
    gf_pair_join(&a);
    const int64_t row = a.width * a.in.channels;
    gf_launch launch = gf_launch_on(
        stream,
        dim3(gf_blocks(row, int64_t(GF_PAIR_THREADS) * GF_PAIR_TOGETHER * 16),
             gf_blocks(a.height < GF_PAIR_MOST_BLOCKS ? a.height : int64_t(GF_PAIR_MOST_BLOCKS), 1)),
        GF_PAIR_THREADS);
    switch (gf_pair_mode(args)) {
    case GF_BLEND_ADD:
        GF_CUDA_TRY(error, GF_LAUNCH(gf_point_pair<GF_BLEND_ADD>, launch, a));
        return GF_OK;
    case GF_BLEND_SUBTRACT:
        GF_CUDA_TRY(error, GF_LAUNCH(gf_point_pair<GF_BLEND_SUBTRACT>, launch, a));
        return GF_OK;
    case GF_BLEND_MIN:
        GF_CUDA_TRY(error, GF_LAUNCH(gf_point_pair<GF_BLEND_MIN>, launch, a));
        return GF_OK;
    case GF_BLEND_MAX:
        GF_CUDA_TRY(error, GF_LAUNCH(gf_point_pair<GF_BLEND_MAX>, launch, a));
        return GF_OK;
    default:
        GF_CUDA_TRY(error, GF_LAUNCH(gf_point_pair<GF_BLEND_DIFFERENCE>, launch, a));
        return GF_OK;
    }
}
