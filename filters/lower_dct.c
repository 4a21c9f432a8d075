/* The MAP of dct and idct: matrices in double, rounded once. */
#include "dct_stage.h"
#include "lowering_private.h"
#include "sine_pi.h"

#include "pixel/dct.h"

#include <math.h>

/* cos(pi m / (2 n)) of whole m >= 0, by the cosine of the first quarter turn, so that a matrix is as
 * symmetric as it should be to the last bit. */
static double cosine(int64_t m, int64_t n)
{
    m %= 4 * n;
    m = m > 2 * n ? 4 * n - m : m;
    const double size = gf_sine_pi((double)(m > n ? m - n : n - m) / (2.0 * (double)n));
    return m > n ? -size : size;
}

/* The matrix of a block of n, at most `stride`, whose rows have room for `stride`, transposed if it is the
 * inverse's: out[k] is the sum of m[k][i] v[i]. */
static void fill(float *m, int64_t n, int64_t stride, bool inverse)
{
    for (int64_t k = 0; k < n; k++) {
        const double scale = sqrt((k ? 2.0 : 1.0) / (double)n);
        for (int64_t i = 0; i < n; i++) {
            m[inverse ? i * stride + k : k * stride + i] = (float)(scale * cosine((2 * i + 1) * k, n));
        }
    }
}

gf_value_id gf_lower_dct(gf_lowering *l, gf_value_id v, int64_t block, int inverse)
{
    v = gf_lower_convert(l, v, GF_F32);
    const struct gf_value *picture = gf_lowering_samples(l, v);
    if (!picture) {
        return 0;
    }
    const struct gf_value from = *picture;
    const int64_t stride = gf_dct_stride(block), each = stride * stride;
    int32_t matrices;
    float *m = gf_lowering_constant(l, GF_F32, GF_DCT_MATRICES, each, &matrices);
    if (!m) {
        return 0;
    }
    fill(m + GF_DCT_FULL * each, block, stride, inverse);
    fill(m + GF_DCT_RIGHT * each, from.width % block, stride, inverse);
    fill(m + GF_DCT_LOWER * each, from.height % block, stride, inverse);
    for (int64_t i = 0; i < 3 * each; i++) { /* those along rows are read by columns */
        const int64_t k = i % each / stride, at = i % stride;
        m[(3 + i / each) * each + at * stride + k] = m[i];
    }
    const struct gf_dct_args args = {.block = (int32_t)block};
    const int32_t out = gf_lowering_picture(l, from.width, from.height, from.channels, GF_F32);
    const struct gf_lowering_operands in = {{v - 1, matrices}, 2}, made = {{out}, 1};
    return gf_lowering_apply(l, &gf_kernel_dct, in, made, &args, sizeof args) ? gf_to_id(out) : 0;
}
