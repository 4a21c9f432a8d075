#define _DEFAULT_SOURCE /* flock */
#include "io/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#define SLOTS        8u
#define MAX_ATTEMPTS 100u

int gf_open_again(const char *path, int flags, mode_t mode)
{
    int fd;
    do {
        fd = open(path, flags | O_CLOEXEC | O_NOCTTY, mode);
    } while (fd < 0 && errno == EINTR);
    return fd;
}

/* 0, or why not: EWOULDBLOCK where somebody holds it. */
static int lock(int fd)
{
    while (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        if (errno != EINTR) {
            return errno;
        }
    }
    return 0;
}

/* A number that no other call gets, in practice. O_EXCL makes it safe; this only makes collisions rare. */
static uint32_t draw(const char *path, unsigned attempt)
{
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_REALTIME, &now);
    uint64_t mix = (uint64_t)now.tv_nsec ^ ((uint64_t)now.tv_sec << 30) ^ ((uint64_t)getpid() << 40) ^
                   (uint64_t)(uintptr_t)path << 8 ^ attempt;
    mix = (mix ^ mix >> 33) * UINT64_C(0xff51afd7ed558ccd);
    mix = (mix ^ mix >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
    return (uint32_t)(mix >> 32);
}

/* FNV-1a of the name and the slot. */
static uint32_t hash(const char *name, unsigned slot)
{
    uint32_t sum = UINT32_C(2166136261);
    for (; *name != '\0'; name++) {
        sum = (sum ^ (unsigned char)*name) * UINT32_C(16777619);
    }
    return (sum ^ slot) * UINT32_C(16777619);
}

static void name_temporary(const char *target, unsigned attempt, char path[GF_TEMPORARY_SIZE])
{
    const char *slash = strrchr(target, '/');
    const char *name = slash != NULL ? slash + 1 : target;
    uint32_t number = attempt < SLOTS ? hash(name, attempt) : draw(path, attempt);
    snprintf(path, GF_TEMPORARY_SIZE, "%.*s.gpufilter-%.100s.%08x.tmp", (int)(name - target), target, name,
             (unsigned)number);
}

static int is_ours(const struct stat *st)
{
    return S_ISREG(st->st_mode) && st->st_uid == geteuid();
}

/* Whoever holds the lock of a temporary may rename or remove its name, and nobody else. So once we hold it,
 * and the name still leads to the file that we hold, the file is nobody's, or its writer has not locked it
 * yet: then it is empty, and that writer takes another name (hold). Returns 1 where something was removed
 * that a dead writer had begun to fill. */
static int remove_stale(const char *path)
{
    struct stat found, held;
    if (lstat(path, &found) != 0 || !is_ours(&found)) {
        return 0;
    }
    int fd = gf_open_again(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0);
    if (fd < 0) {
        return 0;
    }
    int is_removed = lock(fd) == 0 && fstat(fd, &held) == 0 && lstat(path, &found) == 0 && is_ours(&found) &&
                     found.st_dev == held.st_dev && found.st_ino == held.st_ino && unlink(path) == 0;
    close(fd);
    return is_removed && held.st_size > 0;
}

/* Between creating and locking, somebody may have taken the file as stale: then it is theirs to remove. */
static int hold(int fd)
{
    struct stat st;
    return lock(fd) != EWOULDBLOCK && (fstat(fd, &st) != 0 || st.st_nlink > 0);
}

static void announce(const gf_write_options *options, const char *path)
{
    if (options->on_temporary != NULL) {
        options->on_temporary(options->user, path);
    }
}

int gf_temporary_create(const char *target, mode_t mode, const gf_write_options *options,
                        char path[GF_TEMPORARY_SIZE])
{
    for (unsigned slot = 0; slot < SLOTS; slot++) {
        name_temporary(target, slot, path);
        if (remove_stale(path) && options->on_stale != NULL) {
            options->on_stale(options->user, path);
        }
    }
    for (unsigned attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        name_temporary(target, attempt, path);
        announce(options, path);
        int fd = gf_open_again(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
        int why = fd < 0 ? errno : EEXIST;
        if (fd >= 0 && hold(fd)) {
            announce(options, path);
            return fd;
        }
        announce(options, NULL);
        if (fd >= 0) {
            close(fd);
        } else if (why != EEXIST) {
            errno = why;
            return -1;
        }
    }
    errno = EEXIST;
    return -1;
}

/* ---- folders without rename ---- */

#define FUSE_MAGIC INT64_C(0x65735546)
#define KNOWN      8u
#define MOST_TRIES 20

/* Devices that were tried: device * 4 + 2, and 1 more where files can be renamed; 0: free. */
static _Atomic uint64_t known[KNOWN];

static void in_folder(const char *target, const char *name, char path[GF_TEMPORARY_SIZE])
{
    const char *slash = strrchr(target, '/');
    snprintf(path, GF_TEMPORARY_SIZE, "%.*s%s", slash != NULL ? (int)(slash - target) + 1 : 0, target, name);
}

/* 1: a file could be renamed; 0: the folder has no rename; -1: neither is certain. EPERM says nothing of a
 * file that somebody else left. */
static int try_rename_once(const char *target)
{
    char from[GF_TEMPORARY_SIZE], to[GF_TEMPORARY_SIZE];
    in_folder(target, ".gpufilter-rename.00000000.tmp", from);
    in_folder(target, ".gpufilter-rename.00000001.tmp", to);
    int fd = gf_open_again(from, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
    const int is_ours = fd >= 0;
    if (is_ours) {
        close(fd);
    }
    const int why = rename(from, to) == 0 ? 0 : errno;
    unlink(why == 0 ? to : from);
    errno = why;
    const int has_none = why == ENOSYS || why == ENOTSUP || why == EXDEV || (why == EPERM && is_ours);
    return why == 0 ? 1 : has_none ? 0 : -1;
}

/* Somebody else may be trying the same, and take the file away before it can be renamed: then once more. */
static int try_rename(const char *target)
{
    int renames = -1;
    for (int i = 0; i < MOST_TRIES && (renames = try_rename_once(target)) < 0 && errno == ENOENT; i++) {
        const struct timespec pause = {0, (i + 1) * 1000000L};
        nanosleep(&pause, NULL);
    }
    return renames;
}

int gf_folder_renames(const char *target)
{
    char folder[GF_TEMPORARY_SIZE];
    struct statfs system;
    struct stat is;
    in_folder(target, ".", folder);
    if (statfs(folder, &system) != 0 || (int64_t)system.f_type != FUSE_MAGIC || stat(folder, &is) != 0) {
        return 1;
    }
    const uint64_t device = (uint64_t)is.st_dev * 4 + 2;
    for (unsigned i = 0; i < KNOWN; i++) {
        const uint64_t found = atomic_load(&known[i]);
        if ((found & ~UINT64_C(1)) == device) {
            return (int)(found & 1);
        }
    }
    const int renames = try_rename(target);
    uint64_t none = 0;
    for (unsigned i = 0; renames >= 0 && i < KNOWN; i++, none = 0) {
        if (atomic_compare_exchange_strong(&known[i], &none, device + (uint64_t)renames)) {
            break;
        }
    }
    return renames != 0;
}
