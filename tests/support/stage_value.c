/* Values of parameters, one by one. */
#include "stage_value.h"
#include "list_case.h"

#include <math.h>
#include <string.h>

bool stage_param_bounded(const gf_param *row)
{
    return row->min != 0 || row->max != 0;
}

bool stage_param_is_feather(const gf_param *row)
{
    return strcmp(row->name, "feather") == 0;
}

static bool number_value(const gf_param *row, int32_t i, struct gf_text *text)
{
    static const double inside[] = {0.45, 1, 1.1, 2, 2.5, 3, 9, 17, -0.25, 70};
    bool whole = row->type == GF_PARAM_INT;
    if (stage_param_bounded(row) && i < 2) {
        gf_text_number(text, i == 0 ? row->min : row->max);
        return true;
    }
    int32_t left = i - (stage_param_bounded(row) ? 2 : 0);
    for (size_t k = 0; k < sizeof inside / sizeof *inside; k++) {
        double v = inside[k];
        bool fits =
            (!whole || v == round(v)) && (!stage_param_bounded(row) || (v > row->min && v < row->max));
        if (fits && left-- == 0) {
            gf_text_number(text, v);
            return true;
        }
    }
    return false;
}

static bool intensity_value(const gf_param *row, int32_t i, struct gf_text *text)
{
    static const struct {
        const char *text;
        double value;
    } inside[] = {{"0.3", 0.3}, {"128u8", 0.5}, {"70%", 0.7}, {"30000u16", 0.45}, {"-30u8", -0.12}};
    if (stage_param_bounded(row) && i < 2) {
        gf_text_number(text, i == 0 ? row->min : row->max);
        return true;
    }
    int32_t left = i - (stage_param_bounded(row) ? 2 : 0);
    for (size_t k = 0; k < sizeof inside / sizeof *inside; k++) {
        bool fits = !stage_param_bounded(row) || (inside[k].value > row->min && inside[k].value < row->max);
        if (fits && left-- == 0) {
            gf_text_string(text, inside[k].text);
            return true;
        }
    }
    return false;
}

bool stage_word(const char *words, int32_t i, struct gf_text *text)
{
    const char *c = words;
    for (; i > 0; i--) {
        c = strchr(c, '|');
        if (!c++) {
            return false;
        }
    }
    gf_text_bytes(text, c, strcspn(c, "|"));
    return true;
}

/* Pixels of the edge of a roi, which is given beside them (stage_cases.c): a few, for every stage has them.
 */
static bool feather_value(int32_t i, struct gf_text *text)
{
    return stage_word("2.5|3|70", i, text);
}

static bool rectangle_value(int32_t i, const gf_shape *s, struct gf_text *text)
{
    const long long rects[][4] = {{s->width, s->height, 0, 0},
                                  {1, 1, s->width - 1, s->height - 1},
                                  {(s->width + 1) / 2, (s->height + 2) / 3, s->width / 4, s->height / 2}};
    if (i >= 3) {
        return false;
    }
    gf_text_append(text, "%lldx%lld+%lld+%lld", rects[i][0], rects[i][1], rects[i][2], rects[i][3]);
    return true;
}

/* Returns how long a value is: up to the next argument or stage, or its closing quote. */
static size_t value_length(const char *value)
{
    const char *end = *value == '\'' || *value == '"' ? strchr(value + 1, *value) : NULL;
    return end ? (size_t)(end + 1 - value) : strcspn(value, ":,");
}

/* Value i that the examples of the stage give the parameter, by its name or, the first that may, without: for
 * texts that have a form of their own. */
static bool example_value(const gf_stage_type *type, const gf_param *row, int32_t i, struct gf_text *text)
{
    const size_t name = strlen(type->name), own = strlen(row->name);
    for (const gf_example *e = type->examples; e && e->stages; e++) {
        for (const char *c = e->stages; (c = strstr(c, type->name)) != NULL; c += name) {
            bool begins = (c == e->stages || c[-1] == ',') && c[name] == ':';
            const char *value = begins ? c + name + 1 : NULL;
            while (value && (strncmp(value, row->name, own) != 0 || value[own] != '=')) {
                size_t n = value_length(value);
                if (value == c + name + 1 && row == type->params && row->positional &&
                    (*value == '\'' || *value == '"' || !memchr(value, '=', n))) {
                    break;
                }
                value = value[n] == ':' ? value + n + 1 : NULL;
            }
            if (value && i-- == 0) {
                value += strncmp(value, row->name, own) == 0 && value[own] == '=' ? own + 1 : 0;
                gf_text_bytes(text, value, value_length(value));
                return true;
            }
        }
    }
    return false;
}

const char *const stage_channel_sets[5] = {NULL, "r|0|all|luma", "r|a|1|0+1|all|luma",
                                           "rgb|r|g|b|0+2|all|luma", "rgb|a|r|g|b|0+2|1+3|all|luma"};

/* The picture itself; others of its size with other channels and depth (stage_inputs.h); one of another size;
 * matrices that it can be multiplied with, from the left and from the right; what may be a part of it. */
static bool picture_value(int32_t i, const gf_shape *s, struct gf_text *text)
{
    const char *own = gf_depth_name(s->depth), *other = gf_depth_name(s->depth == GF_U8 ? GF_F32 : GF_U8);
    if (i == 0) {
        gf_text_string(text, "in");
    } else if (i < 5) {
        gf_text_append(text, "pic_%lld_%lld_%d_%s", (long long)(s->width + (i == 4)), (long long)s->height,
                       i == 2 ? 1 : s->channels, i == 3 ? other : own);
    } else if (i == 5) {
        gf_text_append(text, "pic_%lld_%lld_1_f32", (long long)s->height, (long long)(s->height / 2 + 1));
    } else if (i == 6) {
        gf_text_append(text, "pic_%lld_%lld_3_%s", (long long)(s->width / 2 + 3), (long long)s->width, own);
    } else if (i == 7) {
        gf_text_append(text, "pic_%lld_%lld_%d_%s", (long long)(s->width / 3 + 1),
                       (long long)(s->height / 4 + 1), s->channels, own);
    }
    return i < 8;
}

bool stage_value(const gf_stage_type *type, const gf_param *row, int32_t i, const gf_shape *shape,
                 struct gf_text *text)
{
    if (row->auto_word && i-- == 0) {
        gf_text_string(text, row->auto_word);
        return true;
    }
    switch (row->type) {
    case GF_PARAM_INT:
    case GF_PARAM_NUMBER:
        return stage_param_is_feather(row) ? feather_value(i, text) : number_value(row, i, text);
    case GF_PARAM_INTENSITY:
        return intensity_value(row, i, text);
    case GF_PARAM_BOOL:
        return stage_word("on|off", i, text);
    case GF_PARAM_CHOICE:
        return stage_word(row->choices, i, text);
    case GF_PARAM_RECT:
        return rectangle_value(i, shape, text);
    case GF_PARAM_ROI:
        if (i == 3) { /* and one with a form */
            gf_text_string(text, "ellipse@");
            i = 2;
        } else if (i > 3) {
            return false;
        }
        return rectangle_value(i, shape, text);
    case GF_PARAM_CHANNELS:
        return stage_word(stage_channel_sets[shape->channels], i, text);
    case GF_PARAM_TEXT:
        return i < 2 ? stage_word("some_word|x", i, text) : example_value(type, row, i - 2, text);
    case GF_PARAM_LIST:
        return list_value(row, i, text);
    case GF_PARAM_SPAN: /* of stages of signals */
        return false;
    case GF_PARAM_PICTURE:
        return picture_value(i, shape, text);
    }
    return false;
}
