#include "gpufilter/matmul.h"

#include "linear/matmul/matmul_call.h"
#include "linear/matmul/matmul_slices.h"

#include "base/sized.h"

#include <stdbool.h>

#define TYPES     (GF_TYPE_BIT(GF_F32) | GF_TYPE_BIT(GF_F64) | GF_TYPE_BIT(GF_U8))
#define MOST_ROWS 65535                  /* a grid has as many rows of blocks, which may be a row high */
enum { TILE = 32 };                      /* of the published ones, at most: how far places go past the end */
#define MOST_ELEMENTS (INT64_C(1) << 48) /* of a matrix, and of a side */

/* ---- What the published ones take ---------------------------------------------------------------------- */

static gf_status check_published(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_matmul_call *c = gf_matmul_call_of(array);
    GF_TRY(gf_matmul_chain_check(array, error));
    const bool as_they_lie =
        c->a.row == c->k && c->a.column == 1 && c->b.row == c->n && c->b.column == 1 && c->ldc == c->n;
    const bool as_ints = c->m <= MOST_ROWS && (c->m + TILE) * (c->k + TILE) <= INT32_MAX &&
                         (c->k + TILE) * (c->n + TILE) <= INT32_MAX &&
                         (c->m + TILE) * (c->n + TILE) <= INT32_MAX;
    return as_they_lie && as_ints
               ? GF_OK
               : gf_fail(error, GF_ERROR_UNSUPPORTED,
                         "matmul, variant %s, takes matrices row by row without gaps, as the text does, of "
                         "less than 2^31 elements, and a of at most %d rows; sequential and auto take others",
                         array->options.algo, MOST_ROWS);
}

static gf_status check_tiled(const struct gf_array_call *array, gf_error *error)
{
    const int32_t tile = array->options.tile;
    if (tile != 0 && tile != 16 && tile != 32) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "matmul, variant tiled: tile is %d, must be 16 or 32", tile);
    }
    return check_published(array, error);
}

/* ---- Variants ------------------------------------------------------------------------------------------ */

static const struct gf_array_variant variants[] = {
    {{"sequential", "one element after the other: the definition", "", .types = TYPES, .deterministic = 1},
     .scratch = gf_matmul_sequential_scratch,
     .run = gf_matmul_sequential},
    {{"auto", "packed panels, tiles in vector registers, threads", "threads", .types = TYPES,
      .deterministic = 1},
     .scratch = gf_matmul_cpu_scratch,
     .run = gf_matmul_cpu},
    {{"auto", "tiles in registers, those of the inputs loaded ahead", "tile", .types = TYPES, .cuda = 1,
      .deterministic = 1},
     .check = gf_matmul_cuda_check,
     .scratch = gf_matmul_cuda_scratch,
     .run = gf_matmul_cuda},
    {{"register-tiled", "smaller tiles in registers, those of the inputs waited for", "", .types = TYPES,
      .cuda = 1, .deterministic = 1},
     .check = gf_matmul_chain_check,
     .run = gf_matmul_registers_cuda},
    {{"tiled", "a thread an element of f32, tiles of the inputs in shared memory", "tile=16",
      .types = GF_TYPE_BIT(GF_F32), .cuda = 1, .deterministic = 1},
     .check = check_tiled,
     .run = gf_matmul_tiled_cuda},
    {{"naive", "a thread an element of f32, which reads its row and its column", "block=256",
      .types = GF_TYPE_BIT(GF_F32), .cuda = 1, .deterministic = 1},
     .check = check_published,
     .run = gf_matmul_naive_cuda},
    {{0}, NULL, NULL, NULL},
};

const struct gf_array_primitive gf_primitive_matmul = {{"matmul", "the product of two dense matrices"},
                                                       variants};

/* Sets the call's slices. */
static gf_status check_accuracy(const gf_matmul_options *o, struct gf_matmul_call *call, gf_error *error)
{
    if (o->accuracy != GF_MATMUL_F32 && o->accuracy != GF_MATMUL_F32X) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "matmul: accuracy is %d, must be 0 (f32) or 1 (f32x)",
                       o->accuracy);
    }
    if (o->accuracy == GF_MATMUL_F32) {
        return o->slices == 0 && !o->plain
                   ? GF_OK
                   : gf_fail(error, GF_ERROR_ARGUMENT, "matmul: slices and plain are of accuracy f32x");
    }
    if (o->array.type != GF_F32) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "matmul: accuracy f32x is of f32, not of %s",
                       gf_depth_name(o->array.type));
    }
    if (call->batch != 1) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "matmul: a batch is of accuracy f32, not of f32x");
    }
    if (o->slices != 0 && (o->slices < GF_SLICES_LEAST || o->slices > GF_SLICES_MOST)) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "matmul: slices is %d, must be 3 or 4, or 0 for 3",
                       o->slices);
    }
    if (call->k > GF_SLICES_DEEPEST) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "matmul: k is %lld, must be at most 2^24 for accuracy f32x",
                       (long long)call->k);
    }
    call->slices = o->slices > 0 ? o->slices : GF_SLICES_LEAST;
    call->plain = o->plain;
    return GF_OK;
}

/* A matrix of rows x columns as it lies in memory, and how far away the next one of a batch is. */
struct stored {
    const char *name; /* "a" */
    int64_t rows, columns, ld, step;
};

/* Checks it, and sets its distances; *span: elements from the first of `batch` matrices to behind the last.
 */
static gf_status check_stored(struct stored *s, int64_t batch, int64_t *span, gf_error *error)
{
    if (s->ld != 0 && s->ld < s->columns) {
        return gf_fail(error, GF_ERROR_ARGUMENT,
                       "matmul: ld%s is %lld, must be at least the %lld elements of a row of %s, or 0",
                       s->name, (long long)s->ld, (long long)s->columns, s->name);
    }
    s->ld = s->ld > 0 ? s->ld : s->columns;
    if (s->rows > 0 && s->ld > MOST_ELEMENTS / s->rows) {
        return gf_fail(error, GF_ERROR_ARGUMENT,
                       "matmul: %s has %lld rows of %lld elements, must have at most 2^48", s->name,
                       (long long)s->rows, (long long)s->ld);
    }
    const int64_t one = s->rows > 0 && s->columns > 0 ? (s->rows - 1) * s->ld + s->columns : 0;
    const int shared = s->step == -1 && s->name[0] != 'c';
    if (s->step != 0 && s->step < one && !shared) {
        return gf_fail(error, GF_ERROR_ARGUMENT,
                       "matmul: stride_%s is %lld, must be at least the %lld elements of %s, or 0%s", s->name,
                       (long long)s->step, (long long)one, s->name,
                       s->name[0] == 'c' ? "" : ", or -1 for one matrix");
    }
    s->step = shared ? 0 : s->step > 0 ? s->step : s->rows * s->ld;
    if (s->step > 0 && batch > 1 && s->step > MOST_ELEMENTS / (batch - 1)) {
        return gf_fail(error, GF_ERROR_ARGUMENT,
                       "matmul: %lld matrices %s of %lld elements each are too many, must have at most 2^48",
                       (long long)batch, s->name, (long long)s->step);
    }
    *span = one > 0 && batch > 0 ? (batch - 1) * s->step + one : 0;
    return GF_OK;
}

/* Elements that the three matrices span. */
struct spans {
    int64_t a, b, c;
};

static gf_status describe(gf_queue queue, const gf_matmul_options *options, int64_t m, int64_t k, int64_t n,
                          struct gf_matmul_call *call, struct spans *spans, gf_error *error)
{
    GF_STRUCT_TAKE(gf_matmul_options, array.type, o, GF_MATMUL_OPTIONS_INIT, options, error);
    if (m < 0 || k < 0 || n < 0 || m > MOST_ELEMENTS || k > MOST_ELEMENTS || n > MOST_ELEMENTS) {
        return gf_fail(error, GF_ERROR_ARGUMENT,
                       "matmul: sizes are %lld x %lld x %lld, each must be 0 to 2^48", (long long)m,
                       (long long)k, (long long)n);
    }
    if ((o.signed_a || o.signed_b) && o.array.type != GF_U8) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "matmul: signed_a and signed_b are of u8, not of %s",
                       gf_depth_name(o.array.type));
    }
    const int64_t batch = o.batch > 0 ? o.batch : 1;
    if (o.batch < 0 || o.batch > MOST_ELEMENTS) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "matmul: batch is %lld, must be 0 to 2^48",
                       (long long)o.batch);
    }
    struct stored a = {"a", o.transpose_a ? k : m, o.transpose_a ? m : k, o.lda, o.stride_a};
    struct stored b = {"b", o.transpose_b ? n : k, o.transpose_b ? k : n, o.ldb, o.stride_b};
    struct stored c = {"c", m, n, o.ldc, o.stride_c};
    GF_TRY(check_stored(&a, batch, &spans->a, error));
    GF_TRY(check_stored(&b, batch, &spans->b, error));
    GF_TRY(check_stored(&c, batch, &spans->c, error));
    *call = (struct gf_matmul_call){
        .array = {.queue = queue, .options = o.array, .n = batch * m * n},
        .m = m,
        .k = k,
        .n = n,
        .a = {NULL, o.transpose_a ? 1 : a.ld, o.transpose_a ? a.ld : 1},
        .b = {NULL, o.transpose_b ? 1 : b.ld, o.transpose_b ? b.ld : 1},
        .ldc = c.ld,
        .signed_a = o.signed_a != 0,
        .signed_b = o.signed_b != 0,
        .batch = batch,
        .step_a = a.step,
        .step_b = b.step,
        .step_c = c.step,
    };
    return check_accuracy(&o, call, error);
}

gf_status gf_matmul_scratch(gf_device device, const gf_matmul_options *options, int64_t m, int64_t k,
                            int64_t n, size_t *bytes, gf_error *error)
{
    struct gf_matmul_call call;
    struct spans spans;
    GF_TRY(describe((gf_queue){device, NULL}, options, m, k, n, &call, &spans, error));
    return gf_array_scratch(&gf_primitive_matmul, &call.array, bytes, error);
}

gf_status gf_matmul(gf_queue queue, const gf_matmul_options *options, const void *a, const void *b, int64_t m,
                    int64_t k, int64_t n, void *c, void *scratch, size_t scratch_bytes, gf_error *error)
{
    struct gf_matmul_call call;
    struct spans spans;
    GF_TRY(describe(queue, options, m, k, n, &call, &spans, error));
    const gf_depth type = call.array.options.type;
    call.a.data = a;
    call.b.data = b;
    call.array.out = c;
    const struct gf_array_operand operands[] = {
        {"the matrix a", a, spans.a, gf_depth_size(type)},
        {"the matrix b", b, spans.b, gf_depth_size(type)},
        {"the product c", c, spans.c, gf_depth_size(gf_matmul_result(type))},
        {"plain", call.plain, call.plain ? 2 : 0, sizeof *call.plain},
        {0},
    };
    return gf_array_run(&gf_primitive_matmul, &call.array, operands, scratch, scratch_bytes, error);
}
