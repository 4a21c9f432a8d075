/* Arrays of more than 2^32 bytes, on a GPU that has the memory: every primitive, every variant that takes
 * them, against results known beforehand. */
#include "array_huge.h"

#include "gpufilter/compact.h"
#include "gpufilter/histogram.h"
#include "gpufilter/keyed.h"
#include "gpufilter/reduce.h"
#include "gpufilter/scan.h"
#include "gpufilter/search.h"
#include "gpufilter/segmented.h"
#include "gpufilter/sort.h"

#define PAST ((INT64_C(1) << 32) + 123457)
enum { PIECE = 3 * (1 << 20) + 1 };

/* The next CUDA variant from *index on that takes so many bytes; NULL past the last. */
static const gf_variant *next_variant(const char *primitive, size_t *index)
{
    const gf_variant *v;
    while ((v = gf_primitive_variant(primitive, (*index)++)) != NULL) {
        if (v->cuda && (v->max_n == 0 || v->max_n >= PAST) && (v->types & 1 << GF_U8) != 0) {
            return v;
        }
    }
    return NULL;
}

static gf_array_options array_of(const gf_variant *v)
{
    return (gf_array_options){.algo = v->name, .type = GF_U8};
}

/* ---- Contents ------------------------------------------------------------------------------------------ */

/* context: PIECE bytes, which repeat. */
static void repeated(uint8_t *to, int64_t first, int64_t count, const void *context)
{
    for (int64_t i = 0; i < count;) {
        int64_t at = (first + i) % PIECE, some = PIECE - at < count - i ? PIECE - at : count - i;
        memcpy(to + i, (const uint8_t *)context + at, (size_t)some);
        i += some;
    }
}

/* context: 257 ends of runs, the first 0: as many of each value, ascending. */
static void runs(uint8_t *to, int64_t first, int64_t count, const void *context)
{
    const int64_t *end = context;
    for (int value = 0; value < 256; value++) {
        int64_t from = end[value] > first ? end[value] : first;
        int64_t until = end[value + 1] < first + count ? end[value + 1] : first + count;
        if (until > from) {
            memset(to + (from - first), value, (size_t)(until - from));
        }
    }
}

static void ones(uint8_t *to, int64_t first, int64_t count, const void *context)
{
    (void)first, (void)context;
    memset(to, 1, (size_t)count);
}

/* What sums of ones come to. */
static void places(uint8_t *to, int64_t first, int64_t count, const void *context)
{
    (void)context;
    for (int64_t i = 0; i < count; i++) {
        to[i] = (uint8_t)(first + i + 1);
    }
}

static const int64_t marked[] = {
    0, 77, (INT64_C(1) << 32) - 1, INT64_C(1) << 32, (INT64_C(1) << 32) + 32768, PAST - 1};
enum { MARKED = sizeof marked / sizeof marked[0] };

/* 7 at the marked places from the context's on, else 0. */
static void marks(uint8_t *to, int64_t first, int64_t count, const void *context)
{
    memset(to, 0, (size_t)count);
    for (int i = *(const int *)context; i < MARKED; i++) {
        if (marked[i] >= first && marked[i] < first + count) {
            to[marked[i] - first] = 7;
        }
    }
}

/* Random bytes from 1 on, PIECE of them, and how often each value comes up in all PAST. */
static uint8_t *make_piece(uint64_t counts[256])
{
    uint8_t *piece = malloc(PIECE);
    memset(counts, 0, 256 * sizeof *counts);
    if (piece) {
        array_data_fill(piece, GF_U8, PIECE, ARRAY_RANDOM, 0, 9);
    }
    for (int64_t i = 0; piece && i < PIECE; i++) {
        piece[i] |= piece[i] == 0;
        counts[piece[i]] += (uint64_t)(PAST / PIECE + (i < PAST % PIECE));
    }
    return piece;
}

/* ---- The primitives ------------------------------------------------------------------------------------ */

static void reduction(struct huge *h, const gf_variant *v, gf_reduce_op op, uint64_t expected)
{
    gf_reduce_options options = GF_REDUCE_OPTIONS_INIT;
    gf_error error = GF_ERROR_INIT;
    size_t bytes = 0;
    uint64_t got = 0;
    options.op = op;
    options.array = array_of(v);
    if (gf_reduce_scratch(0, &options, PAST, &bytes, NULL) == GF_ERROR_UNSUPPORTED ||
        !huge_scratch(h, bytes)) {
        return;
    }
    CHECK_MSG(gf_reduce(h->queue, &options, h->in[0], PAST, h->out, h->scratch, bytes, &error) == GF_OK, "%s",
              error.message);
    huge_result(h, &got, gf_depth_size(gf_reduce_result(op, GF_U8)));
    CHECK_MSG(got == expected, "%s, op %d: %llx, expected %llx", v->name, (int)op, (unsigned long long)got,
              (unsigned long long)expected);
}

static void reduce(void)
{
    struct huge h;
    uint64_t counts[256], sum = 0, bits;
    uint8_t *piece = make_piece(counts), zero = 0;
    const gf_variant *v;
    const int64_t place = (INT64_C(1) << 32) + 5;
    if (!piece || !huge_begin(&h, PAST, 1, 8)) {
        free(piece);
        return;
    }
    huge_fill(&h, h.in[0], PAST, repeated, piece);
    CHECK_EQ_INT(gf_memory_copy(h.queue, GF_COPY_UPLOAD, (char *)h.in[0] + place, &zero, 1, NULL), GF_OK);
    for (uint64_t i = 0; i < 256; i++) {
        sum += i * counts[i];
    }
    sum -= piece[place % PIECE];
    double mean = (double)sum / (double)PAST; /* both exact */
    memcpy(&bits, &mean, sizeof bits);
    for (size_t i = 0; (v = next_variant("reduce", &i)) != NULL;) {
        reduction(&h, v, GF_REDUCE_SUM, sum);
        reduction(&h, v, GF_REDUCE_MIN, 0);
        reduction(&h, v, GF_REDUCE_ARGMIN, (uint64_t)place);
        reduction(&h, v, GF_REDUCE_ARGMAX, (uint64_t)((uint8_t *)memchr(piece, 255, PIECE) - piece));
        reduction(&h, v, GF_REDUCE_MEAN, bits);
    }
    huge_end(&h);
    free(piece);
}

static void scan(void)
{
    struct huge h;
    const gf_variant *v;
    gf_scan_options options = GF_SCAN_OPTIONS_INIT;
    gf_error error = GF_ERROR_INIT;
    size_t bytes = 0;
    options.inclusive = true;
    options.out = GF_U8;
    if (!huge_begin(&h, PAST, 1, PAST)) {
        return;
    }
    huge_fill(&h, h.in[0], PAST, ones, NULL);
    for (size_t i = 0; (v = next_variant("scan", &i)) != NULL;) {
        options.array = array_of(v);
        if (gf_scan_scratch(0, &options, PAST, &bytes, NULL) == GF_OK && huge_scratch(&h, bytes)) {
            CHECK_MSG(gf_scan(h.queue, &options, h.in[0], PAST, h.out, h.scratch, bytes, &error) == GF_OK,
                      "%s", error.message);
            huge_check(&h, PAST, places, NULL, v->name);
        }
    }
    huge_end(&h);
}

/* Two segments, and where they end. */
static const int64_t halves[] = {0, (INT64_C(1) << 32) + 5, PAST};

static void half(uint8_t *to, int64_t first, int64_t count, const void *context)
{
    (void)context;
    for (int64_t i = 0; i < count; i++) {
        to[i] = first + i >= halves[1];
    }
}

static void half_places(uint8_t *to, int64_t first, int64_t count, const void *context)
{
    (void)context;
    for (int64_t i = 0; i < count; i++) {
        to[i] = (uint8_t)(first + i + 1 - (first + i >= halves[1] ? halves[1] : 0));
    }
}

static void scan_segments(void)
{
    struct huge h;
    gf_scan_options options = GF_SCAN_OPTIONS_INIT;
    gf_error error = GF_ERROR_INIT;
    size_t bytes = 0;
    options.inclusive = true;
    options.out = options.array.type = GF_U8;
    if (!huge_begin(&h, PAST, PAST, PAST)) {
        return;
    }
    huge_fill(&h, h.in[0], PAST, ones, NULL);
    huge_fill(&h, h.in[1], PAST, half, NULL);
    REQUIRE(gf_scan_by_key_scratch(0, &options, GF_U8, PAST, &bytes, NULL) == GF_OK &&
            huge_scratch(&h, bytes));
    CHECK_MSG(gf_scan_by_key(h.queue, &options, GF_U8, h.in[1], h.in[0], PAST, h.out, h.scratch, bytes,
                             &error) == GF_OK,
              "%s", error.message);
    huge_check(&h, PAST, half_places, NULL, "by key");
    CHECK_EQ_INT(gf_memory_copy(h.queue, GF_COPY_UPLOAD, h.in[1], halves, sizeof halves, NULL), GF_OK);
    CHECK_MSG(gf_segmented_scan(h.queue, &options, h.in[0], PAST, h.in[1], 2, h.in[0], h.scratch, bytes,
                                &error) == GF_OK,
              "%s", error.message);
    void *out = h.out;
    h.out = h.in[0];
    huge_check(&h, PAST, half_places, NULL, "segmented, in place");
    h.out = out;
    huge_end(&h);
}

/* Indices are u64. */
static void compact(void)
{
    struct huge h;
    const gf_variant *v;
    gf_compact_options options = GF_COMPACT_OPTIONS_INIT;
    gf_error error = GF_ERROR_INIT;
    size_t bytes = 0;
    const int from = 0;
    uint64_t got[8] = {0};
    options.indices = true;
    if (!huge_begin(&h, PAST, 1, sizeof got)) {
        return;
    }
    huge_fill(&h, h.in[0], PAST, marks, &from);
    for (size_t i = 0; (v = next_variant("compact", &i)) != NULL;) {
        options.array = array_of(v);
        CHECK_EQ_INT(gf_compact_result(&options, PAST), GF_U64);
        if (gf_compact_scratch(0, &options, PAST, &bytes, NULL) == GF_OK && huge_scratch(&h, bytes)) {
            CHECK_MSG(gf_compact(h.queue, &options, h.in[0], PAST, h.out, 7, (uint64_t *)h.out + 7, h.scratch,
                                 bytes, &error) == GF_OK,
                      "%s", error.message);
            huge_result(&h, got, sizeof got);
            CHECK_MSG(memcmp(got, marked, sizeof marked) == 0 && got[7] == MARKED, "%s: wrong indices",
                      v->name);
        }
    }
    huge_end(&h);
}

static void sort(void)
{
    struct huge h;
    uint64_t counts[256];
    int64_t ends[257] = {0};
    uint8_t *piece = make_piece(counts);
    const gf_variant *v;
    gf_sort_options options = GF_SORT_OPTIONS_INIT;
    gf_error error = GF_ERROR_INIT;
    size_t bytes = 0;
    if (!piece || !huge_begin(&h, PAST, 1, PAST)) {
        free(piece);
        return;
    }
    for (int i = 0; i < 256; i++) {
        ends[i + 1] = ends[i] + (int64_t)counts[i];
    }
    huge_fill(&h, h.in[0], PAST, repeated, piece);
    for (size_t i = 0; (v = next_variant("sort", &i)) != NULL;) {
        options.array = array_of(v);
        if (gf_sort_scratch(0, &options, PAST, &bytes, NULL) == GF_OK && huge_scratch(&h, bytes)) {
            CHECK_MSG(gf_sort(h.queue, &options, h.in[0], NULL, PAST, h.out, NULL, h.scratch, bytes,
                              &error) == GF_OK,
                      "%s", error.message);
            huge_check(&h, PAST, runs, ends, v->name);
        }
    }
    huge_end(&h);
    free(piece);
}

static void merge(void)
{
    const int64_t n = (INT64_C(1) << 31) + 77, m = PAST - n;
    struct huge h;
    int64_t a[257], b[257], both[257];
    const gf_variant *v;
    gf_sort_options options = GF_SORT_OPTIONS_INIT;
    gf_error error = GF_ERROR_INIT;
    size_t bytes = 0;
    if (!huge_begin(&h, n, m, PAST)) {
        return;
    }
    for (int i = 0; i <= 256; i++) {
        a[i] = n / 256 * i + (i == 256 ? n % 256 : 0);
        b[i] = i < 100 ? m / 200 * i : i < 256 ? m / 2 : m; /* half of them are 255 */
        both[i] = a[i] + b[i];
    }
    huge_fill(&h, h.in[0], n, runs, a);
    huge_fill(&h, h.in[1], m, runs, b);
    for (size_t i = 0; (v = next_variant("merge", &i)) != NULL;) {
        options.array = array_of(v);
        if (gf_merge_scratch(0, &options, n, m, &bytes, NULL) == GF_OK && huge_scratch(&h, bytes)) {
            CHECK_MSG(gf_merge(h.queue, &options, h.in[0], NULL, n, h.in[1], NULL, m, h.out, NULL, h.scratch,
                               bytes, &error) == GF_OK,
                      "%s", error.message);
            huge_check(&h, PAST, runs, both, v->name);
        }
    }
    huge_end(&h);
}

static void histogram(void)
{
    enum { ALL = 256 + GF_HISTOGRAM_EXTRA };
    static uint64_t got[3 * ALL];
    struct huge h;
    uint64_t counts[256];
    uint8_t *piece = make_piece(counts);
    const gf_variant *v;
    gf_histogram_options options = GF_HISTOGRAM_OPTIONS_INIT;
    gf_error error = GF_ERROR_INIT;
    size_t bytes = 0;
    if (!piece || !huge_begin(&h, PAST, 1, sizeof got)) {
        free(piece);
        return;
    }
    huge_fill(&h, h.in[0], PAST, repeated, piece);
    for (size_t i = 0; (v = next_variant("histogram", &i)) != NULL;) {
        options.array = array_of(v);
        for (options.channels = 1; options.channels <= 3; options.channels += 2) {
            if (gf_histogram_scratch(0, &options, PAST, &bytes, NULL) != GF_OK || !huge_scratch(&h, bytes)) {
                continue;
            }
            CHECK_MSG(gf_histogram(h.queue, &options, h.in[0], PAST, h.out, h.scratch, bytes, &error) ==
                          GF_OK,
                      "%s", error.message);
            memset(got, 0, sizeof got);
            huge_result(&h, got, sizeof *got * (size_t)options.channels * ALL);
            for (int k = 0; k < 256; k++) {
                uint64_t sum = got[k] + got[ALL + k] + got[2 * ALL + k];
                CHECK_MSG(sum == counts[k], "%s: %llu of %d", v->name, (unsigned long long)sum, k);
            }
        }
    }
    huge_end(&h);
    free(piece);
}

/* Searches from the place of the context's mark on: the first, how many, and where as u64. */
static void search(void)
{
    const int from = 3;
    const uint8_t value = 7;
    struct huge h;
    const gf_variant *v;
    gf_search_options options = GF_SEARCH_OPTIONS_INIT;
    gf_error error = GF_ERROR_INIT;
    size_t bytes = 0;
    int64_t got[8] = {0};
    options.value = &value;
    if (!huge_begin(&h, PAST, 1, sizeof got)) {
        return;
    }
    huge_fill(&h, h.in[0], PAST, marks, &from);
    for (size_t i = 0; (v = next_variant("search", &i)) != NULL;) {
        options.array = array_of(v);
        for (options.mode = GF_SEARCH_FIRST; options.mode <= GF_SEARCH_COUNT; options.mode++) {
            bool all = options.mode == GF_SEARCH_ALL;
            if (gf_search_scratch(0, &options, PAST, &bytes, NULL) != GF_OK || !huge_scratch(&h, bytes)) {
                continue;
            }
            CHECK_MSG(gf_search(h.queue, &options, h.in[0], PAST, h.out, all ? (int64_t *)h.out + 1 : NULL,
                                all ? 7 : 0, h.scratch, bytes, &error) == GF_OK,
                      "%s", error.message);
            huge_result(&h, got, sizeof got);
            CHECK_EQ_INT(got[0], options.mode == GF_SEARCH_FIRST ? marked[from] : MARKED - from);
            CHECK(!all || memcmp(got + 1, marked + from, sizeof marked - from * sizeof marked[0]) == 0);
        }
    }
    huge_end(&h);
}

static const struct check_case cases[] = {
    {"reduce, past 2^32, CUDA", reduce},   {"scan, past 2^32, CUDA", scan},
    {"compact, past 2^32, CUDA", compact}, {"sort, past 2^32, CUDA", sort},
    {"merge, past 2^32, CUDA", merge},     {"histogram, past 2^32, CUDA", histogram},
    {"search, past 2^32, CUDA", search},   {"scans of segments, past 2^32, CUDA", scan_segments},
};
CHECK_MAIN(cases)
