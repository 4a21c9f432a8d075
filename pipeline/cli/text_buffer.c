#include "text_buffer.h"

#include "message.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void buffer_free(struct buffer *buffer)
{
    free(buffer->data);
    *buffer = (struct buffer){0};
}

char *buffer_reserve(struct buffer *buffer, size_t count)
{
    size_t needed = buffer->length + count + 1;
    if (buffer->failed) {
        return NULL;
    }
    if (needed > buffer->capacity) {
        size_t capacity = needed < 256 ? 256 : needed + needed / 2;
        char *data = needed > count ? realloc(buffer->data, capacity) : NULL;
        if (!data) {
            buffer->failed = true;
            return NULL;
        }
        buffer->data = data;
        buffer->capacity = capacity;
    }
    return buffer->data + buffer->length;
}

void buffer_add_bytes(struct buffer *buffer, const char *bytes, size_t count)
{
    char *room = buffer_reserve(buffer, count);
    if (room) {
        memcpy(room, bytes, count);
        room[count] = '\0';
        buffer->length += count;
    }
}

void buffer_add(struct buffer *buffer, const char *text)
{
    buffer_add_bytes(buffer, text, strlen(text));
}

void buffer_printf(struct buffer *buffer, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int count = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *room = count < 0 ? NULL : buffer_reserve(buffer, (size_t)count);
    if (room) {
        va_start(arguments, format);
        vsnprintf(room, (size_t)count + 1, format, arguments);
        va_end(arguments);
        buffer->length += (size_t)count;
    }
}

/* Length of the UTF-8 character at `s`, 0 when it is none: overlong forms, surrogates and values
 * beyond U+10FFFF are none. */
static size_t character_length(const unsigned char *s)
{
    if (s[0] < 0x80) {
        return 1;
    }
    size_t length = s[0] >= 0xF0 ? 4 : s[0] >= 0xE0 ? 3 : 2;
    if (s[0] < 0xC2 || s[0] > 0xF4 || (s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xED && s[1] > 0x9F) ||
        (s[0] == 0xF0 && s[1] < 0x90) || (s[0] == 0xF4 && s[1] > 0x8F)) {
        return 0;
    }
    for (size_t i = 1; i < length; i++) {
        if ((s[i] & 0xC0) != 0x80) {
            return 0;
        }
    }
    return length;
}

enum { NO_CHARACTER = 0xfffd };

/* Length of the character at `s`, or 1, and what it is. */
static size_t character(const char *s, unsigned *code)
{
    const unsigned char *c = (const unsigned char *)s;
    const size_t n = character_length(c);
    *code = n == 0 ? NO_CHARACTER : n == 1 ? c[0] : c[0] & (0x7fu >> n);
    for (size_t i = 1; i < n; i++) {
        *code = *code << 6 | (c[i] & 0x3fu);
    }
    return n ? n : 1;
}

/* Whether it is shown, and not obeyed: control characters, separators of lines and marks of direction. */
static bool is_shown(unsigned code)
{
    return code >= ' ' && (code < 0x7f || code >= 0xa0) && code != 0x61c && code != 0x200e &&
           code != 0x200f && (code < 0x2028 || code > 0x202e) && (code < 0x2066 || code > 0x2069) &&
           (code & ~1u) != 0xfffe && code != NO_CHARACTER;
}

size_t text_character(const char *text, bool *shown)
{
    unsigned code;
    const size_t n = character(text, &code);
    *shown = is_shown(code);
    return n;
}

void text_print(const char *text, size_t length, bool is_message, FILE *file)
{
    char chunk[4096]; /* a message in one go, as others write there, too */
    bool shown;
    size_t used = 0;
    for (size_t i = 0, n; i < length && !ferror(file); i += n) {
        n = text_character(text + i, &shown);
        shown = shown || (text[i] == '\n' && (!is_message || text[i + 1] == ' '));
        memcpy(chunk + used, shown ? text + i : "?", shown ? n : 1);
        used += shown ? n : 1;
        if (used + 5 > sizeof chunk) {
            fwrite(chunk, 1, used, file);
            used = 0;
        }
    }
    chunk[used] = '\n';
    fwrite(chunk, 1, used + is_message, file);
}

static void json_text(struct buffer *buffer, const char *text, bool keeps_bytes)
{
    buffer_add(buffer, "\"");
    for (const char *c = text; *c;) {
        unsigned code;
        const size_t n = character(c, &code);
        if (*c == '"' || *c == '\\') {
            buffer_printf(buffer, "\\%c", *c);
        } else if (is_shown(code)) {
            buffer_add_bytes(buffer, c, n);
        } else {
            buffer_printf(buffer, "\\u%04x",
                          n == 1 && code == NO_CHARACTER && keeps_bytes ? 0xdc00u + (unsigned char)*c : code);
        }
        c += n;
    }
    buffer_add(buffer, "\"");
}

void buffer_json_text(struct buffer *buffer, const char *text)
{
    json_text(buffer, text, false);
}

void buffer_json_name(struct buffer *buffer, const char *name)
{
    json_text(buffer, name, true);
}

void buffer_json_number(struct buffer *buffer, double value)
{
    if (!isfinite(value)) {
        buffer_add(buffer, "null");
        return;
    }
    char text[32];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value) {
            break;
        }
    }
    buffer_add(buffer, text);
}

/* The library's printing functions all measure first and then fill. */
#define DEFINE_PRINTER(name, object_type, print)                                                             \
    gf_status name(struct buffer *buffer, const object_type *object, gf_print_format format,                 \
                   gf_error *error)                                                                          \
    {                                                                                                        \
        size_t length = 0;                                                                                   \
        gf_status status = print(object, format, NULL, 0, &length, error);                                   \
        char *room = status == GF_OK ? buffer_reserve(buffer, length) : NULL;                                \
        if (room) {                                                                                          \
            status = print(object, format, room, length + 1, &length, error);                                \
            buffer->length += status == GF_OK ? length : 0;                                                  \
            buffer->data[buffer->length] = '\0';                                                             \
        }                                                                                                    \
        return status;                                                                                       \
    }
DEFINE_PRINTER(buffer_add_pipeline, gf_pipeline, gf_pipeline_print)
DEFINE_PRINTER(buffer_add_plan, gf_plan, gf_plan_explain)
DEFINE_PRINTER(buffer_add_result, gf_result, gf_result_print)
DEFINE_PRINTER(buffer_add_table, gf_table, gf_table_print)

void buffer_print(const struct buffer *buffer, FILE *file)
{
    text_print(buffer->data, buffer->length, false, file);
}

gf_status buffer_to_stdout(const struct buffer *buffer)
{
    if (buffer->failed) {
        return cli_fail(GF_ERROR_MEMORY, "out of memory");
    }
    buffer_print(buffer, stdout);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        return cli_fail(GF_ERROR_OUTPUT, "standard output: %s", strerror(errno));
    }
    return GF_OK;
}
