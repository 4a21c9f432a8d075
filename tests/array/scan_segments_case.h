/* Scans of segments, given by keys or by offsets, against the sequential variant: for test_scan_by_key and
 * test_segmented_scan. */
#ifndef TESTS_ARRAY_SCAN_SEGMENTS_CASE_H
#define TESTS_ARRAY_SCAN_SEGMENTS_CASE_H

#include "segments_case.h"

#include "gpufilter/keyed.h"
#include "gpufilter/segmented.h"

struct scan_run {
    gf_device device;
    const char *algo;
    gf_scan_op op;
    int32_t inclusive;
    gf_depth type, to;
    int64_t n;
    const void *values;
    const void *keys; /* NULL: offsets */
    gf_depth key;
    const int64_t *offsets;
    int64_t segments;
    int32_t in, out; /* elements beyond an aligned address */
    bool in_place;
    int32_t threads;
};

static inline gf_scan_options scan_run_options(const struct scan_run *r)
{
    gf_scan_options options = GF_SCAN_OPTIONS_INIT;
    options.op = r->op;
    options.inclusive = r->inclusive;
    options.out = r->to;
    options.array.algo = r->algo;
    options.array.type = r->type;
    options.array.threads = r->threads;
    return options;
}

/* The whole output, which is to be freed. */
static inline char *scan_run(const struct scan_run *r)
{
    gf_error error = GF_ERROR_INIT;
    const gf_scan_options options = scan_run_options(r);
    const size_t size = gf_depth_size(r->type), to = gf_depth_size(r->to), n = (size_t)r->n;
    const size_t key = r->keys ? gf_depth_size(r->key) : sizeof *r->offsets;
    const gf_queue queue = {r->device, NULL};
    struct array_memory in = {0}, where = {0}, out = {0}, scratch = {0};
    size_t bytes = 0;
    char *got = (char *)segments_memory(n * to);
    gf_status status =
        r->keys ? gf_scan_by_key_scratch(r->device, &options, r->key, r->n, &bytes, &error)
                : gf_segmented_scan_scratch(r->device, &options, r->n, r->segments, &bytes, &error);
    CHECK_MSG(status == GF_OK, "%s", error.message);
    CHECK(array_memory_make(&in, r->device, n * size, (size_t)r->in * size) &&
          array_memory_make(&where, r->device, (r->keys ? n : (size_t)r->segments + 1) * key,
                            (size_t)r->in * key) &&
          array_memory_make(&out, r->device, n * to, (size_t)r->out * to) &&
          array_memory_make(&scratch, r->device, bytes, 0));
    array_memory_upload(&in, r->values);
    array_memory_upload(&where, r->keys ? r->keys : r->offsets);
    struct array_memory *target = r->in_place ? &in : &out;
    status = r->keys ? gf_scan_by_key(queue, &options, r->key, where.data, in.data, r->n, target->data,
                                      scratch.data, bytes, &error)
                     : gf_segmented_scan(queue, &options, in.data, r->n, (const int64_t *)where.data,
                                         r->segments, target->data, scratch.data, bytes, &error);
    CHECK_MSG(status == GF_OK, "%s", error.message);
    array_memory_download(target, got);
    struct array_memory *all[] = {&in, &where, &out, &scratch};
    static const char *const names[] = {"the values", "the keys or offsets", "the output", "the scratch"};
    for (int i = 0; i < 4; i++) {
        array_memory_end(all[i], names[i]);
    }
    return got;
}

static inline void scan_run_compare(const struct scan_run *wanted, const char *what, int kind)
{
    struct scan_run plain = *wanted;
    const size_t to = gf_depth_size(wanted->to);
    int64_t wrong = 0;
    plain.device = GF_DEVICE_CPU;
    plain.algo = "sequential";
    plain.in = plain.out = 0;
    plain.in_place = false;
    char *expected = scan_run(&plain), *got = scan_run(wanted);
    while (wrong < wanted->n && !memcmp(expected + (size_t)wrong * to, got + (size_t)wrong * to, to)) {
        wrong++;
    }
    CHECK_MSG(wrong == wanted->n,
              "%s %s, op %d, %s, of %lld %s to %s, %s, kind %d, in + %d, out + %d, %d threads: element %lld",
              wanted->device < 0 ? "cpu" : "cuda", wanted->algo, wanted->op,
              wanted->inclusive ? "inclusive" : "exclusive", (long long)wanted->n,
              gf_depth_name(wanted->type), gf_depth_name(wanted->to), what, kind, wanted->in, wanted->out,
              wanted->threads, (long long)wrong);
    free(expected);
    free(got);
}

/* ---- Tables ---------------------------------------------------------------------------------------------- */

/* Tells whether a scan has that pair of types. */
static inline bool scan_run_has(gf_scan_op op, gf_depth type, gf_depth to)
{
    struct scan_run r = {.op = op, .type = type, .to = to};
    const gf_scan_options options = scan_run_options(&r);
    size_t bytes = 0;
    return gf_scan_scratch(GF_DEVICE_CPU, &options, 1, &bytes, NULL) == GF_OK;
}

/* Calls one(&run, kind, turn) for each variant that is not loose, operation, pair of types, size and kind of
 * segments. */
static inline void scan_run_all(const char *primitive, gf_device device, const int64_t *sizes, int count,
                                int kinds, void (*one)(struct scan_run *run, int kind, int turn))
{
    const gf_variant *v;
    int turn = 0;
    for (size_t i = 0; (v = gf_primitive_variant(primitive, i)) != NULL; i++) {
        for (int at = 0; v->cuda == (device >= 0) && !v->loose && at < 3 * 81; at++) {
            struct scan_run r = {.device = device, .algo = v->name, .op = (gf_scan_op)(at % 3)};
            r.type = (gf_depth)(at / 3 % 9);
            r.to = (gf_depth)(at / 27);
            for (int k = 0; scan_run_has(r.op, r.type, r.to) && k < count * kinds; k++, turn++) {
                if (array_in_slice()) {
                    r.n = sizes[k / kinds];
                    r.inclusive = turn % 2;
                    r.in = array_next_offset(gf_depth_size(r.type));
                    r.out = turn % 3;
                    r.in_place = turn % 5 == 0 && r.type == r.to;
                    r.threads = 1 + turn % 4;
                    one(&r, k % kinds, turn);
                }
            }
        }
    }
}

/* Elements of a tile of the fixed order; 32 tiles are a group, and 1024 a supergroup. */
static inline int64_t scan_run_tile(gf_depth to)
{
    return 32768 / (int64_t)gf_depth_size(to);
}

/* Offsets of segments that begin in tiles here and there, of `tiles` tiles; the last of them ends with n. */
static inline int64_t *scan_run_sparse(int kind, int64_t tile, int64_t n, int64_t *segments)
{
    /* tile, element: within a group, where one begins and ends, in several of a supergroup, and behind it */
    static const int64_t places[][8][2] = {
        {{0, 0}},
        {{3, 77}},
        {{31, 5}, {32, 0}, {33, 1}},
        {{30, 1}, {31, 4000}, {63, -1}, {64, -1}},
        {{1, 9}, {40, 0}, {70, 3}, {1000, 10}, {1023, 17}, {1024, 5}, {1056, 1}},
        {{1023, 40}},
    };
    int64_t *offsets = (int64_t *)segments_memory(10 * sizeof *offsets), count = 0;
    offsets[count++] = 0;
    for (int i = 0; i < 8; i++) {
        const int64_t at = places[kind][i][0] * tile + places[kind][i][1];
        if (at > offsets[count - 1] && at < n) {
            offsets[count++] = at;
        }
    }
    offsets[count] = n;
    *segments = count;
    return offsets;
}
enum { SCAN_RUN_SPARSE = 6 };

#endif
