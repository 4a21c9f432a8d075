/* Every variant of the partition against the sequential one, on the CPU and on a CUDA device or its
 * emulation; the sequential one against results by hand, and its first side against the compaction's. */
#include "array_case.h"
#include "check.h"

#include "gpufilter/compact.h"

#include <math.h>
#include <stdlib.h>

enum { KEEPS = GF_KEEP_FLAGS + 1 };

struct run {
    gf_device device;
    const char *algo;
    gf_depth type;
    gf_keep keep;
    bool indices;
    int64_t n;
    const void *data, *value;
    const uint8_t *flags;
    int32_t in, out, flag; /* elements beyond an aligned address */
    int32_t threads;
};

struct sides {
    uint64_t count;
    size_t bytes; /* of data */
    char *data;
};

static gf_compact_options options_of(const struct run *r)
{
    gf_compact_options options = GF_COMPACT_OPTIONS_INIT;
    options.keep = r->keep;
    options.indices = r->indices;
    options.value = r->value;
    options.array = (gf_array_options){r->algo, r->type, r->threads, 0, 0, 0};
    return options;
}

static void partition(const struct run *r, struct sides *sides)
{
    enum { IN, OUT, FLAGS, COUNT, SCRATCH, BLOCKS };
    static const char *const names[] = {"the input", "the output", "the flags", "the count", "the scratch"};
    gf_error error = GF_ERROR_INIT;
    gf_compact_options options = options_of(r);
    const gf_queue queue = {r->device, NULL};
    const size_t n = (size_t)r->n, size = gf_depth_size(r->type);
    const size_t to = gf_depth_size(gf_compact_result(&options, r->n));
    struct array_memory m[BLOCKS];
    size_t scratch = 0;
    gf_status status = gf_partition_scratch(r->device, &options, r->n, &scratch, &error);
    const size_t bytes[] = {n * size, n * to, n, 8, scratch};
    const size_t offsets[] = {(size_t)r->in * size, (size_t)r->out * to, (size_t)r->flag, 0, 0};
    for (int i = 0; i < BLOCKS; i++) {
        CHECK(array_memory_make(&m[i], r->device, bytes[i], offsets[i]));
    }
    sides->bytes = n * to;
    sides->data = malloc(n * to + 1);
    REQUIRE(sides->data != NULL);
    array_memory_upload(&m[IN], r->data);
    array_memory_upload(&m[FLAGS], r->flags);
    options.flags = m[FLAGS].data;
    if (status == GF_OK) {
        status = gf_partition(queue, &options, m[IN].data, r->n, m[OUT].data, m[COUNT].data, m[SCRATCH].data,
                              scratch, &error);
    }
    status = status == GF_OK ? gf_queue_wait(queue, &error) : status;
    CHECK_MSG(status == GF_OK, "%s: %s", r->algo, error.message);
    array_memory_download(&m[OUT], sides->data);
    array_memory_download(&m[COUNT], &sides->count);
    for (int i = 0; i < BLOCKS; i++) {
        array_memory_check(&m[i], names[i]);
        array_memory_free(&m[i]);
    }
}

/* ---- Against "sequential" ------------------------------------------------------------------- */

/* Both sides have their indices in order, and each index is there. */
static void check_indices(const struct sides *got, int64_t n)
{
    const uint32_t *index = (const void *)got->data;
    int64_t wrong = 0;
    uint64_t sum = 0;
    for (int64_t i = 0; i < n; i++) {
        wrong += i > 0 && i != (int64_t)got->count && index[i - 1] >= index[i];
        sum += index[i];
    }
    CHECK_MSG(wrong == 0 && sum == (uint64_t)n * (uint64_t)(n - 1) / 2,
              "the indices are not two that ascend");
}

static void compare(const struct run *wanted, const char *what)
{
    struct run plain = *wanted;
    struct sides expected = {0}, got = {0};
    plain.device = GF_DEVICE_CPU;
    plain.algo = "sequential";
    plain.in = plain.out = plain.flag = 0;
    partition(&plain, &expected);
    partition(wanted, &got);
    bool same = expected.count == got.count && memcmp(expected.data, got.data, expected.bytes) == 0;
    CHECK_MSG(same, "%s %s, keep %d, %s of %lld %s %s: %llu kept, expected %llu",
              wanted->device < 0 ? "cpu" : "cuda", wanted->algo, wanted->keep,
              wanted->indices ? "indices" : "values", (long long)wanted->n, what, gf_depth_name(wanted->type),
              (unsigned long long)got.count, (unsigned long long)expected.count);
    if (wanted->indices && wanted->n > 0) {
        check_indices(&got, wanted->n);
    }
    free(expected.data);
    free(got.data);
}

/* All conditions, against an element of the array, NaN or a value it does not have. */
static void all_conditions(struct run *r, array_data kind, int turn)
{
    char value[8] = {0};
    for (int keep = 0; keep < KEEPS; keep++, turn++) {
        r->keep = (gf_keep)keep;
        array_data_fill(value, r->type, 1, turn % 3 ? kind : ARRAY_SPECIAL, 0.1, (uint64_t)turn);
        r->value = value;
        r->indices = turn % 4 == 0;
        r->in = turn % 2 ? turn / 2 % 16 : 0;
        r->out = turn % 3 ? turn / 3 % 16 : 0;
        r->flag = turn % 5 ? turn / 5 % 16 : 0;
        r->threads = turn % 4;
        compare(r, array_data_name(kind));
    }
}

static void run_sizes(struct run *r, void *data, uint8_t *flags, int64_t most, int64_t all_kinds)
{
    int32_t sizes = 0;
    const int64_t *size = array_data_sizes(most, &sizes);
    int turn = (int)r->type;
    for (int32_t s = 0; s < sizes; s++) {
        for (int kind = 0; kind < ARRAY_DATA_COUNT; kind++, turn++) {
            if (!array_in_slice() || (size[s] > all_kinds && (kind + s) % ARRAY_DATA_COUNT != 0)) {
                continue; /* enough of the large ones */
            }
            r->n = size[s];
            array_data_fill(data, r->type, r->n, (array_data)kind, turn % 2 ? 0.02 : 0.5, (uint64_t)s);
            array_data_fill(flags, GF_U8, r->n, ARRAY_DENSITY, kind * 0.125, (uint64_t)s);
            all_conditions(r, (array_data)kind, turn);
        }
    }
}

static void all_variants(gf_device device, int64_t most, int64_t all_kinds)
{
    const gf_variant *variant;
    void *data = malloc((size_t)most * 8 + 8);
    uint8_t *flags = malloc((size_t)most + 1);
    REQUIRE(data && flags);
    for (size_t v = 0; (variant = gf_primitive_variant("partition", v)) != NULL; v++) {
        for (int type = 0; variant->cuda == (device >= 0) && type <= GF_S64; type++) {
            struct run r = {.device = device,
                            .algo = variant->name,
                            .type = (gf_depth)type,
                            .data = data,
                            .flags = flags};
            run_sizes(&r, data, flags, most, all_kinds);
        }
    }
    free(data);
    free(flags);
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

/* ---- Long arrays: more tiles than a device holds at once, which are counted in front -------------- */

static void long_array(gf_device device, gf_depth type, double density, int64_t n, int turn)
{
    char *data = malloc((size_t)n * gf_depth_size(type));
    uint8_t *flags = malloc((size_t)n);
    REQUIRE(data && flags);
    array_data_fill(data, type, n, ARRAY_DENSITY, density, (uint64_t)turn);
    array_data_fill(flags, GF_U8, n, ARRAY_DENSITY, density, (uint64_t)turn + 1);
    for (int again = 0; again < 4; again++) {
        struct run r = {.device = device,
                        .algo = "auto",
                        .type = type,
                        .n = n,
                        .data = data,
                        .flags = flags,
                        .indices = again % 2,
                        .keep = again < 2 ? GF_KEEP_NONZERO : GF_KEEP_FLAGS,
                        .in = turn % 16,
                        .out = again,
                        .threads = 1 + again};
        compare(&r, "density");
    }
    free(data);
    free(flags);
}

static void long_on(gf_device device, int64_t n)
{
    static const double densities[] = {0.5, 0, 0.001, 0.97, 1};
    static const gf_depth types[] = {GF_U32, GF_F64, GF_U16, GF_U8};
    for (int at = 0; at < 20; at++) {
        if (check_slice(at, 20)) {
            long_array(device, types[at % 4], densities[at % 5], n, at);
        }
    }
}

static void long_cpu(void)
{
    long_on(GF_DEVICE_CPU, 3000001);
}

static void long_cuda(void)
{
    if (!array_has_cuda()) {
        SKIP("no CUDA device");
    }
    if (array_is_emulated()) {
        long_on(0, 70001);
        long_array(0, GF_U16, 0.5, 200001, 1); /* by flags, too */
        return;
    }
    long_on(0, 3000001); /* around what is in work at once */
    long_on(0, 40000001);
}

/* ---- The definition itself ------------------------------------------------------------------------ */

/* The places of both sides as digits, a 9 between them. */
static uint64_t sides_of_floats(gf_keep keep, float value)
{
    static const float data[] = {NAN, -INFINITY, -1.0F, -0.0F, 0.0F, 1.0F, INFINITY, -NAN};
    struct run r = {.device = GF_DEVICE_CPU,
                    .algo = "sequential",
                    .type = GF_F32,
                    .keep = keep,
                    .n = 8,
                    .data = data,
                    .value = &value,
                    .flags = (const uint8_t *)data,
                    .indices = true};
    struct sides sides = {0};
    uint64_t places = 0;
    partition(&r, &sides);
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
                    .type = GF_S16,
                    .keep = GF_KEEP_GT,
                    .n = N,
                    .data = data,
                    .value = &value,
                    .flags = (const uint8_t *)data};
    struct sides sides = {0};
    array_data_fill(data, GF_S16, N, ARRAY_RANDOM, 0, 3);
    options.keep = GF_KEEP_GT;
    options.value = &value;
    options.array.type = GF_S16;
    options.array.algo = "sequential";
    CHECK_EQ_INT(
        gf_compact((gf_queue){GF_DEVICE_CPU, NULL}, &options, data, N, kept, N, &count, NULL, 0, NULL),
        GF_OK);
    partition(&r, &sides);
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
