/* Histograms by CUB: cub::DeviceHistogram. Its 32-bit counters are widened afterwards; it does not count what
 * lies outside the bins. */
#include "array/histogram/histogram_call.h"
#include "vendor/vendor_cuda.cuh"

#include <cub/device/device_histogram.cuh>

static const uint32_t types = GF_TYPE_BIT(GF_U8) | GF_TYPE_BIT(GF_U16) | GF_TYPE_BIT(GF_U32) |
                              GF_TYPE_BIT(GF_S32) | GF_TYPE_BIT(GF_F32) | GF_TYPE_BIT(GF_F64);

/* The type of the borders: CUB computes in the wider of it and the element's. */
template <class T> struct level_of {
    using type = std::conditional_t<std::is_floating_point_v<T>, T,
                                    std::conditional_t<sizeof(T) < 4, int32_t, int64_t>>;
};

struct widen_params {
    const uint32_t *from;
    uint64_t *to;
    uint32_t bins, row, total;
};

static __global__ void widen(const struct widen_params p)
{
    const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.total) {
        const uint32_t slot = i % p.row;
        p.to[i] = slot < p.bins ? p.from[i / p.row * p.bins + slot] : 0;
    }
}

/* CUB's own storage follows the counters and the borders. */
template <class T, int CHANNELS>
static gf_status count(const struct gf_histogram_call *c, uint32_t *counters, const double *edges,
                       void *storage, size_t *bytes, gf_error *error)
{
    using L = typename level_of<T>::type;
    const int32_t bins = static_cast<int32_t>(c->bins.count), levels = bins + 1;
    const int64_t pixels = c->array.n / CHANNELS;
    const T *in = static_cast<const T *>(c->array.in);
    const L lo = static_cast<L>(c->bins.lo), hi = static_cast<L>(c->bins.hi);
    cudaStream_t stream = gf_vendor_stream(&c->array);
    if constexpr (CHANNELS == 1) {
        if (c->bins.edges) {
            GF_CUB_TRY(error, cub::DeviceHistogram::HistogramRange, storage, bytes, in, counters, levels,
                       edges, pixels, stream);
        } else {
            GF_CUB_TRY(error, cub::DeviceHistogram::HistogramEven, storage, bytes, in, counters, levels, lo,
                       hi, pixels, stream);
        }
    } else {
        cuda::std::array<uint32_t *, CHANNELS> each;
        cuda::std::array<int, CHANNELS> borders;
        cuda::std::array<L, CHANNELS> least, beyond;
        cuda::std::array<const double *, CHANNELS> border;
        for (int k = 0; k < CHANNELS; k++) {
            each[k] = counters + static_cast<size_t>(k) * bins;
            borders[k] = levels;
            least[k] = lo;
            beyond[k] = hi;
            border[k] = edges;
        }
        if (c->bins.edges) {
            GF_CUDA_TRY(error, cub::DeviceHistogram::MultiHistogramRange<CHANNELS, CHANNELS>(
                                   storage, *bytes, in, each, borders, border, pixels, stream));
        } else {
            GF_CUDA_TRY(error, cub::DeviceHistogram::MultiHistogramEven<CHANNELS, CHANNELS>(
                                   storage, *bytes, in, each, borders, least, beyond, pixels, stream));
        }
    }
    return GF_OK;
}

template <class T>
static gf_status count_type(const struct gf_histogram_call *c, uint32_t *counters, const double *edges,
                            void *storage, size_t *bytes, gf_error *error)
{
    return c->channels == 1 ? count<T, 1>(c, counters, edges, storage, bytes, error)
                            : count<T, 3>(c, counters, edges, storage, bytes, error);
}

static gf_status histogram(const struct gf_array_call *call, void *storage, size_t *bytes, gf_error *error)
{
    const struct gf_histogram_call *c = gf_histogram_call_of(call);
    const size_t bins = static_cast<size_t>(c->bins.count), all = bins * static_cast<size_t>(c->channels);
    size_t front = 0;
    uint32_t *counters = static_cast<uint32_t *>(gf_scratch_take(storage, &front, all * sizeof *counters));
    double *edges = static_cast<double *>(
        gf_scratch_take(storage, &front, c->bins.edges ? (bins + 1) * sizeof *edges : 0));
    void *rest = gf_scratch_take(storage, &front, 0);
    size_t left = *bytes - front;
    cudaStream_t stream = gf_vendor_stream(call);
    if (storage && c->bins.edges) {
        GF_CUDA_TRY(error, cudaMemcpyAsync(edges, c->bins.edges, (bins + 1) * sizeof *edges,
                                           cudaMemcpyHostToDevice, stream));
    }
    GF_TRY(gf_dispatch_type<types>(call->options.type, error, [&](auto tag) {
        return count_type<typename decltype(tag)::type>(c, counters, edges, rest, &left, error);
    }));
    if (storage) {
        widen_params p = {};
        p.from = counters;
        p.to = static_cast<uint64_t *>(call->out);
        p.bins = static_cast<uint32_t>(bins);
        p.row = p.bins + GF_HISTOGRAM_EXTRA;
        p.total = p.row * static_cast<uint32_t>(c->channels);
        gf_launch launch = gf_launch_on(stream, gf_blocks(p.total, 256), 256);
        GF_CUDA_TRY(error, GF_LAUNCH(widen, launch, p));
    }
    *bytes = left + front;
    return GF_OK;
}

static gf_status check(const struct gf_array_call *call, gf_error *error)
{
    const struct gf_histogram_call *c = gf_histogram_call_of(call);
    const bool whole = c->bins.lo == static_cast<double>(static_cast<int64_t>(c->bins.lo)) &&
                       c->bins.hi == static_cast<double>(static_cast<int64_t>(c->bins.hi));
    if (c->channels != 1 && c->channels != 3) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED, "histogram, variant cub, takes 1 or 3 channels, not %d",
                       c->channels);
    }
    if (call->n == 0 || call->n % c->channels != 0) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED,
                       "histogram, variant cub, takes whole pixels, at least one");
    }
    if (!c->bins.edges && (GF_TYPES_INTEGER & GF_TYPE_BIT(call->options.type)) != 0 && !whole) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED,
                       "histogram, variant cub, takes integers as the range of integers, not [%g, %g)",
                       c->bins.lo, c->bins.hi);
    }
    return GF_OK;
}

extern "C" const struct gf_array_variant gf_vendor_histogram[] = {
    {{"cub", "cub::DeviceHistogram; borders of its own rounding, nothing counted outside the bins", "",
      UINT32_MAX, types, 1, 1, 1, 0, 0},
     check,
     gf_vendor_scratch<histogram>,
     gf_vendor_run<histogram>},
    {},
};
