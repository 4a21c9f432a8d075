/* adjacent_difference: every variant against the sequential one; that by hand; and a scan that it undoes. */
#include "words_case.h"

#include "gpufilter/scan.h"

#include <math.h>

static const char *const lines[] = {
    "adjacent_difference --type u8",          "adjacent_difference --type u16 --data sorted",
    "adjacent_difference --type i16",         "adjacent_difference --type u32 --data ramp",
    "special adjacent_difference --type i32", "adjacent_difference --type u64",
    "special adjacent_difference --type i64", "adjacent_difference --type f32",
    "special adjacent_difference --type f32", "special adjacent_difference --type f64",
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
    static const int16_t in[] = {5, -32768, 32767, 7}, wanted[] = {5, 32763, -1, -32760};
    static const float floats[] = {-0.0F, 1, INFINITY, INFINITY, -NAN};
    int16_t out[4];
    uint32_t bits[5];
    gf_error error = GF_ERROR_INIT;
    const gf_queue cpu = {GF_DEVICE_CPU, NULL};
    for (int algo = 0; algo < 2; algo++) {
        gf_adjacent_options o = GF_ADJACENT_OPTIONS_INIT;
        o.array.algo = algo ? "auto" : "sequential";
        o.array.type = GF_S16;
        CHECK_EQ_INT(gf_adjacent_difference(cpu, &o, in, 4, out, NULL, 0, &error), GF_OK);
        CHECK_MEM(out, wanted, sizeof out);
        o.array.type = GF_F32;
        CHECK_EQ_INT(gf_adjacent_difference(cpu, &o, floats, 5, bits, NULL, 0, &error), GF_OK);
        CHECK(bits[0] == 0x80000000U && bits[1] == 0x3f800000U && bits[2] == 0x7f800000U &&
              bits[3] == 0x7fc00000U && bits[4] == 0x7fc00000U);
    }
}

/* Differences of inclusive sums are the elements again, whatever overflows. */
static void undoes_scan(void)
{
    enum { N = 3001 };
    static uint32_t in[N], sums[N], again[N];
    static _Alignas(256) char scratch[1 << 16];
    gf_error error = GF_ERROR_INIT;
    const gf_queue cpu = {GF_DEVICE_CPU, NULL};
    gf_scan_options scan = GF_SCAN_OPTIONS_INIT;
    gf_adjacent_options o = GF_ADJACENT_OPTIONS_INIT;
    array_data_fill(in, GF_U32, N, ARRAY_RANDOM, 0, 4);
    scan.inclusive = 1;
    scan.array.type = scan.out = o.array.type = GF_U32;
    CHECK_EQ_INT(gf_scan(cpu, &scan, in, N, sums, scratch, sizeof scratch, &error), GF_OK);
    CHECK_EQ_INT(gf_adjacent_difference(cpu, &o, sums, N, again, NULL, 0, &error), GF_OK);
    CHECK_MEM(again, in, sizeof in);
}

static const struct check_case cases[] = {
    {"by hand", by_hand},
    {"differences of sums", undoes_scan},
    {"CPU variants", cpu_variants},
    {"CUDA variants", cuda_variants},
};
CHECK_MAIN(cases)
