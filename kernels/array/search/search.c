#include "array/search/search_call.h"

#include "base/sized.h"

#include "base/gf_order.h"

#include <string.h>

static gf_status check_sort(const struct gf_array_call *call, gf_error *error)
{
    if (gf_search_call_of(call)->mode == GF_SEARCH_ALL) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED, "search, variant %s, has first and count, not all",
                       call->options.algo);
    }
    return GF_OK;
}

enum { UNROLL_MOST = 64 };

/* The published ones look for the first. */
static gf_status check_first(const struct gf_array_call *call, gf_error *error)
{
    if (gf_search_call_of(call)->mode != GF_SEARCH_FIRST) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED, "search, variant %s, finds the first place only",
                       call->options.algo);
    }
    return GF_OK;
}

static gf_status check_unroll(const struct gf_array_call *call, gf_error *error)
{
    if (call->options.unroll > UNROLL_MOST) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "search, variant %s: unroll is %d, must be 1 to %d",
                       call->options.algo, call->options.unroll, UNROLL_MOST);
    }
    return check_first(call, error);
}

#define GRID_MOST (INT64_C(1) << 36) /* elements: blocks of 32 threads in one grid */

#define TEXT_TYPES (GF_TYPE_BIT(GF_S32) | GF_TYPE_BIT(GF_U32)) /* int, as in the text */

static const struct gf_array_variant variants[] = {
    {{"sequential", "every index in turn, up to the first match", "", .types = GF_TYPES_ALL,
      .deterministic = 1},
     .run = gf_search_sequential},
    {{"auto", "vector instructions, threads take chunks in order and stop early", "threads",
      .types = GF_TYPES_ALL, .deterministic = 1},
     .run = gf_search_cpu},
    {{"cpu-loop", "one thread and one loop of the type, as one writes it by hand", "", .types = GF_TYPES_ALL,
      .deterministic = 1},
     .run = gf_search_cpu_loop},
    {{"sort-bsearch", "sorts elements with their indices, then bisects", "", .types = GF_TYPES_ALL,
      .deterministic = 1},
     .check = check_sort,
     .scratch = gf_search_sort_scratch,
     .run = gf_search_sort},
    {{"auto", "16 bytes a load, in order, until the lowest match is known", "", .types = GF_TYPES_ALL,
      .cuda = 1, .deterministic = 1},
     .scratch = gf_search_cuda_scratch,
     .run = gf_search_cuda},
    {{"strided", "each thread takes unroll neighbours", "block=256 unroll=12", .max_n = GRID_MOST,
      .types = TEXT_TYPES, .cuda = 1, .deterministic = 1},
     .check = check_unroll,
     .run = gf_search_strided_cuda},
    {{"coalesced", "each thread takes unroll elements, a grid apart", "block=256 unroll=12",
      .max_n = GRID_MOST, .types = TEXT_TYPES, .cuda = 1, .deterministic = 1},
     .check = check_unroll,
     .run = gf_search_coalesced_cuda},
    {{"unrolled", "the same with unroll known to the compiler", "block=256 unroll=12", .max_n = GRID_MOST,
      .types = TEXT_TYPES, .cuda = 1, .deterministic = 1},
     .check = check_unroll,
     .run = gf_search_unrolled_cuda},
    {{"full", "one element a thread", "block=256", .max_n = GRID_MOST, .types = TEXT_TYPES, .cuda = 1,
      .deterministic = 1},
     .check = check_first,
     .run = gf_search_full_cuda},
    {{NULL, NULL, NULL, 0, 0, 0, 0, 0, 0, 0}, NULL, NULL, NULL},
};

const struct gf_array_primitive gf_primitive_search = {
    {"search", "where a value, or one of a range, stands in an array without order"},
    variants,
};

/* ---- What is looked for as a span ------------------------------------------------------------- */

static const struct gf_keep_test nothing = {0, UINT64_MAX, true};

/* The key of a bound, zeros taken together: -0 as a lower bound, +0 as an upper one. */
static uint64_t float_key(uint64_t bits, gf_depth type, bool upper)
{
    uint64_t key =
        type == GF_F32 ? gf_key_f32(gf_bits_float((uint32_t)bits)) : gf_key_f64(gf_bits_double(bits));
    uint64_t zero = type == GF_F32 ? gf_key_f32(0.0F) : gf_key_f64(0.0);
    return key == zero || key == zero - 1 ? zero - !upper : key;
}

static uint64_t ordered(uint64_t bits, gf_depth type)
{
    return type == GF_S16   ? gf_key_s16((int16_t)(uint16_t)bits)
           : type == GF_S32 ? gf_key_s32((int32_t)(uint32_t)bits)
           : type == GF_S64 ? gf_key_s64((int64_t)bits)
                            : bits;
}

static struct gf_keep_test make_test(gf_depth type, uint64_t value, uint64_t to, bool is_range)
{
    if (type == GF_F32 || type == GF_F64) {
        uint64_t nan = type == GF_F32 ? UINT32_MAX : UINT64_MAX;
        uint64_t first = float_key(value, type, false), last = float_key(to, type, true);
        if (is_range && (first == nan || last == nan || first > last)) {
            return nothing;
        }
        return (struct gf_keep_test){first, last - first, false};
    }
    if (ordered(value, type) > ordered(to, type)) {
        return nothing;
    }
    return (struct gf_keep_test){value, ordered(to, type) - ordered(value, type), false};
}

/* ---- The call ----------------------------------------------------------------------------------- */

static gf_status make_call(struct gf_search_call *call, gf_queue queue, const gf_search_options *options,
                           int64_t n, gf_error *error)
{
    GF_STRUCT_TAKE(gf_search_options, array.type, taken, GF_SEARCH_OPTIONS_INIT, options, error);
    options = &taken;
    size_t size = gf_depth_size(options->array.type);
    if ((unsigned)options->mode > GF_SEARCH_COUNT) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "search: mode is %d; there are first, all and count",
                       (int)options->mode);
    }
    if (size == 0) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "search: there is no element type %d",
                       (int)options->array.type);
    }
    if (!options->value) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "search: the value to look for is NULL");
    }
    memset(call, 0, sizeof *call);
    call->array.queue = queue;
    call->array.options = options->array;
    call->array.n = n;
    call->mode = options->mode;
    call->is_range = options->to != NULL;
    memcpy(&call->value, options->value, size); /* little-endian: the rest stays 0 */
    memcpy(&call->to, options->to ? options->to : options->value, size);
    call->test = make_test(options->array.type, call->value, call->to, call->is_range);
    return GF_OK;
}

gf_status gf_search_scratch(gf_device device, const gf_search_options *options, int64_t n, size_t *bytes,
                            gf_error *error)
{
    struct gf_search_call call;
    GF_TRY(make_call(&call, (gf_queue){device, NULL}, options, n, error));
    return gf_array_scratch(&gf_primitive_search, &call.array, bytes, error);
}

gf_status gf_search(gf_queue queue, const gf_search_options *options, const void *in, int64_t n,
                    int64_t *found, void *indices, int64_t capacity, void *scratch, size_t scratch_bytes,
                    gf_error *error)
{
    struct gf_search_call call;
    GF_TRY(make_call(&call, queue, options, n, error));
    GF_TRY(gf_array_check_capacity("search", capacity, error));
    if (call.mode != GF_SEARCH_ALL && (indices || capacity > 0)) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "search: indices are written by mode all only");
    }
    call.array.in = in;
    call.array.out = indices;
    call.found = found;
    call.indices = indices;
    call.capacity = capacity;
    const struct gf_array_operand operands[] = {
        {"the input", in, n, gf_depth_size(options->array.type)},
        {"the place of the answer", found, 1, sizeof *found},
        {"the array of indices", indices, capacity, n <= INT64_C(1) << 32 ? 4 : 8},
        {0},
    };
    return gf_array_run(&gf_primitive_search, &call.array, operands, scratch, scratch_bytes, error);
}
