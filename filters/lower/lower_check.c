/* Checks what only the picture can tell of a stage's parameters, and what is missing. */
#include "lower/lowering_private.h"
#include "param/params.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

int32_t gf_lowering_row(const gf_lowering *l, const char *name)
{
    const gf_param *param;
    int32_t row = 0;
    while ((param = gf_stage_param(l->node->type, row)) && strcmp(param->name, name) != 0) {
        row++;
    }
    return row;
}

static void check_roi(gf_lowering *l, const struct gf_value *picture)
{
    const struct gf_stage_common *common = &l->node->common;
    gf_rect roi = common->roi.rect;
    if (roi.w && (roi.x > picture->width - roi.w || roi.y > picture->height - roi.h)) {
        gf_lowering_fail_at(l, gf_lowering_row(l, "roi"),
                            "roi=%s%lldx%lld+%lld+%lld reaches outside the picture of %lld x %lld pixels",
                            common->roi.ellipse ? "ellipse@" : "", (long long)roi.w, (long long)roi.h,
                            (long long)roi.x, (long long)roi.y, (long long)picture->width,
                            (long long)picture->height);
    } else if (common->feather > 0 && !roi.w) {
        gf_lowering_fail_at(l, gf_lowering_row(l, "feather"),
                            "feather=%g is of the edge of roi=, and there is none: must have "
                            "roi=WIDTHxHEIGHT+X+Y or roi=ellipse@WIDTHxHEIGHT+X+Y, or feather=0",
                            common->feather);
    }
}

/* A number of at most six decimals, for a message. */
static void add_rounded(struct gf_text *text, double value)
{
    gf_text_number(text, fabs(value) < 1e9 ? round(value * 1e6) / 1e6 : value);
}

/* "level is 110 times full scale, must be from 0 to 1 for u8, as 0.5, 43% or 110u8; did you mean 110u8?" */
static void refuse_intensity(gf_lowering *l, int32_t row, const gf_param *param, double value, gf_depth depth)
{
    char words[240];
    struct gf_text why = gf_text_begin(words, sizeof words);
    double white = gf_depth_white(depth);
    gf_text_append(&why, "%s is ", param->name);
    add_rounded(&why, value);
    gf_text_string(&why, " times full scale, must be from ");
    gf_text_number(&why, param->min);
    gf_text_string(&why, " to ");
    gf_text_number(&why, param->max);
    gf_text_append(&why, " for %s, as 0.5, 43%% or 110u8", gf_depth_name(depth));
    if (value == floor(value) && fabs(value) <= white && gf_param_in_interval(param, value / white)) {
        gf_text_string(&why, "; did you mean ");
        gf_text_number(&why, value);
        gf_text_append(&why, "%s?", gf_depth_name(depth));
    }
    gf_lowering_fail_at(l, row, "%s", words);
}

/* All values of u8 and u16 lie within full scale; f32 has none, so that any number has a meaning there. */
static void check_intensities(gf_lowering *l, gf_depth depth)
{
    const gf_param *param;
    for (int32_t i = 0; (depth == GF_U8 || depth == GF_U16) && (param = gf_stage_param(l->node->type, i));
         i++) {
        if (param->type != GF_PARAM_INTENSITY) {
            continue;
        }
        double value = gf_param_number(param, l->node);
        if (!(param->auto_word && value == GF_AUTO) && !gf_param_in_interval(param, value)) {
            refuse_intensity(l, i, param, value, depth);
            return;
        }
    }
}

/* Whoever has the pipeline reads files, before it is bound. */
static void check_lists(gf_lowering *l)
{
    const gf_param *param;
    for (int32_t i = 0; (param = gf_stage_param(l->node->type, i)) != NULL; i++) {
        const gf_list *list = gf_param_list(param, l->node);
        if (list && list->file[0] && list->rows == 0) {
            gf_lowering_fail_at(l, i, "%s=@%.200s has not been read: gf_pipeline_set_file takes its numbers",
                                param->name, list->file);
            return;
        }
    }
}

/* What save= calls a picture is a name as those of inputs are, and nothing else has it. */
static void check_saved(gf_lowering *l)
{
    const char *name = l->node->common.save;
    const size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.");
    const char *taken = strcmp(name, "in") == 0 ? "the picture that the pipeline begins with" : NULL;
    char other[80];
    for (int32_t i = 0; i < l->stage && !taken && name[0]; i++) {
        if (strcmp(l->nodes[i].common.save, name) == 0) {
            snprintf(other, sizeof other, "what stage %d '%.40s' saves", i + 1, l->nodes[i].type->name);
            taken = other;
        }
    }
    if (name[length] || length > 63) {
        gf_lowering_fail_at(l, gf_lowering_row(l, "save"),
                            "save is '%.80s', must be letters, digits, '_', '-' and '.', at most 63", name);
    } else if (taken) {
        gf_lowering_fail_at(l, gf_lowering_row(l, "save"), "save=%s: so %s is called; choose another name",
                            name, taken);
    }
}

void gf_lowering_check_params(gf_lowering *l, const struct gf_value *picture)
{
    check_saved(l);
    check_roi(l, picture);
    check_intensities(l, picture->depth);
    check_lists(l);
}

/* The row whose value lies there; GF_NONE: none does. */
static int32_t row_at(const gf_lowering *l, const void *place)
{
    const gf_param *param;
    for (int32_t i = 0; (param = gf_stage_param(l->node->type, i)) != NULL; i++) {
        if (gf_param_picture(param, l->node) == place) {
            return i;
        }
    }
    return GF_NONE;
}

/* The picture behind stage `saver`, where a second picture can be read from there. */
static gf_value_id saved_picture(gf_lowering *l, int32_t row, int32_t saver)
{
    const char *name = l->nodes[saver].common.save;
    if (saver >= l->stage) {
        gf_lowering_fail_at(l, row,
                            "'%s' is what stage %d '%s' saves, which is not made yet: only stages behind "
                            "it can read it",
                            name, saver + 1, l->nodes[saver].type->name);
        return 0;
    }
    const gf_depth depth = l->out->list.values[l->saved[saver]].depth;
    if (!(gf_depth_white(depth) > 0)) {
        gf_lowering_fail_at(l, row,
                            "'%s' is %s, numbers that stage %d '%s' has found, and no picture of u8, u16 "
                            "or f32",
                            name, gf_depth_name(depth), saver + 1, l->nodes[saver].type->name);
        return 0;
    }
    return gf_to_id(l->saved[saver]);
}

gf_value_id gf_lower_picture(gf_lowering *l, const gf_picture_name *picture)
{
    int32_t row = row_at(l, picture);
    const gf_param *param = gf_stage_param(l->node->type, row);
    if (!picture || !picture->name[0]) {
        gf_lowering_fail_at(l, GF_NONE, "%s is missing: a file, as @other.png, or the name of an input",
                            param ? param->name : "a picture");
        return 0;
    }
    for (int32_t i = 0; i < l->n_nodes; i++) {
        if (strcmp(l->nodes[i].common.save, picture->name) == 0) {
            return saved_picture(l, row, i);
        }
    }
    for (int32_t i = 0; i < l->n_inputs; i++) {
        if (strcmp(l->inputs[i].name, picture->name) == 0) {
            bool first = i > 0 && l->out->reads_other == GF_NONE;
            l->out->reads_other = first ? l->stage : l->out->reads_other;
            return gf_to_id(gf_input_value(&l->out->list, i));
        }
    }
    gf_lowering_fail_at(l, row, "'%.200s' is no input of the pipeline: no PICTURE parameter names it",
                        picture->name);
    return 0;
}
