/* The first point on CUDA. Rows of one channel that lie one behind the other are an array, and searched as
 * one (search_cuda.cu); of all else each pixel is asked, tiles in their order, and a block stops once its
 * next tile lies behind the lowest point known. Then one thread writes the row. */
#include "array/common/grid_cuda.cuh"
#include "array/search/search_call.h"
#include "base/device_scope_cuda.h"
#include "base/gf_atomic.h"
#include "base/planted_fault.h"
#include "pixel/cuda/dispatch_pixel_cuda.cuh"
#include "pixel/whole/points/points_cuda.cuh"

enum { FIRST_THREADS = 256, FIRST_BLOCKS = 4, STEPS = 8 };

template <class T>
static __global__ void __launch_bounds__(FIRST_THREADS)
    gf_points_hunt(const gf_points_keep<T> keep, int64_t n, uint64_t *found)
{
    const int64_t tile = int64_t(FIRST_THREADS) * STEPS;
    const uint64_t none = ~uint64_t(0);
    for (int64_t base = blockIdx.x * tile; base < n; base += gridDim.x * tile) {
        if (gf_all(gf_load_relaxed(found) <= static_cast<uint64_t>(base))) {
            break;
        }
        uint64_t lowest = none;
        GF_UNROLL
        for (int k = STEPS - 1; k >= 0; k--) {
            const int64_t i = base + k * FIRST_THREADS + threadIdx.x;
            lowest = i < n && keep(i) ? static_cast<uint64_t>(i) : lowest;
        }
        if (gf_any(lowest != none)) {
            lowest = gf_reduce_min(lowest);
            if (gf_lane() == 0 && GF_FAULT(cuda_find_any)) {
                gf_store_relaxed(found, lowest);
            } else if (gf_lane() == 0) {
                gf_atomic_min(found, lowest);
            }
        }
    }
}

template <class T>
static __global__ void gf_points_write(const gf_points_keep<T> keep, const uint64_t *found, uint64_t *counts,
                                       uint32_t *places, float *values)
{
    const uint64_t at = *found, is = at != ~uint64_t(0);
    counts[0] = is;
    counts[1] = is;
    if (is) {
        keep.write(static_cast<int64_t>(at), 0, places, values);
    }
}

/* The rows of the rectangle as one array. */
static struct gf_search_call gf_points_search(const struct gf_apply_run *run,
                                              const struct gf_points_args *args)
{
    struct gf_search_call call = {};
    call.array.queue = run->queue;
    call.array.options.type = run->in_values[0].depth;
    call.array.in = static_cast<const char *>(run->in[0].data) + args->roi.y * run->in[0].pitch;
    call.array.n = args->roi.w * args->roi.h;
    call.mode = GF_SEARCH_FIRST;
    call.test = gf_points_test(args, 0, run->in_values[0].depth);
    call.found = static_cast<int64_t *>(run->scratch);
    return call;
}

template <class T>
static gf_status gf_points_first(const struct gf_apply_run *run, const struct gf_points_args *args,
                                 gf_error *error)
{
    const struct gf_value *in = &run->in_values[0];
    const cudaStream_t stream = static_cast<cudaStream_t>(run->queue.stream);
    const gf_points_keep<T> keep(run, *args);
    uint64_t *const found = static_cast<uint64_t *>(run->scratch);
    const int64_t row = in->width * static_cast<int64_t>(sizeof(T)), n = args->roi.w * args->roi.h;
    if (in->channels == 1 && args->mask == 1 && args->roi.w == in->width && run->in[0].pitch == row) {
        const struct gf_search_call call = gf_points_search(run, args);
        GF_TRY(gf_search_cuda(&call.array, error));
    } else {
        int processors = 0;
        GF_TRY(gf_multiprocessors(&processors, error));
        const int64_t tiles = gf_blocks(n, int64_t(FIRST_THREADS) * STEPS),
                      grid = int64_t(processors) * FIRST_BLOCKS;
        gf_launch launch =
            gf_launch_on(stream, static_cast<unsigned>(tiles < grid ? tiles : grid), FIRST_THREADS);
        GF_CUDA_TRY(error, cudaMemsetAsync(found, 0xff, sizeof *found, stream));
        GF_CUDA_TRY(error, GF_LAUNCH((gf_points_hunt<T>), launch, keep, n, found));
    }
    struct gf_launch one = {};
    one.stream = stream;
    GF_CUDA_TRY(error,
                GF_LAUNCH((gf_points_write<T>), one, keep, found, static_cast<uint64_t *>(run->out[0].data),
                          static_cast<uint32_t *>(run->out[1].data), static_cast<float *>(run->out[2].data)));
    return GF_OK;
}

gf_status gf_points_first_cuda(const struct gf_apply_run *run, const struct gf_points_args *args,
                               gf_error *error)
{
    return gf_dispatch_sample(run->in_values[0].depth, error, [&](auto tag) {
        return gf_points_first<typename decltype(tag)::type>(run, args, error);
    });
}
