/* gpufilter help [STAGE|COMMAND] */
#include "commands.h"

#include "gpufilter/stage.h"
#include "help_results.h"
#include "job_options.h"
#include "message.h"
#include "words.h"

#include <stdio.h>
#include <string.h>

/* ---- the program and its commands ---- */

void usage_add(struct buffer *buffer)
{
    buffer_add(buffer, "Filter a picture or signal through a chain of stages, on a GPU or the CPU.\n\n"
                       "  gpufilter [options] IN OUT --stages LIST  filter a file\n"
                       "  gpufilter [options] IN --stages LIST      measure only: hist, stats\n"
                       "  gpufilter [options] IN OUT                convert between formats\n");
    for (const struct cli_command *command = command_table; command->name; command++) {
        char words[64];
        snprintf(words, sizeof words, "%s %s", command->name, command->arguments);
        buffer_printf(buffer, "  gpufilter %-31s %s\n", words, command->help);
    }
    buffer_add(buffer, "\nLIST is stage,stage,...; a stage is name:value:key=value: blur:2:border=wrap.\n"
                       "IN and OUT are files; - is standard input or output (which needs --format).\n"
                       "\nOptions\n");
    cli_options_help(buffer, job_option_table);
    buffer_printf(buffer, "\n--device auto finishes on the CPU when the GPU fails; %s never falls back.\n",
                  gf_device_kind(0));
    buffer_add(buffer, "\nEnvironment: GPUFILTER_DEVICE, GPUFILTER_THREADS, GPUFILTER_MEMORY; options win.\n"
                       "Exit: 0 done, 1 failed or different, 2 usage, 3 input, 4 output, 5 device,\n"
                       "      6 memory, 7 verification failed, 128+n ended by signal n.\n"
                       "\nExamples\n"
                       "  gpufilter in.png out.png --stages blur:2,contrast:1.5\n"
                       "  gpufilter in.png --stages gray,hist\n"
                       "  gpufilter --explain in.png out.png --stages blur:sigma=3,equalize\n");
}

void command_usage_add(struct buffer *buffer, const struct cli_command *command)
{
    buffer_printf(buffer, "gpufilter %s%s%s: %s\n", command->name, *command->arguments ? " " : "",
                  command->arguments, command->help);
    if (command->options) {
        buffer_add(buffer, "\nOptions\n");
        cli_options_help(buffer, command->options);
    }
    if (!strcmp(command->name, "compare")) {
        buffer_add(buffer,
                   "\nTolerances are in sample units: 0 to 255, 0 to 65535, or 0 to 1 for f32; with %, u8\n"
                   "or u16 behind, as 5% or 10u8, they are shares of full scale. A sample differs when it\n"
                   "differs by more than --max-diff. Any differing sample fails, unless --max-count allows\n"
                   "some, or --psnr alone is the criterion. Another size, number of channels or depth is a\n"
                   "difference. NaN equals NaN of the same bits only.\n"
                   "Exit: 0 equal within the tolerance, 1 different, 2 trouble.\n");
    } else if (!strcmp(command->name, "prim")) {
        buffer_add(
            buffer,
            "\nWithout NAME: the primitives, their variants and types. Without --device: CUDA where\n"
            "there is a device, else the CPU; with --algo all both. A result is checked against the\n"
            "variant 'sequential' on the CPU, all of it; GB/s count the bytes that no way of computing\n"
            "it can do without, and a copy is measured between the runs. Exit 7: a check failed.\n");
    } else if (!strcmp(command->name, "bench")) {
        buffer_add(
            buffer,
            "\nRuns an experiment, writes its rows and figures, and says of each claim of its text whether\n"
            "it holds on this device. docs/primitives.md tells which texts these are.\n");
    }
}

/* ---- a stage ---- */

static int32_t count_own(const gf_stage_type *type)
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
        return "intensity";
    case GF_PARAM_BOOL:
        return "on or off";
    case GF_PARAM_CHOICE:
        return "word";
    case GF_PARAM_RECT:
        return "WIDTHxHEIGHT+X+Y";
    case GF_PARAM_CHANNELS:
        return "channels: rgb, a, g, 0+2, all";
    case GF_PARAM_TEXT:
        return "text";
    }
    return "?";
}

/* "blur:sigma=1:radius=auto": the stage's own parameters that have a default. */
static void add_signature(struct buffer *text, const gf_stage_type *type)
{
    buffer_add(text, type->name);
    for (int32_t i = 0; i < count_own(type); i++) {
        const gf_param *param = &type->params[i];
        if (param->type == GF_PARAM_CHOICE) {
            buffer_printf(text, ":%s=%s", param->name, param->choices);
        } else {
            buffer_printf(text, ":%s=%s", param->name, param->text ? param->text : "");
        }
    }
}

static void add_param(struct buffer *text, const gf_param *param)
{
    bool has_default = param->text && *param->text;
    buffer_printf(text, "  %-10s %s\n             ", param->name, param->help ? param->help : "");
    if (param->type == GF_PARAM_CHOICE) {
        words_add(text, param->choices);
    } else {
        buffer_add(text, type_word(param->type));
    }
    if (param->min != 0 || param->max != 0) {
        buffer_printf(text, " from %.10g to %.10g", param->min, param->max);
    }
    buffer_printf(text, "%s%s", param->unit ? " " : "", param->unit ? param->unit : "");
    if (param->auto_word) {
        buffer_printf(text, ", or %s", param->auto_word);
    }
    buffer_printf(text, "; default %s%s\n", has_default ? param->text : "none",
                  param->positional ? "; may stand without its name" : "");
}

/* Commands that work as they stand, made from the defaults. */
static void add_examples(struct buffer *text, const gf_stage_type *type)
{
    static const char indent[] = "  gpufilter in.png out.png --stages ";
    int32_t n = count_own(type);
    buffer_add(text, "\nExamples\n");
    if (type->flags & GF_STAGE_MEASURE) {
        buffer_printf(text, "  gpufilter in.png --stages %s\n", type->name);
        buffer_printf(text, "  gpufilter in.png --report report.json --stages gray,%s\n", type->name);
    } else {
        buffer_printf(text, "%s%s\n", indent, type->name);
    }
    for (int32_t i = 0; i < n && i < 1; i++) {
        if (type->params[i].positional && type->params[i].text && *type->params[i].text) {
            buffer_printf(text, "%s%s:%s\n", indent, type->name, type->params[i].text);
        }
    }
    if (type->flags & GF_STAGE_WINDOW) {
        buffer_printf(text, "%s%s:border=reflect101\n", indent, type->name);
    }
    if (type->flags & (GF_STAGE_POINT | GF_STAGE_WINDOW)) {
        buffer_printf(text, "%s%s:roi=64x48+10+20\n", indent, type->name);
    }
}

static void add_stage_help(struct buffer *text, const gf_stage_type *type)
{
    int32_t own = count_own(type);
    add_signature(text, type);
    buffer_printf(text, "\n  %s\n", type->summary);
    if (type->aliases && *type->aliases) {
        buffer_add(text, "  also called ");
        words_add(text, type->aliases);
        buffer_add(text, "\n");
    }
    buffer_add(text, "\nFormula\n");
    for (const char *line = type->formula ? type->formula : ""; *line;) {
        size_t length = strcspn(line, "\n");
        buffer_printf(text, "  %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
    const gf_param *param;
    for (int32_t i = 0; (param = gf_stage_param(type, i)); i++) {
        if (i == 0 && own > 0) {
            buffer_add(text, "\nParameters\n");
        }
        if (i == own) {
            buffer_add(text, "\nParameters that stages share\n");
        }
        add_param(text, param);
    }
    help_results_add(text, type);
    add_examples(text, type);
}

int run_help(int count, char **words)
{
    bool json = false;
    const char *name = NULL;
    int code = 0, files = read_simple(find_command("help"), count, words, 1, &name, &json, &code);
    if (files < 0) {
        return code;
    }
    struct buffer text = {0};
    const gf_stage_type *type = files ? gf_stage_find(name) : NULL;
    const struct cli_command *command = files ? find_command(name) : NULL;
    if (!files) {
        usage_add(&text);
    } else if (type) {
        add_stage_help(&text, type);
    } else if (command) {
        command_usage_add(&text, command);
    } else {
        return gf_status_exit_code(fail_unknown_stage(name));
    }
    gf_status status = buffer_to_stdout(&text);
    buffer_free(&text);
    return gf_status_exit_code(status);
}
