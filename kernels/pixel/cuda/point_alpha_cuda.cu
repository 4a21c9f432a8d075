/* A pass that is PREMULTIPLY or UNPREMULTIPLY of four channels and nothing else but rounding, as there is one
 * on each side of a window over RGBA. A lane has whole pixels, a block's width apart: those of f32 take 16
 * bytes, so a warp touches memory side by side, which units of four neighbours do not. */
#include "pixel/cuda/point_alpha_cuda.h"

#include "pixel/cuda/chunk_cuda.cuh"
#include "pixel/cuda/store_cuda.cuh"
#include "pixel/ir/program.h"

enum { GF_ALPHA_THREADS = 256, GF_ALPHA_TOGETHER = 4, GF_ALPHA_MOST_BLOCKS = 32768 };

GF_DEVICE_FN void gf_rgba_load(const unsigned char *from, gf_depth depth, float (&v)[4])
{
    if (depth == GF_F32) {
        const uint4 bits = gf_load16(from, GF_STREAM);
        memcpy(v, &bits, sizeof bits);
    } else if (depth == GF_U16) {
        const uint2 pairs = gf_load8(from, GF_STREAM);
        v[0] = static_cast<float>(pairs.x & 0xffffU);
        v[1] = static_cast<float>(pairs.x >> 16);
        v[2] = static_cast<float>(pairs.y & 0xffffU);
        v[3] = static_cast<float>(pairs.y >> 16);
    } else {
        const uint32_t word = gf_load4(from, GF_STREAM);
#pragma unroll
        for (uint32_t c = 0; c < 4; c++) {
            v[c] = gf_byte_float(word, c);
        }
    }
}

static __global__ void __launch_bounds__(GF_ALPHA_THREADS)
    gf_point_alpha(const struct gf_pass_args a, const struct gf_insn insn)
{
    const int64_t size_in = 4 * gf_sample_bytes(a.in.depth), size_out = 4 * gf_sample_bytes(a.out.depth);
    const int64_t first = int64_t(blockIdx.x) * GF_ALPHA_THREADS * GF_ALPHA_TOGETHER + threadIdx.x;
    for (int64_t y = blockIdx.y; y < a.height; y += gridDim.y) {
        const unsigned char *from = a.in.data + y * a.in.pitch;
        unsigned char *to = a.out.data + y * a.out.pitch;
        float v[GF_ALPHA_TOGETHER][4] = {};
#pragma unroll
        for (int k = 0; k < GF_ALPHA_TOGETHER; k++) {
            const int64_t x = first + k * GF_ALPHA_THREADS;
            if (x < a.width) {
                gf_rgba_load(from + x * size_in, a.in.depth, v[k]);
            }
        }
#pragma unroll
        for (int k = 0; k < GF_ALPHA_TOGETHER; k++) {
            const int64_t x = first + k * GF_ALPHA_THREADS;
#pragma unroll
            for (int c = 0; c < 3; c++) {
                v[k][c] = insn.code == GF_INSN_PREMULTIPLY ? gf_premultiply(&insn, v[k][c], v[k][3])
                                                           : gf_unpremultiply(&insn, v[k][c], v[k][3]);
            }
            if (x < a.width - GF_FAULT(cuda_alpha_tail)) {
                gf_four_store(to + x * size_out, a.out.depth, v[k]);
            }
        }
    }
}

static bool gf_is_in_pixels(const struct gf_surface *s)
{
    return s->channels == 4 && (s->depth == GF_U8 || s->depth == GF_U16 || s->depth == GF_F32) &&
           gf_is_aligned(s, 4 * gf_sample_bytes(s->depth));
}

bool gf_point_alpha_takes(const struct gf_pass_args *args)
{
    const struct gf_insn *insn = gf_pass_only(args);
    return insn && (insn->code == GF_INSN_PREMULTIPLY || insn->code == GF_INSN_UNPREMULTIPLY) &&
           gf_is_in_pixels(&args->in) && gf_is_in_pixels(&args->out);
}

gf_status gf_point_alpha_launch(const struct gf_pass_args *args, cudaStream_t stream, gf_error *error)
{
    struct gf_pass_args a = *args;
    if (a.in.pitch == a.width * 4 * gf_sample_bytes(a.in.depth) &&
        a.out.pitch == a.width * 4 * gf_sample_bytes(a.out.depth)) {
        a.width = a.width * a.height; /* one long row */
        a.height = 1;
    }
    gf_launch launch = gf_launch_on(
        stream,
        dim3(gf_blocks(a.width, GF_ALPHA_THREADS * GF_ALPHA_TOGETHER),
             gf_blocks(a.height < GF_ALPHA_MOST_BLOCKS ? a.height : int64_t(GF_ALPHA_MOST_BLOCKS), 1)),
        GF_ALPHA_THREADS);
    GF_CUDA_TRY(error, GF_LAUNCH(gf_point_alpha, launch, a, *gf_pass_only(args)));
    return GF_OK;
}
