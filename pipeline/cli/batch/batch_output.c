#define _GNU_SOURCE /* realpath, strdup */
#include "batch/batch_output.h"

#include "base/message.h"
#include "base/output_file.h"
#include "gpufilter/signal_io.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- templates ---- */

static const struct mark {
    const char *text;
    enum { MARK_DIR, MARK_FOLDER, MARK_NAME, MARK_STEM, MARK_EXT } mark;
} marks[] = {{"{dir}", MARK_DIR},
             {"{folder}", MARK_FOLDER},
             {"{name}", MARK_NAME},
             {"{stem}", MARK_STEM},
             {"{ext}", MARK_EXT}};
enum { MARKS = sizeof marks / sizeof *marks };

bool batch_output_is_template(const char *output)
{
    return strchr(output, '{') != NULL;
}

/* The mark that begins there, or NULL. */
static const struct mark *mark_at(const char *text)
{
    for (int i = 0; i < MARKS; i++) {
        if (!strncmp(text, marks[i].text, strlen(marks[i].text))) {
            return &marks[i];
        }
    }
    return NULL;
}

gf_status batch_output_check_template(const char *option, const char *text)
{
    for (const char *at = text; (at = strchr(at, '{')); at++) {
        if (!mark_at(at)) {
            return cli_fail(
                GF_ERROR_ARGUMENT,
                "%s %s: no part of a name is called '%.*s'\n"
                "  {dir} is the folder below the one that was named, {folder} the input's own, {name} "
                "its name,\n  {stem} that without its suffix, {ext} the suffix, or that of --format",
                option, text, (int)(strcspn(at, "}") + 1), at);
        }
    }
    return GF_OK;
}

/* A path in its parts. */
struct parts {
    const char *name, *dot; /* dot: of the suffix, or the end */
    int folder;             /* bytes before the name, without the slash */
};

static struct parts parts_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    struct parts parts = {.name = slash ? slash + 1 : path, .folder = slash ? (int)(slash - path) : 0};
    const char *dot = strrchr(parts.name, '.');
    parts.dot = dot && dot > parts.name ? dot : parts.name + strlen(parts.name);
    return parts;
}

static void add_suffix(struct buffer *text, const struct batch_options *options, const struct parts *parts)
{
    const char *format = options->job.format;
    buffer_add(text, format ? format : *parts->dot ? parts->dot + 1 : "");
}

static void add_folder(struct buffer *text, const char *path, int length)
{
    buffer_printf(text, "%.*s", length ? length : 1, length ? path : *path == '/' ? "/" : ".");
}

static void add_mark(struct buffer *text, const struct batch_options *options,
                     const struct batch_input *input, int mark)
{
    struct parts whole = parts_of(input->path), below = parts_of(input->below);
    switch (mark) {
    case MARK_DIR:
        add_folder(text, input->below, below.folder);
        break;
    case MARK_FOLDER:
        add_folder(text, input->path, whole.folder);
        break;
    case MARK_STEM:
        buffer_add_bytes(text, whole.name, (size_t)(whole.dot - whole.name));
        break;
    case MARK_EXT:
        add_suffix(text, options, &whole);
        break;
    default:
        buffer_add(text, whole.name);
        break;
    }
}

static void add_template(struct buffer *text, const struct batch_options *options, const char *from,
                         const struct batch_input *input)
{
    for (const char *at = from; *at;) {
        const struct mark *mark = mark_at(at);
        if (mark) {
            at += strlen(mark->text);
            bool is_empty = mark->mark == MARK_DIR && !strchr(input->below, '/');
            if (is_empty && *at == '/') { /* "out/{dir}/x": there is none */
                at++;
            } else {
                add_mark(text, options, input, mark->mark);
            }
        } else {
            buffer_add_bytes(text, at++, 1);
        }
    }
}

/* Returns how many parts of the path are "..". */
static int climbs(const char *path)
{
    int count = 0;
    for (const char *at = path; *at; at += *at == '/') {
        size_t length = strcspn(at, "/");
        count += length == 2 && at[0] == '.' && at[1] == '.';
        at += length;
    }
    return count;
}

static char *text_of(struct buffer *text)
{
    if (text->failed) {
        buffer_free(text);
        return NULL;
    }
    return text->data;
}

char *batch_output_by(const struct batch_options *options, const char *text, const struct batch_input *input)
{
    struct buffer made = {0};
    add_template(&made, options, text, input);
    int allowed = climbs(text) + (strstr(text, "{folder}") ? climbs(input->path) : 0);
    if (made.length > 0 && climbs(made.data) > allowed) {
        made.data[0] = '\0';
    }
    return text_of(&made);
}

char *batch_output_of(const struct batch_options *options, const struct batch_input *input)
{
    struct buffer text = {0};
    const char *output = options->output;
    if (!options->tar && batch_output_is_template(output)) {
        return batch_output_by(options, output, input);
    }
    struct parts parts = parts_of(input->below);
    if (!options->tar) { /* in which names are those of members */
        buffer_printf(&text, "%s%s", output, output[strlen(output) - 1] == '/' ? "" : "/");
    }
    if (options->job.format) {
        buffer_add_bytes(&text, input->below, (size_t)(parts.dot - input->below));
        buffer_printf(&text, ".%s", options->job.format);
    } else {
        buffer_add(&text, input->below);
    }
    return text_of(&text);
}

gf_status batch_output_check(const struct batch_options *options)
{
    const char *output = options->output ? options->output : "{name}", *slash = strrchr(output, '/'),
               *why = NULL;
    const char *last = slash ? slash + 1 : output, *format = options->job.format;
    const struct batch_input any = {.path = "d/x.png", .below = "d/x.png"};
    const gf_format *found = NULL;
    const gf_signal_format *of_signal = NULL;
    struct stat is;
    gf_status status = batch_output_check_template("-o", output);
    char *made = batch_output_by(options, output, &any);
    if (is_standard_output(output)) {
        why = "the outputs of a batch go to files: a folder, or a template";
    } else if (batch_output_is_template(output)) {
        bool is_folder = !*last || !strcmp(last, "{dir}") || !strcmp(last, "{folder}");
        why = is_folder ? "names a folder, not a file in it, as {name} at the end does" : NULL;
        if (!why && made && gf_io_format_for(made, format, &found, NULL) != GF_OK &&
            gf_signal_io_format_for(made, format, &of_signal, NULL) != GF_OK) {
            why = "no suffix tells the format, as .{ext} at the end does, or --format png";
        }
    } else if (stat(output, &is) == 0) {
        why = S_ISDIR(is.st_mode) ? NULL : "is a file; the outputs of a batch go to a folder, or a template";
    } else if (*last && gf_io_format_for(output, NULL, &found, NULL) == GF_OK) {
        why = "is the name of a picture; that of a folder to be made ends with '/'";
    }
    free(made);
    return status == GF_OK && why ? cli_fail(GF_ERROR_ARGUMENT, "-o %s: %s", output, why) : status;
}

bool batch_output_has(const struct batch_options *options, int number)
{
    const struct job_options *job = &options->job;
    return number == 0 ? options->output != NULL
                       : number <= job->n_tables && batch_output_is_template(job->tables[number - 1].path);
}

char *batch_output_file(const struct batch_options *options, int number, const struct batch_input *input)
{
    return number == 0 ? batch_output_of(options, input)
                       : batch_output_by(options, options->job.tables[number - 1].path, input);
}

gf_status batch_output_folders(const char *path)
{
    char *text = strdup(path);
    gf_status status = cli_need_memory(text);
    char *name = text ? strrchr(text, '/') : NULL;
    struct stat is;
    if (name && name > text) {
        *name = '\0';
        bool there = stat(text, &is) == 0;
        for (char *at = text + 1; !there && status == GF_OK && at; at = *at ? at + 1 : NULL) {
            at += strcspn(at, "/");
            char was = *at;
            *at = '\0';
            if (mkdir(text, 0777) != 0 && errno != EEXIST && errno != EISDIR) {
                cli_fail_system(errno);
                status = cli_fail(GF_ERROR_OUTPUT, "%s: cannot make the folder %s: %s", path, text,
                                  strerror(errno));
            }
            *at = was;
        }
    }
    free(text);
    return status;
}
