#include "array/compact/compact_call.h"

#include "base/gf_order.h"
#include "base/sized.h"

#include <string.h>

static const struct gf_array_variant variants[] = {
    {{"sequential", "one element after the other: the definition", "", .types = GF_TYPES_ALL,
      .deterministic = 1},
     .run = gf_compact_sequential},
    {{"auto", "chunks in cache, counted and then packed by all threads, in one pass over memory", "threads",
      .types = GF_TYPES_ALL, .deterministic = 1},
     .run = gf_compact_cpu},
    {{"cpu-loop", "one thread and one loop of the type and condition, as one writes it by hand", "",
      .types = GF_TYPES_ALL, .deterministic = 1},
     .run = gf_compact_cpu_loop},
    {{"cpu-direct", "one thread and one loop with a branch: an element that stays is stored, and counted", "",
      .types = GF_TYPES_ALL, .deterministic = 1},
     .run = gf_compact_cpu_direct},
    {{"cpu-scan", "one thread and three loops: flags, their scan, a scatter", "", .types = GF_TYPES_ALL,
      .deterministic = 1},
     .scratch = gf_compact_cpu_scan_scratch,
     .run = gf_compact_cpu_scan},
    {{"auto", "one pass: bits and counts of tiles, look-back between them", "", .types = GF_TYPES_ALL,
      .cuda = 1, .deterministic = 1},
     .scratch = gf_compact_cuda_scratch,
     .run = gf_compact_cuda},
    {{"scatter-naive", "flags, their naive scan, a scatter", "block=128", .max_n = UINT32_MAX,
      .types = GF_TYPES_ALL, .cuda = 1, .deterministic = 1},
     .scratch = gf_compact_scatter_naive_scratch,
     .run = gf_compact_scatter_naive},
    {{"scatter-efficient", "flags, their efficient scan, a scatter", "block=128", .max_n = UINT32_MAX,
      .types = GF_TYPES_ALL, .cuda = 1, .deterministic = 1},
     .scratch = gf_compact_scatter_efficient_scratch,
     .run = gf_compact_scatter_efficient},
    {{NULL}, NULL, NULL, NULL},
};

const struct gf_array_primitive gf_primitive_compact = {
    {"compact", "the elements that a condition keeps, in their order, or their indices"},
    variants,
};

gf_depth gf_compact_result(const gf_compact_options *options, int64_t n)
{
    return !options                ? GF_U8
           : !options->indices     ? options->array.type
           : n <= INT64_C(1) << 32 ? GF_U32
                                   : GF_U64;
}

/* ---- The condition as a span of keys -------------------------------------------------------- */

struct span { /* of keys, both ends included; first > last: none */
    uint64_t first, last;
    bool is_empty;
};

/* Integers by order, not by bits: the sign is put back where the test is made. */
static uint64_t order_of(uint64_t bits, gf_depth type)
{
    switch (type) {
    case GF_S16:
        return bits ^ 0x8000U;
    case GF_S32:
        return bits ^ 0x80000000U;
    case GF_S64:
        return bits ^ (UINT64_C(1) << 63);
    case GF_F32:
        return gf_key_f32(gf_bits_float((uint32_t)bits));
    case GF_F64:
        return gf_key_f64(gf_bits_double(bits));
    default:
        return bits;
    }
}

/* The keys equal to `value` (two of them where it is a zero of floats; none for NaN), and the greatest of all
 * that are numbers. */
static struct span equal_span(uint64_t value, gf_depth type, uint64_t *greatest)
{
    uint64_t key = order_of(value, type);
    struct span span = {key, key, false};
    *greatest = UINT64_MAX >> (64 - 8 * gf_depth_size(type));
    if (type == GF_F32 || type == GF_F64) {
        bool single = type == GF_F32;
        uint64_t zero = single ? gf_key_f32(0.0F) : gf_key_f64(0.0);
        span.is_empty = key == *greatest;
        *greatest =
            single ? gf_key_f32(gf_bits_float(0x7f800000U)) : gf_key_f64(gf_bits_double(0x7ff0000000000000U));
        if (key == zero || key == zero - 1) {
            span.first = zero - 1; /* -0 */
            span.last = zero;
        }
    }
    return span;
}

static struct gf_keep_test make_test(gf_keep keep, uint64_t value, gf_depth type)
{
    uint64_t greatest;
    struct span s = equal_span(value, type, &greatest);
    bool outside = keep == GF_KEEP_NE || keep == GF_KEEP_NONZERO;
    if (keep == GF_KEEP_LT) {
        s.is_empty = s.is_empty || s.first == 0;
        s = (struct span){0, s.first - 1, s.is_empty};
    } else if (keep == GF_KEEP_LE) {
        s.first = 0;
    } else if (keep == GF_KEEP_GT) {
        s.is_empty = s.is_empty || s.last == greatest;
        s = (struct span){s.last + 1, greatest, s.is_empty};
    } else if (keep == GF_KEEP_GE) {
        s.last = greatest;
    }
    if (s.is_empty) { /* all keys, and the other side of them */
        return (struct gf_keep_test){0, UINT64_MAX, !outside};
    }
    /* Order back to bits: for integers a change of the origin, which wraps and leaves the span as it is. */
    bool is_float = type == GF_F32 || type == GF_F64;
    return (struct gf_keep_test){is_float ? s.first : order_of(s.first, type), s.last - s.first, outside};
}

/* ---- The call ---------------------------------------------------------------------------------- */

static gf_status check_options(const char *name, const gf_compact_options *options, gf_error *error)
{
    if ((unsigned)options->keep > GF_KEEP_FLAGS) {
        return gf_fail(error, GF_ERROR_ARGUMENT,
                       "%s: keep is %d; there are nonzero, eq, ne, lt, le, gt, ge and flags", name,
                       (int)options->keep);
    }
    if (gf_depth_size(options->array.type) == 0) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "%s: there is no element type %d", name,
                       (int)options->array.type);
    }
    if (options->keep != GF_KEEP_NONZERO && options->keep != GF_KEEP_FLAGS && !options->value) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "%s: this condition needs a value to compare with", name);
    }
    return GF_OK;
}

gf_status gf_compact_describe(const char *name, gf_queue queue, const gf_compact_options *options, int64_t n,
                              struct gf_compact_call *call, gf_error *error)
{
    GF_STRUCT_TAKE(gf_compact_options, array.type, taken, GF_COMPACT_OPTIONS_INIT, options, error);
    options = &taken;
    GF_TRY(check_options(name, options, error));
    memset(call, 0, sizeof *call);
    gf_depth type = options->array.type;
    call->array.queue = queue;
    call->array.options = options->array;
    call->array.n = n;
    call->keep = options->keep;
    call->indices = options->indices != 0;
    call->out = gf_compact_result(options, n);
    if (options->keep != GF_KEEP_NONZERO && options->keep != GF_KEEP_FLAGS) {
        memcpy(&call->value, options->value, gf_depth_size(type)); /* little-endian: the rest stays 0 */
    }
    call->test = make_test(options->keep, call->value, type);
    call->flags = options->keep == GF_KEEP_FLAGS ? options->flags : NULL;
    return GF_OK;
}

gf_status gf_compact_run(const struct gf_array_primitive *primitive, struct gf_compact_call *call,
                         const void *in, void *out, int64_t capacity, uint64_t *count, void *scratch,
                         size_t scratch_bytes, gf_error *error)
{
    const int64_t n = call->array.n;
    call->array.in = in;
    call->array.out = out;
    call->capacity = capacity;
    call->count = count;
    const struct gf_array_operand operands[] = {
        {"the input", in, n, gf_depth_size(call->array.options.type)},
        {"the output", out, capacity, gf_depth_size(call->out)},
        {"the count", count, 1, sizeof *count},
        {"the array of flags", call->flags, call->keep == GF_KEEP_FLAGS ? n : 0, 1},
        {0},
    };
    return gf_array_run(primitive, &call->array, operands, scratch, scratch_bytes, error);
}

gf_status gf_compact_scratch(gf_device device, const gf_compact_options *options, int64_t n, size_t *bytes,
                             gf_error *error)
{
    struct gf_compact_call call;
    GF_TRY(gf_compact_describe("compact", (gf_queue){device, NULL}, options, n, &call, error));
    return gf_array_scratch(&gf_primitive_compact, &call.array, bytes, error);
}

gf_status gf_compact(gf_queue queue, const gf_compact_options *options, const void *in, int64_t n, void *out,
                     int64_t capacity, uint64_t *count, void *scratch, size_t scratch_bytes, gf_error *error)
{
    struct gf_compact_call call;
    GF_TRY(gf_compact_describe("compact", queue, options, n, &call, error));
    GF_TRY(gf_array_check_capacity("compact", capacity, error));
    return gf_compact_run(&gf_primitive_compact, &call, in, out, capacity, count, scratch, scratch_bytes,
                          error);
}
