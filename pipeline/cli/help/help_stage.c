/* The help of a stage: what a user needs first, and the formula last. */
#include "help/help.h"

#include "base/words.h"
#include "help/help_results.h"

#include <string.h>

int32_t help_own_params(const gf_stage_type *type)
{
    int32_t n = 0;
    while (type->params && type->params[n].name) {
        n++;
    }
    return n;
}

static const char *type_word(gf_param_type type)
{
    switch (type) {
    case GF_PARAM_INT:
        return "whole number";
    case GF_PARAM_NUMBER:
        return "number";
    case GF_PARAM_INTENSITY:
        return "intensity, as 0.5, 43% or 110u8,";
    case GF_PARAM_BOOL:
        return "on or off";
    case GF_PARAM_CHOICE:
        return "word";
    case GF_PARAM_RECT:
        return "WIDTHxHEIGHT+X+Y in pixels";
    case GF_PARAM_ROI:
        return "WIDTHxHEIGHT+X+Y in pixels, or ellipse@ before it";
    case GF_PARAM_SPAN:
        return "two numbers, as 300-3400,";
    case GF_PARAM_CHANNELS:
        return "rgb, a, g, 0+2, all, luma";
    case GF_PARAM_TEXT:
        return "text";
    case GF_PARAM_LIST:
        return "numbers in rows, as [0 1 0; 1 -4 1], or a file, as @kernel.npy";
    case GF_PARAM_PICTURE:
        return "file, as @other.png, or the name of an input";
    }
    return "?";
}

void help_stage_signature(struct buffer *text, const gf_stage_type *type)
{
    buffer_add(text, type->name);
    for (int32_t i = 0; i < help_own_params(type); i++) {
        const gf_param *param = &type->params[i];
        const char *value = param->type == GF_PARAM_CHOICE ? param->choices : param->text ? param->text : "";
        buffer_printf(text, ":%s=%s", param->name, value);
    }
}

void help_param_values(struct buffer *text, const gf_param *param)
{
    bool has_interval = param->min != 0 || param->max != 0;
    const bool is_colour = param->type == GF_PARAM_LIST && param->unit && strcmp(param->unit, "colour") == 0;
    if (param->type == GF_PARAM_CHOICE) {
        words_add(text, param->choices);
    } else if (is_colour) {
        buffer_add(text, "colour, as #f80, orange, rgb(255,136,0) or [1 0.53 0]");
    } else if (param->type == GF_PARAM_LIST && param->choices && strcmp(param->choices, "*x*") != 0) {
        words_add(text, param->choices);
        buffer_printf(text, " %s", type_word(param->type));
    } else if (param->type == GF_PARAM_INTENSITY && !has_interval) {
        buffer_add(text, "intensity, as 0.5, 43% or 110u8");
    } else {
        buffer_add(text, type_word(param->type));
    }
    if (has_interval && !is_colour) {
        buffer_printf(text, "%s from %.10g to %.10g", param->type == GF_PARAM_LIST ? "," : "", param->min,
                      param->max);
        buffer_add(text, param->type == GF_PARAM_INTENSITY ? "; for f32 any" : "");
    }
    const char *joint = !param->unit || is_colour ? "" : param->type == GF_PARAM_LIST ? ", or in " : " ";
    buffer_printf(text, "%s%s", joint, param->unit && !is_colour ? param->unit : "");
    if (param->auto_word) {
        buffer_printf(text, ", or %s", param->auto_word);
    }
    if (param->text && *param->text) { /* where there is none, the help says what it means */
        buffer_printf(text, "; default %s", param->text);
    }
    buffer_add(text, param->positional ? "; may stand without its name" : "");
}

/* Of a picture the stages make one that each kind of file can hold, one that only .npy can, as it is not u8,
 * u16 or f32, or none: they cannot be run on it. */
enum made { MADE_PICTURE, MADE_NUMBERS, MADE_NOTHING };

static enum made made_of_picture(const char *stages)
{
    const gf_shape shape = {640, 480, 3, GF_U8};
    gf_context *context = NULL;
    gf_pipeline *pipeline = NULL;
    gf_plan *plan = NULL;
    enum made made = MADE_NOTHING;
    if (gf_context_create(NULL, &context, NULL) == GF_OK &&
        gf_pipeline_parse(stages, NULL, 0, &pipeline, NULL) == GF_OK &&
        gf_plan_create(context, pipeline, &shape, NULL, &plan, NULL) == GF_OK) {
        made = gf_depth_white(gf_plan_output(plan).depth) > 0 ? MADE_PICTURE : MADE_NUMBERS;
    }
    gf_plan_destroy(&plan);
    gf_pipeline_destroy(&pipeline);
    gf_context_destroy(&context);
    return made;
}

void help_example_command(struct buffer *text, const gf_stage_type *type, const char *stages)
{
    const char *quote = strpbrk(stages, " [];()") ? "'" : ""; /* which a shell would take for its own */
    const enum made made = made_of_picture(stages);
    if (!type->lower || (type->signal && !type->settle && made == MADE_NOTHING)) {
        const char *out = type->fields ? "" : type->flags & GF_STAGE_PICTURE ? "out.png " : "out.wav ";
        buffer_printf(text, "gpufilter in.wav %s--stages %s%s%s", out, quote, stages, quote);
        return;
    }
    const bool passes = type->flags & GF_STAGE_MEASURE && !strstr(stages, "mark="); /* the picture as it is */
    const char *out = passes ? "" : made == MADE_NUMBERS ? "out.npy " : "out.png ";
    buffer_printf(text, "gpufilter in.png %s--stages %s%s%s", out, quote, stages, quote);
}

enum { INDENT = 13, COLUMNS = 80 };

/* Up to the character, or the end, outside of brackets. */
static size_t reach(const char *words, char end)
{
    size_t n = 0;
    for (bool inside = false; words[n] && (inside || words[n] != end); n++) {
        inside = words[n] == '[' || (inside && words[n] != ']');
    }
    return n;
}

/* Words behind INDENT columns, in lines of at most COLUMNS; what ends in ';' is kept together where it can,
 * and what stands in brackets always. */
static void add_wrapped(struct buffer *text, const char *words)
{
    size_t column = INDENT, clause = 0; /* what is still to come of the part that is kept together */
    while (*words) {
        size_t length = reach(words, ' ');
        bool begins = clause == 0;
        const size_t end = reach(words, ';');
        clause = begins ? end + (words[end] == ';') : clause;
        size_t together = begins && clause <= COLUMNS - INDENT ? clause : length;
        if (column > INDENT && column + 1 + together > COLUMNS) {
            buffer_printf(text, "\n%*s", INDENT, "");
            column = INDENT;
        }
        buffer_add(text, column > INDENT ? " " : "");
        buffer_add_bytes(text, words, length);
        column += (column > INDENT) + length;
        size_t passed = length + strspn(words + length, " ");
        clause -= passed < clause ? passed : clause;
        words += passed;
    }
    buffer_add(text, "\n");
}

static void add_params(struct buffer *text, const gf_stage_type *type)
{
    const gf_param *param;
    int32_t own = help_own_params(type);
    for (int32_t i = 0; (param = gf_stage_param(type, i)); i++) {
        if (i == 0 && own > 0) {
            buffer_add(text, "\nParameters\n");
        }
        if (i == own) {
            buffer_add(text, "\nParameters that stages share (`gpufilter help PARAMETER` says more)\n");
        }
        struct buffer values = {0};
        help_param_values(&values, param);
        buffer_printf(text, "  %-10s ", param->name);
        add_wrapped(text, param->help ? param->help : "");
        buffer_printf(text, "%*s", INDENT, "");
        add_wrapped(text, values.data ? values.data : "");
        text->failed |= values.failed;
        buffer_free(&values);
    }
}

static void add_lines(struct buffer *text, const char *heading, const char *lines)
{
    if (!lines || !*lines) {
        return;
    }
    buffer_printf(text, "\n%s\n", heading);
    for (const char *line = lines; *line;) {
        size_t length = strcspn(line, "\n");
        buffer_printf(text, "  %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
}

void help_stage_add(struct buffer *text, const gf_stage_type *type)
{
    buffer_printf(text, "%s: %s\n", type->name, type->summary);
    if (type->aliases && *type->aliases) {
        buffer_add(text, "  also called ");
        words_add(text, type->aliases);
        buffer_add(text, "\n");
    }
    add_lines(text, "When to use it", type->use);
    buffer_add(text, "\nUsage\n  ");
    help_stage_signature(text, type);
    buffer_add(text, "\n");
    add_params(text, type);
    help_results_add(text, type);
    for (const gf_example *example = type->examples; example && example->stages; example++) {
        buffer_add(text, example == type->examples ? "\nExamples\n  " : "  ");
        help_example_command(text, type, example->stages);
        buffer_printf(text, "\n      %s\n", example->help);
    }
    add_lines(text, "Formula and exactness", type->formula);
    add_lines(text, "Source", type->source);
}
