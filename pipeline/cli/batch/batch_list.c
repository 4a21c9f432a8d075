#define _GNU_SOURCE /* scandir's alphasort, strdup */
#include "batch/batch_list.h"

#include "base/message.h"
#include "base/readable_suffix.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* For --from: bytes in which a name must end; how many names its files may have, as they are held at once. */
enum { NAME_BYTES = 1 << 16, MOST_NAMES = 1 << 24 };

void batch_input_free(struct batch_input *input)
{
    free(input->path);
    free(input->why);
    *input = (struct batch_input){0};
}

void batch_list_free(struct batch_list *list)
{
    for (int64_t i = 0; i < list->count; i++) {
        batch_input_free(&list->at[i]);
    }
    free(list->at);
    buffer_free(&list->kinds);
    *list = (struct batch_list){0};
}

/* Takes the input over. */
static gf_status add(struct batch_list *list, struct batch_input input)
{
    if (list->count == list->capacity) {
        int64_t capacity = list->capacity ? 2 * list->capacity : 64;
        struct batch_input *at = realloc(list->at, (size_t)capacity * sizeof *at);
        if (!at) {
            batch_input_free(&input);
            return cli_need_memory(false);
        }
        list->at = at;
        list->capacity = capacity;
    }
    list->at[list->count++] = input;
    return GF_OK;
}

/* A path whose last bytes, from `below` on, are below a folder; `why` is copied. */
static gf_status make_input(const char *path, size_t below, const char *why, struct batch_input *input)
{
    *input = (struct batch_input){.path = strdup(path), .why = why ? strdup(why) : NULL};
    if (!input->path || (why && !input->why)) {
        batch_input_free(input);
        return cli_need_memory(false);
    }
    input->below = input->path + below;
    return GF_OK;
}

static gf_status add_path(struct batch_list *list, const char *path, size_t below, const char *why)
{
    struct batch_input input;
    gf_status status = make_input(path, below, why, &input);
    return status == GF_OK ? add(list, input) : status;
}

static size_t name_at(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* ---- folders ---- */

static bool is_wanted(const struct batch_options *options, const char *name)
{
    for (int i = 0; i < options->globs.count; i++) {
        if (fnmatch(options->globs.at[i], name, 0) == 0) {
            return true;
        }
    }
    return options->globs.count == 0 && readable_suffix_has(name);
}

/* Another suffix of files that are left out; if they are very many, only the first. */
static void note_kind(struct buffer *kinds, const char *name)
{
    const char *dot = strrchr(name, '.');
    char word[32];
    snprintf(word, sizeof word, " %.20s,", dot && dot[1] ? dot + 1 : "none");
    buffer_add(kinds, kinds->length < 120 && !(kinds->data && strstr(kinds->data, word)) ? word : "");
}

bool batch_list_wants(const struct batch_options *options, struct batch_list *list, const char *path)
{
    const char *name = path + name_at(path);
    const bool wanted = is_wanted(options, name);
    if (!wanted) {
        list->others++;
        note_kind(&list->kinds, name);
    }
    return wanted;
}

/* A folder, or what may be one, that cannot be looked at. */
static gf_status add_unread(struct batch_list *list, const char *folder, const char *what, int error)
{
    struct buffer why = {0};
    buffer_printf(&why, "%s: cannot %s: %s", folder, what, strerror(error));
    gf_status status = error == ENOMEM || why.failed ? cli_need_memory(false)
                                                     : add_path(list, folder, name_at(folder), why.data);
    buffer_free(&why);
    return status;
}

struct walk {
    const struct batch_options *options;
    struct batch_list *list;
    const struct stat *skip; /* a folder that is left out; NULL: none */
    size_t below;            /* where paths go on below the folder that was named */
};

static gf_status walk_folder(const struct walk *walk, const char *folder);

static gf_status take_entry(const struct walk *walk, const char *folder, const struct dirent *entry)
{
    const char *name = entry->d_name;
    struct stat status, link;
    struct buffer path = {0};
    buffer_printf(&path, "%s%s%s", folder, folder[strlen(folder) - 1] == '/' ? "" : "/", name);
    gf_status result = cli_need_memory(!path.failed);
    bool wanted = is_wanted(walk->options, name), there = result == GF_OK && stat(path.data, &status) == 0;
    int error = errno;
    bool may_be_folder =
        entry->d_type == DT_DIR || (entry->d_type == DT_UNKNOWN && error != ENOENT && !wanted);
    bool is_link = there && lstat(path.data, &link) == 0 && S_ISLNK(link.st_mode);
    if (result == GF_OK && !there && may_be_folder) {
        result = walk->options->recursive ? add_unread(walk->list, path.data, "look at it", error) : GF_OK;
    } else if (there && S_ISDIR(status.st_mode)) {
        bool skipped =
            walk->skip && status.st_dev == walk->skip->st_dev && status.st_ino == walk->skip->st_ino;
        result = walk->options->recursive && !is_link && !skipped ? walk_folder(walk, path.data) : GF_OK;
    } else if (result == GF_OK && (!there || S_ISREG(status.st_mode))) {
        result = batch_list_wants(walk->options, walk->list, name)
                     ? add_path(walk->list, path.data, walk->below, NULL)
                     : GF_OK;
    }
    buffer_free(&path);
    return result;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* Hidden files are nobody's pictures; our own temporary files are among them. */
static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static gf_status walk_folder(const struct walk *walk, const char *folder)
{
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, is_visible, by_name);
    if (count < 0) {
        return add_unread(walk->list, folder, "read the folder", errno);
    }
    gf_status status = GF_OK;
    for (int i = 0; i < count; i++) {
        status = status == GF_OK ? take_entry(walk, folder, entries[i]) : status;
        free(entries[i]);
    }
    free(entries);
    return status;
}

static gf_status take_word(const struct batch_options *options, const struct stat *skip,
                           struct batch_list *list, const char *word)
{
    struct stat status;
    bool there = stat(word, &status) == 0;
    if (!there && !readable_suffix_has(word)) { /* meant as a folder */
        return errno == ENOENT ? cli_fail(GF_ERROR_INPUT, "%s: no such file or folder", word)
                               : add_unread(list, word, "look at it", errno);
    }
    if (!there || !S_ISDIR(status.st_mode)) {
        return add_path(list, word, name_at(word), NULL);
    }
    size_t length = strlen(word);
    struct walk walk = {options, list, skip, length + (word[length - 1] != '/')};
    return walk_folder(&walk, word);
}

/* ---- names that a file lists ---- */

/* Returns where a listed name goes on below the outputs: all of it, unless it leads out of the folder. */
static size_t below_of(const char *path)
{
    bool climbs = path[0] == '/' || !strcmp(path, "..") || !strncmp(path, "../", 3) || strstr(path, "/../");
    size_t at = 0;
    while (!climbs && path[at] == '.' && path[at + 1] == '/') {
        at += 2 + strspn(path + at + 2, "/");
    }
    return climbs ? name_at(path) : at;
}

bool batch_list_next(const struct batch_options *options, struct text_stream *names, const char *file_name,
                     struct batch_input *input, gf_status *status)
{
    const int end = options->null ? '\0' : '\n';
    char line[NAME_BYTES + 1];
    size_t length = 0;
    int c = end;
    for (int read = 0; c != EOF && (c != end || length == 0); read++) {
        c = options->null ? getc_unlocked(names->file) : text_get(names);
        if (read == NAME_BYTES || (c == '\0' && !options->null)) {
            *status = cli_fail(GF_ERROR_INPUT, "--from %s: %s", file_name,
                               c == '\0' && !options->null
                                   ? "holds a byte 0: names that such bytes end need -0"
                                   : "no name ends within 64 KiB, so it is no list of names");
            return false;
        }
        line[length] = (char)c;
        length += c != EOF && c != end;
    }
    *status = GF_OK;
    if (ferror(names->file)) {
        *status = cli_fail(GF_ERROR_INPUT, "--from %s: %s", file_name, strerror(errno));
    } else if (length > 0) {
        const bool is_long = length > 4095;
        strcpy(line + (is_long ? 70 : length), is_long ? "..." : "");
        *status = make_input(line, below_of(line),
                             is_long ? "no file has a name of more than 4095 bytes" : NULL, input);
        return *status == GF_OK;
    }
    return false;
}

static gf_status take_names(const struct batch_options *options, struct batch_list *list, const char *name)
{
    struct text_stream names = {.file = fopen(name, "re")};
    if (!names.file) {
        return cli_fail(GF_ERROR_INPUT, "--from %s: %s", name, strerror(errno));
    }
    gf_status status = GF_OK;
    struct batch_input input;
    while (status == GF_OK && batch_list_next(options, &names, name, &input, &status)) {
        status = add(list, input);
        if (status == GF_OK && list->count > MOST_NAMES) {
            status = cli_fail(GF_ERROR_LIMIT, "--from %s: more than %d names", name, MOST_NAMES);
        }
    }
    fclose(names.file);
    return status;
}

gf_status batch_list_make(const struct batch_options *options, const char *skip, struct batch_list *list)
{
    struct stat outputs;
    bool has_outputs = skip && stat(skip, &outputs) == 0;
    gf_status status = GF_OK;
    for (int i = 0; i < options->n_inputs && status == GF_OK; i++) {
        status = take_word(options, has_outputs ? &outputs : NULL, list, options->inputs[i]);
    }
    for (int i = 0; i < options->from.count && status == GF_OK; i++) {
        if (strcmp(options->from.at[i], "-") != 0) {
            status = take_names(options, list, options->from.at[i]);
        }
    }
    return status;
}
