#include "array/segmented/segmented_reduce_call.h"

#include "array/reduce/reduce_part.h"
#include "base/sized.h"
#include "gpufilter/segmented.h"

static gf_status check(const struct gf_array_call *call, gf_error *error)
{
    gf_reduce_op op = gf_segmented_reduce_call_of(call)->op;
    if ((op == GF_REDUCE_AND || op == GF_REDUCE_OR) && gf_reduce_is_float(call->options.type)) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED, "segmented_reduce: %s is for integers, not for %s",
                       op == GF_REDUCE_AND ? "and" : "or", gf_depth_name(call->options.type));
    }
    return GF_OK;
}

static const struct gf_array_variant variants[] = {
    {{"sequential", "one segment after the other, each reduced alone: the definition", "", 0, GF_TYPES_ALL, 0,
      1, 0, 0, 0},
     check,
     NULL,
     gf_segmented_reduce_sequential},
    {{"auto", "equal shares of segments and elements, threads and vector instructions", "threads", 0,
      GF_TYPES_ALL, 0, 1, 0, 0, 0},
     check,
     gf_segmented_reduce_cpu_scratch,
     gf_segmented_reduce_cpu},
    {{"auto", "equal shares of segments and elements for each warp; long segments in the fixed tree", "", 0,
      GF_TYPES_ALL, 1, 1, 0, 0, 0},
     check,
     gf_segmented_reduce_cuda_scratch,
     gf_segmented_reduce_cuda},
    {{0}, NULL, NULL, NULL},
};

const struct gf_array_primitive gf_primitive_segmented_reduce = {
    {"segmented_reduce", "one value of each segment of an array: sum, product, least, greatest, where"},
    variants,
};

static gf_status make_call(gf_queue queue, const gf_reduce_options *options, int64_t n, int64_t segments,
                           struct gf_segmented_reduce_call *call, gf_error *error)
{
    static const struct gf_sized sized = GF_SIZED(gf_reduce_options, array.type);
    gf_reduce_options taken = GF_REDUCE_OPTIONS_INIT;
    GF_TRY(gf_struct_in(&sized, options, &taken, error));
    options = &taken;
    if ((unsigned)options->op > GF_REDUCE_ALL) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "segmented_reduce: op is %d, must be 0 to %d",
                       (int)options->op, GF_REDUCE_OR);
    }
    if (options->op > GF_REDUCE_OR) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED,
                       "segmented_reduce has no mean and no var; it has: sum, product, min, max, argmin, "
                       "argmax, and, or");
    }
    if (segments < 0 || segments > INT64_C(1) << 48 || n > INT64_C(1) << 48 || (n > 0 && segments == 0)) {
        return gf_fail(error, GF_ERROR_ARGUMENT,
                       "segmented_reduce: %lld elements in %lld segments: must be 0 to 2^48 of each, and "
                       "without segments there are no elements",
                       (long long)n, (long long)segments);
    }
    *call = (struct gf_segmented_reduce_call){.array = {.queue = queue, .options = options->array, .n = n},
                                              .op = options->op,
                                              .segments = segments};
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
        {"the input", in, n, gf_depth_size(options->array.type)},
        {"the array of offsets", offsets, segments + 1, sizeof *offsets},
        {"the output", out, segments, gf_depth_size(gf_reduce_result(options->op, options->array.type))},
        {0},
    };
    return gf_array_run(&gf_primitive_segmented_reduce, &call.array, operands, scratch, scratch_bytes, error);
}
