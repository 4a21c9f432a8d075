/* The commands of the program. Each takes its row of the table and the words after its name, and returns the
 * exit code. */
#pragma once

#include "base/arguments.h"

struct cli_command {
    const char *name;
    int (*run)(const struct cli_command *command, int count, char **words);
    const char *arguments; /* as help shows them */
    const char *help;
    const struct cli_option *options; /* NULL: none */
};

/* Ended by a zero row. */
extern const struct cli_command command_table[];

/* The command of that name, or NULL. */
const struct cli_command *find_command(const char *name);

int run_info(const struct cli_command *command, int count, char **words);
int run_list(const struct cli_command *command, int count, char **words);
int run_help(const struct cli_command *command, int count, char **words);
int run_devices(const struct cli_command *command, int count, char **words);
int run_batch(const struct cli_command *command, int count, char **words);
int run_sheet(const struct cli_command *command, int count, char **words);
int run_stack(const struct cli_command *command, int count, char **words);
int run_compare(const struct cli_command *command, int count, char **words);
int run_prim(const struct cli_command *command, int count, char **words);
int run_bench(const struct cli_command *command, int count, char **words);
int run_version(const struct cli_command *command, int count, char **words);
int run_completion(const struct cli_command *command, int count, char **words);

/* The filter job, when no command is named. */
int run_job(int count, char **words);

/* The text of `gpufilter help`, and that of one command. */
void usage_add(struct buffer *buffer);
/* The first lines of it, and where the rest is. */
void usage_head_print(FILE *file);
void command_usage_add(struct buffer *buffer, const struct cli_command *command);
/* Prints it; the exit code. */
int command_usage_print(const struct cli_command *command);

extern const struct cli_option compare_option_table[], info_option_table[], sheet_option_table[],
    stack_option_table[], bench_option_table[];

/* Reads the words of a command with at most `most` files and --json, --help. Returns the number of
 * files; -1 when the command is over, after an error or its help, with its exit code in *code. */
int read_simple(const struct cli_command *command, int count, char **words, int most, const char **files,
                bool *json, int *code);
