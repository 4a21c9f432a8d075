/* Memory of a GPU for arrays of more than 2^32 bytes, filled and checked a block at a time. */
#ifndef TESTS_ARRAY_HUGE_H
#define TESTS_ARRAY_HUGE_H

#include "array_case.h"

enum { HUGE_BLOCK = 1 << 26 };

/* Works on device 0, in its default stream. */
struct huge {
    gf_queue queue;
    void *in[2], *out, *scratch;
    char *block; /* HUGE_BLOCK bytes on the host, on the way */
};

static inline void huge_end(struct huge *h)
{
    gf_memory_release(0, h->in[0]);
    gf_memory_release(0, h->in[1]);
    gf_memory_release(0, h->out);
    gf_memory_release(0, h->scratch);
    free(h->block);
}

/* False, and the case is skipped, where that is not to be had. */
static inline bool huge_begin(struct huge *h, int64_t in, int64_t in2, int64_t out)
{
    *h = (struct huge){.queue = {0, NULL}, .block = malloc(HUGE_BLOCK)};
    const char *why = array_is_emulated() ? "the emulated device has 4 GB" : "no CUDA device";
    if (array_has_cuda() && !array_is_emulated()) {
        bool made = gf_memory_allocate(0, (size_t)in, &h->in[0], NULL) == GF_OK &&
                    gf_memory_allocate(0, (size_t)in2, &h->in[1], NULL) == GF_OK &&
                    gf_memory_allocate(0, (size_t)out, &h->out, NULL) == GF_OK && h->block;
        why = made ? NULL : "not enough memory";
    }
    if (why) {
        snprintf(check_now.skip, sizeof check_now.skip, "%s", why);
        huge_end(h);
    }
    return !why;
}

/* Another scratch memory; false: there is not so much. */
static inline bool huge_scratch(struct huge *h, size_t bytes)
{
    gf_memory_release(0, h->scratch);
    h->scratch = NULL;
    return bytes == 0 || gf_memory_allocate(0, bytes, &h->scratch, NULL) == GF_OK;
}

/* Bytes [first, first + count) of an array. */
typedef void make_bytes(uint8_t *to, int64_t first, int64_t count, const void *context);

static inline void huge_fill(struct huge *h, void *to, int64_t n, make_bytes *make, const void *context)
{
    for (int64_t i = 0; i < n; i += HUGE_BLOCK) {
        int64_t count = n - i < HUGE_BLOCK ? n - i : HUGE_BLOCK;
        make((uint8_t *)h->block, i, count, context);
        CHECK_EQ_INT(gf_memory_copy(h->queue, GF_COPY_UPLOAD, (char *)to + i, h->block, (size_t)count, NULL),
                     GF_OK);
        CHECK_EQ_INT(gf_queue_wait(h->queue, NULL), GF_OK);
    }
}

static inline void huge_check(struct huge *h, int64_t n, make_bytes *make, const void *context,
                              const char *what)
{
    uint8_t *expected = malloc(HUGE_BLOCK);
    int64_t wrong = 0;
    REQUIRE(expected != NULL);
    for (int64_t i = 0; i < n && wrong == 0; i += HUGE_BLOCK) {
        int64_t count = n - i < HUGE_BLOCK ? n - i : HUGE_BLOCK;
        make(expected, i, count, context);
        CHECK_EQ_INT(
            gf_memory_copy(h->queue, GF_COPY_DOWNLOAD, h->block, (char *)h->out + i, (size_t)count, NULL),
            GF_OK);
        CHECK_EQ_INT(gf_queue_wait(h->queue, NULL), GF_OK);
        wrong += memcmp(h->block, expected, (size_t)count) != 0;
        CHECK_MSG(wrong == 0, "%s: wrong from %lld to %lld", what, (long long)i, (long long)(i + count));
    }
    free(expected);
}

static inline void huge_result(struct huge *h, void *to, size_t bytes)
{
    CHECK_EQ_INT(gf_memory_copy(h->queue, GF_COPY_DOWNLOAD, to, h->out, bytes, NULL), GF_OK);
    CHECK_EQ_INT(gf_queue_wait(h->queue, NULL), GF_OK);
}

#endif
