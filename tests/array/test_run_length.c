/* Every variant of run_length against the sequential one, on the CPU and on a CUDA device or its emulation;
 * and the sequential one against runs counted by hand. */
#include "segments_case.h"

#include "gpufilter/keyed.h"

#include <math.h>

enum { UNIQUE = 1, COUNTS = 2, STARTS = 4 };

struct run {
    gf_device device;
    const char *algo;
    gf_depth type;
    int wanted; /* UNIQUE and so on */
    int64_t n, capacity;
    const void *keys;
    int32_t in, out, threads;
};

struct found {
    uint64_t runs;
    char *unique;
    int64_t *counts, *starts; /* capacity of each */
};

static void found_free(struct found *f)
{
    free(f->unique);
    free(f->counts);
    free(f->starts);
}

static struct found find(const struct run *r)
{
    gf_error error = GF_ERROR_INIT;
    gf_run_length_options options = GF_RUN_LENGTH_OPTIONS_INIT;
    const size_t size = gf_depth_size(r->type), room = (size_t)r->capacity;
    struct array_memory in = {0}, unique = {0}, counts = {0}, starts = {0}, runs = {0}, scratch = {0};
    struct found f = {0, segments_memory(room * size), segments_memory(room * 8), segments_memory(room * 8)};
    size_t bytes = 0;
    options.array = (gf_array_options){r->algo, r->type, r->threads, 0, 0, 0};
    CHECK_EQ_INT(gf_run_length_scratch(r->device, &options, r->n, &bytes, &error), GF_OK);
    CHECK(array_memory_make(&in, r->device, (size_t)r->n * size, (size_t)r->in * size) &&
          array_memory_make(&unique, r->device, room * size, (size_t)r->out * size) &&
          array_memory_make(&counts, r->device, room * 8, 8) &&
          array_memory_make(&starts, r->device, room * 8, 0) && array_memory_make(&runs, r->device, 8, 8) &&
          array_memory_make(&scratch, r->device, bytes, 0));
    array_memory_upload(&in, r->keys);
    gf_status status = gf_run_length(
        (gf_queue){r->device, NULL}, &options, in.data, r->n, r->wanted & UNIQUE ? unique.data : NULL,
        r->wanted & COUNTS ? counts.data : NULL, r->wanted & STARTS ? starts.data : NULL, r->capacity,
        runs.data, scratch.data, bytes, &error);
    CHECK_MSG(status == GF_OK, "%s", error.message);
    array_memory_download(&unique, f.unique);
    array_memory_download(&counts, f.counts);
    array_memory_download(&starts, f.starts);
    array_memory_download(&runs, &f.runs);
    struct array_memory *all[] = {&in, &unique, &counts, &starts, &runs, &scratch};
    static const char *const names[] = {"the keys", "unique", "counts", "starts", "runs", "the scratch"};
    for (int i = 0; i < 6; i++) {
        array_memory_end(all[i], names[i]);
    }
    return f;
}

static void compare(const struct run *wanted, const char *what)
{
    struct run plain = *wanted;
    const size_t room = (size_t)wanted->capacity;
    plain.device = GF_DEVICE_CPU;
    plain.algo = "sequential";
    plain.in = plain.out = 0;
    struct found expected = find(&plain), got = find(wanted);
    CHECK_MSG(expected.runs == got.runs &&
                  !memcmp(expected.unique, got.unique, room * gf_depth_size(wanted->type)) &&
                  !memcmp(expected.counts, got.counts, room * 8) &&
                  !memcmp(expected.starts, got.starts, room * 8),
              "%s %s, %lld %s %s, outputs %d of capacity %lld: %llu runs, expected %llu; keys %d, counts %d, "
              "beginnings %d",
              wanted->device < 0 ? "cpu" : "cuda", wanted->algo, (long long)wanted->n, what,
              gf_depth_name(wanted->type), wanted->wanted, (long long)wanted->capacity,
              (unsigned long long)got.runs, (unsigned long long)expected.runs,
              memcmp(expected.unique, got.unique, room * gf_depth_size(wanted->type)) == 0,
              memcmp(expected.counts, got.counts, room * 8) == 0,
              memcmp(expected.starts, got.starts, room * 8) == 0);
    found_free(&expected);
    found_free(&got);
}

/* ---- Variants ------------------------------------------------------------------------------------------------ */

static void one(struct run *r, array_data kind, int turn)
{
    static const double densities[] = {0.7, 0.06, 0.002, 0.0001};
    void *keys = segments_memory((size_t)r->n * gf_depth_size(r->type));
    array_data_fill(keys, r->type, r->n, kind, densities[turn % 4], (uint64_t)turn);
    r->keys = keys;
    r->wanted = turn % 7 == 0 ? turn % 8 : 7;
    r->capacity = turn % 5 == 1 ? r->n / 3 : turn % 11 == 10 ? 0 : r->n;
    r->in = array_next_offset(gf_depth_size(r->type));
    r->out = turn % 3;
    r->threads = 1 + turn % 4;
    compare(r, array_data_name(kind));
    free(keys);
}

static void variants(gf_device device, const int64_t *sizes, int count)
{
    const gf_variant *v;
    int turn = 0;
    for (size_t i = 0; (v = gf_primitive_variant("run_length", i)) != NULL; i++) {
        for (int type = 0; v->cuda == (device >= 0) && !v->loose && type <= GF_S64; type++) {
            struct run r = {.device = device, .algo = v->name, .type = (gf_depth)type};
            for (int s = 0; s < count; s++) {
                for (int kind = 0; kind < ARRAY_DATA_COUNT + 3; kind++, turn++) {
                    const int which = kind < ARRAY_DATA_COUNT ? kind : ARRAY_RUNS;
                    r.n = sizes[s];
                    if (array_in_slice()) {
                        one(&r, (array_data)which, turn);
                    }
                }
            }
        }
    }
}

static void cpu_variants(void)
{
    static const int64_t sizes[] = {0, 1, 2, 1023, 1025, 8192, 8193, 100001};
    variants(GF_DEVICE_CPU, sizes, 8);
}

static void cuda_variants(void)
{
    static const int64_t small[] = {0, 1, 33, 4096, 4097, 21001},
                         large[] = {0, 1, 4095, 4097, 70000, 3000001};
    if (!array_has_cuda()) {
        SKIP("no CUDA device");
    }
    variants(0, array_is_emulated() ? small : large, 6);
}

/* More tiles than a warp looks back over at once, with and without a beginning among them. */
static void long_array(void)
{
    enum { N = 4096 * 70 + 5 };
    if (!array_has_cuda()) {
        SKIP("no CUDA device");
    }
    uint16_t *keys = segments_memory(N * sizeof *keys);
    for (int step = 1; step <= 3; step++) {
        memset(keys, 0, N * sizeof *keys);
        for (int64_t i = 0; i < N && step < 3; i++) {
            keys[i] = step == 1 ? (uint16_t)(i / 3) : (uint16_t)(i > 4100 && i < N - 4100);
        }
        struct run r = {
            .device = 0, .algo = "auto", .type = GF_U16, .n = N, .capacity = N, .keys = keys, .wanted = 7};
        compare(&r, "by hand");
    }
    free(keys);
}

/* ---- The definition ---------------------------------------------------------------------------------------------- */

static void by_hand(void)
{
    static const float keys[] = {1, 1, -0.0F, 0.0F, NAN, -NAN, NAN, 2, 1};
    struct run r = {.device = GF_DEVICE_CPU,
                    .algo = "sequential",
                    .type = GF_F32,
                    .n = 9,
                    .capacity = 9,
                    .keys = keys,
                    .wanted = 7};
    static const int64_t counts[] = {2, 2, 3, 1, 1}, starts[] = {0, 2, 4, 7, 8};
    struct found f = find(&r);
    const float *unique = (const float *)(const void *)f.unique;
    CHECK_EQ_INT(f.runs, 5);
    CHECK(!memcmp(f.counts, counts, sizeof counts) && !memcmp(f.starts, starts, sizeof starts));
    CHECK(unique[0] == 1 && unique[1] == 0 && signbit(unique[1]) && isnan(unique[2]) && unique[3] == 2);
    found_free(&f);
}

static void refuses(void)
{
    gf_error error = GF_ERROR_INIT;
    uint64_t keys[2] = {1, 2}, runs = 9;
    size_t bytes = 0;
    const gf_queue cpu = {GF_DEVICE_CPU, NULL};
    gf_run_length_options options = GF_RUN_LENGTH_OPTIONS_INIT;
    CHECK_EQ_INT(gf_run_length(cpu, &options, keys, 2, NULL, NULL, NULL, -1, &runs, NULL, 0, &error),
                 GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "capacity is -1");
    CHECK_EQ_INT(gf_run_length(cpu, &options, keys, 2, NULL, NULL, NULL, 0, NULL, NULL, 0, &error),
                 GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "number of runs is NULL");
    CHECK_EQ_INT(gf_run_length(cpu, &options, keys, 2, NULL, (int64_t *)((char *)keys + 1), NULL, 1, &runs,
                               NULL, 0, &error),
                 GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "counts is not aligned");
    CHECK_EQ_INT(gf_run_length_scratch(GF_DEVICE_CPU, &options, -1, &bytes, &error), GF_ERROR_ARGUMENT);
    options.array.type = (gf_depth)77;
    CHECK_EQ_INT(gf_run_length_scratch(GF_DEVICE_CPU, &options, 5, &bytes, &error), GF_ERROR_UNSUPPORTED);
    CHECK_EQ_INT(runs, 9);
}

static const struct check_case cases[] = {
    {"by hand", by_hand},
    {"refuses", refuses},
    {"CPU variants", cpu_variants},
    {"CUDA variants", cuda_variants},
    {"long array, CUDA", long_array},
};
CHECK_MAIN(cases)
