/* Structs of other versions: smaller ones have defaults for what they lack and are filled in no further,
 * larger ones are accepted where what is unknown is zero, and sizes that no version has are refused. Each
 * struct ends where a page does that cannot be touched, so that one byte beyond it is a crash. Whoever
 * includes this has a static gf_error e for the calls, and _GNU_SOURCE. */
#ifndef TEST_STRUCT_SIZES_H
#define TEST_STRUCT_SIZES_H

#include "check.h"
#include "gpufilter/types.h"

#include <sys/mman.h>

/* ---- memory with an end ---- */

enum { PAGE = 1 << 16 };

static unsigned char *fence; /* the first byte that cannot be touched */

/* `size` bytes of the struct, at least its struct_size, that end at the fence; aligned as the struct is where
 * `size` can be one of its sizes. */
static void *at_end(const void *whole, uint32_t whole_size, uint32_t size)
{
    uint32_t room = size < 8 ? 8 : (size + 7) / 8 * 8;
    unsigned char *place = fence - room;
    memset(place, 0, room);
    memcpy(place, whole, size < whole_size ? size : whole_size);
    memcpy(place, &size, sizeof size);
    return place;
}

static int make_fence(void)
{
    unsigned char *memory = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    fence = memory == MAP_FAILED ? NULL : memory + PAGE;
    return fence && mprotect(fence, PAGE, PROT_NONE) == 0;
}

static void remove_fence(void)
{
    munmap(fence - PAGE, 2 * PAGE);
}

/* ---- every size of a struct ---- */

struct kind {
    const char *name;
    gf_status (*call)(void *given);
    uint32_t size, least; /* here, and that of the fields that every version has, with 8-byte pointers */
    int fills;            /* 1: the call fills it in; 2: with what differs from call to call */
    const void *whole;    /* one that is right */
};

static void check_size(const struct kind *kind, uint32_t size)
{
    bool good = size >= kind->least && size % 8 == 0;
    unsigned char full[1024];
    memcpy(full, kind->whole, kind->size);
    memcpy(full, &kind->size, sizeof kind->size);
    if (kind->fills) { /* what a struct of today gets */
        CHECK_EQ_INT(kind->call(full), GF_OK);
    }
    unsigned char *given = at_end(kind->whole, kind->size, size);
    gf_status status = kind->call(given);
    uint32_t known = size < kind->size ? size : kind->size;
    CHECK_MSG((status == GF_OK) == good && (good || status == GF_ERROR_ARGUMENT), "%s of %u bytes: %d %s",
              kind->name, size, (int)status, e.message);
    CHECK_MSG(memcmp(given, &size, sizeof size) == 0, "%s: the size is changed", kind->name);
    if (good && kind->fills == 1) {
        CHECK_MSG(memcmp(given + 4, full + 4, known - 4) == 0, "%s of %u bytes: other contents", kind->name,
                  size);
    }
}

/* A newer program's fields: nothing where they are zero, refused where they are not. */
static void check_larger(const struct kind *kind)
{
    uint32_t size = kind->size + 16, absurd[] = {4096 + 8, 0x10000, 0xfffffff8u};
    for (uint32_t i = kind->size; i < size; i++) {
        unsigned char *given = at_end(kind->whole, kind->size, size);
        given[i] = 1;
        e.message[0] = '\0';
        CHECK_MSG(kind->call(given) == GF_ERROR_ARGUMENT, "%s: byte %u is 1 and unknown", kind->name, i);
        CHECK_MSG(!e.message[0] || strstr(e.message, "older than the header"), "%s: %s", kind->name,
                  e.message);
    }
    for (size_t i = 0; i < sizeof absurd / sizeof *absurd; i++) {
        unsigned char *given = at_end(kind->whole, kind->size, kind->size);
        memcpy(given, &absurd[i], sizeof absurd[i]);
        e.message[0] = '\0';
        CHECK_MSG(kind->call(given) == GF_ERROR_ARGUMENT, "%s of %u bytes", kind->name, absurd[i]);
        CHECK_MSG(!e.message[0] || strstr(e.message, "must be sizeof("), "%s: %s", kind->name, e.message);
    }
}

static void check_kinds(const struct kind *kinds, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        for (uint32_t size = 0; size <= kinds[i].size + 16; size++) {
            check_size(&kinds[i], size);
        }
        check_larger(&kinds[i]);
    }
}

#endif
