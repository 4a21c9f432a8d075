/* Every variant of the partition against the sequential one, on the CPU and on a CUDA device or its
 * emulation; the sequential one against results by hand, and its first side against the compaction's. */
#include "check.h"
#include "keep_case.h"

#include <math.h>

static void cpu_variants(void)
{
    all_variants(true, GF_DEVICE_CPU, 300000, 600);
}

static void cuda_variants(void)
{
    if (!array_has_cuda()) {
        SKIP("no CUDA device");
    }
    all_variants(true, 0, array_is_emulated() ? 1100 : 70000, array_is_emulated() ? 8 : 260);
}

static void long_cpu(void)
{
    long_on(true, GF_DEVICE_CPU, 3000001);
}

static void long_cuda(void)
{
    if (!array_has_cuda()) {
        SKIP("no CUDA device");
    }
    if (array_is_emulated()) {
        long_on(true, 0, 70001);
        long_array(true, 0, GF_U16, 0.5, 200001, 1); /* by flags, too */
        return;
    }
    long_on(true, 0, 3000001); /* around what is in work at once */
    long_on(true, 0, 40000001);
}

/* ---- The definition itself ------------------------------------------------------------------------ */

/* The places of both sides as digits, a 9 between them. */
static uint64_t sides_of_floats(gf_keep rule, float value)
{
    static const float data[] = {NAN, -INFINITY, -1.0F, -0.0F, 0.0F, 1.0F, INFINITY, -NAN};
    struct run r = {.device = GF_DEVICE_CPU,
                    .algo = "sequential",
                    .parts = true,
                    .type = GF_F32,
                    .keep = rule,
                    .n = 8,
                    .capacity = 8,
                    .data = data,
                    .value = &value,
                    .flags = (const uint8_t *)data,
                    .indices = true};
    struct kept sides = {0};
    uint64_t places = 0;
    keep(&r, &sides);
    for (uint64_t i = 0; sides.data && i < 8; i++) {
        places = (i == sides.count ? places * 10 + 9 : places) * 10 + ((uint32_t *)(void *)sides.data)[i];
    }
    free(sides.data);
    return places;
}

static void by_hand(void)
{
    CHECK_EQ_INT(sides_of_floats(GF_KEEP_NONZERO, 5), 12567934);
    CHECK_EQ_INT(sides_of_floats(GF_KEEP_EQ, -0.0F), 349012567);
    CHECK_EQ_INT(sides_of_floats(GF_KEEP_LT, 0), 129034567);
    CHECK_EQ_INT(sides_of_floats(GF_KEEP_GE, 0), 345690127);
    CHECK_EQ_INT(sides_of_floats(GF_KEEP_GE, NAN), 901234567);
    CHECK_EQ_INT(sides_of_floats(GF_KEEP_NE, NAN), 1234567);
}

static void as_compact(void)
{
    enum { N = 1000 };
    static int16_t data[N], kept[N];
    int16_t value = 11;
    uint64_t count = 0;
    gf_compact_options options = GF_COMPACT_OPTIONS_INIT;
    struct run r = {.device = GF_DEVICE_CPU,
                    .algo = "sequential",
                    .parts = true,
                    .type = GF_S16,
                    .keep = GF_KEEP_GT,
                    .n = N,
                    .capacity = N,
                    .data = data,
                    .value = &value,
                    .flags = (const uint8_t *)data};
    struct kept sides = {0};
    array_data_fill(data, GF_S16, N, ARRAY_RANDOM, 0, 3);
    options.keep = GF_KEEP_GT;
    options.value = &value;
    options.array.type = GF_S16;
    options.array.algo = "sequential";
    CHECK_EQ_INT(
        gf_compact((gf_queue){GF_DEVICE_CPU, NULL}, &options, data, N, kept, N, &count, NULL, 0, NULL),
        GF_OK);
    keep(&r, &sides);
    CHECK(sides.count == count && count > 0 && count < N);
    CHECK_MEM(sides.data, kept, count * sizeof *kept);
    CHECK(array_bag(sides.data, 2, N) == array_bag(data, 2, N));
    free(sides.data);
}

static void refuses(void)
{
    static _Alignas(256) char scratch[1 << 15];
    gf_error error = GF_ERROR_INIT;
    uint64_t count = 9, data[2] = {1, 2}, out[2] = {3, 4};
    size_t bytes = 0;
    gf_queue cpu = {GF_DEVICE_CPU, NULL};
    gf_compact_options options = GF_COMPACT_OPTIONS_INIT;
    options.keep = GF_KEEP_GT;
    CHECK_EQ_INT(gf_partition_scratch(GF_DEVICE_CPU, &options, 5, &bytes, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "partition: this condition needs a value");
    options.keep = (gf_keep)8;
    CHECK_EQ_INT(gf_partition_scratch(GF_DEVICE_CPU, &options, 5, &bytes, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "partition: keep is 8; there are nonzero, eq");
    options.keep = GF_KEEP_FLAGS;
    CHECK_EQ_INT(gf_partition(cpu, &options, data, 2, out, &count, scratch, sizeof scratch, &error),
                 GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "flags is NULL");
    options.keep = GF_KEEP_NONZERO;
    CHECK_EQ_INT(gf_partition(cpu, &options, data, 2, out, NULL, scratch, sizeof scratch, &error),
                 GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "the count is NULL");
    CHECK_EQ_INT(gf_partition(cpu, &options, data, 2, NULL, &count, scratch, sizeof scratch, &error),
                 GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "the output is NULL");
    CHECK_EQ_INT(gf_partition(cpu, &options, data, 2, out, &count, scratch, 16, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "bytes of scratch");
    options.array.algo = "cpu-scan";
    CHECK_EQ_INT(gf_partition(cpu, &options, data, 2, out, &count, scratch, sizeof scratch, &error),
                 GF_ERROR_UNSUPPORTED);
    CHECK(count == 9 && out[0] == 3 && out[1] == 4);
}

static const struct check_case cases[] = {
    {"by hand", by_hand},
    {"the first side is the compaction", as_compact},
    {"refuses", refuses},
    {"CPU variants", cpu_variants},
    {"long arrays, CPU", long_cpu},
    {"CUDA variants", cuda_variants},
    {"long arrays, CUDA", long_cuda},
};
CHECK_MAIN(cases)
