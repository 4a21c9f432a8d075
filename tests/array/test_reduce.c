/* Every variant of reduction against the sequential one, on the CPU and on a CUDA device or its emulation;
 * and the sequential one against sums worked out otherwise. */
#include "check.h"
#include "reduce_case.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { OPS = GF_REDUCE_ALL + 1 };

/* Two f64 that differ by rounding: the sums of the test's data have no cancellation worth more. A sum in f32
 * may be off by a few roundings of all magnitudes, and is lost where these leave f32. */
/* Tells whether some of the elements may multiply to more than f64 holds: then a product in another order may
 * pass infinity on its way, and with a 0 elsewhere end as NaN. */
static bool may_overflow(gf_depth type, const void *data, int64_t n)
{
    double log2_of_most = 0;
    for (int64_t i = 0; i < n; i++) {
        const double v = type == GF_F32 ? (double)((const float *)data)[i] : ((const double *)data)[i];
        log2_of_most += fabs(v) > 1 ? log2(fabs(v)) : 0;
    }
    return log2_of_most >= 1023;
}

static bool is_close(const char *a, const char *b, gf_reduce_op op, gf_depth type, const void *data,
                     int64_t n)
{
    double x, y, magnitudes = 0;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    for (int64_t i = 0; op == GF_REDUCE_SUM && type == GF_F32 && i < n; i++) {
        magnitudes += fabs((double)((const float *)data)[i]);
    }
    if (magnitudes > (double)FLT_MAX && !isfinite(x)) {
        return true;
    }
    if (op == GF_REDUCE_PRODUCT && isnan(x) && y == 0 && may_overflow(type, data, n)) {
        return true;
    }
    double bound = 1e-10 * fabs(y) + 1e-6 + ldexp(magnitudes, -20);
    return (isnan(x) && isnan(y)) || x == y || fabs(x - y) <= bound;
}

/* One array through every operation: the variant must write what "sequential" writes. */
static void compare(gf_device device, const gf_variant *variant, gf_depth type, const void *data, int64_t n,
                    const char *what)
{
    for (int op = 0; op < OPS; op++) {
        char expected[16] = {0}, got[16] = {0};
        gf_reduce_options options = options_of((gf_reduce_op)op, type, "sequential");
        size_t bytes = 0;
        if (gf_reduce_scratch(GF_DEVICE_CPU, &options, n, &bytes, NULL) != GF_OK) {
            continue; /* and, or, xor of floats */
        }
        reduce(GF_DEVICE_CPU, options, data, n, 0, expected);
        options.array.algo = variant->name;
        options.array.threads = (int32_t)(n % 3);
        options.array.block = some_block(variant);
        if (gf_reduce_scratch(device, &options, n, &bytes, NULL) != GF_OK) {
            continue; /* an operation that the variant refuses: see refuses() */
        }
        reduce(device, options, data, n, array_next_offset(gf_depth_size(type)), got);
        bool loose = variant->loose && op <= GF_REDUCE_PRODUCT && (type == GF_F32 || type == GF_F64) &&
                     is_close(got, expected, (gf_reduce_op)op, type, data, n);
        CHECK_MSG(memcmp(got, expected, sizeof got) == 0 || loose,
                  "%s %s, op %d of %lld %s %s, block %d: %016llx %016llx, expected %016llx %016llx",
                  device < 0 ? "cpu" : "cuda", variant->name, op, (long long)n, what, gf_depth_name(type),
                  options.array.block, ((unsigned long long *)got)[0], ((unsigned long long *)got)[1],
                  ((unsigned long long *)expected)[0], ((unsigned long long *)expected)[1]);
    }
}

static void all_variants(gf_device device, int64_t most)
{
    int32_t sizes = 0;
    const int64_t *size = array_data_sizes(most, &sizes);
    void *data = malloc((size_t)most * 8 + 8);
    const gf_variant *variant;
    REQUIRE(data != NULL);
    for (size_t v = 0; (variant = gf_primitive_variant("reduce", v)) != NULL; v++) {
        for (int type = 0; variant->cuda == (device >= 0) && type <= GF_S64; type++) {
            for (int32_t s = 0; (variant->types >> type & 1) != 0 && s < sizes; s++) {
                for (int kind = 0; kind < ARRAY_DATA_COUNT; kind++) {
                    if (!array_in_slice() || (size[s] > 20000 && (kind + s) % 4 != 0)) {
                        continue; /* enough of the large ones */
                    }
                    array_data_fill(data, (gf_depth)type, size[s], (array_data)kind, 0.1, (uint64_t)s);
                    compare(device, variant, (gf_depth)type, data, size[s],
                            array_data_name((array_data)kind));
                }
            }
        }
    }
    free(data);
}

static void cpu_variants(void)
{
    all_variants(GF_DEVICE_CPU, 300000);
}

static void cuda_variants(void)
{
    if (!array_has_cuda()) {
        SKIP("no CUDA device");
    }
    all_variants(0, array_is_emulated() ? 4200 : 140000);
}

/* ---- Long arrays ------------------------------------------------------------------------------- */

/* More leaves than one thread's or block's; for integers also the sums of both halves. */
static void long_array(gf_device device, gf_reduce_op op, gf_depth type, int64_t n, int turn)
{
    char expected[16] = {0}, got[16] = {0};
    uint64_t half[2] = {0}, whole = 0;
    size_t size = gf_depth_size(type);
    char *data = malloc((size_t)n * size);
    gf_reduce_options options = options_of(op, type, "sequential");
    REQUIRE(data != NULL);
    array_data_fill(data, type, n, ARRAY_RANDOM, 0, (uint64_t)turn);
    reduce(GF_DEVICE_CPU, options, data, n, 0, expected);
    options.array.algo = "auto";
    for (int again = 0; again < (array_is_emulated() && device >= 0 ? 1 : 3); again++) {
        options.array.threads = 1 + again;
        reduce(device, options, data, n, array_next_offset(size), got);
        CHECK_MSG(memcmp(got, expected, sizeof got) == 0, "op %d of %lld %s, run %d", (int)op, (long long)n,
                  gf_depth_name(type), again);
    }
    if (op == GF_REDUCE_SUM && type == GF_S32) {
        reduce(device, options, data, n / 3, 0, &half[0]);
        reduce(device, options, data + (size_t)(n / 3) * size, n - n / 3, 0, &half[1]);
        memcpy(&whole, got, sizeof whole);
        CHECK(half[0] + half[1] == whole);
    }
    free(data);
}

static void long_on(gf_device device, const int64_t sizes[3])
{
    static const struct {
        gf_reduce_op op;
        gf_depth type;
    } cases[] = {{GF_REDUCE_SUM, GF_F32},    {GF_REDUCE_SUM, GF_S32}, {GF_REDUCE_VAR, GF_F64},
                 {GF_REDUCE_ARGMAX, GF_U32}, {GF_REDUCE_VAR, GF_S16}, {GF_REDUCE_PRODUCT, GF_F64}};
    for (int at = 0; at < 18; at++) {
        if (check_slice(at, 18)) {
            long_array(device, cases[at % 6].op, cases[at % 6].type, sizes[at / 6], at);
        }
    }
}

static void long_cpu(void)
{
    long_on(GF_DEVICE_CPU, (const int64_t[]){(3 << 20) + 5000, (1 << 20) + 1, 1 << 21});
}

/* 2^22 elements are 1024 leaves, from which on a block does more than one. */
static void long_cuda(void)
{
    static const int64_t emulated[] = {40961, 12 * 4096 - 1, (1 << 22) + 1},
                         real[] = {(1 << 25) + 4097, (1 << 23) - 1, (1 << 22) + 1};
    if (!array_has_cuda()) {
        SKIP("no CUDA device");
    }
    long_on(0, array_is_emulated() ? emulated : real);
}

/* So many leaves that runs of them, then of 16 leaves each, are joined by thousands, then the thousands.
 */
static void many_runs(void)
{
    if (!array_has_cuda()) {
        SKIP("no CUDA device");
    }
    long_array(0, GF_REDUCE_SUM, GF_F32, (16 * 1024 + 16 * 3) * 4096 + 77, 0);
}

/* ---- The definition itself --------------------------------------------------------------------- */

static double number(gf_reduce_op op, gf_depth type, const void *data, int64_t n, int which)
{
    char result[16] = {0};
    reduce(GF_DEVICE_CPU, options_of(op, type, "sequential"), data, n, 0, result);
    gf_depth depth = gf_reduce_result(op, type);
    const char *at = result + (size_t)which * gf_depth_size(depth);
    switch (depth) {
    case GF_U8:
        return *(const uint8_t *)at;
    case GF_F32:
        return (double)*(const float *)at;
    case GF_F64:
        return *(const double *)at;
    case GF_U64:
        return (double)*(const uint64_t *)at;
    case GF_S64:
        return (double)*(const int64_t *)at;
    case GF_S32:
        return *(const int32_t *)at;
    default:
        return -12345;
    }
}

static void by_hand(void)
{
    const uint8_t bytes[] = {3, 200, 7, 200, 3};
    CHECK_EQ_INT(number(GF_REDUCE_SUM, GF_U8, bytes, 5, 0), 413);
    CHECK_EQ_INT(number(GF_REDUCE_PRODUCT, GF_U8, bytes, 5, 0), 2520000);
    CHECK_EQ_INT(number(GF_REDUCE_MIN, GF_U8, bytes, 5, 0), 3);
    CHECK_EQ_INT(number(GF_REDUCE_MAX, GF_U8, bytes, 5, 0), 200);
    CHECK_EQ_INT(number(GF_REDUCE_ARGMIN, GF_U8, bytes, 5, 0), 0);
    CHECK_EQ_INT(number(GF_REDUCE_ARGMAX, GF_U8, bytes, 5, 0), 1);
    CHECK_EQ_INT(number(GF_REDUCE_AND, GF_U8, bytes + 1, 3, 0), 0);
    CHECK_EQ_INT(number(GF_REDUCE_OR, GF_U8, bytes, 5, 0), 207);
    CHECK_EQ_INT(number(GF_REDUCE_XOR, GF_U8, bytes, 5, 0), 7);
    CHECK_EQ_INT(number(GF_REDUCE_XOR, GF_U8, bytes, 0, 0), 0);
    CHECK_EQ_INT(number(GF_REDUCE_ANY, GF_U8, bytes, 5, 0), 1);
    CHECK_EQ_INT(number(GF_REDUCE_ALL, GF_U8, bytes, 5, 0), 1);
    CHECK_NEAR(number(GF_REDUCE_MEAN, GF_U8, bytes, 5, 0), 82.6, 1e-15 * 82.6);
    CHECK_NEAR(number(GF_REDUCE_VAR, GF_U8, bytes, 5, 1), 9190.64, 2e-12);
    const int32_t ints[] = {-5, INT32_MIN, INT32_MAX, 0};
    CHECK_EQ_INT(number(GF_REDUCE_SUM, GF_S32, ints, 4, 0), -6);
    CHECK_EQ_INT(number(GF_REDUCE_MIN, GF_S32, ints, 4, 0), INT32_MIN);
    CHECK_EQ_INT(number(GF_REDUCE_ARGMAX, GF_S32, ints, 4, 0), 2);
    CHECK_EQ_INT(number(GF_REDUCE_XOR, GF_S32, ints, 4, 0), 4); /* -5 xor -1 */
    CHECK_EQ_INT(number(GF_REDUCE_ALL, GF_S32, ints, 4, 0), 0);
    CHECK_EQ_INT(number(GF_REDUCE_ANY, GF_S32, ints + 3, 1, 0), 0);
    const float floats[] = {NAN, 0.0F, -0.0F, 2.5F, -INFINITY, INFINITY};
    CHECK(isnan(number(GF_REDUCE_SUM, GF_F32, floats, 6, 0)));
    CHECK_EQ_INT(number(GF_REDUCE_ARGMIN, GF_F32, floats, 4, 0), 2);
    CHECK_EQ_INT(number(GF_REDUCE_ARGMIN, GF_F32, floats, 6, 0), 4);
    CHECK_EQ_INT(number(GF_REDUCE_ARGMAX, GF_F32, floats, 6, 0), 5);
    CHECK_EQ_INT(number(GF_REDUCE_ARGMAX, GF_F32, floats, 1, 0), -1);
    CHECK_EQ_INT(number(GF_REDUCE_ANY, GF_F32, floats, 1, 0), 1);
    CHECK_EQ_INT(number(GF_REDUCE_ANY, GF_F32, floats + 1, 2, 0), 0);
    CHECK_EQ_INT(number(GF_REDUCE_ALL, GF_F32, floats, 1, 0), 1);
    CHECK_EQ_INT(number(GF_REDUCE_ALL, GF_F32, floats, 3, 0), 0);
    CHECK_EQ_INT(number(GF_REDUCE_ALL, GF_F32, floats, 0, 0), 1);
    CHECK(isnan(number(GF_REDUCE_MAX, GF_F32, floats, 1, 0)));
    CHECK(number(GF_REDUCE_MAX, GF_F32, floats, 0, 0) == -(double)INFINITY);
    CHECK(number(GF_REDUCE_MIN, GF_F32, floats, 0, 0) == (double)INFINITY);
    CHECK(isnan(number(GF_REDUCE_MEAN, GF_F32, floats, 0, 0)));
    CHECK_EQ_INT(number(GF_REDUCE_PRODUCT, GF_F32, floats, 0, 0), 1);
}

/* Mean and variance against long double in two passes, where a sum of squares in f64 would fail. */
static void moments(void)
{
    enum { N = 100003 };
    static const gf_depth types[] = {GF_U8, GF_U16, GF_U32, GF_S16, GF_S32, GF_F32, GF_F64, GF_U64, GF_S64};
    double *wide = malloc(N * sizeof *wide);
    char *data = malloc(N * 8);
    REQUIRE(wide && data);
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
        gf_depth type = types[t];
        array_data_fill(data, type, N, ARRAY_TWOVALUED, 0, 7);
        for (int64_t i = 0; type == GF_S32 && i < N; i++) {
            ((int32_t *)data)[i] += 2000000000; /* sums of squares of 2^62, variance of 10^4 */
        }
        long double sum = 0, squares = 0;
        for (int64_t i = 0; i < N; i++) {
            wide[i] = number(GF_REDUCE_SUM, type, data + (size_t)i * gf_depth_size(type), 1, 0);
            sum += (long double)wide[i];
        }
        for (int64_t i = 0; i < N; i++) {
            squares += ((long double)wide[i] - sum / N) * ((long double)wide[i] - sum / N);
        }
        CHECK_NEAR(number(GF_REDUCE_MEAN, type, data, N, 0), (double)(sum / N), 1e-15 * (double)(sum / N));
        CHECK_NEAR(number(GF_REDUCE_VAR, type, data, N, 0), (double)(sum / N), 1e-14 * (double)(sum / N));
        CHECK_NEAR(number(GF_REDUCE_VAR, type, data, N, 1), (double)(squares / N),
                   1e-12 * (double)(squares / N));
    }
    free(wide);
    free(data);
}

static void refuses(void)
{
    gf_error error = GF_ERROR_INIT;
    uint64_t out = 0;
    size_t bytes = 0;
    gf_reduce_options options = options_of(GF_REDUCE_AND, GF_F32, NULL);
    CHECK_EQ_INT(gf_reduce_scratch(GF_DEVICE_CPU, &options, 5, &bytes, &error), GF_ERROR_UNSUPPORTED);
    CHECK_STR_HAS(error.message, "and is for integers");
    options = options_of(GF_REDUCE_XOR, GF_F64, NULL);
    CHECK_EQ_INT(gf_reduce_scratch(GF_DEVICE_CPU, &options, 5, &bytes, &error), GF_ERROR_UNSUPPORTED);
    CHECK_STR_HAS(error.message, "xor is for integers, not for f64");
    options = options_of((gf_reduce_op)(GF_REDUCE_ALL + 1), GF_F64, NULL);
    CHECK_EQ_INT(gf_reduce_scratch(GF_DEVICE_CPU, &options, 5, &bytes, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "op is 13, must be 0 to 12");
    options = options_of(GF_REDUCE_SUM, GF_F32, "fastest");
    CHECK_EQ_INT(gf_reduce_scratch(GF_DEVICE_CPU, &options, 5, &bytes, &error), GF_ERROR_UNSUPPORTED);
    CHECK_STR_HAS(error.message, "sequential, auto");
    options = options_of(GF_REDUCE_SUM, GF_F32, "auto");
    CHECK_EQ_INT(gf_reduce_scratch(GF_DEVICE_CPU, &options, -1, &bytes, &error), GF_ERROR_ARGUMENT);
    CHECK_EQ_INT(gf_reduce((gf_queue){GF_DEVICE_CPU, NULL}, &options, NULL, 5, &out, NULL, 0, &error),
                 GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "the input is NULL");
    CHECK_EQ_INT(gf_reduce((gf_queue){GF_DEVICE_CPU, NULL}, &options, (const char *)&out + 1, 1, &out, NULL,
                           0, &error),
                 GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "aligned to 4 bytes");
    CHECK_EQ_INT(gf_reduce((gf_queue){GF_DEVICE_CPU, NULL}, &options, &out, 1, &out, NULL, 0, &error),
                 GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "bytes of scratch");
    options.struct_size = 1;
    CHECK_EQ_INT(gf_reduce_scratch(GF_DEVICE_CPU, &options, 5, &bytes, &error), GF_ERROR_ARGUMENT);
    CHECK_EQ_INT(out, 0);
}

static const struct check_case cases[] = {
    {"by hand", by_hand},
    {"mean and variance", moments},
    {"refuses", refuses},
    {"CPU variants", cpu_variants},
    {"CUDA variants", cuda_variants},
    {"long arrays, CPU", long_cpu},
    {"long arrays, CUDA", long_cuda},
    {"many runs, CUDA", many_runs},
};
CHECK_MAIN(cases)
