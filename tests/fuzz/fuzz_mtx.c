/* Matrix Market text: what is read is a matrix in compressed rows that the library's own check accepts. */
#include "../../pipeline/cli/matrix_market.h"
#include "fuzz.h"
#include "gpufilter/spmv.h"

void fuzz_mtx(const uint8_t *data, size_t size)
{
    static char text[(1 << 15) + 1];
    struct matrix_market matrix;
    gf_error error = GF_ERROR_INIT;
    int64_t wrong = 77;
    if (size >= sizeof text) {
        return;
    }
    memcpy(text, data, size);
    text[size] = '\0';
    gf_status status = matrix_market_parse("bytes", text, size, &matrix, &error);
    fuzz_status(status, &error);
    if (status == GF_OK) {
        const gf_csr csr = {sizeof csr,     matrix.rows,    matrix.columns, matrix.entries,
                            matrix.offsets, matrix.indices, matrix.values};
        const gf_queue queue = {GF_DEVICE_CPU, NULL};
        FUZZ_CHECK(gf_csr_check(queue, &csr, &wrong, &error) == GF_OK && wrong == -1, "row %lld is wrong",
                   (long long)wrong);
    } else {
        FUZZ_CHECK(status == GF_ERROR_MEMORY || strncmp(error.message, "bytes: ", 7) == 0, "%s",
                   error.message);
    }
    matrix_market_free(&matrix);
}
