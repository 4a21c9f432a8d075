/* A pass that is a MATRIX and nothing else but rounding, as most that mix colours are: coefficients stay in
 * registers, and a thread has two units of four pixels in flight. */
#include "pixel/cuda/chunk_cuda.cuh"
#include "pixel/cuda/point_matrix_cuda.h"
#include "pixel/cuda/unit_cuda.cuh"

enum { GF_MATRIX_THREADS = 256, GF_MATRIX_TOGETHER = 2, GF_MATRIX_BLOCKS = 4096 };
enum { GF_RGB_LANE = 48 }; /* bytes of 16 pixels of RGB */

struct gf_matrix_params {
    struct gf_block_view block;
    int32_t rows;
};

/* CI channels in, at most four out. */
template <int CI>
GF_DEVICE_FN void gf_matrix_unit(const float (&k)[4][CI + 1], int32_t rows, const float (&v)[4][GF_UNIT],
                                 float (&made)[4][GF_UNIT])
{
#pragma unroll
    for (int r = 0; r < 4; r++) {
        if (r < rows) {
#pragma unroll
            for (int i = 0; i < GF_UNIT; i++) {
                made[r][i] = k[r][CI];
            }
#pragma unroll
            for (int c = 0; c < CI; c++) {
#pragma unroll
                for (int i = 0; i < GF_UNIT; i++) {
                    made[r][i] = gf_fma(k[r][c], v[c][i], made[r][i]);
                }
            }
        }
    }
}

GF_DEVICE_FN void gf_matrix_store(const struct gf_pass_args &a, const struct gf_place &at,
                                  const float (&v)[4][GF_UNIT])
{
    unsigned char *to =
        a.out.data + at.y * a.out.pitch + at.x * a.out.channels * gf_sample_bytes(a.out.depth);
    if (at.x + GF_UNIT > a.width) {
        gf_pixels_store<4, GF_UNIT>(a.out, a.width - GF_FAULT(cuda_matrix_tail), at, v);
    } else {
        gf_unit_store_any(a.out, to, v);
    }
}

/* The vectors of a warp's piece that this lane brings and takes: bytes from gf_rgb_place(i) on. */
GF_DEVICE_FN int32_t gf_rgb_place(int i)
{
    return 16 * (i * GF_WARP + static_cast<int32_t>(gf_lane()));
}

/* Returns how many of 16 bytes from `at` on are the row's, which has `left` left. */
GF_DEVICE_FN int32_t gf_rgb_bytes(int64_t left, int32_t at)
{
    return left - at < 16 ? static_cast<int32_t>(left - at) : 16;
}

GF_DEVICE_FN void gf_rgb_load(const unsigned char *from, int64_t left, unsigned char *piece)
{
    uint32_t w[GF_RGB_LANE / 16][4];
#pragma unroll
    for (int i = 0; i < GF_RGB_LANE / 16; i++) {
        const int32_t at = gf_rgb_place(i);
        gf_chunk_load(from + at, true, gf_rgb_bytes(left, at), w[i]);
    }
#pragma unroll
    for (int i = 0; i < GF_RGB_LANE / 16; i++) {
        gf_store16(piece + (gf_rgb_place(i) ^ 16 * GF_FAULT(cuda_matrix_stage)),
                   make_uint4(w[i][0], w[i][1], w[i][2], w[i][3]));
    }
}

GF_DEVICE_FN void gf_rgb_store(unsigned char *to, int64_t left, const unsigned char *piece)
{
#pragma unroll
    for (int i = 0; i < GF_RGB_LANE / 16; i++) {
        const int32_t at = gf_rgb_place(i);
        uint32_t w[4];
        gf_words_take(piece + at, w);
        gf_chunk_store(to + at, true, gf_rgb_bytes(left, at), w);
    }
}

/* The lane's own 16 pixels, four at a time. */
GF_DEVICE_FN void gf_rgb_mix(const float (&k)[4][4], unsigned char *own)
{
    uint32_t w[GF_RGB_LANE / 4];
    gf_words_take(own, w);
#pragma unroll
    for (int i = 0; i < GF_RGB_LANE / 4; i += 3) {
        float v[4][GF_UNIT], made[4][GF_UNIT], flat[12];
#pragma unroll
        for (uint32_t b = 0; b < 12; b++) {
            v[b % 3][b / 3] = gf_byte_float(w[i + b / 4], b % 4);
        }
        gf_matrix_unit<3>(k, 3, v, made);
#pragma unroll
        for (int b = 0; b < 12; b++) {
            flat[b] = made[b % 3][b / 3];
        }
#pragma unroll
        for (int b = 0; b < 3; b++) {
            w[i + b] = gf_u8_word(flat + 4 * b);
        }
    }
    gf_words_put(own, w, GF_CACHED);
}

template <int CI>
static __global__ void __launch_bounds__(GF_MATRIX_THREADS)
    gf_point_matrix(const struct gf_pass_args a, const struct gf_matrix_params p)
{
    const int64_t row = GF_MATRIX_THREADS * GF_UNIT, span = row * GF_MATRIX_TOGETHER;
    const int64_t pieces = (a.width + span - 1) / span;
    float k[4][CI + 1];
#pragma unroll
    for (int r = 0; r < 4; r++) {
#pragma unroll
        for (int c = 0; c <= CI; c++) {
            k[r][c] = r < p.rows ? gf_block_element(&p.block, r, c) : 0.0F;
        }
    }
    for (int64_t i = blockIdx.x; i < pieces * a.height; i += gridDim.x) {
        const int64_t y = i / pieces;
        struct gf_place at = {(i - y * pieces) * span + threadIdx.x * GF_UNIT, 1, y};
        float v[GF_MATRIX_TOGETHER][4][GF_UNIT] = {};
#pragma unroll
        for (int n = 0; n < GF_MATRIX_TOGETHER; n++) {
            const struct gf_place here = {at.x + n * row, 1, y};
            if (here.x + GF_UNIT <= a.width) {
                gf_unit_unpack_any<CI>(
                    a.in.depth, a.in.data + y * a.in.pitch + here.x * CI * gf_sample_bytes(a.in.depth), v[n]);
            } else {
                gf_pixels_load<4, GF_UNIT>(a.in, a.width, here, v[n]);
            }
        }
#pragma unroll
        for (int n = 0; n < GF_MATRIX_TOGETHER; n++, at.x += row) {
            float made[4][GF_UNIT] = {};
            gf_matrix_unit<CI>(k, p.rows, v[n], made);
            gf_matrix_store(a, at, made);
        }
    }
}

/* RGB of bytes to RGB of bytes: 16 pixels a lane. Accesses of memory lie side by side, three vectors a lane
 * of the warp's piece of a row, and pass through shared memory to and from the lane that has their pixels. */
static __global__ void __launch_bounds__(GF_MATRIX_THREADS)
    gf_point_matrix_rgb(const struct gf_pass_args a, const struct gf_matrix_params p)
{
    GF_SHARED(unsigned char, stage, GF_MATRIX_THREADS *GF_RGB_LANE);
    const int64_t row = a.width * 3, warps = GF_MATRIX_THREADS / GF_WARP;
    unsigned char *piece = stage + gf_warp() * GF_WARP * GF_RGB_LANE;
    unsigned char *own = piece + gf_lane() * GF_RGB_LANE;
    float k[4][4];
#pragma unroll
    for (int r = 0; r < 4; r++) {
#pragma unroll
        for (int c = 0; c < 4; c++) {
            k[r][c] = r < 3 ? gf_block_element(&p.block, r, c) : 0.0F;
        }
    }
    for (int64_t y = blockIdx.y; y < a.height; y += gridDim.y) {
        for (int64_t at = (int64_t(blockIdx.x) * warps + gf_warp()) * GF_WARP * GF_RGB_LANE; at < row;
             at += int64_t(gridDim.x) * warps * GF_WARP * GF_RGB_LANE) {
            gf_rgb_load(a.in.data + y * a.in.pitch + at, row - at, piece);
            gf_syncwarp();
            gf_rgb_mix(k, own);
            gf_syncwarp();
            gf_rgb_store(a.out.data + y * a.out.pitch + at, row - at, piece);
            gf_syncwarp();
        }
    }
}

bool gf_point_matrix_takes(const struct gf_pass_args *args)
{
    const struct gf_insn *insn = gf_pass_only(args);
    return insn && insn->code == GF_INSN_MATRIX && insn->arg <= 4 && args->in.channels > 1 &&
           gf_is_in_units(&args->in) && gf_is_in_units(&args->out);
}

static bool gf_is_rgb_bytes(const struct gf_surface *s)
{
    return s->channels == 3 && s->depth == GF_U8 && gf_is_aligned(s, 16);
}

static cudaError_t gf_rgb_launch(struct gf_pass_args a, const struct gf_matrix_params &p, cudaStream_t stream)
{
    const int64_t block = int64_t(GF_MATRIX_THREADS) * GF_RGB_LANE;
    if (a.in.pitch == a.width * 3 && a.out.pitch == a.in.pitch) {
        a.width = a.width * a.height; /* one long row */
        a.height = 1;
    }
    gf_launch launch =
        gf_launch_on(stream,
                     dim3(gf_blocks(a.width * 3, block),
                          gf_blocks(a.height < GF_MATRIX_BLOCKS ? a.height : int64_t(GF_MATRIX_BLOCKS), 1)),
                     GF_MATRIX_THREADS);
    return GF_LAUNCH(gf_point_matrix_rgb, launch, a, p);
}

gf_status gf_point_matrix_launch(const struct gf_pass_args *args, cudaStream_t stream, gf_error *error)
{
    const struct gf_insn *insn = gf_pass_only(args);
    const struct gf_matrix_params p = {args->blocks[insn->block], insn->arg};
    const int64_t span = int64_t(GF_MATRIX_THREADS) * GF_UNIT * GF_MATRIX_TOGETHER;
    const int64_t pieces = (args->width + span - 1) / span * args->height;
    if (gf_is_rgb_bytes(&args->in) && gf_is_rgb_bytes(&args->out) && p.rows == 3) {
        GF_CUDA_TRY(error, gf_rgb_launch(*args, p, stream));
        return GF_OK;
    }
    gf_launch launch =
        gf_launch_on(stream, gf_blocks(pieces < GF_MATRIX_BLOCKS ? pieces : int64_t(GF_MATRIX_BLOCKS), 1),
                     GF_MATRIX_THREADS);
    switch (args->in.channels) {
    case 2:
        GF_CUDA_TRY(error, GF_LAUNCH(gf_point_matrix<2>, launch, *args, p));
        return GF_OK;
    case 3:
        GF_CUDA_TRY(error, GF_LAUNCH(gf_point_matrix<3>, launch, *args, p));
        return GF_OK;
    default:
        GF_CUDA_TRY(error, GF_LAUNCH(gf_point_matrix<4>, launch, *args, p));
        return GF_OK;
    }
}
