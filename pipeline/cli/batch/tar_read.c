#define _POSIX_C_SOURCE 200809L
#include "batch/tar_read.h"

#include "base/message.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 512, PIECE = 1 << 16, MOST_EXTRA = 1 << 20, MOST_NAME = 4095 };

/* Where the fields of a header lie. */
enum { NAME = 0, SIZE = 124, MTIME = 136, SUM = 148, TYPE = 156, MAGIC = 257, PREFIX = 345 };

/* What headers before that of a member say of it. */
struct extra {
    bool has_size, has_mtime;
    int64_t size, mtime;
};

static gf_status fail_at(const struct tar_reader *tar, uint64_t at, const char *what)
{
    const char *name = tar->name.length ? tar->name.data : NULL;
    return cli_fail(GF_ERROR_INPUT, "%s: %s at byte %" PRIu64 ", %s%s", tar->label, what, at,
                    !name            ? "where its first member would be"
                    : tar->is_inside ? "in member "
                                     : "behind member ",
                    name ? name : "");
}

gf_status tar_open(struct tar_reader *tar, const char *path)
{
    const bool is_standard = !strcmp(path, "-");
    *tar = (struct tar_reader){.label = is_standard ? "standard input" : path};
    tar->file = is_standard ? stdin : fopen(path, "re");
    return tar->file ? GF_OK : cli_fail(GF_ERROR_INPUT, "%s: %s", path, strerror(errno));
}

void tar_close(struct tar_reader *tar)
{
    if (tar->file && tar->file != stdin) {
        fclose(tar->file);
    }
    buffer_free(&tar->name);
}

static gf_status read_bytes(struct tar_reader *tar, void *bytes, size_t size)
{
    errno = 0;
    const size_t got = fread(bytes, 1, size, tar->file);
    tar->at += got;
    if (got == size) {
        return GF_OK;
    }
    if (ferror(tar->file) && errno == EINTR) {
        return GF_ERROR_CANCELLED; /* by a signal, which ends the batch */
    }
    char what[160];
    snprintf(what, sizeof what, "cannot be read: %s", strerror(errno));
    return fail_at(tar, tar->at, ferror(tar->file) ? what : "it ends too early,");
}

static gf_status skip(struct tar_reader *tar)
{
    char piece[PIECE];
    while (tar->left > 0) {
        const size_t n = tar->left < sizeof piece ? (size_t)tar->left : sizeof piece;
        CLI_TRY(read_bytes(tar, piece, n));
        tar->left -= n;
    }
    return GF_OK;
}

/* To its end, so that whoever writes into a pipe is not stopped by what fills the last record. */
static void drain(const struct tar_reader *tar)
{
    char piece[PIECE];
    while (fread(piece, 1, sizeof piece, tar->file) > 0) {
    }
}

/* Octal, or with its first bit set a binary number; -1: neither, negative or too large. */
static int64_t number_of(const unsigned char *field, size_t size)
{
    int64_t value = 0;
    size_t i = 0;
    if (field[0] & 0x80) {
        value = field[0] & 0x7f;
        for (i = 1; i < size && value >= 0; i++) {
            value = value > INT64_MAX >> 8 ? -1 : value << 8 | field[i];
        }
        return value;
    }
    while (i < size && field[i] == ' ') {
        i++;
    }
    for (; i < size && field[i] >= '0' && field[i] <= '7'; i++) {
        value = value << 3 | (field[i] - '0'); /* 12 digits fit */
    }
    return i == size || field[i] == ' ' || !field[i] ? value : -1;
}

static bool is_sound(const unsigned char *block)
{
    int64_t sum = 0;
    for (int i = 0; i < BLOCK; i++) {
        sum += i >= SUM && i < SUM + 8 ? ' ' : block[i];
    }
    return number_of(block + SUM, 8) == sum;
}

static bool is_zero(const unsigned char *block)
{
    return !block[0] && !memcmp(block, block + 1, BLOCK - 1);
}

/* Text up to a zero byte, or all of the field. */
static void add_field(struct buffer *text, const unsigned char *field, size_t size)
{
    buffer_add_bytes(text, (const char *)field, strnlen((const char *)field, size));
}

/* One of PAX: "path=a.png". */
static bool take_record(const char *record, size_t length, struct extra *extra, struct buffer *name)
{
    char *end = NULL;
    if (!strncmp(record, "path=", 5)) {
        name->length = 0;
        buffer_add_bytes(name, record + 5, length - 5);
        return !memchr(record, '\0', length);
    }
    if (!strncmp(record, "size=", 5)) {
        errno = 0;
        extra->size = strtoll(record + 5, &end, 10);
        extra->has_size = true;
        return errno == 0 && end == record + length && extra->size >= 0;
    }
    if (!strncmp(record, "mtime=", 6)) {
        extra->mtime = strtoll(record + 6, NULL, 10);
        extra->has_mtime = true;
    }
    return true;
}

static gf_status take_records(struct tar_reader *tar, char *at, size_t size, struct extra *extra,
                              struct buffer *name)
{
    const char *const damaged = "its PAX header is damaged,";
    for (const char *end = at + size; at < end;) {
        char *text = NULL;
        const long length = *at >= '1' && *at <= '9' ? strtol(at, &text, 10) : 0;
        if (length < 5 || length > end - at || *text != ' ' || text + 1 >= at + length ||
            at[length - 1] != '\n') {
            return fail_at(tar, tar->at, damaged);
        }
        at[length - 1] = '\0';
        if (!strncmp(text + 1, "GNU.sparse.", 11)) {
            return fail_at(tar, tar->at, "a sparse file, which is not read,");
        }
        if (!take_record(text + 1, (size_t)(at + length - 1 - (text + 1)), extra, name)) {
            return fail_at(tar, tar->at, damaged);
        }
        at += length;
    }
    return GF_OK;
}

/* A header that belongs to the next one: PAX records, or a long name. */
static gf_status take_extra(struct tar_reader *tar, char type, int64_t size, struct extra *extra,
                            struct buffer *name)
{
    struct buffer text = {0};
    if (size > MOST_EXTRA) {
        return fail_at(tar, tar->at, "a name or PAX header of more than 1 MiB");
    }
    char *bytes = buffer_reserve(&text, (size_t)size);
    gf_status status = cli_need_memory(bytes);
    status = status == GF_OK ? read_bytes(tar, bytes, (size_t)size) : status;
    if (status == GF_OK) {
        bytes[size] = '\0';
        tar->left -= (uint64_t)size;
        status = type == 'x' ? take_records(tar, bytes, (size_t)size, extra, name) : GF_OK;
        if (type == 'L') {
            name->length = 0;
            add_field(name, (unsigned char *)bytes, (size_t)size);
        }
    }
    buffer_free(&text);
    return status;
}

/* The member itself; `name` is what extra headers say. */
static gf_status take_header(struct tar_reader *tar, const unsigned char *block, const struct extra *extra,
                             struct buffer *name)
{
    const char type = (char)block[TYPE];
    const int64_t mtime = extra->has_mtime ? extra->mtime : number_of(block + MTIME, 12);
    if (name->length == 0) {
        if (!memcmp(block + MAGIC, "ustar", 6) && block[PREFIX]) { /* GNU's own has a space there */
            add_field(name, block + PREFIX, 155);
            buffer_add(name, "/");
        }
        add_field(name, block + NAME, 100);
    }
    CLI_TRY(cli_need_memory(!name->failed));
    buffer_free(&tar->name);
    tar->name = *name;
    *name = (struct buffer){0};
    tar->is_inside = true;
    if (tar->name.length == 0 || tar->name.length > MOST_NAME) {
        return fail_at(tar, tar->at - BLOCK,
                       tar->name.length ? "a name of more than 4095 bytes" : "a member without a name");
    }
    if (type == 'S' || type == 'M') {
        return fail_at(tar, tar->at - BLOCK,
                       type == 'S' ? "a sparse file, which is not read,"
                                   : "the rest of another volume, which is not read,");
    }
    tar->mtime = mtime > 0 ? mtime : 0;
    tar->is_link = type == '1' || type == '2';
    tar->is_file = (type == '0' || type == '7' || !type) && tar->name.data[tar->name.length - 1] != '/';
    return GF_OK;
}

/* Headers up to that of a member. */
static gf_status read_headers(struct tar_reader *tar, bool *more, struct buffer *name)
{
    unsigned char block[BLOCK];
    struct extra extra = {0};
    char type = 'x';
    *more = true;
    while (type == 'x' || type == 'g' || type == 'L' || type == 'K' || type == 'V') {
        CLI_TRY(skip(tar));
        CLI_TRY(read_bytes(tar, block, BLOCK));
        if (is_zero(block)) {
            *more = false;
            drain(tar);
            return GF_OK;
        }
        type = (char)block[TYPE];
        int64_t size = is_sound(block) ? number_of(block + SIZE, 12) : -1;
        if (size < 0) {
            return fail_at(tar, tar->at - BLOCK, "no header of a tar");
        }
        const bool is_own = type != 'x' && type != 'g' && type != 'L' && type != 'K' && type != 'V';
        size = is_own && extra.has_size ? extra.size : size;
        size = type >= '2' && type <= '6' ? 0 : size; /* links, devices and folders hold nothing */
        if (size > INT64_MAX - BLOCK) {
            return fail_at(tar, tar->at - BLOCK, "a size that cannot be");
        }
        tar->size = (uint64_t)size;
        tar->left = (tar->size + BLOCK - 1) / BLOCK * BLOCK;
        CLI_TRY(type == 'x' || type == 'L' ? take_extra(tar, type, size, &extra, name)
                : is_own                   ? take_header(tar, block, &extra, name)
                                           : GF_OK);
    }
    return GF_OK;
}

gf_status tar_next(struct tar_reader *tar, bool *more)
{
    struct buffer name = {0};
    gf_status status = skip(tar);
    tar->is_inside = false;
    status = status == GF_OK ? read_headers(tar, more, &name) : status;
    buffer_free(&name);
    return status;
}

gf_status tar_take(struct tar_reader *tar, struct buffer *bytes)
{
    while (bytes->length < tar->size) {
        const uint64_t left = tar->size - bytes->length;
        const size_t n = left < PIECE ? (size_t)left : PIECE;
        char *at = buffer_reserve(bytes, n);
        CLI_TRY(cli_need_memory(at));
        CLI_TRY(read_bytes(tar, at, n));
        bytes->length += n;
        tar->left -= n;
    }
    return GF_OK;
}
