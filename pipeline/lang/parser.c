#include "lang/parser.h"

#include "lang/parse_message.h"
#include "param/params.h"
#include "registry.h"

#include <stdlib.h>
#include <string.h>

/* Type i, those of the caller first; NULL past the end. */
static const gf_stage_type *type_at(const struct gf_parse_types *known, int32_t i)
{
    int32_t built_in;
    const gf_stage_type *const *types = gf_stage_types(&built_in);
    return i < known->count ? known->types[i] : i < known->count + built_in ? types[i - known->count] : NULL;
}

static const gf_stage_type *first_named(const struct gf_parse_types *known, const char *name, size_t length)
{
    const gf_stage_type *type;
    for (int32_t i = 0; (type = type_at(known, i)) != NULL; i++) {
        if (gf_stage_has_name(type, name, length)) {
            return type;
        }
    }
    return NULL;
}

/* A type whose own name leads to another is out of reach, by its aliases too: what is printed is the
 * own name, and that must read back. */
static bool is_shadowed(const struct gf_parse_types *known, const gf_stage_type *type)
{
    return first_named(known, type->name, strlen(type->name)) != type;
}

static const gf_stage_type *find_type(const struct gf_parse_types *known, const char *name, size_t length)
{
    const gf_stage_type *type;
    for (int32_t i = 0; (type = type_at(known, i)) != NULL; i++) {
        if (gf_stage_has_name(type, name, length) && !is_shadowed(known, type)) {
            return type;
        }
    }
    return NULL;
}

/* Says which names are near, and the caller's own; all there are would be too many for a message. */
static void list_alike(struct gf_message *m, const struct gf_parse_types *known, const struct gf_alike *alike)
{
    int32_t built_in;
    gf_stage_types(&built_in);
    for (int i = 0; i < alike->count; i++) {
        gf_text_append(&m->list, "%s%s", i == 0 ? "alike: " : ", ", alike->words[i]);
    }
    gf_text_append(&m->list, "%s`gpufilter list` names all %d stages", alike->count > 0 ? "; " : "",
                   (int)built_in);
    for (int32_t i = 0; i < known->count; i++) {
        gf_text_append(&m->list, "%s %s", i == 0 ? "; beside them:" : "", known->types[i]->name);
    }
}

static gf_status unknown_stage(const struct gf_parser *p)
{
    struct gf_nearest nearest = gf_nearest_to(p->lexer.text + p->name.offset, p->name.length);
    struct gf_alike alike = {.count = 0};
    const gf_stage_type *type;
    struct gf_message m;
    gf_message_begin(&m, p);
    gf_text_string(&m.head, "unknown stage");
    nearest.best = gf_stage_known_as(nearest.typed, nearest.typed_length); /* nothing is nearer */
    nearest.best_length = nearest.best ? strlen(nearest.best) : 0;
    for (int32_t i = 0; (type = type_at(p->types, i)) != NULL; i++) {
        if (!is_shadowed(p->types, type)) {
            gf_nearest_offer(&nearest, type->name, strlen(type->name));
            gf_nearest_offer_list(&nearest, type->aliases);
            gf_alike_offer(&alike, nearest.typed, nearest.typed_length, type->name);
        }
    }
    gf_message_suggest(&m, &nearest);
    alike.count = nearest.best ? 0 : alike.count;
    list_alike(&m, p->types, &alike);
    return gf_message_report(p, &m, GF_ERROR_PARSE, p->name.offset, p->name.length);
}

gf_status gf_parser_begin_stage(struct gf_parser *p, const struct gf_token *name)
{
    const gf_stage_type *type = find_type(p->types, p->lexer.text + name->offset, name->length);
    p->name = *name;
    if (!type) {
        return unknown_stage(p);
    }
    if (p->stage == GF_PIPELINE_STAGES) {
        struct gf_message m;
        gf_message_begin(&m, p);
        gf_text_append(&m.head, "a pipeline has at most %d stages", GF_PIPELINE_STAGES);
        return gf_message_report(p, &m, GF_ERROR_LIMIT, name->offset, name->length);
    }
    p->given = 0;
    return gf_pipeline_add(p->pipeline, type, p->error);
}

static gf_status parse_stage(struct gf_parser *p)
{
    p->stage = p->pipeline->n;
    p->name = (struct gf_token){0};
    if (p->token.kind != GF_TOKEN_WORD) {
        return gf_parse_unexpected(p, p->taken_end > 0 && p->token.kind == GF_TOKEN_END
                                          ? "the name of a stage is missing after ','"
                                          : "the name of a stage is missing");
    }
    struct gf_token name = p->token;
    GF_TRY(gf_parser_begin_stage(p, &name));
    gf_parser_advance(p);
    if (p->token.kind == GF_TOKEN_COLON || p->token.kind == GF_TOKEN_EQUALS) {
        gf_parser_advance(p);
        GF_TRY(gf_parser_arguments(p));
    }
    gf_parser_node(p)->text_offset = (int32_t)name.offset;
    gf_parser_node(p)->text_length = (int32_t)(p->taken_end - name.offset);
    return GF_OK;
}

static gf_status parse_stages(struct gf_parser *p)
{
    p->token = gf_lexer_next(&p->lexer);
    if (p->token.kind == GF_TOKEN_END) {
        return gf_fail(p->error, GF_ERROR_PARSE, "the pipeline has no stages");
    }
    for (;;) {
        GF_TRY(parse_stage(p));
        if (p->token.kind == GF_TOKEN_END) {
            return GF_OK;
        }
        if (p->token.kind == GF_TOKEN_COMMA) {
            gf_parser_advance(p);
        } else if (!p->token.after_newline || p->token.kind != GF_TOKEN_WORD) {
            return gf_parse_unexpected(p, "',' or ':' is missing");
        }
    }
}

/* ---- entrances ---- */

static gf_status begin(struct gf_parser *p, const char *text, gf_error *error)
{
    size_t length = strlen(text);
    p->error = error;
    p->lexer = (struct gf_lexer){text, length, 0};
    if (length > GF_PIPELINE_BYTES) {
        return gf_fail(error, GF_ERROR_LIMIT, "the text of a pipeline has at most %d bytes",
                       GF_PIPELINE_BYTES);
    }
    p->scratch = malloc(length + 1);
    return p->scratch ? GF_OK : gf_fail(error, GF_ERROR_MEMORY, "no memory to read a pipeline");
}

gf_status gf_parse_pipeline(gf_pipeline *pipeline, const char *text, const struct gf_parse_types *types,
                            gf_error *error)
{
    struct gf_parser p = {.pipeline = pipeline, .types = types};
    GF_TRY(begin(&p, text, error));
    gf_status status = text[strspn(text, " \t\r\n")] == '{' ? gf_parse_json(&p) : parse_stages(&p);
    free(p.scratch);
    return status;
}

gf_status gf_parse_arguments(gf_pipeline *pipeline, const char *text, gf_error *error)
{
    struct gf_parser p = {.pipeline = pipeline, .stage = pipeline->n - 1};
    GF_TRY(begin(&p, text, error));
    p.token = gf_lexer_next(&p.lexer);
    gf_status status = p.token.kind == GF_TOKEN_END ? GF_OK : gf_parser_arguments(&p);
    if (status == GF_OK && p.token.kind != GF_TOKEN_END) {
        status = gf_parse_unexpected(&p, "':' is missing");
    }
    free(p.scratch);
    return status;
}
