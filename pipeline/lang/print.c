/* The canonical text of a pipeline, which parses to the same pipeline, and its JSON: parameters that
 * are not at their default, in the order of the table, then the shared ones. */
#include "base/text.h"
#include "lang/lexer.h"
#include "lang/pipeline.h"
#include "param/params.h"

#include <string.h>

/* A text value: bare, or in single quotes, or, where it has one or a newline, in double quotes. */
static void print_quoted(const char *value, struct gf_text *out)
{
    size_t n = strlen(value);
    if (gf_is_bare(value, n)) {
        gf_text_bytes(out, value, n);
        return;
    }
    if (!strpbrk(value, "'\n")) {
        gf_text_append(out, "'%s'", value);
        return;
    }
    gf_text_string(out, "\"");
    for (const char *c = value; *c; c++) {
        if (*c == '\n') {
            gf_text_string(out, "\\n");
        } else {
            gf_text_string(out, *c == '"' || *c == '\\' ? "\\" : "");
            gf_text_bytes(out, c, 1);
        }
    }
    gf_text_string(out, "\"");
}

static void print_text(const struct gf_stage_node *node, struct gf_text *out)
{
    const gf_param *row;
    gf_text_string(out, node->type->name);
    for (int32_t i = 0; (row = gf_stage_param(node->type, i)) != NULL; i++) {
        if (gf_param_is_default(row, node)) {
            continue;
        }
        const char *file = gf_param_file(row, node);
        gf_text_append(out, ":%s=%s", row->name, file ? "@" : "");
        if (file) {
            print_quoted(file, out);
        } else if (row->type == GF_PARAM_TEXT) {
            char value[GF_PARAM_TEXT_SIZE];
            struct gf_text plain = gf_text_begin(value, sizeof value);
            gf_param_write(row, node, &plain);
            print_quoted(value, out);
        } else { /* made of bare characters only, or in brackets */
            gf_param_write(row, node, out);
        }
    }
}

static void print_json(const struct gf_stage_node *node, struct gf_text *out)
{
    const gf_param *row;
    gf_text_append(out, "{\"op\":\"%s\"", node->type->name);
    for (int32_t i = 0; (row = gf_stage_param(node->type, i)) != NULL; i++) {
        if (!gf_param_is_default(row, node)) {
            gf_text_append(out, ",\"%s\":", row->name);
            gf_param_write_json(row, node, out);
        }
    }
    gf_text_string(out, "}");
}

gf_status gf_print(const void *object, const char *what, gf_printer *print, gf_print_format last,
                   gf_print_format format, char *buffer, size_t capacity, size_t *length, gf_error *error)
{
    if (!object || (!buffer && capacity > 0)) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "%s is NULL", object ? "the buffer" : what);
    }
    if ((int)format < 0 || (int)format > (int)last) {
        return gf_fail(error, GF_ERROR_ARGUMENT,
                       "print format %d is unknown here: must be text (0)%s json (1)%s%s", (int)format,
                       last > GF_PRINT_JSON ? "," : " or",
                       last == GF_PRINT_BRIEF  ? " or brief (2)"
                       : last > GF_PRINT_BRIEF ? ", brief (2)"
                                               : "",
                       last == GF_PRINT_CSV ? " or csv (3)" : "");
    }
    struct gf_text text = gf_text_begin(buffer, capacity);
    print(object, format, &text);
    if (length) {
        *length = text.length;
    }
    return GF_OK;
}

static void print_pipeline(const void *object, gf_print_format format, struct gf_text *out)
{
    const gf_pipeline *pipeline = object;
    const bool json = format == GF_PRINT_JSON;
    gf_text_string(out, json ? "{\"gpufilter\":1,\"stages\":[" : "");
    for (int32_t i = 0; i < pipeline->n; i++) {
        gf_text_string(out, i ? "," : "");
        (json ? print_json : print_text)(&pipeline->nodes[i], out);
    }
    gf_text_string(out, json ? "]}" : "");
}

gf_status gf_pipeline_print(const gf_pipeline *pipeline, gf_print_format format, char *buffer,
                            size_t capacity, size_t *length, gf_error *error)
{
    return gf_print(pipeline, "pipeline", print_pipeline, GF_PRINT_JSON, format, buffer, capacity, length,
                    error);
}
