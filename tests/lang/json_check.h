/* Whether a text is JSON as this project writes it: no white space, exponents in lower case without
 * '+', only the escapes that we use. */
#ifndef JSON_CHECK_H
#define JSON_CHECK_H

#include <stdbool.h>
#include <string.h>

static inline const char *json_value(const char *p);

static inline const char *json_string(const char *p)
{
    for (p++; *p != '"'; p++) {
        if ((unsigned char)*p < 0x20) {
            return NULL;
        }
        if (*p == '\\') {
            p++;
            if (*p == 'u' && strspn(p + 1, "0123456789abcdef") >= 4) {
                p += 4;
            } else if (!*p || !strchr("\"\\nt", *p)) {
                return NULL;
            }
        }
    }
    return p + 1;
}

static inline const char *json_number(const char *p)
{
    static const char digits[] = "0123456789";
    p += *p == '-';
    size_t n = strspn(p, digits);
    if (n == 0 || (n > 1 && *p == '0')) {
        return NULL;
    }
    p += n;
    if (*p == '.') {
        n = strspn(++p, digits);
        p = n ? p + n : NULL;
    }
    if (p && *p == 'e') {
        p += 1 + (p[1] == '-');
        n = strspn(p, digits);
        p = n ? p + n : NULL;
    }
    return p;
}

static inline const char *json_list(const char *p, char close, bool keys)
{
    if (*++p == close) {
        return p + 1;
    }
    for (;; p++) {
        if (keys && (*p != '"' || !(p = json_string(p)) || *p++ != ':')) {
            return NULL;
        }
        if (!(p = json_value(p)) || (*p != ',' && *p != close)) {
            return NULL;
        }
        if (*p == close) {
            return p + 1;
        }
    }
}

static inline const char *json_value(const char *p)
{
    switch (*p) {
    case '{':
        return json_list(p, '}', true);
    case '[':
        return json_list(p, ']', false);
    case '"':
        return json_string(p);
    case 't':
        return strncmp(p, "true", 4) ? NULL : p + 4;
    case 'n':
        return strncmp(p, "null", 4) ? NULL : p + 4;
    case 'f':
        return strncmp(p, "false", 5) ? NULL : p + 5;
    default:
        return json_number(p);
    }
}

static inline bool is_json(const char *text)
{
    const char *end = json_value(text);
    return end && !*end;
}

#endif
