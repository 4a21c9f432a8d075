#define _POSIX_C_SOURCE 200809L
#include "output_file.h"

#include "job_options.h"
#include "message.h"
#include "signals.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static gf_status fail_errno(const char *path, const char *what)
{
    return cli_fail(GF_ERROR_OUTPUT, "%s: %s: %s", path, what, strerror(errno));
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

bool output_is_same(const char *path, const char *other)
{
    struct stat one, two;
    bool exists = stat(path, &one) == 0;
    if (exists && !S_ISREG(one.st_mode)) {
        return false;
    }
    return !strcmp(path, other) ||
           (exists && stat(other, &two) == 0 && one.st_dev == two.st_dev && one.st_ino == two.st_ino);
}

gf_status output_write_text(const char *path, const struct buffer *text)
{
    if (is_standard_output(path)) {
        return buffer_to_stdout(text);
    }
    if (text->failed) {
        return cli_fail(GF_ERROR_MEMORY, "out of memory");
    }
    gf_error error = GF_ERROR_INIT;
    gf_write_options options = GF_WRITE_OPTIONS_INIT;
    signals_watch(&options);
    gf_status status = gf_io_write_bytes(path, text->data, text->length, &options, &error);
    return status == GF_OK ? GF_OK : cli_fail_error(status, &error);
}
