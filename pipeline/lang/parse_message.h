/* What the parser's parts share: its state, its walk over tokens, and its messages. Private to
 * parser.c, parse_argument.c, parse_json.c and parse_message.c. */
#pragma once

#include "base/text.h"
#include "lang/lexer.h"
#include "lang/nearest.h"
#include "lang/parser.h"
#include "param/params.h"

enum { GF_NAME_COLUMNS = 40, GF_HEAD_BYTES = 256, GF_LIST_BYTES = 512 };

struct gf_parser {
    struct gf_lexer lexer;
    struct gf_token token; /* the next one, not yet taken */
    size_t taken_end;      /* where the last one taken ended */
    gf_pipeline *pipeline;
    const struct gf_parse_types *types; /* NULL: only arguments are read */
    int32_t stage;                      /* the one being read, from 0 */
    struct gf_token name;               /* its name; length 0: not known yet, or not in the text */
    uint64_t given;                     /* bit i: row i has been set */
    char *scratch;                      /* as large as the text, for values with escapes */
    gf_error *error;
};

/* A message being made. */
struct gf_message {
    char head_bytes[GF_HEAD_BYTES], list_bytes[GF_LIST_BYTES];
    struct gf_text head; /* one line, which begins with "stage 2 'blur': " */
    struct gf_text list; /* valid words, or empty */
};

void gf_message_begin(struct gf_message *message, const struct gf_parser *p);

/* Appends "; did you mean 'blur'?" when something is near. */
void gf_message_suggest(struct gf_message *message, const struct gf_nearest *nearest);

/* Fills the parser's error and returns the code. */
gf_status gf_message_report(const struct gf_parser *p, const struct gf_message *message, gf_status code,
                            size_t offset, size_t length);

/* "stage 2 'blur': " and the words; the place is the token's. */
gf_status gf_parse_wrong(const struct gf_parser *p, const struct gf_token *at, const char *words);

/* Fails at the next token, which cannot stand here: "WORDS before 'x'"; at the end of the text, WORDS; and
 * for what is no token the lexer's words. */
gf_status gf_parse_unexpected(const struct gf_parser *p, const char *words);

/* Takes the next token. */
void gf_parser_advance(struct gf_parser *p);

/* The stage that is being read. */
static inline struct gf_stage_node *gf_parser_node(const struct gf_parser *p)
{
    return &p->pipeline->nodes[p->stage];
}

/* parser.c: begins the stage whose name is at the token. */
gf_status gf_parser_begin_stage(struct gf_parser *p, const struct gf_token *name);

/* parse_argument.c: sets the parameter whose name is at `key`; the value stands at `at`. */
gf_status gf_parser_set_named(struct gf_parser *p, const struct gf_token *key, const struct gf_token *at,
                              const struct gf_argument *argument);

/* parse_json.c: adds the stages of what gf_pipeline_print writes as JSON. */
gf_status gf_parse_json(struct gf_parser *p);

/* parse_argument.c: reads arg {":" arg} into the stage. */
gf_status gf_parser_arguments(struct gf_parser *p);
