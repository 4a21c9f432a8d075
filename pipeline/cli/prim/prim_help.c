/* The names that `gpufilter prim` takes, and what it says of them. */
#include "base/argument_value.h"
#include "base/message.h"
#include "help/commands.h"
#include "help/other_words.h"
#include "prim/prim_report.h"

#include <stdio.h>
#include <string.h>

/* ---- Names -------------------------------------------------------------------------------------- */

gf_status prim_fail_unknown(const char *name)
{
    const char *const known = primitive_known_as(name, strlen(name));
    struct buffer names = {0};
    const gf_primitive *primitive;
    for (size_t i = 0; (primitive = gf_primitive_at(i)) != NULL; i++) {
        buffer_printf(&names, "%s%s", i ? "|" : "", primitive->name);
    }
    gf_status status = value_fail_choice("the primitive", name, names.data ? names.data : "");
    if (known) {
        cli_note("what others call %s is %s here: gpufilter prim %s --help", name, known, known);
    }
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
    for (size_t i = 0; (v = gf_primitive_missing_variant(primitive, i)) != NULL; i++) {
        if (!strcmp(v->name, algo)) {
            return cli_fail(GF_ERROR_DEVICE,
                            "%s, variant %s, is for CUDA, and not here: %s; a build with "
                            "-DGPUFILTER_CUDA=EMU runs it on the CPU (docs/course.md)",
                            primitive, algo, gf_cuda_missing());
        }
    }
    for (size_t i = 0; (v = gf_primitive_variant(primitive, i)) != NULL; i++) {
        if (!v->cuda || !prim_has_variant(primitive, v->name, false)) {
            buffer_printf(&names, "%s|", v->name);
        }
    }
    buffer_add(&names, "all");
    gf_status status = value_fail_choice("--algo", algo, names.data ? names.data : "");
    if (!gf_has_cuda()) {
        cli_note(PRIM_NO_CUDA, gf_cuda_missing());
    } else if (vendor->code != GF_OK) {
        cli_note("cub and thrust are not there: %s", vendor->message);
    }
    buffer_free(&names);
    return status;
}

/* ---- Help ---------------------------------------------------------------------------------------- */

static bool is_primitive(const char *word, size_t length)
{
    char name[24];
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    return length < sizeof name && prim_driver_find(name);
}

/* Adds what is the primitive's own in "any; reduce: sum min; scan, merge: sum", else what is everybody's. */
static void add_own(const char *help, const char *primitive, struct buffer *text)
{
    for (const char *at = help, *end; at; at = end ? end + 2 : NULL) {
        const char *words = at;
        bool own = false;
        end = strstr(at, "; ");
        for (size_t n; is_primitive(words, n = strcspn(words, " ,:")); words += strspn(words, " ,:")) {
            own = own || (strlen(primitive) == n && !strncmp(words, primitive, n));
            words += n;
        }
        text->length = own ? 0 : text->length;
        if (own || words == at) {
            buffer_add(text, text->length > 0 ? "; " : "");
            buffer_add_bytes(text, words, end ? (size_t)(end - words) : strlen(words));
        }
    }
}

/* The help: of one primitive with its options only, and their words. */
static void add_usage(const struct cli_command *prim, const char *primitive, struct buffer *text)
{
    struct cli_command command = *prim;
    struct cli_option own[PRIM_OPTION_COUNT + 1] = {{0}};
    struct buffer words[PRIM_OPTION_COUNT] = {{0}};
    for (int i = 0, n = 0; primitive && i < PRIM_OPTION_COUNT; i++) {
        const bool is_graphs =
            i == PRIM_DATA && prim_option_fits(PRIM_GRAPH, primitive); /* which have none */
        if (prim_option_fits(i, primitive) && !is_graphs) {
            own[n] = prim_option_table[i];
            if (i == PRIM_TYPE) {
                prim_report_types(primitive, &words[i]);
            } else {
                add_own(own[n].help, primitive, &words[i]);
            }
            own[n++].help = words[i].data ? words[i].data : "";
            command.options = own;
        }
    }
    command_usage_add(text, &command);
    for (int i = 0; i < PRIM_OPTION_COUNT; i++) {
        buffer_free(&words[i]);
    }
}

gf_status prim_print_help(const struct cli_command *prim, const struct prim_options *options)
{
    struct buffer text = {0};
    (void)gf_vendor_load(NULL, NULL);
    if (options->text[PRIM_HELP]) {
        add_usage(prim, options->primitive, &text);
        buffer_add(&text, options->primitive ? "\n" : "");
    }
    if (options->primitive || !options->text[PRIM_HELP]) {
        prim_report_list(options->primitive, &text);
    }
    gf_status status = buffer_to_stdout(&text);
    buffer_free(&text);
    return status;
}
