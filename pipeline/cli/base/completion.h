/* What may stand at a place of a command line, for the completion of the shells. The scripts of bash, zsh and
 * fish only hand the words over (`gpufilter completion words WORD...`) and show what comes back, so that what
 * is offered is always what this program takes. */
#pragma once

#include "base/text_buffer.h"

/* Words that are offered: one a line, '|' and what it is behind it. One that is finished ends in a space;
 * behind the others one goes on typing. */
struct offers {
    struct buffer *text;
    const char *before; /* what stays of the word that is typed, as "blur:2," */
    size_t before_length;
    const char *typed; /* what an offer must begin with */
};

/* Offers `word` of `length` bytes with `end` behind it, where it begins with what is typed. */
void offer(const struct offers *offers, const char *word, size_t length, const char *end, const char *help);

/* Offers all words of a list separated by '|', with nothing said of them. */
void offer_list(const struct offers *offers, const char *words, const char *end);

/* The typed part from `from` on stays, and offers go behind it. */
struct offers offers_behind(const struct offers *offers, const char *from);

/* The last of the `count` words, which may be empty, is the one that is typed; the program's name is not
 * among them. Nothing is offered where a file is meant. */
void complete_words(struct buffer *text, int count, char **words);

/* complete_stages.c: what is typed is the value of --stages. */
void complete_stages(const struct offers *offers);
/* The names of stages alone. */
void complete_stage_names(const struct offers *offers, const char *end);

/* completion_shell.c: the script for a shell, NULL where there is none for it. */
#define COMPLETION_SHELLS "bash|zsh|fish"
const char *completion_script(const char *shell);
