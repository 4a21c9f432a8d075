/* Words of other programs, and the commands that do here what they mean there. */
#pragma once

#include "base/text_buffer.h"
#include "gpufilter/array.h"

/* Adds what is said of a word, "it is resize here", and below it the command, without a newline at the end.
 * Returns whether it is known. */
bool other_word_add(struct buffer *text, const char *word, size_t length);

/* The same for an unknown option, by its name without dashes: one of other programs, a stage, or an option of
 * batch. */
bool other_option_add(struct buffer *text, const char *name, size_t length);

/* The primitive of that name, or NULL. */
const gf_primitive *find_primitive(const char *name);

/* The primitive of this build that others call so, or NULL. */
const char *primitive_known_as(const char *word, size_t length);

/* Adds `before`, and which page of docs a primitive has; of an unknown one nothing. */
void primitive_page_add(struct buffer *text, const char *primitive, const char *before);

/* Adds what a primitive is, and where more is said of it. */
void primitive_add(struct buffer *text, const gf_primitive *primitive);

/* All words, a line for those that mean the same, and below it their command. */
void other_words_table(struct buffer *text);
