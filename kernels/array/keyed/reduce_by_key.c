#include "array/keyed/reduce_by_key_call.h"

#include "array/reduce/reduce_part.h"
#include "base/sized.h"

static gf_status check(const struct gf_array_call *call, gf_error *error)
{
    gf_reduce_op op = gf_reduce_by_key_call_of(call)->op;
    if ((op == GF_REDUCE_AND || op == GF_REDUCE_OR) && gf_reduce_is_float(call->options.type)) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED, "reduce_by_key: %s is for integers, not for %s",
                       op == GF_REDUCE_AND ? "and" : "or", gf_depth_name(call->options.type));
    }
    return GF_OK;
}

static const struct gf_array_variant variants[] = {
    {{"sequential", "one run after the other, each reduced alone: the definition", "", 0, GF_TYPES_ALL, 0, 1,
      0, 0, 0},
     check,
     NULL,
     gf_reduce_by_key_sequential},
    {{"auto", "chunks in cache, whose runs all threads find and reduce", "threads", 0, GF_TYPES_ALL, 0, 1, 0,
      0, 0},
     check,
     gf_reduce_by_key_cpu_scratch,
     gf_reduce_by_key_cpu},
    {{"auto", "a pass over the keys, which leaves bits of where runs begin, and one over the values", "", 0,
      GF_TYPES_ALL, 1, 1, 0, 0, 0},
     check,
     gf_reduce_by_key_cuda_scratch,
     gf_reduce_by_key_cuda},
    {{0}, NULL, NULL, NULL},
};

const struct gf_array_primitive gf_primitive_reduce_by_key = {
    {"reduce_by_key", "one value of each run of equal keys: sum, product, least, greatest, where"},
    variants,
};

static gf_status make_call(gf_queue queue, const gf_reduce_options *options, gf_depth key, int64_t n,
                           struct gf_reduce_by_key_call *call, gf_error *error)
{
    static const struct gf_sized sized = GF_SIZED(gf_reduce_options, array.type);
    gf_reduce_options taken = GF_REDUCE_OPTIONS_INIT;
    GF_TRY(gf_struct_in(&sized, options, &taken, error));
    options = &taken;
    if ((unsigned)options->op > GF_REDUCE_ALL) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "reduce_by_key: op is %d, must be 0 to %d", (int)options->op,
                       GF_REDUCE_OR);
    }
    if (options->op > GF_REDUCE_OR) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED,
                       "reduce_by_key has no mean and no var; it has: sum, product, min, max, argmin, "
                       "argmax, and, or");
    }
    if (gf_depth_size(key) == 0) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "reduce_by_key: there is no key type %d", (int)key);
    }
    if (n > INT64_C(1) << 48) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "reduce_by_key: n is %lld, must be at most 2^48",
                       (long long)n);
    }
    *call = (struct gf_reduce_by_key_call){
        .array = {.queue = queue, .options = options->array, .n = n}, .op = options->op, .key = key};
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
    if (capacity < 0) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "reduce_by_key: the capacity is %lld, must be at least 0",
                       (long long)capacity);
    }
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
