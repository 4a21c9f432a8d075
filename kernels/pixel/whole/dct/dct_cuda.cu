/* "dct" on the GPU. Blocks of 8 x 8 of one channel: a warp takes a row of 32 of them, each lane 8 samples in
 * registers; rows meet in shared memory, where each thread then takes a column. All others: a square of
 * threads a block, each with 4 x 4 sums. */
#include "base/device_scope_cuda.h"
#include "base/gf_num.h"
#include "base/planted_fault.h"
#include "pixel/whole/dct/dct.h"

enum {
    GF_DCT_SIDE = 8,
    GF_DCT_QUAD = 16, /* bytes of four floats */
    GF_DCT_THREADS = 256,
    GF_DCT_SUMS = 4,   /* a side of a thread's square of sums */
    GF_DCT_TILES = 64, /* of a CUDA block, at most */
    GF_DCT_PAD = 4,    /* floats behind a row in shared memory, so that rows begin in other banks */
    GF_DCT_MOST_ROWS = 32768
};

struct gf_dct_params {
    const char *in; /* row in_first of the input */
    char *out;      /* row `first` of the output; rows up to `end` are wanted */
    int64_t in_pitch, out_pitch, in_first, first, end, width, height;
    int64_t left, right; /* columns of blocks */
    int64_t top, bottom; /* rows of blocks */
    int32_t block, channels;
};

struct gf_dct_matrix {
    float m[GF_DCT_SIDE * GF_DCT_SIDE];
};

/* Four floats at once, at a multiple of 16 bytes. */
GF_DEVICE_FN void gf_dct_load(const void *from, float v[4])
{
    const uint4 bits = gf_load16(from);
    v[0] = gf_bits_float(bits.x);
    v[1] = gf_bits_float(bits.y);
    v[2] = gf_bits_float(bits.z);
    v[3] = gf_bits_float(bits.w);
}

GF_DEVICE_FN void gf_dct_keep(float *to, const float v[4])
{
    gf_store16(
        to, make_uint4(gf_float_bits(v[0]), gf_float_bits(v[1]), gf_float_bits(v[2]), gf_float_bits(v[3])));
}

/* ---- 8 x 8 ---- */

GF_DEVICE_FN void gf_dct_line(const struct gf_dct_matrix &matrix, const float v[GF_DCT_SIDE],
                              float out[GF_DCT_SIDE], int n)
{
    for (int k = 0; k < GF_DCT_SIDE; k++) {
        float sum = 0;
        for (int i = 0; i < n; i++) {
            sum = gf_fma(matrix.m[k * GF_DCT_SIDE + i], v[i], sum);
        }
        out[k] = sum;
    }
}

static __global__ void __launch_bounds__(GF_DCT_THREADS)
    gf_dct_eight(const struct gf_dct_params p, const struct gf_dct_matrix matrix)
{
    GF_SHARED(float, rows, GF_DCT_SIDE *GF_DCT_THREADS);
    const int lane = threadIdx.x % GF_WARP, warp = threadIdx.x / GF_WARP;
    const int64_t x = (int64_t(blockIdx.x) * GF_WARP) * GF_DCT_SIDE;
    const int64_t width = p.right * GF_DCT_SIDE;
    for (int64_t b = p.top + blockIdx.y; b < p.bottom; b += gridDim.y) {
        const int64_t y = b * GF_DCT_SIDE;
        float v[GF_DCT_SIDE], made[GF_DCT_SIDE];
        if (x + lane * GF_DCT_SIDE < width) {
            const char *from = p.in + (y + warp - p.in_first) * p.in_pitch +
                               (x + lane * GF_DCT_SIDE) * int64_t(sizeof(float));
            gf_dct_load(from, v);
            gf_dct_load(from + GF_DCT_QUAD, v + 4);
            gf_dct_line(matrix, v, made, GF_DCT_SIDE);
            float *to = rows + warp * GF_DCT_THREADS + lane * GF_DCT_SIDE;
            gf_dct_keep(to, made);
            gf_dct_keep(to + 4, made + 4);
        }
        __syncthreads();
        if (x + threadIdx.x < width) {
            for (int j = 0; j < GF_DCT_SIDE; j++) {
                v[j] = rows[j * GF_DCT_THREADS + threadIdx.x];
            }
            gf_dct_line(matrix, v, made, GF_DCT_SIDE - GF_FAULT(cuda_dct_eight));
            for (int j = 0; j < GF_DCT_SIDE; j++) {
                if (y + j >= p.first && y + j < p.end) {
                    char *row = p.out + (y + j - p.first) * p.out_pitch;
                    reinterpret_cast<float *>(row)[x + threadIdx.x] = gf_canonical(made[j]);
                }
            }
        }
        __syncthreads(); /* before the next row of blocks is laid down */
    }
}

/* ---- all others ---- */

/* The place where a thread works: its block of the picture, and its square of sums in that. */
struct gf_dct_place {
    int64_t x, y;
    int w, h, c; /* w 0: none */
    int column, row;
};

/* sum[a][b] = sum over i < n of left[i][a] right[i][b], rows of both so many floats apart. */
GF_DEVICE_FN void gf_dct_square(const float *left, int left_step, int left_row, const float *right,
                                int right_row, int n, float sum[GF_DCT_SUMS][GF_DCT_SUMS])
{
    for (int a = 0; a < GF_DCT_SUMS; a++) {
        for (int b = 0; b < GF_DCT_SUMS; b++) {
            sum[a][b] = 0;
        }
    }
    for (int i = 0; i < n; i++) {
        float r[GF_DCT_SUMS];
        gf_dct_load(right + i * right_row, r);
        for (int a = 0; a < GF_DCT_SUMS; a++) {
            const float v = left[i * left_step + a * left_row];
            for (int b = 0; b < GF_DCT_SUMS; b++) {
                sum[a][b] = gf_fma(v, r[b], sum[a][b]);
            }
        }
    }
}

GF_DEVICE_FN void gf_dct_store(const struct gf_dct_params &p, const struct gf_dct_place &at,
                               const float sum[GF_DCT_SUMS][GF_DCT_SUMS])
{
    for (int a = 0; a < GF_DCT_SUMS; a++) {
        const int64_t y = at.y + at.row + a;
        if (at.row + a >= at.h || y < p.first || y >= p.end) {
            continue;
        }
        float *row = reinterpret_cast<float *>(p.out + (y - p.first) * p.out_pitch);
        for (int b = 0; b < GF_DCT_SUMS; b++) {
            if (at.column + b < at.w) {
                row[(at.x + at.column + b) * p.channels + at.c] = gf_canonical(sum[a][b]);
            }
        }
    }
}

static __global__ void __launch_bounds__(GF_DCT_THREADS)
    gf_dct_blocks(const struct gf_dct_params p, const float *matrices, int tiles)
{
    GF_SHARED_DYN(float, shared);
    const int groups = (p.block + GF_DCT_SUMS - 1) / GF_DCT_SUMS, each = groups * groups;
    const int side = groups * GF_DCT_SUMS, line = side + GF_DCT_PAD, stride = (p.block + 7) / 8 * 8;
    const int tile = threadIdx.x / each, own = threadIdx.x % each;
    const int64_t number = int64_t(blockIdx.x) * tiles + tile;
    float *v = shared + 2 * tile * side * line, *t = v + side * line;
    struct gf_dct_place at;
    at.x = (p.left + number / p.channels) * p.block;
    at.c = static_cast<int>(number % p.channels);
    at.column = own % groups * GF_DCT_SUMS;
    at.row = own / groups * GF_DCT_SUMS;
    at.w = 0;
    if (tile < tiles && at.x < p.right * p.block) {
        at.w = p.width - at.x < p.block ? static_cast<int>(p.width - at.x) : p.block;
    }
    for (int64_t b = p.top + blockIdx.y; b < p.bottom; b += gridDim.y) {
        at.y = b * p.block;
        at.h = p.height - at.y < p.block ? static_cast<int>(p.height - at.y) : p.block;
        for (int i = own; at.w && i < side * side; i += each) {
            const int r = i / side, c = i % side;
            const char *row = p.in + (at.y + r - p.in_first) * p.in_pitch;
            v[r * line + c] = r < at.h && c < at.w
                                  ? reinterpret_cast<const float *>(row)[(at.x + c) * p.channels + at.c]
                                  : 0.0F;
        }
        __syncthreads();
        float sum[GF_DCT_SUMS][GF_DCT_SUMS];
        if (at.w) {
            const int which = GF_DCT_TURNED + (at.w < p.block ? GF_DCT_RIGHT : GF_DCT_FULL);
            gf_dct_square(v + at.row * line, 1, line, matrices + which * stride * stride + at.column, stride,
                          at.w, sum);
            for (int a = 0; a < GF_DCT_SUMS; a++) {
                gf_dct_keep(t + (at.row + a) * line + at.column, sum[a]);
            }
        }
        __syncthreads();
        if (at.w) {
            const int which = at.h < p.block && !GF_FAULT(cuda_dct_edge) ? GF_DCT_LOWER : GF_DCT_FULL;
            gf_dct_square(matrices + (GF_DCT_TURNED + which) * stride * stride + at.row, stride, 1,
                          t + at.column, line, at.h, sum);
            gf_dct_store(p, at, sum);
        }
    }
}

/* ---- launches ---- */

/* Blocks [left, right) x [top, bottom) of the picture. */
static cudaError_t gf_dct_launch(const struct gf_dct_params &whole, const float *matrices, int64_t left,
                                 int64_t right, int64_t top, int64_t bottom, cudaStream_t stream)
{
    struct gf_dct_params p = whole;
    const int groups = (p.block + GF_DCT_SUMS - 1) / GF_DCT_SUMS, side = groups * GF_DCT_SUMS;
    int tiles = GF_DCT_THREADS / (groups * groups);
    tiles = tiles < GF_DCT_TILES ? tiles : int(GF_DCT_TILES);
    p.left = left;
    p.right = right;
    p.top = top;
    p.bottom = bottom;
    gf_launch launch =
        gf_launch_on(stream, dim3(gf_blocks((right - left) * p.channels, tiles), gf_blocks(bottom - top, 1)),
                     GF_DCT_THREADS);
    launch.shared = sizeof(float) * 2 * size_t(tiles) * size_t(side) * size_t(side + GF_DCT_PAD);
    launch.grid.y = launch.grid.y < GF_DCT_MOST_ROWS ? launch.grid.y : unsigned(GF_DCT_MOST_ROWS);
    return GF_LAUNCH(gf_dct_blocks, launch, p, matrices, tiles);
}

static cudaError_t gf_dct_launch_eight(const struct gf_dct_params &whole, const float *matrix, int64_t right,
                                       int64_t top, int64_t bottom, cudaStream_t stream)
{
    struct gf_dct_params p = whole;
    struct gf_dct_matrix constant;
    memcpy(constant.m, matrix, sizeof constant.m);
    p.left = 0;
    p.right = right;
    p.top = top;
    p.bottom = bottom;
    gf_launch launch =
        gf_launch_on(stream, dim3(gf_blocks(right, GF_WARP), gf_blocks(bottom - top, 1)), GF_DCT_THREADS);
    launch.grid.y = launch.grid.y < GF_DCT_MOST_ROWS ? launch.grid.y : unsigned(GF_DCT_MOST_ROWS);
    return GF_LAUNCH(gf_dct_eight, launch, p, constant);
}

gf_status gf_dct_cuda(const struct gf_apply_run *run, gf_error *error)
{
    const struct gf_value *in = &run->in_values[0];
    const cudaStream_t stream = static_cast<cudaStream_t>(run->queue.stream);
    const float *matrices = static_cast<const float *>(run->in[1].data);
    struct gf_dct_args args;
    struct gf_dct_params p = {};
    GF_ON_DEVICE(run->queue.device, error)
    gf_args_get(&run->apply->args, &args, sizeof args);
    p.in = static_cast<const char *>(run->in[0].data);
    p.out = static_cast<char *>(run->out[0].data);
    p.in_pitch = run->in[0].pitch;
    p.out_pitch = run->out[0].pitch;
    p.in_first = run->in[0].rows.first;
    p.first = run->out[0].rows.first;
    p.end = p.first + run->out[0].rows.count;
    p.width = in->width;
    p.height = in->height;
    p.block = args.block;
    p.channels = in->channels;
    const int64_t top = p.first / p.block, bottom = (p.end + p.block - 1) / p.block;
    const int64_t across = (p.width + p.block - 1) / p.block, whole = p.width / p.block;
    const int64_t low = p.height / p.block < bottom ? p.height / p.block : bottom;
    const bool eight = p.block == GF_DCT_SIDE && p.channels == 1 && run->host_in[1] &&
                       p.in_pitch % GF_DCT_QUAD == 0 && reinterpret_cast<uintptr_t>(p.in) % GF_DCT_QUAD == 0;
    if (!eight) {
        GF_CUDA_TRY(error, gf_dct_launch(p, matrices, 0, across, top, bottom, stream));
        return GF_OK;
    }
    const float *matrix = static_cast<const float *>(run->host_in[1]) + GF_DCT_FULL;
    GF_CUDA_TRY(error, gf_dct_launch_eight(p, matrix, whole, top, low, stream));
    GF_CUDA_TRY(error, gf_dct_launch(p, matrices, whole, across, top, low, stream));
    GF_CUDA_TRY(error, gf_dct_launch(p, matrices, 0, across, low, bottom, stream));
    return GF_OK;
}
