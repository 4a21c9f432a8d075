#include "linear/spmv/csr.h"

#include "base/sized.h"
#include "linear/spmv/spmv_call.h"

gf_status gf_csr_read(const gf_csr *given, gf_csr *matrix, gf_error *error)
{
    static const struct gf_sized sized = GF_SIZED(gf_csr, values);
    *matrix = (gf_csr){.struct_size = sizeof *matrix};
    GF_TRY(gf_struct_in(&sized, given, matrix, error));
    if (matrix->rows < 0 || matrix->columns < 0 || matrix->entries < 0 || matrix->rows > INT64_C(1) << 48 ||
        matrix->columns > INT64_C(1) << 32 || matrix->entries > INT64_C(1) << 48) {
        return gf_fail(
            error, GF_ERROR_ARGUMENT,
            "a matrix of %lld x %lld with %lld entries: must have 0 to 2^48 rows and entries, and at most "
            "2^32 columns",
            (long long)matrix->rows, (long long)matrix->columns, (long long)matrix->entries);
    }
    if (matrix->entries > 0 && (matrix->rows == 0 || matrix->columns == 0)) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "a matrix of %lld x %lld has no place for %lld entries",
                       (long long)matrix->rows, (long long)matrix->columns, (long long)matrix->entries);
    }
    return GF_OK;
}

/* ---- The check ------------------------------------------------------------------------------------------ */

/* It is no primitive of the list: it only runs as one. */
static const struct gf_array_variant checks[] = {
    {{"auto", "", "", 0, GF_TYPE_BIT(GF_F32), 0, 1, 0, 0, 0}, NULL, NULL, gf_csr_check_cpu},
    {{"auto", "", "", 0, GF_TYPE_BIT(GF_F32), 1, 1, 0, 0, 0}, NULL, NULL, gf_csr_check_cuda},
    {{0}, NULL, NULL, NULL},
};
static const struct gf_array_primitive csr_check = {{"csr_check", ""}, checks};

gf_status gf_csr_check(gf_queue queue, const gf_csr *matrix, int64_t *bad, gf_error *error)
{
    struct gf_spmv_call call = {.array = {.queue = queue, .options = {.type = GF_F32}, .out = bad}};
    GF_TRY(gf_csr_read(matrix, &call.matrix, error));
    call.array.n = call.matrix.rows;
    const struct gf_array_operand operands[] = {
        {"the array of offsets", call.matrix.offsets, call.matrix.rows + 1, sizeof *call.matrix.offsets},
        {"the array of columns", call.matrix.indices, call.matrix.entries, sizeof *call.matrix.indices},
        {"the place of the answer", bad, 1, sizeof *bad},
        {0},
    };
    return gf_array_run(&csr_check, &call.array, operands, NULL, 0, error);
}
