/* Names of stage types. */
#ifndef GF_FILTERS_REGISTRY_H
#define GF_FILTERS_REGISTRY_H

#include "gpufilter/stage.h"

#include <stdbool.h>

/* Whether the `length` bytes at name are the type's name or one of its aliases; '-' equals '_'. */
bool gf_stage_has_name(const gf_stage_type *type, const char *name, size_t length);

/* Words of other programs, and what they mean here; the last is {0}. None is a name of a stage. */
struct gf_foreign_words {
    const char *words, *stages;
};
extern const struct gf_foreign_words gf_foreign_words[];

#endif
