#include "lang/lexer.h"

#include <string.h>

static bool is_bare(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c && strchr("._+-%#/*~", c));
}

bool gf_is_bare(const char *value, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (!is_bare(value[i])) {
            return false;
        }
    }
    return length > 0 && value[0] != '#';
}

static bool is_control(char c)
{
    unsigned char byte = (unsigned char)c;
    return (byte < 0x20 && c != '\t' && c != '\n' && c != '\r') || byte == 0x7f;
}

/* Tells whether '#' at the lexer's place begins a comment and not a value. */
static bool is_comment(const struct gf_lexer *l)
{
    return l->text[l->at] == '#' && (l->at == 0 || strchr(" \t\r\n,", l->text[l->at - 1]));
}

/* Goes over white space and comments. Returns whether there was a newline. */
static bool skip(struct gf_lexer *l)
{
    bool newline = false;
    while (l->at < l->length) {
        char c = l->text[l->at];
        if (is_comment(l)) {
            while (l->at < l->length && l->text[l->at] != '\n') {
                l->at++;
            }
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
            newline |= c == '\n';
            l->at++;
        } else {
            break;
        }
    }
    return newline;
}

static struct gf_token bad(size_t offset, size_t length, const char *fault)
{
    return (struct gf_token){.kind = GF_TOKEN_BAD, .offset = offset, .length = length, .fault = fault};
}

/* The token of that kind from `from` to `to`, behind which the lexer goes on. */
static struct gf_token take(struct gf_lexer *l, enum gf_token_kind kind, size_t from, size_t to)
{
    l->at = to;
    return (struct gf_token){.kind = kind, .offset = from, .length = to - from};
}

static struct gf_token word(struct gf_lexer *l, enum gf_token_kind kind, size_t from, size_t to)
{
    const bool takes_at = kind == GF_TOKEN_WORD; /* behind its first character, as in ellipse@9x9+0+0 */
    while (to < l->length && (is_bare(l->text[to]) || (takes_at && l->text[to] == '@'))) {
        to++;
    }
    if (takes_at && to - from == 3 && memcmp(l->text + from, "rgb", 3) == 0 && to < l->length &&
        l->text[to] == '(') { /* a colour, up to its bracket */
        size_t end = to + 1;
        while (end < l->length && l->text[end] && strchr("0123456789, ", l->text[end])) {
            end++;
        }
        to = end < l->length && l->text[end] == ')' ? end + 1 : to;
    }
    return take(l, kind, from, to);
}

/* A quoted text whose quote is at `open`; the token begins at `from`. */
static struct gf_token quoted(struct gf_lexer *l, enum gf_token_kind kind, size_t from, size_t open)
{
    char quote = l->text[open];
    for (size_t i = open + 1; i < l->length; i++) {
        char c = l->text[i];
        if (c == quote) {
            return take(l, kind, from, i + 1);
        }
        if (is_control(c)) {
            return bad(i, 1, "is a control character");
        }
        if (quote == '"' && c == '\\') {
            char next = i + 1 < l->length ? l->text[i + 1] : '\0';
            if (next != '\\' && next != '"' && next != 'n') {
                return bad(i, next ? 2 : 1,
                           "is no escape: there are \\\\ \\\" \\n, and none in single quotes");
            }
            i++;
        }
    }
    return bad(open, 1, "opens a text that is not closed");
}

static struct gf_token list(struct gf_lexer *l, size_t from)
{
    for (size_t i = from + 1; i < l->length; i++) {
        char c = l->text[i];
        if (c == ']') {
            return take(l, GF_TOKEN_LIST, from, i + 1);
        }
        if (!is_bare(c) && (!c || !strchr(" \t\r\n;", c))) {
            return bad(i, 1, "cannot stand in a list: numbers are separated by spaces, rows by ';'");
        }
    }
    return bad(from, 1, "opens a list that is not closed");
}

/* Bytes of the character at i, so that a message never holds half of one. */
static size_t character(const struct gf_lexer *l, size_t i)
{
    size_t n = 1;
    while (i + n < l->length && n < 4 && ((unsigned char)l->text[i + n] & 0xc0) == 0x80) {
        n++;
    }
    return n;
}

static struct gf_token scan(struct gf_lexer *l)
{
    size_t i = l->at;
    if (i == l->length) {
        return take(l, GF_TOKEN_END, i, i);
    }
    char c = l->text[i];
    char next = i + 1 < l->length ? l->text[i + 1] : '\0';
    switch (c) {
    case ',':
        return take(l, GF_TOKEN_COMMA, i, i + 1);
    case ':':
        return take(l, GF_TOKEN_COLON, i, i + 1);
    case '=':
        return take(l, GF_TOKEN_EQUALS, i, i + 1);
    case '\'':
    case '"':
        return quoted(l, GF_TOKEN_QUOTED, i, i);
    case '[':
        return list(l, i);
    case '@':
        if (next == '\'' || next == '"') {
            return quoted(l, GF_TOKEN_FILE, i, i + 1);
        }
        return is_bare(next) ? word(l, GF_TOKEN_FILE, i, i + 1)
                             : bad(i, 1, "must be followed by the name of a file");
    case '|':
    case ';':
        return bad(i, 1, "separates no stages: ',' does; inside quotes it can stand");
    case '{':
    case '}':
    case '$':
        return bad(i, 1, "is reserved: it can stand only inside quotes");
    default:
        if (is_control(c)) {
            return bad(i, 1, "is a control character");
        }
        return is_bare(c) ? word(l, GF_TOKEN_WORD, i, i)
                          : bad(i, character(l, i), "can stand only inside quotes");
    }
}

struct gf_token gf_lexer_next(struct gf_lexer *lexer)
{
    bool newline = skip(lexer);
    struct gf_token token = scan(lexer);
    token.after_newline = newline;
    return token;
}

const char *gf_token_value(const struct gf_lexer *lexer, const struct gf_token *token, char *scratch,
                           size_t *length)
{
    const char *from = lexer->text + token->offset;
    size_t n = token->length, out = 0;
    if (token->kind == GF_TOKEN_FILE) {
        from++;
        n--;
    }
    char first = *from;
    if (first == '\'' || first == '"' || first == '[') {
        from++;
        n -= 2;
    }
    if (first != '"' || !memchr(from, '\\', n)) {
        *length = n;
        return from;
    }
    for (size_t i = 0; i < n; i++) {
        bool escaped = from[i] == '\\';
        i += escaped;
        scratch[out++] = escaped && from[i] == 'n' ? '\n' : from[i];
    }
    *length = out;
    return scratch;
}
