#include "base/arguments.h"

#include "base/argument_value.h"
#include "base/message.h"
#include "base/words.h"

#include <stdio.h>
#include <string.h>

struct cli_arguments cli_arguments_begin(const struct cli_option *table, int count, char **words)
{
    return (struct cli_arguments){.table = table, .count = count, .words = words};
}

static int bad(struct cli_arguments *arguments, struct buffer *message)
{
    arguments->status = message->failed ? cli_fail(GF_ERROR_MEMORY, "out of memory")
                                        : cli_fail(GF_ERROR_ARGUMENT, "%s", message->data);
    buffer_free(message);
    return CLI_BAD;
}

/* Adds all options, wrapped into lines. */
static void add_names(struct buffer *message, const struct cli_option *table)
{
    size_t column = 80;
    for (const struct cli_option *option = table; option->name; option++) {
        size_t width = strlen(option->name) + 3;
        if (column + width > 78) {
            buffer_add(message, option == table ? "\n  options:" : "\n          ");
            column = 10;
        }
        buffer_printf(message, " --%s", option->name);
        column += width;
    }
}

static int unknown(struct cli_arguments *arguments, const char *name, size_t length, bool is_long)
{
    char word[64];
    struct buffer message = {0}, other = {0};
    snprintf(word, sizeof word, "%.*s", (int)length, name);
    buffer_printf(&message, "unknown option '%s%.*s'", is_long ? "--" : "-", (int)length, name);
    if (arguments->other && arguments->other(&other, name, length)) {
        buffer_printf(&message, ": %s", other.data ? other.data : "");
        message.failed |= other.failed;
        buffer_free(&other);
        return bad(arguments, &message);
    }
    struct nearest nearest = {.word = word};
    for (const struct cli_option *option = arguments->table; is_long && option->name; option++) {
        nearest_try(&nearest, option->name, strlen(option->name));
    }
    nearest_add(&message, &nearest, "--");
    add_names(&message, arguments->table);
    buffer_add(
        &message,
        "\n  files need no option: IN OUT; one whose name begins with '-' is written ./-NAME, or behind --");
    return bad(arguments, &message);
}

/* The option, if its value is one that it may have. */
static int accept(struct cli_arguments *arguments, int index, const char *value)
{
    const struct cli_option *option = &arguments->table[index];
    if (!value || !option->choices || words_index(option->choices, value) >= 0) {
        return index;
    }
    char name[48];
    snprintf(name, sizeof name, "--%s", option->name);
    arguments->status = value_fail_choice(name, value, option->choices);
    return CLI_BAD;
}

static int take_value(struct cli_arguments *arguments, int index, const char **value)
{
    const struct cli_option *option = &arguments->table[index];
    if (arguments->next >= arguments->count) {
        struct buffer message = {0};
        buffer_printf(&message, "--%s needs a value: --%s %s", option->name, option->name, option->argument);
        return bad(arguments, &message);
    }
    *value = arguments->words[arguments->next++];
    return accept(arguments, index, *value);
}

static int long_option(struct cli_arguments *arguments, const char *name, const char **value)
{
    size_t length = strcspn(name, "=");
    int index = 0;
    const struct cli_option *option = arguments->table;
    while (option->name && (strlen(option->name) != length || memcmp(option->name, name, length) != 0)) {
        option++;
        index++;
    }
    if (!option->name) {
        return unknown(arguments, name, length, true);
    }
    *value = name[length] ? name + length + 1 : NULL;
    if (*value && !option->argument) {
        arguments->status =
            cli_fail(GF_ERROR_ARGUMENT, "--%s takes no value, but has '%s'", option->name, *value);
        return CLI_BAD;
    }
    if (!*value && option->argument && !option->optional) {
        return take_value(arguments, index, value);
    }
    return accept(arguments, index, *value);
}

static int short_option(struct cli_arguments *arguments, const char **value)
{
    char letter = *arguments->letters;
    int index = 0;
    const struct cli_option *option = arguments->table;
    while (option->name && option->letter != letter) {
        option++;
        index++;
    }
    if (!option->name) { /* -resize is a word, not six letters; -j4 is a letter and its value */
        const char *word = arguments->words[arguments->next - 1] + 1;
        const size_t length = arguments->letters == word ? strcspn(word + 1, "0123456789=") : 0;
        return unknown(arguments, arguments->letters, 1 + length, false);
    }
    arguments->letters++;
    *value = NULL;
    if (!option->argument) {
        return index;
    }
    if (*arguments->letters) { /* -n3 */
        *value = arguments->letters;
        arguments->letters = NULL;
        return accept(arguments, index, *value);
    }
    return take_value(arguments, index, value);
}

int cli_arguments_next(struct cli_arguments *arguments, const char **value)
{
    if (arguments->letters && *arguments->letters) {
        return short_option(arguments, value);
    }
    if (arguments->next >= arguments->count) {
        return CLI_END;
    }
    const char *word = arguments->words[arguments->next++];
    if (!arguments->ended && !strcmp(word, "--")) {
        arguments->ended = true;
        return cli_arguments_next(arguments, value);
    }
    if (arguments->ended || word[0] != '-' || !word[1]) {
        *value = word;
        return CLI_POSITIONAL;
    }
    if (word[1] == '-') {
        return long_option(arguments, word + 2, value);
    }
    arguments->letters = word + 1;
    return short_option(arguments, value);
}

void cli_options_help(struct buffer *buffer, const struct cli_option *table)
{
    for (const struct cli_option *option = table; option->name; option++) {
        char left[64];
        char letter[8] = "";
        if (option->letter) {
            snprintf(letter, sizeof letter, "-%c, ", option->letter);
        }
        snprintf(left, sizeof left, "%s--%s%s%s", letter, option->name,
                 !option->argument  ? ""
                 : option->optional ? ""
                                    : " ",
                 option->argument ? option->argument : "");
        buffer_printf(buffer, "  %-24s ", left);
        if (option->help) {
            buffer_add(buffer, option->help);
        } else {
            device_words_add(buffer, true);
        }
        buffer_add(buffer, "\n");
    }
}
