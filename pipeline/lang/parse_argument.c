#include "lang/parse_message.h"
#include "param/params.h"

#include <string.h>

static bool is_value(const struct gf_token *t)
{
    return t->kind == GF_TOKEN_WORD || t->kind == GF_TOKEN_QUOTED || t->kind == GF_TOKEN_LIST ||
           t->kind == GF_TOKEN_FILE;
}

static struct gf_argument argument_of(const struct gf_parser *p, const struct gf_token *t)
{
    struct gf_argument a = {.kind = t->kind == GF_TOKEN_QUOTED ? GF_ARGUMENT_QUOTED
                                    : t->kind == GF_TOKEN_LIST ? GF_ARGUMENT_LIST
                                    : t->kind == GF_TOKEN_FILE ? GF_ARGUMENT_FILE
                                                               : GF_ARGUMENT_BARE};
    a.text = gf_token_value(&p->lexer, t, p->scratch, &a.length);
    return a;
}

/* "parameters: sigma=1 radius=auto border=replicate ..." */
static void list_parameters(struct gf_message *m, const gf_stage_type *type)
{
    const gf_param *row;
    gf_text_string(&m->list, "parameters:");
    for (int32_t i = 0; (row = gf_stage_param(type, i)) != NULL; i++) {
        bool has_default = row->text && row->text[0];
        gf_text_append(&m->list, " %s%s%s", row->name, has_default ? "=" : "", has_default ? row->text : "");
    }
}

static gf_status unknown_parameter(const struct gf_parser *p, const struct gf_token *key)
{
    const gf_stage_type *type = gf_parser_node(p)->type;
    const char *name = p->lexer.text + key->offset;
    struct gf_nearest nearest = gf_nearest_to(name, key->length);
    const gf_param *row;
    struct gf_message m;
    for (int32_t i = 0; (row = gf_stage_param(type, i)) != NULL; i++) {
        gf_nearest_offer(&nearest, row->name, strlen(row->name));
    }
    gf_message_begin(&m, p);
    gf_text_string(&m.head, "no parameter '");
    gf_text_plain(&m.head, name, key->length, GF_NAME_COLUMNS);
    gf_text_string(&m.head, "'");
    gf_message_suggest(&m, &nearest);
    list_parameters(&m, type);
    return gf_message_report(p, &m, GF_ERROR_PARSE, key->offset, key->length);
}

/* The words of a choice, in which a near one is looked for. */
static void list_choices(struct gf_message *m, const gf_param *row, const struct gf_argument *a)
{
    struct gf_nearest nearest = gf_nearest_to(a->text, a->length);
    gf_nearest_offer_list(&nearest, row->choices);
    gf_message_suggest(m, &nearest);
    gf_text_append(&m->list, "%s:", row->name);
    for (const char *c = row->choices; *c;) {
        size_t n = strcspn(c, "|");
        gf_text_string(&m->list, " ");
        gf_text_bytes(&m->list, c, n);
        c += n + (c[n] == '|');
    }
}

/* Sets a parameter; the value stands at the token. */
static gf_status set(struct gf_parser *p, const gf_param *row, const struct gf_token *at,
                     const struct gf_argument *a)
{
    struct gf_message m;
    gf_message_begin(&m, p);
    gf_status status = gf_param_read(row, gf_parser_node(p), a, &m.head);
    if (status == GF_OK) {
        return GF_OK;
    }
    if (row->type == GF_PARAM_CHOICE && a->kind != GF_ARGUMENT_LIST && a->kind != GF_ARGUMENT_FILE) {
        list_choices(&m, row, a);
    }
    return gf_message_report(p, &m, status, at->offset, at->length);
}

/* The row has been set by the value at `at`; no place is kept in a text that is not the pipeline's own. */
static void mark_given(struct gf_parser *p, const gf_param *row, const struct gf_token *at)
{
    struct gf_stage_node *node = gf_parser_node(p);
    const gf_param *known;
    for (int32_t i = 0; (known = gf_stage_param(node->type, i)) != NULL; i++) {
        if (known == row) {
            p->given |= 1ull << i;
            node->places[i].offset = (uint16_t)at->offset;
            node->places[i].length = p->types ? (uint16_t)at->length : 0;
        }
    }
}

static bool is_given(const struct gf_parser *p, const gf_param *row)
{
    for (int32_t i = 0; i < 64; i++) {
        if ((p->given >> i & 1) && gf_stage_param(gf_parser_node(p)->type, i) == row) {
            return true;
        }
    }
    return false;
}

/* None of several positional parameters takes the value. */
static gf_status fits_none(const struct gf_parser *p, const struct gf_token *at)
{
    struct gf_argument a = argument_of(p, at);
    struct gf_nearest nearest = gf_nearest_to(a.text, a.length);
    const gf_param *row;
    struct gf_message m;
    gf_message_begin(&m, p);
    gf_text_string(&m.head, a.kind == GF_ARGUMENT_LIST   ? "a list"
                            : a.kind == GF_ARGUMENT_FILE ? "a file"
                                                         : "'");
    if (a.kind == GF_ARGUMENT_BARE || a.kind == GF_ARGUMENT_QUOTED) {
        gf_text_plain(&m.head, a.text, a.length, GF_NAME_COLUMNS);
        gf_text_string(&m.head, "'");
    }
    const char *joint = " fits neither ";
    for (int32_t i = 0; (row = gf_stage_param(gf_parser_node(p)->type, i)) != NULL; i++) {
        if (row->positional) {
            gf_text_append(&m.head, "%s%s", joint, row->name);
            gf_text_append(&m.list, "%s%s: ", m.list.length ? "; " : "", row->name);
            gf_param_describe(row, &m.list);
            gf_nearest_offer_list(&nearest, row->type == GF_PARAM_CHOICE ? row->choices : NULL);
            joint = " nor ";
        }
    }
    gf_message_suggest(&m, &nearest);
    return gf_message_report(p, &m, GF_ERROR_PARSE, at->offset, at->length);
}

/* A first argument without a name: the first positional parameter that can take it; one that could
 * but for its interval comes before the others' complaints. */
static gf_status set_positional(struct gf_parser *p, const struct gf_token *at)
{
    const gf_stage_type *type = gf_parser_node(p)->type;
    struct gf_argument a = argument_of(p, at);
    const gf_param *row, *only = NULL, *in_form = NULL;
    int positional = 0;
    for (int32_t i = 0; (row = gf_stage_param(type, i)) != NULL; i++) {
        struct gf_text why = gf_text_begin(NULL, 0);
        gf_status status = row->positional ? gf_param_read(row, gf_parser_node(p), &a, &why) : GF_ERROR_PARSE;
        if (status == GF_OK) {
            mark_given(p, row, at);
            return GF_OK;
        }
        positional += row->positional != 0;
        only = row->positional ? row : only;
        in_form = status == GF_ERROR_ARGUMENT && !in_form ? row : in_form;
    }
    if (in_form) {
        return set(p, in_form, at, &a);
    }
    if (at->kind == GF_TOKEN_WORD && (row = gf_stage_param_named(type, a.text, a.length)) != NULL) {
        struct gf_message m;
        gf_message_begin(&m, p);
        gf_text_append(&m.head, "%s has no value, as in %s=%s", row->name, row->name,
                       row->text && row->text[0] ? row->text : "...");
        return gf_message_report(p, &m, GF_ERROR_PARSE, at->offset, at->length);
    }
    if (positional == 0) {
        struct gf_message m;
        gf_message_begin(&m, p);
        gf_text_string(&m.head, "takes no value without a name");
        list_parameters(&m, type);
        return gf_message_report(p, &m, GF_ERROR_PARSE, at->offset, at->length);
    }
    return positional == 1 ? set(p, only, at, &a) : fits_none(p, at);
}

/* The row of that name, unless it is set already. */
static gf_status find_named(const struct gf_parser *p, const struct gf_token *key, const gf_param **row)
{
    *row = gf_stage_param_named(gf_parser_node(p)->type, p->lexer.text + key->offset, key->length);
    if (!*row) {
        return unknown_parameter(p, key);
    }
    if (is_given(p, *row)) {
        struct gf_message m;
        gf_message_begin(&m, p);
        gf_text_append(&m.head, "%s is given twice", (*row)->name);
        return gf_message_report(p, &m, GF_ERROR_PARSE, key->offset, key->length);
    }
    return GF_OK;
}

gf_status gf_parser_set_named(struct gf_parser *p, const struct gf_token *key, const struct gf_token *at,
                              const struct gf_argument *argument)
{
    const gf_param *row;
    GF_TRY(find_named(p, key, &row));
    mark_given(p, row, at);
    return set(p, row, at, argument);
}

static gf_status set_named(struct gf_parser *p, const struct gf_token *key)
{
    const gf_param *row;
    GF_TRY(find_named(p, key, &row));
    if (!is_value(&p->token)) {
        struct gf_message m;
        gf_message_begin(&m, p);
        gf_text_append(&m.head, "a value is missing after %s=", row->name);
        return p->token.kind == GF_TOKEN_BAD ? gf_parse_unexpected(p, "")
                                             : gf_message_report(p, &m, GF_ERROR_PARSE, p->taken_end, 0);
    }
    struct gf_token value = p->token;
    struct gf_argument argument = argument_of(p, &value);
    mark_given(p, row, &value);
    gf_parser_advance(p);
    return set(p, row, &value, &argument);
}

/* A second value without a name; most likely it is meant for the next parameter of the stage. */
static gf_status lacks_name(const struct gf_parser *p, const struct gf_token *at)
{
    const gf_stage_type *type = gf_parser_node(p)->type;
    const gf_param *row = type->params;
    struct gf_argument a = argument_of(p, at);
    struct gf_message m;
    gf_message_begin(&m, p);
    gf_text_string(&m.head, "only the first value may stand without its parameter's name");
    while (row && row->name && is_given(p, row)) {
        row++;
    }
    if (row && row->name) {
        gf_text_append(&m.head, "; did you mean %s=", row->name);
        gf_text_plain(&m.head, a.text, a.length, GF_NAME_COLUMNS);
        gf_text_string(&m.head, "?");
    }
    return gf_message_report(p, &m, GF_ERROR_PARSE, at->offset, at->length);
}

static gf_status parse_argument(struct gf_parser *p, bool first)
{
    struct gf_token token = p->token;
    if (!is_value(&token)) {
        return gf_parse_unexpected(p, "an argument is missing");
    }
    gf_parser_advance(p);
    if (token.kind == GF_TOKEN_WORD && p->token.kind == GF_TOKEN_EQUALS) {
        gf_parser_advance(p);
        return set_named(p, &token);
    }
    return first ? set_positional(p, &token) : lacks_name(p, &token);
}

gf_status gf_parser_arguments(struct gf_parser *p)
{
    p->given = 0;
    GF_TRY(parse_argument(p, true));
    while (p->token.kind == GF_TOKEN_COLON) {
        gf_parser_advance(p);
        GF_TRY(parse_argument(p, false));
    }
    return GF_OK;
}
