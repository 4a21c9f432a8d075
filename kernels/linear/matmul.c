#include "gpufilter/matmul.h"

#include "linear/matmul_call.h"

#include "base/sized.h"

#define TYPES         (GF_TYPE_BIT(GF_F32) | GF_TYPE_BIT(GF_F64) | GF_TYPE_BIT(GF_U8))
#define MOST_BLOCKS   (INT64_C(1) << 35) /* elements that a grid of the smallest blocks has threads for */
#define MOST_ELEMENTS (INT64_C(1) << 48) /* of a matrix, and of a side */

static const struct gf_array_variant variants[] = {
    {{"sequential", "one element after the other: the definition", "", 0, TYPES, 0, 1, 0, 0},
     NULL,
     NULL,
     gf_matmul_sequential},
    {{"auto", "packed panels, tiles in vector registers, threads", "threads", 0, TYPES, 0, 1, 0, 0},
     NULL,
     gf_matmul_cpu_scratch,
     gf_matmul_cpu},
#if GF_HAVE_CUDA
    {{"auto", "tiles in registers, those of the inputs loaded ahead", "", 0, TYPES, 1, 1, 0, 0},
     NULL,
     NULL,
     gf_matmul_cuda},
    {{"register-tiled", "smaller tiles in registers, those of the inputs waited for", "", 0, TYPES, 1, 1, 0,
      0},
     NULL,
     NULL,
     gf_matmul_registers_cuda},
    {{"tiled", "a thread an element, tiles of the inputs in shared memory", "tile=16", MOST_BLOCKS, TYPES, 1,
      1, 0, 0},
     gf_matmul_tiled_check,
     NULL,
     gf_matmul_tiled_cuda},
    {{"naive", "a thread an element, which reads its row and its column", "block=256", MOST_BLOCKS, TYPES, 1,
      1, 0, 0},
     NULL,
     NULL,
     gf_matmul_naive_cuda},
#endif
    {{0}, NULL, NULL, NULL},
};

const struct gf_array_primitive gf_primitive_matmul = {{"matmul", "the product of two dense matrices"},
                                                       variants};

gf_depth gf_matmul_result(gf_depth type)
{
    return type == GF_U8 ? GF_S32 : type;
}

/* A matrix of rows x columns as it lies in memory. */
struct stored {
    const char *name;   /* "a" */
    const char *stride; /* "lda" */
    int64_t rows, columns, ld;
};

/* Checks it, and sets its row distance; *span: elements from the first to behind the last. */
static gf_status check_stored(struct stored *s, int64_t *span, gf_error *error)
{
    if (s->ld != 0 && s->ld < s->columns) {
        return gf_fail(error, GF_ERROR_ARGUMENT,
                       "matmul: %s is %lld, must be at least the %lld elements of a row of %s, or 0",
                       s->stride, (long long)s->ld, (long long)s->columns, s->name);
    }
    s->ld = s->ld > 0 ? s->ld : s->columns;
    if (s->rows > 0 && s->ld > MOST_ELEMENTS / s->rows) {
        return gf_fail(error, GF_ERROR_ARGUMENT,
                       "matmul: %s has %lld rows of %lld elements, must have at most 2^48", s->name,
                       (long long)s->rows, (long long)s->ld);
    }
    *span = s->rows > 0 && s->columns > 0 ? (s->rows - 1) * s->ld + s->columns : 0;
    return GF_OK;
}

/* Elements that the three matrices span. */
struct spans {
    int64_t a, b, c;
};

static gf_status describe(gf_queue queue, const gf_matmul_options *options, int64_t m, int64_t k, int64_t n,
                          struct gf_matmul_call *call, struct spans *spans, gf_error *error)
{
    static const struct gf_sized sized = GF_SIZED(gf_matmul_options, array.type);
    gf_matmul_options o = GF_MATMUL_OPTIONS_INIT;
    GF_TRY(gf_struct_in(&sized, options, &o, error));
    if (m < 0 || k < 0 || n < 0 || m > MOST_ELEMENTS || k > MOST_ELEMENTS || n > MOST_ELEMENTS) {
        return gf_fail(error, GF_ERROR_ARGUMENT,
                       "matmul: sizes are %lld x %lld x %lld, each must be 0 to 2^48", (long long)m,
                       (long long)k, (long long)n);
    }
    if ((o.signed_a || o.signed_b) && o.array.type != GF_U8) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "matmul: signed_a and signed_b are of u8, not of %s",
                       gf_depth_name(o.array.type));
    }
    struct stored a = {"a", "lda", o.transpose_a ? k : m, o.transpose_a ? m : k, o.lda};
    struct stored b = {"b", "ldb", o.transpose_b ? n : k, o.transpose_b ? k : n, o.ldb};
    struct stored c = {"c", "ldc", m, n, o.ldc};
    GF_TRY(check_stored(&a, &spans->a, error));
    GF_TRY(check_stored(&b, &spans->b, error));
    GF_TRY(check_stored(&c, &spans->c, error));
    *call = (struct gf_matmul_call){
        .array = {.queue = queue, .options = o.array, .n = m * n},
        .m = m,
        .k = k,
        .n = n,
        .a = {NULL, o.transpose_a ? 1 : a.ld, o.transpose_a ? a.ld : 1},
        .b = {NULL, o.transpose_b ? 1 : b.ld, o.transpose_b ? b.ld : 1},
        .ldc = c.ld,
        .signed_a = o.signed_a != 0,
        .signed_b = o.signed_b != 0,
    };
    return GF_OK;
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
        {0},
    };
    return gf_array_run(&gf_primitive_matmul, &call.array, operands, scratch, scratch_bytes, error);
}
