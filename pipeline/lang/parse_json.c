/* The JSON of a pipeline, as gf_pipeline_print writes it, with white space and members in any order:
 *
 *     {"gpufilter": 1, "stages": [{"op": "blur", "sigma": 2, "border": "wrap"}, {"op": "hist"}]}
 *
 * A stage's members are its parameters: numbers, true and false, or texts as the language has them. */
#include "lang/fault.h"
#include "lang/parse_message.h"

#include <string.h>

/* ---- characters ---- */

static char next_char(struct gf_parser *p)
{
    struct gf_lexer *l = &p->lexer;
    while (l->at < l->length && strchr(" \t\r\n", l->text[l->at])) {
        l->at++;
    }
    return l->at < l->length ? l->text[l->at] : '\0';
}

/* Says that `words` would have to stand at the lexer's place. */
static gf_status expected(const struct gf_parser *p, const char *words)
{
    char head[200];
    struct gf_text t = gf_text_begin(head, sizeof head);
    bool ends = p->lexer.at == p->lexer.length;
    if (p->stage >= 0) {
        gf_text_append(&t, "stage %d: ", (int)p->stage + 1);
    }
    gf_text_append(&t, "'{' begins JSON, and in it %s is expected%s", words, ends ? " at the end" : " here");
    struct gf_fault fault = {.code = GF_ERROR_PARSE,
                             .stage = p->stage,
                             .text = p->lexer.text,
                             .text_length = p->lexer.length,
                             .offset = p->lexer.at,
                             .length = ends ? 0 : 1,
                             .head = head,
                             .list = ""};
    return gf_fault_report(&fault, p->error);
}

static gf_status take(struct gf_parser *p, char c)
{
    if (next_char(p) != c) {
        const char words[] = {'\'', c, '\'', '\0'};
        return expected(p, words);
    }
    p->lexer.at++;
    return GF_OK;
}

/* Tells whether the list or object that `end` closes goes on: takes a comma, or `end`. */
static gf_status goes_on(struct gf_parser *p, char end, bool *on)
{
    char c = next_char(p);
    *on = c == ',';
    if (c != ',' && c != end) {
        return expected(p, end == ']' ? "',' or ']'" : "',' or '}'");
    }
    p->lexer.at++;
    return GF_OK;
}

/* ---- values ---- */

static int hex_of(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* Four hexadecimal digits at the lexer's place + 2; -1: they are none. */
static int32_t unit_at(const struct gf_lexer *l, size_t at)
{
    int32_t unit = 0;
    for (size_t i = at + 2; i < at + 6; i++) {
        int digit = i < l->length ? hex_of(l->text[i]) : -1;
        if (digit < 0) {
            return -1;
        }
        unit = unit * 16 + digit;
    }
    return unit;
}

/* The character of the \u at the lexer's place, which is passed over; -1: it is none. */
static int32_t unicode(struct gf_lexer *l)
{
    int32_t c = unit_at(l, l->at);
    if (c >= 0xd800 && c < 0xdc00 && l->at + 7 < l->length && l->text[l->at + 6] == '\\' &&
        l->text[l->at + 7] == 'u') {
        int32_t low = unit_at(l, l->at + 6);
        if (low >= 0xdc00 && low < 0xe000) {
            l->at += 12;
            return 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
        }
    }
    l->at += 6;
    return c >= 0xd800 && c < 0xe000 ? -1 : c;
}

/* Encodes it as UTF-8, in fewer bytes than the escape has. */
static size_t encode(int32_t c, char *to)
{
    size_t more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    static const unsigned char first[] = {0, 0xc0, 0xe0, 0xf0};
    to[0] = (char)(first[more] | (c >> 6 * more));
    for (size_t i = 1; i <= more; i++) {
        to[i] = (char)(0x80 | ((c >> 6 * (more - i)) & 0x3f));
    }
    return more + 1;
}

/* The character that the escape at the lexer's place stands for, which is passed over; -1: it is none. */
static int32_t escaped(struct gf_lexer *l)
{
    static const char letters[] = "\"\\/bfnrt", stands_for[] = "\"\\/\b\f\n\r\t";
    char c = l->at + 1 < l->length ? l->text[l->at + 1] : '\0';
    const char *letter = c ? strchr(letters, c) : NULL;
    if (c == 'u') {
        return unicode(l);
    }
    l->at += 2;
    return letter ? stands_for[letter - letters] : -1;
}

/* A string: *token is what stands between the quotes, *value what it means, in p->scratch. */
static gf_status take_string(struct gf_parser *p, struct gf_token *token, struct gf_argument *value)
{
    struct gf_lexer *l = &p->lexer;
    size_t length = 0;
    GF_TRY(take(p, '"'));
    token->offset = l->at;
    while (l->at < l->length && l->text[l->at] != '"') {
        size_t begin = l->at;
        if (l->text[l->at] != '\\') {
            p->scratch[length++] = l->text[l->at++];
        } else {
            int32_t c = escaped(l);
            length += c < 0 ? 0 : encode(c, p->scratch + length);
            if (c < 0) {
                l->at = begin;
                return expected(p, "an escape of JSON");
            }
        }
        unsigned char last = (unsigned char)p->scratch[length - 1];
        if ((last < 0x20 && !strchr("\t\r\n", last)) || last == 0 || last == 0x7f) {
            l->at = begin;
            return expected(p, "a text without control characters");
        }
    }
    token->length = l->at - token->offset;
    *value = (struct gf_argument){GF_ARGUMENT_QUOTED, p->scratch, length};
    return take(p, '"');
}

/* A string, number, true or false. */
static gf_status take_value(struct gf_parser *p, struct gf_token *token, struct gf_argument *value)
{
    struct gf_lexer *l = &p->lexer;
    if (next_char(p) == '"') {
        return take_string(p, token, value);
    }
    size_t from = l->at, n = 0;
    while (from + n < l->length && l->text[from + n] &&
           strchr("+-.0123456789abcdefghijklmnopqrstuvwxyzE", l->text[from + n])) {
        n++;
    }
    const char *word = l->text + from;
    bool is_bool = (n == 4 && !memcmp(word, "true", 4)) || (n == 5 && !memcmp(word, "false", 5));
    if (n == 0 || (!is_bool && !strchr("-0123456789", *word))) {
        return expected(p, "a text, a number, true or false");
    }
    l->at += n;
    *token = (struct gf_token){.offset = from, .length = n};
    *value = (struct gf_argument){GF_ARGUMENT_BARE, word, n};
    return GF_OK;
}

/* ---- stages ---- */

static bool is_key(const struct gf_argument *key, const char *name)
{
    return key->length == strlen(name) && !memcmp(key->text, name, key->length);
}

/* The members of a stage, from behind '{'. With `begin` the stage is begun by "op" alone, else the others
 * set its parameters. */
static gf_status members(struct gf_parser *p, bool begin)
{
    bool on = next_char(p) != '}', begun = false;
    while (on) {
        struct gf_token key, at;
        struct gf_argument name, value;
        next_char(p);
        GF_TRY(take_string(p, &key, &name));
        bool is_op = is_key(&name, "op");
        GF_TRY(take(p, ':'));
        GF_TRY(take_value(p, &at, &value));
        if (begin && is_op) {
            if (begun) {
                return gf_parse_wrong(p, &key, "op is given twice");
            }
            GF_TRY(gf_parser_begin_stage(p, &at));
            begun = true;
        } else if (!begin && !is_op) {
            GF_TRY(gf_parser_set_named(p, &key, &at, &value));
        }
        GF_TRY(goes_on(p, '}', &on));
    }
    if (begin && !begun) {
        return expected(p, "\"op\": the name of the stage");
    }
    return GF_OK;
}

static gf_status take_stage(struct gf_parser *p)
{
    p->stage = p->pipeline->n;
    p->name = (struct gf_token){0};
    GF_TRY(take(p, '{'));
    size_t from = p->lexer.at;
    GF_TRY(members(p, true));
    p->lexer.at = from;
    GF_TRY(members(p, false));
    gf_parser_node(p)->text_offset = (int32_t)from - 1;
    gf_parser_node(p)->text_length = (int32_t)(p->lexer.at - from + 1);
    return GF_OK;
}

static gf_status take_stages(struct gf_parser *p)
{
    bool on = true;
    GF_TRY(take(p, '['));
    if (next_char(p) == ']') {
        return gf_fail(p->error, GF_ERROR_PARSE, "the pipeline has no stages");
    }
    while (on) {
        GF_TRY(take_stage(p));
        GF_TRY(goes_on(p, ']', &on));
    }
    p->stage = -1;
    return GF_OK;
}

static gf_status take_version(struct gf_parser *p)
{
    struct gf_token at;
    struct gf_argument value;
    next_char(p);
    size_t from = p->lexer.at;
    GF_TRY(take_value(p, &at, &value));
    if (value.length != 1 || *value.text != '1') {
        p->lexer.at = from;
        return expected(p, "1, the version of this form,");
    }
    return GF_OK;
}

gf_status gf_parse_json(struct gf_parser *p)
{
    bool on = true, has_stages = false;
    p->stage = -1;
    GF_TRY(take(p, '{'));
    while (on) {
        struct gf_token key;
        struct gf_argument name;
        next_char(p);
        size_t from = p->lexer.at;
        GF_TRY(take_string(p, &key, &name));
        bool is_stages = is_key(&name, "stages") && !has_stages;
        if (!is_stages && !is_key(&name, "gpufilter")) {
            p->lexer.at = from;
            return expected(p, "\"gpufilter\" or, once, \"stages\"");
        }
        has_stages |= is_stages;
        GF_TRY(take(p, ':'));
        GF_TRY(is_stages ? take_stages(p) : take_version(p));
        GF_TRY(goes_on(p, '}', &on));
    }
    if (!has_stages) {
        return expected(p, "\"stages\"");
    }
    return next_char(p) ? expected(p, "the end") : GF_OK;
}
