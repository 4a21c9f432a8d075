#include "gpufilter/sort.h"

#include "array/sort/sort_call.h"

#include "base/sized.h"

#include <string.h>

/* The check of variants that know no range of bits. */
gf_status gf_sort_whole_keys(const struct gf_array_call *array, gf_error *error)
{
    return gf_sort_call_of(array)->ignored == 0
               ? GF_OK
               : gf_fail(error, GF_ERROR_UNSUPPORTED,
                         "sort: a range of bits is for the variants sequential and auto");
}

static const struct gf_array_variant variants[] = {
    {{"sequential", "plain stable merge sort: the definition", "", .types = GF_TYPES_ALL, .deterministic = 1},
     .scratch = gf_sort_sequential_scratch,
     .run = gf_sort_sequential},
    {{"auto", "keys alone by quicksort with vectors, or counted; others by radix sort, 8-bit digits",
      "threads", .types = GF_TYPES_ALL, .deterministic = 1},
     .scratch = gf_sort_cpu_scratch,
     .run = gf_sort_cpu},
    {{"cpu-loop", "introsort on one thread; values travel by the places of their keys", "",
      .types = GF_TYPES_ALL, .deterministic = 1},
     .check = gf_sort_whole_keys,
     .scratch = gf_sort_cpu_loop_scratch,
     .run = gf_sort_cpu_loop},
    {{"auto", "one-sweep radix sort by 8-bit digits; narrow keys without values are counted", "tile",
      .types = GF_TYPES_ALL, .cuda = 1, .deterministic = 1},
     .check = gf_sort_cuda_check,
     .scratch = gf_sort_cuda_scratch,
     .run = gf_sort_cuda},
    {{"bitonic", "a launch for each step of the network; places too where stability shows", "block=256",
      .max_n = UINT32_MAX, .types = GF_TYPES_ALL, .cuda = 1, .deterministic = 1},
     .check = gf_sort_whole_keys,
     .scratch = gf_sort_bitonic_cuda_scratch,
     .run = gf_sort_bitonic_cuda},
    {{"radix-1bit", "splits by one bit after the other: flags, their scan by the efficient tree, a scatter",
      "block=128", .types = GF_TYPES_ALL, .cuda = 1, .deterministic = 1},
     .check = gf_sort_whole_keys,
     .scratch = gf_sort_split_cuda_scratch,
     .run = gf_sort_split_cuda},
    {{"radix-1bit-lookback", "the same splits, their flags scanned in one pass", "block=128",
      .types = GF_TYPES_ALL, .cuda = 1, .deterministic = 1},
     .check = gf_sort_whole_keys,
     .scratch = gf_sort_split_lookback_cuda_scratch,
     .run = gf_sort_split_lookback_cuda},
    {{"merge", "merge sort: runs of 8192 by block, then passes along merge paths", "", .types = GF_TYPES_ALL,
      .cuda = 1, .deterministic = 1},
     .check = gf_sort_whole_keys,
     .scratch = gf_sort_merge_cuda_scratch,
     .run = gf_sort_merge_cuda},
    {{0}, NULL, NULL, NULL},
};

const struct gf_array_primitive gf_primitive_sort = {
    {"sort", "sorts keys, or keys with values; stable, NaN last"}, variants};

/* Reads first_bit and bits. */
static gf_status take_bits(const char *name, const gf_sort_options *options, uint64_t *ignored,
                           gf_error *error)
{
    const gf_depth type = options->array.type;
    const int32_t all = (int32_t)(8 * gf_depth_size(type)), first = options->first_bit, bits = options->bits;
    *ignored = 0;
    if (first == 0 && bits == 0) {
        return GF_OK;
    }
    if (strcmp(name, "sort") != 0 || (GF_TYPES_FLOAT & GF_TYPE_BIT(type)) != 0) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED, "%s: a range of bits is for the sort of integers", name);
    }
    if (first < 0 || bits < 1 || bits > all || first > all - bits) {
        return gf_fail(error, GF_ERROR_ARGUMENT,
                       "sort: %d bits from bit %d on: must be 1 or more of the %d that a key of %s has",
                       (int)bits, (int)first, (int)all, gf_depth_name(type));
    }
    *ignored = ~((bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1) << first);
    *ignored &= all == 64 ? UINT64_MAX : (UINT64_C(1) << all) - 1;
    return GF_OK;
}

gf_status gf_sort_describe(const char *name, gf_queue queue, const gf_sort_options *options, int64_t n,
                           struct gf_sort_call *call, gf_error *error)
{
    GF_STRUCT_TAKE(gf_sort_options, array.type, taken, GF_SORT_OPTIONS_INIT, options, error);
    options = &taken;
    if (options->value_size != 0 && options->value_size != 4 && options->value_size != 8) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "%s: values have 4 or 8 bytes, or 0 for none, not %d", name,
                       (int)options->value_size);
    }
    *call = (struct gf_sort_call){.array = {.queue = queue, .options = options->array, .n = n},
                                  .descending = options->descending != 0,
                                  .value_size = options->value_size};
    return take_bits(name, options, &call->ignored, error);
}

gf_status gf_sort_scratch(gf_device device, const gf_sort_options *options, int64_t n, size_t *bytes,
                          gf_error *error)
{
    struct gf_sort_call call;
    GF_TRY(gf_sort_describe("sort", (gf_queue){device, NULL}, options, n, &call, error));
    return gf_array_scratch(&gf_primitive_sort, &call.array, bytes, error);
}

gf_status gf_sort(gf_queue queue, const gf_sort_options *options, const void *keys, const void *values,
                  int64_t n, void *keys_out, void *values_out, void *scratch, size_t scratch_bytes,
                  gf_error *error)
{
    struct gf_sort_call call;
    GF_TRY(gf_sort_describe("sort", queue, options, n, &call, error));
    const size_t size = gf_depth_size(options->array.type), value = (size_t)call.value_size;
    if (value == 0 && (values || values_out)) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "sort: values are given, but value_size is 0");
    }
    call.array.in = keys;
    call.array.out = keys_out;
    call.values = values;
    call.values_out = values_out;
    const struct gf_array_operand operands[] = {
        {"the input", keys, n, size},
        {"the output for keys", keys_out, n, size},
        {"the array of values", values, value > 0 ? n : 0, value > 0 ? value : 1},
        {"the output for values", values_out, value > 0 ? n : 0, value > 0 ? value : 1},
        {0},
    };
    return gf_array_run(&gf_primitive_sort, &call.array, operands, scratch, scratch_bytes, error);
}
