/* A pass of bytes in which gray becomes colour, or alpha comes or goes, and nothing else: words are picked
 * apart, nothing becomes f32. Accesses of memory lie side by side, 16 bytes a lane, and pass through shared
 * memory to and from the lane that has their 16 pixels. */
#include "pixel/cuda/point_shuffle_cuda.h"

#include "pixel/cuda/chunk_cuda.cuh"
#include "pixel/cuda/unit_cuda.cuh"

enum { GF_SHUFFLE_THREADS = 256, GF_SHUFFLE_PIXELS = 16, GF_SHUFFLE_MOST_BLOCKS = 32768 };

/* Where vector i of a warp's pixels of C bytes lies in shared memory: such that eight neighbours meet in no
 * bank, neither those that lie side by side nor the ones that C apart lanes have. */
template <int C> GF_DEVICE_FN int32_t gf_shuffle_place(int32_t i)
{
    return 16 * (C == 2 || C == 4 ? i ^ (i >> 3 & 3) : i);
}

/* Four pixels of CI bytes, as CI words, to CO of them; alpha: in each byte. */
template <int CI, int CO> GF_DEVICE_FN void gf_shuffle_four(const uint32_t *in, uint32_t alpha, uint32_t *out)
{
    if constexpr (CI == 1 && CO == 3) {
        out[0] = gf_byte_perm(in[0], 0, 0x1000);
        out[1] = gf_byte_perm(in[0], 0, 0x2211);
        out[2] = gf_byte_perm(in[0], 0, 0x3332);
    } else if constexpr (CI == 2 && CO == 4) {
        out[0] = gf_byte_perm(in[0], 0, 0x1000);
        out[1] = gf_byte_perm(in[0], 0, 0x3222);
        out[2] = gf_byte_perm(in[1], 0, 0x1000);
        out[3] = gf_byte_perm(in[1], 0, 0x3222);
    } else if constexpr (CI == 1 && CO == 2) {
        out[0] = gf_byte_perm(in[0], alpha, 0x4140);
        out[1] = gf_byte_perm(in[0], alpha, 0x4342);
    } else if constexpr (CI == 3 && CO == 4) {
        out[0] = gf_byte_perm(in[0], alpha, 0x4210);
        out[1] = gf_byte_perm(gf_byte_perm(in[0], in[1], 0x0543), alpha, 0x4210);
        out[2] = gf_byte_perm(gf_byte_perm(in[1], in[2], 0x0432), alpha, 0x4210);
        out[3] = gf_byte_perm(in[2], alpha, 0x4321);
    } else if constexpr (CI == 2 && CO == 1) {
        out[0] = gf_byte_perm(in[0], in[1], 0x6420);
    } else {
        static_assert(CI == 4 && CO == 3, "no other channels come or go");
        out[0] = gf_byte_perm(in[0], in[1], 0x4210);
        out[1] = gf_byte_perm(in[1], in[2], 0x5421);
        out[2] = gf_byte_perm(in[2], in[3], 0x6542);
    }
}

/* The bytes of a row of `left` that a vector at byte `at` has. */
GF_DEVICE_FN int32_t gf_shuffle_bytes(int64_t left, int32_t at)
{
    return left - at >= 16 ? 16 : left > at ? static_cast<int32_t>(left - at) : 0;
}

template <int CI, int CO>
static __global__ void __launch_bounds__(GF_SHUFFLE_THREADS)
    gf_point_shuffle(const struct gf_pass_args a, uint32_t alpha)
{
    constexpr int most = CI > CO ? CI : CO, warps = GF_SHUFFLE_THREADS / GF_WARP;
    constexpr int64_t span = GF_WARP * GF_SHUFFLE_PIXELS;
    GF_SHARED(unsigned char, stage, GF_SHUFFLE_THREADS *GF_SHUFFLE_PIXELS *most);
    unsigned char *piece = stage + gf_warp() * span * most;
    const int32_t lane = static_cast<int32_t>(gf_lane());
    for (int64_t y = blockIdx.y; y < a.height; y += gridDim.y) {
        for (int64_t x = (int64_t(blockIdx.x) * warps + gf_warp()) * span; x < a.width;
             x += int64_t(gridDim.x) * warps * span) {
            const int64_t left = a.width - x;
            const unsigned char *from = a.in.data + y * a.in.pitch + x * CI;
            unsigned char *to = a.out.data + y * a.out.pitch + x * CO;
            uint32_t w[CI][4], in[4 * CI], out[4 * CO];
#pragma unroll
            for (int i = 0; i < CI; i++) {
                const int32_t at = 16 * (i * GF_WARP + lane);
                gf_chunk_load(from + at, true, gf_shuffle_bytes(left * CI, at), w[i]);
            }
#pragma unroll
            for (int i = 0; i < CI; i++) {
                gf_words_put(piece + gf_shuffle_place<CI>(i * GF_WARP + lane), w[i], GF_CACHED);
            }
            gf_syncwarp();
#pragma unroll
            for (int i = 0; i < CI; i++) {
                gf_words_take(piece + gf_shuffle_place<CI>(CI * lane + i), w[i]);
                memcpy(in + 4 * i, w[i], 16);
            }
            gf_syncwarp();
#pragma unroll
            for (int i = 0; i < 4; i++) {
                gf_shuffle_four<CI, CO>(in + (i ^ GF_FAULT(cuda_shuffle)) * CI, alpha, out + i * CO);
            }
#pragma unroll
            for (int i = 0; i < CO; i++) {
                uint32_t four[4];
                memcpy(four, out + 4 * i, 16);
                gf_words_put(piece + gf_shuffle_place<CO>(CO * lane + i), four, GF_CACHED);
            }
            gf_syncwarp();
#pragma unroll
            for (int i = 0; i < CO; i++) {
                const int32_t at = 16 * (i * GF_WARP + lane);
                uint32_t four[4];
                gf_words_take(piece + gf_shuffle_place<CO>(i * GF_WARP + lane), four);
                gf_chunk_store(to + at, true, gf_shuffle_bytes(left * CO, at), four);
            }
            gf_syncwarp();
        }
    }
}

bool gf_point_shuffle_takes(const struct gf_pass_args *args)
{
    const struct gf_insn *insn = gf_pass_only(args);
    return insn &&
           (insn->code == GF_INSN_SPREAD || insn->code == GF_INSN_ADD_ALPHA ||
            insn->code == GF_INSN_DROP_ALPHA) &&
           args->in.depth == GF_U8 && args->out.depth == GF_U8 && gf_is_aligned(&args->in, 16) &&
           gf_is_aligned(&args->out, 16);
}

template <int CI, int CO>
static gf_status gf_shuffle_launch(struct gf_pass_args a, cudaStream_t stream, gf_error *error)
{
    const struct gf_insn *insn = gf_pass_only(&a);
    const uint32_t alpha = insn->code == GF_INSN_ADD_ALPHA ? gf_quantise_u8(insn->k[0]) * 0x01010101U : 0;
    if (a.in.pitch == a.width * CI && a.out.pitch == a.width * CO) {
        a.width = a.width * a.height; /* one long row */
        a.height = 1;
    }
    gf_launch launch = gf_launch_on(
        stream,
        dim3(gf_blocks(a.width, int64_t(GF_SHUFFLE_THREADS) * GF_SHUFFLE_PIXELS),
             gf_blocks(a.height < GF_SHUFFLE_MOST_BLOCKS ? a.height : int64_t(GF_SHUFFLE_MOST_BLOCKS), 1)),
        GF_SHUFFLE_THREADS);
    GF_CUDA_TRY(error, GF_LAUNCH((gf_point_shuffle<CI, CO>), launch, a, alpha));
    return GF_OK;
}

gf_status gf_point_shuffle_launch(const struct gf_pass_args *args, cudaStream_t stream, gf_error *error)
{
    switch (10 * args->in.channels + args->out.channels) {
    case 13:
        return gf_shuffle_launch<1, 3>(*args, stream, error);
    case 24:
        return gf_shuffle_launch<2, 4>(*args, stream, error);
    case 12:
        return gf_shuffle_launch<1, 2>(*args, stream, error);
    case 34:
        return gf_shuffle_launch<3, 4>(*args, stream, error);
    case 21:
        return gf_shuffle_launch<2, 1>(*args, stream, error);
    default:
        return gf_shuffle_launch<4, 3>(*args, stream, error);
    }
}
