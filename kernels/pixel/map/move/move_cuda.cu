/* "move" on the GPU, and pixel by pixel: at any address, with any border. Along rows a thread keeps its
 * column and walks down; where axes are swapped, tiles pass through shared memory, so that loads and stores
 * both run along rows. The quick ways are in move_rows_cuda.cu, move_turn_cuda.cu
 * and move_swap_cuda.cu. */
#include "array/common/grid_cuda.cuh"
#include "base/device_scope_cuda.h"
#include "pixel/cuda/move_cuda.h"

enum { GF_MOVE_TILE = 32, GF_MOVE_ROWS = 8, GF_MOVE_COLUMNS = 128 };

/* A pixel of n samples, aligned as a sample is. */
template <class T, int n> struct gf_pixel {
    T v[n];
};

/* The pixel of the input at (x, y), which may lie outside; both already stand for others (-1: fill). */
template <class P> GF_DEVICE_FN P gf_move_load(const struct gf_move_params &m, int64_t x, int64_t y)
{
    P pixel;
    if (x < 0 || y < 0) {
        memcpy(&pixel, m.args.fill, sizeof pixel);
        return pixel;
    }
    return reinterpret_cast<const P *>(m.in + (y - m.in_first) * m.in_pitch)[x];
}

template <class P>
GF_DEVICE_FN void gf_move_store(const struct gf_move_params &m, int64_t x, int64_t y, P pixel)
{
    reinterpret_cast<P *>(m.out + (y - m.first) * m.out_pitch)[x] = pixel;
}

template <class T, int n>
static __global__ void __launch_bounds__(GF_MOVE_COLUMNS) gf_move_rows_kernel(const struct gf_move_params m)
{
    typedef struct gf_pixel<T, n> pixel;
    const int64_t x = int64_t(blockIdx.x) * GF_MOVE_COLUMNS + threadIdx.x;
    const int64_t end = m.first + m.count;
    if (x >= m.width) {
        return;
    }
    const int64_t from = gf_move_x(m, x);
    for (int64_t y = m.first + int64_t(blockIdx.y) * GF_MOVE_ROWS; y < end;
         y += int64_t(gridDim.y) * GF_MOVE_ROWS) {
        pixel row[GF_MOVE_ROWS];
        GF_UNROLL
        for (int i = 0; i < GF_MOVE_ROWS; i++) {
            if (y + i < end) {
                row[i] = gf_move_load<pixel>(m, from, gf_move_y(m, y + i));
            }
        }
        GF_UNROLL
        for (int i = 0; i < GF_MOVE_ROWS; i++) {
            if (y + i < end) {
                gf_move_store(m, x, y + i, row[i]);
            }
        }
    }
}

/* The output's y runs along rows of the input. Rows of the tile are a pixel longer than it is wide, so that
 * its columns lie in different banks. */
template <class T, int n>
static __global__ void __launch_bounds__(GF_MOVE_TILE *GF_MOVE_ROWS)
    gf_move_swapped_kernel(const struct gf_move_params m)
{
    typedef struct gf_pixel<T, n> pixel;
    GF_SHARED(pixel, tile, GF_MOVE_TILE * (GF_MOVE_TILE + 1));
    const int64_t end = m.first + m.count;
    const int64_t x0 = int64_t(blockIdx.x) * GF_MOVE_TILE;
    const unsigned lane = threadIdx.x;
    for (int64_t y0 = m.first + int64_t(blockIdx.y) * GF_MOVE_TILE; y0 < end;
         y0 += int64_t(gridDim.y) * GF_MOVE_TILE) {
        for (unsigned i = threadIdx.y; i < GF_MOVE_TILE; i += GF_MOVE_ROWS) {
            if (x0 + i < m.width && y0 + lane < end) {
                tile[i * (GF_MOVE_TILE + 1) + lane] =
                    gf_move_load<pixel>(m, gf_move_x(m, y0 + lane), gf_move_y(m, x0 + i));
            }
        }
        __syncthreads();
        for (unsigned i = threadIdx.y; i < GF_MOVE_TILE; i += GF_MOVE_ROWS) {
            if (x0 + lane < m.width && y0 + i < end) {
                gf_move_store(m, x0 + lane, y0 + i,
                              tile[lane * (GF_MOVE_TILE + 1) + (i ^ GF_FAULT(cuda_move_tile))]);
            }
        }
        __syncthreads();
    }
}

template <class T, int n>
static cudaError_t gf_move_launch(const struct gf_move_params &m, cudaStream_t stream)
{
    struct gf_launch launch = {};
    launch.stream = stream;
    if (m.args.swapped) {
        launch.block = dim3(GF_MOVE_TILE, GF_MOVE_ROWS);
        launch.grid = dim3(gf_blocks(m.width, GF_MOVE_TILE), gf_move_blocks(m.count, GF_MOVE_TILE));
        return GF_LAUNCH((gf_move_swapped_kernel<T, n>), launch, m);
    }
    launch.block = dim3(GF_MOVE_COLUMNS);
    launch.grid = dim3(gf_blocks(m.width, GF_MOVE_COLUMNS), gf_move_blocks(m.count, GF_MOVE_ROWS));
    return GF_LAUNCH((gf_move_rows_kernel<T, n>), launch, m);
}

template <class T>
static cudaError_t gf_move_channels(const struct gf_move_params &m, int32_t channels, cudaStream_t stream)
{
    return channels == 1   ? gf_move_launch<T, 1>(m, stream)
           : channels == 2 ? gf_move_launch<T, 2>(m, stream)
           : channels == 3 ? gf_move_launch<T, 3>(m, stream)
                           : gf_move_launch<T, 4>(m, stream);
}

static cudaError_t gf_move_samples(const struct gf_move_params &m, size_t sample, int32_t channels,
                                   cudaStream_t stream)
{
    return sample == 1   ? gf_move_channels<uint8_t>(m, channels, stream)
           : sample == 2 ? gf_move_channels<uint16_t>(m, channels, stream)
           : sample == 4 ? gf_move_channels<uint32_t>(m, channels, stream)
                         : gf_move_channels<uint64_t>(m, channels, stream);
}

gf_status gf_move_cuda(const struct gf_apply_run *run, gf_error *error)
{
    const struct gf_value *in = &run->in_values[0];
    const cudaStream_t stream = static_cast<cudaStream_t>(run->queue.stream);
    struct gf_move_params m = {};
    GF_ON_DEVICE(run->queue.device, error)
    m.in = static_cast<const char *>(run->in[0].data);
    m.out = static_cast<char *>(run->out[0].data);
    m.in_pitch = run->in[0].pitch;
    m.out_pitch = run->out[0].pitch;
    m.in_first = run->in[0].rows.first;
    m.in_width = in->width;
    m.in_height = in->height;
    m.width = run->out_values[0].width;
    m.first = run->out[0].rows.first;
    m.count = run->out[0].rows.count;
    gf_args_get(&run->apply->args, &m.args, sizeof m.args);
    GF_TRY(gf_multiprocessors(&m.processors, error));
    const size_t sample = gf_depth_size(in->depth);
    const int64_t pixel = in->channels * static_cast<int64_t>(sample);
    GF_CUDA_TRY(error, gf_move_rows_takes(&m)    ? gf_move_rows_launch(&m, sample, in->channels, stream)
                       : !gf_move_swap_takes(&m) ? gf_move_samples(m, sample, in->channels, stream)
                       : pixel < 4               ? gf_move_turn_launch(&m, pixel, stream)
                                                 : gf_move_swap_launch(&m, pixel, stream));
    return GF_OK;
}
