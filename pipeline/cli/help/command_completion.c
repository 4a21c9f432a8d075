/* gpufilter completion SHELL, and `completion words WORD...`, which its scripts call. */
#include "help/commands.h"

#include "base/argument_value.h"
#include "base/completion.h"
#include "base/message.h"

#include <string.h>

static int print(struct buffer *text)
{
    gf_status status = buffer_to_stdout(text);
    buffer_free(text);
    return gf_status_exit_code(status);
}

int run_completion(const struct cli_command *command, int count, char **words)
{
    struct buffer text = {0};
    if (count > 1 && !strcmp(words[0], "words")) {
        complete_words(&text, count - 1, words + 1);
        return print(&text);
    }
    bool json = false;
    const char *shell = NULL;
    int code = 0, files = read_simple(command, count, words, 1, &shell, &json, &code);
    if (files < 0) {
        return code;
    }
    const char *script = files ? completion_script(shell) : NULL;
    if (!script) {
        return gf_status_exit_code(value_fail_choice("completion", files ? shell : "", COMPLETION_SHELLS));
    }
    buffer_add(&text, script);
    return print(&text);
}
