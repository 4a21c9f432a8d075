/* Every variant of the histogram against the sequential one, on the CPU and on a CUDA device or its
 * emulation; and the sequential one against counts made by hand. */
#include "array_case.h"
#include "check.h"

#include "gpufilter/histogram.h"

#include <math.h>
#include <stdlib.h>

/* ---- What to count --------------------------------------------------------------------------- */

enum { RAGGED = 1000, CROWDED = 20000 };

/* Bins over a part of the array's type, in units of its full scale where `relative`. */
struct request {
    int64_t bins;
    double lo, hi;
    int32_t channels, edges; /* 1: the edges made for so many bins; 0: even bins */
};

static const struct request requests[] = {
    {256, 0, 0, 1, 0},        /* the type's whole range */
    {256, 0, 0, 3, 0},        /* of three channels */
    {10, 7.3, 191.7, 1, 0},   /* no power of two */
    {37, -5, 100, 4, 0},      /* below zero: for unsigned types nothing is below that */
    {100, 20, 45, 2, 0},      /* bins a quarter wide */
    {1, 42, 43, 1, 0},        /* one bin */
    {5, 0, 0, 2, 1},          /* edges */
    {RAGGED, 0, 0, 3, 1},     /* many edges, from far below to far above */
    {5000, 0, 0, 1, 0},       /* more than bytes have values */
    {40000, 1e-3, 1e9, 2, 0}, /* tables of 160 000 bytes a channel */
    {70000, 0, 0, 1, 0},      /* more than a block's shared memory */
    {300000, -1000, 1000, 1, 0},
    {CROWDED, 0, 0, 2, 1}, /* edges that stay in global memory */
};
enum { REQUESTS = sizeof requests / sizeof requests[0], LARGE = 8 /* requests from here on */ };

static const double few_edges[] = {-1.5, 0, 41.999, 42, 42.25, 1e300};
static double ragged_edges[RAGGED + 1], crowded_edges[CROWDED + 1];

static gf_histogram_options options_of(const struct request *r, gf_depth type, const char *algo)
{
    gf_histogram_options options = GF_HISTOGRAM_OPTIONS_INIT;
    options.channels = r->channels;
    options.bins = r->bins;
    options.lo = r->lo;
    options.hi = r->hi;
    options.edges = !r->edges            ? NULL
                    : r->bins == RAGGED  ? ragged_edges
                    : r->bins == CROWDED ? crowded_edges
                                         : few_edges;
    options.array.type = type;
    options.array.algo = algo;
    return options;
}

/* Makes edges from -2^63 to 2^64, closer together the closer they are to zero, with neighbouring f64 around 0
 * where there are many. */
static void make_edges(double *edges, int bins)
{
    for (int i = 0; i <= bins; i++) {
        double x = (i - bins / 3) / (double)(bins - bins / 3);
        edges[i] = i == bins ? 0x1p64 : i == 0 ? -0x1p63 : (x < 0 ? -1 : 1) * pow(x, 8) * 0x1p62;
    }
    for (int i = 1; i <= bins; i++) {
        if (!(edges[i] > edges[i - 1])) {
            edges[i] = nextafter(edges[i - 1], INFINITY);
        }
    }
}

/* ---- One run ------------------------------------------------------------------------------------ */

static size_t counts_of(const gf_histogram_options *options)
{
    return (size_t)options->channels * (size_t)(options->bins + GF_HISTOGRAM_EXTRA);
}

/* Runs one variant on an array that may stand `offset` elements off its alignment. */
static gf_status histogram(gf_device device, gf_histogram_options options, const void *data, int64_t n,
                           int32_t offset, uint64_t *counts)
{
    gf_error error = GF_ERROR_INIT;
    struct array_memory in = {0}, out = {0}, scratch = {0};
    size_t size = gf_depth_size(options.array.type), bytes = 0;
    gf_status status = gf_histogram_scratch(device, &options, n, &bytes, &error);
    CHECK_MSG(status == GF_OK, "%s", error.message);
    if (status != GF_OK) {
        return status;
    }
    bool made =
        array_memory_make(&in, device, (size_t)n * size, (size_t)offset * size) &&
        array_memory_make(&out, device, counts_of(&options) * sizeof *counts, (size_t)offset % 2 * 8) &&
        array_memory_make(&scratch, device, bytes, 0);
    CHECK(made);
    if (made) {
        array_memory_upload(&in, data);
        status = gf_histogram((gf_queue){device, NULL}, &options, in.data, n, out.data, scratch.data, bytes,
                              &error);
        CHECK_MSG(status == GF_OK, "%s", error.message);
        array_memory_download(&out, counts);
    }
    array_memory_end(&in, "the input");
    array_memory_end(&out, "the counts");
    array_memory_end(&scratch, "the scratch");
    return status;
}

/* One array: the variant must count as "sequential" does. */
static void compare(gf_device device, const gf_variant *variant, const struct request *r, gf_depth type,
                    const void *data, int64_t n, const char *what)
{
    gf_histogram_options options = options_of(r, type, "sequential");
    size_t count = counts_of(&options), bytes = 0;
    uint64_t *expected = malloc(count * sizeof *expected), *got = malloc(count * sizeof *got);
    options.array.algo = variant->name;
    options.array.threads = (int32_t)(n % 4);
    options.array.tile = n % 3 == 1 ? (int32_t)count / 5 + 1 : 0; /* in slices where they are few enough */
    if (gf_histogram_scratch(device, &options, n, &bytes, NULL) == GF_ERROR_UNSUPPORTED) {
        free(expected);
        free(got);
        return; /* bins that the variant refuses: see refuses() */
    }
    CHECK(expected && got);
    if (expected && got) {
        options.array.algo = "sequential";
        histogram(GF_DEVICE_CPU, options, data, n, 0, expected);
        options.array.algo = variant->name;
        histogram(device, options, data, n, array_next_offset(gf_depth_size(type)), got);
        size_t wrong = 0;
        uint64_t sum = 0;
        for (size_t i = 0; i < count; i++) {
            sum += got[i];
        }
        CHECK_EQ_INT(sum, n);
        while (wrong < count && got[wrong] == expected[wrong]) {
            wrong++;
        }
        CHECK_MSG(wrong == count, "%s %s of %lld %s %s, %lld bins, %d channels: count %zu is %llu, not %llu",
                  device < 0 ? "cpu" : "cuda", variant->name, (long long)n, what, gf_depth_name(type),
                  (long long)r->bins, r->channels, wrong, (unsigned long long)got[wrong % count],
                  (unsigned long long)expected[wrong % count]);
    }
    free(expected);
    free(got);
}

/* Every request with every size; contents in turn. */
static void all_variants(gf_device device, int64_t most, int32_t kinds)
{
    int32_t sizes = 0;
    const int64_t *size = array_data_sizes(most, &sizes);
    void *data = malloc((size_t)most * 8 + 8);
    const gf_variant *variant;
    REQUIRE(data != NULL);
    make_edges(ragged_edges, RAGGED);
    make_edges(crowded_edges, CROWDED);
    for (size_t v = 0; (variant = gf_primitive_variant("histogram", v)) != NULL; v++) {
        for (int type = 0; variant->cuda == (device >= 0) && !variant->vendor && type <= GF_S64; type++) {
            for (int32_t i = 0; (variant->types >> type & 1) != 0 && i < sizes * REQUESTS * kinds; i++) {
                int32_t s = i / kinds % sizes, r = i / kinds / sizes;
                int32_t kind = (s + 5 * r + type + i % kinds) % ARRAY_DATA_COUNT;
                if (!array_in_slice() || (r >= LARGE && s + type < sizes && (s + r + type) % 7 != 0)) {
                    continue; /* enough of the tables that take long to read back */
                }
                array_data_fill(data, (gf_depth)type, size[s], (array_data)kind, 0.1, (uint64_t)s);
                compare(device, variant, &requests[r], (gf_depth)type, data, size[s],
                        array_data_name((array_data)kind));
            }
        }
    }
    free(data);
}

static void cpu_variants(void)
{
    all_variants(GF_DEVICE_CPU, 100003, 1);
}

static void cuda_variants(void)
{
    if (!array_has_cuda()) {
        SKIP("no CUDA device");
    }
    all_variants(0, array_is_emulated() ? 5000 : 300000, 1);
}

/* ---- The definition itself --------------------------------------------------------------------- */

static void by_hand(void)
{
    const uint8_t bytes[] = {0, 99, 100, 199, 200, 255, 100};
    const struct request decades = {2, 0, 200, 1, 0};
    const uint64_t even[] = {2, 3, 0, 2, 0};
    uint64_t counts[32];
    histogram(GF_DEVICE_CPU, options_of(&decades, GF_U8, "sequential"), bytes, 7, 0, counts);
    CHECK_MEM(counts, even, sizeof even);

    const float floats[] = {NAN, -0.0F, 0.999999F, 1.0F, -1e-45F, INFINITY, 0.5F, -INFINITY, -NAN, 0.25F};
    const struct request quarters = {4, 0, 0, 2, 0};
    const uint64_t two[] = {0, 0, 1, 1, 1, 0, 2, 1, 1, 0, 0, 1, 2, 0};
    histogram(GF_DEVICE_CPU, options_of(&quarters, GF_F32, "sequential"), floats, 10, 0, counts);
    CHECK_MEM(counts, two, sizeof two);

    const int64_t large[] = {INT64_MAX, INT64_MIN, -1, 0, INT64_MAX - 1};
    const struct request whole = {2, 0, 0, 1, 0};
    const uint64_t halves[] = {1, 4, 0, 0, 0}; /* 2^63 - 1 is in range; -1 - lo is 2^63 in f64 */
    histogram(GF_DEVICE_CPU, options_of(&whole, GF_S64, "sequential"), large, 5, 0, counts);
    CHECK_MEM(counts, halves, sizeof halves);

    const double doubles[] = {41.999, 41.9989, 42.0, 42.2499, 1e300, -1.5, -1.6};
    const struct request edges = {5, 0, 0, 1, 1};
    const uint64_t ragged[] = {1, 1, 1, 2, 0, 1, 1, 0};
    histogram(GF_DEVICE_CPU, options_of(&edges, GF_F64, "sequential"), doubles, 7, 0, counts);
    CHECK_MEM(counts, ragged, sizeof ragged);
}

/* The neighbours of k / scale in f32; returns how many numbers. */
static int64_t fill_borders(float *floats, const struct request *r)
{
    double lo = r->lo, hi = r->hi > lo ? r->hi : 1;
    int64_t n = 0;
    for (int64_t b = 0; b <= r->bins; b++) {
        float at = (float)(lo + (double)b * ((hi - lo) / (double)r->bins));
        floats[n++] = nextafterf(at, -INFINITY);
        floats[n++] = at;
        floats[n++] = nextafterf(at, INFINITY);
    }
    return n;
}

/* Around every border of even bins: its neighbours in f32, and all 16-bit values. */
static void borders(gf_device device)
{
    static const struct request ranges[] = {{1000, 0, 0, 1, 0},     {777, -3, 11, 1, 0}, {255, 0, 1, 1, 0},
                                            {4097, 0.1, 0.7, 1, 0}, {3, 0, 1e30, 1, 0},  {65536, 0, 0, 1, 0}};
    enum { RANGES = sizeof ranges / sizeof ranges[0] };
    const gf_variant *variant;
    float *floats = malloc(3 * 65537 * sizeof *floats);
    uint16_t *words = malloc(65536 * sizeof *words);
    REQUIRE(floats && words);
    for (int32_t i = 0; i < 65536; i++) {
        words[i] = (uint16_t)i;
    }
    for (int v = 0, at = 0; (variant = gf_primitive_variant("histogram", (size_t)v)) != NULL; v++) {
        for (size_t r = 0; variant->cuda == (device >= 0) && !variant->vendor && r < RANGES; r++) {
            if (check_slice(at++, RANGES)) {
                int64_t n = fill_borders(floats, &ranges[r]);
                if (!array_is_emulated() || device < 0 || n <= 20000) {
                    compare(device, variant, &ranges[r], GF_F32, floats, n, "border");
                    compare(device, variant, &ranges[r], GF_U16, words, 65536, "every");
                    compare(device, variant, &ranges[r], GF_S16, words, 65536, "every");
                }
            }
        }
    }
    free(floats);
    free(words);
}

static void cpu_borders(void)
{
    borders(GF_DEVICE_CPU);
}

static void cuda_borders(void)
{
    if (!array_has_cuda()) {
        SKIP("no CUDA device");
    }
    borders(0);
}

/* The same bytes whatever the number of threads, or of elements of a block. */
static void repeats(void)
{
    enum { N = 60001 };
    static const gf_depth types[] = {GF_U8, GF_F32};
    gf_device last = array_has_cuda() ? 0 : GF_DEVICE_CPU;
    char *data = malloc(N * 4);
    uint64_t first[2 * 259], again[2 * 259];
    REQUIRE(data != NULL);
    for (size_t t = 0; t < 2; t++) {
        for (gf_device device = GF_DEVICE_CPU; device <= last; device++) {
            struct request r = {256, 0, 0, 2, 0};
            array_data_fill(data, types[t], N, ARRAY_RANDOM, 0, 3);
            gf_histogram_options options = options_of(&r, types[t], "auto");
            histogram(device, options, data, N, 0, first);
            for (int turn = 1; turn < (device < 0 || !array_is_emulated() ? 100 : 4); turn++) {
                options.array.threads = turn % 5;
                options.array.block = turn % 4 * 128;
                histogram(device, options, data, N, turn % 16, again);
                CHECK_MEM(again, first, sizeof first);
            }
            uint64_t sum = 0;
            for (int i = 0; i < 2 * 259; i++) {
                sum += first[i];
            }
            CHECK_EQ_INT(sum, N);
        }
    }
    free(data);
}

/* ---- Refusals -------------------------------------------------------------------------------------- */

static void refuse(gf_histogram_options options, gf_status status, const char *message)
{
    gf_error error = GF_ERROR_INIT;
    size_t bytes = 0;
    CHECK_EQ_INT(gf_histogram_scratch(GF_DEVICE_CPU, &options, 5, &bytes, &error), status);
    CHECK_STR_HAS(error.message, message);
}

static void refuses(void)
{
    static const double falling[] = {0, 2, 2, 3}, endless[] = {0, 1, INFINITY};
    gf_histogram_options options = GF_HISTOGRAM_OPTIONS_INIT;
    gf_error error = GF_ERROR_INIT;
    options.channels = 5;
    refuse(options, GF_ERROR_ARGUMENT, "channels is 5, must be 1 to 4");
    options.channels = 0;
    refuse(options, GF_ERROR_ARGUMENT, "channels is 0");
    options = (gf_histogram_options)GF_HISTOGRAM_OPTIONS_INIT;
    options.bins = 0;
    refuse(options, GF_ERROR_ARGUMENT, "bins is 0, must be 1 to 16777216");
    options.bins = (1 << 24) + 1;
    refuse(options, GF_ERROR_ARGUMENT, "bins is 16777217");
    options.bins = 3;
    options.edges = falling;
    refuse(options, GF_ERROR_ARGUMENT, "edge 2 is 2, must be above 2");
    options.bins = 2;
    options.edges = endless;
    refuse(options, GF_ERROR_ARGUMENT, "edge 2 is inf, must be finite");
    options.edges = NULL;
    options.lo = 3;
    options.hi = 3;
    refuse(options, GF_ERROR_ARGUMENT, "the range is [3, 3)");
    options.hi = NAN;
    refuse(options, GF_ERROR_ARGUMENT, "the range is [3, nan)");
    options.lo = -1.7e308;
    options.hi = 1.7e308;
    refuse(options, GF_ERROR_ARGUMENT, "their difference");
    options.lo = 0;
    options.hi = 1e-310;
    refuse(options, GF_ERROR_ARGUMENT, "bins divided by it finite");
    options = (gf_histogram_options)GF_HISTOGRAM_OPTIONS_INIT;
    options.array.algo = "fastest";
    refuse(options, GF_ERROR_UNSUPPORTED, "sequential, auto");
    options = (gf_histogram_options)GF_HISTOGRAM_OPTIONS_INIT;
    options.array.type = (gf_depth)99;
    refuse(options, GF_ERROR_ARGUMENT, "type is 99");
    options = (gf_histogram_options)GF_HISTOGRAM_OPTIONS_INIT;
    options.struct_size = 3;
    refuse(options, GF_ERROR_ARGUMENT, "struct_size");
    if (gf_primitive_variant("histogram", 2)) { /* a build with CUDA: a device is not asked for */
        size_t bytes = 0;
        options = (gf_histogram_options)GF_HISTOGRAM_OPTIONS_INIT;
        options.array.algo = "shared";
        options.array.type = GF_U8;
        CHECK_EQ_INT(gf_histogram_scratch(0, &options, 5, &bytes, &error), GF_OK);
        options.bins = 128;
        CHECK_EQ_INT(gf_histogram_scratch(0, &options, 5, &bytes, &error), GF_ERROR_UNSUPPORTED);
        CHECK_STR_HAS(error.message, "variant shared, counts bytes of one channel in 256 bins");
        options.bins = 256;
        options.channels = 3;
        CHECK_EQ_INT(gf_histogram_scratch(0, &options, 5, &bytes, &error), GF_ERROR_UNSUPPORTED);
        options.channels = 1;
        options.lo = 1;
        options.hi = 257;
        CHECK_EQ_INT(gf_histogram_scratch(0, &options, 5, &bytes, &error), GF_ERROR_UNSUPPORTED);
    }
    options = (gf_histogram_options)GF_HISTOGRAM_OPTIONS_INIT;
    uint64_t counts[259] = {0};
    gf_queue queue = {GF_DEVICE_CPU, NULL};
    CHECK_EQ_INT(gf_histogram(queue, &options, NULL, 5, counts, NULL, 0, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "the input is NULL");
    CHECK_EQ_INT(gf_histogram(queue, &options, counts, 5, NULL, NULL, 0, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "the output is NULL");
    CHECK_EQ_INT(gf_histogram(queue, &options, "bytes", 5, counts, NULL, 0, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "bytes of scratch");
    CHECK_EQ_INT(counts[0], 0);
}

static const struct check_case cases[] = {
    {"by hand", by_hand},           {"refuses", refuses},
    {"CPU variants", cpu_variants}, {"CUDA variants", cuda_variants},
    {"CPU borders", cpu_borders},   {"CUDA borders", cuda_borders},
    {"repeats", repeats},
};
CHECK_MAIN(cases)
