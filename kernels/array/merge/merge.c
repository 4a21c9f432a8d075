#include "gpufilter/sort.h"

#include "array/sort/sort_call.h"

static const struct gf_array_variant variants[] = {
    {{"sequential", "takes the smaller of the two heads, one after the other: the definition", "",
      .types = GF_TYPES_ALL, .deterministic = 1},
     .run = gf_merge_sequential},
    {{"auto", "an equal share of the output for each thread, found on its merge path", "threads",
      .types = GF_TYPES_ALL, .deterministic = 1},
     .run = gf_merge_cpu},
    {{"auto", "tiles of the output, found on their merge paths, merged in shared memory", "",
      .types = GF_TYPES_ALL, .cuda = 1, .deterministic = 1},
     .scratch = gf_merge_cuda_scratch,
     .run = gf_merge_cuda},
    {{"rank", "each output finds itself by binary search", "block=256", .max_n = INT64_C(1) << 35,
      .types = GF_TYPES_ALL, .cuda = 1, .deterministic = 1},
     .run = gf_merge_rank_cuda},
    {{0}, NULL, NULL, NULL},
};

const struct gf_array_primitive gf_primitive_merge = {
    {"merge", "merges two sorted arrays, of keys or of keys with values; stable, NaN last"}, variants};

static gf_status describe(gf_queue queue, const gf_sort_options *options, int64_t n, int64_t m,
                          struct gf_merge_call *call, gf_error *error)
{
    struct gf_sort_call sort;
    GF_TRY(gf_sort_describe("merge", queue, options, 0, &sort, error));
    if (n < 0 || m < 0 || n > INT64_MAX - m) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "merge: arrays of %lld and %lld elements", (long long)n,
                       (long long)m);
    }
    *call = (struct gf_merge_call){.array = sort.array,
                                   .a_count = n,
                                   .b_count = m,
                                   .descending = sort.descending,
                                   .value_size = sort.value_size};
    call->array.n = n + m;
    return GF_OK;
}

gf_status gf_merge_scratch(gf_device device, const gf_sort_options *options, int64_t n, int64_t m,
                           size_t *bytes, gf_error *error)
{
    struct gf_merge_call call;
    GF_TRY(describe((gf_queue){device, NULL}, options, n, m, &call, error));
    return gf_array_scratch(&gf_primitive_merge, &call.array, bytes, error);
}

gf_status gf_merge(gf_queue queue, const gf_sort_options *options, const void *a, const void *a_values,
                   int64_t n, const void *b, const void *b_values, int64_t m, void *out, void *values_out,
                   void *scratch, size_t scratch_bytes, gf_error *error)
{
    struct gf_merge_call call;
    GF_TRY(describe(queue, options, n, m, &call, error));
    const size_t size = gf_depth_size(options->array.type), value = (size_t)call.value_size;
    const size_t alignment = value > 0 ? value : 1;
    if (value == 0 && (a_values || b_values || values_out)) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "merge: values are given, but value_size is 0");
    }
    call.a = a;
    call.b = b;
    call.a_values = a_values;
    call.b_values = b_values;
    call.array.out = out;
    call.values_out = values_out;
    const struct gf_array_operand operands[] = {
        {"the first array", a, n, size},
        {"the second array", b, m, size},
        {"the output", out, n + m, size},
        {"the values of the first array", a_values, value > 0 ? n : 0, alignment},
        {"the values of the second array", b_values, value > 0 ? m : 0, alignment},
        {"the output for values", values_out, value > 0 ? n + m : 0, alignment},
        {0},
    };
    return gf_array_run(&gf_primitive_merge, &call.array, operands, scratch, scratch_bytes, error);
}
