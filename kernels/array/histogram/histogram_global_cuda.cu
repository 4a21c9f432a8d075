/* Histograms of more bins than shared memory holds: counters in global memory. Equal neighbours of a thread
 * and equal bins of a warp are added up first; bins that come often then find a place in a small table of the
 * block. */
#include "array/histogram/histogram_guide_cuda.cuh"

enum {
    PLACES = 2048,     /* of the block's table, a power of two */
    PLACES_LOG2 = 11,  /**/
    ROUND = 32,        /* vectors of a thread until the table is emptied: what came first need not stay */
    EMPTY = UINT32_MAX /* no counter has this number */
};

/* A counter's number and what is to be added to it. */
struct gf_hot_table {
    uint32_t *place, *sum;
};

GF_DEVICE_FN void gf_hot_clear(const gf_hot_table &hot)
{
    for (uint32_t i = threadIdx.x; i < PLACES; i += blockDim.x) {
        hot.place[i] = EMPTY;
        hot.sum[i] = 0;
    }
    __syncthreads();
}

GF_DEVICE_FN void gf_hot_flush(const gf_hot_table &hot, uint64_t *counts)
{
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < PLACES; i += blockDim.x) {
        if (hot.sum[i] != 0) {
            gf_atomic_add(&counts[hot.place[i]], static_cast<uint64_t>(hot.sum[i]));
        }
    }
    __syncthreads();
}

/* Adds `times` (1 to 16) to a counter; 0: nothing. All lanes of a warp call it; those that want the same are
 * added up. */
GF_DEVICE_FN void gf_hot_add(const gf_hot_table &hot, uint64_t *counts, uint32_t place, uint32_t times)
{
    const uint32_t wish = times == 0 ? uint32_t(EMPTY) : place << 5 | times;
    const uint32_t peers = gf_match_any(wish);
    if (times == 0 || (peers & ((1u << gf_lane()) - 1)) != 0) {
        return; /* another lane of these speaks for all */
    }
    const uint32_t all = times * static_cast<uint32_t>(__popc(peers));
    const uint32_t i = place * 2654435761u >> (32 - PLACES_LOG2);
    const uint32_t has = gf_atomic_cas(&hot.place[i], uint32_t(EMPTY), place);
    if (has == EMPTY || has == place) {
        gf_atomic_add(&hot.sum[i], all);
    } else {
        gf_atomic_add(&counts[place], static_cast<uint64_t>(all));
    }
}

template <class T, enum gf_bins_kind KIND>
static __global__ void __launch_bounds__(GF_HISTOGRAM_THREADS)
    gf_histogram_global(const struct gf_histogram_params p)
{
    GF_SHARED(uint32_t, hot_place, PLACES);
    GF_SHARED(uint32_t, hot_sum, PLACES);
    const gf_hot_table hot = {hot_place, hot_sum};
    const unsigned char *in = static_cast<const unsigned char *>(p.in) + p.head * int64_t(sizeof(T));
    const int64_t stride = int64_t(gridDim.x) * blockDim.x;
    const gf_by_channel<gf_elements<T>::COUNT> base(p, sizeof(T), p.row, 0);
    auto slot = [&](T v) {
        return KIND == GF_BINS_EDGES
                   ? gf_guide_slot(p, gf_guide_is_near(p.bins.count), p.bins.edges, p.guide, v)
                   : gf_slot_of<KIND>(v, p.bins);
    };
    int32_t round = 0;
    gf_hot_clear(hot);
    for (int64_t start = int64_t(blockIdx.x) * blockDim.x; start < p.vectors; start += stride) {
        const int64_t i = start + threadIdx.x;
        const bool mine = i < p.vectors;
        const gf_elements<T> e(mine ? gf_load16(in + 16 * i, GF_STREAM) : make_uint4(0, 0, 0, 0));
        uint32_t place = slot(e.v[0]) + base[0], times = 1;
        GF_UNROLL
        for (int k = 1; k <= e.COUNT; k++) {
            const uint32_t next = k < e.COUNT ? slot(e.v[k % e.COUNT]) + base[k] : uint32_t(EMPTY);
            gf_hot_add(hot, p.counts, place, mine && next != place ? times : 0);
            times = next == place ? times + 1 : 1;
            place = next;
        }
        if (++round == ROUND) {
            round = 0;
            gf_hot_flush(hot, p.counts);
            gf_hot_clear(hot);
        }
    }
    gf_hot_flush(hot, p.counts);
    gf_each_odd<T>(
        p, [&](T v, uint32_t channel) { gf_atomic_add(&p.counts[channel * p.row + slot(v)], uint64_t(1)); });
}

gf_status gf_histogram_launch_global(gf_depth type, const gf_launch &launch, const gf_histogram_params &p,
                                     gf_error *error)
{
    return gf_dispatch_type<GF_TYPES_ALL & ~GF_TYPE_BIT(GF_U8)>(type, error, [&](auto tag) -> gf_status {
        using T = typename decltype(tag)::type;
        GF_CUDA_TRY(error, gf_dispatch_kind<T>(p.bins.kind, [&](auto kind) {
                        return GF_LAUNCH((gf_histogram_global<T, kind.value>), launch, p);
                    }));
        return GF_OK;
    });
}
