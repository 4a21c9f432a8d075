/* Names of stage types. */
#pragma once

#include "gpufilter/stage.h"

#include <stdbool.h>

/* Tells whether the `length` bytes at name are the type's name or one of its aliases; '-' equals '_'. */
bool gf_stage_has_name(const gf_stage_type *type, const char *name, size_t length);

/* Words of other programs, none of them a stage's, and behind each list of them what they mean; then NULL. */
extern const char *const gf_foreign_words[];
