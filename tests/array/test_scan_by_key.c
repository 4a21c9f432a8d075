/* Every variant of the scan by key against the sequential one, on the CPU and on a CUDA device or its
 * emulation; and the sequential one against the scan of segments and numbers worked out by hand. */
#include "scan_segments_case.h"

#include <math.h>

/* Kinds below SEGMENTS_KINDS: u32 keys of segments as they are made, which each have a key of their own. Else
 * keys of any type and contents. */
static void one(struct scan_run *r, int kind, int turn)
{
    static const double densities[] = {0.7, 0.05, 0.0003};
    const array_data contents =
        kind == SEGMENTS_KINDS ? ARRAY_RUNS : (array_data)(turn / 2 % ARRAY_DATA_COUNT);
    void *values = segments_memory((size_t)r->n * gf_depth_size(r->type));
    void *keys = segments_memory((size_t)r->n * 8);
    array_data_fill(values, r->type, r->n, (array_data)(turn % ARRAY_DATA_COUNT), 0.5, (uint64_t)turn + 1);
    r->values = values;
    r->keys = keys;
    r->key = kind < SEGMENTS_KINDS ? GF_U32 : (gf_depth)(turn % (GF_S64 + 1));
    if (kind < SEGMENTS_KINDS) {
        int64_t segments;
        int64_t *offsets = segments_make((enum segments_kind)kind, r->n, (uint64_t)turn, &segments);
        for (int64_t s = 0; s < segments; s++) {
            for (int64_t i = offsets[s]; i < offsets[s + 1]; i++) {
                ((uint32_t *)keys)[i] = (uint32_t)s * 7;
            }
        }
        free(offsets);
    } else {
        array_data_fill(keys, r->key, r->n, contents, densities[turn % 3], (uint64_t)turn);
    }
    scan_run_compare(r, gf_depth_name(r->key), kind);
    free(values);
    free(keys);
}

static void cpu_variants(void)
{
    static const int64_t sizes[] = {0, 1, 5000, 16385, 60001};
    scan_run_all("scan_by_key", GF_DEVICE_CPU, sizes, 5, SEGMENTS_KINDS + 2, one);
}

static void cuda_variants(void)
{
    static const int64_t small[] = {0, 1, 4097, 20001}, large[] = {0, 1, 40000, 300001};
    if (!array_has_cuda()) {
        SKIP("no CUDA device");
    }
    scan_run_all("scan_by_key", 0, array_is_emulated() ? small : large, 4, SEGMENTS_KINDS + 2, one);
}

/* Runs of many tiles. */
static void long_runs(gf_device device, int64_t tiles)
{
    const int64_t n = tiles * scan_run_tile(GF_F64) + 9;
    double *values = segments_memory((size_t)n * sizeof *values);
    uint8_t *keys = segments_memory((size_t)n);
    array_data_fill(values, GF_F64, n, ARRAY_RANDOM, 0, 3);
    for (int kind = 0; kind < SCAN_RUN_SPARSE; kind++) {
        int64_t segments, *offsets = scan_run_sparse(kind, scan_run_tile(GF_F64), n, &segments);
        for (int64_t s = 0; s < segments; s++) {
            memset(keys + offsets[s], (int)(s % 2), (size_t)(offsets[s + 1] - offsets[s]));
        }
        struct scan_run r = {.device = device,
                             .algo = "auto",
                             .inclusive = kind % 2,
                             .type = GF_F64,
                             .to = GF_F64,
                             .n = n,
                             .values = values,
                             .keys = keys,
                             .key = GF_U8,
                             .threads = 3};
        scan_run_compare(&r, "long runs", kind);
        free(offsets);
    }
    free(values);
    free(keys);
}

static void long_cpu(void)
{
    long_runs(GF_DEVICE_CPU, 1030);
}

static void long_cuda(void)
{
    if (!array_has_cuda()) {
        SKIP("no CUDA device");
    }
    long_runs(0, array_is_emulated() ? 34 : 1058);
}

/* ---- The definition ---------------------------------------------------------------------------------------- */

static void by_hand(void)
{
    static const float keys[] = {2, 2, -0.0F, 0.0F, NAN, -NAN, 2};
    static const int16_t values[] = {3, -5, 7, 8, -1, -1, 100};
    struct scan_run r = {.device = GF_DEVICE_CPU,
                         .algo = "sequential",
                         .inclusive = 1,
                         .type = GF_S16,
                         .to = GF_S32,
                         .n = 7,
                         .values = values,
                         .keys = keys,
                         .key = GF_F32};
    char *got = scan_run(&r);
    CHECK_MEM(got, ((int32_t[]){3, -2, 7, 15, -1, -2, 100}), 28);
    free(got);
    r.inclusive = 0;
    r.op = GF_SCAN_MAX;
    r.to = GF_S16;
    got = scan_run(&r);
    CHECK_MEM(got, ((int16_t[]){INT16_MIN, 3, INT16_MIN, 7, INT16_MIN, -1, INT16_MIN}), 14);
    free(got);
}

/* Sums of floats by key are those of the segments that the runs are. */
static void is_segmented(void)
{
    enum { N = 20000 };
    static float values[N];
    static uint16_t keys[N];
    int64_t segments, *offsets = segments_make(SEGMENTS_MIXED, N, 4, &segments);
    array_data_fill(values, GF_F32, N, ARRAY_RANDOM, 0, 9);
    for (int64_t s = 0; s < segments; s++) {
        for (int64_t i = offsets[s]; i < offsets[s + 1]; i++) {
            keys[i] = (uint16_t)s;
        }
    }
    struct scan_run r = {.device = GF_DEVICE_CPU,
                         .algo = "sequential",
                         .type = GF_F32,
                         .to = GF_F32,
                         .n = N,
                         .values = values,
                         .keys = keys,
                         .key = GF_U16,
                         .offsets = offsets,
                         .segments = segments};
    char *by_key = scan_run(&r);
    r.keys = NULL;
    char *by_offsets = scan_run(&r);
    CHECK(memcmp(by_key, by_offsets, sizeof values) == 0);
    free(by_key);
    free(by_offsets);
    free(offsets);
}

static void refuses(void)
{
    gf_error error = GF_ERROR_INIT;
    int32_t a[2] = {1, 2}, out[2] = {7, 7};
    size_t bytes = 0;
    const gf_queue cpu = {GF_DEVICE_CPU, NULL};
    gf_scan_options options = GF_SCAN_OPTIONS_INIT;
    CHECK_EQ_INT(gf_scan_by_key_scratch(GF_DEVICE_CPU, &options, (gf_depth)77, 2, &bytes, &error),
                 GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "no key type 77");
    CHECK_EQ_INT(
        gf_scan_by_key_scratch(GF_DEVICE_CPU, &options, GF_U8, (INT64_C(1) << 48) + 1, &bytes, &error),
        GF_ERROR_ARGUMENT);
    CHECK_EQ_INT(gf_scan_by_key_scratch(GF_DEVICE_CPU, &options, GF_U8, -1, &bytes, &error),
                 GF_ERROR_ARGUMENT);
    CHECK_EQ_INT(gf_scan_by_key(cpu, &options, GF_S32, NULL, a, 2, out, NULL, 0, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "keys is NULL");
    CHECK_EQ_INT(gf_scan_by_key(cpu, &options, GF_S32, a, NULL, 2, out, NULL, 0, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "values is NULL");
    CHECK_EQ_INT(gf_scan_by_key(cpu, &options, GF_S32, a, a, 2, NULL, NULL, 0, &error), GF_ERROR_ARGUMENT);
    options.out = GF_U8;
    CHECK_EQ_INT(gf_scan_by_key(cpu, &options, GF_S32, a, a, 2, out, NULL, 0, &error), GF_ERROR_UNSUPPORTED);
    CHECK_STR_HAS(error.message, "scan_by_key: results of i32 cannot be u8");
    CHECK(out[0] == 7);
}

static const struct check_case cases[] = {
    {"by hand", by_hand},           {"is segmented", is_segmented}, {"refuses", refuses},
    {"CPU variants", cpu_variants}, {"long runs, CPU", long_cpu},   {"CUDA variants", cuda_variants},
    {"long runs, CUDA", long_cuda},
};
CHECK_MAIN(cases)
