/* Elements that a condition keeps: runs of gf_compact and gf_partition against "sequential", for their tests.
 */
#ifndef TESTS_KEEP_CASE_H
#define TESTS_KEEP_CASE_H

#include "array_case.h"

#include "gpufilter/compact.h"

enum { KEEPS = GF_KEEP_FLAGS + 1 };

struct run {
    gf_device device;
    const char *algo;
    bool parts; /* gf_partition, else gf_compact */
    gf_depth type;
    gf_keep keep;
    bool indices;
    int64_t n, capacity; /* of a partition n both */
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
static void keep(const struct run *r, struct kept *kept)
{
    enum { IN, OUT, FLAGS, COUNT, SCRATCH, BLOCKS };
    static const char *const names[] = {"the input", "the output", "the flags", "the count", "the scratch"};
    gf_error error = GF_ERROR_INIT;
    gf_compact_options options = options_of(r);
    const gf_queue queue = {r->device, NULL};
    const size_t n = (size_t)r->n, room = (size_t)r->capacity, size = gf_depth_size(r->type);
    const size_t to = gf_depth_size(gf_compact_result(&options, r->n));
    struct array_memory m[BLOCKS];
    size_t scratch = 0;
    gf_status status = r->parts ? gf_partition_scratch(r->device, &options, r->n, &scratch, &error)
                                : gf_compact_scratch(r->device, &options, r->n, &scratch, &error);
    const size_t bytes[] = {n * size, room * to, n, 8, scratch};
    const size_t offsets[] = {(size_t)r->in * size, (size_t)r->out * to, (size_t)r->flag, 0, 0};
    for (int i = 0; i < BLOCKS; i++) {
        CHECK(array_memory_make(&m[i], r->device, bytes[i], offsets[i]));
    }
    kept->bytes = room * to;
    kept->data = malloc(room * to + 1);
    REQUIRE(kept->data != NULL);
    array_memory_upload(&m[IN], r->data);
    array_memory_upload(&m[FLAGS], r->flags);
    options.flags = m[FLAGS].data;
    if (status == GF_OK) {
        status = r->parts ? gf_partition(queue, &options, m[IN].data, r->n, m[OUT].data, m[COUNT].data,
                                         m[SCRATCH].data, scratch, &error)
                          : gf_compact(queue, &options, m[IN].data, r->n, m[OUT].data, r->capacity,
                                       m[COUNT].data, m[SCRATCH].data, scratch, &error);
    }
    status = status == GF_OK ? gf_queue_wait(queue, &error) : status;
    CHECK_MSG(status == GF_OK, "%s: %s", r->algo, error.message);
    array_memory_download(&m[OUT], kept->data);
    array_memory_download(&m[COUNT], &kept->count);
    for (int i = 0; i < BLOCKS; i++) {
        array_memory_end(&m[i], names[i]);
    }
}

/* Indices ascend below n; those of a partition on both sides, and each is there. */
static void check_indices(const struct run *r, const struct kept *got)
{
    const int64_t count = (int64_t)got->count, shown = r->parts || count > r->capacity ? r->capacity : count;
    const uint32_t *index = (const void *)got->data;
    int64_t wrong = 0;
    uint64_t sum = 0, n = (uint64_t)r->n;
    for (int64_t i = 0; i < shown; i++) {
        wrong += index[i] >= n || (i > 0 && i != count && index[i - 1] >= index[i]);
        sum += index[i];
    }
    CHECK_MSG(wrong == 0, "indices do not ascend below n");
    CHECK_MSG(!r->parts || n == 0 || sum == n * (n - 1) / 2, "an index is missing");
}

static void compare(const struct run *wanted, const char *what)
{
    struct run plain = *wanted;
    struct kept expected = {0}, got = {0};
    plain.device = GF_DEVICE_CPU;
    plain.algo = "sequential";
    plain.in = plain.out = plain.flag = plain.block = 0;
    keep(&plain, &expected);
    keep(wanted, &got);
    bool same = expected.count == got.count && memcmp(expected.data, got.data, expected.bytes) == 0;
    CHECK_MSG(same, "%s %s, keep %d, %s of %lld %s %s, capacity %lld, block %d: %llu kept, expected %llu",
              wanted->device < 0 ? "cpu" : "cuda", wanted->algo, wanted->keep,
              wanted->indices ? "indices" : "values", (long long)wanted->n, what, gf_depth_name(wanted->type),
              (long long)wanted->capacity, wanted->block, (unsigned long long)got.count,
              (unsigned long long)expected.count);
    CHECK(got.count <= (uint64_t)wanted->n);
    if (wanted->indices) {
        check_indices(wanted, &got);
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
        r->capacity = r->parts ? r->n : turn % 7 == 6 ? r->n / 3 : turn % 11 == 10 ? 0 : r->n;
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
static void all_variants(bool parts, gf_device device, int64_t most, int64_t all_kinds)
{
    static const int32_t blocks[] = {0, 32, 96, 1024};
    const gf_variant *variant;
    void *data = malloc((size_t)most * 8 + 8);
    uint8_t *flags = malloc((size_t)most + 1);
    REQUIRE(data && flags);
    for (size_t v = 0; (variant = gf_primitive_variant(parts ? "partition" : "compact", v)) != NULL; v++) {
        bool has_block = strstr(variant->parameters, "block=") != NULL;
        for (int type = 0; variant->cuda == (device >= 0) && type <= GF_S64; type++) {
            for (int b = 0; (variant->types >> type & 1) != 0 && b < (has_block ? 4 : 1); b++) {
                int64_t fewer = b > 0 ? 3000 : 70000;
                struct run r = {.device = device,
                                .algo = variant->name,
                                .parts = parts,
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

/* ---- Long arrays: groups of tiles, and the same bytes every time ---------------------------------- */

static void long_array(bool parts, gf_device device, gf_depth type, double density, int64_t n, int turn)
{
    char *data = malloc((size_t)n * gf_depth_size(type));
    uint8_t *flags = malloc((size_t)n);
    REQUIRE(data && flags);
    array_data_fill(data, type, n, ARRAY_DENSITY, density, (uint64_t)turn);
    array_data_fill(flags, GF_U8, n, ARRAY_DENSITY, density, (uint64_t)turn + 1);
    for (int again = 0; again < 4; again++) {
        struct run r = {.device = device,
                        .algo = "auto",
                        .parts = parts,
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

static void long_on(bool parts, gf_device device, int64_t n)
{
    static const double densities[] = {0.5, 0, 0.001, 0.97, 1};
    static const gf_depth types[] = {GF_U8, GF_U16, GF_U32, GF_F64};
    for (int at = 0; at < 20; at++) {
        if (check_slice(at, 20)) {
            long_array(parts, device, types[at % 4], densities[at % 5], n, at);
        }
    }
}

#endif
