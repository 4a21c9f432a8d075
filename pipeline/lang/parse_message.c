#include "lang/parse_message.h"

#include "lang/fault.h"

void gf_message_begin(struct gf_message *m, const struct gf_parser *p)
{
    m->head = gf_text_begin(m->head_bytes, sizeof m->head_bytes);
    m->list = gf_text_begin(m->list_bytes, sizeof m->list_bytes);
    gf_text_append(&m->head, "stage %d", (int)p->stage + 1);
    if (p->name.length > 0) {
        gf_text_string(&m->head, " '");
        gf_text_plain(&m->head, p->lexer.text + p->name.offset, p->name.length, GF_NAME_COLUMNS);
        gf_text_string(&m->head, "'");
    } else if (!p->types) {
        gf_text_append(&m->head, " '%.*s'", GF_NAME_COLUMNS, p->pipeline->nodes[p->stage].type->name);
    }
    gf_text_string(&m->head, ": ");
}

gf_status gf_message_report(const struct gf_parser *p, const struct gf_message *m, gf_status code,
                            size_t offset, size_t length)
{
    struct gf_fault fault = {.code = code,
                             .stage = p->stage,
                             .text = p->lexer.text,
                             .text_length = p->lexer.length,
                             .offset = offset,
                             .length = length,
                             .head = m->head_bytes,
                             .list = m->list_bytes};
    return gf_fault_report(&fault, p->error);
}

gf_status gf_parse_wrong(const struct gf_parser *p, const struct gf_token *at, const char *words)
{
    struct gf_message m;
    gf_message_begin(&m, p);
    gf_text_string(&m.head, words);
    return gf_message_report(p, &m, GF_ERROR_PARSE, at->offset, at->length);
}

gf_status gf_parse_unexpected(const struct gf_parser *p, const char *words)
{
    const struct gf_token *t = &p->token;
    struct gf_message m;
    if (t->kind == GF_TOKEN_END) {
        struct gf_token behind = {.offset = p->taken_end}; /* what is missing is missing there */
        return gf_parse_wrong(p, &behind, words);
    }
    gf_message_begin(&m, p);
    const char *text = p->lexer.text + t->offset;
    size_t columns;
    bool shown;
    gf_text_glyph(text, t->length, &columns, &shown);
    if (t->kind == GF_TOKEN_BAD && !shown) {
        gf_text_append(&m.head, "byte 0x%02x %s", (unsigned)(unsigned char)*text, t->fault);
    } else if (t->kind == GF_TOKEN_BAD) {
        const char *quote = *text == '\'' ? "" : "'";
        gf_text_string(&m.head, quote);
        gf_text_plain(&m.head, text, t->length, GF_NAME_COLUMNS);
        gf_text_append(&m.head, "%s %s", quote, t->fault);
    } else {
        gf_text_append(&m.head, "%s before '", words);
        gf_text_plain(&m.head, text, t->length, GF_NAME_COLUMNS);
        gf_text_string(&m.head, "'");
    }
    return gf_message_report(p, &m, GF_ERROR_PARSE, t->offset, t->length);
}

void gf_message_suggest(struct gf_message *m, const struct gf_nearest *nearest)
{
    if (nearest->best) {
        gf_text_append(&m->head, "; did you mean '%.*s'?", (int)nearest->best_length, nearest->best);
    }
}

void gf_parser_advance(struct gf_parser *p)
{
    p->taken_end = p->token.offset + p->token.length;
    p->token = gf_lexer_next(&p->lexer);
}
