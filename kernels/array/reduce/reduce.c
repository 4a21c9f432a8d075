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

gf_status gf_reduce_check_bits(const char *name, gf_reduce_op op, gf_depth type, gf_error *error)
{
    bool bitwise = op == GF_REDUCE_AND || op == GF_REDUCE_OR || op == GF_REDUCE_XOR;
    if (bitwise && gf_reduce_is_float(type)) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED, "%s: %s is for integers, not for %s", name, op_name(op),
                       gf_depth_name(type));
    }
    return GF_OK;
}

static gf_status check(const struct gf_array_call *call, gf_error *error)
{
    return gf_reduce_check_bits("reduce", gf_reduce_call_of(call)->op, call->options.type, error);
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
    {{"sequential", "one element after the other: the definition", "", .types = GF_TYPES_ALL,
      .deterministic = 1},
     .check = check,
     .run = gf_reduce_sequential},
    {{"auto", "vector instructions and threads", "threads", .types = GF_TYPES_ALL, .deterministic = 1},
     .check = check,
     .scratch = gf_reduce_cpu_scratch,
     .run = gf_reduce_cpu},
    {{"auto", "16 bytes a load, one launch; floats in the fixed tree", "", .types = GF_TYPES_ALL, .cuda = 1,
      .deterministic = 1},
     .check = check,
     .scratch = gf_reduce_cuda_scratch,
     .run = gf_reduce_cuda},
    {{"basic", "a tree in shared memory, one element a thread", "block=128", .max_n = TEXTBOOK_MOST,
      .types = GF_REDUCE_TEXT_TYPES, .cuda = 1, .deterministic = 1, .loose = 1},
     .check = check_textbook,
     .scratch = gf_reduce_basic_scratch,
     .run = gf_reduce_basic_cuda},
    {{"two-per-thread", "a tree in shared memory, the first step while loading", "block=128",
      .max_n = TEXTBOOK_MOST, .types = GF_REDUCE_TEXT_TYPES, .cuda = 1, .deterministic = 1, .loose = 1},
     .check = check_textbook,
     .scratch = gf_reduce_two_scratch,
     .run = gf_reduce_two_cuda},
    {{"shuffle", "registers of a warp, then of the warps' results", "block=128", .max_n = TEXTBOOK_MOST,
      .types = GF_REDUCE_TEXT_TYPES, .cuda = 1, .deterministic = 1, .loose = 1},
     .check = check_textbook,
     .scratch = gf_reduce_shuffle_scratch,
     .run = gf_reduce_shuffle_cuda},
    {{0}, NULL, NULL, NULL},
};

const struct gf_array_primitive gf_primitive_reduce = {
    {"reduce", "one value of an array: sum, product, least, greatest, where, mean, variance, bits, any, all"},
    variants,
};

gf_status gf_reduce_take(const char *name, gf_reduce_op last, const gf_reduce_options *options,
                         gf_reduce_options *taken, gf_error *error)
{
    static const struct gf_sized sized = GF_SIZED(gf_reduce_options, array.type);
    *taken = (gf_reduce_options)GF_REDUCE_OPTIONS_INIT;
    GF_TRY(gf_struct_in(&sized, options, taken, error));
    if ((unsigned)taken->op > GF_REDUCE_ALL) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "%s: op is %d, must be 0 to %d", name, (int)taken->op, last);
    }
    if (taken->op > last) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED,
                       "%s has no mean and no var; it has: sum, product, min, max, argmin, argmax, and, or",
                       name);
    }
    return GF_OK;
}

static gf_status make_call(gf_queue queue, const gf_reduce_options *options, int64_t n,
                           struct gf_reduce_call *call, gf_error *error)
{
    gf_reduce_options o;
    GF_TRY(gf_reduce_take("reduce", GF_REDUCE_ALL, options, &o, error));
    *call = (struct gf_reduce_call){.array = {.queue = queue, .options = o.array, .n = n}, .op = o.op};
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
