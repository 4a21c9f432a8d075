/* What may be typed in a list of stages: from the tables of the stages alone. */
#include "base/completion.h"

#include "gpufilter/stage.h"

#include <string.h>

/* The last of the bytes of `set` in the text, or NULL. */
static const char *last_of(const char *text, const char *set)
{
    const char *found = NULL;
    for (const char *c = text; *c; c++) {
        found = strchr(set, *c) ? c : found;
    }
    return found;
}

void complete_stage_names(const struct offers *offers, const char *end)
{
    int32_t n = 0;
    const gf_stage_type *const *types = gf_stage_types(&n);
    for (int32_t i = 0; i < n; i++) {
        offer(offers, types[i]->name, strlen(types[i]->name), end, types[i]->summary);
    }
}

/* The words that a parameter knows; numbers, lists, rectangles and texts have none. */
static void complete_value(const struct offers *offers, const gf_param *param)
{
    switch (param->type) {
    case GF_PARAM_CHOICE:
        offer_list(offers, param->choices, "");
        break;
    case GF_PARAM_BOOL:
        offer_list(offers, "on|off", "");
        break;
    case GF_PARAM_PICTURE:
        offer_list(offers, "in", "");
        break;
    case GF_PARAM_CHANNELS:
        offer_list(offers, "all|rgb|r|g|b|a", "");
        break;
    default:
        break;
    }
    offer_list(offers, param->auto_word, "");
}

static void complete_argument(const struct offers *offers, const gf_stage_type *type, bool first)
{
    const gf_param *param;
    const char *equals = strchr(offers->typed, '=');
    for (int32_t i = 0; (param = gf_stage_param(type, i)); i++) {
        size_t length = strlen(param->name);
        if (!equals) {
            if (first && param->positional) {
                complete_value(offers, param);
            }
            offer(offers, param->name, length, "=", param->help);
        } else if ((size_t)(equals - offers->typed) == length &&
                   !memcmp(offers->typed, param->name, length)) {
            struct offers values = offers_behind(offers, equals + 1);
            complete_value(&values, param);
        }
    }
}

void complete_stages(const struct offers *offers)
{
    const char *comma = last_of(offers->typed, ",");
    struct offers stage = offers_behind(offers, comma ? comma + 1 : offers->typed);
    const char *colon = strchr(stage.typed, ':');
    if (!colon) {
        complete_stage_names(&stage, "");
        return;
    }
    char name[32];
    size_t length = (size_t)(colon - stage.typed);
    if (length >= sizeof name) {
        return;
    }
    memcpy(name, stage.typed, length);
    name[length] = '\0';
    const gf_stage_type *type = gf_stage_find(name);
    if (type) {
        struct offers argument = offers_behind(&stage, last_of(stage.typed, ":") + 1);
        complete_argument(&argument, type, argument.typed == colon + 1);
    }
}
