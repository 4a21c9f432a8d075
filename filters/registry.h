/* Names of stage types. */
#pragma once

#include "gpufilter/stage.h"

#include <stdbool.h>

/* Tells whether the `length` bytes at name are the type's name or one of its aliases; '-' equals '_'. */
bool gf_stage_has_name(const gf_stage_type *type, const char *name, size_t length);

/* Words of other programs, none of them a stage's, and behind each list of them what they mean; then NULL. */
extern const char *const gf_foreign_words[];

/* Tells whether a word is one of those of a list that '|' separates, whatever its case, '-' and '_'. */
bool gf_word_is_of(const char *list, const char *word, size_t length);
/* What is nearest, for pictures, to a stage that works on signals: stages, for a message; NULL: nothing. */
const char *gf_stage_for_pictures(const char *name);
