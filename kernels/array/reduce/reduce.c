#include "gpufilter/reduce.h"

#include "array/reduce/reduce_call.h"
#include "array/reduce/reduce_part.h"

#include "base/sized.h"

#include <stdbool.h>

static const char *op_name(gf_reduce_op op)
{
    static const char *const names[] = {"sum", "product", "min", "max", "argmin", "argmax", "and",
                                        "or",  "mean",    "var", "xor", "any",    "all"};
    return (unsigned)op < sizeof names / sizeof names[0] ? names[op] : "unknown";
}

gf_depth gf_reduce_result(gf_reduce_op op, gf_depth type)
{
    bool is_signed = (GF_TYPES_SIGNED & GF_TYPE_BIT(type)) != 0;
    switch (op) {
    case GF_REDUCE_SUM:
    case GF_REDUCE_PRODUCT:
        return gf_reduce_is_float(type) ? GF_F64 : is_signed ? GF_S64 : GF_U64;
    case GF_REDUCE_ARGMIN:
    case GF_REDUCE_ARGMAX:
        return GF_S64;
    case GF_REDUCE_MEAN:
    case GF_REDUCE_VAR:
        return GF_F64;
    case GF_REDUCE_ANY:
    case GF_REDUCE_ALL:
        return GF_U8;
    default:
        return type;
    }
}

static gf_status check(const struct gf_array_call *call, gf_error *error)
{
    gf_reduce_op op = gf_reduce_call_of(call)->op;
    bool bitwise = op == GF_REDUCE_AND || op == GF_REDUCE_OR || op == GF_REDUCE_XOR;
    if (bitwise && gf_reduce_is_float(call->options.type)) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED, "reduce: %s is for integers, not for %s", op_name(op),
                       gf_depth_name(call->options.type));
    }
    return GF_OK;
}

/* The published ones reduce to one word. */
static gf_status check_textbook(const struct gf_array_call *call, gf_error *error)
{
    gf_reduce_op op = gf_reduce_call_of(call)->op;
    if (op == GF_REDUCE_ARGMIN || op == GF_REDUCE_ARGMAX || op == GF_REDUCE_MEAN || op == GF_REDUCE_VAR) {
        return gf_fail(
            error, GF_ERROR_UNSUPPORTED,
            "reduce, variant %s, has no %s; it has: sum, product, min, max, and, or, xor, any, all",
            call->options.algo, op_name(op));
    }
    return check(call, error);
}

#define TEXTBOOK_MOST (INT64_C(1) << 36) /* elements: blocks of 32 threads in one grid */

static const struct gf_array_variant variants[] = {
    {{"sequential", "one element after the other: the definition", "", 0, GF_TYPES_ALL, 0, 1, 0, 0, 0},
     check,
     NULL,
     gf_reduce_sequential},
    {{"auto", "vector instructions and threads", "threads", 0, GF_TYPES_ALL, 0, 1, 0, 0, 0},
     check,
     gf_reduce_cpu_scratch,
     gf_reduce_cpu},
    {{"auto", "16 bytes a load, one launch; floats in the fixed tree", "", 0, GF_TYPES_ALL, 1, 1, 0, 0, 0},
     check,
     gf_reduce_cuda_scratch,
     gf_reduce_cuda},
    {{"basic", "a tree in shared memory, one element a thread", "block=128", TEXTBOOK_MOST, GF_TYPES_ALL, 1,
      1, 0, 1, 0},
     check_textbook,
     gf_reduce_basic_scratch,
     gf_reduce_basic_cuda},
    {{"two-per-thread", "a tree in shared memory, the first step while loading", "block=128", TEXTBOOK_MOST,
      GF_TYPES_ALL, 1, 1, 0, 1, 0},
     check_textbook,
     gf_reduce_two_scratch,
     gf_reduce_two_cuda},
    {{"shuffle", "registers of a warp, then of the warps' results", "block=128", TEXTBOOK_MOST, GF_TYPES_ALL,
      1, 1, 0, 1, 0},
     check_textbook,
     gf_reduce_shuffle_scratch,
     gf_reduce_shuffle_cuda},
    {{0}, NULL, NULL, NULL},
};

const struct gf_array_primitive gf_primitive_reduce = {
    {"reduce", "one value of an array: sum, product, least, greatest, where, mean, variance, bits, any, all"},
    variants,
};

static gf_status make_call(gf_queue queue, const gf_reduce_options *options, int64_t n,
                           struct gf_reduce_call *call, gf_error *error)
{
    static const struct gf_sized sized = GF_SIZED(gf_reduce_options, array.type);
    gf_reduce_options taken = GF_REDUCE_OPTIONS_INIT;
    GF_TRY(gf_struct_in(&sized, options, &taken, error));
    options = &taken;
    if ((unsigned)options->op > GF_REDUCE_ALL) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "reduce: op is %d, must be 0 to %d", (int)options->op,
                       GF_REDUCE_ALL);
    }
    *call = (struct gf_reduce_call){.array = {.queue = queue, .options = options->array, .n = n},
                                    .op = options->op};
    return GF_OK;
}

gf_status gf_reduce_scratch(gf_device device, const gf_reduce_options *options, int64_t n, size_t *bytes,
                            gf_error *error)
{
    struct gf_reduce_call call;
    GF_TRY(make_call((gf_queue){device, NULL}, options, n, &call, error));
    return gf_array_scratch(&gf_primitive_reduce, &call.array, bytes, error);
}

gf_status gf_reduce(gf_queue queue, const gf_reduce_options *options, const void *in, int64_t n, void *out,
                    void *scratch, size_t scratch_bytes, gf_error *error)
{
    struct gf_reduce_call call;
    GF_TRY(make_call(queue, options, n, &call, error));
    call.array.in = in;
    call.array.out = out;
    const struct gf_array_operand operands[] = {
        {"the input", in, n, gf_depth_size(options->array.type)},
        {"the output", out, 1, 8},
        {0},
    };
    return gf_array_run(&gf_primitive_reduce, &call.array, operands, scratch, scratch_bytes, error);
}
