/* The product of matrices: every variant against the sequential definition, byte by byte; the definition
 * against f64, against products by hand, and against matrices whose product is known. */
#include "array_case.h"

#include "gpufilter/matmul.h"
#include "prim/element.h"

#include <float.h>
#include <math.h>

/* A call, on matrices that lie `offset` elements off a 256-byte boundary, with `gap` elements behind each
 * row. */
struct product {
    const char *algo;
    gf_device device;
    gf_depth type;
    int64_t m, k, n;
    int transpose_a, transpose_b, signed_a, signed_b, threads;
    int64_t offset, gap;
    int32_t tile;
};

static void *memory(size_t bytes)
{
    void *block = malloc(bytes);
    if (!block) {
        abort();
    }
    return block;
}

struct stored {
    int64_t rows, columns, ld;
};

static struct stored stored(int64_t rows, int64_t columns, int transposed, int64_t gap)
{
    struct stored s = {transposed ? columns : rows, transposed ? rows : columns, 0};
    s.ld = s.columns + gap;
    return s;
}

static size_t span(const struct stored *s, size_t size)
{
    return s->rows > 0 && s->columns > 0 ? (size_t)((s->rows - 1) * s->ld + s->columns) * size : 0;
}

/* Returns what it makes of a and b, C without gaps; to be freed. Bytes beside C's rows must stay. */
static void *multiply(const struct product *p, const void *a, const void *b)
{
    const size_t size = gf_depth_size(p->type), to = gf_depth_size(gf_matmul_result(p->type));
    const struct stored s[3] = {stored(p->m, p->k, p->transpose_a, p->gap),
                                stored(p->k, p->n, p->transpose_b, p->gap), stored(p->m, p->n, 0, p->gap)};
    gf_matmul_options o = GF_MATMUL_OPTIONS_INIT;
    gf_queue queue = {p->device, NULL};
    gf_error error = GF_ERROR_INIT;
    struct array_memory m[3], scratch;
    size_t bytes = 0, wrong = 0;
    char *whole = memory(span(&s[2], to) + 1), *c = memory((size_t)(p->m * p->n) * to + 1);
    o.transpose_a = p->transpose_a;
    o.transpose_b = p->transpose_b;
    o.signed_a = p->signed_a;
    o.signed_b = p->signed_b;
    o.lda = p->gap ? s[0].ld : 0;
    o.ldb = p->gap ? s[1].ld : 0;
    o.ldc = p->gap ? s[2].ld : 0;
    o.array = (gf_array_options){p->algo, p->type, p->threads, 0, p->tile, 0};
    for (int i = 0; i < 3; i++) {
        const size_t each = i < 2 ? size : to;
        CHECK(array_memory_make(&m[i], p->device, span(&s[i], each), (size_t)p->offset * each));
    }
    array_memory_upload(&m[0], a);
    array_memory_upload(&m[1], b);
    gf_status status = gf_matmul_scratch(p->device, &o, p->m, p->k, p->n, &bytes, &error);
    CHECK(array_memory_make(&scratch, p->device, bytes, 0));
    status = status == GF_OK ? gf_matmul(queue, &o, m[0].data, m[1].data, p->m, p->k, p->n, m[2].data,
                                         scratch.data, bytes, &error)
                             : status;
    status = status == GF_OK ? gf_queue_wait(queue, &error) : status;
    CHECK_MSG(status == GF_OK, "%s: %s", p->algo, error.message);
    array_memory_download(&m[2], whole);
    for (int64_t i = 0; i < p->m && p->n > 0; i++) {
        memcpy(c + (size_t)(i * p->n) * to, whole + (size_t)(i * s[2].ld) * to, (size_t)p->n * to);
        for (size_t at = 0; i + 1 < p->m && at < (size_t)p->gap * to; at++) {
            wrong += (unsigned char)whole[(size_t)(i * s[2].ld + p->n) * to + at] != ARRAY_CANARY_BYTE;
        }
    }
    CHECK_MSG(wrong == 0, "%s: %zu bytes between rows were written", p->algo, wrong);
    for (int i = 0; i < 3; i++) {
        array_memory_end(&m[i], i < 2 ? "an input" : "the output");
    }
    array_memory_end(&scratch, "the scratch");
    free(whole);
    return c;
}

/* Elements for a stored matrix; to be freed. */
static void *filled(const struct stored *s, gf_depth type, array_data kind, uint64_t seed)
{
    const int64_t n = s->rows * s->ld;
    void *data = memory((size_t)n * gf_depth_size(type) + 1);
    array_data_fill(data, type, n, kind, 0, seed);
    return data;
}

/* The variant's product beside the definition's. */
static void compare(const struct product *p, array_data kind, uint64_t seed)
{
    const struct stored s[2] = {stored(p->m, p->k, p->transpose_a, p->gap),
                                stored(p->k, p->n, p->transpose_b, p->gap)};
    struct product definition = *p;
    gf_matmul_options o = GF_MATMUL_OPTIONS_INIT;
    size_t bytes = 0;
    o.transpose_a = p->transpose_a;
    o.transpose_b = p->transpose_b;
    o.ldc = p->gap ? p->n + p->gap : 0;
    o.array = (gf_array_options){p->algo, p->type, 0, 0, 0, 0};
    if (gf_matmul_scratch(p->device, &o, p->m, p->k, p->n, &bytes, NULL) == GF_ERROR_UNSUPPORTED) {
        return; /* what the published ones refuse: see published() */
    }
    void *a = filled(&s[0], p->type, kind, seed), *b = filled(&s[1], p->type, kind, seed + 1);
    definition.algo = "sequential";
    definition.device = GF_DEVICE_CPU;
    void *expected = multiply(&definition, a, b), *found = multiply(p, a, b);
    const size_t size = gf_depth_size(gf_matmul_result(p->type));
    CHECK_MSG(memcmp(found, expected, (size_t)(p->m * p->n) * size) == 0,
              "%s on %s: %s of %s, %lld x %lld x %lld, transposed %d %d, signs %d %d, offset %lld, gap %lld",
              p->algo, p->device < 0 ? "CPU" : "CUDA", array_data_name(kind), gf_depth_name(p->type),
              (long long)p->m, (long long)p->k, (long long)p->n, p->transpose_a, p->transpose_b, p->signed_a,
              p->signed_b, (long long)p->offset, (long long)p->gap);
    free(a);
    free(b);
    free(expected);
    free(found);
}

/* ---- Shapes -------------------------------------------------------------------------------- */

static const int64_t shapes[][3] = {
    {1, 1, 1},      {0, 5, 7},      {5, 0, 7},    {5, 7, 0},   {0, 0, 0},    {1, 300, 1},
    {1, 7, 65},     {65, 7, 1},     {2, 3, 2},    {14, 2, 32}, {15, 3, 33},  {13, 256, 31},
    {17, 257, 16},  {16, 512, 64},  {64, 64, 64}, {7, 515, 5}, {67, 31, 5},  {131, 17, 129},
    {128, 16, 128}, {129, 33, 127}, {1, 1, 400},  {400, 1, 1}, {37, 41, 43}, {170, 19, 67},
};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

static void all_shapes(const gf_variant *v, gf_device device)
{
    static const gf_depth types[] = {GF_F32, GF_F64, GF_U8};
    unsigned draw = 0;
    for (int shape = 0; shape < SHAPES; shape++) {
        for (int t = 0; t < 3; t++) {
            for (int way = 0; way < 4; way++) {
                draw++;
                if (!array_in_slice()) {
                    continue;
                }
                const struct product p = {
                    .algo = v->name,
                    .device = device,
                    .type = types[t],
                    .m = shapes[shape][0],
                    .k = shapes[shape][1],
                    .n = shapes[shape][2],
                    .transpose_a = way & 1,
                    .transpose_b = way / 2,
                    .signed_a = types[t] == GF_U8 && draw % 3 == 1,
                    .signed_b = types[t] == GF_U8 && draw % 5 > 2,
                    .threads = (int)(draw % 4),
                    .offset = draw % 3,
                    .gap = draw % 7 < 3 ? 0 : draw % 7,
                };
                compare(&p, draw % 4 == 3 ? ARRAY_SPECIAL : ARRAY_RANDOM, draw);
            }
        }
    }
}

/* More blocks of C than one has, on every thread; sums of several blocks. */
static void large_shapes(const gf_variant *v, gf_device device)
{
    static const int64_t large[][3] = {{400, 260, 300}, {3, 1000, 2000}, {2000, 600, 3}};
    static const gf_depth types[] = {GF_F32, GF_F64, GF_U8};
    for (int shape = 0; shape < 3; shape++) {
        for (int t = 0; t < 3; t++) {
            const struct product p = {.algo = v->name,
                                      .device = device,
                                      .type = types[t],
                                      .m = large[shape][0],
                                      .k = large[shape][1],
                                      .n = large[shape][2],
                                      .threads = 1 + 2 * shape};
            if (array_in_slice()) {
                compare(&p, ARRAY_RANDOM, (uint64_t)shape);
            }
        }
    }
}

static void variants(bool is_cuda)
{
    const gf_device device = is_cuda ? 0 : GF_DEVICE_CPU;
    const gf_variant *v;
    if (is_cuda && !array_has_cuda()) {
        SKIP("no CUDA device");
    }
    for (size_t i = 0; (v = gf_primitive_variant("matmul", i)) != NULL; i++) {
        if (v->cuda == is_cuda && !v->loose && strcmp(v->name, "sequential") != 0) {
            all_shapes(v, device);
            if (!is_cuda || !array_is_emulated()) {
                large_shapes(v, device);
            }
        }
    }
}

static void cpu_variants(void)
{
    variants(false);
}

/* What the text's kernels take, at every tile, and what they refuse. */
static void published(void)
{
    static const char *const names[] = {"naive", "tiled"};
    for (int i = 0; i < 2; i++) {
        gf_matmul_options o = GF_MATMUL_OPTIONS_INIT;
        gf_error error = GF_ERROR_INIT;
        size_t bytes = 0;
        for (int shape = 0; shape < SHAPES; shape++) {
            const struct product p = {.algo = names[i],
                                      .device = 0,
                                      .type = GF_F32,
                                      .m = shapes[shape][0],
                                      .k = shapes[shape][1],
                                      .n = shapes[shape][2],
                                      .tile = i && shape % 2 ? 32 : 0};
            compare(&p, shape % 3 ? ARRAY_RANDOM : ARRAY_SPECIAL, (uint64_t)shape);
        }
        o.array.algo = names[i];
        CHECK_EQ_INT(gf_matmul_scratch(0, &o, 65536, 4, 4, &bytes, &error), GF_ERROR_UNSUPPORTED);
        CHECK_STR_HAS(error.message, "takes matrices row by row without gaps");
        CHECK_EQ_INT(gf_matmul_scratch(0, &o, 4, 1 << 16, 1 << 16, &bytes, &error), GF_ERROR_UNSUPPORTED);
        o.transpose_b = 1;
        CHECK_EQ_INT(gf_matmul_scratch(0, &o, 4, 5, 6, &bytes, &error), GF_ERROR_UNSUPPORTED);
        o = (gf_matmul_options)GF_MATMUL_OPTIONS_INIT;
        o.array.algo = names[i];
        o.ldc = 7;
        CHECK_EQ_INT(gf_matmul_scratch(0, &o, 4, 5, 6, &bytes, &error), GF_ERROR_UNSUPPORTED);
    }
}

/* Sums that round to -0, which a tile that reaches past the end must leave as they are. */
static void negative_zeros(void)
{
    static const float a[] = {-1e-30F, 1e-30F}, b[] = {1e-30F, 1e-30F};
    const struct product p = {.algo = "tiled", .device = 0, .type = GF_F32, .m = 2, .k = 1, .n = 2};
    float *c = multiply(&p, a, b);
    CHECK(c[0] == 0 && signbit(c[0]) && signbit(c[1]) && !signbit(c[2]) && !signbit(c[3]));
    free(c);
}

static void cuda_variants(void)
{
    variants(true);
    if (array_has_cuda()) {
        published();
        negative_zeros();
    }
}

/* ---- What is known ----------------------------------------------------------------------------- */

static void by_hand(void)
{
    const float a[] = {1, 2, 3, 4, 5, 6}, b[] = {7, 8, 9, 10, 11, 12};
    const float ab[] = {58, 64, 139, 154}, zero[] = {-0.0F}, one[] = {1.0F}, inf[] = {INFINITY, 1};
    const uint8_t x[] = {255, 255}, y[] = {255, 254}; /* or -1, -1 and -1, -2 */
    for (int at = 0; at < 2; at++) {
        struct product p = {.algo = at ? "auto" : "sequential",
                            .device = GF_DEVICE_CPU,
                            .type = GF_F32,
                            .m = 2,
                            .k = 3,
                            .n = 2};
        float *c = multiply(&p, a, b);
        CHECK_MEM(c, ab, sizeof ab);
        free(c);
        p.m = p.k = p.n = 1; /* a sum begins with +0 */
        c = multiply(&p, zero, one);
        CHECK_MSG(c[0] == 0 && !signbit(c[0]), "0 - 0 is %g", (double)c[0]);
        free(c);
        c = multiply(&p, inf, (const float[]){0});
        uint32_t bits;
        memcpy(&bits, c, sizeof bits);
        CHECK_MSG(bits == 0x7fc00000U, "the NaN has the bits %08x", bits);
        free(c);
        p.type = GF_U8;
        p.k = 2;
        for (int sign = 0; sign < 4; sign++) {
            static const int32_t must[] = {255 * 255 + 255 * 254, -509, -765, 3};
            p.signed_a = sign & 1;
            p.signed_b = sign / 2;
            int32_t *sum = multiply(&p, x, y);
            CHECK_EQ_INT(*sum, must[sign]);
            free(sum);
        }
    }
}

/* Row i of a permutation matrix has its 1 in column (5 i + 3) modulo 61: the product has B's rows in that
 * order, exactly, and that of the identity is B itself. */
static void permutations(void)
{
    enum { N = 61, COLUMNS = 37 };
    static float p[N * N], b[N * COLUMNS];
    for (int step = 0; step < 2; step++) {
        memset(p, 0, sizeof p);
        for (int i = 0; i < N; i++) {
            p[i * N + (step ? (5 * i + 3) % N : i)] = 1;
        }
        array_data_fill(b, GF_F32, N * COLUMNS, ARRAY_RANDOM, 0, 4);
        const struct product call = {
            .algo = "auto", .device = GF_DEVICE_CPU, .type = GF_F32, .m = N, .k = N, .n = COLUMNS};
        float *c = multiply(&call, p, b);
        for (int i = 0; i < N; i++) {
            CHECK_MEM(c + i * COLUMNS, b + (step ? (5 * i + 3) % N : i) * COLUMNS, COLUMNS * sizeof *b);
        }
        free(c);
    }
}

/* Every element is within k roundings of the sum of magnitudes of what f64 gives, whose own error is nothing
 * beside it; and the chain of f64 is that of long double, rounded after each step it takes, to as many. */
static void within_bounds(void)
{
    enum { M = 23, K = 1000, N = 19 };
    static float a[M * K], b[K * N];
    array_data_fill(a, GF_F32, M * K, ARRAY_RANDOM, 0, 8);
    array_data_fill(b, GF_F32, K * N, ARRAY_RANDOM, 0, 9);
    for (int i = 0; i < M * K; i++) {
        a[i] -= 0.5F;
    }
    const struct product call = {
        .algo = "auto", .device = GF_DEVICE_CPU, .type = GF_F32, .m = M, .k = K, .n = N};
    float *c = multiply(&call, a, b);
    for (int i = 0; i < M; i++) {
        for (int j = 0; j < N; j++) {
            double sum = 0, size = 0;
            for (int l = 0; l < K; l++) {
                const double product = (double)a[i * K + l] * (double)b[l * N + j];
                sum += product;
                size += fabs(product);
            }
            const double far = fabs((double)c[i * N + j] - sum),
                         most = K * (double)FLT_EPSILON / 2 * size * 1.001;
            CHECK_MSG(far <= most, "element (%d, %d) is %g away, must be within %g", i, j, far, most);
        }
    }
    free(c);
}

/* Sums of bytes wrap around: 70 000 products of 255 are more than 2^31. */
static void wraps(void)
{
    enum { K = 70000 };
    uint8_t *a = malloc(2 * K), *b = a + K;
    REQUIRE(a != NULL);
    memset(a, 255, 2 * K);
    for (int at = 0; at < 2; at++) {
        const struct product p = {.algo = at ? "auto" : "sequential",
                                  .device = GF_DEVICE_CPU,
                                  .type = GF_U8,
                                  .m = 1,
                                  .k = K,
                                  .n = 1};
        int32_t *c = multiply(&p, a, b);
        CHECK_EQ_INT((uint32_t)*c, (uint32_t)(UINT64_C(255) * 255 * K));
        free(c);
    }
    free(a);
}

static void refusals(void)
{
    static float a[16], b[16], c[16];
    static char scratch[1 << 20] __attribute__((aligned(256)));
    gf_queue queue = {GF_DEVICE_CPU, NULL};
    gf_matmul_options o = GF_MATMUL_OPTIONS_INIT;
    gf_error error = GF_ERROR_INIT;
    size_t bytes = 0;
#define MULTIPLY(pa, pb, m, k, n, pc)                                                                        \
    gf_matmul(queue, &o, pa, pb, m, k, n, pc, scratch, sizeof scratch, &error)
    CHECK_EQ_INT(MULTIPLY(a, b, 4, 4, 4, c), GF_OK);
    CHECK_EQ_INT(MULTIPLY(NULL, NULL, 4, 0, 4, c), GF_OK);
    CHECK_EQ_INT(MULTIPLY(NULL, b, 0, 4, 4, NULL), GF_OK);
    CHECK_EQ_INT(MULTIPLY(NULL, b, 4, 4, 4, c), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "matrix a is NULL");
    CHECK_EQ_INT(MULTIPLY(a, NULL, 4, 4, 4, c), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "matrix b is NULL");
    CHECK_EQ_INT(MULTIPLY(a, b, 4, 4, 4, NULL), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "product c is NULL");
    CHECK_EQ_INT(MULTIPLY(a, (char *)b + 2, 2, 2, 2, c), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "matrix b is not aligned to 4 bytes");
    CHECK_EQ_INT(MULTIPLY(a, b, -1, 4, 4, c), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "-1 x 4 x 4");
    CHECK_EQ_INT(gf_matmul_scratch(GF_DEVICE_CPU, &o, INT64_C(1) << 30, 1, INT64_C(1) << 30, &bytes, &error),
                 GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "c has 1073741824 rows");
    o.ldb = 3;
    CHECK_EQ_INT(MULTIPLY(a, b, 4, 4, 4, c), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "ldb is 3, must be at least the 4 elements of a row of b, or 0");
    o.ldb = 0;
    o.signed_a = 1;
    CHECK_EQ_INT(MULTIPLY(a, b, 4, 4, 4, c), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "of u8, not of f32");
    o.signed_a = 0;
    o.array.type = GF_U16;
    CHECK_EQ_INT(MULTIPLY(a, b, 2, 2, 2, c), GF_ERROR_UNSUPPORTED);
    CHECK_STR_HAS(error.message, "takes no u16");
    o.array.type = GF_F32;
    o.array.algo = "fast";
    CHECK_EQ_INT(MULTIPLY(a, b, 2, 2, 2, c), GF_ERROR_UNSUPPORTED);
}

static const struct check_case cases[] = {
    {"by hand", by_hand},
    {"identity and permutations", permutations},
    {"within the bound of f64", within_bounds},
    {"sums of bytes wrap", wraps},
    {"CPU variants", cpu_variants},
    {"CUDA variants", cuda_variants},
    {"refusals", refusals},
};
CHECK_MAIN(cases)
