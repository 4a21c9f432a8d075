/* The names that `gpufilter prim` takes, and what it says of them. */
#include "argument_value.h"
#include "commands.h"
#include "message.h"
#include "prim_report.h"

#include <string.h>

/* ---- Names -------------------------------------------------------------------------------------- */

gf_status prim_fail_unknown(const char *name)
{
    struct buffer names = {0};
    const gf_primitive *primitive;
    for (size_t i = 0; (primitive = gf_primitive_at(i)) != NULL; i++) {
        buffer_printf(&names, "%s%s", i ? "|" : "", primitive->name);
    }
    gf_status status = value_fail_choice("the primitive", name, names.data ? names.data : "");
    buffer_free(&names);
    return status;
}

bool prim_has_variant(const char *primitive, const char *algo, bool cuda)
{
    const gf_variant *v;
    for (size_t i = 0; (v = gf_primitive_variant(primitive, i)) != NULL; i++) {
        if (!strcmp(v->name, algo) && (v->cuda != 0) == cuda) {
            return true;
        }
    }
    return false;
}

gf_status prim_fail_unknown_algo(const char *primitive, const char *algo, const gf_error *vendor)
{
    struct buffer names = {0};
    const gf_variant *v;
    for (size_t i = 0; (v = gf_primitive_variant(primitive, i)) != NULL; i++) {
        if (!v->cuda || !prim_has_variant(primitive, v->name, false)) {
            buffer_printf(&names, "%s|", v->name);
        }
    }
    buffer_add(&names, "all");
    gf_status status = value_fail_choice("--algo", algo, names.data ? names.data : "");
    if (!gf_has_cuda()) {
        cli_note("%s", PRIM_NO_CUDA);
    } else if (vendor->code != GF_OK) {
        cli_note("cub and thrust are not there: %s", vendor->message);
    }
    buffer_free(&names);
    return status;
}

/* ---- Help ---------------------------------------------------------------------------------------- */

/* The help: of one primitive with its options only. */
static void add_usage(const char *primitive, struct buffer *text)
{
    struct cli_command command = *find_command("prim");
    struct cli_option own[PRIM_OPTION_COUNT + 1] = {{0}};
    for (int i = 0, n = 0; primitive && i < PRIM_OPTION_COUNT; i++) {
        if (prim_option_fits(i, primitive)) {
            own[n++] = prim_option_table[i];
            command.options = own;
        }
    }
    command_usage_add(text, &command);
}

gf_status prim_print_help(const struct prim_options *options)
{
    struct buffer text = {0};
    (void)gf_vendor_load(NULL, NULL);
    if (options->text[PRIM_HELP]) {
        add_usage(options->primitive, &text);
        buffer_add(&text, options->primitive ? "\n" : "");
    }
    if (options->primitive || !options->text[PRIM_HELP]) {
        prim_report_list(options->primitive, &text);
    }
    gf_status status = buffer_to_stdout(&text);
    buffer_free(&text);
    return status;
}
