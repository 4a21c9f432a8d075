#include "base/completion.h"

#include "base/words.h"
#include "bench/bench.h"
#include "gpufilter/array.h"
#include "gpufilter/io.h"
#include "help/commands.h"
#include "help/help.h"
#include "job/job_options.h"
#include "job/limit_option.h"
#include "prim/prim_options.h"

#include <string.h>

/* ---- offers ---- */

void offer(const struct offers *offers, const char *word, size_t length, const char *end, const char *help)
{
    size_t typed = strlen(offers->typed);
    if (typed > length || memcmp(word, offers->typed, typed) != 0) {
        return;
    }
    buffer_add_bytes(offers->text, offers->before, offers->before_length);
    buffer_add_bytes(offers->text, word, length);
    buffer_add(offers->text, end);
    if (help) {
        buffer_add(offers->text, "|");
        buffer_add(offers->text, help);
    }
    buffer_add(offers->text, "\n");
}

void offer_list(const struct offers *offers, const char *words, const char *end)
{
    size_t length;
    const char *word;
    for (int i = 0; (word = words_at(words, i, &length)); i++) {
        offer(offers, word, length, end, NULL);
    }
}

struct offers offers_behind(const struct offers *offers, const char *from)
{
    struct offers behind = *offers;
    behind.before_length += (size_t)(from - offers->typed);
    behind.typed = from;
    return behind;
}

static void offer_word(const struct offers *offers, const char *word, const char *help)
{
    offer(offers, word, strlen(word), " ", help);
}

/* ---- the array primitives ---- */

static void complete_primitives(const struct offers *offers)
{
    const gf_primitive *primitive;
    for (size_t i = 0; (primitive = gf_primitive_at(i)); i++) {
        offer_word(offers, primitive->name, NULL);
    }
}

static void complete_experiments(const struct offers *offers)
{
    const struct bench_experiment *experiment;
    for (int i = 0; (experiment = bench_experiment_at(i)); i++) {
        offer_word(offers, experiment->id, experiment->summary);
    }
}

/* Variants of the primitive that is named; without one, of all of them. */
static void complete_variants(const struct offers *offers, const char *named)
{
    const gf_primitive *primitive;
    const gf_variant *v;
    offer_list(offers, "all|auto", " ");
    for (size_t p = 0; (primitive = gf_primitive_at(p)); p++) {
        if (named && strcmp(named, primitive->name) != 0) {
            continue;
        }
        for (size_t i = 0; (v = gf_primitive_variant(primitive->name, i)); i++) {
            if (strcmp(v->name, "auto") != 0) {
                offer_word(offers, v->name, NULL);
            }
        }
    }
}

/* ---- options ---- */

static void complete_devices(const struct offers *offers)
{
    static const gf_device devices[] = {GF_DEVICE_AUTO, GF_DEVICE_CPU, 0, GF_DEVICE_REFERENCE};
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
        offer_word(offers, gf_device_kind(devices[i]), NULL);
    }
}

static void complete_formats(const struct offers *offers)
{
    const gf_format *format;
    for (size_t i = 0; (format = gf_io_format(i)); i++) {
        if (format->writes) {
            offer_word(offers, format->name, format->summary);
        }
    }
}

static void complete_limits(const struct offers *offers)
{
    const struct limit_help *limit;
    for (int i = 0; (limit = limit_option_at(i)); i++) {
        offer(offers, limit->name, strlen(limit->name), "=", limit->help);
    }
}

/* The value of an option; `operand` is the first one of the command, or NULL. */
static void complete_value(const struct offers *offers, const struct cli_option *option, const char *operand)
{
    if (option->choices) {
        offer_list(offers, option->choices, " ");
    } else if (!strcmp(option->name, "stages")) {
        complete_stages(offers);
    } else if (!strcmp(option->name, "device")) {
        complete_devices(offers);
    } else if (!strcmp(option->name, "format")) {
        complete_formats(offers);
    } else if (!strcmp(option->name, "limit")) {
        complete_limits(offers);
    } else if (!strcmp(option->name, "algo")) {
        complete_variants(offers, operand);
    }
}

static const struct cli_option *option_named(const struct cli_option *table, const char *name, size_t length)
{
    while (table->name && (strlen(table->name) != length || memcmp(table->name, name, length) != 0)) {
        table++;
    }
    return table->name ? table : NULL;
}

/* The option that a word like --stages or -s is; NULL: none. */
static const struct cli_option *option_of(const struct cli_option *table, const char *word)
{
    if (!strncmp(word, "--", 2)) {
        return option_named(table, word + 2, strlen(word + 2));
    }
    while (table->name && (!word[1] || word[2] || table->letter != word[1])) {
        table++;
    }
    return table->name ? table : NULL;
}

/* --name, or the value in --name=value. */
static void complete_option(const struct offers *offers, const struct cli_option *table, const char *operand)
{
    const char *name = offers->typed + 2;
    const char *equals = strchr(offers->typed, '=');
    if (equals && equals > name) {
        const struct cli_option *option = option_named(table, name, (size_t)(equals - name));
        struct offers values = offers_behind(offers, equals + 1);
        if (option && option->argument) {
            complete_value(&values, option, operand);
        }
        return;
    }
    for (const struct cli_option *option = table; option->name; option++) {
        char word[40] = "--";
        strncat(word, option->name, sizeof word - 3);
        offer_word(offers, word, option->help);
        if (option->optional) {
            offer(offers, word, strlen(word), "=", option->help);
        }
    }
}

/* ---- the whole line ---- */

static void complete_operand(const struct offers *offers, const struct cli_command *command, int index)
{
    if (!command) {
        for (const struct cli_command *c = command_table; index == 0 && c->name; c++) {
            offer_word(offers, c->name, c->help);
        }
        return;
    }
    if (index > 0) {
        return;
    }
    if (command->run == run_help) {
        help_words_offer(offers);
    } else if (command->run == run_list) {
        offer_list(offers, "stages|formats", " ");
    } else if (command->run == run_completion) {
        offer_list(offers, COMPLETION_SHELLS, " ");
    } else if (command->run == run_prim) {
        complete_primitives(offers);
    } else if (command->run == run_bench) {
        complete_experiments(offers);
    }
}

void complete_words(struct buffer *text, int count, char **words)
{
    struct offers offers = {.text = text, .before = words[count - 1], .typed = words[count - 1]};
    const struct cli_command *command = count > 1 ? find_command(words[0]) : NULL;
    const struct cli_option *table = command ? command->options : job_option_table, *open = NULL;
    const char *operand = NULL;
    int operands = 0;
    for (int i = command ? 1 : 0; i < count - 1; i++) {
        if (open) {
            open = NULL;
        } else if (!strcmp(words[i], "--")) { /* files only from here on */
            return;
        } else if (words[i][0] == '-' && words[i][1]) {
            const struct cli_option *option = option_of(table, words[i]);
            open = option && option->argument && !option->optional ? option : NULL;
        } else {
            operand = operands++ ? operand : words[i];
        }
    }
    if (open) {
        complete_value(&offers, open, operand);
    } else if (offers.typed[0] == '-' && offers.typed[1] && !(command && command->run == run_help)) {
        complete_option(&offers, table, operand);
    } else if (command || count == 1) {
        complete_operand(&offers, command, operands);
    }
}
