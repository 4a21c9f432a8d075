/* Memory of a device for tests of array primitives: any offset from an aligned address, canaries on both
 * sides. */
#ifndef TESTS_ARRAY_CASE_H
#define TESTS_ARRAY_CASE_H

#include "check.h"

#include "gpufilter/array.h"
#include "gpufilter/device.h"
#include "prim/array_data.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>

enum { ARRAY_CANARY = 512, ARRAY_CANARY_BYTE = 0xc5 };

struct array_memory {
    gf_device device;
    size_t bytes, offset;
    char *whole; /* canary, offset bytes, data, canary */
    void *data;
};

/* Tells whether the next case of this program is in the share that GPUFILTER_TEST_SLICE asks for (check.h).
 * Call it once a case. */
static inline bool array_in_slice(void)
{
    static long cases;
    return check_slice(cases++, LONG_MAX);
}

/* Each call another place of an array of `size`-byte elements, in elements beyond a 256-byte boundary: over
 * many calls every offset of less than 16 bytes that the type allows. */
static inline int32_t array_next_offset(size_t size)
{
    static unsigned turn;
    turn = (turn + 7) % 16;
    return (int32_t)(turn / size);
}

/* The same for any order of the elements, and hardly for other ones. */
static inline uint64_t array_bag(const void *data, size_t size, int64_t n)
{
    uint64_t sum = 0;
    for (int64_t i = 0; i < n; i++) {
        uint64_t bits = 0;
        memcpy(&bits, (const char *)data + (size_t)i * size, size);
        bits = (bits ^ bits >> 31) * 0x9e3779b97f4a7c15U;
        sum += (bits ^ bits >> 29) * 0xbf58476d1ce4e5b9U;
    }
    return sum;
}

static inline bool array_has_cuda(void)
{
    gf_queue queue;
    if (gf_queue_create(0, &queue, NULL) != GF_OK) {
        return false;
    }
    gf_queue_destroy(&queue);
    return true;
}

static inline bool array_is_emulated(void)
{
#ifdef GF_EMU
    return true;
#else
    return false;
#endif
}

static inline size_t array_memory_size(const struct array_memory *m)
{
    return m->bytes + m->offset + 2 * ARRAY_CANARY;
}

/* Filled with the canary's byte: what was never written shows. */
static inline bool array_memory_make(struct array_memory *m, gf_device device, size_t bytes, size_t offset)
{
    gf_queue queue = {device, NULL};
    *m = (struct array_memory){device, bytes, offset, NULL, NULL};
    void *memory = NULL, *fill = malloc(array_memory_size(m));
    if (fill && gf_memory_allocate(device, array_memory_size(m), &memory, NULL) == GF_OK) {
        m->whole = (char *)memory;
        m->data = m->whole + ARRAY_CANARY + offset;
        memset(fill, ARRAY_CANARY_BYTE, array_memory_size(m));
        CHECK_EQ_INT(gf_memory_copy(queue, GF_COPY_UPLOAD, m->whole, fill, array_memory_size(m), NULL),
                     GF_OK);
        CHECK_EQ_INT(gf_queue_wait(queue, NULL), GF_OK);
    }
    free(fill);
    return m->whole != NULL;
}

static inline void array_memory_free(struct array_memory *m)
{
    gf_memory_release(m->device, m->whole);
    m->whole = NULL;
}

static inline void array_memory_upload(struct array_memory *m, const void *from)
{
    gf_queue queue = {m->device, NULL};
    CHECK_EQ_INT(gf_memory_copy(queue, GF_COPY_UPLOAD, m->data, from, m->bytes, NULL), GF_OK);
    CHECK_EQ_INT(gf_queue_wait(queue, NULL), GF_OK);
}

static inline void array_memory_download(const struct array_memory *m, void *to)
{
    gf_queue queue = {m->device, NULL};
    CHECK_EQ_INT(gf_memory_copy(queue, GF_COPY_DOWNLOAD, to, m->data, m->bytes, NULL), GF_OK);
    CHECK_EQ_INT(gf_queue_wait(queue, NULL), GF_OK);
}

/* Checks that nothing was written beside the data. */
static inline void array_memory_check(const struct array_memory *m, const char *what)
{
    gf_queue queue = {m->device, NULL};
    unsigned char *copy = (unsigned char *)malloc(array_memory_size(m));
    if (!copy ||
        gf_memory_copy(queue, GF_COPY_DOWNLOAD, copy, m->whole, array_memory_size(m), NULL) != GF_OK ||
        gf_queue_wait(queue, NULL) != GF_OK) {
        CHECK_MSG(0, "%s cannot be read back", what);
        free(copy);
        return;
    }
    size_t front = ARRAY_CANARY + m->offset, written = 0;
    for (size_t i = 0; i < array_memory_size(m); i++) {
        bool beside = i < front || i >= front + m->bytes;
        written += beside && copy[i] != ARRAY_CANARY_BYTE;
    }
    CHECK_MSG(written == 0, "%zu bytes beside %s were written", written, what);
    free(copy);
}

/* The same, and frees it. */
static inline void array_memory_end(struct array_memory *m, const char *what)
{
    array_memory_check(m, what);
    array_memory_free(m);
}

#endif
