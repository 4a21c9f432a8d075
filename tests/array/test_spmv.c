/* A sparse matrix times a vector: every variant against the sequential definition, byte by byte; the
 * definition against products by hand and the product of the dense matrix; and the check of matrices that are
 * wrong. */
#include "array_case.h"

#include "gpufilter/matmul.h"
#include "gpufilter/spmv.h"

#include <float.h>
#include <math.h>

struct sparse {
    int64_t rows, columns, entries;
    int64_t *offsets;
    uint32_t *indices;
    void *values, *x;
};

static void *memory(size_t bytes)
{
    void *block = malloc(bytes + 1);
    if (!block) {
        abort();
    }
    return block;
}

static uint64_t draw(uint64_t *state)
{
    *state = *state * 6364136223846793005U + 1442695040888963407U;
    return *state >> 33;
}

/* Rows that end at these offsets, which it owns from now on. */
static struct sparse sparse_fill(gf_depth type, int64_t *offsets, int64_t rows, int64_t columns,
                                 array_data kind, uint64_t seed)
{
    struct sparse s = {.rows = rows, .columns = columns, .entries = offsets[rows], .offsets = offsets};
    uint64_t state = seed * 977 + 1;
    s.indices = memory((size_t)s.entries * sizeof *s.indices);
    for (int64_t e = 0; e < s.entries; e++) {
        s.indices[e] = (uint32_t)(draw(&state) % (uint64_t)columns);
    }
    s.values = memory((size_t)s.entries * gf_depth_size(type));
    s.x = memory((size_t)columns * gf_depth_size(type));
    array_data_fill(s.values, type, s.entries, kind, 0, seed);
    array_data_fill(s.x, type, columns, kind, 0, seed + 1);
    return s;
}

/* Rows of 0 to `most` entries, one of `longest`. */
static struct sparse sparse_make(gf_depth type, int64_t rows, int64_t columns, int64_t most, int64_t longest,
                                 array_data kind, uint64_t seed)
{
    uint64_t state = seed * 977 + 1;
    int64_t *offsets = memory((size_t)(rows + 1) * sizeof *offsets);
    offsets[0] = 0;
    for (int64_t i = 0; i < rows; i++) {
        const int64_t count = i == rows / 3 ? longest : (int64_t)(draw(&state) % (uint64_t)(most + 1));
        offsets[i + 1] = offsets[i] + (columns > 0 ? count : 0);
    }
    return sparse_fill(type, offsets, rows, columns, kind, seed);
}

static void sparse_free(struct sparse *s)
{
    free(s->offsets);
    free(s->indices);
    free(s->values);
    free(s->x);
}

enum { OFFSETS, INDICES, VALUES, X, Y, ARRAYS };

/* The matrix in memory of the device. */
static gf_csr upload(const struct sparse *s, gf_depth type, gf_device device, struct array_memory m[ARRAYS])
{
    const size_t size = gf_depth_size(type);
    const size_t bytes[] = {(size_t)(s->rows + 1) * 8, (size_t)s->entries * 4, (size_t)s->entries * size,
                            (size_t)s->columns * size, (size_t)s->rows * size};
    const size_t element[] = {8, 4, size, size, size};
    const void *from[] = {s->offsets, s->indices, s->values, s->x};
    for (int i = 0; i < ARRAYS; i++) {
        CHECK(array_memory_make(&m[i], device, bytes[i], (size_t)array_next_offset(element[i]) * element[i]));
        if (i < Y) {
            array_memory_upload(&m[i], from[i]);
        }
    }
    return (gf_csr){sizeof(gf_csr),  s->rows,         s->columns,    s->entries,
                    m[OFFSETS].data, m[INDICES].data, m[VALUES].data};
}

static void release(struct array_memory m[ARRAYS])
{
    for (int i = 0; i < ARRAYS; i++) {
        array_memory_check(&m[i], i < Y ? "an input" : "the output");
        array_memory_free(&m[i]);
    }
}

/* y; to be freed. */
static void *multiply(const struct sparse *s, gf_depth type, const char *algo, gf_device device, int threads)
{
    struct array_memory m[ARRAYS];
    gf_spmv_options o = GF_SPMV_OPTIONS_INIT;
    gf_error error = GF_ERROR_INIT;
    const gf_queue queue = {device, NULL};
    size_t bytes = 1;
    const gf_csr matrix = upload(s, type, device, m);
    void *y = memory(m[Y].bytes);
    o.array = (gf_array_options){algo, type, threads, 0, 0, 0};
    struct array_memory scratch;
    CHECK_EQ_INT(gf_spmv_scratch(device, &o, &matrix, &bytes, &error), GF_OK);
    CHECK(array_memory_make(&scratch, device, bytes, 0));
    gf_status status = gf_spmv(queue, &o, &matrix, m[X].data, m[Y].data, scratch.data, bytes, &error);
    status = status == GF_OK ? gf_queue_wait(queue, &error) : status;
    CHECK_MSG(status == GF_OK, "%s: %s", algo, error.message);
    array_memory_download(&m[Y], y);
    array_memory_check(&scratch, "the scratch memory");
    array_memory_free(&scratch);
    release(m);
    return y;
}

/* ---- Variants ---------------------------------------------------------------------------------- */

/* Tells whether y is near enough where another order adds up. */
static bool near(const struct sparse *s, const double *y, const double *expected)
{
    const double *v = s->values, *x = s->x;
    for (int64_t i = 0; i < s->rows; i++) {
        double size = 0;
        for (int64_t e = s->offsets[i]; e < s->offsets[i + 1]; e++) {
            size += fabs(v[e] * x[s->indices[e]]);
        }
        if (!(fabs(y[i] - expected[i]) <= size * DBL_EPSILON * (double)(s->offsets[i + 1] - s->offsets[i]))) {
            return false;
        }
    }
    return true;
}

static void compare(const gf_variant *v, gf_device device, const struct sparse *s, gf_depth type,
                    const char *what)
{
    void *expected = multiply(s, type, "sequential", GF_DEVICE_CPU, 1);
    void *y = multiply(s, type, v->name, device, 3);
    CHECK_MSG(v->loose ? near(s, y, expected)
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
        const gf_depth type = way % 2 || v->loose ? GF_F64 : GF_F32;
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
            for (int way = v->loose ? 2 : 0; way < 4 && strcmp(v->name, "sequential") != 0; way++) {
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

static void expect_bad(gf_device device, const struct sparse *s, int64_t expected)
{
    struct array_memory m[ARRAYS], bad;
    const gf_queue queue = {device, NULL};
    gf_error error = GF_ERROR_INIT;
    int64_t found = 77;
    const gf_csr matrix = upload(s, GF_F32, device, m);
    CHECK(array_memory_make(&bad, device, sizeof found, 0));
    gf_status status = gf_csr_check(queue, &matrix, bad.data, &error);
    status = status == GF_OK ? gf_queue_wait(queue, &error) : status;
    CHECK_MSG(status == GF_OK, "%s", error.message);
    array_memory_download(&bad, &found);
    CHECK_EQ_INT(found, expected);
    array_memory_free(&bad);
    release(m);
}

static void checks(gf_device device)
{
    static const int64_t wrong[] = {-1, INT64_MIN, INT64_MAX, 1000000};
    struct sparse s = sparse_make(GF_F32, 300, 50, 6, 4, ARRAY_RANDOM, 2),
                  none = sparse_make(GF_F32, 0, 3, 0, 0, 0, 1);
    expect_bad(device, &s, -1);
    expect_bad(device, &none, -1);
    none.offsets[0] = 1;
    expect_bad(device, &none, 0);
    for (int i = 0; i < 4; i++) {
        const int64_t before = s.offsets[200];
        s.offsets[200] = wrong[i];
        expect_bad(device, &s, 199);
        s.offsets[200] = before;
    }
    s.offsets[0] = 1;
    expect_bad(device, &s, 0);
    s.offsets[0] = 0;
    s.entries++; /* an entry that no row has */
    s.indices = realloc(s.indices, (size_t)s.entries * sizeof *s.indices);
    s.values = realloc(s.values, (size_t)s.entries * sizeof(float));
    expect_bad(device, &s, 300);
    s.entries--;
    const uint32_t before = s.indices[s.offsets[100]];
    s.indices[s.offsets[100]] = 50;
    expect_bad(device, &s, 100);
    s.indices[s.offsets[100]] = UINT32_MAX;
    expect_bad(device, &s, 100);
    s.indices[s.offsets[100]] = before;
    expect_bad(device, &s, -1);
    sparse_free(&s);
    sparse_free(&none);
}

static void cpu_checks(void)
{
    checks(GF_DEVICE_CPU);
}

static void cuda_checks(void)
{
    if (!array_has_cuda()) {
        SKIP("no CUDA device");
    }
    checks(0);
}

static void refusals(void)
{
    struct sparse s = sparse_make(GF_F32, 4, 4, 2, 1, ARRAY_RANDOM, 2);
    const gf_queue queue = {GF_DEVICE_CPU, NULL};
    gf_csr m = {sizeof m, 4, 4, s.entries, s.offsets, s.indices, s.values};
    gf_spmv_options o = GF_SPMV_OPTIONS_INIT;
    gf_error error = GF_ERROR_INIT;
    float y[4];
    CHECK_EQ_INT(gf_spmv(queue, &o, &m, s.x, y, NULL, 0, &error), GF_OK);
    m.offsets = NULL;
    CHECK_EQ_INT(gf_spmv(queue, &o, &m, s.x, y, NULL, 0, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "array of offsets is NULL");
    m.offsets = s.offsets;
    CHECK_EQ_INT(gf_spmv(queue, &o, &m, NULL, y, NULL, 0, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "vector x is NULL");
    m.columns = 0;
    CHECK_EQ_INT(gf_spmv(queue, &o, &m, s.x, y, NULL, 0, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "has no place for");
    m.columns = (INT64_C(1) << 32) + 1;
    CHECK_EQ_INT(gf_spmv(queue, &o, &m, s.x, y, NULL, 0, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "at most 2^32 columns");
    m.columns = 4;
    o.array.type = GF_U8;
    CHECK_EQ_INT(gf_spmv(queue, &o, &m, s.x, y, NULL, 0, &error), GF_ERROR_UNSUPPORTED);
    sparse_free(&s);
}

static const struct check_case cases[] = {
    {"as a dense matrix", as_a_dense_matrix},
    {"chains of 256", chains},
    {"a permutation", permutation},
    {"CPU variants", cpu_variants},
    {"CUDA variants", cuda_variants},
    {"checks, CPU", cpu_checks},
    {"checks, CUDA", cuda_checks},
    {"refusals", refusals},
};
CHECK_MAIN(cases)
