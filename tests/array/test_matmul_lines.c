/* The inner loops of matmul, on every SIMD level that runs here: tiles of any length, in one go and in two,
 * of packed panels, against the chain. */
#include "check.h"
#include "level_case.h"

#include "base/gf_num.h"
#include "gpufilter/types.h"
#include "linear/matmul/matmul_lines.h"
#include "prim/array_data.h"

#include <math.h>
#include <stdlib.h>

enum { MOST = 40, SIDE = 64 };

/* Elements of A, MOST of the sum for each of SIDE rows, and of B, SIDE columns for each. */
static unsigned char a[SIDE * MOST * 8], b[SIDE * MOST * 8];

static void chain(gf_depth type, int k, int i, int j, void *to)
{
    float f = 0;
    double d = 0;
    uint32_t u = 0;
    for (int l = 0; l < k; l++) {
        const int x = i * MOST + l, y = l * SIDE + j;
        if (type == GF_F32) {
            f = gf_fma(((const float *)(const void *)a)[x], ((const float *)(const void *)b)[y], f);
        } else if (type == GF_F64) {
            d = fma(((const double *)(const void *)a)[x], ((const double *)(const void *)b)[y], d);
        } else {
            u += (uint32_t)((int8_t)a[x] * b[y]);
        }
    }
    f = gf_canonical(f);
    d = gf_canonical_double(d);
    const void *from = type == GF_F32   ? (const void *)&f
                       : type == GF_F64 ? (const void *)&d
                                        : (const void *)&u;
    memcpy(to, from, type == GF_F64 ? 8 : 4);
}

/* A tile of the first `rows` rows and `columns` columns that are there, k of the sum. */
static void tile(const struct gf_matmul_lines *lines, gf_depth type, int k, int rows, int columns)
{
    static _Alignas(64) unsigned char left[SIDE * MOST * 8], right[SIDE * MOST * 8], c[GF_MATMUL_TILE_BYTES];
    const size_t element = gf_depth_size(type), size = type == GF_F64 ? 8 : 4;
    const int half = k / 4 * 2, parts[] = {0, half, k};
    REQUIRE((size_t)lines->rows * (size_t)lines->columns * size <= sizeof c && lines->columns <= SIDE);
    memset(c, 0xc5, sizeof c);
    for (int part = 0; part < 2; part++) {
        const int from = parts[part], count = parts[part + 1] - from;
        const struct gf_matmul_panel of_a = {
            a + (size_t)from * element, MOST, 1, count, rows, lines->rows, 1};
        const struct gf_matmul_panel of_b = {
            b + (size_t)(from * SIDE) * element, 1, SIDE, count, columns, lines->columns, 0};
        lines->pack(&of_a, left);
        lines->pack(&of_b, right);
        lines->tile(type == GF_U8 ? (count + 1) / 2 : count, left, right, c, lines->columns, part == 0);
    }
    lines->finish(c, (int64_t)lines->rows * lines->columns);
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) {
            unsigned char must[8];
            chain(type, k, i, j, must);
            CHECK_MSG(memcmp(c + (size_t)(i * lines->columns + j) * size, must, size) == 0,
                      "%s, %d of the sum, %d x %d of %d x %d: element (%d, %d)", gf_depth_name(type), k, rows,
                      columns, (int)lines->rows, (int)lines->columns, i, j);
        }
    }
}

static void level(const struct gf_matmul_lines *all, array_data kind)
{
    static const gf_depth types[] = {GF_F32, GF_F64, GF_U8};
    for (int t = 0; t < 3; t++) {
        const struct gf_matmul_lines *lines = &all[types[t]];
        array_data_fill(a, types[t], SIDE * MOST, kind, 0, 1);
        array_data_fill(b, types[t], SIDE * MOST, kind, 0, 2);
        for (int k = 0; k <= MOST; k += k < 6 ? 1 : 17) {
            tile(lines, types[t], k, lines->rows, lines->columns);
            tile(lines, types[t], k, 1, 1);
            tile(lines, types[t], k, lines->rows - 1, lines->columns - 3);
        }
    }
}

static void both(const struct gf_matmul_lines *lines)
{
    level(lines, ARRAY_RANDOM);
    level(lines, ARRAY_SPECIAL);
}

static void baseline(void)
{
    both(gf_matmul_lines_baseline);
}

LEVEL_CASE(avx2, GF_CPU_AVX2, both(gf_matmul_lines_avx2);)
LEVEL_CASE(avx512, GF_CPU_AVX512, both(gf_matmul_lines_avx512);)

static const struct check_case cases[] = {{"baseline", baseline}, {"AVX2", avx2}, {"AVX-512", avx512}};
CHECK_MAIN(cases)
