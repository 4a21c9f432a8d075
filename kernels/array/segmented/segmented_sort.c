#include "array/sort/sort_call.h"

static const struct gf_array_variant variants[] = {
    {{"sequential", "a plain stable merge sort of each segment: the definition", "", .types = GF_TYPES_ALL,
      .deterministic = 1},
     .scratch = gf_segmented_sort_sequential_scratch,
     .run = gf_segmented_sort_sequential},
    {{"auto", "long segments by all threads; the others shared out, each by insertion or by digits",
      "threads", .types = GF_TYPES_ALL, .deterministic = 1},
     .scratch = gf_segmented_sort_cpu_scratch,
     .run = gf_segmented_sort_cpu},
    {{"auto", "tiles of 4096 sorted segment by segment; what reaches over tiles merged along merge paths", "",
      .types = GF_TYPES_ALL, .cuda = 1, .deterministic = 1},
     .scratch = gf_segmented_sort_cuda_scratch,
     .run = gf_segmented_sort_cuda},
    {{0}, NULL, NULL, NULL},
};

const struct gf_array_primitive gf_primitive_segmented_sort = {
    {"segmented_sort", "sorts each segment of an array, keys or keys with values; stable, NaN last"},
    variants};

static gf_status describe(gf_queue queue, const gf_sort_options *options, int64_t n, int64_t segments,
                          struct gf_segmented_sort_call *call, gf_error *error)
{
    *call = (struct gf_segmented_sort_call){.segments = segments};
    GF_TRY(gf_sort_describe("segmented_sort", queue, options, n, &call->sort, error));
    if (segments < 0 || segments == INT64_MAX || (segments == 0 && n > 0)) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "segmented_sort: %lld segments of %lld elements",
                       (long long)segments, (long long)n);
    }
    return GF_OK;
}

gf_status gf_segmented_sort_scratch(gf_device device, const gf_sort_options *options, int64_t n,
                                    int64_t segments, size_t *bytes, gf_error *error)
{
    struct gf_segmented_sort_call call;
    GF_TRY(describe((gf_queue){device, NULL}, options, n, segments, &call, error));
    return gf_array_scratch(&gf_primitive_segmented_sort, &call.sort.array, bytes, error);
}

gf_status gf_segmented_sort(gf_queue queue, const gf_sort_options *options, const void *keys,
                            const void *values, int64_t n, const int64_t *offsets, int64_t segments,
                            void *keys_out, void *values_out, void *scratch, size_t scratch_bytes,
                            gf_error *error)
{
    struct gf_segmented_sort_call call;
    GF_TRY(describe(queue, options, n, segments, &call, error));
    const size_t size = gf_depth_size(options->array.type), value = (size_t)call.sort.value_size;
    if (value == 0 && (values || values_out)) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "segmented_sort: values are given, but value_size is 0");
    }
    call.sort.array.in = keys;
    call.sort.array.out = keys_out;
    call.sort.values = values;
    call.sort.values_out = values_out;
    call.offsets = offsets;
    const struct gf_array_operand operands[] = {
        {"the input", keys, n, size},
        {"the array of offsets", offsets, segments + 1, sizeof *offsets},
        {"the output for keys", keys_out, n, size},
        {"the array of values", values, value > 0 ? n : 0, value > 0 ? value : 1},
        {"the output for values", values_out, value > 0 ? n : 0, value > 0 ? value : 1},
        {0},
    };
    return gf_array_run(&gf_primitive_segmented_sort, &call.sort.array, operands, scratch, scratch_bytes,
                        error);
}
