/* The merge on CUDA: "auto" along merge paths, and "rank", where each output searches for itself. */
#include "array/common/grid_cuda.cuh"
#include "array/merge/merge_path_cuda.cuh"
#include "base/device_scope_cuda.h"

size_t gf_merge_cuda_scratch(const struct gf_array_call *array)
{
    return gf_merge_splits_bytes(array->n);
}

static gf_merge_args args_of(const struct gf_array_call *array)
{
    const struct gf_merge_call *call = gf_merge_call_of(array);
    gf_merge_args g = {};
    g.a = call->a;
    g.b = call->b;
    g.a_values = call->a_values;
    g.b_values = call->b_values;
    g.out = array->out;
    g.values_out = call->values_out;
    g.a_count = call->a_count;
    g.b_count = call->b_count;
    g.splits = static_cast<int64_t *>(array->scratch);
    g.flip = gf_sort_flip(array->options.type, call->descending);
    return g;
}

gf_status gf_merge_cuda(const struct gf_array_call *array, gf_error *error)
{
    const gf_merge_args g = args_of(array);
    const int32_t value_size = gf_merge_call_of(array)->value_size;
    const cudaStream_t stream = static_cast<cudaStream_t>(array->queue.stream);
    if (array->n == 0) {
        return GF_OK;
    }
    GF_ON_DEVICE(array->queue.device, error)
    return gf_dispatch_key(array->options.type, error, [&](auto tag) {
        using T = typename decltype(tag)::type;
        return value_size == 8   ? gf_merge_launch<T, 8>(g, stream, error)
               : value_size == 4 ? gf_merge_launch<T, 4>(g, stream, error)
                                 : gf_merge_launch<T, 0>(g, stream, error);
    });
}

/* ---- The published variant -------------------------------------------------------------------------- */

/* One output a thread, with a binary search of its own over both inputs. */
template <class T, int VALUE> __global__ void gf_merge_rank(gf_merge_args g)
{
    using K = typename gf_sort_key<T>::bits;
    using V = typename gf_sort_value<VALUE>::type;
    const K *a = static_cast<const K *>(g.a), *b = static_cast<const K *>(g.b), flip = static_cast<K>(g.flip);
    const int64_t k = gf_thread_index();
    if (k >= g.a_count + g.b_count) {
        return;
    }
    const int64_t i = gf_merge_split(
        g.a_count, g.b_count, k, [a, flip](int64_t at) { return gf_sort_key<T>::rank(a[at], flip); },
        [b, flip](int64_t at) { return gf_sort_key<T>::rank(b[at], flip); });
    const int64_t j = k - i;
    const bool first =
        j >= g.b_count ||
        (i < g.a_count && !(gf_sort_key<T>::rank(b[j], flip) < gf_sort_key<T>::rank(a[i], flip)));
    static_cast<K *>(g.out)[k] = first ? a[i] : b[j];
    if (VALUE) {
        static_cast<V *>(g.values_out)[k] =
            first ? static_cast<const V *>(g.a_values)[i] : static_cast<const V *>(g.b_values)[j];
    }
}

gf_status gf_merge_rank_cuda(const struct gf_array_call *array, gf_error *error)
{
    const gf_merge_args g = args_of(array);
    const int32_t value_size = gf_merge_call_of(array)->value_size;
    const unsigned block = array->options.block > 0 ? static_cast<unsigned>(array->options.block) : 256;
    gf_launch c = gf_launch_on(array->queue.stream, gf_blocks(array->n, block), block);
    GF_ON_DEVICE(array->queue.device, error)
    return gf_dispatch_key(array->options.type, error, [&](auto tag) {
        using T = typename decltype(tag)::type;
        GF_CUDA_TRY(error, value_size == 8   ? GF_LAUNCH((gf_merge_rank<T, 8>), c, g)
                           : value_size == 4 ? GF_LAUNCH((gf_merge_rank<T, 4>), c, g)
                                             : GF_LAUNCH((gf_merge_rank<T, 0>), c, g));
        return GF_OK;
    });
}
