/* Reads a command line by a table of options. The same table makes the help and the completion.
 *
 * Options may stand anywhere, "--" ends them, "-" alone is a file. Names are never abbreviated,
 * so that a new option cannot change the meaning of a script. */
#pragma once

#include "base/text_buffer.h"

struct cli_option {
    const char *name;     /* without dashes; NULL ends the table */
    char letter;          /* -v; 0: none */
    bool optional;        /* the value may be left out and follows '=' only */
    const char *argument; /* how help calls the value; NULL: takes none */
    const char *choices;  /* the words it may be, separated by '|'; NULL: any text */
    const char *help;     /* NULL: the words for devices, which depend on the build */
};

struct cli_arguments {
    const struct cli_option *table;
    int count;
    char **words;
    int next;            /* index of the next word */
    const char *letters; /* rest of a cluster like -qv */
    bool ended;          /* after "--" */
    gf_status status;    /* of CLI_BAD */
    /* Adds what is said of an option that the table does not have, and returns whether it is known: one of
     * other programs. NULL: none is. */
    bool (*other)(struct buffer *text, const char *name, size_t length);
};

enum { CLI_END = -1, CLI_POSITIONAL = -2, CLI_BAD = -3 };

/* Words after the program's (and command's) name. */
struct cli_arguments cli_arguments_begin(const struct cli_option *table, int count, char **words);

/* The next option: its index in the table, *value its text or NULL. CLI_POSITIONAL: *value is
 * the word. CLI_BAD: the error has been said. */
int cli_arguments_next(struct cli_arguments *arguments, const char **value);

/* One line of help for each option. */
void cli_options_help(struct buffer *buffer, const struct cli_option *table);
