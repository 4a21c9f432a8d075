#include "base/text_buffer.h"

#include "base/message.h"

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

size_t text_character(const char *text, unsigned *code)
{
    static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *c = (const unsigned char *)text;
    const size_t n = *c < 0x80 ? 1 : *c < 0xe0 ? 2 : *c < 0xf0 ? 3 : 4;
    unsigned u = n == 1 ? *c : *c & (0x7fu >> n);
    bool fine = *c < 0x80 || (*c >= 0xc0 && *c < 0xf8);
    for (size_t i = 1; fine && i < n; i++) {
        fine = (c[i] & 0xc0) == 0x80;
        u = u << 6 | (c[i] & 0x3fu);
    }
    fine = fine && u >= least[n] && u <= 0x10ffff && (u < 0xd800 || u > 0xdfff);
    u = fine ? u : NO_CHARACTER;
    const bool hidden = u < ' ' || (u >= 0x7f && u < 0xa0) || u == 0x61c || u == 0x200e || u == 0x200f ||
                        (u >= 0x2028 && u <= 0x202e) || (u >= 0x2066 && u <= 0x2069) || (u | 1) == 0xffff;
    *code = u | (hidden || !fine ? TEXT_HIDDEN : 0);
    return fine ? n : 1;
}

void text_print(const char *text, size_t length, bool is_message, FILE *file)
{
    char chunk[4096]; /* a message in one go, as others write there, too */
    size_t used = 0;
    unsigned code;
    for (size_t i = 0, n; i < length && !ferror(file); i += n) {
        n = text_character(text + i, &code);
        const bool shown = code < TEXT_HIDDEN || (text[i] == '\n' && (!is_message || text[i + 1] == ' '));
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
    unsigned code;
    buffer_add(buffer, "\"");
    for (size_t n; *text; text += n) {
        n = text_character(text, &code);
        if (*text == '"' || *text == '\\') {
            buffer_printf(buffer, "\\%c", *text);
        } else if (code < TEXT_HIDDEN) {
            buffer_add_bytes(buffer, text, n);
        } else {
            const bool is_byte = code == (TEXT_HIDDEN | NO_CHARACTER) && keeps_bytes;
            buffer_printf(buffer, "\\u%04x", is_byte ? 0xdc00u + (unsigned char)*text : code ^ TEXT_HIDDEN);
        }
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
DEFINE_PRINTER(buffer_add_signal_plan, gf_signal_plan, gf_signal_plan_explain)
DEFINE_PRINTER(buffer_add_result, gf_result, gf_result_print)
DEFINE_PRINTER(buffer_add_table, gf_table, gf_table_print)

void buffer_print(const struct buffer *buffer, FILE *file)
{
    text_print(buffer->data, buffer->length, false, file);
}

gf_status buffer_to_stdout(const struct buffer *buffer)
{
    CLI_TRY(cli_need_memory(!buffer->failed));
    errno = 0;
    buffer_print(buffer, stdout);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        return cli_fail(GF_ERROR_OUTPUT, "standard output: %s",
                        errno ? strerror(errno) : "it has failed before");
    }
    return GF_OK;
}
