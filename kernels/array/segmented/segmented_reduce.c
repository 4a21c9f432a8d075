#include "array/segmented/segmented_reduce_call.h"

#include "array/reduce/reduce_part.h"
#include "gpufilter/segmented.h"

static gf_status check(const struct gf_array_call *call, gf_error *error)
{
    return gf_reduce_check_bits("segmented_reduce", gf_segmented_reduce_call_of(call)->op, call->options.type,
                                error);
}

static const struct gf_array_variant variants[] = {
    {{"sequential", "one segment after the other, each reduced alone: the definition", "",
      .types = GF_TYPES_ALL, .deterministic = 1},
     .check = check,
     .run = gf_segmented_reduce_sequential},
    {{"auto", "equal shares of segments and elements, threads and vector instructions", "threads",
      .types = GF_TYPES_ALL, .deterministic = 1},
     .check = check,
     .scratch = gf_segmented_reduce_cpu_scratch,
     .run = gf_segmented_reduce_cpu},
    {{"auto", "equal shares of segments and elements for each warp; long segments in the fixed tree", "",
      .types = GF_TYPES_ALL, .cuda = 1, .deterministic = 1},
     .check = check,
     .scratch = gf_segmented_reduce_cuda_scratch,
     .run = gf_segmented_reduce_cuda},
    {{0}, NULL, NULL, NULL},
};

const struct gf_array_primitive gf_primitive_segmented_reduce = {
    {"segmented_reduce", "one value of each segment of an array: sum, product, least, greatest, where"},
    variants,
};

static gf_status make_call(gf_queue queue, const gf_reduce_options *options, int64_t n, int64_t segments,
                           struct gf_segmented_reduce_call *call, gf_error *error)
{
    gf_reduce_options o;
    GF_TRY(gf_reduce_take("segmented_reduce", GF_REDUCE_OR, options, &o, error));
    GF_TRY(gf_array_check_segments("segmented_reduce", n, segments, error));
    *call = (struct gf_segmented_reduce_call){
        .array = {.queue = queue, .options = o.array, .n = n}, .op = o.op, .segments = segments};
    return GF_OK;
}

gf_status gf_segmented_reduce_scratch(gf_device device, const gf_reduce_options *options, int64_t n,
                                      int64_t segments, size_t *bytes, gf_error *error)
{
    struct gf_segmented_reduce_call call;
    GF_TRY(make_call((gf_queue){device, NULL}, options, n, segments, &call, error));
    return gf_array_scratch(&gf_primitive_segmented_reduce, &call.array, bytes, error);
}

gf_status gf_segmented_reduce(gf_queue queue, const gf_reduce_options *options, const void *in, int64_t n,
                              const int64_t *offsets, int64_t segments, void *out, void *scratch,
                              size_t scratch_bytes, gf_error *error)
{
    struct gf_segmented_reduce_call call;
    GF_TRY(make_call(queue, options, n, segments, &call, error));
    call.array.in = in;
    call.array.out = out;
    call.offsets = offsets;
    const struct gf_array_operand operands[] = {
        {"the input", in, n, gf_depth_size(call.array.options.type)},
        {"the array of offsets", offsets, segments + 1, sizeof *offsets},
        {"the output", out, segments, gf_depth_size(gf_reduce_result(call.op, call.array.options.type))},
        {0},
    };
    return gf_array_run(&gf_primitive_segmented_reduce, &call.array, operands, scratch, scratch_bytes, error);
}
