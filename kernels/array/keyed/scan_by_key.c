#include "array/segmented/segmented_scan_call.h"

#include "gpufilter/keyed.h"

static const struct gf_array_variant variants[] = {
    {{"sequential", "one run after the other, each scanned alone: the definition", "", .types = GF_TYPES_ALL,
      .deterministic = 1},
     .run = gf_segmented_scan_sequential},
    {{"auto", "chunks in cache, whose keys are compared and values scanned by all threads", "threads",
      .types = GF_TYPES_ALL, .deterministic = 1},
     .run = gf_segmented_scan_cpu},
    {{"auto", "bits of where runs begin, then scan's one pass, whose look-back ends at such a tile", "",
      .types = GF_TYPES_ALL, .cuda = 1, .deterministic = 1},
     .scratch = gf_segmented_scan_cuda_scratch,
     .run = gf_segmented_scan_cuda},
    {{0}, NULL, NULL, NULL},
};

const struct gf_array_primitive gf_primitive_scan_by_key = {
    {"scan_by_key", "sums, minima or maxima of the values of each run of equal keys up to each one"},
    variants,
};

static gf_status make_call(gf_queue queue, const gf_scan_options *options, gf_depth key, int64_t n,
                           struct gf_segmented_scan_call *call, gf_error *error)
{
    *call = (struct gf_segmented_scan_call){.by_key = true, .key = key};
    if (gf_depth_size(key) == 0) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "scan_by_key: there is no key type %d", (int)key);
    }
    if (n > INT64_C(1) << 48) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "scan_by_key: n is %lld, must be at most 2^48",
                       (long long)n);
    }
    return gf_scan_make_call("scan_by_key", queue, options, n, &call->scan, error);
}

gf_status gf_scan_by_key_scratch(gf_device device, const gf_scan_options *options, gf_depth key, int64_t n,
                                 size_t *bytes, gf_error *error)
{
    struct gf_segmented_scan_call call;
    GF_TRY(make_call((gf_queue){device, NULL}, options, key, n, &call, error));
    return gf_array_scratch(&gf_primitive_scan_by_key, &call.scan.array, bytes, error);
}

gf_status gf_scan_by_key(gf_queue queue, const gf_scan_options *options, gf_depth key, const void *keys,
                         const void *values, int64_t n, void *out, void *scratch, size_t scratch_bytes,
                         gf_error *error)
{
    struct gf_segmented_scan_call call;
    GF_TRY(make_call(queue, options, key, n, &call, error));
    GF_TRY(gf_scan_place("scan_by_key", &call.scan, values, out, error));
    call.keys = keys;
    const struct gf_array_operand operands[] = {
        {"the array of keys", keys, n, gf_depth_size(key)},
        {"the array of values", values, n, gf_depth_size(call.scan.array.options.type)},
        {"the output", out, n, gf_depth_size(call.scan.out)},
        {0},
    };
    return gf_array_run(&gf_primitive_scan_by_key, &call.scan.array, operands, scratch, scratch_bytes, error);
}
