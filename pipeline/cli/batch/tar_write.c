#define _POSIX_C_SOURCE 200809L
#include "batch/tar_write.h"

#include "base/message.h"
#include "job/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BLOCK = 512, MOST_TRIES = 100, MOST_NAME = 100 };
#define MOST_SIZE INT64_C(077777777777) /* that eleven octal digits hold */

static gf_status fail_errno(const struct tar_writer *tar, const char *what)
{
    const int number = errno;
    cli_fail_system(number);
    return cli_fail(GF_ERROR_OUTPUT, "%s: %s: %s", tar->label, what, strerror(number));
}

static void tell_watch(const struct tar_writer *tar, const char *path)
{
    tar->watch.on_temporary(tar->watch.user, path);
}

/* Beside the target, under a name that no other file has. */
static int make_temporary(struct tar_writer *tar, mode_t mode)
{
    const char *slash = strrchr(tar->target, '/');
    const int folder = slash ? (int)(slash - tar->target) + 1 : 0;
    int fd = -1;
    errno = EEXIST;
    for (int i = 0; i < MOST_TRIES && fd < 0 && errno == EEXIST; i++) {
        snprintf(tar->temporary, sizeof tar->temporary, "%.*s.gpufilter-%.100s.%ld-%d.tmp", folder,
                 tar->target, tar->target + folder, (long)getpid(), i);
        tell_watch(tar, tar->temporary);
        fd = open(tar->temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
        tell_watch(tar, fd >= 0 ? tar->temporary : NULL);
    }
    if (fd < 0) {
        tar->temporary[0] = '\0';
    }
    return fd;
}

gf_status tar_create(struct tar_writer *tar, const char *path, bool no_clobber)
{
    struct stat old;
    const bool is_standard = is_standard_output(path);
    *tar =
        (struct tar_writer){.label = is_standard ? "standard output" : path, .watch = GF_WRITE_OPTIONS_INIT};
    signals_watch(&tar->watch);
    if (is_standard && isatty(STDOUT_FILENO)) {
        return cli_fail(GF_ERROR_ARGUMENT,
                        "standard output is a terminal, and a tar is no text: send it to a file or a pipe");
    }
    CLI_TRY(output_check(path));
    if (snprintf(tar->target, sizeof tar->target, "%s", path) >= (int)sizeof tar->target) {
        errno = ENAMETOOLONG;
        return fail_errno(tar, "cannot create it");
    }
    output_follow_links(tar->target);
    const bool there = !is_standard && stat(tar->target, &old) == 0;
    const bool is_straight = is_standard || (there && !S_ISREG(old.st_mode));
    if (no_clobber && there && !is_straight) {
        return cli_fail(GF_ERROR_OUTPUT, "%s: exists, and --no-clobber keeps it", path);
    }
    int fd = is_standard   ? dup(STDOUT_FILENO)
             : is_straight ? open(tar->target, O_WRONLY | O_CLOEXEC | O_NOCTTY)
                           : make_temporary(tar, 0666);
    if (fd >= 0 && there && !is_straight && fchmod(fd, old.st_mode & 0777) != 0) {
        close(fd);
        fd = -1;
    }
    tar->file = fd >= 0 ? fdopen(fd, "w") : NULL;
    return tar->file ? GF_OK : fail_errno(tar, "cannot create it");
}

static bool add_block(struct tar_writer *tar, const char *name, char type, int64_t size, int64_t mtime)
{
    char block[BLOCK + 1] = "";
    unsigned sum = 0;
    memcpy(block, name, strnlen(name, MOST_NAME)); /* a longer one stands before it */
    snprintf(block + 100, 8, "%07o", 0644U);
    snprintf(block + 108, 8, "%07o", 0U);
    snprintf(block + 116, 8, "%07o", 0U);
    snprintf(block + 124, 12, "%011" PRIo64, (uint64_t)(size <= MOST_SIZE ? size : 0));
    snprintf(block + 136, 12, "%011" PRIo64, (uint64_t)(mtime <= MOST_SIZE ? mtime : MOST_SIZE));
    memcpy(block + 148, "        ", 8);
    block[156] = type;
    memcpy(block + 257, "ustar\00000", 8);
    for (int i = 0; i < BLOCK; i++) {
        sum += (unsigned char)block[i];
    }
    snprintf(block + 148, 8, "%06o", sum);
    return fwrite(block, BLOCK, 1, tar->file) == 1;
}

static bool add_bytes(struct tar_writer *tar, const char *bytes, size_t size)
{
    static const char zeros[BLOCK];
    const size_t fill = (BLOCK - size % BLOCK) % BLOCK;
    return fwrite(bytes, 1, size, tar->file) == size && fwrite(zeros, 1, fill, tar->file) == fill;
}

/* "20 path=some/name.png\n", whose number is its own length. */
static void add_record(struct buffer *text, const char *key, const char *value)
{
    const size_t bare = strlen(key) + strlen(value) + 3;
    size_t length = bare + 1;
    for (int i = 0; i < 3; i++) { /* its digits count, and may become one more */
        length = bare + (size_t)snprintf(NULL, 0, "%zu", length);
    }
    buffer_printf(text, "%zu %s=%s\n", length, key, value);
}

gf_status tar_add(struct tar_writer *tar, const char *name, int64_t mtime, const struct buffer *bytes)
{
    struct buffer records = {0};
    const int64_t size = (int64_t)bytes->length;
    if (strlen(name) > MOST_NAME) {
        add_record(&records, "path", name);
    }
    if (size > MOST_SIZE) {
        char text[24];
        snprintf(text, sizeof text, "%" PRId64, size);
        add_record(&records, "size", text);
    }
    CLI_TRY(cli_need_memory(!records.failed));
    const bool good =
        (records.length == 0 || (add_block(tar, "././@PaxHeader", 'x', (int64_t)records.length, 0) &&
                                 add_bytes(tar, records.data, records.length))) &&
        add_block(tar, name, '0', size, mtime) && (size == 0 || add_bytes(tar, bytes->data, bytes->length));
    buffer_free(&records);
    return good ? GF_OK : fail_errno(tar, "cannot write");
}

gf_status tar_finish(struct tar_writer *tar)
{
    static const char end[2 * BLOCK];
    const bool is_straight = !tar->temporary[0];
    bool good = fwrite(end, sizeof end, 1, tar->file) == 1 && fflush(tar->file) == 0;
    if (good && !is_straight) { /* some file systems have no fsync, and nothing left to lose by it */
        good = fsync(fileno(tar->file)) == 0 || errno == EINVAL || errno == ENOSYS || errno == ENOTSUP;
    }
    gf_status status = good ? GF_OK : fail_errno(tar, "cannot write");
    const bool closed = fclose(tar->file) == 0;
    tar->file = NULL;
    status = status == GF_OK && !closed ? fail_errno(tar, "cannot write") : status;
    if (status == GF_OK && !is_straight) {
        status = rename(tar->temporary, tar->target) == 0 ? GF_OK : fail_errno(tar, "cannot be renamed");
        if (status == GF_OK) {
            tell_watch(tar, NULL);
            tar->temporary[0] = '\0';
        }
    }
    return status;
}

void tar_abandon(struct tar_writer *tar)
{
    if (tar->file) {
        fclose(tar->file);
        tar->file = NULL;
    }
    if (tar->temporary[0]) {
        unlink(tar->temporary);
        tell_watch(tar, NULL);
        tar->temporary[0] = '\0';
    }
}
