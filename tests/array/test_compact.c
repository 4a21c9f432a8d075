/* Every variant of compaction against the sequential one, on the CPU and on a CUDA device or its emulation;
 * and the sequential one against results worked out otherwise. */
#include "check.h"
#include "keep_case.h"

#include <math.h>

static void cpu_variants(void)
{
    all_variants(false, GF_DEVICE_CPU, 300000, 600);
}

static void cuda_variants(void)
{
    if (!array_has_cuda()) {
        SKIP("no CUDA device");
    }
    all_variants(false, 0, array_is_emulated() ? 1100 : 70000, array_is_emulated() ? 8 : 260);
}

static void long_cpu(void)
{
    long_on(false, GF_DEVICE_CPU, 3000001);
}

static void long_cuda(void)
{
    if (!array_has_cuda()) {
        SKIP("no CUDA device");
    }
    long_on(false, 0, array_is_emulated() ? 70000 : 40000001);
}

/* ---- The definition itself ------------------------------------------------------------------------ */

static uint64_t kept_floats(gf_keep rule, float value)
{
    static const float data[] = {NAN, -INFINITY, -1.0F, -0.0F, 0.0F, 1.0F, INFINITY, -NAN};
    struct run r = {.device = GF_DEVICE_CPU,
                    .algo = "sequential",
                    .type = GF_F32,
                    .keep = rule,
                    .n = 8,
                    .capacity = 8,
                    .data = data,
                    .value = &value,
                    .flags = (const uint8_t *)data,
                    .indices = true};
    struct kept kept = {0};
    uint64_t places = 0;
    keep(&r, &kept);
    for (uint64_t i = 0; kept.data && i < kept.count; i++) {
        places = places * 10 + ((uint32_t *)(void *)kept.data)[i];
    }
    free(kept.data);
    return places;
}

static void by_hand(void)
{
    CHECK_EQ_INT(kept_floats(GF_KEEP_NONZERO, 5), 12567);
    CHECK_EQ_INT(kept_floats(GF_KEEP_EQ, -0.0F), 34);
    CHECK_EQ_INT(kept_floats(GF_KEEP_NE, 0), 12567);
    CHECK_EQ_INT(kept_floats(GF_KEEP_LT, 0), 12);
    CHECK_EQ_INT(kept_floats(GF_KEEP_LE, -0.0F), 1234);
    CHECK_EQ_INT(kept_floats(GF_KEEP_GT, -0.0F), 56);
    CHECK_EQ_INT(kept_floats(GF_KEEP_GE, 0), 3456);
    CHECK_EQ_INT(kept_floats(GF_KEEP_GE, NAN), 0);
    CHECK_EQ_INT(kept_floats(GF_KEEP_NE, NAN), 1234567);
    CHECK_EQ_INT(kept_floats(GF_KEEP_GT, INFINITY), 0);
    CHECK_EQ_INT(kept_floats(GF_KEEP_LE, -INFINITY), 1);
}

static void refuses(void)
{
    gf_error error = GF_ERROR_INIT;
    uint64_t count = 9, data[2] = {1, 2};
    size_t bytes = 0;
    gf_queue cpu = {GF_DEVICE_CPU, NULL};
    gf_compact_options options = GF_COMPACT_OPTIONS_INIT;
    options.keep = GF_KEEP_GT;
    CHECK_EQ_INT(gf_compact_scratch(GF_DEVICE_CPU, &options, 5, &bytes, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "needs a value");
    options.keep = (gf_keep)8;
    CHECK_EQ_INT(gf_compact_scratch(GF_DEVICE_CPU, &options, 5, &bytes, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "nonzero, eq");
    options.keep = GF_KEEP_FLAGS;
    CHECK_EQ_INT(gf_compact(cpu, &options, data, 2, data + 1, 1, &count, NULL, 0, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "flags is NULL");
    options.keep = GF_KEEP_NONZERO;
    CHECK_EQ_INT(gf_compact(cpu, &options, data, 2, data + 1, -1, &count, NULL, 0, &error),
                 GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "capacity is -1");
    CHECK_EQ_INT(gf_compact(cpu, &options, data, 2, data + 1, 1, NULL, NULL, 0, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "the count is NULL");
    CHECK_EQ_INT(gf_compact(cpu, &options, data, 2, NULL, 1, &count, NULL, 0, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "the output is NULL");
    options.array.algo = "cpu-scan";
    CHECK_EQ_INT(gf_compact(cpu, &options, data, 2, data + 1, 1, &count, NULL, 0, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "bytes of scratch");
    options.array.type = (gf_depth)77;
    CHECK_EQ_INT(gf_compact_scratch(GF_DEVICE_CPU, &options, 5, &bytes, &error), GF_ERROR_ARGUMENT);
    options.struct_size = 1;
    CHECK_EQ_INT(gf_compact_scratch(GF_DEVICE_CPU, &options, 5, &bytes, &error), GF_ERROR_ARGUMENT);
    CHECK(count == 9 && data[1] == 2);
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
