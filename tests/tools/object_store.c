/* Makes a folder like the mount of an object store, for a program that is started with LD_PRELOAD. Below
 * $STORE there is no rename and no link, which fail with the error number $STORE_ERROR (ENOSYS where it is
 * not set), no fsync (ENOSYS) and no seeking in what is written (ESPIPE); the file system says that it is
 * FUSE. $STORE_CLOSE is the error of every close of a file that was written, $STORE_UNLINK that of removing,
 * $STORE_TRUNCATE that of cutting by a path. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

static int number(const char *name, int otherwise)
{
    const char *text = getenv(name);
    return text ? atoi(text) : otherwise;
}

static int is_there(const char *path)
{
    char real[PATH_MAX], folder[PATH_MAX];
    const char *store = getenv("STORE"), *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
    return store && realpath(folder, real) && !strncmp(real, store, strlen(store));
}

static int is_of_it(int fd)
{
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    const ssize_t length = readlink(link, path, sizeof path - 1);
    path[length > 0 ? length : 0] = '\0';
    return path[0] == '/' && is_there(path) && (fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDONLY;
}

static int refuse(int why)
{
    errno = why;
    return -1;
}

static int refuse_rename(void)
{
    return refuse(number("STORE_ERROR", ENOSYS));
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

int statfs(const char *path, struct statfs *is)
{
    const int result = NEXT(statfs)(path, is);
    if (result == 0 && is_there(path)) {
        is->f_type = 0x65735546;
    }
    return result;
}

int rename(const char *from, const char *to)
{
    return is_there(from) ? refuse_rename() : NEXT(rename)(from, to);
}

int renameat2(int a, const char *from, int b, const char *to, unsigned flags)
{
    return is_there(from) ? refuse_rename() : NEXT(renameat2)(a, from, b, to, flags);
}

int link(const char *from, const char *to)
{
    return is_there(from) ? refuse_rename() : NEXT(link)(from, to);
}

int unlink(const char *path)
{
    const int why = is_there(path) ? number("STORE_UNLINK", 0) : 0;
    return why ? refuse(why) : NEXT(unlink)(path);
}

int truncate(const char *path, off_t size)
{
    const int why = is_there(path) ? number("STORE_TRUNCATE", 0) : 0;
    return why ? refuse(why) : NEXT(truncate)(path, size);
}

int fsync(int fd)
{
    return is_of_it(fd) ? refuse(ENOSYS) : NEXT(fsync)(fd);
}

int fdatasync(int fd)
{
    return is_of_it(fd) ? refuse(ENOSYS) : NEXT(fdatasync)(fd);
}

off_t lseek(int fd, off_t at, int from)
{
    return is_of_it(fd) ? refuse(ESPIPE) : NEXT(lseek)(fd, at, from);
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at)
{
    return is_of_it(fd) ? refuse(ESPIPE) : NEXT(pwrite)(fd, bytes, count, at);
}

int close(int fd)
{
    const int why = is_of_it(fd) ? number("STORE_CLOSE", 0) : 0, result = NEXT(close)(fd);
    errno = why ? why : errno;
    return why ? -1 : result;
}
