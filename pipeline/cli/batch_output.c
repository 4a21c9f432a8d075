#define _GNU_SOURCE /* realpath, strdup */
#include "batch_output.h"

#include "message.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

gf_status batch_output_check(const struct batch_options *options)
{
    const char *output = options->output;
    gf_status status = output ? batch_output_check_template("-o", output) : GF_OK;
    if (status != GF_OK) {
        return status;
    }
    if (output && is_standard_output(output)) {
        return cli_fail(GF_ERROR_ARGUMENT,
                        "-o %s: the outputs of a batch go to files: a folder, or a template", output);
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
    return text_of(&made);
}

char *batch_output_of(const struct batch_options *options, const struct batch_input *input)
{
    struct buffer text = {0};
    const char *output = options->output;
    if (batch_output_is_template(output)) {
        add_template(&text, options, output, input);
    } else {
        struct parts parts = parts_of(input->below);
        buffer_printf(&text, "%s%s", output, output[strlen(output) - 1] == '/' ? "" : "/");
        if (options->job.format) {
            buffer_add_bytes(&text, input->below, (size_t)(parts.dot - input->below));
            buffer_printf(&text, ".%s", options->job.format);
        } else {
            buffer_add(&text, input->below);
        }
    }
    return text_of(&text);
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
    gf_status status = text ? GF_OK : cli_fail(GF_ERROR_MEMORY, "out of memory");
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

/* ---- which file a path is ---- */

void path_keys_free(struct path_keys *keys)
{
    free(keys->folder);
    free(keys->real);
    *keys = (struct path_keys){0};
}

/* An absolute path without "//" and "/./"; ".." stays, as it depends on what is there. In new memory. */
static char *plain(const char *path)
{
    struct buffer text = {0};
    char *here = *path == '/' ? NULL : realpath(".", NULL);
    buffer_add(&text, here ? here : "");
    free(here);
    for (const char *at = path; *at;) {
        at += strspn(at, "/");
        size_t length = strcspn(at, "/");
        if (length > 0 && !(length == 1 && *at == '.')) {
            buffer_add(&text, "/");
            buffer_add_bytes(&text, at, length);
        }
        at += length;
    }
    return text.failed ? NULL : text.data ? text.data : strdup("");
}

char *path_key(struct path_keys *keys, const char *path)
{
    struct parts parts = parts_of(path);
    struct buffer folder = {0}, key = {0};
    add_folder(&folder, path, parts.folder);
    if (folder.failed) {
        return NULL;
    }
    if (!keys->folder || strcmp(keys->folder, folder.data) != 0) {
        path_keys_free(keys);
        keys->folder = folder.data;
        keys->real = realpath(folder.data, NULL);
        keys->real = keys->real ? keys->real : plain(folder.data);
    } else {
        buffer_free(&folder);
    }
    if (!keys->real) {
        path_keys_free(keys);
        return NULL;
    }
    buffer_printf(&key, "%s/%s", strcmp(keys->real, "/") ? keys->real : "", parts.name);
    return key.failed ? NULL : key.data;
}

/* ---- collisions ---- */

struct collisions {
    const struct batch_options *options;
    const struct batch_list *list;
    struct path_keys in_keys, out_keys;
    struct name_table inputs;  /* by key: which input it is */
    struct name_table outputs; /* by key: which input it is of, times BATCH_MOST_FILES, and its number */
};

/* Adds the name to the table. *other: who has it already; -1: nobody. False: no memory. */
static bool enter(struct name_table *table, struct path_keys *keys, const char *path, int64_t index,
                  int64_t *other)
{
    char *key = path ? path_key(keys, path) : NULL;
    int64_t *entry = key ? name_table_add(table, key, index) : NULL;
    *other = entry && *entry != index ? *entry : -1;
    free(key);
    return entry != NULL;
}

static gf_status check_output(struct collisions *c, int64_t index, int number)
{
    const struct batch_input *input = &c->list->at[index];
    char *output = batch_output_file(c->options, number, input);
    int64_t other = -1;
    gf_status status = GF_OK;
    if (!enter(&c->outputs, &c->out_keys, output, index * BATCH_MOST_FILES + number, &other)) {
        status = cli_fail(GF_ERROR_MEMORY, "out of memory");
    } else if (other >= 0 && other / BATCH_MOST_FILES == index) {
        status = cli_fail(GF_ERROR_ARGUMENT, "two files that %s makes would both be %s", input->path, output);
    } else if (other >= 0) {
        status = cli_fail(GF_ERROR_ARGUMENT,
                          "%s and %s would both be written to %s\n"
                          "  a template keeps names apart, as -o 'out/{dir}/{stem}_{ext}.png'",
                          c->list->at[other / BATCH_MOST_FILES].path, input->path, output);
    } else {
        char *key = path_key(&c->out_keys, output);
        const int64_t *in = key ? name_table_find(&c->inputs, key) : NULL;
        if (in && (*in != index || number > 0)) {
            status = cli_fail(GF_ERROR_ARGUMENT, "%s of %s would replace %s, which is %s input",
                              number > 0 ? "the table or plot" : "the output", input->path,
                              c->list->at[*in].path, *in == index ? "that" : "another");
        }
        free(key);
    }
    free(output);
    return status;
}

gf_status batch_output_collide(const struct batch_options *options, const struct batch_list *list)
{
    struct collisions c = {.options = options, .list = list};
    gf_status status = GF_OK;
    int64_t other;
    for (int64_t i = 0; i < list->count && status == GF_OK; i++) {
        if (!list->at[i].why && !enter(&c.inputs, &c.in_keys, list->at[i].path, i, &other)) {
            status = cli_fail(GF_ERROR_MEMORY, "out of memory");
        }
    }
    for (int number = 0; number < BATCH_MOST_FILES && status == GF_OK; number++) {
        for (int64_t i = 0; batch_output_has(options, number) && i < list->count && status == GF_OK; i++) {
            status = list->at[i].why ? GF_OK : check_output(&c, i, number);
        }
    }
    name_table_free(&c.inputs);
    name_table_free(&c.outputs);
    path_keys_free(&c.in_keys);
    path_keys_free(&c.out_keys);
    return status;
}
