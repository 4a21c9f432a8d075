/* The commands of the program. Each takes the words after its name and returns the exit code. */
#ifndef GF_CLI_COMMANDS_H
#define GF_CLI_COMMANDS_H

#include "base/arguments.h"

struct cli_command {
    const char *name;
    int (*run)(int count, char **words);
    const char *arguments; /* as help shows them */
    const char *help;
    const struct cli_option *options; /* NULL: none */
};

/* Ended by a zero row. */
extern const struct cli_command command_table[];

/* The command of that name, or NULL. */
const struct cli_command *find_command(const char *name);

int run_list(int count, char **words);
int run_help(int count, char **words);
int run_devices(int count, char **words);
int run_batch(int count, char **words);
int run_compare(int count, char **words);
int run_prim(int count, char **words);
int run_bench(int count, char **words);
int run_version(int count, char **words);
int run_completion(int count, char **words);

/* The filter job, when no command is named. */
int run_job(int count, char **words);

/* The text of `gpufilter help`, and that of one command. */
void usage_add(struct buffer *buffer);
/* The first lines of it, and where the rest is. */
void usage_head_print(FILE *file);
void command_usage_add(struct buffer *buffer, const struct cli_command *command);

extern const struct cli_option json_option_table[];
extern const struct cli_option compare_option_table[], bench_option_table[];

/* Reads the words of a command with at most `most` files and --json, --help. Returns the number of
 * files; -1 when the command is over, after an error or its help, with its exit code in *code. */
int read_simple(const struct cli_command *command, int count, char **words, int most, const char **files,
                bool *json, int *code);

#endif
