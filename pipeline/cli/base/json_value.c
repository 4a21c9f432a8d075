#include "base/json_value.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LEVELS = 32 };

static const char *skip_blank(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

/* The place behind a string, a number, a word; NULL: it is none. */
static const char *skip_string(const char *at)
{
    for (at++; *at != '"'; at++) {
        if ((unsigned char)*at < 0x20) {
            return NULL;
        }
        if (*at == '\\') {
            at++;
            if (!*at || !strchr("\"\\/bfnrtu", *at)) {
                return NULL;
            }
            for (int i = 0; *at == 'u' && i < 4; i++) {
                if (!isxdigit((unsigned char)at[1 + i])) {
                    return NULL;
                }
            }
        }
    }
    return at + 1;
}

static const char *skip_number(const char *at)
{
    at += *at == '-';
    const size_t whole = strspn(at, "0123456789");
    if (whole == 0 || (whole > 1 && *at == '0')) {
        return NULL;
    }
    at += whole;
    if (*at == '.') {
        const size_t digits = strspn(++at, "0123456789");
        at = digits > 0 ? at + digits : NULL;
    }
    if (at && (*at == 'e' || *at == 'E')) {
        at += 1 + (at[1] == '+' || at[1] == '-');
        const size_t digits = strspn(at, "0123456789");
        at = digits > 0 ? at + digits : NULL;
    }
    return at;
}

static const char *skip_value(const char *at, int level);

/* Behind a list or an object, whose elements have names. */
static const char *skip_many(const char *at, int level)
{
    const bool named = *at == '{';
    const char close = named ? '}' : ']';
    at = skip_blank(at + 1);
    if (*at == close) {
        return at + 1;
    }
    for (;; at = skip_blank(at + 1)) {
        if (named) {
            at = *at == '"' ? skip_string(at) : NULL;
            at = at ? skip_blank(at) : NULL;
            if (!at || *at != ':') {
                return NULL;
            }
            at = skip_blank(at + 1);
        }
        at = skip_value(at, level + 1);
        at = at ? skip_blank(at) : NULL;
        if (!at || *at == close) {
            return at ? at + 1 : NULL;
        }
        if (*at != ',') {
            return NULL;
        }
    }
}

static const char *skip_value(const char *at, int level)
{
    static const char *const words[] = {"true", "false", "null"};
    if (level > MOST_LEVELS) {
        return NULL;
    }
    if (*at == '{' || *at == '[') {
        return skip_many(at, level);
    }
    if (*at == '"') {
        return skip_string(at);
    }
    for (int i = 0; i < 3; i++) {
        if (!strncmp(at, words[i], strlen(words[i]))) {
            return at + strlen(words[i]);
        }
    }
    return skip_number(at);
}

bool json_is_value(const char *text)
{
    const char *end = skip_value(skip_blank(text), 0);
    return end && !*skip_blank(end);
}

size_t json_length(const char *value)
{
    value = skip_blank(value);
    return (size_t)(skip_value(value, 0) - value);
}

const char *json_next(const char *element)
{
    const char *at = skip_blank(skip_value(element, 0));
    return *at == ',' ? skip_blank(at + 1) : NULL;
}

const char *json_first(const char *list)
{
    list = skip_blank(list);
    const char *at = *list == '[' ? skip_blank(list + 1) : NULL;
    return at && *at != ']' ? at : NULL;
}

const char *json_member(const char *object, const char *name)
{
    object = skip_blank(object);
    const char *at = *object == '{' ? skip_blank(object + 1) : NULL;
    const size_t length = strlen(name);
    while (at && *at == '"') {
        const char *value = skip_blank(skip_blank(skip_string(at)) + 1);
        if (!strncmp(at + 1, name, length) && at[1 + length] == '"') {
            return value;
        }
        at = json_next(value);
    }
    return NULL;
}

static unsigned unit_at(const char *digits)
{
    char four[5] = {digits[0], digits[1], digits[2], digits[3], 0};
    return (unsigned)strtoul(four, NULL, 16);
}

static void add_code(struct buffer *text, unsigned code)
{
    const int more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const unsigned first[] = {0, 0xc0, 0xe0, 0xf0};
    char bytes[4];
    for (int i = more; i > 0; i--, code >>= 6) {
        bytes[i] = (char)(0x80 | (code & 0x3f));
    }
    bytes[0] = (char)(first[more] | code);
    buffer_add_bytes(text, bytes, (size_t)more + 1);
}

bool json_text(const char *value, struct buffer *text)
{
    static const char names[] = "bfnrt", codes[] = "\b\f\n\r\t";
    if (*value != '"') {
        return false;
    }
    for (const char *at = value + 1; *at != '"'; at++) {
        if (*at != '\\') {
            buffer_add_bytes(text, at, 1);
            continue;
        }
        at++;
        const char *name = strchr(names, *at);
        if (*at != 'u') {
            buffer_add_bytes(text, name ? &codes[name - names] : at, 1);
            continue;
        }
        unsigned code = unit_at(at + 1);
        at += 4;
        if (code >= 0xd800 && code < 0xdc00 && at[1] == '\\' && at[2] == 'u' && unit_at(at + 3) >= 0xdc00) {
            code = 0x10000 + ((code - 0xd800) << 10) + (unit_at(at + 3) & 0x3ff);
            at += 6;
        }
        if (code == 0) {
            return false;
        }
        if (code >= 0xdc80 && code <= 0xdcff) {
            buffer_add_bytes(text, &(char){(char)(code & 0xff)}, 1);
        } else {
            add_code(text, code);
        }
    }
    return true;
}

bool json_number(const char *value, double *number)
{
    if (*value != '-' && !isdigit((unsigned char)*value)) {
        return false;
    }
    *number = strtod(value, NULL);
    return true;
}

char *json_member_text(const char *object, const char *name)
{
    struct buffer text = {0};
    const char *value = json_member(object, name);
    const bool good = value && (*value != '"' ? buffer_add_bytes(&text, value, json_length(value)),
                                true          : json_text(value, &text));
    if (!good || text.failed) {
        buffer_free(&text);
        return NULL;
    }
    return text.data ? text.data : calloc(1, 1);
}
