/* The segmented sort: every variant against the sequential definition, byte by byte; the definition against
 * results by hand, and against the sort of each segment. GF_ARRAY_MOST: the largest n on CUDA (the emulator
 * is slow). */
#include "segments_case.h"
#include "sort_case.h"

struct segmented_case {
    const char *algo;
    gf_device device;
    gf_depth type;
    int64_t n, segments;
    const int64_t *offsets;
    int descending, value_size; /* values are the places of the keys in the input */
    int in_place;
    size_t offset; /* elements by which inputs and outputs lie off a 256-byte boundary */
    int threads;
    void *keys, *values; /* results, on the host */
};

static void segmented_free(struct segmented_case *c)
{
    free(c->keys);
    free(c->values);
    c->keys = c->values = NULL;
}

enum { KEYS, VALUES, OFFSETS, KEYS_OUT, VALUES_OUT, SCRATCH, BLOCKS };

static void segmented_call(const struct segmented_case *c, struct array_memory m[BLOCKS])
{
    const bool pairs = c->value_size > 0;
    const gf_queue queue = {c->device, NULL};
    struct array_memory *keys_out = c->in_place ? &m[KEYS] : &m[KEYS_OUT];
    struct array_memory *values_out = c->in_place ? &m[VALUES] : &m[VALUES_OUT];
    gf_sort_options options = GF_SORT_OPTIONS_INIT;
    gf_error error = GF_ERROR_INIT;
    size_t scratch = 0;
    options.descending = c->descending;
    options.value_size = c->value_size;
    options.array = (gf_array_options){c->algo, c->type, c->threads, 0, 0, 0};
    gf_status status = gf_segmented_sort_scratch(c->device, &options, c->n, c->segments, &scratch, &error);
    CHECK(array_memory_make(&m[SCRATCH], c->device, scratch, 0));
    if (status == GF_OK) {
        status = gf_segmented_sort(queue, &options, m[KEYS].data, pairs ? m[VALUES].data : NULL, c->n,
                                   m[OFFSETS].data, c->segments, keys_out->data,
                                   pairs ? values_out->data : NULL, m[SCRATCH].data, scratch, &error);
    }
    status = status == GF_OK ? gf_queue_wait(queue, &error) : status;
    CHECK_MSG(status == GF_OK, "%s: %s", c->algo, error.message);
    array_memory_download(keys_out, c->keys);
    array_memory_download(values_out, c->values);
}

static void segmented_run(struct segmented_case *c, const void *in)
{
    static const char *const names[] = {"keys",        "values",        "offsets",
                                        "sorted keys", "sorted values", "scratch"};
    const size_t size = gf_depth_size(c->type), value = (size_t)c->value_size, n = (size_t)c->n;
    const size_t bytes[] = {n * size, n * value, (size_t)(c->segments + 1) * 8, n * size, n * value};
    void *places = sort_case_places(c->n, c->value_size);
    const void *from[] = {in, places, c->offsets};
    void *again = malloc(n * 8 + (size_t)c->segments * 8 + 16);
    struct array_memory m[BLOCKS];
    c->keys = malloc(n * size + 1);
    c->values = malloc(n * value + 1);
    for (int i = 0; i < SCRATCH; i++) {
        const size_t aside = i == OFFSETS ? 8 : i == VALUES || i == VALUES_OUT ? value : size;
        CHECK(array_memory_make(&m[i], c->device, bytes[i], c->offset * aside));
        if (i <= OFFSETS) {
            array_memory_upload(&m[i], from[i]);
        }
    }
    segmented_call(c, m);
    for (int i = 0; i < BLOCKS; i++) {
        array_memory_check(&m[i], names[i]);
        if (i == OFFSETS || (i < OFFSETS && !c->in_place)) {
            array_memory_download(&m[i], again);
            CHECK_MSG(memcmp(again, from[i], bytes[i]) == 0, "%s changed its %s", c->algo, names[i]);
        }
        array_memory_free(&m[i]);
    }
    free(places);
    free(again);
}

/* ---- The definition ------------------------------------------------------------------------------------ */

static void by_hand(void)
{
    const float in[] = {3, NAN, -1, 0.0F, -0.0F, 5, 4, 4, -INFINITY};
    const int64_t offsets[] = {0, 0, 3, 5, 5, 6, 9};
    const uint64_t up[] = {2, 0, 1, 4, 3, 5, 8, 6, 7}, down[] = {0, 2, 1, 3, 4, 5, 6, 7, 8};
    for (int k = 0; k < 4; k++) {
        struct segmented_case c = {.algo = k / 2 ? "auto" : "sequential",
                                   .device = GF_DEVICE_CPU,
                                   .type = GF_F32,
                                   .n = 9,
                                   .segments = 6,
                                   .offsets = offsets,
                                   .descending = k % 2,
                                   .value_size = 8};
        const uint64_t *places = k % 2 ? down : up;
        segmented_run(&c, in);
        CHECK_MEM(c.values, places, sizeof up);
        for (int i = 0; i < 9; i++) {
            CHECK(!memcmp((float *)c.keys + i, in + places[i], sizeof *in));
        }
        segmented_free(&c);
    }
}

/* Each segment is what the sort makes of it alone. */
static void as_sort(void)
{
    enum { N = 5000 };
    int64_t segments = 0, *offsets = segments_make(SEGMENTS_MIXED, N, 3, &segments);
    int32_t *in = sort_case_data(GF_S32, N, ARRAY_RANDOM, 1);
    struct segmented_case c = {.algo = "sequential",
                               .device = GF_DEVICE_CPU,
                               .type = GF_S32,
                               .n = N,
                               .segments = segments,
                               .offsets = offsets,
                               .value_size = 4};
    segmented_run(&c, in);
    for (int64_t i = 0; i < segments; i++) {
        struct sort_case s = {.algo = "sequential",
                              .device = GF_DEVICE_CPU,
                              .type = GF_S32,
                              .n = offsets[i + 1] - offsets[i],
                              .value_size = 4};
        sort_case_run(&s, in + offsets[i]);
        CHECK_MEM((int32_t *)c.keys + offsets[i], s.keys, (size_t)s.n * 4);
        for (int64_t k = 0; k < s.n; k++) {
            CHECK(((uint32_t *)c.values)[offsets[i] + k] == ((uint32_t *)s.values)[k] + (uint64_t)offsets[i]);
        }
        sort_case_free(&s);
    }
    segmented_free(&c);
    free(in);
    free(offsets);
}

/* ---- Against the definition ---------------------------------------------------------------------------- */

static void compare(struct segmented_case *c, const void *in, const char *what)
{
    const size_t n = (size_t)c->n;
    struct segmented_case expected = *c;
    expected.algo = "sequential";
    expected.device = GF_DEVICE_CPU;
    expected.in_place = 0;
    segmented_run(&expected, in);
    segmented_run(c, in);
    CHECK_MSG(memcmp(c->keys, expected.keys, n * gf_depth_size(c->type)) == 0 &&
                  memcmp(c->values, expected.values, n * (size_t)c->value_size) == 0,
              "%s on %s: %s, %s, %lld elements in %lld segments, %s, values %d, in place %d, offset %zu, "
              "threads %d",
              c->algo, c->device < 0 ? "CPU" : "CUDA", gf_depth_name(c->type), what, (long long)c->n,
              (long long)c->segments, c->descending ? "descending" : "ascending", c->value_size, c->in_place,
              c->offset, c->threads);
    segmented_free(c);
    segmented_free(&expected);
}

static void all_segments(const gf_variant *v, gf_device device, gf_depth type, int64_t n, unsigned turn)
{
    for (int kind = 0; kind < SEGMENTS_KINDS; kind++, turn++) {
        int64_t segments = 0;
        int64_t *offsets = segments_make((enum segments_kind)kind, n, turn, &segments);
        void *in = sort_case_data(type, n, (array_data)(turn % ARRAY_DATA_COUNT), turn);
        struct segmented_case c = {.algo = v->name,
                                   .device = device,
                                   .type = type,
                                   .n = n,
                                   .segments = n > 0 && segments == 0 ? 1 : segments,
                                   .offsets = offsets,
                                   .descending = turn / 2 % 2 != 0,
                                   .value_size = (int)(turn % 3) * 4,
                                   .in_place = turn % 5 == 4,
                                   .offset = turn % 16,
                                   .threads = (int)(turn % 4)};
        compare(&c, in, array_data_name((array_data)(turn % ARRAY_DATA_COUNT)));
        free(in);
        free(offsets);
    }
}

/* Segments that begin and end around the places where tiles do, and reach over many of them: [from, to) is
 * one, what lies before and behind it comes in short ones. */
static void seams(const gf_variant *v, gf_device device)
{
    enum { N = 9 * 4096 + 77 };
    static const int64_t ends[][2] = {
        {0, 4096},         {1, 4097},     {4095, 4097},      {4096, 8192},   {4095, 16385},
        {8191, 8193},      {4100, 20481}, {100, N},          {16380, 16390}, {12288, 32768},
        {3 * 4096 - 1, N}, {0, N - 1},    {8 * 4096 - 1, N}, {4096, 4097},   {2 * 4096, 2 * 4096 + 1}};
    int64_t *offsets = segments_memory((N + 2) * sizeof *offsets);
    for (unsigned k = 0; k < sizeof ends / sizeof *ends; k++) {
        if (!array_in_slice()) {
            continue;
        }
        const gf_depth type = (gf_depth)(k * 5 % (GF_S64 + 1));
        int64_t segments = 0;
        for (int64_t at = 0; at < N; segments++) {
            const int64_t length = at == ends[k][0] ? ends[k][1] - at : 1 + at % 13;
            offsets[segments] = at;
            at = at < ends[k][0] && at + length > ends[k][0] ? ends[k][0] : at + length < N ? at + length : N;
        }
        offsets[segments] = N;
        void *in = sort_case_data(type, N, k % 3 ? ARRAY_RANDOM : ARRAY_REVERSE, k);
        struct segmented_case c = {.algo = v->name,
                                   .device = device,
                                   .type = type,
                                   .n = N,
                                   .segments = segments,
                                   .offsets = offsets,
                                   .descending = k & 1,
                                   .value_size = (int)(k % 3) * 4,
                                   .in_place = k % 2 == 0,
                                   .threads = 2};
        compare(&c, in, "around the ends of tiles");
        free(in);
    }
    free(offsets);
}

static void variants(bool is_cuda)
{
    const char *most = getenv("GF_ARRAY_MOST");
    const gf_variant *v;
    int32_t count = 0;
    const int64_t *sizes = array_data_sizes(!is_cuda              ? 70000
                                            : most                ? atoll(most)
                                            : array_is_emulated() ? 9000
                                                                  : 300000,
                                            &count);
    if (is_cuda && !array_has_cuda()) {
        SKIP("no CUDA device");
    }
    for (size_t i = 0; (v = gf_primitive_variant("segmented_sort", i)) != NULL; i++) {
        unsigned turn = 0;
        if (v->cuda != is_cuda) {
            continue;
        }
        seams(v, is_cuda ? 0 : GF_DEVICE_CPU);
        for (int type = GF_U8; type <= GF_S64; type++) {
            for (int32_t s = 0; s < count; s++, turn++) {
                if (array_in_slice()) {
                    all_segments(v, is_cuda ? 0 : GF_DEVICE_CPU, (gf_depth)type, sizes[s], turn);
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

/* Long segments beside short ones, which all threads sort together. */
static void long_segments(void)
{
    enum { N = 900001 };
    const int64_t offsets[] = {0, 5, 5, 400000, 400001, 400007, 700007, 700100, N};
    for (int k = 0; k < 4; k++) {
        const gf_depth type = k == 0 ? GF_U8 : k == 1 ? GF_S16 : k == 2 ? GF_F32 : GF_U64;
        void *in = sort_case_data(type, N, ARRAY_RANDOM, (uint64_t)k);
        struct segmented_case c = {.algo = "auto",
                                   .device = GF_DEVICE_CPU,
                                   .type = type,
                                   .n = N,
                                   .segments = 8,
                                   .offsets = offsets,
                                   .value_size = k == 2 ? 4 : 0,
                                   .in_place = k & 1,
                                   .threads = 3};
        compare(&c, in, "long");
        free(in);
    }
}

static void refusals(void)
{
    static _Alignas(256) char scratch[1 << 20];
    static uint32_t in[8], out[8], values[8];
    static const int64_t offsets[] = {0, 3, 8};
    const gf_queue cpu = {GF_DEVICE_CPU, NULL};
    gf_sort_options options = GF_SORT_OPTIONS_INIT;
    gf_error error = GF_ERROR_INIT;
    size_t bytes = 0;
#define SORT(keys, vals, n, off, segments, keys_out, vals_out)                                               \
    gf_segmented_sort(cpu, &options, keys, vals, n, off, segments, keys_out, vals_out, scratch,              \
                      sizeof scratch, &error)
    CHECK_EQ_INT(SORT(in, NULL, 8, offsets, 2, out, NULL), GF_OK);
    CHECK_EQ_INT(SORT(NULL, NULL, 0, offsets, 0, NULL, NULL), GF_OK);
    CHECK_EQ_INT(SORT(in, NULL, 8, NULL, 2, out, NULL), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "the array of offsets is NULL");
    CHECK_EQ_INT(SORT(in, NULL, 8, offsets, 0, out, NULL), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "0 segments of 8 elements");
    CHECK_EQ_INT(SORT(in, NULL, 8, offsets, -1, out, NULL), GF_ERROR_ARGUMENT);
    CHECK_EQ_INT(SORT(in, NULL, 8, offsets, 2, NULL, NULL), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "output for keys");
    CHECK_EQ_INT(SORT(in, values, 8, offsets, 2, out, values), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "value_size is 0");
    options.value_size = 4;
    CHECK_EQ_INT(SORT(in, values, 8, offsets, 2, out, NULL), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "output for values");
    options.value_size = 2;
    CHECK_EQ_INT(gf_segmented_sort_scratch(GF_DEVICE_CPU, &options, 8, 2, &bytes, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "4 or 8 bytes");
#undef SORT
}

static const struct check_case cases[] = {
    {"by hand", by_hand},
    {"as the sort", as_sort},
    {"CPU variants", cpu_variants},
    {"long segments, CPU", long_segments},
    {"CUDA variants", cuda_variants},
    {"refusals", refusals},
};
CHECK_MAIN(cases)
