/* matmul with a tile of C in the registers of a block: "auto", whose tiles of A and B arrive while it
 * multiplies those before, and "register-tiled", which waits for each. */
#include "linear/matmul/matmul_slices_cuda.cuh"
#include "linear/matmul/matmul_tile_cuda.cuh"

template <class T>
static __global__ void __launch_bounds__(gf_matmul_large<T>::THREADS, 2)
    gf_matmul_ahead(const gf_matmul_args g)
{
    using S = gf_matmul_large<T>;
    GF_SHARED(typename S::wide, lefts, S::STAGES * S::BK * S::LEFT);
    GF_SHARED(typename S::wide, rights, S::STAGES * S::BK * S::BN);
    gf_matmul_block<S, T, false>(g, gf_matmul_all(), lefts, rights);
}

/* The same where the tile has a marked row or column. */
static __global__ void __launch_bounds__(gf_matmul_large<float>::THREADS, 2)
    gf_matmul_where_marked(const gf_matmul_args g, const gf_matmul_marked mark)
{
    using S = gf_matmul_large<float>;
    GF_SHARED(float, lefts, S::STAGES *S::BK *S::LEFT);
    GF_SHARED(float, rights, S::STAGES *S::BK *S::BN);
    if (mark.counts[0] + mark.counts[1] == 0) {
        return;
    }
    const int64_t thread = gf_thread();
    int64_t row, column;
    gf_matmul_place<S, false>(g, blockIdx.x, &row, &column);
    bool any = false;
    if (thread < S::BM) {
        any = row + thread < g.m && mark.rows[row + thread] == GF_SLICES_PLAIN;
    } else if (thread < S::BM + S::BN) {
        const int64_t at = column + thread - S::BM;
        any = at < g.n && mark.columns[at] == GF_SLICES_PLAIN;
    }
    if (__syncthreads_or(any)) {
        gf_matmul_block<S, float, false>(g, mark, lefts, rights);
    }
}

template <class T>
static __global__ void __launch_bounds__(gf_matmul_small<T>::THREADS, 2)
    gf_matmul_waiting(const gf_matmul_args g)
{
    using S = gf_matmul_small<T>;
    GF_SHARED(typename S::wide, lefts, S::STAGES * S::BK * S::LEFT);
    GF_SHARED(typename S::wide, rights, S::STAGES * S::BK * S::BN);
    gf_matmul_block<S, T, false>(g, gf_matmul_all(), lefts, rights);
}

/* ---- Launches ------------------------------------------------------------------------------------------ */

gf_status gf_matmul_chain_cuda(const struct gf_array_call *array, gf_error *error)
{
    if (gf_matmul_call_of(array)->batch > 1) {
        return gf_matmul_batch_cuda(array, error);
    }
    const gf_matmul_args g = gf_matmul_args_of(gf_matmul_call_of(array));
    GF_ON_DEVICE(array->queue.device, error)
    return gf_dispatch_type<GF_MATMUL_TYPES>(array->options.type, error, [&](auto tag) {
        using T = typename decltype(tag)::type;
        const gf_launch c = gf_matmul_launch<gf_matmul_large<T>>(array, g);
        GF_CUDA_TRY(error, GF_LAUNCH((gf_matmul_ahead<T>), c, g));
        return GF_OK;
    });
}

gf_status gf_matmul_marked_cuda(const struct gf_array_call *array, const struct gf_slices_cuda *work,
                                gf_error *error)
{
    const gf_matmul_args g = gf_matmul_args_of(gf_matmul_call_of(array));
    gf_matmul_marked mark = {};
    mark.rows = work->a.scales;
    mark.columns = work->b.scales;
    mark.counts = work->a.plain;
    GF_ON_DEVICE(array->queue.device, error)
    const gf_launch c = gf_matmul_launch<gf_matmul_large<float>>(array, g);
    GF_CUDA_TRY(error, GF_LAUNCH(gf_matmul_where_marked, c, g, mark));
    return GF_OK;
}

size_t gf_matmul_cuda_scratch(const struct gf_array_call *array)
{
    const struct gf_matmul_call *call = gf_matmul_call_of(array);
    return call->slices > 0 ? gf_matmul_slices_cuda_scratch(call) : 0;
}

gf_status gf_matmul_cuda(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_matmul_call *call = gf_matmul_call_of(array);
    return call->slices > 0 ? gf_matmul_slices_cuda(call, error) : gf_matmul_chain_cuda(array, error);
}

gf_status gf_matmul_registers_cuda(const struct gf_array_call *array, gf_error *error)
{
    const gf_matmul_args g = gf_matmul_args_of(gf_matmul_call_of(array));
    GF_ON_DEVICE(array->queue.device, error)
    return gf_dispatch_type<GF_MATMUL_TYPES>(array->options.type, error, [&](auto tag) {
        using T = typename decltype(tag)::type;
        const gf_launch c = gf_matmul_launch<gf_matmul_small<T>>(array, g);
        GF_CUDA_TRY(error, GF_LAUNCH((gf_matmul_waiting<T>), c, g));
        return GF_OK;
    });
}
