/* The k greatest or least: every variant against the sequential definition, byte by byte; the definition
 * against results by hand and against the sort's. GF_ARRAY_MOST: the largest n on CUDA (the emulator is
 * slow). */
#include "sort_case.h"

#include "gpufilter/top_k.h"

struct top_case {
    const char *algo;
    gf_device device;
    gf_depth type;
    int64_t n, k;
    int least, no_places;
    size_t offset; /* elements by which the arrays lie off a 256-byte boundary */
    int threads, tile;
    void *out, *places; /* on the host */
};

static void top_free(struct top_case *c)
{
    free(c->out);
    free(c->places);
    c->out = c->places = NULL;
}

static void top_run(struct top_case *c, const void *in)
{
    enum { IN, OUT, PLACES, SCRATCH, BLOCKS };
    static const char *const names[] = {"the input", "the output", "the places", "the scratch"};
    const size_t size = gf_depth_size(c->type), n = (size_t)c->n, k = (size_t)c->k;
    const size_t place = gf_depth_size(gf_top_k_places(c->n));
    gf_top_k_options options = GF_TOP_K_OPTIONS_INIT;
    gf_error error = GF_ERROR_INIT;
    const gf_queue queue = {c->device, NULL};
    struct array_memory m[BLOCKS];
    size_t scratch = 0;
    void *again = malloc(n * size + 1);
    options.least = c->least;
    options.array = (gf_array_options){c->algo, c->type, c->threads, 0, c->tile, 0};
    gf_status status = gf_top_k_scratch(c->device, &options, c->n, c->k, &scratch, &error);
    const size_t bytes[] = {n * size, k * size, k * place, scratch};
    for (int i = 0; i < BLOCKS; i++) {
        CHECK(array_memory_make(&m[i], c->device, bytes[i],
                                i == SCRATCH ? 0 : c->offset * (i == PLACES ? place : size)));
    }
    c->out = malloc(k * size + 1);
    c->places = malloc(k * place + 1);
    array_memory_upload(&m[IN], in);
    if (status == GF_OK) {
        status = gf_top_k(queue, &options, m[IN].data, c->n, c->k, m[OUT].data,
                          c->no_places ? NULL : m[PLACES].data, m[SCRATCH].data, scratch, &error);
    }
    status = status == GF_OK ? gf_queue_wait(queue, &error) : status;
    CHECK_MSG(status == GF_OK, "%s: %s", c->algo, error.message);
    array_memory_download(&m[OUT], c->out);
    array_memory_download(&m[PLACES], c->places);
    array_memory_download(&m[IN], again);
    CHECK_MSG(memcmp(again, in, n * size) == 0, "%s changed its input", c->algo);
    for (int i = 0; i < BLOCKS; i++) {
        array_memory_end(&m[i], names[i]);
    }
    free(again);
}

/* ---- The definition ------------------------------------------------------------------------------------ */

static void by_hand(void)
{
    const float in[] = {NAN, 1, -0.0F, 7, 0.0F, 7, -INFINITY, -NAN, 1};
    const uint32_t greatest[] = {3, 5, 1, 8, 4, 2, 6, 0, 7}, least[] = {6, 2, 4, 1, 8, 3, 5, 0, 7};
    for (int auto_ = 0; auto_ < 2; auto_++) {
        for (int64_t k = 0; k <= 9; k++) {
            struct top_case c = {.algo = auto_ ? "auto" : "sequential",
                                 .device = GF_DEVICE_CPU,
                                 .type = GF_F32,
                                 .n = 9,
                                 .k = k,
                                 .least = (int)k % 2};
            top_run(&c, in);
            const uint32_t *places = c.least ? least : greatest;
            CHECK_MEM(c.places, places, (size_t)k * sizeof *places);
            for (int64_t i = 0; i < k; i++) {
                CHECK(!memcmp((float *)c.out + i, in + places[i], sizeof(float)));
            }
            top_free(&c);
        }
    }
}

/* It gives what the sort puts first. */
static void as_sort(void)
{
    enum { N = 3000, K = 700 };
    for (int type = GF_U8; type <= GF_S64; type++) {
        void *in = sort_case_data((gf_depth)type, N, type % 2 ? ARRAY_SPECIAL : ARRAY_TWOVALUED, 5);
        struct sort_case s = {.algo = "sequential",
                              .device = GF_DEVICE_CPU,
                              .type = (gf_depth)type,
                              .n = N,
                              .descending = type % 3 != 0,
                              .value_size = 4};
        struct top_case c = {.algo = "sequential",
                             .device = GF_DEVICE_CPU,
                             .type = (gf_depth)type,
                             .n = N,
                             .k = K,
                             .least = !s.descending};
        sort_case_run(&s, in);
        top_run(&c, in);
        CHECK_MEM(c.out, s.keys, K * gf_depth_size((gf_depth)type));
        CHECK_MEM(c.places, s.values, K * sizeof(uint32_t));
        sort_case_free(&s);
        top_free(&c);
        free(in);
    }
}

/* ---- Against the definition ---------------------------------------------------------------------------- */

static void compare(struct top_case *c, const void *in, const char *data)
{
    const size_t size = gf_depth_size(c->type), place = gf_depth_size(gf_top_k_places(c->n));
    struct top_case expected = {.algo = "sequential",
                                .device = GF_DEVICE_CPU,
                                .type = c->type,
                                .n = c->n,
                                .k = c->k,
                                .least = c->least};
    top_run(&expected, in);
    top_run(c, in);
    bool untouched = true;
    for (size_t i = 0; c->no_places && i < (size_t)c->k * place; i++) {
        untouched = untouched && ((unsigned char *)c->places)[i] == ARRAY_CANARY_BYTE;
    }
    CHECK_MSG(memcmp(c->out, expected.out, (size_t)c->k * size) == 0 &&
                  (c->no_places ? untouched : memcmp(c->places, expected.places, (size_t)c->k * place) == 0),
              "%s on %s: %s %s, %lld of %lld, the %s, offset %zu, threads %d, tile %d", c->algo,
              c->device < 0 ? "CPU" : "CUDA", gf_depth_name(c->type), data, (long long)c->k, (long long)c->n,
              c->least ? "least" : "greatest", c->offset, c->threads, c->tile);
    top_free(c);
    top_free(&expected);
}

/* Samples that are too few, so that the k-th is found by digits, and enough of them. */
static void some_k(const gf_variant *v, gf_device device, gf_depth type, int64_t n, array_data kind,
                   unsigned turn)
{
    static const int tiles[] = {0, 16, 128, 1000};
    const int64_t ks[] = {1, 2, n / 100, n / 3, n - 1, n};
    void *in = sort_case_data(type, n, kind, turn);
    for (size_t i = 0; in && i < sizeof ks / sizeof *ks; i++) {
        const unsigned draw = turn + (unsigned)i;
        struct top_case c = {.algo = v->name,
                             .device = device,
                             .type = type,
                             .n = n,
                             .k = ks[i] < 0   ? 0
                                  : ks[i] > n ? n
                                              : ks[i],
                             .least = draw & 1,
                             .no_places = draw % 7 == 6,
                             .offset = draw % 16,
                             .threads = (int)(draw % 5),
                             .tile = strstr(v->parameters, "tile") ? tiles[draw / 2 % 4] : 0};
        compare(&c, in, array_data_name(kind));
    }
    free(in);
}

static void variants(bool is_cuda)
{
    const char *most = getenv("GF_ARRAY_MOST");
    const gf_variant *v;
    int32_t count = 0;
    const int64_t *sizes = array_data_sizes(!is_cuda              ? 30000
                                            : most                ? atoll(most)
                                            : array_is_emulated() ? 3000
                                                                  : 300000,
                                            &count);
    if (is_cuda && !array_has_cuda()) {
        SKIP("no CUDA device");
    }
    for (size_t i = 0; (v = gf_primitive_variant("top_k", i)) != NULL; i++) {
        unsigned turn = 0;
        for (int type = GF_U8; type <= GF_S64 && v->cuda == is_cuda; type++) {
            for (int32_t s = 0; s < count; s++, turn++) {
                if (array_in_slice()) {
                    some_k(v, is_cuda ? 0 : GF_DEVICE_CPU, (gf_depth)type, sizes[s],
                           (array_data)(turn % ARRAY_DATA_COUNT), turn);
                }
            }
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

/* Arrays that are large enough for samples by default, with contents that mislead them or not, and for
 * threads of the CPU that keep a part of it: ascending ones are kept all. */
static void large(gf_device device, int64_t n)
{
    static const gf_depth types[] = {GF_F32, GF_U32, GF_F64, GF_S16, GF_S64, GF_U8};
    static const int64_t ks[] = {10, 1000, 1, 5000};
    const gf_variant auto_ = {.name = "auto", .parameters = ""};
    for (unsigned at = 0; at < 6 * ARRAY_DATA_COUNT; at++) {
        if (check_slice(at, 6 * ARRAY_DATA_COUNT)) {
            const gf_depth type = types[at % 6];
            void *in = sort_case_data(type, n, (array_data)(at / 6), at);
            struct top_case c = {.algo = auto_.name,
                                 .device = device,
                                 .type = type,
                                 .n = n,
                                 .k = ks[at / 3 % 4],
                                 .least = at / 2 % 2 == 0,
                                 .offset = at % 3,
                                 .threads = 3};
            compare(&c, in, array_data_name((array_data)(at / 6)));
            free(in);
        }
    }
}

static void large_cpu(void)
{
    large(GF_DEVICE_CPU, 100003);
}

static void large_cuda(void)
{
    if (!array_has_cuda()) {
        SKIP("no CUDA device");
    }
    large(0, array_is_emulated() ? 140001 : 3000001);
}

static void refusals(void)
{
    static _Alignas(256) char scratch[1 << 15];
    static uint32_t in[8], out[8], places[8];
    const gf_queue cpu = {GF_DEVICE_CPU, NULL};
    gf_top_k_options options = GF_TOP_K_OPTIONS_INIT;
    gf_error error = GF_ERROR_INIT;
    size_t bytes = 0;
    CHECK_EQ_INT(gf_top_k(cpu, &options, in, 8, 3, out, places, scratch, sizeof scratch, &error), GF_OK);
    CHECK_EQ_INT(gf_top_k(cpu, &options, in, 8, 3, out, NULL, scratch, sizeof scratch, &error), GF_OK);
    CHECK_EQ_INT(gf_top_k(cpu, &options, in, 8, 0, NULL, NULL, scratch, sizeof scratch, &error), GF_OK);
    CHECK_EQ_INT(gf_top_k(cpu, &options, NULL, 0, 0, NULL, NULL, scratch, sizeof scratch, &error), GF_OK);
    CHECK_EQ_INT(gf_top_k(cpu, &options, in, 8, 9, out, places, scratch, sizeof scratch, &error),
                 GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "k is 9, must be from 0 to n, 8");
    CHECK_EQ_INT(gf_top_k(cpu, &options, in, 8, -1, out, places, scratch, sizeof scratch, &error),
                 GF_ERROR_ARGUMENT);
    CHECK_EQ_INT(gf_top_k_scratch(GF_DEVICE_CPU, &options, -1, 0, &bytes, &error), GF_ERROR_ARGUMENT);
    CHECK_EQ_INT(gf_top_k(cpu, &options, in, 8, 3, out, (char *)places + 2, scratch, sizeof scratch, &error),
                 GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "output for places");
    CHECK_EQ_INT(gf_top_k(cpu, &options, in, 8, 3, out, places, scratch, 8, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "scratch");
    if (array_has_cuda()) {
        options.array.tile = 15;
        CHECK_EQ_INT(gf_top_k_scratch(0, &options, 8, 3, &bytes, &error), GF_ERROR_ARGUMENT);
        CHECK_STR_HAS(error.message, "must be 16 to 32768");
    }
}

static const struct check_case cases[] = {
    {"by hand", by_hand},
    {"as the sort", as_sort},
    {"CPU variants", cpu_variants},
    {"large arrays, CPU", large_cpu},
    {"CUDA variants", cuda_variants},
    {"large arrays, CUDA", large_cuda},
    {"refusals", refusals},
};
CHECK_MAIN(cases)
