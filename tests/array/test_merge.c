/* The merge of two sorted arrays: every variant against the sequential definition, byte by byte; the
 * definition against arrays merged by hand. GF_ARRAY_MOST: the largest n on CUDA (the emulator is slow). */
#include "sort_case.h"

struct merge_case {
    const char *algo;
    gf_device device;
    gf_depth type;
    int descending, value_size;
    int64_t n, m;
    size_t offset; /* elements by which the arrays lie off a 256-byte boundary */
    int threads, block, tile;
    void *out, *values; /* on the host */
};

/* a, b, their values, the outputs for keys and for values. */
enum { A, B, A_VALUES, B_VALUES, OUT, VALUES_OUT, BLOCKS };

static void merge_call(const struct merge_case *c, const struct array_memory m[BLOCKS])
{
    gf_sort_options options = GF_SORT_OPTIONS_INIT;
    gf_error error = GF_ERROR_INIT;
    gf_queue queue = {c->device, NULL};
    struct array_memory scratch;
    size_t bytes = 0;
    const bool pairs = c->value_size > 0;
    options.descending = c->descending;
    options.value_size = c->value_size;
    options.array = (gf_array_options){c->algo, c->type, c->threads, c->block, c->tile, 0};
    gf_status status = gf_merge_scratch(c->device, &options, c->n, c->m, &bytes, &error);
    CHECK_MSG(status == GF_OK, "scratch: %s", error.message);
    if (status != GF_OK || !array_memory_make(&scratch, c->device, bytes, 0)) {
        return;
    }
    status = gf_merge(queue, &options, m[A].data, pairs ? m[A_VALUES].data : NULL, c->n, m[B].data,
                      pairs ? m[B_VALUES].data : NULL, c->m, m[OUT].data, pairs ? m[VALUES_OUT].data : NULL,
                      scratch.data, bytes, &error);
    status = status == GF_OK ? gf_queue_wait(queue, &error) : status;
    CHECK_MSG(status == GF_OK, "%s: %s", c->algo, error.message);
    array_memory_end(&scratch, "scratch");
}

static void merge_free(struct merge_case *c)
{
    free(c->out);
    free(c->values);
    c->out = c->values = NULL;
}

/* Values are places: those of `a` from 0 on, those of `b` behind them. */
static void merge_run(struct merge_case *c, const void *a, const void *b)
{
    const size_t size = gf_depth_size(c->type), value = (size_t)c->value_size;
    const size_t n = (size_t)c->n, both = (size_t)(c->n + c->m), elements[] = {n, (size_t)c->m};
    char *places = sort_case_places(c->n + c->m, c->value_size);
    const void *in[] = {a, b, places, places ? places + n * value : NULL};
    struct array_memory m[BLOCKS];
    void *again = malloc(both * (size + value) + 1);
    c->out = malloc(both * size + 1);
    c->values = malloc(both * value + 1);
    for (int i = 0; i < BLOCKS; i++) {
        const size_t bytes = i == A_VALUES || i == B_VALUES || i == VALUES_OUT ? value : size;
        CHECK(array_memory_make(&m[i], c->device, (i < OUT ? elements[i % 2] : both) * bytes,
                                c->offset * bytes));
        if (i < OUT) {
            array_memory_upload(&m[i], in[i]);
        }
    }
    merge_call(c, m);
    array_memory_download(&m[OUT], c->out);
    array_memory_download(&m[VALUES_OUT], c->values);
    for (int i = 0; i < BLOCKS; i++) {
        array_memory_check(&m[i], i < OUT ? "an input" : "an output");
        if (i < OUT) {
            array_memory_download(&m[i], again);
            CHECK_MSG(memcmp(again, in[i], m[i].bytes) == 0, "%s changed its input", c->algo);
        }
        array_memory_free(&m[i]);
    }
    free(places);
    free(again);
}

static void by_hand(void)
{
    const float a[] = {-INFINITY, -0.0F, 1.0F, NAN}, b[] = {-1.0F, -0.0F, 0.0F, -NAN, -NAN};
    const float out[] = {-INFINITY, -1.0F, -0.0F, -0.0F, 0.0F, 1.0F, NAN, -NAN, -NAN};
    const uint8_t c[] = {9, 3, 3}, d[] = {9, 4, 0}, down[] = {9, 9, 4, 3, 3, 0};
    const uint32_t places[] = {0, 3, 4, 1, 2, 5};
    for (int auto_ = 0; auto_ < 2; auto_++) {
        struct merge_case m = {
            .algo = auto_ ? "auto" : "sequential", .device = GF_DEVICE_CPU, .type = GF_F32, .n = 4, .m = 5};
        merge_run(&m, a, b);
        CHECK_MEM(m.out, out, sizeof out);
        merge_free(&m);
        m = (struct merge_case){
            .algo = m.algo, .device = GF_DEVICE_CPU, .type = GF_U8, .n = 3, .m = 3, .descending = 1};
        m.value_size = 4;
        merge_run(&m, c, d);
        CHECK_MEM(m.out, down, sizeof down);
        CHECK_MEM(m.values, places, sizeof places);
        merge_free(&m);
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

/* The keys are those of both arrays, each where its value says, in order, and equal keys in the order of
 * their places: so those of the first array come first. */
static void check_properties(const struct merge_case *c, const void *a, const void *b)
{
    const size_t size = gf_depth_size(c->type), value = (size_t)c->value_size;
    int64_t wrong = 0;
    uint64_t last = 0;
    for (int64_t i = 0; i < c->n + c->m; i++) {
        const char *at = (const char *)c->out + (size_t)i * size;
        uint64_t place = 0;
        memcpy(&place, (const char *)c->values + (size_t)i * value, value); /* little end first */
        if (value > 0) {
            const bool first = place < (uint64_t)c->n;
            const char *key =
                first ? (const char *)a + place * size : (const char *)b + (place - (uint64_t)c->n) * size;
            wrong += place >= (uint64_t)(c->n + c->m) || memcmp(key, at, size) != 0;
        }
        if (i > 0) {
            wrong += gf_sort_before(c->type, c->descending, at, at - size);
            wrong += value > 0 && !gf_sort_before(c->type, c->descending, at - size, at) && last >= place;
        }
        last = place;
    }
    CHECK_MSG(wrong == 0 &&
                  array_bag(c->out, size, c->n + c->m) == array_bag(a, size, c->n) + array_bag(b, size, c->m),
              "%s: not the elements of both in order", c->algo);
}

static void compare(struct merge_case *c, array_data kind_a, array_data kind_b, uint64_t seed)
{
    void *a = sorted_data(c, c->n, kind_a, seed), *b = sorted_data(c, c->m, kind_b, seed + 1);
    struct merge_case expected = {.algo = "sequential",
                                  .device = GF_DEVICE_CPU,
                                  .type = c->type,
                                  .n = c->n,
                                  .m = c->m,
                                  .descending = c->descending,
                                  .value_size = c->value_size};
    merge_run(&expected, a, b);
    merge_run(c, a, b);
    const size_t both = (size_t)(c->n + c->m), bytes = both * gf_depth_size(c->type);
    CHECK_MSG(c->out && expected.out && memcmp(c->out, expected.out, bytes) == 0 &&
                  memcmp(c->values, expected.values, both * (size_t)c->value_size) == 0,
              "%s on %s: %s, %s and %s, %lld + %lld, %s, values %d, offset %zu, threads %d", c->algo,
              c->device < 0 ? "CPU" : "CUDA", gf_depth_name(c->type), array_data_name(kind_a),
              array_data_name(kind_b), (long long)c->n, (long long)c->m,
              c->descending ? "descending" : "ascending", c->value_size, c->offset, c->threads);
    check_properties(c, a, b);
    merge_free(c);
    merge_free(&expected);
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
                               .value_size = (int)(some & 2) * 2,
                               .threads = 3};
        merge_run(&c, a, b);
        CHECK_MSG(c.out && memcmp(c.out, a, (size_t)c.n * 4) == 0, "%s: %lld of the first array", v->name,
                  (long long)c.n);
        CHECK_MSG(c.out && memcmp((char *)c.out + c.n * 4, b, (size_t)c.m * 4) == 0,
                  "%s: %lld of the second array", v->name, (long long)c.m);
        merge_free(&c);
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
                                       .value_size = (int)(draw / 2 % 3) * 4,
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
    static uint32_t a[8], b[8], out[16], values[16];
    gf_queue queue = {GF_DEVICE_CPU, NULL};
    gf_sort_options options = GF_SORT_OPTIONS_INIT;
    gf_error error = GF_ERROR_INIT;
    CHECK_EQ_INT(gf_merge(queue, &options, a, NULL, 8, b, NULL, 8, out, NULL, NULL, 0, &error), GF_OK);
    CHECK_EQ_INT(gf_merge(queue, &options, NULL, NULL, 0, b, NULL, 8, out, NULL, NULL, 0, &error), GF_OK);
    CHECK_EQ_INT(gf_merge(queue, &options, a, NULL, 8, NULL, NULL, 0, out, NULL, NULL, 0, &error), GF_OK);
    CHECK_EQ_INT(gf_merge(queue, &options, NULL, NULL, 0, NULL, NULL, 0, NULL, NULL, NULL, 0, &error), GF_OK);
    CHECK_EQ_INT(gf_merge(queue, &options, NULL, NULL, 8, b, NULL, 8, out, NULL, NULL, 0, &error),
                 GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "first");
    CHECK_EQ_INT(gf_merge(queue, &options, a, NULL, 8, (char *)b + 2, NULL, 4, out, NULL, NULL, 0, &error),
                 GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "second");
    CHECK_EQ_INT(gf_merge(queue, &options, a, NULL, 8, b, NULL, 8, NULL, NULL, NULL, 0, &error),
                 GF_ERROR_ARGUMENT);
    CHECK_EQ_INT(gf_merge(queue, &options, a, NULL, -1, b, NULL, 8, out, NULL, NULL, 0, &error),
                 GF_ERROR_ARGUMENT);
    CHECK_EQ_INT(gf_merge(queue, &options, a, NULL, INT64_MAX, b, NULL, 8, out, NULL, NULL, 0, &error),
                 GF_ERROR_ARGUMENT);
    CHECK_EQ_INT(gf_merge(queue, &options, a, a, 8, b, b, 8, out, out, NULL, 0, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "value_size is 0");
    options.value_size = 4;
    CHECK_EQ_INT(gf_merge(queue, &options, a, a, 8, b, b, 8, out, values, NULL, 0, &error), GF_OK);
    CHECK_EQ_INT(gf_merge(queue, &options, a, NULL, 8, b, b, 8, out, values, NULL, 0, &error),
                 GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "values of the first array");
    CHECK_EQ_INT(gf_merge(queue, &options, a, a, 8, b, (char *)b + 1, 7, out, values, NULL, 0, &error),
                 GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "values of the second array");
    CHECK_EQ_INT(gf_merge(queue, &options, a, a, 8, b, b, 8, out, NULL, NULL, 0, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "output for values");
    options.value_size = 3;
    CHECK_EQ_INT(gf_merge(queue, &options, a, a, 8, b, b, 8, out, values, NULL, 0, &error),
                 GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "4 or 8 bytes, or 0 for none, not 3");
}

static const struct check_case cases[] = {
    {"merged by hand", by_hand},
    {"CPU variants", cpu_variants},
    {"CUDA variants", cuda_variants},
    {"refusals", refusals},
};
CHECK_MAIN(cases)
