/* gpufilter stack IN... OUT */
#include "help/commands.h"

#include "base/message.h"
#include "base/output_file.h"
#include "base/words.h"
#include "job/limit_option.h"
#include "sheet/stack.h"

#include <stdlib.h>
#include <string.h>

enum { OPTION_BY, OPTION_LIMIT, OPTION_QUIET, OPTION_HELP };

const struct cli_option stack_option_table[] = {
    [OPTION_BY] = {"by", 0, false, "RULE", NULL, "mean (default), median, max or min of each sample"},
    [OPTION_LIMIT] = {"limit", 0, false, "NAME=N", NULL, "most that a picture may ask for, as pixels=512M"},
    [OPTION_QUIET] = {"quiet", 'q', false, NULL, NULL, "say errors only"},
    [OPTION_HELP] = {"help", 'h', false, NULL, NULL, "this text"},
    {0},
};

static gf_status take_option(struct stack *stack, int option, const char *value, bool *help)
{
    const int rule = option == OPTION_BY ? words_index("mean|median|max|min", value) : 0;
    if (option == OPTION_LIMIT) {
        return limit_option_take(value, &stack->limits);
    }
    if (rule < 0) {
        return cli_fail(GF_ERROR_ARGUMENT, "--by is '%s', must be mean, median, max or min", value);
    }
    if (option == OPTION_QUIET) {
        cli_set_verbosity(CLI_QUIET);
    }
    stack->rule = option == OPTION_BY ? (enum stack_rule)rule : stack->rule;
    *help = *help || option == OPTION_HELP;
    return GF_OK;
}

/* OUT appears when all are read, so it may be one of them. */
static gf_status read_words(struct stack *stack, int count, char **words, bool *help)
{
    struct cli_arguments arguments = cli_arguments_begin(stack_option_table, count, words);
    const char *value = NULL;
    for (int option; (option = cli_arguments_next(&arguments, &value)) != CLI_END;) {
        CLI_TRY(option == CLI_BAD ? GF_ERROR_ARGUMENT : GF_OK);
        if (option == CLI_POSITIONAL) {
            stack->paths[stack->count++] = value;
        } else {
            CLI_TRY(take_option(stack, option, value, help));
        }
    }
    if (*help) {
        return GF_OK;
    }
    if (stack->count < 2) {
        return cli_fail(GF_ERROR_ARGUMENT, "stack takes pictures and OUT: gpufilter stack IN... OUT");
    }
    stack->out = stack->paths[--stack->count];
    int streams = 0;
    for (int i = 0; i < stack->count; i++) {
        streams += !strcmp(stack->paths[i], "-");
    }
    if (streams > 1) {
        return cli_fail(GF_ERROR_ARGUMENT,
                        "standard input, -, is given %d times, and comes once: save it to a file first",
                        streams);
    }
    return output_check(stack->out);
}

int run_stack(const struct cli_command *command, int count, char **words)
{
    struct stack stack = {.limits = GF_IO_LIMITS_INIT};
    bool help = false;
    stack.paths = calloc((size_t)count + 1, sizeof *stack.paths);
    gf_status status = cli_need_memory(stack.paths != NULL);
    status = status == GF_OK ? read_words(&stack, count, words, &help) : status;
    const bool work = status == GF_OK && !help;
    status = work ? stack_make(&stack) : status;
    free(stack.paths);
    return help && status == GF_OK ? command_usage_print(command) : gf_status_exit_code(status);
}
