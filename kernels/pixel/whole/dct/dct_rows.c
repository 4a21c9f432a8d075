/* One SIMD level of "dct": compile with -DGF_ROWS_LEVEL=baseline, avx2 or avx512 and its machine options. */
#include "pixel/whole/dct/dct.h"

#include "base/cpu_level.h"
#include "base/gf_num.h"
#include "base/planted_fault.h"

#if defined(__AVX2__) && defined(__FMA__)
#include <immintrin.h>
#endif

#define ALWAYS static inline __attribute__((always_inline))

enum { SIDE = 8 }; /* of the squares of sums that stay in registers */

#if defined(__AVX2__) && defined(__FMA__)
/* A row of sums is a vector; gcc would not keep the eight of them in registers by itself. */
ALWAYS void square(const float *restrict a, const float *restrict b, float *restrict out, int64_t stride,
                   int inner)
{
    __m256 sum[SIDE];
    for (int r = 0; r < SIDE; r++) {
        sum[r] = _mm256_setzero_ps();
    }
    for (int i = 0; i < inner; i++) {
        const __m256 row = _mm256_loadu_ps(b + i * stride);
        for (int r = 0; r < SIDE; r++) {
            sum[r] = _mm256_fmadd_ps(_mm256_set1_ps(a[r * stride + i]), row, sum[r]);
        }
    }
    for (int r = 0; r < SIDE; r++) {
        _mm256_storeu_ps(out + r * stride, sum[r]);
    }
}
#else
ALWAYS void square(const float *restrict a, const float *restrict b, float *restrict out, int64_t stride,
                   int inner)
{
    float sum[SIDE][SIDE] = {{0}};
    for (int i = 0; i < inner; i++) {
        for (int r = 0; r < SIDE; r++) {
            for (int c = 0; c < SIDE; c++) {
                sum[r][c] = gf_fma(a[r * stride + i], b[i * stride + c], sum[r][c]);
            }
        }
    }
    for (int r = 0; r < SIDE; r++) {
        for (int c = 0; c < SIDE; c++) {
            out[r * stride + c] = sum[r][c];
        }
    }
}
#endif

static void product(const float *a, const float *b, float *out, int64_t stride, int rows, int inner,
                    int columns)
{
    inner -= GF_FAULT(dct_chain) && inner > 8;
    if (stride == SIDE && inner == SIDE) { /* known sizes stay in registers altogether */
        square(a, b, out, SIDE, SIDE);
        return;
    }
    for (int r = 0; r < rows; r += SIDE) {
        for (int c = 0; c < columns; c += SIDE) {
            square(a + r * stride, b + c, out + r * stride + c, stride, inner);
        }
    }
}

const struct gf_dct_rows GF_LEVEL_NAME(gf_dct_rows) = {product};
