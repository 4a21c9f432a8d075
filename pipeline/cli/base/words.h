/* Lists of words separated by '|', and the word a user may have meant. */
#pragma once

#include "base/text_buffer.h"

/* Index of `word` in the list, or -1. */
int words_index(const char *list, const char *word);

/* Word `index` of the list: its start, with *length; NULL past the end. */
const char *words_at(const char *list, int index, size_t *length);

/* Adds "a, b or c". */
void words_add(struct buffer *buffer, const char *list);

/* The nearest of the words seen so far to `word`; zero-initialise, set `word`. `best` is NULL
 * when none is near enough to be a slip of the hand: at most a third of the shorter word differs,
 * or one letter. `mean` is another word than `median`. */
struct nearest {
    const char *word;
    const char *best;
    size_t best_length;
    int distance;
};
void nearest_try(struct nearest *nearest, const char *candidate, size_t length);
void nearest_try_list(struct nearest *nearest, const char *list);

/* "; did you mean 'x'?" with `prefix` before x, or nothing. */
void nearest_add(struct buffer *buffer, const struct nearest *nearest, const char *prefix);
