/* bounds: every variant against the sequential one, and that against places found by hand. */
#include "words_case.h"

#include "gpufilter/sort.h"

#include <math.h>

static const char *const lines[] = {
    "bounds --type u8",
    "bounds --type u16 --side upper --m 300",
    "bounds --type i16 --side count --order desc",
    "bounds --type u32 --data twovalued --side count",
    "bounds --type i32 --m 5000 --side upper",
    "bounds --type u64 --m 2 --data unique",
    "bounds --type i64 --order desc --m 1000",
    "bounds --type f32 --m 777",
    "bounds --type f64 --side upper --order desc",
    "bounds --type f64 --data constant --m 70",
    "bounds --type u32 --m 0",
};

static void cpu_variants(void)
{
    words_cpu(lines, sizeof lines / sizeof *lines);
}

static void cuda_variants(void)
{
    words_cuda(lines, sizeof lines / sizeof *lines);
}

static void by_hand(void)
{
    static const float up[] = {-1, -0.0F, 0.0F, 0.0F, 2, NAN, NAN},
                       down[] = {2, 0.0F, 0.0F, -0.0F, -1, NAN, NAN};
    static const float keys[] = {-2, -1, -0.0F, 0.0F, 1, 2, 3, NAN};
    static const int64_t wanted[3][8] = {
        {0, 0, 1, 2, 4, 4, 5, 5}, {0, 1, 2, 4, 4, 5, 5, 7}, {0, 1, 1, 2, 0, 1, 0, 2}};
    static const int64_t wanted_down[8] = {5, 4, 3, 1, 1, 0, 0, 5};
    int64_t places[8];
    gf_error error = GF_ERROR_INIT;
    const gf_queue cpu = {GF_DEVICE_CPU, NULL};
    for (int algo = 0; algo < 2; algo++) {
        gf_bounds_options o = GF_BOUNDS_OPTIONS_INIT;
        o.array.type = GF_F32;
        o.array.algo = algo ? "auto" : "sequential";
        for (int side = GF_BOUNDS_LOWER; side <= GF_BOUNDS_COUNT; side++) {
            o.side = (gf_bounds_side)side;
            CHECK_EQ_INT(gf_bounds(cpu, &o, up, 7, keys, 8, places, NULL, 0, &error), GF_OK);
            CHECK_MEM(places, wanted[side], sizeof places);
        }
        o.side = GF_BOUNDS_LOWER;
        o.descending = 1;
        CHECK_EQ_INT(gf_bounds(cpu, &o, down, 7, keys, 8, places, NULL, 0, &error), GF_OK);
        CHECK_MEM(places, wanted_down, sizeof places);
    }
}

/* NaN of both signs, -0, infinities, subnormals, sorted and looked for; type, order and side in turns. */
static void special_values(gf_device device)
{
    enum { N = 5000, KEYS = 777 };
    static uint64_t sorted[N], keys[KEYS];
    static int64_t expected[KEYS], places[KEYS];
    static _Alignas(256) char scratch[1 << 18];
    gf_error error = GF_ERROR_INIT;
    const gf_queue cpu = {GF_DEVICE_CPU, NULL}, queue = {device, NULL};
    const gf_variant *v;
    for (int turn = 0; turn < 12; turn++) {
        gf_bounds_options o = GF_BOUNDS_OPTIONS_INIT;
        gf_sort_options order = GF_SORT_OPTIONS_INIT;
        const gf_depth type = turn % 2 ? GF_F32 : GF_F64;
        const size_t size = gf_depth_size(type);
        order.descending = o.descending = turn / 2 % 2;
        o.side = (gf_bounds_side)(turn / 4);
        order.array.type = o.array.type = type;
        array_data_fill(sorted, type, N, ARRAY_SPECIAL, 0, (uint64_t)turn);
        array_data_fill(keys, type, KEYS, ARRAY_SPECIAL, 0, (uint64_t)turn + 100);
        CHECK_EQ_INT(gf_sort(cpu, &order, sorted, NULL, N, sorted, NULL, scratch, sizeof scratch, &error),
                     GF_OK);
        o.array.algo = "sequential";
        CHECK_EQ_INT(gf_bounds(cpu, &o, sorted, N, keys, KEYS, expected, NULL, 0, &error), GF_OK);
        for (size_t i = 0; (v = gf_primitive_variant("bounds", i)) != NULL; i++) {
            struct array_memory in = {0}, wanted = {0}, out = {0};
            if (v->cuda != (device >= 0)) {
                continue;
            }
            o.array.algo = v->name;
            CHECK(array_memory_make(&in, device, N * size, size) &&
                  array_memory_make(&wanted, device, KEYS * size, 0) &&
                  array_memory_make(&out, device, sizeof places, 8));
            array_memory_upload(&in, sorted);
            array_memory_upload(&wanted, keys);
            CHECK_EQ_INT(gf_bounds(queue, &o, in.data, N, wanted.data, KEYS, out.data, NULL, 0, &error),
                         GF_OK);
            array_memory_download(&out, places);
            CHECK_MSG(!memcmp(places, expected, sizeof places), "turn %d, %s", turn, v->name);
            array_memory_end(&in, "the array");
            array_memory_end(&wanted, "the keys");
            array_memory_end(&out, "the places");
        }
    }
}

static void special_cpu(void)
{
    special_values(GF_DEVICE_CPU);
}

static void special_cuda(void)
{
    if (!array_has_cuda()) {
        SKIP("no CUDA device");
    }
    special_values(0);
}

static void refuses(void)
{
    static const uint32_t a[2] = {1, 2};
    int64_t places[2];
    gf_error error = GF_ERROR_INIT;
    const gf_queue cpu = {GF_DEVICE_CPU, NULL};
    gf_bounds_options o = GF_BOUNDS_OPTIONS_INIT;
    CHECK_EQ_INT(gf_bounds(cpu, &o, a, -1, a, 2, places, NULL, 0, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "has -1 elements");
    CHECK_EQ_INT(gf_bounds(cpu, &o, a, 2, a, -1, places, NULL, 0, &error), GF_ERROR_ARGUMENT);
    CHECK_EQ_INT(gf_bounds(cpu, &o, NULL, 2, a, 2, places, NULL, 0, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "the sorted array is NULL");
    o.side = (gf_bounds_side)9;
    CHECK_EQ_INT(gf_bounds(cpu, &o, a, 2, a, 2, places, NULL, 0, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "side is 9");
}

static const struct check_case cases[] = {
    {"by hand", by_hand},
    {"refuses", refuses},
    {"special values, CPU", special_cpu},
    {"special values, CUDA", special_cuda},
    {"CPU variants", cpu_variants},
    {"CUDA variants", cuda_variants},
};
CHECK_MAIN(cases)
