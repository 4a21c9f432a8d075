/* Every variant of search against the sequential one, on the CPU and on a CUDA device or its emulation; and
 * the sequential one by hand. */
#include "array_case.h"
#include "check.h"

#include "gpufilter/search.h"

#include <math.h>
#include <stdlib.h>

struct answer {
    gf_status status;
    int64_t found;
    int64_t written; /* indices */
    unsigned char *indices;
};

/* Runs one variant; the indices it wrote are malloc'ed. */
static struct answer search(gf_device device, gf_search_options options, const void *data, int64_t n,
                            int64_t capacity, int32_t offset)
{
    gf_error error = GF_ERROR_INIT;
    struct array_memory in = {0}, found = {0}, indices = {0}, scratch = {0};
    struct answer answer = {GF_OK, -99, 0, NULL};
    size_t size = gf_depth_size(options.array.type), bytes = 0;
    bool all = options.mode == GF_SEARCH_ALL;
    answer.status = gf_search_scratch(device, &options, n, &bytes, &error);
    if (answer.status != GF_OK) {
        return answer;
    }
    bool made =
        array_memory_make(&in, device, (size_t)n * size, (size_t)offset * size) &&
        array_memory_make(&found, device, sizeof answer.found, (size_t)offset % 2 * 8) &&
        array_memory_make(&indices, device, all ? (size_t)capacity * 4 : 0, 4 * (size_t)(offset % 4)) &&
        array_memory_make(&scratch, device, bytes, 0);
    CHECK(made);
    if (made) {
        array_memory_upload(&in, data);
        answer.status = gf_search((gf_queue){device, NULL}, &options, in.data, n, found.data,
                                  all ? indices.data : NULL, all ? capacity : 0, scratch.data, bytes, &error);
        CHECK_MSG(answer.status == GF_OK, "%s", error.message);
        array_memory_download(&found, &answer.found);
        answer.written = all ? (answer.found < capacity ? answer.found : capacity) : 0;
        answer.indices = malloc((size_t)capacity * 4 + 1);
        array_memory_download(&indices, answer.indices);
        for (int64_t i = answer.written * 4; answer.indices && all && i < capacity * 4; i++) {
            CHECK_MSG(answer.indices[i] == ARRAY_CANARY_BYTE, "byte %lld of the indices was written",
                      (long long)i);
        }
    }
    array_memory_end(&in, "the input");
    array_memory_end(&found, "the answer");
    array_memory_end(&indices, "the indices");
    array_memory_end(&scratch, "the scratch");
    return answer;
}

static gf_search_options options_of(gf_search_mode mode, gf_depth type, const char *algo, const void *value,
                                    const void *to)
{
    gf_search_options options = GF_SEARCH_OPTIONS_INIT;
    options.mode = mode;
    options.array.type = type;
    options.array.algo = algo;
    options.value = value;
    options.to = to;
    return options;
}

static void compare(gf_device device, const gf_variant *variant, gf_search_options options, const void *data,
                    int64_t n, const char *what)
{
    int64_t capacity = n / 2 + 3;
    size_t bytes;
    options.array.algo = variant->name;
    if (gf_search_scratch(device, &options, n, &bytes, NULL) != GF_OK) {
        return; /* a mode that the variant has not */
    }
    struct answer got =
        search(device, options, data, n, capacity, array_next_offset(gf_depth_size(options.array.type)));
    options.array.algo = "sequential";
    struct answer expected = search(GF_DEVICE_CPU, options, data, n, capacity, 0);
    CHECK_MSG(got.found == expected.found, "%s %s, mode %d of %lld %s %s: %lld, expected %lld",
              device < 0 ? "cpu" : "cuda", variant->name, (int)options.mode, (long long)n, what,
              gf_depth_name(options.array.type), (long long)got.found, (long long)expected.found);
    if (got.indices && expected.indices && got.written == expected.written) {
        CHECK_MEM(got.indices, expected.indices, (size_t)expected.written * 4);
    }
    free(got.indices);
    free(expected.indices);
}

/* Values that are there (first, middle, last), one that is hardly, NaN and zeros, and ranges. */
static void compare_values(gf_device device, const gf_variant *variant, gf_depth type, const char *data,
                           int64_t n, const char *what)
{
    size_t size = gf_depth_size(type);
    const float f[] = {NAN, -0.0F, 1e30F};
    const double d[] = {(double)NAN, -0.0, 1e300};
    const uint64_t bits[] = {0, 77, UINT64_MAX};
    for (int mode = GF_SEARCH_FIRST; mode <= GF_SEARCH_COUNT; mode++) {
        for (int64_t k = 0; k < 3; k++) {
            const char *there = data + (size_t)(k * (n - 1) / 2) * size;
            const char *other = type == GF_F32   ? (const char *)&f[k]
                                : type == GF_F64 ? (const char *)&d[k]
                                                 : (const char *)&bits[k];
            compare(device, variant, options_of((gf_search_mode)mode, type, NULL, other, NULL), data, n,
                    what);
            compare(device, variant, options_of((gf_search_mode)mode, type, NULL, other, other), data, n,
                    what);
            if (n > 0) {
                const char *last = data + (size_t)(n - 1) * size;
                compare(device, variant, options_of((gf_search_mode)mode, type, NULL, there, NULL), data, n,
                        what);
                compare(device, variant, options_of((gf_search_mode)mode, type, NULL, there, last), data, n,
                        what);
                compare(device, variant, options_of((gf_search_mode)mode, type, NULL, other, there), data, n,
                        what);
            }
        }
    }
}

static void all_variants(gf_device device, int64_t most)
{
    int32_t sizes = 0;
    const int64_t *size = array_data_sizes(most, &sizes);
    char *data = malloc((size_t)most * 8 + 8);
    const gf_variant *variant;
    REQUIRE(data != NULL);
    for (size_t v = 0; (variant = gf_primitive_variant("search", v)) != NULL; v++) {
        for (int type = 0; variant->cuda == (device >= 0) && type <= GF_S64; type++) {
            for (int32_t s = 0; (variant->types >> type & 1) != 0 && s < sizes; s++) {
                for (int kind = 0; kind < ARRAY_DATA_COUNT; kind++) {
                    if (!array_in_slice() || (size[s] > 300 && (kind + s + type) % 5 != 0)) {
                        continue; /* enough of the larger ones */
                    }
                    array_data_fill(data, (gf_depth)type, size[s], (array_data)kind, 0.1, (uint64_t)s);
                    compare_values(device, variant, (gf_depth)type, data, size[s],
                                   array_data_name((array_data)kind));
                }
            }
        }
    }
    free(data);
}

static void cpu_variants(void)
{
    all_variants(GF_DEVICE_CPU, 70000);
}

static void cuda_variants(void)
{
    if (!array_has_cuda()) {
        SKIP("no CUDA device");
    }
    all_variants(0, array_is_emulated() ? 1100 : 40000);
}

/* One needle in long arrays: only there, there and behind, nowhere. */
static void long_array(gf_device device, gf_depth type, int64_t n)
{
    size_t size = gf_depth_size(type);
    char *data = calloc((size_t)n, size), needle[8] = {7};
    REQUIRE(data != NULL);
    for (int64_t from = 16; from > 0; from--) {
        int64_t place = (n - 1) / 15 * (from - 1);
        gf_search_options options = options_of(GF_SEARCH_FIRST, type, "auto", needle, NULL);
        options.array.threads = (int32_t)from % 4;
        data[(size_t)place * size] = from == 16 ? 0 : 7; /* at first nowhere */
        struct answer first = search(device, options, data, n, 0, array_next_offset(size));
        options.mode = GF_SEARCH_COUNT;
        struct answer count = search(device, options, data, n, 0, array_next_offset(size));
        CHECK_EQ_INT(first.found, from == 16 ? -1 : place);
        CHECK_EQ_INT(count.found, 16 - from);
        free(first.indices);
        free(count.indices);
    }
    free(data);
}

static void long_on(gf_device device, int64_t n)
{
    static const gf_depth types[] = {GF_U8, GF_S32, GF_U64};
    for (int at = 0; at < 3; at++) {
        if (check_slice(at, 3)) {
            long_array(device, types[at], n + at);
        }
    }
}

static void long_cpu(void)
{
    long_on(GF_DEVICE_CPU, 3000000);
}

static void long_cuda(void)
{
    if (!array_has_cuda()) {
        SKIP("no CUDA device");
    }
    long_on(0, array_is_emulated() ? 50000 : 40000000);
}

/* Every k of the published unrolled search is a kernel of its own. */
static void every_unroll(void)
{
    enum { N = 3001 };
    int32_t data[N], needle;
    if (!array_has_cuda()) {
        SKIP("no CUDA device");
    }
    array_data_fill(data, GF_S32, N, ARRAY_UNIQUE, 0, 3);
    for (int32_t k = 1; k <= 64; k++) {
        static const char *const names[] = {"strided", "coalesced", "unrolled"};
        needle = data[N - 1 - 40 * (k % 3)];
        gf_search_options options = options_of(GF_SEARCH_FIRST, GF_S32, names[2], &needle, NULL);
        options.array.unroll = k;
        options.array.block = 32 * (1 + k % 5);
        for (int name = k % 8 == 0 ? 0 : 2; name < 3; name++) {
            options.array.algo = names[name];
            struct answer got = search(0, options, data, N, 0, k % 4);
            CHECK_MSG(got.found == N - 1 - 40 * (k % 3), "%s, k = %d: %lld", names[name], k,
                      (long long)got.found);
            free(got.indices);
        }
    }
}

static int64_t sequential(gf_search_mode mode, gf_depth type, const void *data, int64_t n, const void *value,
                          const void *to)
{
    struct answer answer =
        search(GF_DEVICE_CPU, options_of(mode, type, "sequential", value, to), data, n, 4, 0);
    free(answer.indices);
    return answer.found;
}

static void by_hand(void)
{
    const int32_t ints[] = {5, -3, 7, -3, INT32_MIN, 7};
    const int32_t minus3 = -3, six = 6, seven = 7, least = INT32_MIN;
    CHECK_EQ_INT(sequential(GF_SEARCH_FIRST, GF_S32, ints, 6, &minus3, NULL), 1);
    CHECK_EQ_INT(sequential(GF_SEARCH_COUNT, GF_S32, ints, 6, &minus3, NULL), 2);
    CHECK_EQ_INT(sequential(GF_SEARCH_FIRST, GF_S32, ints, 6, &six, NULL), -1);
    CHECK_EQ_INT(sequential(GF_SEARCH_COUNT, GF_S32, ints, 6, &minus3, &seven), 5);
    CHECK_EQ_INT(sequential(GF_SEARCH_FIRST, GF_S32, ints, 6, &six, &seven), 2);
    CHECK_EQ_INT(sequential(GF_SEARCH_COUNT, GF_S32, ints, 6, &seven, &minus3), 0);
    CHECK_EQ_INT(sequential(GF_SEARCH_ALL, GF_S32, ints, 6, &least, &seven), 6);
    const float floats[] = {1.0F, NAN, -0.0F, -NAN, INFINITY};
    const float zero = 0.0F, nan = NAN, infinite = INFINITY, below = -INFINITY;
    CHECK_EQ_INT(sequential(GF_SEARCH_FIRST, GF_F32, floats, 5, &zero, NULL), 2);
    CHECK_EQ_INT(sequential(GF_SEARCH_FIRST, GF_F32, floats, 5, &nan, NULL), 1);
    CHECK_EQ_INT(sequential(GF_SEARCH_COUNT, GF_F32, floats, 5, &nan, NULL), 2);
    CHECK_EQ_INT(sequential(GF_SEARCH_COUNT, GF_F32, floats, 5, &below, &infinite), 3);
    CHECK_EQ_INT(sequential(GF_SEARCH_COUNT, GF_F32, floats, 5, &nan, &nan), 0);
    CHECK_EQ_INT(sequential(GF_SEARCH_COUNT, GF_F32, floats, 0, &nan, NULL), 0);
    CHECK_EQ_INT(sequential(GF_SEARCH_FIRST, GF_F32, floats, 0, &zero, NULL), -1);
}

static void refuses(void)
{
    gf_error error = GF_ERROR_INIT;
    const int32_t value = 3;
    int32_t data[4] = {0};
    int64_t found = 55;
    size_t bytes = 0;
    gf_queue queue = {GF_DEVICE_CPU, NULL};
    gf_search_options options = options_of(GF_SEARCH_ALL, GF_S32, "sort-bsearch", &value, NULL);
    CHECK_EQ_INT(gf_search_scratch(GF_DEVICE_CPU, &options, 4, &bytes, &error), GF_ERROR_UNSUPPORTED);
    CHECK_STR_HAS(error.message, "first and count");
    options = options_of(GF_SEARCH_FIRST, GF_S32, "auto", NULL, NULL);
    CHECK_EQ_INT(gf_search_scratch(GF_DEVICE_CPU, &options, 4, &bytes, &error), GF_ERROR_ARGUMENT);
    options.value = &value;
    CHECK_EQ_INT(gf_search(queue, &options, data, 4, &found, data, 4, NULL, 0, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "mode all only");
    CHECK_EQ_INT(gf_search(queue, &options, data, 4, NULL, NULL, 0, NULL, 0, &error), GF_ERROR_ARGUMENT);
    CHECK_EQ_INT(gf_search(queue, &options, (char *)data + 2, 1, &found, NULL, 0, NULL, 0, &error),
                 GF_ERROR_ARGUMENT);
    options.array.algo = "quick";
    CHECK_EQ_INT(gf_search(queue, &options, data, 4, &found, NULL, 0, NULL, 0, &error), GF_ERROR_UNSUPPORTED);
    CHECK_STR_HAS(error.message, "sequential, auto, cpu-loop, sort-bsearch");
    CHECK_EQ_INT(found, 55);
}

static const struct check_case cases[] = {
    {"by hand", by_hand},           {"refuses", refuses},
    {"CPU variants", cpu_variants}, {"CUDA variants", cuda_variants},
    {"long arrays, CPU", long_cpu}, {"long arrays, CUDA", long_cuda},
    {"every unroll", every_unroll},
};
CHECK_MAIN(cases)
