/* Reads a text file of lines of words from its beginning on, and names the line in what it finds wrong. */
#pragma once

#include "gpufilter/types.h"

#include <stdbool.h>

#define TEXT_BLANKS " \t\r\f\v"

struct text_words {
    const char *path; /* for messages */
    gf_error *error;
    const char *blanks, *comments; /* what stands between words; what begins a line that does not count */
    const char *at;                /* what follows */
    int64_t line;                  /* its number, from 1 */
};

/* "PATH: line N: WHAT", unsaid; GF_ERROR_INPUT. */
gf_status text_words_bad(const struct text_words *words, const char *what);

void text_words_skip_blanks(struct text_words *words);
/* Goes to the next line that is neither empty nor a comment. False: there is none. */
bool text_words_next_line(struct text_words *words);
/* The number behind blanks, which is a word of its own: whole ones of 64 bits exactly, others as a double. */
bool text_words_number(struct text_words *words, long double *number);
/* Behind blanks. */
bool text_words_at_end_of_line(struct text_words *words);
