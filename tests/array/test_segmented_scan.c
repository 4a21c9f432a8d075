/* Every variant of the scan of segments against the sequential one, on the CPU and on a CUDA device or its
 * emulation; and the sequential one against gf_scan and numbers worked out by hand. */
#include "scan_segments_case.h"

#include <math.h>

static void one(struct scan_run *r, int kind, int turn)
{
    void *values = segments_memory((size_t)r->n * gf_depth_size(r->type));
    array_data_fill(values, r->type, r->n, (array_data)(turn % ARRAY_DATA_COUNT), 0.5, (uint64_t)turn);
    r->values = values;
    r->offsets = segments_make((enum segments_kind)kind, r->n, (uint64_t)turn, &r->segments);
    scan_run_compare(r, "segments", kind);
    free(values);
    free((void *)(uintptr_t)r->offsets);
}

static void cpu_variants(void)
{
    static const int64_t sizes[] = {0, 1, 33, 5000, 70001};
    scan_run_all("segmented_scan", GF_DEVICE_CPU, sizes, 5, SEGMENTS_KINDS, one);
}

static void cuda_variants(void)
{
    static const int64_t small[] = {0, 1, 33, 2100, 20001}, large[] = {0, 1, 31, 40000, 300001};
    if (!array_has_cuda()) {
        SKIP("no CUDA device");
    }
    scan_run_all("segmented_scan", 0, array_is_emulated() ? small : large, 5, SEGMENTS_KINDS, one);
}

/* Segments of many tiles, which begin here and there; for f64 always more than a supergroup's. */
static void long_segments(gf_device device, int64_t tiles)
{
    enum { SUPER = 1058 };
    static const gf_depth types[][2] = {{GF_F64, GF_F64}, {GF_F32, GF_F32}, {GF_F32, GF_F64},
                                        {GF_S64, GF_S64}, {GF_U32, GF_U32}, {GF_U8, GF_U32},
                                        {GF_U8, GF_U8}};
    void *values = segments_memory((size_t)SUPER * 32768 + 77 * 8);
    for (int at = 0; at < 7 * SCAN_RUN_SPARSE; at++) {
        const int kind = at % SCAN_RUN_SPARSE;
        struct scan_run r = {.device = device,
                             .algo = "auto",
                             .inclusive = at % 5 < 3,
                             .type = types[at / SCAN_RUN_SPARSE][0],
                             .to = types[at / SCAN_RUN_SPARSE][1],
                             .values = values,
                             .threads = 1 + at % 4};
        if (check_slice(at, 7 * SCAN_RUN_SPARSE)) {
            r.n = (at < SCAN_RUN_SPARSE ? SUPER : tiles) * scan_run_tile(r.to) + 77;
            r.offsets = scan_run_sparse(kind, scan_run_tile(r.to), r.n, &r.segments);
            array_data_fill(values, r.type, r.n, ARRAY_RANDOM, 0, (uint64_t)at);
            scan_run_compare(&r, "long segments", kind);
            free((void *)(uintptr_t)r.offsets);
        }
    }
    free(values);
}

static void long_cpu(void)
{
    long_segments(GF_DEVICE_CPU, 1058);
}

static void long_cuda(void)
{
    if (!array_has_cuda()) {
        SKIP("no CUDA device");
    }
    long_segments(0, array_is_emulated() ? 66 : 1058);
}

/* ---- The definition ---------------------------------------------------------------------------------------- */

/* Each segment is gf_scan's of an array that is 0 before it: also where that matters, for sums of floats.
 */
static void is_scan(void)
{
    enum { N = 30000 };
    static const int64_t offsets[] = {0, 1, 2, 2, 131, 8191, 8192, 8192, 16385, 29999, N, N};
    static const gf_depth types[] = {GF_F32, GF_F64, GF_S32};
    static double masked[N], whole[N], values[N];
    for (int at = 0; at < 18; at++) {
        struct scan_run r = {.device = GF_DEVICE_CPU,
                             .algo = "sequential",
                             .op = (gf_scan_op)(at % 3),
                             .inclusive = at / 3 % 2,
                             .type = types[at / 6],
                             .to = types[at / 6],
                             .n = N,
                             .values = values,
                             .offsets = offsets,
                             .segments = 11};
        const gf_scan_options options = scan_run_options(&r);
        const size_t size = gf_depth_size(r.type);
        const bool sums = r.op == GF_SCAN_SUM;
        array_data_fill(values, r.type, N, ARRAY_RANDOM, 0, 5);
        char *got = scan_run(&r);
        for (int s = 0; s < 11; s++) {
            const size_t from = (size_t)offsets[s] * size, bytes = (size_t)offsets[s + 1] * size - from;
            memcpy(masked, values, sizeof values);
            memset(masked, 0, from);
            const char *in = sums ? (const char *)masked : (const char *)values + from;
            CHECK_EQ_INT(gf_scan((gf_queue){GF_DEVICE_CPU, NULL}, &options, in,
                                 sums ? N : offsets[s + 1] - offsets[s], whole, NULL, 0, NULL),
                         GF_OK);
            CHECK_MSG(!memcmp(got + from, (char *)whole + (sums ? from : 0), bytes),
                      "op %d of %s, segment %d", r.op, gf_depth_name(r.type), s);
        }
        free(got);
    }
}

static void by_hand(void)
{
    static const uint8_t bytes[] = {3, 200, 7, 200, 3, 9};
    static const int64_t offsets[] = {0, 0, 2, 5, 5, 6, 6};
    struct scan_run r = {.device = GF_DEVICE_CPU,
                         .algo = "auto",
                         .type = GF_U8,
                         .to = GF_U8,
                         .n = 6,
                         .values = bytes,
                         .offsets = offsets,
                         .segments = 6};
    char *got = scan_run(&r);
    CHECK_MEM(got, ((uint8_t[]){0, 3, 0, 7, 207, 0}), 6);
    free(got);
    r.op = GF_SCAN_MIN;
    got = scan_run(&r);
    CHECK_MEM(got, ((uint8_t[]){255, 3, 255, 7, 7, 255}), 6);
    free(got);
    static const float floats[] = {-0.0F, INFINITY, 1, 2, -0.0F, NAN};
    r.op = GF_SCAN_SUM;
    r.inclusive = 1;
    r.type = r.to = GF_F32;
    r.values = floats;
    got = scan_run(&r);
    const float *sums = (const float *)(const void *)got;
    CHECK(sums[0] == 0 && !signbit(sums[0]) && sums[1] == INFINITY && sums[2] == 1 && sums[3] == 3);
    CHECK(sums[4] == 3 && isnan(sums[5]));
    free(got);
}

static void refuses(void)
{
    gf_error error = GF_ERROR_INIT;
    size_t bytes = 0;
    const gf_queue cpu = {GF_DEVICE_CPU, NULL};
    static const int64_t offsets[] = {0, 2};
    int32_t in[2] = {1, 2};
    int64_t out[2] = {5, 5};
    gf_scan_options options = GF_SCAN_OPTIONS_INIT;
    CHECK_EQ_INT(gf_segmented_scan_scratch(GF_DEVICE_CPU, &options, 1, -1, &bytes, &error),
                 GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "-1 segments");
    CHECK_EQ_INT(gf_segmented_scan_scratch(GF_DEVICE_CPU, &options, 1, 0, &bytes, &error), GF_ERROR_ARGUMENT);
    CHECK_EQ_INT(gf_segmented_scan(cpu, &options, in, 2, NULL, 1, out, NULL, 0, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "offsets is NULL");
    options.out = GF_S64;
    CHECK_EQ_INT(gf_segmented_scan(cpu, &options, in, 2, offsets, 1, in, NULL, 0, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "segmented_scan: in place needs equal types, not i32 to i64");
    options.op = GF_SCAN_MAX;
    CHECK_EQ_INT(gf_segmented_scan(cpu, &options, in, 2, offsets, 1, out, NULL, 0, &error),
                 GF_ERROR_UNSUPPORTED);
    CHECK_STR_HAS(error.message, "segmented_scan: results of i32 cannot be i64; they can be: i32");
    options.op = (gf_scan_op)3;
    CHECK_EQ_INT(gf_segmented_scan_scratch(GF_DEVICE_CPU, &options, 1, 1, &bytes, &error), GF_ERROR_ARGUMENT);
    CHECK(out[0] == 5 && in[0] == 1);
}

static const struct check_case cases[] = {
    {"by hand", by_hand},
    {"is scan", is_scan},
    {"refuses", refuses},
    {"CPU variants", cpu_variants},
    {"long segments, CPU", long_cpu},
    {"CUDA variants", cuda_variants},
    {"long segments, CUDA", long_cuda},
};
CHECK_MAIN(cases)
