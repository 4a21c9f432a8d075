/* The merge of two sorted arrays: every variant against the sequential definition, byte by byte; the
 * definition against arrays merged by hand. GF_ARRAY_MOST: the largest n on CUDA (the emulator is slow). */
#include "sort_case.h"

struct merge_case {
    const char *algo;
    gf_device device;
    gf_depth type;
    int descending;
    int64_t n, m;
    size_t offset; /* elements by which the arrays lie off a 256-byte boundary */
    int threads, block, tile;
    void *out; /* on the host */
};

static void merge_call(const struct merge_case *c, const struct array_memory m[3])
{
    gf_sort_options options = GF_SORT_OPTIONS_INIT;
    gf_error error = GF_ERROR_INIT;
    gf_queue queue = {c->device, NULL};
    struct array_memory scratch;
    size_t bytes = 0;
    options.descending = c->descending;
    options.array = (gf_array_options){c->algo, c->type, c->threads, c->block, c->tile, 0};
    gf_status status = gf_merge_scratch(c->device, &options, c->n, c->m, &bytes, &error);
    CHECK_MSG(status == GF_OK, "scratch: %s", error.message);
    if (status != GF_OK || !array_memory_make(&scratch, c->device, bytes, 0)) {
        return;
    }
    status =
        gf_merge(queue, &options, m[0].data, c->n, m[1].data, c->m, m[2].data, scratch.data, bytes, &error);
    status = status == GF_OK ? gf_queue_wait(queue, &error) : status;
    CHECK_MSG(status == GF_OK, "%s: %s", c->algo, error.message);
    array_memory_check(&scratch, "scratch");
    array_memory_free(&scratch);
}

static void merge_run(struct merge_case *c, const void *a, const void *b)
{
    size_t size = gf_depth_size(c->type), offset = c->offset * size;
    size_t bytes[3] = {(size_t)c->n * size, (size_t)c->m * size, (size_t)(c->n + c->m) * size};
    const void *in[2] = {a, b};
    struct array_memory m[3];
    void *again = malloc(bytes[2] + 1);
    c->out = malloc(bytes[2] + 1);
    for (int i = 0; i < 3; i++) {
        CHECK(array_memory_make(&m[i], c->device, bytes[i], offset));
    }
    array_memory_upload(&m[0], a);
    array_memory_upload(&m[1], b);
    merge_call(c, m);
    array_memory_download(&m[2], c->out);
    for (int i = 0; i < 3; i++) {
        array_memory_check(&m[i], i < 2 ? "an input" : "the output");
        if (i < 2) {
            array_memory_download(&m[i], again);
            CHECK_MSG(memcmp(again, in[i], bytes[i]) == 0, "%s changed its input", c->algo);
        }
        array_memory_free(&m[i]);
    }
    free(again);
}

static void by_hand(void)
{
    const float a[] = {-INFINITY, -0.0F, 1.0F, NAN}, b[] = {-1.0F, -0.0F, 0.0F, -NAN, -NAN};
    const float out[] = {-INFINITY, -1.0F, -0.0F, -0.0F, 0.0F, 1.0F, NAN, -NAN, -NAN};
    const uint8_t c[] = {9, 3, 3}, d[] = {9, 4, 0}, down[] = {9, 9, 4, 3, 3, 0};
    for (int auto_ = 0; auto_ < 2; auto_++) {
        struct merge_case m = {
            .algo = auto_ ? "auto" : "sequential", .device = GF_DEVICE_CPU, .type = GF_F32, .n = 4, .m = 5};
        merge_run(&m, a, b);
        CHECK_MEM(m.out, out, sizeof out);
        free(m.out);
        m = (struct merge_case){
            .algo = m.algo, .device = GF_DEVICE_CPU, .type = GF_U8, .n = 3, .m = 3, .descending = 1};
        merge_run(&m, c, d);
        CHECK_MEM(m.out, down, sizeof down);
        free(m.out);
    }
}

/* Sorted data of a kind, by the sequential sort; to be freed. */
static void *sorted_data(const struct merge_case *c, int64_t n, array_data kind, uint64_t seed)
{
    void *in = sort_case_data(c->type, n, kind, seed);
    struct sort_case s = {
        .algo = "sequential", .device = GF_DEVICE_CPU, .type = c->type, .n = n, .descending = c->descending};
    sort_case_run(&s, in);
    free(in);
    free(s.values);
    return s.keys;
}

static void compare(struct merge_case *c, array_data kind_a, array_data kind_b, uint64_t seed)
{
    void *a = sorted_data(c, c->n, kind_a, seed), *b = sorted_data(c, c->m, kind_b, seed + 1);
    struct merge_case expected = {.algo = "sequential",
                                  .device = GF_DEVICE_CPU,
                                  .type = c->type,
                                  .n = c->n,
                                  .m = c->m,
                                  .descending = c->descending};
    merge_run(&expected, a, b);
    merge_run(c, a, b);
    size_t bytes = (size_t)(c->n + c->m) * gf_depth_size(c->type);
    CHECK_MSG(c->out && expected.out && memcmp(c->out, expected.out, bytes) == 0,
              "%s on %s: %s, %s and %s, %lld + %lld, %s, offset %zu, threads %d", c->algo,
              c->device < 0 ? "CPU" : "CUDA", gf_depth_name(c->type), array_data_name(kind_a),
              array_data_name(kind_b), (long long)c->n, (long long)c->m,
              c->descending ? "descending" : "ascending", c->offset, c->threads);
    size_t size = gf_depth_size(c->type);
    int64_t wrong = 0;
    for (int64_t i = 1; i < c->n + c->m; i++) {
        const char *at = (const char *)c->out + (size_t)i * size;
        wrong += gf_sort_before(c->type, c->descending, at, at - size);
    }
    CHECK_MSG(wrong == 0 &&
                  array_bag(c->out, size, c->n + c->m) == array_bag(a, size, c->n) + array_bag(b, size, c->m),
              "%s: not the elements of both in order", c->algo);
    free(c->out);
    free(expected.out);
    free(a);
    free(b);
}

/* NaNs are equal, and tell by their bits where they come from: runs of both arrays, in front of and between
 * the edges of tiles. */
static void equal_elements(const gf_variant *v, gf_device device)
{
    enum { N = 4100 };
    float *a = malloc(2 * N * sizeof *a), *b = a + N;
    REQUIRE(a != NULL);
    for (uint32_t i = 0; i < 2 * N; i++) {
        uint32_t bits = 0x7fc00000 | i;
        memcpy(a + i, &bits, sizeof bits);
    }
    for (int64_t some = 0; some <= N; some += 1025) {
        struct merge_case c = {.algo = v->name,
                               .device = device,
                               .type = GF_F32,
                               .n = N - some,
                               .m = some,
                               .descending = some & 1,
                               .threads = 3};
        merge_run(&c, a, b);
        CHECK_MSG(c.out && memcmp(c.out, a, (size_t)c.n * 4) == 0, "%s: %lld of the first array", v->name,
                  (long long)c.n);
        CHECK_MSG(c.out && memcmp((char *)c.out + c.n * 4, b, (size_t)c.m * 4) == 0,
                  "%s: %lld of the second array", v->name, (long long)c.m);
        free(c.out);
    }
    free(a);
}

static void variant_cases(const gf_variant *v, gf_device device, int64_t most)
{
    int32_t count = 0;
    const int64_t *sizes = array_data_sizes(most, &count);
    unsigned draw = 0;
    for (int type = GF_U8; type <= GF_S64; type++) {
        for (int32_t k = 0; k < count && (v->types >> type & 1) != 0; k++) {
            for (int other = 0; other < 4; other++) {
                draw++;
                if (!array_in_slice()) {
                    continue;
                }
                struct merge_case c = {.algo = v->name,
                                       .device = device,
                                       .type = (gf_depth)type,
                                       .n = sizes[k],
                                       .m = sizes[(k * (other + 1) + other * 5) % count],
                                       .descending = draw & 1,
                                       .offset = draw % 16,
                                       .threads = (int)(draw % 5)};
                compare(&c, (array_data)(draw % ARRAY_DATA_COUNT), (array_data)(draw / 3 % ARRAY_DATA_COUNT),
                        draw);
            }
        }
    }
}

static void variants(bool is_cuda)
{
    const char *most = getenv("GF_ARRAY_MOST");
    const gf_variant *v;
    if (is_cuda && !array_has_cuda()) {
        SKIP("no CUDA device");
    }
    for (size_t i = 0; (v = gf_primitive_variant("merge", i)) != NULL; i++) {
        if (v->cuda == is_cuda && strcmp(v->name, "sequential") != 0) {
            equal_elements(v, is_cuda ? 0 : GF_DEVICE_CPU);
            variant_cases(v, is_cuda ? 0 : GF_DEVICE_CPU,
                          !is_cuda              ? 100003
                          : most                ? atoll(most)
                          : array_is_emulated() ? 5000
                                                : 600000);
        }
    }
}

static void cpu_variants(void)
{
    variants(false);
}

static void cuda_variants(void)
{
    variants(true);
}

static void refusals(void)
{
    static uint32_t a[8], b[8], out[16];
    gf_queue queue = {GF_DEVICE_CPU, NULL};
    gf_sort_options options = GF_SORT_OPTIONS_INIT;
    gf_error error = GF_ERROR_INIT;
    CHECK_EQ_INT(gf_merge(queue, &options, a, 8, b, 8, out, NULL, 0, &error), GF_OK);
    CHECK_EQ_INT(gf_merge(queue, &options, NULL, 0, b, 8, out, NULL, 0, &error), GF_OK);
    CHECK_EQ_INT(gf_merge(queue, &options, a, 8, NULL, 0, out, NULL, 0, &error), GF_OK);
    CHECK_EQ_INT(gf_merge(queue, &options, NULL, 0, NULL, 0, NULL, NULL, 0, &error), GF_OK);
    CHECK_EQ_INT(gf_merge(queue, &options, NULL, 8, b, 8, out, NULL, 0, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "first");
    CHECK_EQ_INT(gf_merge(queue, &options, a, 8, (char *)b + 2, 4, out, NULL, 0, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "second");
    CHECK_EQ_INT(gf_merge(queue, &options, a, 8, b, 8, NULL, NULL, 0, &error), GF_ERROR_ARGUMENT);
    CHECK_EQ_INT(gf_merge(queue, &options, a, -1, b, 8, out, NULL, 0, &error), GF_ERROR_ARGUMENT);
    CHECK_EQ_INT(gf_merge(queue, &options, a, INT64_MAX, b, 8, out, NULL, 0, &error), GF_ERROR_ARGUMENT);
    options.value_size = 4;
    CHECK_EQ_INT(gf_merge(queue, &options, a, 8, b, 8, out, NULL, 0, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "keys only");
}

static const struct check_case cases[] = {
    {"merged by hand", by_hand},
    {"CPU variants", cpu_variants},
    {"CUDA variants", cuda_variants},
    {"refusals", refusals},
};
CHECK_MAIN(cases)
