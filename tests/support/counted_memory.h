/* Host memory of a context, counted: for one test program, one thread. */
#ifndef COUNTED_MEMORY_H
#define COUNTED_MEMORY_H

#include <stdlib.h>

static struct {
    size_t now, peak;
} memory;

static void *counted_allocate(void *user, size_t bytes)
{
    (void)user;
    size_t *block = aligned_alloc(256, (bytes + 511) / 256 * 256);
    if (!block) {
        return NULL;
    }
    *block = bytes;
    memory.now += bytes;
    memory.peak = memory.now > memory.peak ? memory.now : memory.peak;
    return (char *)block + 256;
}

static void counted_release(void *user, void *pointer)
{
    (void)user;
    if (pointer) {
        size_t *block = (size_t *)(void *)((char *)pointer - 256);
        memory.now -= *block;
        free(block);
    }
}

#endif
