/* The definition of the k greatest or least: the first of a plain stable sort. */
#include "array/top_k/top_k_call.h"

#include <string.h>

/* The sort of all places by their elements. */
static size_t lay_out(const struct gf_array_call *array, void *memory, struct gf_sort_call *sort)
{
    const size_t n = (size_t)array->n;
    size_t used = 0;
    *sort = (struct gf_sort_call){.array = *array, .value_size = sizeof(int64_t)};
    sort->descending = gf_top_k_call_of(array)->descending;
    sort->array.out = gf_scratch_take(memory, &used, n * gf_depth_size(array->options.type));
    sort->values_out = gf_scratch_take(memory, &used, n * sizeof(int64_t));
    sort->values = sort->values_out;
    sort->array.scratch = gf_scratch_take(memory, &used, gf_sort_sequential_scratch(&sort->array));
    return used;
}

size_t gf_top_k_sequential_scratch(const struct gf_array_call *array)
{
    struct gf_sort_call sort;
    return lay_out(array, NULL, &sort);
}

gf_status gf_top_k_sequential(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_top_k_call *call = gf_top_k_call_of(array);
    const size_t size = gf_depth_size(array->options.type), place_size = (size_t)call->places_size;
    struct gf_sort_call sort;
    if (array->n == 0) {
        return GF_OK;
    }
    lay_out(array, array->scratch, &sort);
    int64_t *places = sort.values_out;
    for (int64_t i = 0; i < array->n; i++) {
        places[i] = i;
    }
    GF_TRY(gf_sort_sequential(&sort.array, error));
    for (int64_t i = 0; i < call->k; i++) {
        memcpy((char *)array->out + (size_t)i * size, (const char *)sort.array.out + (size_t)i * size, size);
        if (call->places) { /* little end first */
            memcpy((char *)call->places + (size_t)i * place_size, &places[i], place_size);
        }
    }
    return GF_OK;
}
