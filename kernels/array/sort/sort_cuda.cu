/* The sort on CUDA, "auto": one block for a small array, counting for narrow keys, else a radix sort. */
#include "array/sort/sort_cuda.h"

#include "array/sort/sort_order.h"
#include "base/device_scope_cuda.h"

/* From this many elements on, tiles are large: fewer of them look back, and each writes longer runs. */
static const int64_t WIDE_FROM = int64_t(1) << 21;

static int32_t tile_of(const struct gf_sort_call *call, bool wide)
{
    const int key_bytes = static_cast<int>(gf_depth_size(call->array.options.type));
    return GF_RADIX_THREADS * gf_radix_items(key_bytes, call->value_size, wide);
}

/* Lays out scratch memory, or with memory NULL only measures it. */
static size_t lay_out(const struct gf_sort_call *call, char *memory, struct gf_radix *r)
{
    const gf_array_call &array = call->array;
    size_t used = 0;
    r->n = array.n;
    r->flip = gf_sort_flip(array.options.type, call->descending);
    r->ignored = call->ignored;
    r->key_bytes = static_cast<int32_t>(gf_depth_size(array.options.type));
    r->value_size = call->value_size;
    r->in_place = gf_sort_in_place(call);
    r->apart = gf_sort_apart(call);
    r->passes = r->key_bytes < 2 ? 2 : r->key_bytes;
    r->wide = array.options.tile > 0 ? array.options.tile == tile_of(call, true) : r->n >= WIDE_FROM;
    r->tile = tile_of(call, r->wide);
    r->portion = GF_RADIX_PORTION / r->tile * r->tile;
    r->portions = (r->n + r->portion - 1) / r->portion;
    const size_t passes = static_cast<size_t>(r->passes), portions = static_cast<size_t>(r->portions);
    const size_t digits = 256 * passes, n = static_cast<size_t>(r->n);
    const auto take = [&](size_t bytes) { return gf_scratch_take(memory, &used, bytes); };
    r->schedule = static_cast<uint32_t *>(take((GF_RADIX_TICKETS + passes * portions) * sizeof(uint32_t)));
    r->bins = static_cast<uint64_t *>(take(digits * sizeof(uint64_t)));
    r->states =
        static_cast<uint32_t *>(take(digits * static_cast<size_t>(gf_radix_tiles(r)) * sizeof(uint32_t)));
    r->cleared = used;
    r->bases = static_cast<uint64_t *>(take(digits * portions * sizeof(uint64_t)));
    r->keys[GF_SORT_IN] = const_cast<void *>(array.in);
    r->keys[GF_SORT_OUT] = array.out;
    r->keys[GF_SORT_SCRATCH] = take(n * static_cast<size_t>(r->key_bytes));
    r->values[GF_SORT_IN] = const_cast<void *>(call->values);
    r->values[GF_SORT_OUT] = call->values_out;
    r->values[GF_SORT_SCRATCH] = take(n * static_cast<size_t>(r->value_size));
    return used;
}

static gf_status sort_by_digits(const struct gf_sort_call *call, gf_error *error)
{
    const gf_depth type = call->array.options.type;
    const cudaStream_t stream = static_cast<cudaStream_t>(call->array.queue.stream);
    gf_radix r;
    lay_out(call, static_cast<char *>(call->array.scratch), &r);
    GF_TRY(gf_radix_histogram(&r, type, stream, error));
    const auto pass = r.value_size == 8   ? gf_radix_pass_values8
                      : r.value_size == 4 ? gf_radix_pass_values4
                                          : gf_radix_pass_keys;
    for (int i = 0; i < r.passes; i++) {
        GF_TRY(pass(&r, type, i, stream, error));
    }
    return GF_OK;
}

size_t gf_sort_cuda_scratch(const struct gf_array_call *array)
{
    const struct gf_sort_call *call = gf_sort_call_of(array);
    gf_radix r;
    return array->options.tile > 0     ? lay_out(call, NULL, &r)
           : gf_sort_fits_block(call)  ? 0
           : gf_sort_counts_cuda(call) ? gf_sort_count_cuda_scratch(call)
                                       : lay_out(call, NULL, &r);
}

gf_status gf_sort_cuda_check(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_sort_call *call = gf_sort_call_of(array);
    const int32_t tile = array->options.tile, narrow = tile_of(call, false), wide = tile_of(call, true);
    if (tile != 0 && tile != narrow && tile != wide) {
        return gf_fail(error, GF_ERROR_ARGUMENT,
                       "sort: tile is %d, must be %d or %d for these elements, or 0", tile, narrow, wide);
    }
    return GF_OK;
}

gf_status gf_sort_cuda(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_sort_call *call = gf_sort_call_of(array);
    if (array->n == 0) {
        return GF_OK;
    }
    GF_ON_DEVICE(array->queue.device, error)
    return array->options.tile > 0     ? sort_by_digits(call, error)
           : gf_sort_fits_block(call)  ? gf_sort_block_cuda(call, error)
           : gf_sort_counts_cuda(call) ? gf_sort_count_cuda(call, error)
                                       : sort_by_digits(call, error);
}
