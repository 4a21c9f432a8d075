/* Histograms in shared memory, of every type but bytes: a block has all counters, or a slice of them. */
#include "array/histogram/histogram_guide_cuda.cuh"

/* A block counts its part of the array. Counters of few bins have 32 columns, each in a bank of its own, one
 * a lane: no two lanes of a warp meet. What belongs to another slice goes to one counter behind the
 * table: lanes that add to the same counter cost as much as one. */
template <class T, enum gf_bins_kind KIND, bool SLICED>
static __global__ void __launch_bounds__(GF_HISTOGRAM_THREADS)
    gf_histogram_shared(const struct gf_histogram_params p)
{
    GF_SHARED_DYN(uint32_t, table);
    const uint32_t first = blockIdx.y * p.slice, left = p.total - first;
    const uint32_t size = left < p.slice ? left : p.slice, column = gf_lane() & (p.columns - 1);
    const uint32_t words = (p.slice * p.columns + SLICED + 3) / 4 * 4;
    const uint32_t bins = static_cast<uint32_t>(p.bins.count);
    const bool near = KIND == GF_BINS_EDGES && gf_guide_is_near(p.bins.count);
    double *edges = reinterpret_cast<double *>(table + words);
    uint32_t *guide = table + words + 2 * (bins + 1);
    gf_histogram_clear(table, words);
    for (uint32_t i = threadIdx.x; near && i <= bins; i += blockDim.x) {
        edges[i] = p.bins.edges[i];
    }
    for (uint32_t i = threadIdx.x; near && i < p.cells; i += blockDim.x) {
        guide[i] = p.guide[i];
    }
    __syncthreads();
    auto slot = [&](T v) {
        return KIND == GF_BINS_EDGES ? gf_guide_slot(p, near, edges, guide, v) : gf_slot_of<KIND>(v, p.bins);
    };
    /* bytes from the table to a channel's counters; of a slice: counters */
    const uint32_t scale = SLICED ? 1 : p.columns * 4;
    const uint32_t start = SLICED ? 0 - first : column * 4;
    auto count = [&](uint32_t place, uint32_t base) {
        uint32_t at = place * scale + base;
        if (SLICED) {
            at = (at < size ? at : p.slice - (GF_FAULT(cuda_histogram_slice) && at == size)) * 4;
        }
        gf_atomic_add(reinterpret_cast<uint32_t *>(reinterpret_cast<unsigned char *>(table) + at), 1u);
    };
    const gf_by_channel<gf_elements<T>::COUNT> base(p, sizeof(T), p.row * scale, start);
    gf_each_vector(p, sizeof(T), SLICED ? GF_READ_ONLY : GF_STREAM, [&](uint4 vector) {
        const gf_elements<T> e(vector);
        GF_UNROLL
        for (int k = 0; k < e.COUNT; k++) {
            count(slot(e.v[k]), base[k]);
        }
    });
    gf_each_odd<T>(p, [&](T v, uint32_t channel) { count(slot(v), channel * p.row * scale + start); });
    __syncthreads();
    gf_histogram_flush(p, table, first, size);
}

template <class T, bool SLICED>
static gf_status launch_type(const gf_launch &launch, const gf_histogram_params &p, gf_error *error)
{
    GF_CUDA_TRY(error, gf_dispatch_kind<T>(p.bins.kind, [&](auto kind) {
                    return GF_LAUNCH((gf_histogram_shared<T, kind.value, SLICED>), launch, p);
                }));
    return GF_OK;
}

gf_status gf_histogram_launch_shared(gf_depth type, const gf_launch &launch, const gf_histogram_params &p,
                                     gf_error *error)
{
    return gf_dispatch_type<GF_TYPES_ALL & ~GF_TYPE_BIT(GF_U8)>(type, error, [&](auto tag) {
        using T = typename decltype(tag)::type;
        const bool sliced = launch.grid.y > 1;
        return sliced ? launch_type<T, true>(launch, p, error) : launch_type<T, false>(launch, p, error);
    });
}
