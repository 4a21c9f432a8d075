#define _POSIX_C_SOURCE 200809L
#include "target.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MAX_LINKS 40

int gf_target_descriptor(const char *path)
{
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    if (strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0) {
        return STDOUT_FILENO;
    }
    if (strcmp(path, "/dev/stderr") == 0) {
        return STDERR_FILENO;
    }
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        size_t length = strlen(folders[i]);
        if (strncmp(path, folders[i], length) == 0) {
            const char *digits = path + length;
            size_t count = strspn(digits, "0123456789");
            if (count > 0 && count < 9 && digits[count] == '\0') {
                return atoi(digits);
            }
        }
    }
    return -1;
}

static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? (size_t)(slash - path) + 1 : 0;
}

/* The link's text, seen from the folder of `path`. NULL with errno. */
static char *follow(const char *path, size_t link_size)
{
    size_t room = link_size > 0 ? link_size + 1 : 4096; /* links of /proc claim size 0 */
    size_t folder = folder_length(path);
    char *next = malloc(folder + room + 1);
    if (next == NULL) {
        return NULL;
    }
    ssize_t got = readlink(path, next + folder, room);
    if (got < 0 || (size_t)got >= room) {
        int why = got < 0 ? errno : EAGAIN; /* it grew while we looked */
        free(next);
        errno = why;
        return NULL;
    }
    next[folder + (size_t)got] = '\0';
    if (next[folder] == '/') {
        memmove(next, next + folder, (size_t)got + 1);
    } else {
        memcpy(next, path, folder);
    }
    return next;
}

char *gf_target_resolve(const char *path)
{
    char *now = malloc(strlen(path) + 1);
    if (now == NULL) {
        return NULL;
    }
    strcpy(now, path);
    for (int links = 0;; links++) {
        struct stat st;
        if (lstat(now, &st) != 0 || !S_ISLNK(st.st_mode)) {
            return now; /* what does not exist yet is a fine target; creating it says the rest */
        }
        char *next = links < MAX_LINKS ? follow(now, (size_t)st.st_size) : NULL;
        int why = links < MAX_LINKS ? errno : ELOOP;
        free(now);
        if (next == NULL) {
            errno = why;
            return NULL;
        }
        now = next;
    }
}

char *gf_target_temporary(const char *target, unsigned attempt)
{
    size_t folder = folder_length(target);
    char *name = malloc(folder + 160);
    if (name == NULL) {
        return NULL;
    }
    /* O_EXCL makes it safe; this only has to make collisions rare. */
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_REALTIME, &now);
    uint64_t mix = (uint64_t)now.tv_nsec ^ ((uint64_t)now.tv_sec << 30) ^ ((uint64_t)getpid() << 40) ^
                   (uint64_t)(uintptr_t)name << 8 ^ attempt;
    mix = (mix ^ mix >> 33) * UINT64_C(0xff51afd7ed558ccd);
    mix = (mix ^ mix >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
    memcpy(name, target, folder);
    snprintf(name + folder, 160, ".gpufilter-%.100s.%08x.tmp", target + folder, (unsigned)(mix >> 32));
    return name;
}
