/* A sparse matrix times a vector: every variant against the sequential definition, byte by byte; the
 * definition against products by hand and the product of the dense matrix. */
#include "spmv_case.h"

#include "gpufilter/matmul.h"

#include <float.h>
#include <math.h>

/* ---- Variants ---------------------------------------------------------------------------------- */

/* Tells whether y is near enough where another order adds up. */
static double number(gf_depth type, const void *array, int64_t i)
{
    return type == GF_F32 ? (double)((const float *)array)[i] : ((const double *)array)[i];
}

static bool near(const struct sparse *s, gf_depth type, const void *y, const void *expected)
{
    const double unit = type == GF_F32 ? (double)FLT_EPSILON : DBL_EPSILON;
    for (int64_t i = 0; i < s->rows; i++) {
        double size = 0;
        for (int64_t e = s->offsets[i]; e < s->offsets[i + 1]; e++) {
            size += fabs(number(type, s->values, e) * number(type, s->x, s->indices[e]));
        }
        if (!(fabs(number(type, y, i) - number(type, expected, i)) <=
              size * unit * (double)(s->offsets[i + 1] - s->offsets[i]))) {
            return false;
        }
    }
    return true;
}

static void compare(const gf_variant *v, gf_device device, const struct sparse *s, gf_depth type,
                    const char *what)
{
    if ((v->types & 1U << type) == 0) {
        return;
    }
    void *expected = multiply(s, type, "sequential", GF_DEVICE_CPU, 1);
    void *y = multiply(s, type, v->name, device, 3);
    CHECK_MSG(v->loose ? near(s, type, y, expected)
                       : memcmp(y, expected, (size_t)s->rows * gf_depth_size(type)) == 0,
              "%s on %s: %s of %s, %lld x %lld", v->name, device < 0 ? "CPU" : "CUDA", what,
              gf_depth_name(type), (long long)s->rows, (long long)s->columns);
    free(expected);
    free(y);
}

/* Lengths at which a row becomes another one's work, in two orders; few rows that hold most; and next to no
 * rows among empty ones. */
static void lengths(const gf_variant *v)
{
    static const int64_t seams[] = {0,   1,   4,   5,   31,  32,  33,  63,  64,    65,    66,   127, 128,
                                    255, 256, 257, 511, 512, 513, 768, 769, 65536, 65537, 1000, 2,   3};
    enum { SEAMS = sizeof seams / sizeof *seams, ZIPF = 3000, EMPTY = 100000 };
    for (int way = 0; way < 4; way++) {
        const int64_t rows = way < 2 ? 3 * SEAMS : way == 2 ? ZIPF : EMPTY;
        int64_t *offsets = memory((size_t)(rows + 1) * sizeof *offsets);
        offsets[0] = 0;
        for (int64_t i = 0; way < 2 && i < rows; i++) {
            offsets[i + 1] = offsets[i] + seams[(way ? i * 7 : i) % SEAMS];
        }
        for (int64_t i = 0; way == 3 && i < rows; i++) {
            offsets[i + 1] = offsets[i] + (i % 33333 == 33332 ? 100 : 0);
        }
        if (way == 2) {
            array_lengths_fill(offsets, rows, 20, LENGTHS_ZIPF, 4);
            CHECK_EQ_INT(offsets[rows], 20 * rows);
        }
        const gf_depth type = way % 2 && !v->loose ? GF_F64 : GF_F32;
        struct sparse s = sparse_fill(type, offsets, rows, 700, ARRAY_RANDOM, (uint64_t)way);
        compare(v, v->cuda ? 0 : GF_DEVICE_CPU, &s, type, "lengths at seams");
        sparse_free(&s);
    }
}

static void variants(bool is_cuda)
{
    /* rows, columns, entries a row at most, and of one of them */
    static const int64_t shapes[][4] = {
        {0, 5, 3, 0},        {5, 0, 3, 0},         {1, 1, 1, 1},         {31, 7, 3, 0},
        {33, 40, 9, 255},    {100, 50, 0, 1},      {64, 64, 40, 256},    {65, 300, 8, 257},
        {200, 99, 20, 513},  {32, 900, 300, 1024}, {40, 33, 5, 1025},    {70, 70, 4, 9001},
        {4, 70, 300, 70000}, {1000, 9, 0, 66049},  {20000, 40, 0, 3000}, {3, 20, 2000, 8192},
        {300, 17, 1, 2},     {257, 128, 33, 0},
    };
    const gf_variant *v;
    if (is_cuda && !array_has_cuda()) {
        SKIP("no CUDA device");
    }
    for (size_t i = 0; (v = gf_primitive_variant("spmv", i)) != NULL; i++) {
        for (size_t k = 0; v->cuda == is_cuda && k < sizeof shapes / sizeof shapes[0]; k++) {
            for (int way = 0; way < 4 && strcmp(v->name, "sequential") != 0; way++) {
                const gf_depth type = way < 2 ? GF_F32 : GF_F64;
                const array_data kind = way % 2 && !v->loose ? ARRAY_SPECIAL : ARRAY_RANDOM;
                struct sparse s = sparse_make(type, shapes[k][0], shapes[k][1], shapes[k][2], shapes[k][3],
                                              kind, (uint64_t)way + k);
                compare(v, is_cuda ? 0 : GF_DEVICE_CPU, &s, type, array_data_name(kind));
                sparse_free(&s);
            }
        }
        if (v->cuda == is_cuda && strcmp(v->name, "sequential") != 0) {
            lengths(v);
        }
    }
}

static void cpu_variants(void)
{
    variants(false);
    struct sparse one = sparse_make(GF_F64, 20, 1000, 40, 20000000, ARRAY_RANDOM, 6); /* a third level */
    compare(gf_primitive_variant("spmv", 1), GF_DEVICE_CPU, &one, GF_F64, "random");
    sparse_free(&one);
    struct sparse s = sparse_make(GF_F32, 30000, 1000, 40, 100000, ARRAY_RANDOM, 5); /* more parts than one */
    compare(gf_primitive_variant("spmv", 1), GF_DEVICE_CPU, &s, GF_F32, "random");
    sparse_free(&s);
}

static void cuda_variants(void)
{
    variants(true);
}

/* ---- What is known ------------------------------------------------------------------------------- */

/* Rows of at most 256 entries: the bits of the product of the dense matrix. */
static void as_a_dense_matrix(void)
{
    enum { M = 37, K = 256 };
    struct sparse s = sparse_make(GF_F32, M, K, 0, 0, ARRAY_RANDOM, 1);
    s.entries = M * K;
    s.indices = realloc(s.indices, M * K * sizeof *s.indices);
    s.values = realloc(s.values, M * K * sizeof(float));
    REQUIRE(s.indices && s.values);
    array_data_fill(s.values, GF_F32, M * K, ARRAY_SPECIAL, 0, 3);
    for (int e = 0; e < M * K; e++) {
        s.indices[e] = (uint32_t)(e % K);
        s.offsets[e / K + 1] = e + 1;
    }
    static float dense[M];
    static char scratch[1 << 20] __attribute__((aligned(256)));
    gf_matmul_options o = GF_MATMUL_OPTIONS_INIT;
    const gf_queue queue = {GF_DEVICE_CPU, NULL};
    CHECK_EQ_INT(gf_matmul(queue, &o, s.values, s.x, M, K, 1, dense, scratch, sizeof scratch, NULL), GF_OK);
    float *y = multiply(&s, GF_F32, "auto", GF_DEVICE_CPU, 1);
    CHECK_MEM(y, dense, sizeof dense);
    free(y);
    sparse_free(&s);
}

/* Chains of 256: ones that a sum of 2^24 cannot take up one by one, and whose sum of 255 it can. */
static void chains(void)
{
    struct sparse s = sparse_make(GF_F32, 1, 1, 0, 512, ARRAY_CONSTANT, 1);
    float *v = s.values, one = 1, *y;
    for (int e = 0; e < 512; e++) {
        v[e] = 1;
        s.indices[e] = 0;
    }
    v[0] = 16777216;
    memcpy(s.x, &one, sizeof one);
    for (int at = 0; at < 2; at++) {
        y = multiply(&s, GF_F32, at ? "auto" : "sequential", GF_DEVICE_CPU, 1);
        CHECK_MSG(*y == 16777216 + 256, "the sum is %.0f", (double)*y);
        free(y);
    }
    sparse_free(&s);
}

/* A permutation moves the bits of x, whatever they are but NaN. */
static void permutation(void)
{
    enum { N = 1009 };
    int64_t *offsets = memory((N + 1) * sizeof *offsets);
    array_lengths_fill(offsets, N, 1, LENGTHS_EVEN, 0);
    struct sparse s = sparse_fill(GF_F32, offsets, N, N, ARRAY_RANDOM, 8);
    float *v = s.values, *x = s.x;
    x[5] = INFINITY;
    x[6] = 1e-42F;
    for (int i = 0; i < N; i++) {
        s.indices[i] = (uint32_t)(i * 17 % N);
        v[i] = 1;
    }
    const gf_variant *variant;
    for (size_t k = 0; (variant = gf_primitive_variant("spmv", k)) != NULL; k++) {
        if (!variant->cuda || array_has_cuda()) {
            float *y = multiply(&s, GF_F32, variant->name, variant->cuda ? 0 : GF_DEVICE_CPU, 2);
            for (int i = 0; i < N; i++) {
                CHECK_MSG(!memcmp(&y[i], &x[i * 17 % N], sizeof *x), "%s: row %d", variant->name, i);
            }
            free(y);
        }
    }
    sparse_free(&s);
}

static const struct check_case cases[] = {
    {"as a dense matrix", as_a_dense_matrix}, {"chains of 256", chains},
    {"a permutation", permutation},           {"CPU variants", cpu_variants},
    {"CUDA variants", cuda_variants},
};
CHECK_MAIN(cases)
