/* Loops for tests of ragged: counts that hurt, values, and a run on any device between canaries. */
#ifndef TESTS_ARRAY_RAGGED_CASE_H
#define TESTS_ARRAY_RAGGED_CASE_H

#include "array_case.h"

#include "gpufilter/ragged.h"

#include <math.h>

enum { RAGGED_VALUE = 3, RAGGED_TYPES = 6 };

static const gf_depth ragged_types[RAGGED_TYPES] = {GF_S32, GF_F32, GF_U64, GF_F64, GF_U32, GF_S64};
static const char *const ragged_body_names[] = {"sum",  "segment-sum", "segment-min", "segment-max",
                                                "fill", "expand",      "decode"};

struct loop {
    const char *name;
    int32_t *counts;
    int64_t nx, items, there; /* there: as many as the arrays of items hold */
    char *values;             /* for items, and for nx */
};

enum ragged_kind {
    RAGGED_ONE,
    RAGGED_EMPTY,
    RAGGED_LONG,
    RAGGED_HUGE,
    RAGGED_HOLES,
    RAGGED_NEGATIVE,
    RAGGED_EVEN_ONES,
    RAGGED_SHORT,
    RAGGED_SKEWED,
    RAGGED_EDGES,
    RAGGED_LAST,
    RAGGED_MANY,
    RAGGED_KINDS
};

static inline int32_t ragged_count(enum ragged_kind kind, int64_t ix, int64_t nx, uint64_t bits)
{
    static const int32_t edges[] = {0,   1,   3,   4,    5,    31,   32, 33, 64,
                                    127, 128, 129, 4095, 4096, 4097, 2,  0,  8193};
    switch (kind) {
    case RAGGED_LONG:
        return 20011;
    case RAGGED_HUGE:
        return ix == nx / 2 ? 13000 : 0;
    case RAGGED_HOLES:
        return bits % 10 == 0 ? (int32_t)(bits / 16 % 70) : 0;
    case RAGGED_NEGATIVE:
        return (int32_t)(bits % 41) - 20;
    case RAGGED_EVEN_ONES:
        return 17;
    case RAGGED_SHORT:
        return (int32_t)(bits % 5);
    case RAGGED_SKEWED:
        return (int32_t)(200 / (1 + bits % 90));
    case RAGGED_EDGES:
        return edges[ix];
    case RAGGED_LAST:
        return ix == nx - 1 ? 700 : 0;
    case RAGGED_MANY: /* more than one block adds up */
        return ix % 97 == 5 ? (int32_t)(bits % 4) : 0;
    default:
        return kind == RAGGED_ONE;
    }
}

/* Counts of a kind, and values of the type. */
static inline struct loop ragged_made(const char *name, int32_t *counts, int64_t nx, gf_depth type,
                                      bool special)
{
    struct loop l = {.name = name, .counts = counts, .nx = nx};
    for (int64_t ix = 0; ix < nx; ix++) {
        l.items += counts[ix] > 0 ? counts[ix] : 0;
    }
    l.there = l.items;
    l.values = malloc((size_t)(l.items + nx + 1) * 8);
    if (!l.values) {
        abort();
    }
    array_data_fill(l.values, type, l.items + nx, special ? ARRAY_SPECIAL : ARRAY_RANDOM, 0, 7);
    return l;
}

static inline struct loop ragged_make(enum ragged_kind kind, gf_depth type, bool special)
{
    static const char *const names[] = {
        "one item", "no items", "one long segment", "a huge one", "holes",    "negative",
        "even",     "short",    "skewed",           "edges",      "the last", "many"};
    static const int64_t sizes[] = {1, 70, 1, 41, 900, 600, 333, 1500, 300, 18, 3000, 17000};
    const int64_t nx = sizes[kind];
    int32_t *counts = malloc((size_t)nx * sizeof *counts);
    uint64_t state = 11 + (uint64_t)kind;
    for (int64_t ix = 0; counts && ix < nx; ix++) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        counts[ix] = ragged_count(kind, ix, nx, state >> 33);
    }
    if (!counts) {
        abort();
    }
    return ragged_made(names[kind], counts, nx, type, special);
}

/* A loop so large that the CPU takes several threads; values are f32. */
static inline struct loop ragged_large(int turn)
{
    static const int64_t nx[] = {300000, 1, 5, 40000};
    int32_t *counts = malloc((size_t)nx[turn] * sizeof *counts);
    if (!counts) {
        abort();
    }
    array_counts_fill(counts, nx[turn], turn == 0 ? 7 : 300000, turn == 3 ? COUNTS_ZIPF : COUNTS_SKEW, 5, 1);
    return ragged_made("large", counts, nx[turn], GF_F32, false);
}

static inline void ragged_free(struct loop *l)
{
    free(l->counts);
    free(l->values);
    *l = (struct loop){.nx = 0};
}

/* ---- A run ------------------------------------------------------------------------------------------------- */

static inline bool ragged_folds(gf_ragged_body body)
{
    return body <= GF_RAGGED_SEGMENT_MAX;
}

/* Bytes of the first output; and of all, one behind the other. */
static inline size_t ragged_first_bytes(const struct loop *l, gf_ragged_body body, gf_depth type)
{
    return (size_t)(ragged_folds(body) ? l->nx : l->there) * gf_depth_size(gf_ragged_result(body, type));
}

static inline size_t ragged_bytes(const struct loop *l, gf_ragged_body body, gf_depth type)
{
    return ragged_first_bytes(l, body, type) + (body == GF_RAGGED_EXPAND ? (size_t)l->there * 4 : 0) + 8;
}

enum { RAGGED_COUNTS, RAGGED_VALUES, RAGGED_OUT, RAGGED_IY, RAGGED_TOTAL, RAGGED_SCRATCH, RAGGED_ARRAYS };

static inline void ragged_memory(const struct loop *l, gf_ragged_body body, gf_depth type, gf_device device,
                                 size_t scratch, struct array_memory m[RAGGED_ARRAYS])
{
    const size_t size = gf_depth_size(type), result = gf_depth_size(gf_ragged_result(body, type));
    const bool segments = body >= GF_RAGGED_SEGMENT_SUM && body <= GF_RAGGED_SEGMENT_MAX;
    const size_t values = (size_t)(segments ? l->there : body == GF_RAGGED_DECODE ? l->nx : 0) * size;
    const size_t bytes[] = {(size_t)l->nx * 4,
                            values,
                            ragged_first_bytes(l, body, type),
                            body == GF_RAGGED_EXPAND ? (size_t)l->there * 4 : 0,
                            8,
                            scratch};
    const size_t element[] = {4, size, result, 4, 8, 256};
    for (int i = 0; i < RAGGED_ARRAYS; i++) {
        const size_t offset = i == RAGGED_SCRATCH ? 0 : (size_t)array_next_offset(element[i]) * element[i];
        CHECK(array_memory_make(&m[i], device, bytes[i], offset));
    }
    if (l->nx > 0) {
        array_memory_upload(&m[RAGGED_COUNTS], l->counts);
    }
    if (values > 0) {
        array_memory_upload(&m[RAGGED_VALUES], l->values);
    }
}

/* The outputs, one behind the other, and the total. how: area, alpha, block and thresholds; NULL: usual. */
static inline void *ragged_run(const struct loop *l, gf_ragged_body body, gf_depth type, const char *algo,
                               gf_device device, const gf_ragged_options *how)
{
    static const char *const names[] = {"the counts", "the values", "the output",
                                        "the second", "the total",  "the scratch memory"};
    const gf_ragged_options usual = GF_RAGGED_OPTIONS_INIT;
    const gf_queue queue = {device, NULL};
    struct array_memory m[RAGGED_ARRAYS];
    gf_ragged_options o = how ? *how : usual;
    gf_error error = GF_ERROR_INIT;
    size_t bytes = 0, at = 0;
    o.body = body;
    o.value = RAGGED_VALUE;
    o.array = (gf_array_options){algo, type, 3, 0, 0, 0};
    CHECK_EQ_INT(gf_ragged_scratch(device, &o, l->nx, l->there, &bytes, &error), GF_OK);
    ragged_memory(l, body, type, device, bytes, m);
    gf_status status =
        gf_ragged(queue, &o, m[RAGGED_COUNTS].data, l->nx, m[RAGGED_VALUES].data, m[RAGGED_OUT].data,
                  m[RAGGED_IY].data, l->there, m[RAGGED_TOTAL].data, m[RAGGED_SCRATCH].data, bytes, &error);
    status = status == GF_OK ? gf_queue_wait(queue, &error) : status;
    CHECK_MSG(status == GF_OK, "%s: %s", algo, error.message);
    char *found = malloc(ragged_bytes(l, body, type));
    if (!found) {
        abort();
    }
    for (int i = 0; i < RAGGED_ARRAYS; i++) {
        if (i >= RAGGED_OUT && i <= RAGGED_TOTAL && m[i].bytes > 0) {
            array_memory_download(&m[i], found + at);
            at += m[i].bytes;
        }
        array_memory_end(&m[i], names[i]);
    }
    return found;
}

#endif
