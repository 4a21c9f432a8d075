/* The inner loops of products with slices, on every SIMD level that runs here: what they see of sides, and
 * tiles of packed panels, against the digits themselves. */
#include "check.h"

#include "base/cpu_level.h"
#include "linear/matmul/matmul_slices_lines.h"

#include <stdlib.h>

enum { SIDES = 40, MOST = 150, PANEL = GF_SLICES_LANES * (MOST + 4) * 4 + 64 };

static float a[SIDES * MOST], b[MOST * SIDES];
static int32_t scales_a[SIDES], scales_b[SIDES];

/* Elements of any size, rows of zeros, and one row that is plain. b has its sides next to each other. */
static void fill(int32_t slices)
{
    uint32_t state = 7;
    for (int i = 0; i < SIDES * MOST; i++) {
        state = state * 1664525U + 1013904223U;
        a[i] = (float)(int32_t)state * (i / MOST % 7 == 3 ? 0.0F : i / MOST % 7 == 4 ? 0x1p-140F : 0x1p3F);
        b[i] = (float)(int32_t)(state << 7 ^ state) * 0x1p-40F;
    }
    a[5 * MOST + 1] = gf_bits_float(GF_CANONICAL_NAN);
    for (int i = 0; i < SIDES; i++) {
        struct gf_slices_side of_a = {0, 0, 0}, of_b = {0, 0, 0};
        for (int l = 0; l < MOST; l++) {
            gf_slices_look(&of_a, a[i * MOST + l]);
            gf_slices_look(&of_b, b[l * SIDES + i]);
        }
        scales_a[i] = gf_slices_scale(of_a, slices);
        scales_b[i] = gf_slices_scale(of_b, slices);
    }
    CHECK_EQ_INT(scales_a[5], GF_SLICES_PLAIN);
}

static int32_t digit(float v, int32_t scale, int32_t slice, int32_t slices)
{
    return gf_slices_digit(gf_slices_digits(v, gf_slices_first(scale), gf_slices_second(scale), slices),
                           slice, slices);
}

static int64_t sum_of(int i, int j, int k, int32_t slices)
{
    int64_t sum = 0;
    for (int l = 0; l < k; l++) {
        for (int32_t s = 0; s < slices; s++) {
            for (int32_t t = 0; s + t < slices; t++) {
                sum += (int64_t)digit(a[i * MOST + l], scales_a[i], s, slices) *
                       digit(b[l * SIDES + j], scales_b[j], t, slices) *
                       (INT64_C(1) << 8 * (slices - 1 - s - t));
            }
        }
    }
    return sum;
}

/* k of the sum, of rows from `row` on and columns from `column` on; what lies in C stays beneath it. */
static void tile(const struct gf_slices_lines *lines, int32_t slices, int k, int row, int rows, int column,
                 int columns)
{
    static uint32_t left[PANEL], right[PANEL];
    static int64_t sums[8 * GF_SLICES_LANES];
    REQUIRE(lines->rows <= 8 && lines->columns <= GF_SLICES_LANES);
    const struct gf_slices_panel of_a = {a + row * MOST, MOST, 1, k, scales_a + row, rows, lines->rows};
    const struct gf_slices_panel of_b = {b + column, 1, SIDES, k, scales_b + column, columns, lines->columns};
    for (int i = 0; i < 8 * GF_SLICES_LANES; i++) {
        sums[i] = -i;
    }
    lines->pack_a(&of_a, left);
    lines->pack_b(&of_b, right);
    lines->tile((k + lines->together - 1) / lines->together, left, right, sums, lines->columns);
    for (int i = 0; i < rows; i++) {
        float c[GF_SLICES_LANES], must[GF_SLICES_LANES];
        int64_t *at = sums + i * lines->columns;
        for (int j = 0; j < columns; j++) {
            at[j] += i * lines->columns + j;
            CHECK_MSG(at[j] == sum_of(row + i, column + j, k, slices),
                      "%d slices, %d of the sum, element (%d, %d): %lld", slices, k, row + i, column + j,
                      (long long)at[j]);
            c[j] = must[j] = (float)j;
        }
        if (scales_a[row + i] != GF_SLICES_PLAIN) {
            int32_t scales[GF_SLICES_LANES];
            for (int j = 0; j < columns; j++) {
                scales[j] = j % 5 == 2 ? GF_SLICES_PLAIN : scales_b[column + j];
                must[j] =
                    j % 5 == 2 ? must[j] : gf_slices_finish(at[j], scales_a[row + i], scales[j], slices);
            }
            lines->finish(at, columns, scales_a[row + i], scales, c);
            CHECK_MEM(c, must, (size_t)columns * sizeof *c);
        }
    }
}

static void look(gf_slices_look_lines *at)
{
    for (int way = 0; way < 2; way++) {
        struct gf_slices_side seen[GF_SLICES_LANES];
        const struct gf_slices_panel panel = {way ? b : a, way ? 1 : MOST, way ? SIDES : 1, MOST,
                                              NULL,        27 + way,       GF_SLICES_LANES};
        at(&panel, seen);
        for (int i = 0; i < panel.count; i++) {
            struct gf_slices_side must = {0, 0, 0};
            for (int l = 0; l < MOST; l++) {
                gf_slices_look(&must, way ? b[l * SIDES + i] : a[i * MOST + l]);
            }
            CHECK_MEM(&seen[i], &must, sizeof must);
        }
    }
}

static void level(const struct gf_slices_lines *lines, gf_slices_look_lines *looks)
{
    for (int32_t slices = GF_SLICES_LEAST; slices <= GF_SLICES_MOST; slices++) {
        const struct gf_slices_lines *l = &lines[slices - GF_SLICES_LEAST];
        fill(slices);
        look(looks);
        for (int k = 0; k <= MOST; k += k < 6 ? 1 : 48) {
            for (int row = 0; row < 8; row += l->rows) {
                tile(l, slices, k, row, l->rows, 1, l->columns);
            }
            tile(l, slices, k, 2, 1, 3, 1);
            tile(l, slices, k, 0, l->rows - 1, 0, l->columns - 3);
        }
    }
}

static void baseline(void)
{
    level(gf_slices_lines_baseline, gf_slices_look_baseline);
}

#ifdef __x86_64__
#define LEVEL(name, there, why)                                                                              \
    static void name(void)                                                                                   \
    {                                                                                                        \
        if (!(there)) {                                                                                      \
            SKIP(why);                                                                                       \
        }                                                                                                    \
        level(gf_slices_lines_##name, gf_slices_look_##name);                                                \
    }
#else
#define LEVEL(name, there, why)                                                                              \
    static void name(void)                                                                                   \
    {                                                                                                        \
        SKIP("no such level on this processor");                                                             \
    }
#endif
LEVEL(avx2, gf_cpu_level() >= GF_CPU_AVX2, "no AVX2")
LEVEL(avx512, gf_cpu_level() >= GF_CPU_AVX512, "no AVX-512")
LEVEL(vnni, gf_cpu_level() >= GF_CPU_AVX512 && __builtin_cpu_supports("avx512vnni"), "no VNNI")

static const struct check_case cases[] = {
    {"baseline", baseline}, {"AVX2", avx2}, {"AVX-512", avx512}, {"VNNI", vnni}};
CHECK_MAIN(cases)
