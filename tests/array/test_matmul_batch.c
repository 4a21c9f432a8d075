/* Batches of products: each is what a single call gives, on the CPU and on CUDA, wherever its matrices lie.
 */
#include "array_case.h"

#include "gpufilter/matmul.h"

/* A batch of matrices that lie `between` elements further apart than they must, with `gap` elements behind
 * each row. shared: 1: there is one matrix a for all, 2: one matrix b. */
struct batch {
    gf_device device;
    gf_depth type;
    int64_t count, m, k, n, gap, between;
    int transpose_a, transpose_b, shared, threads;
};

static void *memory(size_t bytes)
{
    void *block = malloc(bytes + 1);
    if (!block) {
        abort();
    }
    return block;
}

struct stored {
    int64_t rows, columns, ld, step; /* step: to the next matrix; 0: there is one */
};

static struct stored stored(const struct batch *b, int64_t rows, int64_t columns, int transposed, int shared)
{
    struct stored s = {transposed ? columns : rows, transposed ? rows : columns, 0, 0};
    s.ld = s.columns + b->gap;
    s.step = shared ? 0 : s.rows * s.ld + b->between;
    return s;
}

static size_t bytes_of(const struct batch *b, const struct stored *s, size_t size)
{
    return (size_t)((b->count - 1) * s->step + s->rows * s->ld) * size;
}

static gf_matmul_options options_of(const struct batch *b, const struct stored s[3])
{
    gf_matmul_options o = GF_MATMUL_OPTIONS_INIT;
    o.transpose_a = b->transpose_a;
    o.transpose_b = b->transpose_b;
    o.signed_b = b->type == GF_U8;
    o.lda = s[0].ld;
    o.ldb = s[1].ld;
    o.ldc = s[2].ld;
    o.array = (gf_array_options){"auto", b->type, b->threads, 0, 0, 0};
    o.batch = b->count;
    o.stride_a = s[0].step > 0 ? s[0].step : -1;
    o.stride_b = s[1].step > 0 ? s[1].step : -1;
    o.stride_c = s[2].step;
    return o;
}

/* Returns all of c, gaps included; to be freed. */
static char *multiply(const struct batch *b, const struct stored s[3], const void *const in[2])
{
    const size_t sizes[] = {gf_depth_size(b->type), gf_depth_size(b->type),
                            gf_depth_size(gf_matmul_result(b->type))};
    const gf_matmul_options o = options_of(b, s);
    const gf_queue queue = {b->device, NULL};
    gf_error error = GF_ERROR_INIT;
    struct array_memory m[3], scratch;
    size_t bytes = 0;
    for (int i = 0; i < 3; i++) {
        CHECK(array_memory_make(&m[i], b->device, bytes_of(b, &s[i], sizes[i]), sizes[i]));
    }
    array_memory_upload(&m[0], in[0]);
    array_memory_upload(&m[1], in[1]);
    gf_status status = gf_matmul_scratch(b->device, &o, b->m, b->k, b->n, &bytes, &error);
    CHECK(array_memory_make(&scratch, b->device, bytes, 0));
    status = status == GF_OK ? gf_matmul(queue, &o, m[0].data, m[1].data, b->m, b->k, b->n, m[2].data,
                                         scratch.data, bytes, &error)
                             : status;
    status = status == GF_OK ? gf_queue_wait(queue, &error) : status;
    CHECK_MSG(status == GF_OK, "%s", error.message);
    char *c = memory(m[2].bytes);
    array_memory_download(&m[2], c);
    for (int i = 0; i < 3; i++) {
        array_memory_end(&m[i], "a matrix");
    }
    array_memory_end(&scratch, "the scratch");
    return c;
}

/* Returns what must be: product after product by the definition, in memory full of canaries. */
static char *one_by_one(const struct batch *b, const struct stored s[3], const void *const in[2])
{
    const size_t size = gf_depth_size(b->type), of_c = gf_depth_size(gf_matmul_result(b->type));
    const gf_queue queue = {GF_DEVICE_CPU, NULL};
    gf_matmul_options o = options_of(b, s);
    gf_error error = GF_ERROR_INIT;
    char *c = memory(bytes_of(b, &s[2], of_c));
    memset(c, ARRAY_CANARY_BYTE, bytes_of(b, &s[2], of_c));
    o.array.algo = "sequential";
    o.batch = o.stride_a = o.stride_b = o.stride_c = 0;
    for (int64_t i = 0; i < b->count; i++) {
        const gf_status status = gf_matmul(queue, &o, (const char *)in[0] + (size_t)(i * s[0].step) * size,
                                           (const char *)in[1] + (size_t)(i * s[1].step) * size, b->m, b->k,
                                           b->n, c + (size_t)(i * s[2].step) * of_c, NULL, 0, &error);
        CHECK_MSG(status == GF_OK, "%s", error.message);
    }
    return c;
}

static void compare(const struct batch *b, uint64_t seed)
{
    const struct stored s[3] = {stored(b, b->m, b->k, b->transpose_a, b->shared == 1),
                                stored(b, b->k, b->n, b->transpose_b, b->shared == 2),
                                stored(b, b->m, b->n, 0, 0)};
    const size_t size = gf_depth_size(b->type), of_c = gf_depth_size(gf_matmul_result(b->type));
    void *in[2];
    for (int i = 0; i < 2; i++) {
        in[i] = memory(bytes_of(b, &s[i], size));
        array_data_fill(in[i], b->type, (int64_t)(bytes_of(b, &s[i], size) / size),
                        seed % 4 == 3 ? ARRAY_SPECIAL : ARRAY_RANDOM, 0, seed + (uint64_t)i);
    }
    const void *const from[2] = {in[0], in[1]};
    char *found = multiply(b, s, from), *must = one_by_one(b, s, from);
    CHECK_MSG(memcmp(found, must, bytes_of(b, &s[2], of_c)) == 0,
              "%s: %lld of %s, %lld x %lld x %lld, transposed %d %d, shared %d, gap %lld, between %lld",
              b->device < 0 ? "CPU" : "CUDA", (long long)b->count, gf_depth_name(b->type), (long long)b->m,
              (long long)b->k, (long long)b->n, b->transpose_a, b->transpose_b, b->shared, (long long)b->gap,
              (long long)b->between);
    free(in[0]);
    free(in[1]);
    free(found);
    free(must);
}

static void on(gf_device device)
{
    static const int64_t shapes[][4] = {/* how many, and of what shape */
                                        {37, 8, 8, 8},   {5, 16, 16, 16}, {300, 1, 3, 1}, {3, 16, 17, 16},
                                        {4, 32, 32, 32}, {3, 64, 64, 64}, {2, 70, 9, 66}, {19, 3, 16, 5},
                                        {2, 5, 20, 130}, {33, 2, 1, 16},  {4, 31, 40, 7}, {2, 8, 0, 8}};
    static const gf_depth types[] = {GF_F32, GF_F64, GF_U8};
    unsigned turn = 0;
    for (int shape = 0; shape < 12; shape++) {
        for (int type = 0; type < 3; type++) {
            for (int shared = 0; shared < 3; shared++) {
                turn++;
                if (!array_in_slice()) {
                    continue;
                }
                const struct batch b = {.device = device,
                                        .type = types[type],
                                        .count = shapes[shape][0],
                                        .m = shapes[shape][1],
                                        .k = shapes[shape][2],
                                        .n = shapes[shape][3],
                                        .gap = turn % 4 == 1,
                                        .between = turn % 5 == 2 ? 3 : 0,
                                        .transpose_a = turn / 2 % 2,
                                        .transpose_b = turn / 3 % 2,
                                        .shared = shared,
                                        .threads = (int)(turn % 3)};
                compare(&b, turn);
            }
        }
    }
}

static void on_cpu(void)
{
    on(GF_DEVICE_CPU);
}

static void on_cuda(void)
{
    if (!array_has_cuda()) {
        SKIP("no CUDA device");
    }
    on(0);
}

/* The definition of a batch, with strides left to the library, and of one product that is called a batch. */
static void sequential(void)
{
    static const float a[] = {1, 2, 3, 4, 5, 6}, b[] = {1, 10, 100, 1000, 2, 20};
    static const float must[] = {21, 4300, 130}, shared[] = {21, 43, 65}, first[] = {21};
    const gf_queue queue = {GF_DEVICE_CPU, NULL};
    gf_matmul_options o = GF_MATMUL_OPTIONS_INIT;
    gf_error error = GF_ERROR_INIT;
    for (int at = 0; at < 2; at++) {
        static _Alignas(256) char scratch[1 << 20];
        float c[3] = {0, 0, 0};
        o.array.algo = at ? "auto" : "sequential";
        o.array.threads = 1;
        o.batch = 3;
        o.stride_b = 0;
        CHECK_EQ_INT(gf_matmul(queue, &o, a, b, 1, 2, 1, c, scratch, sizeof scratch, &error), GF_OK);
        CHECK_MEM(c, must, sizeof must);
        o.stride_b = -1;
        CHECK_EQ_INT(gf_matmul(queue, &o, a, b, 1, 2, 1, c, scratch, sizeof scratch, &error), GF_OK);
        CHECK_MEM(c, shared, sizeof shared);
        memset(c, 0, sizeof c);
        o.batch = 1;
        CHECK_EQ_INT(gf_matmul(queue, &o, a, b, 1, 2, 1, c, scratch, sizeof scratch, &error), GF_OK);
        CHECK(c[0] == first[0] && c[1] == 0);
    }
}

static void refusals(void)
{
    static float a[64], c[64];
    static _Alignas(256) char scratch[1 << 20];
    const gf_queue queue = {GF_DEVICE_CPU, NULL};
    gf_matmul_options o = GF_MATMUL_OPTIONS_INIT;
    gf_error error = GF_ERROR_INIT;
    size_t bytes;
#define REFUSED(text)                                                                                        \
    CHECK_EQ_INT(gf_matmul(queue, &o, a, a, 4, 4, 4, c, scratch, sizeof scratch, &error),                    \
                 GF_ERROR_ARGUMENT);                                                                         \
    CHECK_STR_HAS(error.message, text)
    o.batch = -1;
    REFUSED("batch is -1, must be 0 to 2^48");
    o.batch = 2;
    o.stride_a = 15;
    REFUSED("stride_a is 15, must be at least the 16 elements of a, or 0, or -1 for one matrix");
    o.stride_a = 0;
    o.stride_c = -1;
    REFUSED("stride_c is -1, must be at least the 16 elements of c, or 0");
    o.stride_c = INT64_C(1) << 48;
    o.batch = 3;
    REFUSED("3 matrices c of 281474976710656 elements each are too many, must have at most 2^48");
    o.stride_c = 0;
    o.accuracy = GF_MATMUL_F32X;
    REFUSED("a batch is of accuracy f32, not of f32x");
    o.accuracy = GF_MATMUL_F32;
    if (array_has_cuda()) {
        o.array.algo = "naive";
        CHECK_EQ_INT(gf_matmul_scratch(0, &o, 4, 4, 4, &bytes, &error), GF_ERROR_UNSUPPORTED);
        CHECK_STR_HAS(error.message,
                      "variant naive, takes one product at a time; sequential, auto and cublas");
    }
}

static const struct check_case cases[] = {
    {"by hand", sequential},
    {"on the CPU", on_cpu},
    {"CUDA", on_cuda},
    {"refusals", refusals},
};
CHECK_MAIN(cases)
