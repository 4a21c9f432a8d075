/* libtiff's way to the bytes of a file, and its way to say what is wrong. */
#include "io/tiff/tiff_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading and writing ---- */

static tmsize_t read_bytes(thandle_t handle, void *to, tmsize_t size)
{
    struct gf_tiff_bytes *bytes = handle;
    size_t got = 0;
    if (bytes->held != NULL) {
        const uint64_t left = bytes->at < bytes->size ? bytes->size - bytes->at : 0;
        got = (uint64_t)size < left ? (size_t)size : (size_t)left;
        memcpy(to, bytes->held + bytes->at, got);
    } else if (bytes->in != NULL) {
        got = gf_bytes_in_at(bytes->in, bytes->at, to, (size_t)size);
    }
    bytes->at += got;
    bytes->is_short |= got < (size_t)size;
    return (tmsize_t)got;
}

static int make_room(struct gf_tiff_bytes *bytes, uint64_t size)
{
    const uint64_t room = bytes->room * 2 > size ? bytes->room * 2 : size + 4096;
    if (size <= bytes->room) {
        return 1;
    }
    uint8_t *more = room <= SIZE_MAX ? realloc(bytes->held, (size_t)room) : NULL;
    if (more == NULL) {
        bytes->no_memory = 1;
        return 0;
    }
    memset(more + bytes->room, 0, (size_t)(room - bytes->room));
    bytes->held = more;
    bytes->room = room;
    return 1;
}

/* Strips come one behind the other, the directory in any order, and at last its place goes into the head. */
static int put(struct gf_tiff_bytes *bytes, const void *from, size_t size)
{
    const uint64_t end = bytes->at + size;
    if (bytes->at >= bytes->held_from) {
        const int has_room = make_room(bytes, end - bytes->held_from);
        if (has_room) {
            memcpy(bytes->held + (bytes->at - bytes->held_from), from, size);
        }
        return has_room;
    }
    if (end <= bytes->head_size) {
        memcpy(bytes->head + bytes->at, from, size);
    }
    return bytes->at == bytes->size ? gf_bytes_out_write(bytes->out, from, size) : end <= bytes->head_size;
}

static tmsize_t write_bytes(thandle_t handle, void *from, tmsize_t count)
{
    struct gf_tiff_bytes *bytes = handle;
    if (bytes->is_over || !put(bytes, from, (size_t)count)) {
        return -1;
    }
    bytes->at += (uint64_t)count;
    bytes->size = bytes->at > bytes->size ? bytes->at : bytes->size;
    return count;
}

int gf_tiff_append(struct gf_tiff_bytes *bytes, const void *from, size_t size)
{
    bytes->at = bytes->size;
    return write_bytes(bytes, (void *)(uintptr_t)from, (tmsize_t)size) == (tmsize_t)size;
}

static tmsize_t write_nothing(thandle_t handle, void *from, tmsize_t size)
{
    (void)handle, (void)from, (void)size;
    return -1;
}

static toff_t seek(thandle_t handle, toff_t offset, int from)
{
    struct gf_tiff_bytes *bytes = handle;
    const uint64_t start = from == SEEK_SET ? 0 : from == SEEK_CUR ? bytes->at : bytes->size;
    bytes->at = start + offset; /* a distance back is a large number, and comes round */
    return bytes->at;
}

static int close_nothing(thandle_t handle)
{
    (void)handle;
    return 0;
}

static toff_t size_of(thandle_t handle)
{
    return ((struct gf_tiff_bytes *)handle)->size;
}

/* ---- errors ---- */

static void say(char *text, size_t size, const char *module, const char *format, va_list args)
{
    if (text[0] != '\0') {
        return;
    }
    const int used = module != NULL ? snprintf(text, size, "%s: ", module) : 0;
    vsnprintf(text + used, size - (size_t)used, format, args);
    for (char *c = text; *c != '\0'; c++) {
        *c = (unsigned char)*c < 0x20 || *c == 0x7f ? '?' : *c;
    }
}

static int on_error(TIFF *tiff, void *user, const char *module, const char *format, va_list args)
{
    struct gf_tiff_bytes *bytes = user;
    (void)tiff;
    bytes->errors++;
    say(bytes->message, sizeof bytes->message, module != NULL && strlen(module) < 64 ? module : NULL, format,
        args);
    return 1; /* nobody else is told */
}

/* Tags that nobody knows are no news, and neither is that samples of JPEG are told in a way of old. */
static int on_warning(TIFF *tiff, void *user, const char *module, const char *format, va_list args)
{
    struct gf_tiff_bytes *bytes = user;
    if (bytes->is_decoding && (module == NULL || strncmp(module, "JPEGPreDecode", 13) != 0)) {
        return on_error(tiff, user, module, format, args);
    }
    if (strncmp(format, "Unknown field", 13) != 0 && strncmp(format, "Sum of Photometric", 18) != 0) {
        say(bytes->warning, sizeof bytes->warning, NULL, format, args);
    }
    return 1;
}

TIFF *gf_tiff_open(struct gf_tiff_bytes *bytes, const char *mode)
{
    TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
    if (options == NULL) {
        bytes->no_memory = 1;
        return NULL;
    }
    TIFFOpenOptionsSetErrorHandlerExtR(options, on_error, bytes);
    TIFFOpenOptionsSetWarningHandlerExtR(options, on_warning, bytes);
    if (bytes->max_block > 0) {
        const uint64_t most = (uint64_t)PTRDIFF_MAX;
        TIFFOpenOptionsSetMaxSingleMemAlloc(options,
                                            (tmsize_t)(bytes->max_block < most ? bytes->max_block : most));
    }
    TIFF *tiff =
        TIFFClientOpenExt("TIFF", mode, bytes, read_bytes, bytes->out != NULL ? write_bytes : write_nothing,
                          seek, close_nothing, size_of, NULL, NULL, options);
    TIFFOpenOptionsFree(options);
    return tiff;
}
