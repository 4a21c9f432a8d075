/* What the kernels of histograms share: parameters, bins by C++ type, and the way through an array. All slots
 * of all channels, one behind the other as in the output, are counters 0 to total - 1. */
#ifndef GF_ARRAY_HISTOGRAM_CUDA_CUH
#define GF_ARRAY_HISTOGRAM_CUDA_CUH

#include "array/common/dispatch_cuda.cuh"
#include "array/common/grid_cuda.cuh"
#include "array/histogram/histogram_call.h"
#include "base/device_scope_cuda.h"
#include "base/planted_fault.h"

enum {
    GF_HISTOGRAM_THREADS = 1024, /* of a block, at most */
    GF_HISTOGRAM_AT_ONCE = 4,    /* vectors a thread has in flight */
    GF_HISTOGRAM_BANKS = 32      /* of shared memory */
};

struct gf_histogram_params {
    const void *in;
    int64_t n;
    int64_t head, vectors; /* elements in front of the first aligned 16 bytes; whole 16 bytes after them */
    uint64_t *counts;      /* zeroed before the launch */
    struct gf_histogram_bins bins;
    int32_t channels;
    uint32_t row, total; /* counters of a channel, of all */
    uint32_t slice;      /* counters of a block: blockIdx.y takes those from blockIdx.y * slice on */
    uint32_t columns;    /* copies of each counter, side by side: a power of two up to 32 */
    uint32_t cells;      /* of the guide (histogram_guide_cuda.cuh); 0: none */
    double cell_scale, cell_offset;
    const uint32_t *guide;
};

/* Fills in all but slice, columns and the guide, zeroes the counts and brings the edges to the device. */
gf_status gf_histogram_prepare(const struct gf_array_call *call, struct gf_histogram_params *p,
                               gf_error *error);

/* The two kernels of "auto" for other types than bytes. */
gf_status gf_histogram_launch_shared(gf_depth type, const gf_launch &launch,
                                     const struct gf_histogram_params &p, gf_error *error);
gf_status gf_histogram_launch_global(gf_depth type, const gf_launch &launch,
                                     const struct gf_histogram_params &p, gf_error *error);

/* gf_slot_... by C++ type and kind. */
#define GF_SLOT_OF(name, T, shift, whole)                                                                    \
    GF_DEVICE_FN bool gf_is_below(T v, double e)                                                             \
    {                                                                                                        \
        return gf_is_below_##name(v, e) != 0;                                                                \
    }                                                                                                        \
    template <enum gf_bins_kind KIND> GF_DEVICE_FN uint32_t gf_slot_of(T v, const gf_histogram_bins &bins)   \
    {                                                                                                        \
        return KIND == GF_BINS_EDGES   ? gf_edge_slot_##name(v, &bins)                                       \
               : KIND == GF_BINS_SHIFT ? gf_##shift##_slot_##name(v, &bins)                                  \
               : KIND == GF_BINS_WHOLE ? gf_##whole##_slot_##name(v, &bins)                                  \
                                       : gf_even_slot_##name(v, &bins);                                      \
    }
GF_SLOT_OF(u8, uint8_t, shift, whole)
GF_SLOT_OF(u16, uint16_t, shift, whole)
GF_SLOT_OF(u32, uint32_t, shift, whole)
GF_SLOT_OF(s16, int16_t, shift, whole)
GF_SLOT_OF(s32, int32_t, shift, whole)
GF_SLOT_OF(u64, uint64_t, even, even)
GF_SLOT_OF(s64, int64_t, even, even)
GF_SLOT_OF(f32, float, even, even)
GF_SLOT_OF(f64, double, even, even)

/* Calls f(a constant of type gf_bins_kind) for those that elements of type T have. */
template <class T, class F> static inline cudaError_t gf_dispatch_kind(enum gf_bins_kind kind, F &&f)
{
    if (kind == GF_BINS_EDGES) {
        return f(std::integral_constant<enum gf_bins_kind, GF_BINS_EDGES>());
    }
    if constexpr (std::is_integral<T>::value && sizeof(T) <= 4) {
        if (kind == GF_BINS_SHIFT) {
            return f(std::integral_constant<enum gf_bins_kind, GF_BINS_SHIFT>());
        }
        if (kind == GF_BINS_WHOLE) {
            return f(std::integral_constant<enum gf_bins_kind, GF_BINS_WHOLE>());
        }
    }
    return f(std::integral_constant<enum gf_bins_kind, GF_BINS_EVEN>());
}

/* The elements of a vector. */
template <class T> struct gf_elements {
    enum { COUNT = 16 / sizeof(T) };
    T v[COUNT];

    __device__ __forceinline__ explicit gf_elements(uint4 vector) { memcpy(v, &vector, sizeof v); }
};

/* One number for each channel of the elements of a vector: element k is of channel (phase + k) mod channels,
 * and k mod PERIOD is enough to know it: a multiple of the channels, or as many as a vector's elements.
 * `phase` is the place in the array of the first element of this thread's vectors, `step` what the number
 * grows by from channel to channel. */
template <int PERIOD> struct gf_by_channel {
    uint32_t number[PERIOD];

    __device__ __forceinline__ gf_by_channel(const struct gf_histogram_params &p, size_t size, uint32_t step,
                                             uint32_t start)
    {
        const int64_t first = gf_thread_index();
        const int64_t phase = p.head + first * static_cast<int64_t>(16 / size);
        uint32_t channel = static_cast<uint32_t>(phase % p.channels);
        GF_UNROLL
        for (int k = 0; k < PERIOD; k++) {
            number[k] = channel * step + start;
            channel = channel + 1 == static_cast<uint32_t>(p.channels) ? 0 : channel + 1;
        }
    }
    __device__ __forceinline__ uint32_t operator[](int k) const { return number[k % PERIOD]; }
};

/* f(vector) for the vectors of this thread. The stride keeps the channel of a vector's first element: grids
 * for three channels have a multiple of three blocks. */
template <class F>
GF_DEVICE_FN void gf_each_vector(const struct gf_histogram_params &p, size_t size, gf_hint hint, F &&f)
{
    enum { AT_ONCE = GF_HISTOGRAM_AT_ONCE };
    const unsigned char *in = static_cast<const unsigned char *>(p.in) + static_cast<size_t>(p.head) * size;
    const int64_t stride = int64_t(gridDim.x) * blockDim.x;
    int64_t i = gf_thread_index();
    for (; i + (AT_ONCE - 1) * stride < p.vectors; i += AT_ONCE * stride) {
        uint4 v[AT_ONCE];
        GF_UNROLL
        for (int k = 0; k < AT_ONCE; k++) {
            v[k] = gf_load16(in + 16 * (i + k * stride), hint);
        }
        GF_UNROLL
        for (int k = 0; k < AT_ONCE; k++) {
            f(v[k]);
        }
    }
    for (; i < p.vectors; i += stride) {
        f(gf_load16(in + 16 * i, hint));
    }
}

/* f(element, channel) for the elements in front of the vectors and behind them: less than 16 each. */
template <class T, class F> GF_DEVICE_FN void gf_each_odd(const struct gf_histogram_params &p, F &&f)
{
    const T *in = static_cast<const T *>(p.in);
    const int64_t tail = p.head + p.vectors * int64_t(gf_elements<T>::COUNT);
    if (blockIdx.x == 0) {
        for (int64_t i = threadIdx.x; i < p.head; i += blockDim.x) {
            f(in[i], static_cast<uint32_t>(i % p.channels));
        }
        for (int64_t i = tail + threadIdx.x + GF_FAULT(cuda_histogram_tail); i < p.n; i += blockDim.x) {
            f(in[i], static_cast<uint32_t>(i % p.channels));
        }
    }
}

/* table[0..words) = 0 by a whole block; words is a multiple of 4. */
GF_DEVICE_FN void gf_histogram_clear(uint32_t *table, uint32_t words)
{
    for (uint32_t i = threadIdx.x; i < words / 4; i += blockDim.x) {
        gf_store16(table + 4 * i, make_uint4(0, 0, 0, 0));
    }
}

/* Adds what a whole block has counted in shared memory, table[0..size) x p.columns, to the output from
 * `first` on. Neighbouring threads begin with different columns, which lie in different banks. */
GF_DEVICE_FN void gf_histogram_flush(const struct gf_histogram_params &p, const uint32_t *table,
                                     uint32_t first, uint32_t size)
{
    for (uint32_t s = threadIdx.x; s < size; s += blockDim.x) {
        uint32_t sum = 0;
        for (uint32_t k = 0; k < p.columns; k++) {
            sum += table[s * p.columns + ((s + k) & (p.columns - 1))];
        }
        if (sum != 0) {
            gf_atomic_add(&p.counts[first + s], static_cast<uint64_t>(sum));
        }
    }
}

#endif
