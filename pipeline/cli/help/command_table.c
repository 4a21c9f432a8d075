/* The commands, and how those without options of their own read their words. */
#include "help/commands.h"

#include "base/message.h"
#include "base/words.h"
#include "batch/batch_options.h"
#include "prim/prim_options.h"

#include <string.h>

const struct cli_option json_option_table[] = {
    {"json", 0, false, NULL, NULL, "print JSON"},
    {"help", 'h', false, NULL, NULL, "this text"},
    {0},
};

static const struct cli_option help_option_table[] = {
    {"help", 'h', false, NULL, NULL, "this text"},
    {0},
};

const struct cli_command command_table[] = {
    {"list", run_list, "[formats]", "the stages, or formats of files", help_option_table},
    {"batch", run_batch, "IN... -o DIR [options]", "many pictures, or those of folders", batch_option_table},
    {"help", run_help, "[WORD]", "a stage, an option or another word", help_option_table},
    {"devices", run_devices, "[--json]", "the CPU and every GPU", json_option_table},
    {"compare", run_compare, "A B [options]", "whether two pictures are equal", compare_option_table},
    {"prim", run_prim, "[NAME] [options]", "array primitives, checked and timed", prim_option_table},
    {"bench", run_bench, "[ID] [options]", "experiments of published texts", bench_option_table},
    {"version", run_version, "[--json]", "the version, and what is built in", json_option_table},
    {"completion", run_completion, "bash|zsh|fish", "completion for the shell", help_option_table},
    {0},
};

const struct cli_command *find_command(const char *name)
{
    for (const struct cli_command *command = command_table; command->name; command++) {
        if (!strcmp(command->name, name)) {
            return command;
        }
    }
    return NULL;
}

int read_simple(const struct cli_command *command, int count, char **words, int most, const char **files,
                bool *json, int *code)
{
    struct cli_arguments arguments = cli_arguments_begin(command->options, count, words);
    const char *value = NULL;
    int n_files = 0;
    *code = gf_status_exit_code(GF_ERROR_ARGUMENT);
    for (int option; (option = cli_arguments_next(&arguments, &value)) != CLI_END;) {
        if (option == CLI_BAD) {
            *code = gf_status_exit_code(arguments.status);
            return -1;
        }
        if (option == CLI_POSITIONAL) {
            if (n_files == most) {
                cli_fail(GF_ERROR_ARGUMENT, "'%s' is one word too many: gpufilter %s%s%s", value,
                         command->name, *command->arguments ? " " : "", command->arguments);
                return -1;
            }
            files[n_files++] = value;
        } else if (!strcmp(command->options[option].name, "json")) {
            *json = true;
        } else {
            struct buffer text = {0};
            command_usage_add(&text, command);
            *code = gf_status_exit_code(buffer_to_stdout(&text));
            buffer_free(&text);
            return -1;
        }
    }
    return n_files;
}
