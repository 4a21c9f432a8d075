#include "gpufilter/spmv.h"

#include "linear/spmv/csr.h"
#include "linear/spmv/spmv_call.h"

#include "base/sized.h"

#define TYPES     (GF_TYPE_BIT(GF_F32) | GF_TYPE_BIT(GF_F64))
#define MOST_ROWS (INT64_C(1) << 30) /* that a grid of the smallest blocks has warps for */

/* The published one counts entries by ints. */
static gf_status check_scalar(const struct gf_array_call *array, gf_error *error)
{
    const int64_t entries = gf_spmv_call_of(array)->matrix.entries;
    return entries <= INT32_MAX ? GF_OK
                                : gf_fail(error, GF_ERROR_UNSUPPORTED,
                                          "spmv, variant scalar-row: %lld entries, takes at most 2^31 - 1",
                                          (long long)entries);
}

static const struct gf_array_variant variants[] = {
    {{"sequential", "one row after the other: the definition", "", .types = TYPES, .deterministic = 1},
     .run = gf_spmv_sequential},
    {{"auto", "as many rows and entries a thread", "threads", .types = TYPES, .deterministic = 1},
     .scratch = gf_spmv_cpu_scratch,
     .run = gf_spmv_cpu},
    {{"auto", "a warp has 32 rows, whose entries it loads together, or 32 chains of long ones", "",
      .max_n = MOST_ROWS * 32, .types = TYPES, .cuda = 1, .deterministic = 1},
     .check = gf_spmv_cuda_check,
     .scratch = gf_spmv_cuda_scratch,
     .run = gf_spmv_cuda},
    {{"scalar-row", "a thread a row of f32, one sum", "block=256", .max_n = MOST_ROWS,
      .types = GF_TYPE_BIT(GF_F32), .cuda = 1, .deterministic = 1, .loose = 1},
     .check = check_scalar,
     .run = gf_spmv_scalar_cuda},
    {{"vector-row", "a warp a row", "block=256", .max_n = MOST_ROWS, .types = TYPES, .cuda = 1,
      .deterministic = 1, .loose = 1},
     .run = gf_spmv_vector_cuda},
    {{0}, NULL, NULL, NULL},
};

const struct gf_array_primitive gf_primitive_spmv = {{"spmv", "a sparse matrix (CSR) times a vector"},
                                                     variants};

static gf_status describe(gf_queue queue, const gf_spmv_options *options, const gf_csr *matrix,
                          struct gf_spmv_call *call, gf_error *error)
{
    GF_STRUCT_TAKE(gf_spmv_options, array.type, o, GF_SPMV_OPTIONS_INIT, options, error);
    *call = (struct gf_spmv_call){.array = {.queue = queue, .options = o.array}};
    GF_TRY(gf_csr_read(matrix, &call->matrix, error));
    call->array.n = call->matrix.rows;
    return GF_OK;
}

gf_status gf_spmv_scratch(gf_device device, const gf_spmv_options *options, const gf_csr *matrix,
                          size_t *bytes, gf_error *error)
{
    struct gf_spmv_call call;
    GF_TRY(describe((gf_queue){device, NULL}, options, matrix, &call, error));
    return gf_array_scratch(&gf_primitive_spmv, &call.array, bytes, error);
}

gf_status gf_spmv(gf_queue queue, const gf_spmv_options *options, const gf_csr *matrix, const void *x,
                  void *y, void *scratch, size_t scratch_bytes, gf_error *error)
{
    struct gf_spmv_call call;
    GF_TRY(describe(queue, options, matrix, &call, error));
    const size_t size = gf_depth_size(call.array.options.type);
    const gf_csr *m = &call.matrix;
    call.array.in = x;
    call.array.out = y;
    const struct gf_array_operand operands[] = {
        {"the array of offsets", m->offsets, m->rows + 1, sizeof *m->offsets},
        {"the array of columns", m->indices, m->entries, sizeof *m->indices},
        {"the array of values", m->values, m->entries, size},
        {"the vector x", x, m->columns, size},
        {"the result y", y, m->rows, size},
        {0},
    };
    return gf_array_run(&gf_primitive_spmv, &call.array, operands, scratch, scratch_bytes, error);
}
