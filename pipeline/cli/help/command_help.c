/* gpufilter help [WORD]: a stage, a command, an option, or a word of help_topics.c. */
#include "help/commands.h"

#include "base/message.h"
#include "base/words.h"
#include "bench/bench.h"
#include "help/help.h"
#include "help/other_words.h"
#include "job/job_options.h"
#include "job/limit_option.h"

#include <stdio.h>
#include <string.h>

/* ---- the program ---- */

/* "--limit NAME=N: width=1000000 ...", in two lines */
static void add_limits(struct buffer *buffer)
{
    const struct limit_help *limit;
    size_t column = 80;
    buffer_add(buffer, "\nLimits, for --limit NAME=N:");
    for (int i = 0; (limit = limit_option_at(i)); i++) {
        char value[24];
        limit_option_default(i, value);
        size_t width = strlen(limit->name) + strlen(value) + 2;
        if (column + width > 79) {
            buffer_add(buffer, "\n ");
            column = 1;
        }
        buffer_printf(buffer, " %s=%s", limit->name, value);
        column += width;
    }
    buffer_add(buffer, "\n");
}

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
                       "`gpufilter help WORD` explains a stage, a command, an option, or one of");
    help_topic_names(buffer);
    buffer_add(buffer, "\n"
                       "\nOptions\n");
    cli_options_help(buffer, job_option_table);
    add_limits(buffer);
    buffer_add(buffer, "\nEnvironment: GPUFILTER_DEVICE, GPUFILTER_THREADS, GPUFILTER_MEMORY; options win.\n"
                       "Exit: 0 done, 1 failed or different, 2 usage, 3 input, 4 output, 5 device,\n"
                       "      6 memory, 7 verification failed, 8 some of a batch failed, 128+n signal n.\n"
                       "\nExamples\n"
                       "  gpufilter in.png out.png --stages blur:2,contrast:1.5\n"
                       "  gpufilter in.wav out.wav --stages bandpass:300Hz-3.4kHz,gain:-3dB\n");
}

void usage_head_print(FILE *file)
{
    enum { LINES = 15 };
    struct buffer text = {0};
    usage_add(&text);
    const char *end = text.failed ? NULL : text.data;
    for (int i = 0; end && i < LINES; i++) {
        end = strchr(end, '\n') + 1;
    }
    text.length = end ? (size_t)(end - text.data) : 0;
    buffer_print(&text, file);
    fputs("\ngpufilter --help says more\n", file);
    buffer_free(&text);
}

/* ---- what a word is ---- */

void help_words_offer(const struct offers *offers)
{
    for (const struct help_topic *topic = help_topic_table; topic->name; topic++) {
        offer(offers, topic->name, strlen(topic->name), " ", topic->summary);
    }
    complete_stage_names(offers, " ");
    for (const struct cli_command *command = command_table; command->name; command++) {
        offer(offers, command->name, strlen(command->name), " ", command->help);
    }
    for (const struct cli_option *option = job_option_table; option->name; option++) {
        char word[40] = "--";
        strncat(word, option->name, sizeof word - 3);
        offer(offers, word, strlen(word), " ", option->help);
    }
}

static void try_words(struct nearest *nearest)
{
    int32_t n = 0;
    const gf_stage_type *const *types = gf_stage_types(&n);
    for (int32_t i = 0; i < n; i++) {
        nearest_try(nearest, types[i]->name, strlen(types[i]->name));
        nearest_try_list(nearest, types[i]->aliases);
    }
    for (const struct cli_command *command = command_table; command->name; command++) {
        nearest_try(nearest, command->name, strlen(command->name));
    }
    for (const struct help_topic *topic = help_topic_table; topic->name; topic++) {
        nearest_try(nearest, topic->name, strlen(topic->name));
        nearest_try_list(nearest, topic->aliases);
    }
    for (const struct cli_option *option = job_option_table; option->name; option++) {
        nearest_try(nearest, option->name, strlen(option->name));
    }
    const gf_primitive *p;
    for (size_t i = 0; (p = gf_primitive_at(i)) != NULL; i++) {
        nearest_try(nearest, p->name, strlen(p->name));
    }
}

static gf_status fail_unknown(const char *word)
{
    struct buffer text = {0};
    struct nearest nearest = {.word = word + strspn(word, "-")};
    try_words(&nearest);
    buffer_printf(&text, "no help on '%s'", word);
    nearest_add(&text, &nearest, "");
    buffer_add(&text, "\n  it knows stages (gpufilter list), commands and options (gpufilter --help), and");
    help_topic_names(&text);
    gf_status status = text.failed ? cli_fail(GF_ERROR_MEMORY, "out of memory")
                                   : cli_fail(GF_ERROR_ARGUMENT, "%s", text.data);
    buffer_free(&text);
    return status;
}

/* Adds what a word of other programs is here. */
static bool add_other(struct buffer *text, const char *word)
{
    const char *bare = word + strspn(word, "-"), *stages = gf_stage_known_as(bare, strlen(bare));
    struct buffer said = {0};
    const bool known = other_word_add(&said, bare, strlen(bare));
    if (known) {
        buffer_printf(text, "%s, a word of other programs: %s\n", word, said.data ? said.data : "");
    }
    if (stages) {
        buffer_printf(text, "`gpufilter help %.*s` says more\n", (int)strcspn(stages, ":,"), stages);
    }
    text->failed |= said.failed;
    buffer_free(&said);
    return known;
}

/* Adds what is no stage, but has help of its own. */
static bool add_elsewhere(struct buffer *text, const char *word)
{
    const struct bench_experiment *e;
    const gf_primitive *p = find_primitive(word);
    if (p) {
        primitive_add(text, p);
        return true;
    }
    for (int i = 0; (e = bench_experiment_at(i)) != NULL; i++) {
        if (!strcmp(e->id, word)) {
            buffer_printf(text, "%s: %s; gpufilter bench %s runs it\n", word, e->summary, word);
            return true;
        }
    }
    return help_option_add(text, word) || add_other(text, word);
}

/* Adds, below a stage, that a primitive has that name, too. */
static void add_namesake(struct buffer *text, const char *word)
{
    const gf_primitive *p = find_primitive(word);
    if (p) {
        buffer_add(text, "\nOf arrays\n  ");
        primitive_add(text, p);
    }
}

static bool add_word(struct buffer *text, const char *word)
{
    const gf_stage_type *type = gf_stage_find(word);
    const struct cli_command *command = find_command(word);
    const struct help_topic *topic = help_topic_find(word);
    if (word[0] == '-') {
        return help_option_add(text, word) || add_other(text, word);
    }
    if (type) {
        help_stage_add(text, type);
        add_namesake(text, word);
    } else if (command) {
        command_usage_add(text, command);
    } else if (topic) {
        help_topic_add(text, topic);
    } else {
        return add_elsewhere(text, word);
    }
    return true;
}

/* `help prim scan` is `prim scan --help`; `help breadth first search` is about one word of others. Returns
 * whether it was such a line. */
static bool run_several(int count, char **words, int *code)
{
    struct buffer joined = {0}, text = {0};
    if (count < 2 || words[0][0] == '-' || words[1][0] == '-') {
        return false;
    }
    if (!strcmp(words[0], "prim") && count == 2) {
        char help[] = "--help", *prim[] = {words[1], help};
        *code = run_prim(find_command("prim"), 2, prim);
        return true;
    }
    for (int i = 0; i < count; i++) {
        buffer_printf(&joined, "%s%s", i > 0 ? "-" : "", words[i]);
    }
    const bool known = joined.data && add_other(&text, joined.data);
    *code = known ? gf_status_exit_code(buffer_to_stdout(&text)) : 0;
    buffer_free(&text);
    buffer_free(&joined);
    return known;
}

/* help [WORD], where WORD may be an option, and for script/docs: help --man PAGE. */
int run_help(const struct cli_command *command, int count, char **words)
{
    bool json = false, known = true;
    const char *word = NULL;
    int code = 0, given = count == 1 && words[0][0] == '-' && words[0][1] &&
                          strcmp(words[0], "--help") != 0 && strcmp(words[0], "-h") != 0;
    struct buffer text = {0};
    if (run_several(count, words, &code)) {
        return code;
    }
    if (given) {
        word = words[0];
    } else if (count == 2 && !strcmp(words[0], "--man") && man_page_add(&text, words[1])) {
        word = words[1];
    } else {
        given = read_simple(command, count, words, 1, &word, &json, &code);
    }
    if (given < 0) {
        return code;
    }
    if (!word) {
        usage_add(&text);
    } else if (text.length == 0) {
        known = add_word(&text, word);
    }
    gf_status status = known ? buffer_to_stdout(&text) : fail_unknown(word);
    buffer_free(&text);
    return gf_status_exit_code(status);
}
