/* text: the bounded writer. Numbers are in text_number.c. */
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct gf_text gf_text_begin(char *buffer, size_t capacity)
{
    if (capacity > 0) {
        buffer[0] = '\0';
    }
    return (struct gf_text){buffer, capacity, 0};
}

/* Bytes that still fit, and where they go. */
static size_t room(const struct gf_text *text)
{
    return text->length < text->capacity ? text->capacity - text->length : 0;
}

void gf_text_append(struct gf_text *text, const char *format, ...)
{
    size_t fits = room(text);
    va_list args;
    va_start(args, format);
    int n = vsnprintf(fits ? text->buffer + text->length : NULL, fits, format, args);
    va_end(args);
    text->length += n > 0 ? (size_t)n : 0;
}

void gf_text_bytes(struct gf_text *text, const char *bytes, size_t count)
{
    size_t fits = room(text);
    if (fits > 0) {
        size_t n = count < fits ? count : fits - 1;
        memcpy(text->buffer + text->length, bytes, n);
        text->buffer[text->length + n] = '\0';
    }
    text->length += count;
}

void gf_text_string(struct gf_text *text, const char *string)
{
    gf_text_bytes(text, string, strlen(string));
}

void gf_text_repeat(struct gf_text *text, char c, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        gf_text_bytes(text, &c, 1);
    }
}

/* Decodes one UTF-8 character, refusing overlong forms, surrogates and values past U+10FFFF.
 * Returns its length, 0 when the bytes are not one. */
static size_t decode(const char *bytes, size_t count, uint32_t *code)
{
    const unsigned char *p = (const unsigned char *)bytes;
    size_t n = p[0] < 0x80 ? 1 : p[0] < 0xc2 ? 0 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : p[0] < 0xf5 ? 4 : 0;
    if (n == 0 || n > count) {
        return 0;
    }
    *code = n == 1 ? p[0] : p[0] & (0x7fu >> n);
    for (size_t i = 1; i < n; i++) {
        if ((p[i] & 0xc0) != 0x80) {
            return 0;
        }
        *code = *code << 6 | (p[i] & 0x3f);
    }
    bool overlong = (n == 3 && *code < 0x800) || (n == 4 && *code < 0x10000);
    bool surrogate = *code >= 0xd800 && *code < 0xe000;
    return overlong || surrogate || *code > 0x10ffff ? 0 : n;
}

/* Columns of a character on a terminal; 0: in doubt (combining, bidirectional, emoji, ...). */
static size_t columns_of(uint32_t code)
{
    if ((code >= 0x20 && code < 0x7f) || (code > 0xa0 && code < 0x300 && code != 0xad) ||
        (code >= 0x370 && code < 0x483) || (code >= 0x48a && code < 0x530)) {
        return 1; /* ASCII, Latin, Greek, Cyrillic */
    }
    if ((code >= 0x3041 && code < 0x3097) || (code >= 0x30a0 && code < 0x3100) ||
        (code >= 0x4e00 && code < 0xa000) || (code >= 0xac00 && code < 0xd7a4)) {
        return 2; /* kana, ideographs, hangul */
    }
    return 0;
}

size_t gf_text_glyph(const char *bytes, size_t count, size_t *columns, bool *shown)
{
    uint32_t code = 0;
    size_t n = decode(bytes, count, &code);
    *columns = n ? columns_of(code) : 0;
    *shown = *columns > 0;
    *columns += !*shown;
    return n ? n : 1;
}

/* Columns of the whole. */
static size_t measure(const char *bytes, size_t count)
{
    size_t total = 0;
    for (size_t i = 0, columns; i < count; total += columns) {
        bool shown;
        i += gf_text_glyph(bytes + i, count - i, &columns, &shown);
    }
    return total;
}

size_t gf_text_plain(struct gf_text *text, const char *bytes, size_t count, size_t columns)
{
    bool cut = measure(bytes, count) > columns;
    size_t limit = !cut ? columns : columns > 3 ? columns - 3 : 0;
    size_t used = 0;
    for (size_t i = 0; i < count;) {
        size_t wide;
        bool shown;
        size_t n = gf_text_glyph(bytes + i, count - i, &wide, &shown);
        if (used + wide > limit) {
            break;
        }
        gf_text_bytes(text, shown ? bytes + i : bytes[i] == '\t' ? " " : "?", shown ? n : 1);
        used += wide;
        i += n;
    }
    if (cut) {
        size_t dots = columns < 3 ? columns : 3;
        gf_text_repeat(text, '.', dots);
        used += dots;
    }
    return used;
}

void gf_text_json_string(struct gf_text *text, const char *string)
{
    size_t count = strlen(string);
    gf_text_string(text, "\"");
    for (size_t i = 0; i < count;) {
        uint32_t code = 0;
        size_t n = decode(string + i, count - i, &code);
        if (n == 0) {
            gf_text_string(text, "\\ufffd");
        } else if (code == '"' || code == '\\') {
            gf_text_append(text, "\\%c", (int)code);
        } else if (code == '\n' || code == '\t') {
            gf_text_string(text, code == '\n' ? "\\n" : "\\t");
        } else if (code < 0x20 || code == 0x7f) {
            gf_text_append(text, "\\u%04x", (unsigned)code);
        } else {
            gf_text_bytes(text, string + i, n);
        }
        i += n ? n : 1;
    }
    gf_text_string(text, "\"");
}
