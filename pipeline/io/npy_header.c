#include "io/npy_header.h"

#include <string.h>

/* What is left of the text. Every reader moves `at` past what it took. */
struct cursor {
    const char *at, *end;
};

static void skip_blanks(struct cursor *c)
{
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\n' || *c->at == '\t')) {
        c->at++;
    }
}

/* Takes one character, blanks before it skipped. */
static int take(struct cursor *c, char wanted)
{
    skip_blanks(c);
    if (c->at < c->end && *c->at == wanted) {
        c->at++;
        return 1;
    }
    return 0;
}

static int take_word(struct cursor *c, const char *word)
{
    size_t length = strlen(word);
    skip_blanks(c);
    if ((size_t)(c->end - c->at) >= length && memcmp(c->at, word, length) == 0) {
        c->at += length;
        return 1;
    }
    return 0;
}

/* A quoted string without escapes: [*from, *from + *length). */
static int take_string(struct cursor *c, const char **from, size_t *length)
{
    char quote = '\'';
    if (!take(c, quote)) {
        quote = '"';
        if (!take(c, quote)) {
            return 0;
        }
    }
    const char *close = memchr(c->at, quote, (size_t)(c->end - c->at));
    if (close == NULL || memchr(c->at, '\\', (size_t)(close - c->at)) != NULL) {
        return 0;
    }
    *from = c->at;
    *length = (size_t)(close - c->at);
    c->at = close + 1;
    return 1;
}

/* Decimal digits, at most INT64_MAX, with the "L" that Python 2 wrote. */
static int take_number(struct cursor *c, int64_t *number)
{
    skip_blanks(c);
    const char *first = c->at;
    int64_t value = 0;
    for (; c->at < c->end && *c->at >= '0' && *c->at <= '9'; c->at++) {
        int digit = *c->at - '0';
        if (value > (INT64_MAX - digit) / 10) {
            return 0;
        }
        value = value * 10 + digit;
    }
    if (c->at == first) {
        return 0;
    }
    if (c->at < c->end && *c->at == 'L') {
        c->at++;
    }
    *number = value;
    return 1;
}

static const char *parse_descr(struct cursor *c, struct gf_npy_header *header)
{
    const char *text;
    size_t length;
    skip_blanks(c);
    if (c->at < c->end && *c->at == '[') {
        return "a structured array is no picture";
    }
    if (!take_string(c, &text, &length)) {
        return "'descr' is not a string";
    }
    if (length < 3 || length > 6 || strchr("<>|=", text[0]) == NULL || text[0] == '\0') {
        return "'descr' is not a sample type";
    }
    header->order = text[0];
    header->kind = text[1];
    header->size = 0;
    for (size_t i = 2; i < length; i++) {
        if (text[i] < '0' || text[i] > '9') {
            return "'descr' is not a sample type";
        }
        header->size = header->size * 10 + (text[i] - '0');
    }
    int letter = (header->kind >= 'a' && header->kind <= 'z') || (header->kind >= 'A' && header->kind <= 'Z');
    return letter ? NULL : "'descr' is not a sample type";
}

static const char *parse_order(struct cursor *c, struct gf_npy_header *header)
{
    header->fortran = take_word(c, "True");
    return header->fortran || take_word(c, "False") ? NULL : "'fortran_order' is not True or False";
}

static const char *parse_shape(struct cursor *c, struct gf_npy_header *header)
{
    static const char *const wrong = "'shape' is not a tuple of sizes";
    header->dims = 0;
    if (!take(c, '(')) {
        return wrong;
    }
    while (!take(c, ')')) {
        if (header->dims == GF_NPY_MAX_DIMS) {
            return "more than 3 dimensions";
        }
        if (!take_number(c, &header->dim[header->dims])) {
            return wrong;
        }
        header->dims++;
        if (!take(c, ',')) {
            /* "(3)" is a number, not a tuple */
            return header->dims > 1 && take(c, ')') ? NULL : wrong;
        }
    }
    return NULL;
}

const char *gf_npy_parse(const char *text, size_t length, struct gf_npy_header *header)
{
    static const struct {
        const char *key;
        const char *(*parse)(struct cursor *, struct gf_npy_header *);
    } entries[] = {{"descr", parse_descr}, {"fortran_order", parse_order}, {"shape", parse_shape}};
    struct cursor c = {text, text + length};
    unsigned seen = 0;
    memset(header, 0, sizeof *header);
    if (!take(&c, '{')) {
        return "the header is not a dictionary";
    }
    while (!take(&c, '}')) {
        const char *key;
        size_t size, i = 0;
        if (!take_string(&c, &key, &size) || !take(&c, ':')) {
            return "the header is not a dictionary";
        }
        while (i < 3 && (strlen(entries[i].key) != size || memcmp(entries[i].key, key, size) != 0)) {
            i++;
        }
        if (i == 3) {
            return "a key other than 'descr', 'fortran_order' and 'shape'";
        }
        if (seen >> i & 1u) {
            return "a key twice";
        }
        seen |= 1u << i;
        const char *wrong = entries[i].parse(&c, header);
        if (wrong != NULL) {
            return wrong;
        }
        if (!take(&c, ',')) {
            if (!take(&c, '}')) {
                return "the header is not a dictionary";
            }
            break;
        }
    }
    skip_blanks(&c);
    if (c.at != c.end) {
        return "text after the dictionary";
    }
    return seen == 7 ? NULL : "'descr', 'fortran_order' or 'shape' is missing";
}
