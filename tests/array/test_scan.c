/* Every variant of scan against the sequential one, on the CPU and on a CUDA device or its emulation; and
 * that one by hand. */
#include "scan_case.h"

#include <math.h>
#include <stdlib.h>

/* ---- Against "sequential" ------------------------------------------------------------------- */

struct run {
    gf_device device;
    const gf_variant *variant;
    gf_depth type;
    int64_t n;
    array_data kind;
    void *data, *expected, *got;
    int32_t block; /* 0: the default */
};

/* Element i, sign extended; bits above an unsigned one's are 0. */
static uint64_t bits_of(gf_depth type, const void *data, int64_t i)
{
    size_t size = gf_depth_size(type);
    bool is_signed = type == GF_S16 || type == GF_S32;
    uint64_t bits = 0, sign = is_signed ? UINT64_C(1) << (8 * size - 1) : 0;
    memcpy(&bits, (const char *)data + (size_t)i * size, size); /* little end first */
    return (bits ^ sign) - sign;
}

/* Neighbouring sums of integers differ by the element between them. */
static void check_steps(const struct run *r, bool inclusive, gf_depth out)
{
    bool is_float = r->type == GF_F32 || r->type == GF_F64 || out == GF_F32 || out == GF_F64;
    uint64_t mask = gf_depth_size(out) == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * gf_depth_size(out)) - 1;
    int64_t wrong = 0;
    for (int64_t i = 1; !is_float && i < r->n; i++) {
        uint64_t step = bits_of(out, r->got, i) - bits_of(out, r->got, i - 1);
        wrong += ((step - bits_of(r->type, r->data, inclusive ? i : i - 1)) & mask) != 0;
    }
    CHECK_MSG(wrong == 0, "%s of %lld %s: %lld steps are not the elements", r->variant->name, (long long)r->n,
              gf_depth_name(r->type), (long long)wrong);
}

static double number_of(gf_depth type, const void *data, int64_t i)
{
    return type == GF_F32   ? (double)((const float *)data)[i]
           : type == GF_F64 ? ((const double *)data)[i]
                            : (double)(int64_t)bits_of(type, data, i);
}

/* The first element that is not equal; for sums of floats by a variant that adds in an order of its own, the
 * first that is further off than i roundings of the sum of magnitudes. n: there is none. */
static int64_t first_wrong(const struct run *r, bool near, gf_depth out)
{
    const size_t size = gf_depth_size(out);
    const double epsilon = out == GF_F32 ? ldexp(1, -23) : ldexp(1, -52);
    double magnitudes = 0;
    for (int64_t i = 0; i < r->n; i++) {
        const double expected = near ? number_of(out, r->expected, i) : 0;
        const double got = near ? number_of(out, r->got, i) : 0;
        magnitudes += near ? fabs(number_of(r->type, r->data, i)) : 0;
        const bool same =
            !memcmp((char *)r->got + (size_t)i * size, (char *)r->expected + (size_t)i * size, size);
        /* what is infinite or not a number before it is so for good, and where it begins is a matter of order
         */
        const bool lost =
            near && (!isfinite(expected) || !isfinite(got)) && magnitudes > (out == GF_F32 ? 1e38 : 1e307);
        if (!same && !(near && (lost || (isnan(expected) && isnan(got)) ||
                                fabs(expected - got) <= epsilon * (double)(i + 8) * magnitudes))) {
            return i;
        }
    }
    return r->n;
}

static void compare(const struct run *r, gf_scan_op op, bool inclusive, gf_depth out, struct place place)
{
    gf_scan_options options = options_of(op, inclusive, r->type, out, "sequential");
    if (scan(GF_DEVICE_CPU, options, r->data, r->n, (struct place){0}, r->expected) != GF_OK) {
        return; /* no such pair of types */
    }
    options.array.algo = r->variant->name;
    options.array.threads = (int32_t)(r->n % 4);
    options.array.block = r->block;
    size_t bytes = 0;
    if (gf_scan_scratch(r->device, &options, r->n, &bytes, NULL) != GF_OK) {
        CHECK(op == GF_SCAN_SUM && out != r->type); /* of the published, which say so */
        return;
    }
    scan(r->device, options, r->data, r->n, place, r->got);
    if (op == GF_SCAN_SUM) {
        check_steps(r, inclusive, out);
    }
    const bool near = r->variant->loose && op == GF_SCAN_SUM && (out == GF_F32 || out == GF_F64);
    const int64_t i = first_wrong(r, near, out);
    CHECK_MSG(i == r->n, "%s %s, op %d, %s, block %d, %s %lld %s to %s, in + %d, out + %d: element %lld",
              r->device < 0 ? "cpu" : "cuda", r->variant->name, op, inclusive ? "inclusive" : "exclusive",
              r->block, array_data_name(r->kind), (long long)r->n, gf_depth_name(r->type), gf_depth_name(out),
              place.in, place.out, (long long)i);
}

/* All operations and result types on one array. */
static void all_operations(const struct run *r, int turn)
{
    for (int op = 0; op <= GF_SCAN_MAX; op++) {
        for (int out = 0; out <= GF_S64; out++, turn++) {
            struct place place = {turn % 2 ? turn / 2 % 16 : 0, turn % 3 ? turn / 3 % 16 : 0, false};
            place.in_place = turn % 5 == 0 && out == (int)r->type;
            compare(r, (gf_scan_op)op, turn % 2, (gf_depth)out, place);
            if (r->n < 5000) {
                compare(r, (gf_scan_op)op, turn % 2 == 0, (gf_depth)out, (struct place){0});
            }
        }
    }
}

/* Sizes up to `most`; each with every kind of array up to all_kinds, with one beyond. */
static void run_sizes(struct run *r, int64_t most, int64_t all_kinds)
{
    int32_t sizes = 0;
    const int64_t *size = array_data_sizes(most, &sizes);
    int turn = 0;
    for (int32_t s = 0; s < sizes; s++) {
        if (r->variant->max_n > 0 && size[s] > r->variant->max_n) {
            break;
        }
        for (int kind = 0; kind < ARRAY_DATA_COUNT; kind++, turn++) {
            if (!array_in_slice() || (size[s] > all_kinds && (kind + s) % ARRAY_DATA_COUNT != 0)) {
                continue; /* enough of the large ones */
            }
            r->n = size[s];
            r->kind = (array_data)kind;
            array_data_fill(r->data, r->type, r->n, r->kind, 0.1, (uint64_t)s);
            all_operations(r, turn);
        }
    }
}

/* Variants of the textbook, and blocks that are not the default, take fewer sizes. */
static void all_variants(gf_device device, int64_t most, int64_t all_kinds)
{
    static const int32_t blocks[] = {0, 32, 96, 1024};
    struct run r = {.device = device};
    r.data = malloc((size_t)most * 8 + 8);
    r.expected = malloc((size_t)most * 8 + 8);
    r.got = malloc((size_t)most * 8 + 8);
    REQUIRE(r.data && r.expected && r.got);
    for (size_t v = 0; (r.variant = gf_primitive_variant("scan", v)) != NULL; v++) {
        bool has_block = strstr(r.variant->parameters, "block=") != NULL;
        if (r.variant->cuda != (device >= 0) || !r.variant->deterministic) {
            continue;
        }
        for (int type = 0; type <= GF_S64; type++) {
            for (int b = 0; (r.variant->types >> type & 1) != 0 && b < (has_block ? 4 : 1); b++) {
                int64_t fewer = b > 0 ? 3000 : 70000;
                r.type = (gf_depth)type;
                r.block = blocks[b];
                run_sizes(&r, has_block && most > fewer ? fewer : most, has_block ? 3 : all_kinds);
            }
        }
    }
    free(r.data);
    free(r.expected);
    free(r.got);
}

static void cpu_variants(void)
{
    all_variants(GF_DEVICE_CPU, 300000, 600);
}

static void cuda_variants(void)
{
    if (!array_has_cuda()) {
        SKIP("no CUDA device");
    }
    all_variants(0, array_is_emulated() ? 1100 : 70000, array_is_emulated() ? 8 : 260);
}

/* ---- Long arrays, and the same bytes every time ------------------------------------------------ */

/* Sizes where tiles, and groups and supergroups of tiles, end. */
static void long_array(gf_device device, gf_depth type, gf_depth out, int64_t n, uint64_t seed)
{
    char *data = malloc((size_t)n * gf_depth_size(type));
    char *expected = malloc((size_t)n * gf_depth_size(out));
    char *got = malloc((size_t)n * gf_depth_size(out));
    gf_scan_options options = options_of(GF_SCAN_SUM, seed % 2, type, out, "sequential");
    REQUIRE(data && expected && got);
    array_data_fill(data, type, n, ARRAY_RANDOM, 0, seed);
    scan(GF_DEVICE_CPU, options, data, n, (struct place){0}, expected);
    options.array.algo = "auto";
    for (int again = 0; again < (n < 400000 && device < 0 ? 8 : 2); again++) {
        options.array.threads = 1 + again % 5;
        scan(device, options, data, n, (struct place){again, 2 * again, false}, got);
        CHECK_MSG(memcmp(got, expected, (size_t)n * gf_depth_size(out)) == 0, "%lld %s to %s, run %d",
                  (long long)n, gf_depth_name(type), gf_depth_name(out), again);
    }
    free(data);
    free(expected);
    free(got);
}

static void long_on(gf_device device, int64_t most)
{
    static const gf_depth types[][2] = {{GF_F32, GF_F32}, {GF_F32, GF_F64}, {GF_F64, GF_F64},
                                        {GF_S32, GF_S32}, {GF_U64, GF_U64}, {GF_U8, GF_U8},
                                        {GF_U8, GF_U32}};
    static const int64_t sizes[][2] = {{2, 1},   {3, -1}, {5, 3},    {32, 0},   {31, 5},
                                       {33, -1}, {65, 7}, {1024, 1}, {1057, -3}}; /* tiles, elements */
    enum { TYPES = sizeof types / sizeof types[0], SIZES = sizeof sizes / sizeof sizes[0] };
    int largest = 0;
    while (largest < SIZES && sizes[largest][0] * 32768 <= most) {
        largest++;
    }
    for (int at = 0; at < largest * TYPES; at++) {
        const gf_depth *type = types[at % TYPES];
        const int64_t *size = sizes[at / TYPES];
        if (check_slice(at, largest * TYPES)) {
            int64_t tile = 32768 / (int64_t)gf_depth_size(type[1]);
            long_array(device, type[0], type[1], size[0] * tile + size[1], (uint64_t)at);
        }
    }
}

static void long_cpu(void)
{
    long_on(GF_DEVICE_CPU, INT64_C(40) << 20);
}

static void long_cuda(void)
{
    if (!array_has_cuda()) {
        SKIP("no CUDA device");
    }
    long_on(0, array_is_emulated() ? 32 * 32768 : INT64_MAX);
}

/* ---- The definition itself ------------------------------------------------------------------------ */

static void by_hand(void)
{
    const uint8_t bytes[] = {3, 200, 7, 200, 3};
    uint8_t narrow[5] = {0};
    uint32_t wide[5] = {0};
    scan(GF_DEVICE_CPU, options_of(GF_SCAN_SUM, false, GF_U8, GF_U8, "sequential"), bytes, 5,
         (struct place){0}, narrow);
    CHECK_MEM(narrow, ((uint8_t[]){0, 3, 203, 210, 154}), 5);
    scan(GF_DEVICE_CPU, options_of(GF_SCAN_SUM, true, GF_U8, GF_U32, "sequential"), bytes, 5,
         (struct place){0}, wide);
    CHECK_MEM(wide, ((uint32_t[]){3, 203, 210, 410, 413}), 20);
    scan(GF_DEVICE_CPU, options_of(GF_SCAN_MIN, false, GF_U8, GF_U8, "sequential"), bytes, 5,
         (struct place){0}, narrow);
    CHECK_MEM(narrow, ((uint8_t[]){255, 3, 3, 3, 3}), 5);
    scan(GF_DEVICE_CPU, options_of(GF_SCAN_MAX, true, GF_U8, GF_U8, "sequential"), bytes, 5,
         (struct place){0}, narrow);
    CHECK_MEM(narrow, ((uint8_t[]){3, 200, 200, 200, 200}), 5);
    const int16_t shorts[] = {-30000, -30000, 5};
    int64_t sums[3] = {0};
    scan(GF_DEVICE_CPU, options_of(GF_SCAN_SUM, true, GF_S16, GF_S64, "sequential"), shorts, 3,
         (struct place){0}, sums);
    CHECK_MEM(sums, ((int64_t[]){-30000, -60000, -59995}), 24);
    const float floats[] = {-0.0F, NAN, 0.0F, -1.0F, -INFINITY};
    float least[5] = {0};
    scan(GF_DEVICE_CPU, options_of(GF_SCAN_MIN, true, GF_F32, GF_F32, "sequential"), floats, 5,
         (struct place){0}, least);
    CHECK_MEM(least, ((float[]){-0.0F, -0.0F, -0.0F, -1.0F, -INFINITY}), 20);
    scan(GF_DEVICE_CPU, options_of(GF_SCAN_MAX, false, GF_F32, GF_F32, "sequential"), floats, 5,
         (struct place){0}, least);
    CHECK_MEM(least, ((float[]){-INFINITY, -0.0F, -0.0F, 0.0F, 0.0F}), 20);
}

static void refuses(void)
{
    gf_error error = GF_ERROR_INIT;
    uint64_t out[2] = {7, 7};
    size_t bytes = 0;
    gf_queue cpu = {GF_DEVICE_CPU, NULL};
    gf_scan_options options = options_of(GF_SCAN_SUM, false, GF_U8, GF_U16, NULL);
    CHECK_EQ_INT(gf_scan_scratch(GF_DEVICE_CPU, &options, 5, &bytes, &error), GF_ERROR_UNSUPPORTED);
    CHECK_STR_HAS(error.message, "u8, u32, u64");
    options = options_of(GF_SCAN_MIN, false, GF_U8, GF_U32, NULL);
    CHECK_EQ_INT(gf_scan_scratch(GF_DEVICE_CPU, &options, 5, &bytes, &error), GF_ERROR_UNSUPPORTED);
    options = options_of((gf_scan_op)3, false, GF_U8, GF_U8, NULL);
    CHECK_EQ_INT(gf_scan_scratch(GF_DEVICE_CPU, &options, 5, &bytes, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "sum, min and max");
    options = options_of(GF_SCAN_SUM, false, (gf_depth)25, (gf_depth)25, NULL);
    CHECK_EQ_INT(gf_scan_scratch(GF_DEVICE_CPU, &options, 5, &bytes, &error), GF_ERROR_ARGUMENT);
    options = options_of(GF_SCAN_SUM, false, GF_S32, GF_S32, "fastest");
    CHECK_EQ_INT(gf_scan_scratch(GF_DEVICE_CPU, &options, 5, &bytes, &error), GF_ERROR_UNSUPPORTED);
    CHECK_STR_HAS(error.message, "sequential, auto");
    options.array.algo = "auto";
    CHECK_EQ_INT(gf_scan_scratch(GF_DEVICE_CPU, &options, -1, &bytes, &error), GF_ERROR_ARGUMENT);
    options.array.block = 100;
    CHECK_EQ_INT(gf_scan_scratch(GF_DEVICE_CPU, &options, 5, &bytes, &error), GF_ERROR_ARGUMENT);
    options.array.block = 0;
    CHECK_EQ_INT(gf_scan(cpu, &options, NULL, 2, out, NULL, 0, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "the input is NULL");
    CHECK_EQ_INT(gf_scan(cpu, &options, out, 2, NULL, NULL, 0, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "the output is NULL");
    CHECK_EQ_INT(gf_scan(cpu, &options, out, 1, (char *)out + 2, NULL, 0, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "aligned to 4 bytes");
    options.out = GF_S64;
    CHECK_EQ_INT(gf_scan(cpu, &options, out, 1, out, NULL, 0, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "in place");
    options.struct_size = 1;
    CHECK_EQ_INT(gf_scan_scratch(GF_DEVICE_CPU, &options, 5, &bytes, &error), GF_ERROR_ARGUMENT);
    CHECK(out[0] == 7 && out[1] == 7);
}

static const struct check_case cases[] = {
    {"by hand", by_hand},
    {"refuses", refuses},
    {"CPU variants", cpu_variants},
    {"long arrays, CPU", long_cpu},
    {"CUDA variants", cuda_variants},
    {"long arrays, CUDA", long_cuda},
};
CHECK_MAIN(cases)
