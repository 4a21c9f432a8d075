/* The table of codecs, and what is asked of it. */
#include "io/codec.h"

#include "base/status.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#define GF_LIST_CODEC(name) &gf_codec_##name,
static const struct gf_codec *const codecs[] = {GF_CODECS(GF_LIST_CODEC)};

#define CODEC_COUNT (sizeof codecs / sizeof codecs[0])

const gf_format *gf_io_format(size_t index)
{
    return index < CODEC_COUNT ? &codecs[index]->format : NULL;
}

const struct gf_codec *gf_codec_of(const gf_format *format)
{
    for (size_t i = 0; i < CODEC_COUNT; i++) {
        if (&codecs[i]->format == format) {
            return codecs[i];
        }
    }
    return NULL;
}

const struct gf_codec *gf_codec_sniff(const uint8_t *head, size_t size)
{
    for (size_t i = 0; i < CODEC_COUNT; i++) {
        if (codecs[i]->sniff(head, size)) {
            return codecs[i];
        }
    }
    return NULL;
}

void gf_codec_names(int writing, char *text, size_t size)
{
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < CODEC_COUNT && length < size; i++) {
        if (writing ? codecs[i]->format.writes : codecs[i]->format.reads) {
            length += (size_t)snprintf(text + length, size - length, "%s%s", length > 0 ? ", " : "",
                                       codecs[i]->format.name);
        }
    }
}

/* Tells whether `word` is one of the blank-separated words of `list`, case ignored. */
static int listed(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = list; *at != '\0';) {
        size_t span = strcspn(at, " ");
        if (span == length && strncasecmp(at, word, length) == 0) {
            return 1;
        }
        at += span + strspn(at + span, " ");
    }
    return 0;
}

const char *gf_suffix(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash != NULL ? slash + 1 : path;
    const char *dot = strrchr(base, '.');
    return dot != NULL && dot != base ? dot + 1 : "";
}

gf_status gf_io_format_for(const char *path, const char *name, const gf_format **out, gf_error *error)
{
    if (out == NULL || path == NULL) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "gf_io_format_for: path or out is NULL");
    }
    const char *word = name != NULL ? name : gf_suffix(path);
    char label[GF_LABEL_SIZE], shown[GF_LABEL_SIZE], names[128];
    gf_label(label, path, "standard output");
    for (size_t i = 0; i < CODEC_COUNT; i++) {
        const gf_format *format = &codecs[i]->format;
        if (!listed(format->suffixes, word) && (name == NULL || strcasecmp(format->name, word) != 0)) {
            continue;
        }
        if (codecs[i]->absent != NULL) {
            return gf_fail(error, GF_ERROR_UNSUPPORTED, "%s: this build writes no %s: rebuild with %s", label,
                           format->name, codecs[i]->absent);
        }
        *out = format;
        return GF_OK;
    }
    struct stat st;
    if (name == NULL && stat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
        return gf_fail(error, GF_ERROR_OUTPUT, "%s: is a folder, not a file", label);
    }
    gf_label(shown, word, "-");
    gf_codec_names(1, names, sizeof names);
    if (word[0] == '\0') {
        return gf_fail(error, GF_ERROR_UNSUPPORTED, "%s: no suffix tells the format; this build writes %s",
                       label, names);
    }
    return gf_fail(error, GF_ERROR_UNSUPPORTED, "%.200s: cannot write format \"%.64s\"; this build writes %s",
                   label, shown, names);
}

gf_depth gf_io_nearest_depth(const gf_format *format, gf_depth depth)
{
    /* For every depth the others, nearest first: the least that loses nothing, else the most. */
    static const signed char order[6][6] = {
        [GF_U8] = {GF_U8, GF_U16, GF_U32, GF_U64, GF_F32, GF_F64},
        [GF_U16] = {GF_U16, GF_U32, GF_U64, GF_F32, GF_F64, GF_U8},
        [GF_F32] = {GF_F32, GF_F64, GF_U16, GF_U32, GF_U64, GF_U8},
        [GF_U32] = {GF_U32, GF_U64, GF_F64, GF_F32, GF_U16, GF_U8},
        [GF_U64] = {GF_U64, GF_F64, GF_F32, GF_U32, GF_U16, GF_U8},
        [GF_F64] = {GF_F64, GF_F32, GF_U16, GF_U32, GF_U64, GF_U8},
    };
    if (format == NULL || (int)depth < 0 || (size_t)depth >= sizeof order / sizeof order[0]) {
        return depth;
    }
    for (size_t i = 0; i < sizeof order[0]; i++) {
        if (format->depths >> order[depth][i] & 1u) {
            return (gf_depth)order[depth][i];
        }
    }
    return depth;
}

gf_status gf_check_limits(const gf_io_limits *limits, const char *label, int64_t width, int64_t height,
                          int signal, gf_error *error)
{
    const char *name = NULL;
    int64_t limit = 0;
    if (!signal && width > limits->max_width) {
        name = "max_width", limit = limits->max_width;
    } else if (!signal && height > limits->max_height) {
        name = "max_height", limit = limits->max_height;
    } else if (width > 0 && height > limits->max_pixels / width) {
        name = "max_pixels", limit = limits->max_pixels;
    }
    if (name == NULL) {
        return GF_OK;
    }
    return gf_fail(error, GF_ERROR_LIMIT, "%s: claims %" PRId64 " x %" PRId64 " pixels, beyond %s, %" PRId64,
                   label, width, height, name, limit);
}

gf_status gf_fail_short(const struct gf_decoder *decoder, gf_error *error)
{
    const gf_file_info *info = &decoder->info;
    return gf_fail(error, GF_ERROR_INPUT,
                   "%s: the file ends early: %" PRIu64 " bytes cannot hold %" PRId64 " x %" PRId64 " pixels",
                   decoder->in->label, info->file_bytes, info->shape.width, info->shape.height);
}

gf_status gf_check_left(const struct gf_decoder *decoder, int64_t count, int64_t size, gf_error *error)
{
    uint64_t left = gf_bytes_in_left(decoder->in), need;
    if (__builtin_mul_overflow((uint64_t)count, (uint64_t)size, &need) ||
        __builtin_mul_overflow(need, (uint64_t)decoder->info.shape.height, &need)) {
        need = UINT64_MAX;
    }
    if (left != GF_SIZE_UNKNOWN && left < need) {
        return gf_fail(error, GF_ERROR_INPUT,
                       "%s: the file ends early: %" PRIu64 " of %" PRIu64 " bytes of samples",
                       decoder->in->label, left, need);
    }
    return GF_OK;
}

gf_status gf_check_rows(const char *label, const gf_shape *shape, const void *data, int64_t pitch,
                        int64_t count, gf_error *error)
{
    if (count > 0 && shape->width > 0 && data == NULL) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "%s: the memory of %" PRId64 " rows is NULL", label, count);
    }
    if (pitch / ((int64_t)gf_depth_size(shape->depth) * shape->channels) < shape->width) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "%s: pitch %" PRId64 " is shorter than a row", label, pitch);
    }
    if (count > 0 && pitch > PTRDIFF_MAX / count) {
        return gf_fail(error, GF_ERROR_ARGUMENT,
                       "%s: %" PRId64 " rows with a pitch of %" PRId64 " bytes fit in no memory", label,
                       count, pitch);
    }
    return GF_OK;
}

gf_status gf_check_whole(const struct gf_decoder *decoder, gf_error *error)
{
    const gf_shape *shape = &decoder->info.shape;
    uint64_t pixel = (uint64_t)shape->channels * gf_depth_size(shape->depth), size;
    if (__builtin_mul_overflow((uint64_t)shape->width * pixel, (uint64_t)shape->height, &size)) {
        size = UINT64_MAX;
    }
    if (!decoder->expands || size <= decoder->limits->max_memory) {
        return GF_OK;
    }
    return gf_fail(error, GF_ERROR_LIMIT,
                   "%s: its rows cannot be had one by one: needs %" PRIu64
                   " bytes at once, beyond max_memory, %" PRIu64,
                   decoder->in->label, size, decoder->limits->max_memory);
}

int gf_host_is_little(void)
{
    const uint16_t one = 1;
    return *(const uint8_t *)&one == 1;
}

void gf_add_note(char note[256], const char *format, ...)
{
    size_t length = strlen(note);
    if (length > 0 && length + 2 < 256) {
        memcpy(note + length, "; ", 3);
        length += 2;
    }
    va_list args;
    va_start(args, format);
    vsnprintf(note + length, 256 - length, format, args);
    va_end(args);
}
