/* Every variant of reduction by key against the sequential one, on the CPU and on a CUDA device or its
 * emulation; and the sequential one against numbers worked out by hand. */
#include "segments_case.h"

#include "gpufilter/keyed.h"

#include <math.h>

struct run {
    gf_device device;
    const char *algo;
    gf_reduce_op op;
    gf_depth key, type;
    int64_t n, capacity;
    const void *keys, *values;
    int32_t in, out, threads;
    bool no_keys; /* unique is NULL */
};

struct found {
    uint64_t runs;
    char *unique, *out; /* capacity of each */
    size_t key_bytes, out_bytes;
};

static void found_free(struct found *f)
{
    free(f->unique);
    free(f->out);
}

static struct found reduce(const struct run *r)
{
    gf_error error = GF_ERROR_INIT;
    gf_reduce_options options = GF_REDUCE_OPTIONS_INIT;
    const size_t key = gf_depth_size(r->key), size = gf_depth_size(r->type), room = (size_t)r->capacity,
                 result = gf_depth_size(gf_reduce_result(r->op, r->type)), n = (size_t)r->n;
    struct array_memory keys = {0}, values = {0}, unique = {0}, out = {0}, runs = {0}, scratch = {0};
    struct found f = {0, segments_memory(room * key), segments_memory(room * result), room * key,
                      room * result};
    size_t bytes = 0;
    options.op = r->op;
    options.array = (gf_array_options){r->algo, r->type, r->threads, 0, 0, 0};
    CHECK_EQ_INT(gf_reduce_by_key_scratch(r->device, &options, r->key, r->n, &bytes, &error), GF_OK);
    CHECK(array_memory_make(&keys, r->device, n * key, (size_t)r->in * key) &&
          array_memory_make(&values, r->device, n * size, (size_t)r->in * size) &&
          array_memory_make(&unique, r->device, f.key_bytes, (size_t)r->out * key) &&
          array_memory_make(&out, r->device, f.out_bytes, (size_t)r->out * result) &&
          array_memory_make(&runs, r->device, 8, 8) && array_memory_make(&scratch, r->device, bytes, 0));
    array_memory_upload(&keys, r->keys);
    array_memory_upload(&values, r->values);
    gf_status status = gf_reduce_by_key((gf_queue){r->device, NULL}, &options, r->key, keys.data, values.data,
                                        r->n, r->no_keys ? NULL : unique.data, out.data, r->capacity,
                                        runs.data, scratch.data, bytes, &error);
    CHECK_MSG(status == GF_OK, "%s", error.message);
    array_memory_download(&unique, f.unique);
    array_memory_download(&out, f.out);
    array_memory_download(&runs, &f.runs);
    struct array_memory *all[] = {&keys, &values, &unique, &out, &runs, &scratch};
    static const char *const names[] = {"the keys",   "the values", "unique",
                                        "the output", "runs",       "the scratch"};
    for (int i = 0; i < 6; i++) {
        array_memory_end(all[i], names[i]);
    }
    return f;
}

static void compare(const struct run *wanted, const char *what)
{
    struct run plain = *wanted;
    size_t wrong = 0;
    plain.device = GF_DEVICE_CPU;
    plain.algo = "sequential";
    plain.in = plain.out = 0;
    struct found expected = reduce(&plain), got = reduce(wanted);
    while (wrong < expected.out_bytes && expected.out[wrong] == got.out[wrong]) {
        wrong++;
    }
    CHECK_MSG(expected.runs == got.runs && !memcmp(expected.unique, got.unique, expected.key_bytes) &&
                  wrong == expected.out_bytes,
              "%s %s, op %d of %lld %s by %s, %s, capacity %lld: %llu runs, expected %llu; byte %zu of the "
              "output",
              wanted->device < 0 ? "cpu" : "cuda", wanted->algo, wanted->op, (long long)wanted->n,
              gf_depth_name(wanted->type), gf_depth_name(wanted->key), what, (long long)wanted->capacity,
              (unsigned long long)got.runs, (unsigned long long)expected.runs, wrong);
    found_free(&expected);
    found_free(&got);
}

/* ---- Variants ------------------------------------------------------------------------------------------------ */

/* u32 keys of segments as they are made, which each have a key of their own. */
static void by_segments(struct run *r, enum segments_kind kind, int turn)
{
    int64_t segments;
    int64_t *offsets = segments_make(kind, r->n, (uint64_t)turn, &segments);
    uint32_t *keys = segments_memory((size_t)r->n * sizeof *keys);
    for (int64_t s = 0; s < segments; s++) {
        for (int64_t i = offsets[s]; i < offsets[s + 1]; i++) {
            keys[i] = (uint32_t)s * 7;
        }
    }
    r->key = GF_U32;
    r->keys = keys;
    compare(r, "segments");
    free(keys);
    free(offsets);
}

static void by_data(struct run *r, array_data kind, int turn)
{
    static const double densities[] = {0.7, 0.05, 0.0003};
    r->key = (gf_depth)(turn % (GF_S64 + 1));
    void *keys = segments_memory((size_t)r->n * gf_depth_size(r->key));
    array_data_fill(keys, r->key, r->n, kind, densities[turn % 3], (uint64_t)turn);
    r->keys = keys;
    compare(r, array_data_name(kind));
    free(keys);
}

static void one(struct run *r, int kind, int turn)
{
    void *values = segments_memory((size_t)r->n * gf_depth_size(r->type));
    array_data_fill(values, r->type, r->n, (array_data)(turn % ARRAY_DATA_COUNT), 0.5, (uint64_t)turn + 1);
    r->values = values;
    r->capacity = turn % 6 == 1 ? r->n / 3 : turn % 13 == 10 ? 0 : r->n;
    r->in = array_next_offset(8);
    r->out = turn % 2;
    r->threads = 1 + turn % 4;
    r->no_keys = turn % 9 == 4;
    if (kind < SEGMENTS_KINDS) {
        by_segments(r, (enum segments_kind)kind, turn);
    } else {
        by_data(r, kind == SEGMENTS_KINDS ? ARRAY_RUNS : (array_data)(turn % ARRAY_DATA_COUNT), turn);
    }
    free(values);
}

static void variants(gf_device device, const int64_t *sizes, int count)
{
    const gf_variant *v;
    int turn = 0;
    for (size_t i = 0; (v = gf_primitive_variant("reduce_by_key", i)) != NULL; i++) {
        for (int type = 0; v->cuda == (device >= 0) && !v->loose && type <= GF_S64; type++) {
            for (int op = 0; op <= GF_REDUCE_OR; op++) {
                const bool has = op < GF_REDUCE_AND || (type != GF_F32 && type != GF_F64);
                for (int k = 0; has && k < count * (SEGMENTS_KINDS + 2); k++, turn++) {
                    struct run r = {.device = device,
                                    .algo = v->name,
                                    .op = (gf_reduce_op)op,
                                    .type = (gf_depth)type,
                                    .n = sizes[k / (SEGMENTS_KINDS + 2)]};
                    if (array_in_slice()) {
                        one(&r, k % (SEGMENTS_KINDS + 2), turn);
                    }
                }
            }
        }
    }
}

static void cpu_variants(void)
{
    static const int64_t sizes[] = {0, 1, 5000, 8193, 60001};
    variants(GF_DEVICE_CPU, sizes, 5);
}

static void cuda_variants(void)
{
    static const int64_t small[] = {0, 1, 4097, 20001}, large[] = {0, 1, 70000, 1000001};
    if (!array_has_cuda()) {
        SKIP("no CUDA device");
    }
    variants(0, array_is_emulated() ? small : large, 4);
}

/* Runs of several groups of leaves: one that ends with a leaf, one a key later, one a key earlier. */
static void long_runs(gf_device device)
{
    static const int64_t offsets[] = {0, 5, 5 + 4096 * 33, 6 + 4096 * 65, 5 + 4096 * 66, 5 + 4096 * 67 + 700};
    static const gf_reduce_op ops[] = {GF_REDUCE_SUM, GF_REDUCE_ARGMAX};
    const int64_t n = offsets[5];
    double *values = segments_memory((size_t)n * sizeof *values);
    uint8_t *keys = segments_memory((size_t)n);
    array_data_fill(values, GF_F64, n, ARRAY_RANDOM, 0, 3);
    for (int s = 0; s < 5; s++) {
        memset(keys + offsets[s], s, (size_t)(offsets[s + 1] - offsets[s]));
    }
    for (int i = 0; i < 2; i++) {
        struct run r = {.device = device,
                        .algo = "auto",
                        .op = ops[i],
                        .key = GF_U8,
                        .type = GF_F64,
                        .n = n,
                        .capacity = 5,
                        .keys = keys,
                        .values = values,
                        .threads = 3};
        compare(&r, "long runs");
    }
    free(values);
    free(keys);
}

static void long_cpu(void)
{
    long_runs(GF_DEVICE_CPU);
}

static void long_cuda(void)
{
    if (!array_has_cuda()) {
        SKIP("no CUDA device");
    }
    long_runs(0);
}

/* ---- The definition ---------------------------------------------------------------------------------------------- */

static void by_hand(void)
{
    static const float keys[] = {2, 2, -0.0F, 0.0F, NAN, -NAN, 2};
    static const int16_t values[] = {3, -5, 7, 8, -1, -1, 100};
    struct run r = {.device = GF_DEVICE_CPU,
                    .algo = "sequential",
                    .op = GF_REDUCE_SUM,
                    .key = GF_F32,
                    .type = GF_S16,
                    .n = 7,
                    .capacity = 7,
                    .keys = keys,
                    .values = values};
    struct found f = reduce(&r);
    const int64_t *sums = (const int64_t *)(const void *)f.out;
    CHECK_EQ_INT(f.runs, 4);
    CHECK(sums[0] == -2 && sums[1] == 15 && sums[2] == -2 && sums[3] == 100);
    found_free(&f);
    r.op = GF_REDUCE_ARGMAX;
    f = reduce(&r);
    const int64_t *where = (const int64_t *)(const void *)f.out;
    CHECK(where[0] == 0 && where[1] == 1 && where[2] == 0 && where[3] == 0);
    found_free(&f);
}

static void refuses(void)
{
    gf_error error = GF_ERROR_INIT;
    uint64_t a[2] = {1, 2}, out[2] = {7, 7}, runs = 9;
    size_t bytes = 0;
    const gf_queue cpu = {GF_DEVICE_CPU, NULL};
    gf_reduce_options options = GF_REDUCE_OPTIONS_INIT;
    CHECK_EQ_INT(gf_reduce_by_key_scratch(GF_DEVICE_CPU, &options, (gf_depth)77, 2, &bytes, &error),
                 GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "no key type 77");
    CHECK_EQ_INT(gf_reduce_by_key(cpu, &options, GF_U64, a, a, 2, NULL, out, -1, &runs, NULL, 0, &error),
                 GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "capacity is -1");
    CHECK_EQ_INT(gf_reduce_by_key(cpu, &options, GF_U64, a, NULL, 2, NULL, out, 2, &runs, NULL, 0, &error),
                 GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "values is NULL");
    options.op = GF_REDUCE_OR;
    CHECK_EQ_INT(gf_reduce_by_key_scratch(GF_DEVICE_CPU, &options, GF_U8, 2, &bytes, &error),
                 GF_ERROR_UNSUPPORTED);
    CHECK_STR_HAS(error.message, "or is for integers");
    options.op = GF_REDUCE_VAR;
    CHECK_EQ_INT(gf_reduce_by_key_scratch(GF_DEVICE_CPU, &options, GF_U8, 2, &bytes, &error),
                 GF_ERROR_UNSUPPORTED);
    CHECK(runs == 9 && out[0] == 7);
}

static const struct check_case cases[] = {
    {"by hand", by_hand},
    {"refuses", refuses},
    {"CPU variants", cpu_variants},
    {"long runs, CPU", long_cpu},
    {"CUDA variants", cuda_variants},
    {"long runs, CUDA", long_cuda},
};
CHECK_MAIN(cases)
