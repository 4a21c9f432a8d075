/* Tables of pairs on CUDA. The types of x, y and weights are told apart where an element is read, by a branch
 * that all threads take alike: a kernel for each of the 900 combinations would be no faster, as the memory is
 * what they wait for. A block has a table in shared memory where it fits, of 32 bits where pairs are counted,
 * which a block's pairs do not fill, and of 64 where weights are added up. */
#include "array/common/grid_cuda.cuh"
#include "array/histogram_2d/histogram_2d_call.h"
#include "base/device_scope_cuda.h"
#include "base/planted_fault.h"

enum { PAIR_THREADS = 512, PAIR_BLOCKS = 4, PAIR_SHARED = 48 * 1024 };

struct gf_pair_params {
    const void *x, *y, *weights;
    gf_depth type[2];
    gf_depth weight;
    struct gf_histogram_bins bins[2];
    int64_t n;
    uint32_t columns, cells;
    uint64_t *table; /* zeroed before the launch */
};

GF_DEVICE_FN uint32_t gf_pair_slot(const void *in, gf_depth type, int64_t i,
                                   const struct gf_histogram_bins *bins)
{
    switch (type) {
    case GF_U8:
        return gf_slot_u8(static_cast<const uint8_t *>(in)[i], bins);
    case GF_U16:
        return gf_slot_u16(static_cast<const uint16_t *>(in)[i], bins);
    case GF_U32:
        return gf_slot_u32(static_cast<const uint32_t *>(in)[i], bins);
    case GF_U64:
        return gf_even_slot_u64(static_cast<const uint64_t *>(in)[i], bins);
    case GF_S16:
        return gf_slot_s16(static_cast<const int16_t *>(in)[i], bins);
    case GF_S32:
        return gf_slot_s32(static_cast<const int32_t *>(in)[i], bins);
    case GF_S64:
        return gf_even_slot_s64(static_cast<const int64_t *>(in)[i], bins);
    case GF_F32:
        return gf_even_slot_f32(static_cast<const float *>(in)[i], bins);
    default:
        return gf_even_slot_f64(static_cast<const double *>(in)[i], bins);
    }
}

GF_DEVICE_FN uint64_t gf_pair_weight(const gf_pair_params &p, int64_t i)
{
    switch (p.weight) {
    case GF_U8:
        return static_cast<const uint8_t *>(p.weights)[i];
    case GF_U16:
        return static_cast<const uint16_t *>(p.weights)[i];
    case GF_U32:
        return static_cast<const uint32_t *>(p.weights)[i];
    case GF_S16:
        return static_cast<uint64_t>(int64_t(static_cast<const int16_t *>(p.weights)[i]));
    case GF_S32:
        return static_cast<uint64_t>(int64_t(static_cast<const int32_t *>(p.weights)[i]));
    default:
        return static_cast<const uint64_t *>(p.weights)[i];
    }
}

GF_DEVICE_FN uint32_t gf_pair_cell(const gf_pair_params &p, int64_t i)
{
    const uint32_t column = gf_pair_slot(p.x, p.type[0], i, &p.bins[0]);
    return column + (p.y ? p.columns * gf_pair_slot(p.y, p.type[1], i, &p.bins[1]) : 0u);
}

/* C: uint32_t to count, uint64_t to add up weights. */
template <class C>
static __global__ void __launch_bounds__(PAIR_THREADS) gf_pairs_shared(const gf_pair_params p)
{
    GF_SHARED_DYN(C, own);
    for (uint32_t c = threadIdx.x; c < p.cells; c += PAIR_THREADS) {
        own[c] = 0;
    }
    __syncthreads();
    const int64_t step = int64_t(gridDim.x) * PAIR_THREADS;
    for (int64_t i = gf_thread_index(); i < p.n; i += step) {
        gf_atomic_add(&own[gf_pair_cell(p, i)], p.weights ? static_cast<C>(gf_pair_weight(p, i)) : C(1));
    }
    __syncthreads();
    for (uint32_t c = threadIdx.x + (GF_FAULT(cuda_histogram_2d_cell) ? 1u : 0u); c < p.cells;
         c += PAIR_THREADS) {
        if (own[c] != 0) {
            gf_atomic_add(&p.table[c], static_cast<uint64_t>(own[c]));
        }
    }
}

static __global__ void gf_pairs_global(const gf_pair_params p)
{
    const int64_t step = int64_t(gridDim.x) * blockDim.x;
    for (int64_t i = gf_thread_index(); i < p.n; i += step) {
        gf_atomic_add(&p.table[gf_pair_cell(p, i)], p.weights ? gf_pair_weight(p, i) : uint64_t(1));
    }
}

static gf_status run_pairs(const struct gf_array_call *array, bool naive, gf_error *error)
{
    const struct gf_histogram_2d_call *call = gf_histogram_2d_call_of(array);
    const size_t cells = static_cast<size_t>(call->rows * call->columns);
    const size_t shared = cells * (call->weights ? sizeof(uint64_t) : sizeof(uint32_t));
    gf_pair_params p = {};
    int processors = 0;
    p.x = array->in;
    p.y = call->y;
    p.weights = call->weights;
    p.weight = call->weight;
    p.n = array->n;
    p.columns = static_cast<uint32_t>(call->columns);
    p.cells = static_cast<uint32_t>(cells);
    p.table = static_cast<uint64_t *>(array->out);
    for (int axis = 0; axis < 2; axis++) {
        p.type[axis] = call->type[axis];
        p.bins[axis] = call->bins[axis];
    }
    GF_ON_DEVICE(array->queue.device, error)
    GF_TRY(gf_multiprocessors(&processors, error));
    GF_CUDA_TRY(error, cudaMemsetAsync(p.table, 0, cells * sizeof *p.table,
                                       static_cast<cudaStream_t>(array->queue.stream)));
    const unsigned block = naive && array->options.block > 0 ? static_cast<unsigned>(array->options.block)
                           : naive                           ? 256u
                                                             : static_cast<unsigned>(PAIR_THREADS);
    const unsigned blocks = gf_blocks(array->n, block),
                   most = static_cast<unsigned>(processors * PAIR_BLOCKS);
    gf_launch launch = gf_launch_on(array->queue.stream, naive || blocks < most ? blocks : most, block);
    if (naive || shared > PAIR_SHARED) {
        GF_CUDA_TRY(error, GF_LAUNCH(gf_pairs_global, launch, p));
        return GF_OK;
    }
    launch.shared = shared;
    GF_CUDA_TRY(error, call->weights ? GF_LAUNCH((gf_pairs_shared<uint64_t>), launch, p)
                                     : GF_LAUNCH((gf_pairs_shared<uint32_t>), launch, p));
    return GF_OK;
}

extern "C" gf_status gf_histogram_2d_cuda(const struct gf_array_call *call, gf_error *error)
{
    return run_pairs(call, false, error);
}

extern "C" gf_status gf_histogram_2d_naive_cuda(const struct gf_array_call *call, gf_error *error)
{
    return run_pairs(call, true, error);
}
