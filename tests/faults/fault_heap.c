#define _GNU_SOURCE
#include "fault_heap.h"

#include "emu_control.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* a batch has threads */
static long calls, fail_at, held;
static bool fail_on;

/* ---- what is held: a hash table with linear probing ---- */

enum { SLOTS = 1 << 14 }; /* far more than the project ever holds at once */

static struct slot {
    void *block; /* NULL: free */
    long call;
} slots[SLOTS];

static size_t home(const void *block)
{
    return (size_t)(((uintptr_t)block >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 50) % SLOTS;
}

static struct slot *find(const void *block)
{
    size_t i = home(block);
    while (slots[i].block && slots[i].block != block) {
        i = (i + 1) % SLOTS;
    }
    return &slots[i];
}

static void *keep(void *block)
{
    pthread_mutex_lock(&lock);
    if (block) {
        if (held == SLOTS - 1) {
            abort();
        }
        *find(block) = (struct slot){block, calls};
        held++;
    }
    pthread_mutex_unlock(&lock);
    return block;
}

static void drop_locked(const void *block)
{
    struct slot *gap = block ? find(block) : NULL;
    if (!gap || !gap->block) {
        return; /* not one of ours */
    }
    held--;
    gap->block = NULL;
    for (size_t i = (size_t)(gap - slots + 1) % SLOTS; slots[i].block; i = (i + 1) % SLOTS) {
        struct slot moved = slots[i];
        slots[i].block = NULL;
        *find(moved.block) = moved;
    }
}

static void drop(const void *block)
{
    pthread_mutex_lock(&lock);
    drop_locked(block);
    pthread_mutex_unlock(&lock);
}

/* ---- the interface ---- */

void fault_heap_fail(long n, bool from_then_on)
{
    fail_at = n;
    fail_on = from_then_on;
    if (n == 0) {
        return;
    }
    calls = 0;
    for (size_t i = 0; i < SLOTS && held; i++) {
        slots[i].call = 0;
    }
}

long fault_heap_calls(void)
{
    return calls;
}

long fault_heap_held(void)
{
    return held;
}

long fault_heap_unreleased(void)
{
    long first = 0;
    for (size_t i = 0; i < SLOTS && held; i++) {
        if (slots[i].block && slots[i].call && (!first || slots[i].call < first)) {
            first = slots[i].call;
        }
    }
    return first;
}

static bool fails(void)
{
    pthread_mutex_lock(&lock);
    calls++;
    bool now = fail_at && (calls == fail_at || (fail_on && calls > fail_at));
    pthread_mutex_unlock(&lock);
    if (now) {
        errno = ENOMEM;
    }
    return now;
}

/* ---- the wrappers ---- */

#define WRAP(type, name, parameters, arguments)                                                              \
    type __real_##name parameters;                                                                           \
    type __wrap_##name parameters;                                                                           \
    type __wrap_##name parameters                                                                            \
    {                                                                                                        \
        return gf_emu_allocating() ? __real_##name arguments                                                 \
               : fails()           ? NULL                                                                    \
                                   : keep(__real_##name arguments);                                                    \
    }
WRAP(void *, malloc, (size_t size), (size))
WRAP(void *, calloc, (size_t count, size_t size), (count, size))
WRAP(void *, aligned_alloc, (size_t alignment, size_t size), (alignment, size))
WRAP(FILE *, fopen, (const char *path, const char *mode), (path, mode))
WRAP(DIR *, opendir, (const char *path), (path))
WRAP(char *, strdup, (const char *text), (text))
WRAP(char *, strndup, (const char *text, size_t length), (text, length))

void *__real_realloc(void *block, size_t size);
void *__wrap_realloc(void *block, size_t size);
void *__wrap_realloc(void *block, size_t size)
{
    if (gf_emu_allocating()) {
        return __real_realloc(block, size);
    }
    if (fails()) {
        return NULL;
    }
    drop(block);
    void *moved = __real_realloc(block, size);
    keep(moved ? moved : block);
    return moved;
}

int __real_posix_memalign(void **block, size_t alignment, size_t size);
int __wrap_posix_memalign(void **block, size_t alignment, size_t size);
int __wrap_posix_memalign(void **block, size_t alignment, size_t size)
{
    if (gf_emu_allocating()) {
        return __real_posix_memalign(block, alignment, size);
    }
    if (fails()) {
        return ENOMEM;
    }
    int status = __real_posix_memalign(block, alignment, size);
    if (status == 0) {
        keep(*block);
    }
    return status;
}

/* With a buffer of the caller it allocates nothing. */
char *__real_realpath(const char *path, char *resolved);
char *__wrap_realpath(const char *path, char *resolved);
char *__wrap_realpath(const char *path, char *resolved)
{
    if (resolved) {
        return __real_realpath(path, resolved);
    }
    return fails() ? NULL : keep(__real_realpath(path, NULL));
}

ssize_t __real_getdelim(char **line, size_t *room, int delimiter, FILE *file);
ssize_t __wrap_getdelim(char **line, size_t *room, int delimiter, FILE *file);
ssize_t __wrap_getdelim(char **line, size_t *room, int delimiter, FILE *file)
{
    if (fails()) {
        return -1;
    }
    drop(*line);
    ssize_t length = __real_getdelim(line, room, delimiter, file);
    keep(*line);
    return length;
}

typedef int filter(const struct dirent *entry);
typedef int order(const struct dirent **a, const struct dirent **b);
int __real_scandir(const char *path, struct dirent ***entries, filter *keeps, order *compare);
int __wrap_scandir(const char *path, struct dirent ***entries, filter *keeps, order *compare);
int __wrap_scandir(const char *path, struct dirent ***entries, filter *keeps, order *compare)
{
    int count = fails() ? -1 : __real_scandir(path, entries, keeps, compare);
    for (int i = 0; i < count; i++) {
        keep((*entries)[i]);
    }
    if (count >= 0) {
        keep(*entries);
    }
    return count;
}

/* zlib takes memory of its own here; elsewhere it is given an allocator. */
int __real_compress2(Bytef *to, uLongf *to_size, const Bytef *from, uLong size, int level);
int __wrap_compress2(Bytef *to, uLongf *to_size, const Bytef *from, uLong size, int level);
int __wrap_compress2(Bytef *to, uLongf *to_size, const Bytef *from, uLong size, int level)
{
    return fails() ? Z_MEM_ERROR : __real_compress2(to, to_size, from, size, level);
}

void __real_free(void *block);
void __wrap_free(void *block);
void __wrap_free(void *block)
{
    drop(block);
    __real_free(block);
}

int __real_fclose(FILE *file);
int __wrap_fclose(FILE *file);
int __wrap_fclose(FILE *file)
{
    drop(file);
    return __real_fclose(file);
}

int __real_closedir(DIR *folder);
int __wrap_closedir(DIR *folder);
int __wrap_closedir(DIR *folder)
{
    drop(folder);
    return __real_closedir(folder);
}
