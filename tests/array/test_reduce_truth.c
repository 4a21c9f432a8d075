/* Reductions to one of two values, with a single element that decides; and what the published variants add
 * up in. */
#include "check.h"
#include "reduce_case.h"

#include <math.h>

/* ---- Any and all --------------------------------------------------------------------------------- */

/* The result of one variant as a number. */
static int truth_of(gf_device device, const gf_variant *v, gf_reduce_op op, gf_depth type, const void *data,
                    int64_t n)
{
    unsigned char result[16] = {255};
    gf_reduce_options options = options_of(op, type, v->name);
    options.array.block = some_block(v);
    options.array.threads = (int32_t)(n % 4);
    CHECK_EQ_INT(reduce(device, options, data, n, array_next_offset(gf_depth_size(type)), result), GF_OK);
    return result[0];
}

/* The least integer, or a NaN; 0, or -0. */
static void put_something(gf_depth type, void *at)
{
    const uint64_t top = UINT64_C(1) << (8 * gf_depth_size(type) - 1);
    const double nan = NAN;
    const float nan32 = NAN;
    memcpy(at,
           type == GF_F32   ? (const void *)&nan32
           : type == GF_F64 ? (const void *)&nan
                            : (const void *)&top,
           gf_depth_size(type));
}

static void put_nothing(gf_depth type, void *at)
{
    const uint64_t zero = 0;
    const double minus = -0.0;
    const float minus32 = -0.0F;
    memcpy(at,
           type == GF_F32   ? (const void *)&minus32
           : type == GF_F64 ? (const void *)&minus
                            : (const void *)&zero,
           gf_depth_size(type));
}

/* Nothing but 0 with something at k, and the other way round. */
static void one_of_many(gf_device device, const gf_variant *v, gf_depth type, int64_t n, int64_t k)
{
    const size_t size = gf_depth_size(type);
    char *data = calloc((size_t)n + 1, size);
    REQUIRE(data != NULL);
    put_something(type, data + (size_t)k * size);
    CHECK_EQ_INT(truth_of(device, v, GF_REDUCE_ANY, type, data, n), 1);
    CHECK_EQ_INT(truth_of(device, v, GF_REDUCE_ALL, type, data, n), n == 1);
    put_nothing(type, data + (size_t)k * size);
    CHECK_EQ_INT(truth_of(device, v, GF_REDUCE_ANY, type, data, n), 0);
    array_data_fill(data, type, n, ARRAY_RANDOM, 0, (uint64_t)k);
    for (int64_t i = 0; i < n; i++) { /* other bytes beside each other: a borrow must not tell of a 0 */
        static const char zero[8] = {0};
        if (type == GF_F32 || type == GF_F64 || memcmp(data + (size_t)i * size, zero, size) == 0) {
            put_something(type, data + (size_t)i * size);
        }
    }
    CHECK_EQ_INT(truth_of(device, v, GF_REDUCE_ALL, type, data, n), 1);
    put_nothing(type, data + (size_t)k * size);
    CHECK_EQ_INT(truth_of(device, v, GF_REDUCE_ALL, type, data, n), 0);
    CHECK_EQ_INT(truth_of(device, v, GF_REDUCE_ANY, type, data, n), n > 1);
    CHECK_EQ_INT(truth_of(device, v, GF_REDUCE_ANY, type, data, 0), 0);
    CHECK_EQ_INT(truth_of(device, v, GF_REDUCE_ALL, type, data, 0), 1);
    free(data);
}

static void truth_on(gf_device device)
{
    static const int64_t sizes[] = {1, 7, 33, 1025, 4096, 9001};
    enum { SIZES = sizeof sizes / sizeof sizes[0] };
    const gf_variant *v;
    for (size_t i = 0; (v = gf_primitive_variant("reduce", i)) != NULL; i++) {
        for (int at = 0; v->cuda == (device >= 0) && at < SIZES * (GF_S64 + 1); at++) {
            const int64_t n = sizes[at % SIZES];
            const int64_t places[] = {0, n - 1, n / 2};
            if ((v->types >> at / SIZES & 1) != 0) { /* module variants lack types */
                one_of_many(device, v, (gf_depth)(at / SIZES), n, places[at % 3]);
            }
        }
    }
}

static void truth_cpu(void)
{
    truth_on(GF_DEVICE_CPU);
}

static void truth_cuda(void)
{
    if (!array_has_cuda()) {
        SKIP("no CUDA device");
    }
    truth_on(0);
}

/* Adds n elements of one variant. 8 bytes. */
static void sum_of(const gf_variant *v, gf_reduce_op op, gf_depth type, const void *data, int64_t n,
                   void *sum)
{
    gf_reduce_options options = options_of(op, type, v->name);
    CHECK_EQ_INT(reduce(0, options, data, n, 0, sum), GF_OK);
}

/* The published variants add f32 in f32: 2^24 + 1 is 2^24, wherever the two meet. They add
 * integers in 64 bits, and multiply f32 in f64, whose product leaves the range of f32 on the way. */
static void textbook_words(void)
{
    enum { N = 2100 };
    static float singles[N];
    static int32_t ints[N];
    static const int places[] = {1, 16, 32, 64, 128, 256, 1024, N - 1};
    enum { PLACES = sizeof places / sizeof places[0] };
    const gf_variant *v;
    double sum = 0;
    int64_t whole = 0;
    if (!array_has_cuda()) {
        SKIP("no CUDA device");
    }
    for (size_t i = 0; (v = gf_primitive_variant("reduce", i)) != NULL; i++) {
        for (int k = 0; v->cuda && !v->vendor && v->loose && k < PLACES; k++) {
            for (int j = 0; j < N; j++) {
                singles[j] = j == 0 ? 16777216.0F : j == places[k] ? 1.0F : 0.0F;
                ints[j] = 2000000000;
            }
            sum_of(v, GF_REDUCE_SUM, GF_F32, singles, N, &sum);
            CHECK_MSG(sum == 16777216.0, "%s, 1 at %d: %.1f", v->name, places[k], sum);
            sum_of(v, GF_REDUCE_SUM, GF_S32, ints, N, &whole);
            CHECK_EQ_INT(whole, INT64_C(2000000000) * N);
            for (int j = 0; j < N; j++) {
                singles[j] = j < 4 ? 1e30F : j < 8 ? 1e-30F : 1.0F;
            }
            sum_of(v, GF_REDUCE_PRODUCT, GF_F32, singles, N, &sum);
            CHECK_NEAR(sum, 1.0, 1e-5);
        }
    }
}

static const struct check_case cases[] = {
    {"any and all, CPU", truth_cpu},
    {"any and all, CUDA", truth_cuda},
    {"words of the published variants, CUDA", textbook_words},
};
CHECK_MAIN(cases)
