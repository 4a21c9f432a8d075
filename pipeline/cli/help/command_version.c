/* gpufilter version */
#include "help/commands.h"

#include "gpufilter/array.h"
#include "gpufilter/device.h"
#include "gpufilter/io.h"

#include <string.h>

/* Tells whether there is CUDA, and not its emulator instead. */
static bool has_cuda(void)
{
    return gf_has_cuda() && !strcmp(gf_device_kind(0), "cuda");
}

static void add_json(struct buffer *text)
{
    buffer_printf(text, "{\"version\":\"%s\",\"cuda\":%s,\"formats\":[", gf_version(),
                  has_cuda() ? "true" : "false");
    const gf_format *format;
    for (size_t i = 0; (format = gf_io_format(i)); i++) {
        buffer_printf(text, "%s{\"name\":\"%s\",\"reads\":%s,\"writes\":%s,\"depths\":[", i ? "," : "",
                      format->name, format->reads ? "true" : "false", format->writes ? "true" : "false");
        bool first = true;
        for (int depth = 0; depth <= GF_F64; depth++) {
            if (format->depths >> depth & 1) {
                buffer_printf(text, "%s\"%s\"", first ? "" : ",", gf_depth_name((gf_depth)depth));
                first = false;
            }
        }
        buffer_add(text, "]}");
    }
    buffer_add(text, "]}\n");
}

static void add_text(struct buffer *text)
{
    buffer_printf(text, "gpufilter %s\nCUDA      %s\n", gf_version(),
                  has_cuda()      ? "available"
                  : gf_has_cuda() ? "emulated on the CPU, for tests"
                                  : gf_cuda_missing());
    if (!gf_primitive_at(0)) {
        buffer_add(text, "arrays    not built in: GPUFILTER_ARRAYS is OFF\n");
    }
    const gf_format *format;
    for (size_t i = 0; (format = gf_io_format(i)); i++) {
        buffer_printf(text, "%-9s %s: %s\n", i ? "" : "formats", format->name,
                      format->writes  ? "reads and writes"
                      : format->reads ? "reads"
                                      : "not built in");
    }
}

int run_version(const struct cli_command *command, int count, char **words)
{
    bool json = false;
    int code = 0, files = read_simple(command, count, words, 0, NULL, &json, &code);
    if (files < 0) {
        return code;
    }
    struct buffer text = {0};
    if (json) {
        add_json(&text);
    } else {
        add_text(&text);
    }
    gf_status status = buffer_to_stdout(&text);
    buffer_free(&text);
    return gf_status_exit_code(status);
}
