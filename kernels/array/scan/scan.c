#include "array/scan/scan_call.h"

#include "base/sized.h"

#include "base/text.h"

/* The published scans have one type throughout. */
static gf_status check_published(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_scan_call *call = gf_scan_call_of(array);
    if (call->out != array->options.type) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED,
                       "scan, variant %s, has results of the input's type, %s, only", array->options.algo,
                       gf_depth_name(array->options.type));
    }
    return GF_OK;
}

static const struct gf_array_variant variants[] = {
    {{"sequential", "one element after the other: the definition", "", .types = GF_TYPES_ALL,
      .deterministic = 1},
     .run = gf_scan_sequential},
    {{"auto", "chunks in cache, summed and then scanned by all threads, in one pass over memory", "threads",
      .types = GF_TYPES_ALL, .deterministic = 1},
     .run = gf_scan_cpu},
    {{"cpu-loop", "one thread and one loop of the type, as one writes it by hand", "", .types = GF_TYPES_ALL,
      .deterministic = 1, .loose = 1},
     .run = gf_scan_cpu_loop},
    {{"auto", "one pass: tiles in registers, look-back in a fixed order between them", "",
      .types = GF_TYPES_ALL, .cuda = 1, .deterministic = 1},
     .scratch = gf_scan_cuda_scratch,
     .run = gf_scan_cuda},
    {{"quadratic", "a thread for each element, which adds up all before it", "block=128", .max_n = 1 << 20,
      .types = GF_TYPES_ALL, .cuda = 1, .deterministic = 1, .loose = 1},
     .check = check_published,
     .scratch = gf_scan_quadratic_scratch,
     .run = gf_scan_quadratic_cuda},
    {{"naive", "log2 n launches between two arrays, at doubling distances", "block=128",
      .types = GF_TYPES_ALL, .cuda = 1, .deterministic = 1, .loose = 1},
     .check = check_published,
     .scratch = gf_scan_naive_scratch,
     .run = gf_scan_naive_cuda},
    {{"efficient", "a tree in global memory, up and down, in 2 log2 n launches", "block=128",
      .types = GF_TYPES_ALL, .cuda = 1, .deterministic = 1, .loose = 1},
     .check = check_published,
     .scratch = gf_scan_efficient_scratch,
     .run = gf_scan_efficient_cuda},
    {{"hillis-steele", "doubling distances within a block, totals of blocks scanned in turn", "block=128",
      .types = GF_TYPES_ALL, .cuda = 1, .deterministic = 1, .loose = 1},
     .check = check_published,
     .scratch = gf_scan_hillis_steele_scratch,
     .run = gf_scan_hillis_steele_cuda},
    {{"blelloch", "a tree within a block, up and down, totals of blocks scanned in turn", "block=128",
      .types = GF_TYPES_ALL, .cuda = 1, .deterministic = 1, .loose = 1},
     .check = check_published,
     .scratch = gf_scan_blelloch_scratch,
     .run = gf_scan_blelloch_cuda},
    {{NULL}, NULL, NULL, NULL},
};

const struct gf_array_primitive gf_primitive_scan = {
    {"scan", "sums, minima or maxima of all elements up to each one"},
    variants,
};

/* ---- Checks ---------------------------------------------------------------------------- */

/* Types that sums of `in` may have, beside `in` itself. */
static uint32_t wider(gf_depth in)
{
    switch (in) {
    case GF_U8:
    case GF_U16:
        return GF_TYPE_BIT(GF_U32) | GF_TYPE_BIT(GF_U64);
    case GF_U32:
        return GF_TYPE_BIT(GF_U64);
    case GF_S16:
        return GF_TYPE_BIT(GF_S32) | GF_TYPE_BIT(GF_S64);
    case GF_S32:
        return GF_TYPE_BIT(GF_S64);
    case GF_F32:
        return GF_TYPE_BIT(GF_F64);
    default:
        return 0;
    }
}

static gf_status fail_type(const char *name, gf_depth in, gf_depth out, uint32_t types, gf_error *error)
{
    char names[80];
    struct gf_text text = gf_text_begin(names, sizeof names);
    gf_array_type_names(&text, types);
    return gf_fail(error, GF_ERROR_UNSUPPORTED, "%s: results of %s cannot be %s; they can be: %s", name,
                   gf_depth_name(in), gf_depth_name(out), names);
}

gf_status gf_scan_make_call(const char *name, gf_queue queue, const gf_scan_options *options, int64_t n,
                            struct gf_scan_call *call, gf_error *error)
{
    GF_STRUCT_TAKE(gf_scan_options, array.type, taken, GF_SCAN_OPTIONS_INIT, options, error);
    options = &taken;
    gf_depth in = options->array.type;
    if (gf_depth_size(in) == 0) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "%s: there is no element type %d", name, (int)in);
    }
    if ((unsigned)options->op > GF_SCAN_MAX) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "%s: op is %d; there are sum, min and max", name,
                       (int)options->op);
    }
    uint32_t types = GF_TYPE_BIT(in) | (options->op == GF_SCAN_SUM ? wider(in) : 0);
    if ((unsigned)options->out >= 32 || (types & GF_TYPE_BIT(options->out)) == 0) {
        return fail_type(name, in, options->out, types, error);
    }
    *call = (struct gf_scan_call){
        {queue, options->array, n, NULL, NULL, NULL, 0}, options->op, options->inclusive != 0, options->out};
    return GF_OK;
}

gf_status gf_scan_place(const char *name, struct gf_scan_call *call, const void *in, void *out,
                        gf_error *error)
{
    if (in == out && call->array.n > 0 && call->out != call->array.options.type) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "%s: in place needs equal types, not %s to %s", name,
                       gf_depth_name(call->array.options.type), gf_depth_name(call->out));
    }
    call->array.in = in;
    call->array.out = out;
    return GF_OK;
}

gf_status gf_scan_scratch(gf_device device, const gf_scan_options *options, int64_t n, size_t *bytes,
                          gf_error *error)
{
    struct gf_scan_call call;
    GF_TRY(gf_scan_make_call("scan", (gf_queue){device, NULL}, options, n, &call, error));
    return gf_array_scratch(&gf_primitive_scan, &call.array, bytes, error);
}

gf_status gf_scan(gf_queue queue, const gf_scan_options *options, const void *in, int64_t n, void *out,
                  void *scratch, size_t scratch_bytes, gf_error *error)
{
    struct gf_scan_call call;
    GF_TRY(gf_scan_make_call("scan", queue, options, n, &call, error));
    GF_TRY(gf_scan_place("scan", &call, in, out, error));
    const struct gf_array_operand operands[] = {
        {"the input", in, n, gf_depth_size(options->array.type)},
        {"the output", out, n, gf_depth_size(options->out)},
        {0},
    };
    return gf_array_run(&gf_primitive_scan, &call.array, operands, scratch, scratch_bytes, error);
}
