/* Matrix Market text: what is read is a matrix in compressed rows that the library's own check accepts. */
#define _GNU_SOURCE /* memfd_create */
#include "fuzz_path.h"

#include "gpufilter/spmv.h"
#include "prim/matrix_market.h"

void fuzz_mtx(const uint8_t *data, size_t size)
{
    char path[64];
    struct matrix_market matrix;
    gf_error error = GF_ERROR_INIT;
    int64_t wrong = 77;
    const int fd = fuzz_path(data, size, path);
    gf_status status = matrix_market_read(path, &matrix, &error);
    close(fd);
    fuzz_status(status, &error);
    if (status == GF_OK) {
        const gf_csr csr = {sizeof csr,     matrix.rows,    matrix.columns, matrix.entries,
                            matrix.offsets, matrix.indices, matrix.values};
        const gf_queue queue = {GF_DEVICE_CPU, NULL};
        FUZZ_CHECK(gf_csr_check(queue, &csr, &wrong, &error) == GF_OK && wrong == -1, "row %lld is wrong",
                   (long long)wrong);
    } else {
        FUZZ_CHECK(status == GF_ERROR_MEMORY || status == GF_ERROR_INPUT, "%d", (int)status);
        fuzz_check_named(&error, path);
    }
    matrix_market_free(&matrix);
}
