/* gpufilter list [formats] */
#include "help/commands.h"

#include "base/message.h"
#include "base/words.h"
#include "gpufilter/signal_io.h"
#include "gpufilter/stage.h"
#include "help/help.h"

#include <string.h>

/* Tells whether a stage before `index` has the same group. */
static bool is_group_seen(const gf_stage_type *const *types, int32_t index)
{
    for (int32_t i = 0; i < index; i++) {
        if (!strcmp(types[i]->group, types[index]->group)) {
            return true;
        }
    }
    return false;
}

static void add_stage(struct buffer *text, const gf_stage_type *type)
{
    size_t length;
    const char *alias;
    buffer_printf(text, "  %-12s %s", type->name, type->summary);
    for (int i = 0; (alias = words_at(type->aliases, i, &length)); i++) {
        buffer_printf(text, "%s%.*s", i == 0 ? " (also " : ", ", (int)length, alias);
    }
    buffer_add(text, type->aliases && *type->aliases ? ")\n" : "\n");
}

void list_stages_add(struct buffer *text)
{
    int32_t n = 0;
    const gf_stage_type *const *types = gf_stage_types(&n);
    for (int32_t i = 0; i < n; i++) {
        if (is_group_seen(types, i)) {
            continue;
        }
        buffer_printf(text, "%s%s\n", i ? "\n" : "", types[i]->group);
        for (int32_t j = i; j < n; j++) {
            if (!strcmp(types[j]->group, types[i]->group)) {
                add_stage(text, types[j]);
            }
        }
    }
}

void list_formats_add(struct buffer *text)
{
    const gf_format *format;
    for (size_t i = 0; (format = gf_io_format(i)); i++) {
        buffer_printf(text, "%-5s %-17s %s%s\n", format->name, format->suffixes, format->summary,
                      format->writes  ? ""
                      : format->reads ? " (only read)"
                                      : " (not built in)");
    }
    const gf_signal_format *of_signal;
    buffer_add(text, "\nof signals\n");
    for (size_t i = 0; (of_signal = gf_signal_io_format(i)); i++) {
        buffer_printf(text, "%-5s %-17s %s\n", of_signal->name, of_signal->suffixes, of_signal->summary);
    }
}

int run_list(const struct cli_command *command, int count, char **words)
{
    bool json = false;
    const char *what = NULL;
    int code = 0, given = read_simple(command, count, words, 1, &what, &json, &code);
    if (given < 0) {
        return code;
    }
    if (given == 1 && strcmp(what, "formats") != 0 && strcmp(what, "stages") != 0) {
        return gf_status_exit_code(
            cli_fail(GF_ERROR_ARGUMENT, "list is of '%s': must be stages (the default) or formats", what));
    }
    struct buffer text = {0};
    if (given == 1 && !strcmp(what, "formats")) {
        list_formats_add(&text);
    } else {
        list_stages_add(&text);
    }
    gf_status status = buffer_to_stdout(&text);
    buffer_free(&text);
    return gf_status_exit_code(status);
}
