/* unique_by_key: every variant against the sequential one; that by hand; room for fewer runs than there are.
 */
#include "words_case.h"

#include "gpufilter/keyed.h"

#include <math.h>

static const char *const lines[] = {
    "unique_by_key --type u32",
    "unique_by_key --type u8 --data runs:1.5",
    "unique_by_key --type u16 --data runs:3000",
    "unique_by_key --type i32 --data random",
    "unique_by_key --type u64 --data constant",
    "special unique_by_key --type f32",
    "special unique_by_key --type f64",
    "unique_by_key --type i16 --data unique",
};

static void cpu_variants(void)
{
    words_cpu(lines, sizeof lines / sizeof *lines);
}

static void cuda_variants(void)
{
    words_cuda(lines, sizeof lines / sizeof *lines);
}

/* Each size of values, each device, and a capacity that ends in the middle. */
static void sizes_of_values(gf_device device)
{
    enum { N = 9001, ROOM = 1000 };
    static uint16_t keys[N];
    static uint64_t values[N], kept[ROOM + 1];
    uint64_t runs = 0;
    gf_error error = GF_ERROR_INIT;
    const gf_queue queue = {device, NULL};
    for (int i = 0; i < N; i++) {
        keys[i] = (uint16_t)(i / 3);
        for (int b = 0; b < 8; b++) {
            ((uint8_t *)values)[i * 8 + b] = (uint8_t)(i * 31 + b * 7);
        }
    }
    for (int size = 1; size <= 8; size *= 2) {
        gf_unique_by_key_options o = GF_UNIQUE_BY_KEY_OPTIONS_INIT;
        struct array_memory in = {0}, from = {0}, to = {0}, count = {0}, room = {0};
        size_t bytes = 0;
        o.value_size = size;
        o.array.type = GF_U16;
        CHECK_EQ_INT(gf_unique_by_key_scratch(device, &o, N, &bytes, &error), GF_OK);
        CHECK(array_memory_make(&in, device, sizeof keys, 2) &&
              array_memory_make(&from, device, (size_t)N * (size_t)size, (size_t)size) &&
              array_memory_make(&to, device, (size_t)ROOM * (size_t)size, (size_t)size) &&
              array_memory_make(&count, device, 8, 0) && array_memory_make(&room, device, bytes, 0));
        array_memory_upload(&in, keys);
        array_memory_upload(&from, values);
        CHECK_EQ_INT(gf_unique_by_key(queue, &o, in.data, from.data, N, NULL, to.data, ROOM, count.data,
                                      room.data, bytes, &error),
                     GF_OK);
        array_memory_download(&to, kept);
        array_memory_download(&count, &runs);
        CHECK_EQ_INT(runs, 3001);
        for (int i = 0; i < ROOM; i++) {
            CHECK(!memcmp((char *)kept + i * size, (char *)values + 3 * i * size, (size_t)size));
        }
        struct array_memory *all[] = {&in, &from, &to, &count, &room};
        for (int i = 0; i < 5; i++) {
            array_memory_end(all[i], "an array");
        }
    }
}

static void cpu_values(void)
{
    sizes_of_values(GF_DEVICE_CPU);
}

static void cuda_values(void)
{
    if (!array_has_cuda()) {
        SKIP("no CUDA device");
    }
    sizes_of_values(0);
}

static void by_hand(void)
{
    static const float keys[] = {1, 1, -0.0F, 0.0F, NAN, -NAN, 2, 1};
    static const uint8_t values[] = {10, 11, 12, 13, 14, 15, 16, 17}, wanted[] = {10, 12, 14, 16, 17};
    uint8_t out[8];
    float unique[8];
    uint64_t runs = 0;
    gf_error error = GF_ERROR_INIT;
    const gf_queue cpu = {GF_DEVICE_CPU, NULL};
    gf_unique_by_key_options o = GF_UNIQUE_BY_KEY_OPTIONS_INIT;
    o.value_size = 1;
    o.array.type = GF_F32;
    o.array.algo = "sequential";
    CHECK_EQ_INT(gf_unique_by_key(cpu, &o, keys, values, 8, unique, out, 8, &runs, NULL, 0, &error), GF_OK);
    CHECK(runs == 5 && !memcmp(out, wanted, 5) && unique[0] == 1 && signbit(unique[1]) && unique[4] == 1);
    o.value_size = 3;
    CHECK_EQ_INT(gf_unique_by_key(cpu, &o, keys, values, 8, unique, out, 8, &runs, NULL, 0, &error),
                 GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "1, 2, 4 or 8 bytes, not 3");
    o.value_size = 1;
    CHECK_EQ_INT(gf_unique_by_key(cpu, &o, keys, values, 8, unique, out, -1, &runs, NULL, 0, &error),
                 GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "unique_by_key: the capacity is -1");
}

static const struct check_case cases[] = {
    {"by hand", by_hand},
    {"values of each size, CPU", cpu_values},
    {"values of each size, CUDA", cuda_values},
    {"CPU variants", cpu_variants},
    {"CUDA variants", cuda_variants},
};
CHECK_MAIN(cases)
