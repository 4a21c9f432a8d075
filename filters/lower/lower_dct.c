/* What dct and idct are made of: matrices in double, rounded once, for blocks or for the picture as one. */
#include "lower/dct_stage.h"
#include "lower/lowering_private.h"
#include "param/sine_pi.h"

#include "pixel/whole/dct/dct.h"

#include <math.h>
#include <stdlib.h>

/* sine[d] = sin(pi d / (2 n)), d from 0 to n: cosines are taken from the first quarter turn, so that a matrix
 * is as symmetric as it should be to the last bit. NULL, and a failure, without memory. */
static double *make_sines(gf_lowering *l, int64_t n)
{
    double *sine = malloc(((size_t)n + 1) * sizeof *sine);
    if (!sine) {
        gf_lower_fail(l, GF_ERROR_MEMORY, "no memory for the sines of a matrix");
    }
    for (int64_t d = 0; sine && d <= n; d++) {
        sine[d] = gf_sine_pi((double)d / (2.0 * (double)n));
    }
    return sine;
}

/* cos(pi m / (2 n)) of whole m >= 0. */
static double cosine(const double *sine, int64_t m, int64_t n)
{
    m %= 4 * n;
    m = m > 2 * n ? 4 * n - m : m;
    return m > n ? -sine[m - n] : sine[n - m];
}

/* The matrix of a block of n, at most `stride`, whose rows have room for `stride`, transposed if it is the
 * inverse's: out[k] is the sum of m[k][i] v[i]. */
static void fill(gf_lowering *l, float *m, int64_t n, int64_t stride, bool inverse)
{
    double *sine = make_sines(l, n);
    for (int64_t k = 0; sine && k < n; k++) {
        const double scale = sqrt((k ? 2.0 : 1.0) / (double)n);
        for (int64_t i = 0; i < n; i++) {
            m[inverse ? i * stride + k : k * stride + i] = (float)(scale * cosine(sine, (2 * i + 1) * k, n));
        }
    }
    free(sine);
}

void gf_lowering_dct_matrix(gf_lowering *l, float *m, int64_t n)
{
    fill(l, m, n, n, false);
}

/* The matrix of n as a block of its own; 0 after a failure. */
static gf_value_id whole_matrix(gf_lowering *l, int64_t n, bool inverse)
{
    int32_t block;
    float *m = gf_lowering_constant(l, GF_F32, (int32_t)n, n, &block);
    if (m) {
        fill(l, m, n, n, inverse);
    }
    return l->status == GF_OK ? gf_to_id(block) : 0;
}

/* A picture that is one block. Sides of one pixel are left alone: their matrix is 1. */
static gf_value_id whole(gf_lowering *l, gf_value_id v, bool inverse)
{
    const gf_shape shape = gf_lower_shape(l, v);
    const int64_t side = shape.width > shape.height ? shape.width : shape.height;
    if (side > GF_DCT_MOST_WHOLE) {
        gf_lower_fail(
            l, GF_ERROR_LIMIT,
            "block=whole of %lld x %lld pixels, must have at most %d a side: a matrix has as many rows "
            "and columns",
            (long long)shape.width, (long long)shape.height, GF_DCT_MOST_WHOLE);
        return 0;
    }
    const gf_value_id right = shape.width > 1 ? whole_matrix(l, shape.width, !inverse) : 0;
    const gf_value_id left = shape.height > 1 ? whole_matrix(l, shape.height, inverse) : 0;
    return gf_lowering_product(l, v, right, left);
}

gf_value_id gf_lower_dct(gf_lowering *l, gf_value_id v, int64_t block, int inverse)
{
    v = gf_lower_convert(l, v, GF_F32);
    const struct gf_value *picture = gf_lowering_samples(l, v);
    if (!picture) {
        return 0;
    }
    if (block == GF_AUTO) {
        return whole(l, v, inverse);
    }
    const struct gf_value from = *picture;
    const int64_t stride = gf_dct_stride(block), each = stride * stride;
    int32_t matrices;
    float *m = gf_lowering_constant(l, GF_F32, GF_DCT_MATRICES, each, &matrices);
    if (!m) {
        return 0;
    }
    fill(l, m + GF_DCT_FULL * each, block, stride, inverse);
    fill(l, m + GF_DCT_RIGHT * each, from.width % block, stride, inverse);
    fill(l, m + GF_DCT_LOWER * each, from.height % block, stride, inverse);
    for (int64_t i = 0; i < 3 * each; i++) { /* those along rows are read by columns */
        const int64_t k = i % each / stride, at = i % stride;
        m[(3 + i / each) * each + at * stride + k] = m[i];
    }
    const struct gf_dct_args args = {.block = (int32_t)block};
    const int32_t out = gf_lowering_picture(l, from.width, from.height, from.channels, GF_F32);
    const struct gf_lowering_operands in = {{v - 1, matrices}, 2}, made = {{out}, 1};
    return gf_lowering_apply(l, &gf_kernel_dct, in, made, &args, sizeof args) ? gf_to_id(out) : 0;
}
