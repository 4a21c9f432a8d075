#define _POSIX_C_SOURCE 200809L
#include "base/json_line.h"

#include <stdlib.h>
#include <string.h>

/* Behind the text that begins at the quotes; NULL: it does not end. */
static const char *skip_text(const char *at)
{
    for (at++; *at && *at != '"'; at++) {
        if (*at == '\\' && !*++at) {
            return NULL;
        }
    }
    return *at ? at + 1 : NULL;
}

/* Behind a value; NULL: there is none. */
static const char *skip_value(const char *at)
{
    if (*at == '"') {
        return skip_text(at);
    }
    size_t length = strspn(at, "+-.0123456789abcdefghijklmnopqrstuvwxyz");
    return length ? at + length : NULL;
}

/* Goes to the next name and value: "name":value, with what is in between in *value. NULL: no more. */
static const char *next_pair(const char *at, const char **value)
{
    const char *end = *at == '{' || *at == ',' ? at + 1 : NULL;
    const char *colon = end && *end == '"' ? skip_text(end) : NULL;
    *value = colon && *colon == ':' ? colon + 1 : NULL;
    return *value ? skip_value(*value) : NULL;
}

bool json_line_is_whole(const char *line)
{
    const char *value;
    for (const char *at = line; (at = next_pair(at, &value));) {
        if (*at == '}') {
            return at[1] == '\0' || at[1] == '\n';
        }
    }
    return false;
}

static const char *find(const char *line, const char *name)
{
    size_t length = strlen(name);
    const char *value;
    for (const char *at = line, *next; (next = next_pair(at, &value)); at = next) {
        if (!strncmp(at + 2, name, length) && at[2 + length] == '"') {
            return value;
        }
    }
    return NULL;
}

/* One byte of a text, as buffer_json_name writes it: bytes below 128, and others that stand for no character,
 * are written by number. */
static char unescape(const char **at)
{
    const char *from = *at;
    if (*from != '\\') {
        *at = from + 1;
        return *from;
    }
    if (from[1] != 'u') {
        *at = from + 2;
        return from[1];
    }
    char digits[5] = {0};
    memcpy(digits, from + 2, strnlen(from + 2, 4));
    *at = from + 2 + strlen(digits);
    return (char)(strtol(digits, NULL, 16) & 0xff);
}

char *json_line_text(const char *line, const char *name)
{
    const char *value = find(line, name);
    const char *end = value ? skip_value(value) : NULL;
    char *text = end ? malloc((size_t)(end - value) + 1) : NULL;
    size_t length = 0;
    if (text && *value != '"') {
        memcpy(text, value, (size_t)(end - value));
        text[end - value] = '\0';
    } else if (text) {
        for (const char *at = value + 1; at < end - 1;) {
            text[length++] = unescape(&at);
        }
        text[length] = '\0';
    }
    return text;
}
