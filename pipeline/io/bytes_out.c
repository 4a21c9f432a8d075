#define _GNU_SOURCE /* renameat2 */
#include "io/bytes_out.h"

#include "base/sized.h"
#include "base/status.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUFFER_SIZE ((size_t)1 << 17)

static gf_status fail_errno(const struct gf_bytes_out *out, const char *what, int number, gf_error *error)
{
    char text[128];
    gf_fail(error, GF_ERROR_OUTPUT, "%s: %s: %s", out->label, what, gf_errno_text(number, text, sizeof text));
    gf_error_system(error, number);
    return GF_ERROR_OUTPUT;
}

static void announce(const struct gf_bytes_out *out, const char *path)
{
    if (out->options->on_temporary != NULL) {
        out->options->on_temporary(out->options->user, path);
    }
}

/* The temporary is renamed, or is to be removed. */
static void forget_temporary(struct gf_bytes_out *out)
{
    announce(out, NULL);
    out->temporary[0] = '\0';
}

static gf_status open_through(struct gf_bytes_out *out, const char *path, int descriptor, gf_error *error)
{
    out->through = 1;
    out->fd = descriptor >= 0 ? fcntl(descriptor, F_DUPFD_CLOEXEC, 3) : gf_open_again(path, O_WRONLY, 0);
    return out->fd >= 0 ? GF_OK : fail_errno(out, "cannot open for writing", errno, error);
}

/* Gives the new file the owner and permission bits of the one it replaces. Where the owner
 * cannot be kept, the new group must not gain what only the old group had. */
static int keep_access(int fd, const struct stat *old)
{
    struct stat now;
    mode_t mode = old->st_mode & 0777;
    if (fstat(fd, &now) != 0) {
        return 0;
    }
    if ((now.st_uid != old->st_uid || now.st_gid != old->st_gid) &&
        fchown(fd, old->st_uid, old->st_gid) != 0) {
        mode &= ~(mode_t)070 | (mode & 007) << 3;
    }
    return fchmod(fd, mode) == 0;
}

static gf_status create_straight(struct gf_bytes_out *out, int exists, gf_error *error)
{
    if (exists && out->options->in_place) {
        return gf_fail(
            error, GF_ERROR_OUTPUT,
            "%s: is read, too, and in its folder, where no file can be renamed, it cannot be replaced "
            "at once: choose another name",
            out->label);
    }
    strcpy(out->temporary, out->target);
    announce(out, out->temporary);
    out->fd = gf_open_again(out->target, O_WRONLY | O_CREAT | O_NOFOLLOW | (exists ? O_TRUNC : O_EXCL), 0666);
    if (out->fd < 0) {
        const int why = errno;
        forget_temporary(out);
        return fail_errno(out, "cannot create", why, error);
    }
    announce(out, out->temporary);
    out->through = out->straight = 1;
    return GF_OK;
}

static gf_status create_temporary(struct gf_bytes_out *out, const struct stat *old, gf_error *error)
{
    if (!gf_folder_renames(out->target)) {
        return create_straight(out, old != NULL, error);
    }
    out->fd = gf_temporary_create(out->target, old != NULL ? 0600 : 0666, out->options, out->temporary);
    if (out->fd < 0) {
        out->temporary[0] = '\0';
        return fail_errno(out, "cannot create a file in its folder", errno, error);
    }
    return old == NULL || keep_access(out->fd, old) ? GF_OK
                                                    : fail_errno(out, "cannot keep its mode", errno, error);
}

static gf_status open_target(struct gf_bytes_out *out, const char *path, gf_error *error)
{
    int why = gf_target_resolve(path, out->target);
    if (why != 0) {
        return fail_errno(out, strlen(path) < GF_PATH_SIZE ? "cannot follow the link" : "cannot write", why,
                          error);
    }
    struct stat old;
    if (stat(out->target, &old) != 0) {
        return errno == ENOENT ? create_temporary(out, NULL, error)
                               : fail_errno(out, "cannot write", errno, error);
    }
    if (S_ISDIR(old.st_mode)) {
        return gf_fail(error, GF_ERROR_OUTPUT, "%s: is a folder, not a file", out->label);
    }
    if (!S_ISREG(old.st_mode)) {
        return open_through(out, out->target, -1, error);
    }
    if (out->options->no_clobber) {
        return gf_fail(error, GF_ERROR_OUTPUT, "%s: exists, and is not to be overwritten", out->label);
    }
    /* A rename needs no leave from the file itself; its owner's "read only" is obeyed all the same. */
    if (faccessat(AT_FDCWD, out->target, W_OK, AT_EACCESS) != 0) {
        return fail_errno(out, "cannot overwrite", errno, error);
    }
    return create_temporary(out, &old, error);
}

/* Opens without a buffer. */
static gf_status open_bare(struct gf_bytes_out *out, const char *path, const gf_write_options *options,
                           gf_error *error)
{
    *out = (struct gf_bytes_out){.fd = -1, .options = options};
    gf_label(out->label, path, "standard output");
    int descriptor = gf_target_descriptor(path);
    gf_status status =
        descriptor >= 0 ? open_through(out, path, descriptor, error) : open_target(out, path, error);
    if (status != GF_OK) {
        gf_bytes_out_abort(out);
    }
    return status;
}

static gf_status fail_memory(struct gf_bytes_out *out, gf_error *error)
{
    return gf_fail(error, GF_ERROR_MEMORY, "%s: no memory to write", out->label);
}

gf_status gf_bytes_out_open(struct gf_bytes_out *out, const char *path, const gf_write_options *options,
                            gf_error *error)
{
    uint8_t *buffer = malloc(BUFFER_SIZE);
    if (buffer == NULL) {
        *out = (struct gf_bytes_out){.fd = -1};
        gf_label(out->label, path, "standard output");
        return fail_memory(out, error);
    }
    gf_status status = open_bare(out, path, options, error);
    if (status == GF_OK) {
        out->buffer = buffer;
    } else {
        free(buffer);
    }
    return status;
}

gf_status gf_bytes_out_open_sink(struct gf_bytes_out *out, const gf_byte_sink *sink,
                                 const gf_write_options *options, gf_error *error)
{
    *out = (struct gf_bytes_out){.fd = -1, .through = 1, .sink = *sink, .options = options};
    gf_label(out->label, sink->name != NULL ? sink->name : "output", "output");
    out->buffer = malloc(BUFFER_SIZE);
    return out->buffer != NULL ? GF_OK : fail_memory(out, error);
}

static int give_sink(struct gf_bytes_out *out, const uint8_t *bytes, size_t size)
{
    if (size > 0 && out->errno_seen == 0) {
        out->failed = (gf_error)GF_ERROR_INIT;
        out->failed.code = out->sink.write(out->sink.user, bytes, size, &out->failed);
        out->errno_seen = out->failed.code == GF_OK ? 0 : EIO;
    }
    return out->errno_seen == 0;
}

static int write_all(struct gf_bytes_out *out, const uint8_t *bytes, size_t size)
{
    if (out->sink.write != NULL) {
        return give_sink(out, bytes, size);
    }
    while (size > 0 && out->errno_seen == 0) {
        ssize_t done = write(out->fd, bytes, size);
        if (done > 0) {
            bytes += done;
            size -= (size_t)done;
        } else if (done == 0 || errno != EINTR) {
            out->errno_seen = done == 0 ? EIO : errno;
        }
    }
    return out->errno_seen == 0;
}

static int flush(struct gf_bytes_out *out)
{
    size_t used = out->used;
    out->used = 0;
    return write_all(out, out->buffer, used);
}

int gf_bytes_out_write(struct gf_bytes_out *out, const void *bytes, size_t size)
{
    if (size > BUFFER_SIZE - out->used && !flush(out)) {
        return 0;
    }
    if (size >= BUFFER_SIZE) {
        return write_all(out, bytes, size);
    }
    if (size > 0) {
        memcpy(out->buffer + out->used, bytes, size);
        out->used += size;
    }
    return out->errno_seen == 0;
}

int gf_bytes_out_patch(struct gf_bytes_out *out, const void *bytes, size_t size)
{
    flush(out);
    for (size_t done = 0; done < size && out->errno_seen == 0;) {
        const ssize_t now = pwrite(out->fd, (const uint8_t *)bytes + done, size - done, (off_t)done);
        if (now > 0) {
            done += (size_t)now;
        } else if (now == 0 || errno != EINTR) {
            out->errno_seen = now == 0 ? EIO : errno;
        }
    }
    return out->errno_seen == 0;
}

gf_status gf_bytes_out_fail(const struct gf_bytes_out *out, gf_error *error)
{
    if (out->failed.code != GF_OK) {
        return gf_fail_callback(&out->failed, out->label, "its write function", error);
    }
    return fail_errno(out, "cannot write", out->errno_seen != 0 ? out->errno_seen : EIO, error);
}

static int close_fd(struct gf_bytes_out *out)
{
    int fd = out->fd;
    out->fd = -1;
    return close(fd) == 0 || errno == EINTR; /* Linux closes it even then */
}

/* rename that refuses an existing target, as atomically as the file system can. */
static int rename_new(const char *from, const char *to)
{
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) {
        return 1;
    }
    if (errno != ENOSYS && errno != EINVAL) {
        return 0;
    }
    if (link(from, to) == 0) {
        unlink(from);
        return 1;
    }
    if (errno != EPERM && errno != ENOTSUP && errno != ENOSYS) {
        return 0;
    }
    struct stat st;
    if (lstat(to, &st) == 0) {
        errno = EEXIST;
        return 0;
    }
    return rename(from, to) == 0;
}

/* A file system that has no fsync, as some that are mounted from elsewhere, has nothing left to lose by it.
 */
static int sync_file(int fd)
{
    int result;
    do {
        result = fsync(fd);
    } while (result != 0 && errno == EINTR);
    return result == 0 || errno == ENOSYS || errno == EINVAL || errno == ENOTSUP;
}

/* Makes the rename last; cuts the target's path to its folder. A folder that cannot be opened
 * or synced at all (no read leave, some network file systems) is no failure; an I/O error is. */
static int sync_folder(char *target)
{
    char *slash = strrchr(target, '/');
    if (slash != NULL) {
        slash[1] = '\0';
    }
    int fd = gf_open_again(slash != NULL ? target : ".", O_RDONLY | O_DIRECTORY, 0);
    if (fd < 0) {
        return 1;
    }
    int ok = sync_file(fd) || (errno != EIO && errno != ENOSPC && errno != EDQUOT);
    int why = errno;
    close(fd);
    errno = why;
    return ok;
}

static gf_status put_in_place(struct gf_bytes_out *out, gf_error *error)
{
    int moved = out->options->no_clobber ? rename_new(out->temporary, out->target)
                                         : rename(out->temporary, out->target) == 0;
    if (!moved) {
        return fail_errno(out, "cannot put the finished file in place", errno, error);
    }
    forget_temporary(out);
    return sync_folder(out->target)
               ? GF_OK
               : fail_errno(out, "written, but its folder cannot be synced", errno, error);
}

gf_status gf_bytes_out_commit(struct gf_bytes_out *out, gf_error *error)
{
    gf_status status = GF_OK;
    if (!flush(out)) {
        status = gf_bytes_out_fail(out, error);
    } else if ((!out->through || out->straight) && !sync_file(out->fd)) {
        status = fail_errno(out, "cannot write to disk", errno, error);
    } else if (!out->through) {
        status = put_in_place(out, error);
    }
    /* Closing ends the lock on the temporary, and so comes last; after fsync there is nothing left to lose.
     * An object store makes the file of what was written only now. */
    if (status == GF_OK && out->fd >= 0 && !close_fd(out)) {
        status =
            fail_errno(out, out->through ? "cannot close" : "written, but cannot be closed", errno, error);
    }
    if (status == GF_OK && out->straight) {
        forget_temporary(out);
    }
    gf_bytes_out_abort(out);
    return status;
}

/* Nobody is to take a part for the whole: an empty file is no picture. */
static void remove_part(const struct gf_bytes_out *out)
{
    if (unlink(out->temporary) == 0 || errno == ENOENT) {
        return;
    }
    const int why = errno, is_cut = truncate(out->temporary, 0) == 0;
    if (out->options->on_kept != NULL) {
        errno = why;
        out->options->on_kept(out->options->user, out->temporary, is_cut);
    }
}

void gf_bytes_out_abort(struct gf_bytes_out *out)
{
    if (out->straight && out->fd >= 0) { /* an object store has nothing to remove before */
        close_fd(out);
    }
    if (out->temporary[0] != '\0') {
        remove_part(out);
        forget_temporary(out);
    }
    if (out->fd >= 0) {
        close_fd(out);
    }
    free(out->buffer);
    out->buffer = NULL;
}

gf_status gf_io_write_bytes(const char *path, const void *bytes, size_t size, const gf_write_options *options,
                            gf_error *error)
{
    static const struct gf_sized sized = GF_SIZED(gf_write_options, png_level);
    gf_write_options taken = GF_WRITE_OPTIONS_INIT;
    struct gf_bytes_out out;
    if (path == NULL || path[0] == '\0' || (bytes == NULL && size > 0)) {
        return gf_fail(error, GF_ERROR_ARGUMENT,
                       "gf_io_write_bytes: path or bytes is NULL, or path is empty");
    }
    GF_TRY(options != NULL ? gf_struct_in(&sized, options, &taken, error) : GF_OK);
    GF_TRY(open_bare(&out, path, &taken, error));
    write_all(&out, bytes, size);
    return gf_bytes_out_commit(&out, error);
}
