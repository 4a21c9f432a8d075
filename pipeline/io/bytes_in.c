#define _POSIX_C_SOURCE 200809L
#include "io/bytes_in.h"

#include "base/status.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUFFER_SIZE ((size_t)1 << 17)

void gf_label(char label[GF_LABEL_SIZE], const char *path, const char *standard)
{
    if (strcmp(path, "-") == 0) {
        snprintf(label, GF_LABEL_SIZE, "%s", standard);
        return;
    }
    size_t length = strlen(path);
    int cut = length >= GF_LABEL_SIZE;
    snprintf(label, GF_LABEL_SIZE, "%s%s", cut ? "..." : "",
             cut ? path + length - (GF_LABEL_SIZE - 4) : path);
    for (char *c = label; *c != '\0'; c++) {
        if ((unsigned char)*c < 0x20 || *c == 0x7f) {
            *c = '?';
        }
    }
}

const char *gf_errno_text(int number, char *text, size_t size)
{
    if (strerror_r(number, text, size) != 0) {
        snprintf(text, size, "error %d", number);
    }
    return text;
}

static gf_status fail_errno(const struct gf_bytes_in *in, const char *what, int number, gf_error *error)
{
    char text[128];
    gf_fail(error, GF_ERROR_INPUT, "%s: %s: %s", in->label, what, gf_errno_text(number, text, sizeof text));
    gf_error_system(error, number);
    return GF_ERROR_INPUT;
}

gf_status gf_fail_callback(const gf_error *said, const char *label, const char *what, gf_error *error)
{
    char who[GF_LABEL_SIZE + 32];
    gf_error mine = *said;
    snprintf(who, sizeof who, "%s: %s", label, what);
    return gf_callback_status(said->code, &mine, who, error);
}

/* Any year that a file system holds: it only is to differ. */
static uint64_t when_written(const struct stat *st)
{
    return (uint64_t)st->st_mtim.tv_sec * 1000000000 + (uint64_t)st->st_mtim.tv_nsec;
}

/* A limit is better met before reading. */
static gf_status check_size(const struct gf_bytes_in *in, gf_error *error)
{
    if (in->size == GF_SIZE_UNKNOWN || in->size <= in->max_bytes) {
        return GF_OK;
    }
    return gf_fail(error, GF_ERROR_LIMIT, "%s: %" PRIu64 " bytes exceed max_input_bytes, %" PRIu64, in->label,
                   in->size, in->max_bytes);
}

static gf_status make_buffer(struct gf_bytes_in *in, gf_error *error)
{
    in->buffer = malloc(BUFFER_SIZE);
    return in->buffer != NULL ? GF_OK
                              : gf_fail(error, GF_ERROR_MEMORY, "%s: no memory for a read buffer", in->label);
}

/* Regular files tell their size at once. */
static gf_status check_kind(struct gf_bytes_in *in, gf_error *error)
{
    struct stat st;
    if (fstat(in->fd, &st) != 0) {
        return fail_errno(in, "cannot read", errno, error);
    }
    if (S_ISDIR(st.st_mode)) {
        return gf_fail(error, GF_ERROR_INPUT, "%s: is a folder, not a file", in->label);
    }
    off_t at = S_ISREG(st.st_mode) ? lseek(in->fd, 0, SEEK_CUR) : -1;
    in->start = at;
    in->written = when_written(&st);
    if (at >= 0 && st.st_size > 0) { /* files of /proc claim 0 bytes */
        in->size = st.st_size > at ? (uint64_t)(st.st_size - at) : 0;
    }
    return check_size(in, error);
}

gf_status gf_bytes_in_open(struct gf_bytes_in *in, const char *path, uint64_t max_bytes, gf_error *error)
{
    *in = (struct gf_bytes_in){.fd = STDIN_FILENO, .size = GF_SIZE_UNKNOWN, .max_bytes = max_bytes};
    gf_label(in->label, path, "standard input");
    if (strcmp(path, "-") != 0) {
        do {
            in->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
        } while (in->fd < 0 && errno == EINTR);
        if (in->fd < 0) {
            return fail_errno(in, "cannot open", errno, error);
        }
        in->owns_fd = 1;
    }
    gf_status status = check_kind(in, error);
    status = status == GF_OK ? make_buffer(in, error) : status;
    if (status != GF_OK) {
        gf_bytes_in_close(in);
    }
    return status;
}

gf_status gf_bytes_in_open_memory(struct gf_bytes_in *in, const void *data, size_t size, const char *name,
                                  uint64_t max_bytes, gf_error *error)
{
    *in = (struct gf_bytes_in){.fd = -1,
                               .is_memory = 1,
                               .size = size,
                               .max_bytes = max_bytes,
                               .taken = size,
                               .buffer = (uint8_t *)(uintptr_t)(data != NULL ? data : ""), /* never written */
                               .end = size};
    gf_label(in->label, name != NULL ? name : "memory", "memory");
    return check_size(in, error);
}

gf_status gf_bytes_in_open_source(struct gf_bytes_in *in, const gf_byte_source *source, uint64_t max_bytes,
                                  gf_error *error)
{
    *in = (struct gf_bytes_in){.fd = -1,
                               .size = source->size != 0 ? source->size : GF_SIZE_UNKNOWN,
                               .max_bytes = max_bytes,
                               .start = source->again != NULL ? 0 : -1,
                               .source = *source,
                               .failed = GF_ERROR_INIT};
    gf_label(in->label, source->name != NULL ? source->name : "input", "input");
    GF_TRY(check_size(in, error));
    return make_buffer(in, error);
}

gf_status gf_bytes_in_fail_changed(const struct gf_bytes_in *in, gf_error *error)
{
    return gf_fail(error, GF_ERROR_INPUT, "%s: was written while it was read", in->label);
}

gf_status gf_bytes_in_check_same(const struct gf_bytes_in *in, gf_error *error)
{
    struct stat st;
    if (in->fd < 0) {
        return GF_OK; /* nobody could tell */
    }
    if (fstat(in->fd, &st) != 0) {
        return fail_errno(in, "cannot read again", errno, error);
    }
    bool same = when_written(&st) == in->written &&
                (in->size == GF_SIZE_UNKNOWN || (uint64_t)(st.st_size - in->start) == in->size);
    return same ? GF_OK : gf_bytes_in_fail_changed(in, error);
}

static gf_status ask_again(struct gf_bytes_in *in, gf_error *error)
{
    gf_error said = GF_ERROR_INIT;
    gf_status status = in->source.again(in->source.user, &said);
    said.code = status;
    return status == GF_OK ? GF_OK : gf_fail_callback(&said, in->label, "its function to begin again", error);
}

gf_status gf_bytes_in_again(struct gf_bytes_in *in, gf_error *error)
{
    if (in->is_memory) {
        in->begin = 0;
        in->end = (size_t)in->size;
        return GF_OK;
    }
    if (in->source.again != NULL) {
        GF_TRY(ask_again(in, error));
    } else if (in->start < 0 || lseek(in->fd, in->start, SEEK_SET) < 0) {
        return fail_errno(in, "cannot read again", in->start < 0 ? ESPIPE : errno, error);
    }
    GF_TRY(gf_bytes_in_check_same(in, error));
    in->taken = 0;
    in->begin = in->end = 0;
    in->ended = 0;
    return GF_OK;
}

void gf_bytes_in_close(struct gf_bytes_in *in)
{
    if (in->owns_fd) {
        close(in->fd);
    }
    in->owns_fd = 0;
    if (!in->is_memory) {
        free(in->buffer);
    }
    in->buffer = NULL;
}

/* One call of the caller's function, as read() would answer. */
static ssize_t ask_source(struct gf_bytes_in *in, void *bytes, size_t size)
{
    size_t got = 0;
    in->failed = (gf_error)GF_ERROR_INIT;
    gf_status status = in->source.read(in->source.user, bytes, size, &got, &in->failed);
    if (status == GF_OK && got > size) {
        status = gf_fail(&in->failed, GF_ERROR_ARGUMENT, "%s: its read function gave %zu bytes for %zu",
                         in->label, got, size);
    }
    in->failed.code = status;
    in->ended = got == 0;
    errno = EIO;
    return status == GF_OK ? (ssize_t)got : -1;
}

/* One read of at most size bytes, within the limit. Returns 0 at the end and on failure. */
static size_t read_some(struct gf_bytes_in *in, void *bytes, size_t size)
{
    if (in->is_memory || in->ended || in->errno_seen != 0 || in->over_limit) {
        return 0;
    }
    uint64_t room = in->max_bytes - in->taken;
    if (in->has_excess && room > 0) {
        *(uint8_t *)bytes = in->excess;
        in->has_excess = 0;
        in->taken++;
        return 1;
    }
    void *to =
        room == 0 ? &in->excess : bytes; /* at the limit only one more byte's arrival proves the excess */
    size_t ask = room == 0 ? 1 : room < size ? (size_t)room : size;
    ssize_t got;
    do {
        got = in->fd < 0 ? ask_source(in, to, ask) : read(in->fd, to, ask);
    } while (got < 0 && errno == EINTR);
    if (got < 0) {
        in->errno_seen = errno;
        return 0;
    }
    if (room == 0) {
        in->over_limit = in->has_excess = got > 0;
        return 0;
    }
    in->taken += (uint64_t)got;
    return (size_t)got;
}

size_t gf_bytes_in_peek(struct gf_bytes_in *in, const uint8_t **bytes, size_t want)
{
    if (in->end - in->begin < want && in->begin > 0 && !in->is_memory) {
        memmove(in->buffer, in->buffer + in->begin, in->end - in->begin);
        in->end -= in->begin;
        in->begin = 0;
    }
    while (in->end - in->begin < want && !in->is_memory) {
        size_t got = read_some(in, in->buffer + in->end, BUFFER_SIZE - in->end);
        if (got == 0) {
            break;
        }
        in->end += got;
    }
    *bytes = in->buffer + in->begin;
    return in->end - in->begin < want ? in->end - in->begin : want;
}

size_t gf_bytes_in_read(struct gf_bytes_in *in, void *bytes, size_t size)
{
    uint8_t *to = bytes;
    size_t done = 0;
    while (done < size) {
        size_t have = in->end - in->begin;
        if (have > 0) {
            size_t part = have < size - done ? have : size - done;
            memcpy(to + done, in->buffer + in->begin, part);
            in->begin += part;
            done += part;
            continue;
        }
        size_t got = 0;
        if (size - done >= BUFFER_SIZE) { /* large reads go straight to their place */
            got = read_some(in, to + done, size - done);
            done += got;
        } else {
            got = read_some(in, in->buffer, BUFFER_SIZE);
            in->begin = 0;
            in->end = got;
        }
        if (got == 0) {
            break;
        }
    }
    return done;
}

int gf_bytes_in_is_random(const struct gf_bytes_in *in)
{
    return in->is_memory || (in->fd >= 0 && in->start >= 0 && in->size != GF_SIZE_UNKNOWN);
}

size_t gf_bytes_in_at(struct gf_bytes_in *in, uint64_t at, void *bytes, size_t size)
{
    const uint64_t left = at < in->size ? in->size - at : 0;
    const size_t want = left < size ? (size_t)left : size;
    if (in->is_memory) {
        memcpy(bytes, in->buffer + (want > 0 ? at : 0), want);
        return want;
    }
    for (size_t done = 0; done < want;) {
        const ssize_t got =
            pread(in->fd, (uint8_t *)bytes + done, want - done, in->start + (int64_t)at + (int64_t)done);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            in->errno_seen = got < 0 ? errno : in->errno_seen;
            return done;
        }
        done += (size_t)got;
    }
    return want;
}

static gf_status fail_hold(const struct gf_bytes_in *in, uint64_t most, gf_error *error)
{
    return gf_fail(error, GF_ERROR_LIMIT,
                   "%s: is held in memory, and has more bytes than max_memory, %" PRIu64, in->label, most);
}

gf_status gf_bytes_in_hold(struct gf_bytes_in *in, uint64_t most, uint8_t **held, const uint8_t **bytes,
                           uint64_t *size, gf_error *error)
{
    const uint64_t left = gf_bytes_in_left(in);
    uint64_t room =
        left != GF_SIZE_UNKNOWN ? left + 1 : BUFFER_SIZE; /* one more than there is meets the end */
    *held = NULL;
    *size = 0;
    if (in->is_memory) {
        *bytes = in->buffer + in->begin;
        *size = left;
        return GF_OK;
    }
    if (left != GF_SIZE_UNKNOWN && left > most) {
        return fail_hold(in, most, error);
    }
    for (;; room *= 2) {
        uint8_t *more = *size <= most && room <= SIZE_MAX / 2 ? realloc(*held, (size_t)room) : NULL;
        if (more == NULL) {
            return *size > most ? fail_hold(in, most, error)
                                : gf_fail(error, GF_ERROR_MEMORY, "%s: no memory for its bytes", in->label);
        }
        *held = more;
        *size += gf_bytes_in_read(in, more + *size, (size_t)(room - *size));
        if (*size < room) {
            break;
        }
    }
    *bytes = *held;
    if (*size > most) {
        return fail_hold(in, most, error);
    }
    return in->errno_seen != 0 || in->over_limit ? gf_bytes_in_fail(in, "its bytes", error) : GF_OK;
}

uint64_t gf_bytes_in_left(const struct gf_bytes_in *in)
{
    if (in->size == GF_SIZE_UNKNOWN) {
        return GF_SIZE_UNKNOWN;
    }
    uint64_t delivered = in->taken - (in->end - in->begin);
    return in->size > delivered ? in->size - delivered : 0;
}

gf_status gf_bytes_in_fail(const struct gf_bytes_in *in, const char *where, gf_error *error)
{
    if (in->failed.code != GF_OK) {
        return gf_fail_callback(&in->failed, in->label, "its read function", error);
    }
    if (in->errno_seen != 0) {
        return fail_errno(in, "cannot read", in->errno_seen, error);
    }
    if (in->over_limit) {
        return gf_fail(error, GF_ERROR_LIMIT, "%s: more bytes than max_input_bytes, %" PRIu64, in->label,
                       in->max_bytes);
    }
    return gf_fail(error, GF_ERROR_INPUT, "%s: the file ends early (in %s)", in->label, where);
}
