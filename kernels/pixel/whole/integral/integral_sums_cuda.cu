/* What lies to the left of and above each cell of integral. It is little, so threads mostly wait for memory:
 * they load many values at once, and of integers, which may be added in any order, several share a sum. */
#include "base/cuda_status.h"
#include "pixel/whole/integral/integral_cuda.cuh"

enum {
    PARTS = 16,  /* threads that share a sum */
    AT_ONCE = 16 /* values that a thread loads before it adds */
};

/* values[i * apart], i from first on, become `sum` and the load(k) of those before; returns the sum of all.
 * Without STORE nothing is written. */
template <bool STORE, class S, class F>
GF_DEVICE_FN S gf_integral_add_up(S *values, int64_t first, int64_t end, int64_t apart, S sum, F &&load)
{
    for (; first < end; first += AT_ONCE) {
        S own[AT_ONCE];
        GF_UNROLL
        for (int k = 0; k < AT_ONCE; k++) {
            own[k] = first + k < end ? load(first + k) : S(0);
        }
        GF_UNROLL
        for (int k = 0; k < AT_ONCE; k++) {
            if (first + k < end) {
                if (STORE) {
                    values[(first + k) * apart] = sum;
                }
                sum = sum + own[k];
            }
        }
    }
    return sum;
}

/* Adds up all n of a sum, by the threads with this threadIdx.x. sums: shared memory of the block, an element
 * a thread. All threads call it. */
template <class S, class F>
GF_DEVICE_FN void gf_integral_share(S *values, int64_t n, int64_t apart, S *sums, F &&load)
{
    if constexpr (!std::is_integral<S>::value) {
        if (threadIdx.y == 0) { /* the order is fixed */
            gf_integral_add_up<true>(values, int64_t(0), n, apart, S(0), load);
        }
    } else {
        const int64_t each = (n + PARTS - 1) / PARTS, first = threadIdx.y * each;
        const int64_t end = first + each < n ? first + each : n;
        S before = 0;
        sums[threadIdx.y * GF_WARP + threadIdx.x] =
            gf_integral_add_up<false>(values, first, end, apart, S(0), load);
        __syncthreads();
        for (unsigned part = 0; part < threadIdx.y; part++) {
            before += sums[part * GF_WARP + threadIdx.x];
        }
        gf_integral_add_up<true>(values, first, end, apart, before, load);
    }
}

/* A row: what is left of each cell. */
template <class S>
static __global__ void __launch_bounds__(PARTS *GF_WARP) gf_integral_across(const struct gf_integral_params p)
{
    GF_SHARED(S, sums, PARTS * GF_WARP);
    const int64_t y = int64_t(blockIdx.x) * GF_WARP + threadIdx.x;
    S *const g = static_cast<S *>(p.g) + int64_t(blockIdx.z) * p.across * p.height + y;
    gf_integral_share(g, y < p.height ? p.across : 0, p.height, sums,
                      [&](int64_t i) { return GF_FAULT(cuda_integral_cell) ? S(0) : g[i * p.height]; });
}

/* A column: what is above each cell. */
template <class S>
static __global__ void __launch_bounds__(PARTS *GF_WARP) gf_integral_down(const struct gf_integral_params p)
{
    GF_SHARED(S, sums, PARTS * GF_WARP);
    const int64_t x = int64_t(blockIdx.x) * GF_WARP + threadIdx.x;
    S *const line = static_cast<S *>(p.above) + int64_t(blockIdx.z) * p.down * p.width + x;
    const S *const g =
        static_cast<const S *>(p.g) + (int64_t(blockIdx.z) * p.across + x / GF_CELL_W) * p.height;
    gf_integral_share(line, x < p.width ? p.down : 0, p.width, sums, [&](int64_t i) {
        const int64_t end = (i + 1) * GF_CELL_H;
        return g[(end < p.height ? end : p.height) - 1] + line[i * p.width];
    });
}

template <class S>
static gf_status gf_integral_sums_of(const struct gf_integral_params &p, cudaStream_t stream, gf_error *error)
{
    gf_launch across =
        gf_launch_on(stream, dim3(gf_blocks(p.height, GF_WARP), 1, static_cast<unsigned>(p.channels)),
                     dim3(GF_WARP, PARTS));
    struct gf_launch down = across;
    down.grid.x = gf_blocks(p.width, GF_WARP);
    GF_CUDA_TRY(error, GF_LAUNCH((gf_integral_across<S>), across, p));
    GF_CUDA_TRY(error, GF_LAUNCH((gf_integral_down<S>), down, p));
    return GF_OK;
}

gf_status gf_integral_sums_launch(const struct gf_integral_params &p, bool real, cudaStream_t stream,
                                  gf_error *error)
{
    return real ? gf_integral_sums_of<double>(p, stream, error)
                : gf_integral_sums_of<uint64_t>(p, stream, error);
}
