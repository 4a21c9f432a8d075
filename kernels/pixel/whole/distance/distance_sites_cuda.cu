/* distance on CUDA, down the columns: a word holds the sites of 64 pixels of a column, so that the picture is
 * read once. */
#include "base/planted_fault.h"
#include "pixel/whole/distance/distance_cuda.h"

enum { GF_DISTANCE_THREADS = 256 };

template <class T> GF_DEVICE_FN bool gf_distance_is_site(T v)
{
    const float f = static_cast<float>(v);
    return !(f < 0 || f > 0);
}

template <class T>
static __global__ void __launch_bounds__(GF_DISTANCE_THREADS)
    gf_distance_sites(const struct gf_distance_params p)
{
    const int64_t x = int64_t(blockIdx.x) * GF_DISTANCE_THREADS + threadIdx.x;
    if (x >= p.n) {
        return;
    }
    for (int64_t band = blockIdx.y; band < p.bands; band += gridDim.y) {
        const int64_t first = band * GF_DISTANCE_BAND, left = p.lines - first;
        const int rows = left < GF_DISTANCE_BAND ? static_cast<int>(left) : GF_DISTANCE_BAND;
        const char *at = p.in + first * p.in_pitch + x * p.channels * static_cast<int64_t>(sizeof(T));
        uint64_t bits = 0;
#ifndef GF_EMU
#pragma unroll 8
#endif
        for (int r = 0; r < rows; r++) {
            const bool is = gf_distance_is_site(*reinterpret_cast<const T *>(at + r * p.in_pitch));
            bits |= static_cast<uint64_t>(is) << r;
        }
        p.sites[band * p.n + x] = bits;
    }
}

/* The same of the transposed picture: a warp takes 64 pixels of a row, which are a word. */
template <class T>
static __global__ void __launch_bounds__(GF_DISTANCE_THREADS)
    gf_distance_sites_across(const struct gf_distance_params p)
{
    const int64_t warps = int64_t(gridDim.x) * (GF_DISTANCE_THREADS / GF_WARP);
    int64_t word = int64_t(blockIdx.x) * (GF_DISTANCE_THREADS / GF_WARP) + gf_warp();
    for (; word < p.bands * p.n; word += warps) {
        const int64_t y = word / p.bands, band = word - y * p.bands;
        const T *row = reinterpret_cast<const T *>(p.in + y * p.in_pitch);
        uint64_t bits = 0;
        for (int half = 0; half < 2; half++) {
            const int64_t x = band * GF_DISTANCE_BAND + half * GF_WARP + gf_lane();
            const bool is = x < p.lines && gf_distance_is_site(row[x * p.channels]);
            bits |= static_cast<uint64_t>(gf_ballot(is)) << (half * GF_WARP);
        }
        if (gf_lane() == 0) {
            p.sites[band * p.n + y] = bits;
        }
    }
}

static __global__ void __launch_bounds__(GF_DISTANCE_THREADS)
    gf_distance_carry(const struct gf_distance_params p)
{
    const int64_t x = int64_t(blockIdx.x) * GF_DISTANCE_THREADS + threadIdx.x;
    int32_t last = -1, next = -1;
    if (x >= p.n) {
        return;
    }
    for (int64_t band = 0; band < p.bands; band++) {
        const uint64_t bits = p.sites[band * p.n + x];
        const int32_t end = static_cast<int32_t>(band * GF_DISTANCE_BAND) + 63;
        p.before[band * p.n + x] = GF_FAULT(cuda_distance_seam) ? -1 : last;
        last = bits ? end - __clzll(static_cast<long long>(bits)) : last;
    }
    for (int64_t band = p.bands - 1; band >= 0; band--) {
        const uint64_t bits = p.sites[band * p.n + x];
        const int32_t first = static_cast<int32_t>(band * GF_DISTANCE_BAND) - 1;
        p.behind[band * p.n + x] = next;
        next = bits ? first + __ffsll(static_cast<long long>(bits)) : next;
    }
}

template <class T>
static cudaError_t gf_distance_launch_sites(const struct gf_distance_params &p, struct gf_launch launch)
{
    launch.block = dim3(GF_DISTANCE_THREADS);
    if (p.nearest) {
        const unsigned blocks = gf_blocks(p.bands * p.n, GF_DISTANCE_THREADS / GF_WARP);
        launch.grid = dim3(blocks < 65536 ? blocks : 65536);
        return GF_LAUNCH((gf_distance_sites_across<T>), launch, p);
    }
    launch.grid =
        dim3(gf_blocks(p.n, GF_DISTANCE_THREADS), static_cast<unsigned>(p.bands < 65535 ? p.bands : 65535));
    return GF_LAUNCH((gf_distance_sites<T>), launch, p);
}

cudaError_t gf_distance_find_sites(const struct gf_distance_params &p, gf_depth depth, cudaStream_t stream)
{
    struct gf_launch launch = {};
    launch.stream = stream;
    const cudaError_t status = depth == GF_U8    ? gf_distance_launch_sites<uint8_t>(p, launch)
                               : depth == GF_U16 ? gf_distance_launch_sites<uint16_t>(p, launch)
                                                 : gf_distance_launch_sites<float>(p, launch);
    launch.block = dim3(GF_DISTANCE_THREADS);
    launch.grid = dim3(gf_blocks(p.n, GF_DISTANCE_THREADS));
    return status == cudaSuccess ? GF_LAUNCH(gf_distance_carry, launch, p) : status;
}
