/* gpufilter list [formats] */
#include "commands.h"

#include "gpufilter/io.h"
#include "gpufilter/stage.h"
#include "message.h"
#include "words.h"

#include <string.h>

/* Whether a stage before `index` has the same group. */
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

static void add_stages(struct buffer *text)
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

static void add_formats(struct buffer *text)
{
    const gf_format *format;
    for (size_t i = 0; (format = gf_io_format(i)); i++) {
        buffer_printf(text, "%-5s %-17s %s%s\n", format->name, format->suffixes, format->summary,
                      format->reads ? "" : " (not built in)");
    }
}

int run_list(int count, char **words)
{
    bool json = false;
    const char *what = NULL;
    int code = 0, given = read_simple(find_command("list"), count, words, 1, &what, &json, &code);
    if (given < 0) {
        return code;
    }
    if (given == 1 && strcmp(what, "formats") != 0 && strcmp(what, "stages") != 0) {
        return gf_status_exit_code(
            cli_fail(GF_ERROR_ARGUMENT, "list is of '%s': must be stages (the default) or formats", what));
    }
    struct buffer text = {0};
    if (given == 1 && !strcmp(what, "formats")) {
        add_formats(&text);
    } else {
        add_stages(&text);
    }
    gf_status status = buffer_to_stdout(&text);
    buffer_free(&text);
    return gf_status_exit_code(status);
}

gf_status fail_unknown_stage(const char *name)
{
    struct buffer text = {0};
    struct nearest nearest = {.word = name};
    int32_t n = 0;
    const gf_stage_type *const *types = gf_stage_types(&n);
    buffer_printf(&text, "unknown stage '%s'", name);
    for (int32_t i = 0; i < n; i++) {
        nearest_try(&nearest, types[i]->name, strlen(types[i]->name));
        nearest_try_list(&nearest, types[i]->aliases);
    }
    nearest_add(&text, &nearest, "");
    buffer_add(&text, "\n  stages:");
    size_t column = 9;
    for (int32_t i = 0; i < n; i++) {
        size_t width = strlen(types[i]->name) + 1;
        if (column + width > 78) {
            buffer_add(&text, "\n         ");
            column = 9;
        }
        buffer_printf(&text, " %s", types[i]->name);
        column += width;
    }
    gf_status status =
        text.failed ? cli_fail(GF_ERROR_MEMORY, "out of memory") : cli_fail(GF_ERROR_PARSE, "%s", text.data);
    buffer_free(&text);
    return status;
}
