/* fuzz_path.h: bytes as a file, for readers that take a path. */
#ifndef FUZZ_PATH_H
#define FUZZ_PATH_H

#ifndef _GNU_SOURCE
#error "define _GNU_SOURCE first: memfd_create"
#endif

#include "fuzz.h"

#include <sys/mman.h>
#include <unistd.h>

/* A file in memory, to be closed, and its path. */
static inline int fuzz_path(const uint8_t *data, size_t size, char path[64])
{
    const int fd = memfd_create("fuzz", MFD_CLOEXEC);
    FUZZ_CHECK(fd >= 0 && write(fd, data, size) == (ssize_t)size, "no file in memory");
    snprintf(path, 64, "/proc/self/fd/%d", fd);
    return fd;
}

/* A reader's error begins with the path. */
static inline void fuzz_check_named(const gf_error *error, const char *path)
{
    const size_t length = strlen(path);
    FUZZ_CHECK(strncmp(error->message, path, length) == 0 && strncmp(error->message + length, ": ", 2) == 0,
               "%s", error->message);
}

#endif
