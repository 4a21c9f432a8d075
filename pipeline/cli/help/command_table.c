/* The commands. */
#include "help/commands.h"

#include "batch/batch_options.h"
#include "prim/prim_options.h"

#include <string.h>

static const struct cli_option json_option_table[] = {
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
    {"sheet", run_sheet, "IN... OUT [options]", "many pictures as one, in rows", sheet_option_table},
    {"stack", run_stack, "IN... OUT [options]", "many pictures as one: mean, median", stack_option_table},
    {"help", run_help, "[WORD]", "a stage, an option or another word", help_option_table},
    {"info", run_info, "FILE... [options]", "what pictures and signals are", info_option_table},
    {"devices", run_devices, "[--json]", "the CPU and every GPU", json_option_table},
    {"compare", run_compare, "A B [options]", "whether files or folders are equal", compare_option_table},
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
