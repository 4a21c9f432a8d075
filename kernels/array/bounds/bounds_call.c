#include "array/bounds/bounds_call.h"

#include "base/sized.h"

#define MOST (INT64_C(1) << 36) /* keys: blocks of 32 threads in one grid */

static const struct gf_array_variant variants[] = {
    {{"sequential", "counts by halving, one key after the other: the definition", "", .types = GF_TYPES_ALL,
      .deterministic = 1},
     .run = gf_bounds_sequential},
    {{"auto", "halves without branches, eight keys at a time, by all threads", "threads",
      .types = GF_TYPES_ALL, .deterministic = 1},
     .run = gf_bounds_cpu},
    {{"auto", "the upper levels of the search in shared memory, four keys a thread at a time", "",
      .types = GF_TYPES_ALL, .cuda = 1, .deterministic = 1},
     .run = gf_bounds_cuda},
    {{"naive", "a binary search in global memory, one key a thread", "block=256", .max_n = MOST,
      .types = GF_TYPES_ALL, .cuda = 1, .deterministic = 1},
     .run = gf_bounds_naive_cuda},
    {{0}, NULL, NULL, NULL},
};

const struct gf_array_primitive gf_primitive_bounds = {
    {"bounds", "where keys stand in a sorted array: lower bounds, upper bounds, how many equal them"},
    variants,
};

static gf_status make_call(gf_queue queue, const gf_bounds_options *options, int64_t n, int64_t keys,
                           struct gf_bounds_call *call, gf_error *error)
{
    GF_STRUCT_TAKE(gf_bounds_options, array.type, taken, GF_BOUNDS_OPTIONS_INIT, options, error);
    if ((unsigned)taken.side > GF_BOUNDS_COUNT) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "bounds: side is %d, must be one of gf_bounds_side",
                       (int)taken.side);
    }
    if (n < 0) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "bounds: the array has %lld elements, must have at least 0",
                       (long long)n);
    }
    *call = (struct gf_bounds_call){.array = {.queue = queue, .options = taken.array, .n = keys},
                                    .elements = n,
                                    .side = taken.side,
                                    .descending = taken.descending != 0};
    return GF_OK;
}

gf_status gf_bounds_scratch(gf_device device, const gf_bounds_options *options, int64_t n, int64_t keys,
                            size_t *bytes, gf_error *error)
{
    struct gf_bounds_call call;
    GF_TRY(make_call((gf_queue){device, NULL}, options, n, keys, &call, error));
    return gf_array_scratch(&gf_primitive_bounds, &call.array, bytes, error);
}

gf_status gf_bounds(gf_queue queue, const gf_bounds_options *options, const void *sorted, int64_t n,
                    const void *wanted, int64_t keys, int64_t *places, void *scratch, size_t scratch_bytes,
                    gf_error *error)
{
    struct gf_bounds_call call;
    GF_TRY(make_call(queue, options, n, keys, &call, error));
    const size_t size = gf_depth_size(call.array.options.type);
    call.sorted = sorted;
    call.array.in = wanted;
    call.array.out = places;
    const struct gf_array_operand operands[] = {
        {"the sorted array", sorted, n, size},
        {"the array of keys", wanted, keys, size},
        {"the output", places, keys, sizeof *places},
        {0},
    };
    return gf_array_run(&gf_primitive_bounds, &call.array, operands, scratch, scratch_bytes, error);
}
