#include "array/keyed/reduce_by_key_call.h"

#include "array/reduce/reduce_part.h"

static gf_status check(const struct gf_array_call *call, gf_error *error)
{
    return gf_reduce_check_bits("reduce_by_key", gf_reduce_by_key_call_of(call)->op, call->options.type,
                                error);
}

static const struct gf_array_variant variants[] = {
    {{"sequential", "one run after the other, each reduced alone: the definition", "", .types = GF_TYPES_ALL,
      .deterministic = 1},
     .check = check,
     .run = gf_reduce_by_key_sequential},
    {{"auto", "chunks in cache, whose runs all threads find and reduce", "threads", .types = GF_TYPES_ALL,
      .deterministic = 1},
     .check = check,
     .scratch = gf_reduce_by_key_cpu_scratch,
     .run = gf_reduce_by_key_cpu},
    {{"auto", "a pass over the keys, which leaves bits of where runs begin, and one over the values", "",
      .types = GF_TYPES_ALL, .cuda = 1, .deterministic = 1},
     .check = check,
     .scratch = gf_reduce_by_key_cuda_scratch,
     .run = gf_reduce_by_key_cuda},
    {{0}, NULL, NULL, NULL},
};

const struct gf_array_primitive gf_primitive_reduce_by_key = {
    {"reduce_by_key", "one value of each run of equal keys: sum, product, least, greatest, where"},
    variants,
};

static gf_status make_call(gf_queue queue, const gf_reduce_options *options, gf_depth key, int64_t n,
                           struct gf_reduce_by_key_call *call, gf_error *error)
{
    gf_reduce_options o;
    GF_TRY(gf_reduce_take("reduce_by_key", GF_REDUCE_OR, options, &o, error));
    if (gf_depth_size(key) == 0) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "reduce_by_key: there is no key type %d", (int)key);
    }
    if (n > INT64_C(1) << 48) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "reduce_by_key: n is %lld, must be at most 2^48",
                       (long long)n);
    }
    *call = (struct gf_reduce_by_key_call){
        .array = {.queue = queue, .options = o.array, .n = n}, .op = o.op, .key = key};
    return GF_OK;
}

gf_status gf_reduce_by_key_scratch(gf_device device, const gf_reduce_options *options, gf_depth key,
                                   int64_t n, size_t *bytes, gf_error *error)
{
    struct gf_reduce_by_key_call call;
    GF_TRY(make_call((gf_queue){device, NULL}, options, key, n, &call, error));
    return gf_array_scratch(&gf_primitive_reduce_by_key, &call.array, bytes, error);
}

gf_status gf_reduce_by_key(gf_queue queue, const gf_reduce_options *options, gf_depth key, const void *keys,
                           const void *values, int64_t n, void *unique, void *out, int64_t capacity,
                           uint64_t *runs, void *scratch, size_t scratch_bytes, gf_error *error)
{
    struct gf_reduce_by_key_call call;
    GF_TRY(make_call(queue, options, key, n, &call, error));
    GF_TRY(gf_array_check_capacity("reduce_by_key", capacity, error));
    call.array.in = values;
    call.array.out = out;
    call.keys = keys;
    call.unique = unique;
    call.capacity = capacity;
    call.runs = runs;
    const struct gf_array_operand operands[] = {
        {"the array of keys", keys, n, gf_depth_size(key)},
        {"the array of values", values, n, gf_depth_size(call.array.options.type)},
        {"the output of keys", unique, 0, gf_depth_size(key)},
        {"the output of values", out, capacity,
         gf_depth_size(gf_reduce_result(call.op, call.array.options.type))},
        {"the number of runs", runs, 1, sizeof *runs},
        {0},
    };
    return gf_array_run(&gf_primitive_reduce_by_key, &call.array, operands, scratch, scratch_bytes, error);
}
