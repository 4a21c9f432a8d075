/* Every variant of compaction against the sequential one, on the CPU and on a CUDA device or its emulation;
 * and the sequential one against results worked out otherwise. */
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
    int64_t n, capacity;
    const void *data, *value;
    const uint8_t *flags;
    int32_t in, out, flag; /* elements beyond an aligned address */
    int32_t threads, block;
};

struct kept {
    uint64_t count;
    size_t bytes; /* of data, canary's byte where nothing was written */
    char *data;
};

static gf_compact_options options_of(const struct run *r)
{
    gf_compact_options options = GF_COMPACT_OPTIONS_INIT;
    options.keep = r->keep;
    options.indices = r->indices;
    options.value = r->value;
    options.array = (gf_array_options){r->algo, r->type, r->threads, r->block, 0, 0};
    return options;
}

/* Whole output, capacity elements: what lies beyond the last kept element must be untouched. */
static gf_status compact(const struct run *r, struct kept *kept)
{
    gf_error error = GF_ERROR_INIT;
    gf_compact_options options = options_of(r);
    struct array_memory in = {0}, out = {0}, flags = {0}, count = {0}, scratch = {0};
    size_t size = gf_depth_size(r->type), to = gf_depth_size(gf_compact_result(&options, r->n)), bytes = 0;
    gf_status status = gf_compact_scratch(r->device, &options, r->n, &bytes, &error);
    if (status != GF_OK) {
        CHECK_MSG(0, "%s", error.message);
        return status;
    }
    bool made = array_memory_make(&in, r->device, (size_t)r->n * size, (size_t)r->in * size) &&
                array_memory_make(&out, r->device, (size_t)r->capacity * to, (size_t)r->out * to) &&
                array_memory_make(&flags, r->device, (size_t)r->n, (size_t)r->flag) &&
                array_memory_make(&count, r->device, 8, 0) &&
                array_memory_make(&scratch, r->device, bytes, 0);
    kept->bytes = out.bytes;
    kept->data = malloc(out.bytes + 1);
    CHECK(made && kept->data);
    if (made && kept->data) {
        array_memory_upload(&in, r->data);
        array_memory_upload(&flags, r->flags);
        options.flags = flags.data;
        status = gf_compact((gf_queue){r->device, NULL}, &options, in.data, r->n, out.data, r->capacity,
                            count.data, scratch.data, bytes, &error);
        CHECK_MSG(status == GF_OK, "%s", error.message);
        array_memory_download(&out, kept->data);
        array_memory_download(&count, &kept->count);
        array_memory_check(&in, "the input");
        array_memory_check(&out, "the output");
        array_memory_check(&flags, "the flags");
        array_memory_check(&count, "the count");
        array_memory_check(&scratch, "the scratch");
    }
    array_memory_free(&in);
    array_memory_free(&out);
    array_memory_free(&flags);
    array_memory_free(&count);
    array_memory_free(&scratch);
    return status;
}

/* ---- Against "sequential" ------------------------------------------------------------------- */

static void compare(const struct run *wanted, const char *what)
{
    struct run plain = *wanted;
    struct kept expected = {0}, got = {0};
    int64_t wrong = 0;
    plain.device = GF_DEVICE_CPU;
    plain.algo = "sequential";
    plain.in = plain.out = plain.flag = plain.block = 0;
    compact(&plain, &expected);
    compact(wanted, &got);
    bool same = expected.count == got.count && memcmp(expected.data, got.data, expected.bytes) == 0;
    CHECK_MSG(same, "%s %s, keep %d, %s of %lld %s %s, capacity %lld, block %d: %llu kept, expected %llu",
              wanted->device < 0 ? "cpu" : "cuda", wanted->algo, wanted->keep,
              wanted->indices ? "indices" : "values", (long long)wanted->n, what, gf_depth_name(wanted->type),
              (long long)wanted->capacity, wanted->block, (unsigned long long)got.count,
              (unsigned long long)expected.count);
    if (wanted->indices) {
        int64_t shown = (int64_t)got.count < wanted->capacity ? (int64_t)got.count : wanted->capacity;
        const uint32_t *index = (const void *)got.data;
        for (int64_t i = 0; i < shown; i++) {
            wrong += index[i] >= wanted->n || (i > 0 && index[i - 1] >= index[i]);
        }
    }
    CHECK_MSG(wrong == 0 && got.count <= (uint64_t)wanted->n, "indices do not ascend below n");
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
        r->capacity = turn % 7 == 6 ? r->n / 3 : turn % 11 == 10 ? 0 : r->n;
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

/* Variants of the textbook, and blocks that are not the default, take fewer sizes. */
static void all_variants(gf_device device, int64_t most, int64_t all_kinds)
{
    static const int32_t blocks[] = {0, 32, 96, 1024};
    const gf_variant *variant;
    void *data = malloc((size_t)most * 8 + 8);
    uint8_t *flags = malloc((size_t)most + 1);
    REQUIRE(data && flags);
    for (size_t v = 0; (variant = gf_primitive_variant("compact", v)) != NULL; v++) {
        bool has_block = strstr(variant->parameters, "block=") != NULL;
        for (int type = 0; variant->cuda == (device >= 0) && type <= GF_S64; type++) {
            for (int b = 0; (variant->types >> type & 1) != 0 && b < (has_block ? 4 : 1); b++) {
                int64_t fewer = b > 0 ? 3000 : 70000;
                struct run r = {.device = device,
                                .algo = variant->name,
                                .type = (gf_depth)type,
                                .data = data,
                                .flags = flags,
                                .block = blocks[b]};
                run_sizes(&r, data, flags, has_block && most > fewer ? fewer : most,
                          has_block ? 3 : all_kinds);
            }
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

/* ---- Long arrays: groups of tiles, and the same bytes every time ---------------------------------- */

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
                        .capacity = n,
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
    static const gf_depth types[] = {GF_U8, GF_U16, GF_U32, GF_F64};
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
    long_on(0, array_is_emulated() ? 70000 : 40000001);
}

/* ---- The definition itself ------------------------------------------------------------------------ */

static uint64_t kept_floats(gf_keep keep, float value)
{
    static const float data[] = {NAN, -INFINITY, -1.0F, -0.0F, 0.0F, 1.0F, INFINITY, -NAN};
    struct run r = {.device = GF_DEVICE_CPU,
                    .algo = "sequential",
                    .type = GF_F32,
                    .keep = keep,
                    .n = 8,
                    .capacity = 8,
                    .data = data,
                    .value = &value,
                    .flags = (const uint8_t *)data,
                    .indices = true};
    struct kept kept = {0};
    uint64_t places = 0;
    compact(&r, &kept);
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
