/* lexer: the characters of the --stages language become tokens.
 *
 *   word      letters, digits and . _ + - % # / * ~ @ ; '@' not first, nor '#', unless right after ':' or '='
 *   quoted    '...' as it stands, "..." with \\ \" \n
 *   list      [ ... ], numbers separated by spaces, rows by ';'
 *   file      @word or @quoted
 *   comma , colon : equals =
 *
 * Space, tab, carriage return, newline and comments (# after white space, ',' or at the start, to
 * the end of the line) separate tokens; a token knows whether a newline stands before it. Every
 * other byte is an error, also inside quotes when it is a control character. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum gf_token_kind {
    GF_TOKEN_END,
    GF_TOKEN_WORD,
    GF_TOKEN_QUOTED,
    GF_TOKEN_LIST,
    GF_TOKEN_FILE,
    GF_TOKEN_COMMA,
    GF_TOKEN_COLON,
    GF_TOKEN_EQUALS,
    GF_TOKEN_BAD
};

struct gf_token {
    enum gf_token_kind kind;
    size_t offset, length; /* in the text; for BAD: what is wrong */
    bool after_newline;
    const char *fault; /* BAD: "is reserved: ...", to follow the text at fault in quotes */
};

struct gf_lexer {
    const char *text; /* borrowed */
    size_t length, at;
};

/* The next token; END and BAD repeat for ever. */
struct gf_token gf_lexer_next(struct gf_lexer *lexer);

/* Returns what a WORD, QUOTED, LIST or FILE token stands for, without quotes, escapes, brackets and '@': a
 * place in the text, or in `scratch` (at least token->length bytes) when there are escapes. */
const char *gf_token_value(const struct gf_lexer *lexer, const struct gf_token *token, char *scratch,
                           size_t *length);

/* Tells whether a text can stand in the language as a value without quotes. */
bool gf_is_bare(const char *value, size_t length);
