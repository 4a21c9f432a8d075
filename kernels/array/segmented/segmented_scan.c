#include "array/segmented/segmented_scan_call.h"

#include "gpufilter/segmented.h"

static const struct gf_array_variant variants[] = {
    {{"sequential", "one segment after the other, each scanned alone: the definition", "",
      .types = GF_TYPES_ALL, .deterministic = 1},
     .run = gf_segmented_scan_sequential},
    {{"auto", "chunks in cache, flags of where segments begin, in one pass over memory by all threads",
      "threads", .types = GF_TYPES_ALL, .deterministic = 1},
     .run = gf_segmented_scan_cpu},
    {{"auto", "bits of where segments begin, then scan's one pass, whose look-back ends at such a tile", "",
      .types = GF_TYPES_ALL, .cuda = 1, .deterministic = 1},
     .scratch = gf_segmented_scan_cuda_scratch,
     .run = gf_segmented_scan_cuda},
    {{0}, NULL, NULL, NULL},
};

const struct gf_array_primitive gf_primitive_segmented_scan = {
    {"segmented_scan", "sums, minima or maxima of each segment's elements up to each one"},
    variants,
};

static gf_status make_call(gf_queue queue, const gf_scan_options *options, int64_t n, int64_t segments,
                           struct gf_segmented_scan_call *call, gf_error *error)
{
    *call = (struct gf_segmented_scan_call){.segments = segments};
    GF_TRY(gf_array_check_segments("segmented_scan", n, segments, error));
    return gf_scan_make_call("segmented_scan", queue, options, n, &call->scan, error);
}

gf_status gf_segmented_scan_scratch(gf_device device, const gf_scan_options *options, int64_t n,
                                    int64_t segments, size_t *bytes, gf_error *error)
{
    struct gf_segmented_scan_call call;
    GF_TRY(make_call((gf_queue){device, NULL}, options, n, segments, &call, error));
    return gf_array_scratch(&gf_primitive_segmented_scan, &call.scan.array, bytes, error);
}

gf_status gf_segmented_scan(gf_queue queue, const gf_scan_options *options, const void *in, int64_t n,
                            const int64_t *offsets, int64_t segments, void *out, void *scratch,
                            size_t scratch_bytes, gf_error *error)
{
    struct gf_segmented_scan_call call;
    GF_TRY(make_call(queue, options, n, segments, &call, error));
    GF_TRY(gf_scan_place("segmented_scan", &call.scan, in, out, error));
    call.offsets = offsets;
    const struct gf_array_operand operands[] = {
        {"the input", in, n, gf_depth_size(call.scan.array.options.type)},
        {"the array of offsets", offsets, segments + 1, sizeof *offsets},
        {"the output", out, n, gf_depth_size(call.scan.out)},
        {0},
    };
    return gf_array_run(&gf_primitive_segmented_scan, &call.scan.array, operands, scratch, scratch_bytes,
                        error);
}
