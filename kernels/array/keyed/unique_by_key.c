#include "array/keyed/unique_by_key_call.h"

#include "base/sized.h"

static const struct gf_array_variant variants[] = {
    {{"sequential", "one key after the other: the definition", "", .types = GF_TYPES_ALL, .deterministic = 1},
     .run = gf_unique_by_key_sequential},
    {{"auto", "runs of a chunk in cache, then their first values, by all threads", "threads",
      .types = GF_TYPES_ALL, .deterministic = 1},
     .run = gf_unique_by_key_cpu},
    {{"auto", "run_length's pass, and one that fetches the values where runs begin", "",
      .types = GF_TYPES_ALL, .cuda = 1, .deterministic = 1},
     .scratch = gf_unique_by_key_cuda_scratch,
     .run = gf_unique_by_key_cuda},
    {{0}, NULL, NULL, NULL},
};

const struct gf_array_primitive gf_primitive_unique_by_key = {
    {"unique_by_key", "the first key, and its value, of each run of equal keys"},
    variants,
};

static gf_status make_call(gf_queue queue, const gf_unique_by_key_options *options, int64_t n,
                           struct gf_unique_by_key_call *call, gf_error *error)
{
    GF_STRUCT_TAKE(gf_unique_by_key_options, array.type, taken, GF_UNIQUE_BY_KEY_OPTIONS_INIT, options,
                   error);
    const int32_t size = taken.value_size;
    if (size != 1 && size != 2 && size != 4 && size != 8) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "unique_by_key: values have 1, 2, 4 or 8 bytes, not %d",
                       (int)size);
    }
    *call = (struct gf_unique_by_key_call){.array = {.queue = queue, .options = taken.array, .n = n},
                                           .value_size = size};
    return GF_OK;
}

gf_status gf_unique_by_key_scratch(gf_device device, const gf_unique_by_key_options *options, int64_t n,
                                   size_t *bytes, gf_error *error)
{
    struct gf_unique_by_key_call call;
    GF_TRY(make_call((gf_queue){device, NULL}, options, n, &call, error));
    return gf_array_scratch(&gf_primitive_unique_by_key, &call.array, bytes, error);
}

gf_status gf_unique_by_key(gf_queue queue, const gf_unique_by_key_options *options, const void *keys,
                           const void *values, int64_t n, void *unique, void *values_out, int64_t capacity,
                           uint64_t *runs, void *scratch, size_t scratch_bytes, gf_error *error)
{
    struct gf_unique_by_key_call call;
    GF_TRY(make_call(queue, options, n, &call, error));
    GF_TRY(gf_array_check_capacity("unique_by_key", capacity, error));
    const size_t size = gf_depth_size(call.array.options.type), value = (size_t)call.value_size;
    call.array.in = keys;
    call.array.out = unique;
    call.values = values;
    call.values_out = values_out;
    call.capacity = capacity;
    call.runs = runs;
    const struct gf_array_operand operands[] = {
        {"the array of keys", keys, n, size},
        {"the array of values", values, n, value},
        {"the output of keys", unique, 0, size},
        {"the output of values", values_out, n > 0 ? capacity : 0, value},
        {"the number of runs", runs, 1, sizeof *runs},
        {0},
    };
    return gf_array_run(&gf_primitive_unique_by_key, &call.array, operands, scratch, scratch_bytes, error);
}
