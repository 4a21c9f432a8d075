#define _XOPEN_SOURCE 700 /* realpath */
#include "output_file.h"

#include "job_options.h"
#include "message.h"
#include "signals.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static gf_status fail_errno(const char *path, const char *what)
{
    return cli_fail(GF_ERROR_OUTPUT, "%s: %s: %s", path, what, strerror(errno));
}

static int write_all(int fd, const struct buffer *text)
{
    for (size_t done = 0; done < text->length;) {
        ssize_t count = write(fd, text->data + done, text->length - done);
        if (count < 0 && errno != EINTR) {
            return -1;
        }
        done += count > 0 ? (size_t)count : 0;
    }
    return 0;
}

/* Bytes of the path up to and with its last slash. */
static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

gf_status output_check(const char *path)
{
    struct stat status;
    if (is_standard_output(path)) {
        return GF_OK;
    }
    if (stat(path, &status) == 0) {
        if (S_ISDIR(status.st_mode)) {
            return cli_fail(GF_ERROR_OUTPUT, "%s: is a folder, not a file", path);
        }
        return access(path, W_OK) == 0 ? GF_OK : fail_errno(path, "cannot write");
    }
    if (lstat(path, &status) == 0) {
        return GF_OK; /* a link to nothing yet: where it leads is seen when it is written */
    }
    char folder[4096];
    int length = (int)folder_length(path);
    snprintf(folder, sizeof folder, "%.*s", length ? length : 1, length ? path : ".");
    return access(folder, W_OK | X_OK) == 0 ? GF_OK : fail_errno(path, "cannot create it in its folder");
}

static gf_status write_through(const char *path, const struct buffer *text)
{
    int fd = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
    if (fd < 0) {
        return fail_errno(path, "cannot open");
    }
    int failed = write_all(fd, text);
    gf_status status = failed ? fail_errno(path, "cannot write") : GF_OK;
    close(fd);
    return status;
}

static gf_status write_and_rename(const char *target, const char *temporary, mode_t mode,
                                  const struct buffer *text)
{
    int fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0) {
        return fail_errno(target, "cannot create a file in its folder");
    }
    int failed = (mode && fchmod(fd, mode) != 0) || write_all(fd, text) != 0 || fsync(fd) != 0;
    int why = errno;
    if (close(fd) != 0 && !failed) {
        failed = 1;
        why = errno;
    }
    if (!failed && rename(temporary, target) != 0) {
        failed = 1;
        why = errno;
    }
    if (failed) {
        unlink(temporary);
        errno = why;
        return fail_errno(target, "cannot write");
    }
    return GF_OK;
}

static gf_status replace(const char *target, mode_t mode, const struct buffer *text)
{
    size_t folder = folder_length(target);
    char temporary[PATH_MAX + 160];
    if (folder >= PATH_MAX) {
        errno = ENAMETOOLONG;
        return fail_errno(target, "cannot write");
    }
    snprintf(temporary, sizeof temporary, "%.*s.gpufilter-%.100s.%ld.tmp", (int)folder, target,
             target + folder, (long)getpid());
    signals_temporary(NULL, temporary);
    gf_status status = write_and_rename(target, temporary, mode, text);
    signals_temporary(NULL, NULL);
    return status;
}

gf_status output_write_text(const char *path, const struct buffer *text)
{
    struct stat old;
    if (is_standard_output(path)) {
        return buffer_to_stdout(text);
    }
    if (text->failed) {
        return cli_fail(GF_ERROR_MEMORY, "out of memory");
    }
    if (stat(path, &old) != 0) {
        return replace(path, 0, text);
    }
    if (!S_ISREG(old.st_mode)) {
        return write_through(path, text);
    }
    char target[PATH_MAX]; /* a link stays, what it points to is replaced */
    return realpath(path, target) ? replace(target, old.st_mode & 0777, text)
                                  : fail_errno(path, "cannot follow the link");
}
