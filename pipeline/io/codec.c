/* The table of codecs, and what is asked of it. */
#include "io/codec.h"

#include "base/status.h"

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

int gf_listed(const char *list, const char *word)
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
        if (!gf_listed(format->suffixes, word) && (name == NULL || strcasecmp(format->name, word) != 0)) {
            continue;
        }
        if (format->depths == 0) { /* whatever this build has */
            gf_codec_names(1, names, sizeof names);
            return gf_fail(error, GF_ERROR_UNSUPPORTED, "%s: %s is only read; this build writes %s", label,
                           format->name, names);
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
