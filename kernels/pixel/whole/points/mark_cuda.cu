/* mark on CUDA: the picture is copied, then a thread writes a place. Only the device knows how many there
 * are, so that the grid is as large as the device and goes round. */
#include "array/common/grid_cuda.cuh"
#include "base/device_scope_cuda.h"
#include "base/planted_fault.h"
#include "pixel/whole/points/mark.h"

enum { THREADS = 256, BLOCKS = 8, ROWS = 8, COLUMNS = 128 };

struct gf_mark_params {
    const char *in;
    char *out;
    int64_t in_pitch, out_pitch, bytes, height; /* bytes: of a row */
    const uint64_t *counts;
    const uint32_t *places;
    int32_t channels;
    struct gf_mark_args args;
};

/* W: what rows are copied by. */
template <class W>
static __global__ void __launch_bounds__(COLUMNS) gf_mark_copy(const struct gf_mark_params p)
{
    const int64_t i = int64_t(blockIdx.x) * COLUMNS + threadIdx.x;
    if (i >= p.bytes / static_cast<int64_t>(sizeof(W))) {
        return;
    }
    for (int64_t y = blockIdx.y; y < p.height; y += gridDim.y) {
        reinterpret_cast<W *>(p.out + y * p.out_pitch)[i] =
            reinterpret_cast<const W *>(p.in + y * p.in_pitch)[i];
    }
}

template <class T>
static __global__ void __launch_bounds__(THREADS) gf_mark_draw(const struct gf_mark_params p)
{
    const uint64_t n = p.counts[0] - (GF_FAULT(cuda_mark_last) && p.counts[0] > 0);
    for (uint64_t k = uint64_t(blockIdx.x) * THREADS + threadIdx.x; k < n;
         k += uint64_t(gridDim.x) * THREADS) {
        T *pixel = reinterpret_cast<T *>(p.out + p.places[2 * k + 1] * p.out_pitch) +
                   int64_t(p.places[2 * k]) * p.channels;
        GF_UNROLL
        for (int32_t c = 0; c < GF_PICTURE_CHANNELS;
             c++) { /* alpha is not in the mask, nor what is not there */
            if (p.args.mask >> c & 1) {
                pixel[c] = static_cast<T>(p.args.colour[c]);
            }
        }
    }
}

template <class W> static cudaError_t gf_mark_copy_by(const struct gf_mark_params &p, cudaStream_t stream)
{
    const int64_t rows = (p.height + ROWS - 1) / ROWS;
    gf_launch launch = gf_launch_on(stream,
                                    dim3(gf_blocks(p.bytes / static_cast<int64_t>(sizeof(W)), COLUMNS),
                                         static_cast<unsigned>(rows < 32768 ? rows : 32768)),
                                    COLUMNS);
    return GF_LAUNCH((gf_mark_copy<W>), launch, p);
}

gf_status gf_mark_cuda(const struct gf_apply_run *run, gf_error *error)
{
    GF_ON_DEVICE(run->queue.device, error)
    const struct gf_value *in = &run->in_values[0];
    gf_mark_params p = {};
    int processors = 0;
    p.in = static_cast<const char *>(run->in[0].data);
    p.out = static_cast<char *>(run->out[0].data);
    p.in_pitch = run->in[0].pitch;
    p.out_pitch = run->out[0].pitch;
    p.bytes = in->width * in->channels * static_cast<int64_t>(gf_depth_size(in->depth));
    p.height = in->height;
    p.counts = static_cast<const uint64_t *>(run->in[1].data);
    p.places = static_cast<const uint32_t *>(run->in[2].data);
    p.channels = in->channels;
    gf_args_get(&run->apply->args, &p.args, sizeof p.args);
    GF_TRY(gf_multiprocessors(&processors, error));

    gf_launch draw = gf_launch_on(run->queue.stream, static_cast<unsigned>(processors) * BLOCKS, THREADS);
    const uintptr_t any = reinterpret_cast<uintptr_t>(p.in) | reinterpret_cast<uintptr_t>(p.out) |
                          static_cast<uintptr_t>(p.in_pitch | p.out_pitch | p.bytes);
    GF_CUDA_TRY(error, any % sizeof(uint4) == 0 ? gf_mark_copy_by<uint4>(p, draw.stream)
                                                : gf_mark_copy_by<uint8_t>(p, draw.stream));
    GF_CUDA_TRY(error, in->depth == GF_U8    ? GF_LAUNCH((gf_mark_draw<uint8_t>), draw, p)
                       : in->depth == GF_U16 ? GF_LAUNCH((gf_mark_draw<uint16_t>), draw, p)
                                             : GF_LAUNCH((gf_mark_draw<float>), draw, p));
    return GF_OK;
}
