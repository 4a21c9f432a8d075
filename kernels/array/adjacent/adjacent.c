#include "array/adjacent/adjacent_call.h"

#include "base/sized.h"

#define MOST (INT64_C(1) << 36) /* elements: blocks of 32 threads in one grid */

static const struct gf_array_variant variants[] = {
    {{"sequential", "one element after the other: the definition", "", .types = GF_TYPES_ALL,
      .deterministic = 1},
     .run = gf_adjacent_sequential},
    {{"auto", "vectors, by all threads", "threads", .types = GF_TYPES_ALL, .deterministic = 1},
     .run = gf_adjacent_cpu},
    {{"auto", "16 bytes a thread, the element before from the neighbour", "", .types = GF_TYPES_ALL,
      .cuda = 1, .deterministic = 1},
     .run = gf_adjacent_cuda},
    {{"naive", "a thread an element, which reads two", "block=256", .max_n = MOST, .types = GF_TYPES_ALL,
      .cuda = 1, .deterministic = 1},
     .run = gf_adjacent_naive_cuda},
    {{0}, NULL, NULL, NULL},
};

const struct gf_array_primitive gf_primitive_adjacent_difference = {
    {"adjacent_difference", "each element less the one before it"},
    variants,
};

static gf_status make_call(gf_queue queue, const gf_adjacent_options *options, int64_t n,
                           struct gf_array_call *call, gf_error *error)
{
    GF_STRUCT_TAKE(gf_adjacent_options, array.type, taken, GF_ADJACENT_OPTIONS_INIT, options, error);
    *call = (struct gf_array_call){.queue = queue, .options = taken.array, .n = n};
    return GF_OK;
}

gf_status gf_adjacent_difference_scratch(gf_device device, const gf_adjacent_options *options, int64_t n,
                                         size_t *bytes, gf_error *error)
{
    struct gf_array_call call;
    GF_TRY(make_call((gf_queue){device, NULL}, options, n, &call, error));
    return gf_array_scratch(&gf_primitive_adjacent_difference, &call, bytes, error);
}

gf_status gf_adjacent_difference(gf_queue queue, const gf_adjacent_options *options, const void *in,
                                 int64_t n, void *out, void *scratch, size_t scratch_bytes, gf_error *error)
{
    struct gf_array_call call;
    GF_TRY(make_call(queue, options, n, &call, error));
    const size_t size = gf_depth_size(call.options.type);
    call.in = in;
    call.out = out;
    const struct gf_array_operand operands[] = {
        {"the input", in, n, size},
        {"the output", out, n, size},
        {0},
    };
    return gf_array_run(&gf_primitive_adjacent_difference, &call, operands, scratch, scratch_bytes, error);
}
