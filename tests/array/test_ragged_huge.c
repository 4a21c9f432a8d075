/* Ragged loops of more than 2^32 items, on a GPU that has the memory: every variant, against closed forms. */
#include "array_huge.h"

#include "gpufilter/ragged.h"

enum { SEGMENTS = 1000003, RUN = 4300, VALUE = 3 };

/* The CUDA variants' sums of iy * VALUE over counts[0..nx); `only` that one, where not NULL. */
static void sums(const int32_t *counts, int64_t nx, const char *only)
{
    struct huge h;
    const gf_variant *v;
    gf_ragged_options o = GF_RAGGED_OPTIONS_INIT;
    gf_error error = GF_ERROR_INIT;
    size_t bytes = 0;
    uint64_t *found = malloc((size_t)nx * sizeof *found);
    if (!found || !huge_begin(&h, nx * 4, 8, nx * 8)) {
        free(found);
        return;
    }
    o.value = VALUE;
    CHECK_EQ_INT(gf_memory_copy(h.queue, GF_COPY_UPLOAD, h.in[0], counts, (size_t)nx * 4, NULL), GF_OK);
    for (size_t i = 0; (v = gf_primitive_variant("ragged", i)) != NULL; i++) {
        int64_t total = 0, items = 0;
        o.array.algo = v->name;
        if (!v->cuda || (only && strcmp(v->name, only) != 0) ||
            gf_ragged_scratch(0, &o, nx, 0, &bytes, &error) != GF_OK || !huge_scratch(&h, bytes)) {
            continue;
        }
        CHECK_MSG(gf_ragged(h.queue, &o, h.in[0], nx, NULL, h.out, NULL, 0, h.in[1], h.scratch, bytes,
                            &error) == GF_OK,
                  "%s: %s", v->name, error.message);
        CHECK_EQ_INT(gf_memory_copy(h.queue, GF_COPY_DOWNLOAD, &total, h.in[1], sizeof total, NULL), GF_OK);
        CHECK_EQ_INT(gf_memory_copy(h.queue, GF_COPY_DOWNLOAD, found, h.out, (size_t)nx * 8, NULL), GF_OK);
        CHECK_EQ_INT(gf_queue_wait(h.queue, &error), GF_OK);
        for (int64_t ix = 0; ix < nx; ix++) {
            const uint64_t n = (uint64_t)counts[ix], expected = n > 0 ? n * (n - 1) / 2 * VALUE : 0;
            CHECK_MSG(found[ix] == expected, "%s: sum %lld is %llu, must be %llu", v->name, (long long)ix,
                      (unsigned long long)found[ix], (unsigned long long)expected);
            items += counts[ix];
        }
        CHECK_MSG(total == items, "%s: %lld items", v->name, (long long)total);
    }
    huge_end(&h);
    free(found);
}

static void many_segments(void)
{
    int32_t *counts = malloc(SEGMENTS * sizeof *counts);
    for (int32_t ix = 0; counts && ix < SEGMENTS; ix++) {
        counts[ix] = ix % 5 == 0 ? 0 : 5500 + ix % 97;
    }
    if (counts) {
        sums(counts, SEGMENTS, NULL);
    }
    free(counts);
}

static void longest_segments(void)
{
    const int32_t counts[] = {INT32_MAX, 0, INT32_MAX, 1, INT32_MAX - 7};
    sums(counts, sizeof counts / sizeof *counts, "auto"); /* others add all to three words, one by one */
}

/* More blocks along iy than a grid has. */
static void tall(void)
{
    const int32_t counts[] = {3000000, 5, 0, 2500000};
    sums(counts, sizeof counts / sizeof *counts, NULL);
}

/* Word k is k / RUN. */
static void decoded(uint8_t *to, int64_t first, int64_t count, const void *context)
{
    (void)context;
    for (int64_t i = 0; i < count / 4; i++) {
        const uint32_t run = (uint32_t)((first / 4 + i) / RUN);
        memcpy(to + 4 * i, &run, sizeof run);
    }
}

static void runs(void)
{
    const int64_t items = (int64_t)SEGMENTS * RUN;
    struct huge h;
    gf_ragged_options o = GF_RAGGED_OPTIONS_INIT;
    gf_error error = GF_ERROR_INIT;
    int32_t *host = malloc(SEGMENTS * sizeof *host);
    size_t bytes = 0;
    if (!host || !huge_begin(&h, SEGMENTS * 4, SEGMENTS * 4, items * 4)) {
        free(host);
        return;
    }
    o.body = GF_RAGGED_DECODE;
    o.array.type = GF_U32;
    for (int i = 0; i < 2; i++) { /* counts, runs */
        for (int32_t ix = 0; ix < SEGMENTS; ix++) {
            host[ix] = i == 0 ? RUN : ix;
        }
        CHECK_EQ_INT(gf_memory_copy(h.queue, GF_COPY_UPLOAD, h.in[i], host, SEGMENTS * 4, NULL), GF_OK);
        CHECK_EQ_INT(gf_queue_wait(h.queue, NULL), GF_OK);
    }
    if (gf_ragged_scratch(0, &o, SEGMENTS, items, &bytes, &error) == GF_OK && huge_scratch(&h, bytes)) {
        CHECK_MSG(gf_ragged(h.queue, &o, h.in[0], SEGMENTS, h.in[1], h.out, NULL, items, NULL, h.scratch,
                            bytes, &error) == GF_OK,
                  "%s", error.message);
        huge_check(&h, items * 4, decoded, NULL, "auto");
    }
    huge_end(&h);
    free(host);
}

static const struct check_case cases[] = {{"many segments", many_segments},
                                          {"the longest segments", longest_segments},
                                          {"tall", tall},
                                          {"runs", runs}};
CHECK_MAIN(cases)
