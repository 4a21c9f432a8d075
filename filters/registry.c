/* The built-in stage types, made from stages.def. */
#include "registry.h"

#include <string.h>

#define GF_STAGE(name) extern const gf_stage_type gf_stage_##name;
#include "stages.def"
#undef GF_STAGE

static const gf_stage_type *const types[] = {
#define GF_STAGE(name) &gf_stage_##name,
#include "stages.def"
#undef GF_STAGE
};

const gf_stage_type *const *gf_stage_types(int32_t *count)
{
    if (count) {
        *count = (int32_t)(sizeof types / sizeof *types);
    }
    return types;
}

static char fold(char c)
{
    return c == '-' ? '_' : c;
}

/* Tells whether `word` is one of the words of `list`, which '|' separates. */
static bool in_list(const char *list, const char *word, size_t length)
{
    while (list && *list) {
        size_t n = strcspn(list, "|");
        bool same = n == length;
        for (size_t i = 0; same && i < n; i++) {
            same = fold(list[i]) == fold(word[i]);
        }
        if (same) {
            return true;
        }
        list += n + (list[n] == '|');
    }
    return false;
}

bool gf_stage_has_name(const gf_stage_type *type, const char *name, size_t length)
{
    return in_list(type->name, name, length) || in_list(type->aliases, name, length);
}

const gf_stage_type *gf_stage_find(const char *name)
{
    for (size_t i = 0; name && i < sizeof types / sizeof *types; i++) {
        if (gf_stage_has_name(types[i], name, strlen(name))) {
            return types[i];
        }
    }
    return NULL;
}

const char *const gf_foreign_words[] = {
#include "param/foreign_words.def"
    NULL};

const char *gf_stage_known_as(const char *word, size_t length)
{
    const char *const *at = gf_foreign_words;
    while (word && *at && !in_list(*at, word, length)) {
        at += 2;
    }
    return word && *at ? at[1] : NULL;
}
