/* gpufilter devices */
#include "help/commands.h"

#include "base/argument_value.h"
#include "base/message.h"

#include <inttypes.h>

static void add_text(struct buffer *text, const gf_device_description *d)
{
    char word[24];
    device_word(d->device, word);
    buffer_printf(text, "%-9s %s", word, d->name);
    if (d->units > 0) {
        buffer_printf(text, ", %d %s", d->units, d->device < 0 ? "cores" : "multiprocessors");
    }
    if (d->compute_major > 0) {
        buffer_printf(text, ", compute %d.%d", d->compute_major, d->compute_minor);
    }
    if (d->memory > 0) {
        buffer_printf(text, ", %.1f GiB", (double)d->memory / (1 << 30));
    }
    if (d->memory > 0 && d->memory_free > 0) {
        buffer_printf(text, " (%.1f free)", (double)d->memory_free / (1 << 30));
    }
    buffer_add(text, "\n");
}

static void add_json(struct buffer *text, const gf_device_description *d)
{
    char word[24];
    device_word(d->device, word);
    buffer_printf(text, "%s{\"device\":\"%s\",\"name\":", d->device < 0 ? "" : ",", word);
    buffer_json_text(text, d->name);
    buffer_printf(text,
                  ",\"units\":%d,\"compute\":[%d,%d],\"memory\":%" PRIu64 ",\"memory_free\":%" PRIu64 "}",
                  d->units, d->compute_major, d->compute_minor, d->memory, d->memory_free);
}

/* Describes all devices; *why tells what ended the list. */
static gf_status add_devices(gf_context *context, bool json, struct buffer *text, gf_error *why)
{
    for (int32_t i = 0;; i++) {
        gf_device_description d = {.struct_size = sizeof d};
        gf_status status = gf_device_describe(context, i, 1, &d, why);
        if (status == GF_ERROR_DEVICE && i > 0) {
            if (i == 1 && !json) {
                buffer_printf(text, "%-9s none: %s\n", gf_device_kind(0), why->message);
            }
            return GF_OK;
        }
        CLI_TRY(cli_told(status, why));
        if (json) {
            add_json(text, &d);
        } else {
            add_text(text, &d);
        }
    }
}

int run_devices(const struct cli_command *command, int count, char **words)
{
    bool json = false;
    int code = 0, files = read_simple(command, count, words, 0, NULL, &json, &code);
    if (files < 0) {
        return code;
    }
    gf_error error = GF_ERROR_INIT;
    gf_context *context = NULL;
    gf_status status = gf_context_create(NULL, &context, &error);
    if (status != GF_OK) {
        return gf_status_exit_code(cli_fail_error(status, &error));
    }
    struct buffer text = {0};
    buffer_add(&text, json ? "{\"devices\":[" : "");
    status = add_devices(context, json, &text, &error);
    buffer_add(&text, json ? "]}\n" : "");
    if (status == GF_OK) {
        status = buffer_to_stdout(&text);
    }
    buffer_free(&text);
    gf_context_destroy(&context);
    return gf_status_exit_code(status);
}
