/* gpufilter completion bash: a script made from the tables of this program. */
#include "commands.h"

#include "gpufilter/stage.h"
#include "job_options.h"
#include "message.h"
#include "prim_completion.h"
#include "prim_options.h"

#include <string.h>

static void add_option_words(struct buffer *text, const struct cli_option *table)
{
    for (const struct cli_option *option = table; option->name; option++) {
        buffer_printf(text, "%s--%s", option == table ? "" : " ", option->name);
    }
}

static void add_stage_words(struct buffer *text)
{
    int32_t n = 0;
    const gf_stage_type *const *types = gf_stage_types(&n);
    for (int32_t i = 0; i < n; i++) {
        buffer_printf(text, "%s%s", i ? " " : "", types[i]->name);
    }
}

static void add_command_words(struct buffer *text)
{
    for (const struct cli_command *command = command_table; command->name; command++) {
        buffer_printf(text, "%s%s", command == command_table ? "" : " ", command->name);
    }
}

/* Words that an option's value may be. */
static void add_value_cases(struct buffer *text, const struct cli_option *table)
{
    for (const struct cli_option *option = table; option->name; option++) {
        if (!option->choices || option->optional) {
            continue;
        }
        buffer_printf(text, "    --%s) words=\"", option->name);
        for (const char *c = option->choices; *c; c++) {
            buffer_add_bytes(text, *c == '|' ? " " : c, 1);
        }
        buffer_add(text, "\" ;;\n");
    }
}

/* Commands whose options, or names, differ from those of a filter job. */
static void add_command_cases(struct buffer *text)
{
    for (const struct cli_command *command = command_table; command->name; command++) {
        buffer_printf(
            text, "        elif [[ ${COMP_WORDS[1]} == %s && $current == -* ]]; then\n            words=\"",
            command->name);
        add_option_words(text, command->options);
        buffer_add(text, "\"\n");
    }
    completion_add_primitives(text);
}

static void add_bash(struct buffer *text)
{
    buffer_add(text, "# bash completion for gpufilter\n"
                     "_gpufilter()\n{\n"
                     "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}\n"
                     "    local words= before=\n"
                     "    case $previous in\n");
    buffer_printf(text, "    --device) words=\"%s %s %s %s\" ;;\n", gf_device_kind(GF_DEVICE_AUTO),
                  gf_device_kind(GF_DEVICE_CPU), gf_device_kind(0), gf_device_kind(GF_DEVICE_REFERENCE));
    add_value_cases(text, job_option_table);
    add_value_cases(text, prim_option_table);
    completion_add_variants(text);
    buffer_add(text, "    --stages|help)\n"
                     "        [[ $previous == --stages && $current == *,* ]] && before=${current%,*},\n"
                     "        words=\"");
    add_stage_words(text);
    buffer_add(text, "\" ;;\n");
    buffer_add(text,
               "    *)\n        if ((COMP_CWORD == 1)) && [[ $current != -* ]]; then\n            words=\"");
    add_command_words(text);
    buffer_add(text, "\"\n");
    add_command_cases(text);
    buffer_add(text, "        elif [[ $current == -* ]]; then\n            words=\"");
    add_option_words(text, job_option_table);
    buffer_add(text, "\"\n        fi ;;\n    esac\n"
                     "    COMPREPLY=($(compgen -P \"$before\" -W \"$words\" -- \"${current#\"$before\"}\"))\n"
                     "}\n"
                     "complete -o default -F _gpufilter gpufilter\n");
}

int run_completion(int count, char **words)
{
    bool json = false;
    const char *shell = NULL;
    int code = 0, files = read_simple(find_command("completion"), count, words, 1, &shell, &json, &code);
    if (files < 0) {
        return code;
    }
    if (files != 1 || strcmp(shell, "bash") != 0) {
        return gf_status_exit_code(
            cli_fail(GF_ERROR_ARGUMENT, "completion is '%s': must be bash", files ? shell : ""));
    }
    struct buffer text = {0};
    add_bash(&text);
    gf_status status = buffer_to_stdout(&text);
    buffer_free(&text);
    return gf_status_exit_code(status);
}
