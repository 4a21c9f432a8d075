#define _POSIX_C_SOURCE 200809L
#include "base/output_file.h"

#include "base/message.h"
#include "job/signals.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static gf_status fail_errno(const char *path, const char *what)
{
    return cli_fail(GF_ERROR_OUTPUT, "%s: %s: %s", path, what, strerror(errno));
}

/* Bytes of the path up to and with its last slash. */
static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

bool is_standard_output(const char *path)
{
    static const char *const names[] = {"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"};
    for (size_t i = 0; path && i < sizeof names / sizeof *names; i++) {
        if (!strcmp(path, names[i])) {
            return true;
        }
    }
    return false;
}

gf_status output_check(const char *path)
{
    struct stat status;
    if (is_standard_output(path)) {
        return GF_OK;
    }
    if (stat(path, &status) == 0) {
        if (S_ISDIR(status.st_mode)) {
            return cli_fail(GF_ERROR_OUTPUT, "%s: is a folder, not a file", path);
        }
        return access(path, W_OK) == 0 ? GF_OK : fail_errno(path, "cannot write");
    }
    if (lstat(path, &status) == 0) {
        return GF_OK; /* a link to nothing yet: where it leads is seen when it is written */
    }
    char folder[4096];
    int length = (int)folder_length(path);
    snprintf(folder, sizeof folder, "%.*s", length ? length : 1, length ? path : ".");
    return access(folder, W_OK | X_OK) == 0 ? GF_OK : fail_errno(path, "cannot create it in its folder");
}

/* ---- which file a path is ---- */

enum { MOST_LINKS = 40 };

/* What writing a path would make or replace: a file there is, or a name in a folder. */
struct identity {
    bool known; /* else it is a device or the like, or cannot be */
    dev_t device;
    ino_t inode;      /* of the file, or of the folder */
    const char *name; /* in the folder; "": the file exists */
    char path[OUTPUT_LONGEST_PATH];
};

/* Replaces the path of a link by where it leads. Returns whether it was one that can be followed. */
static bool follow_link(char path[OUTPUT_LONGEST_PATH])
{
    char text[OUTPUT_LONGEST_PATH];
    ssize_t length = readlink(path, text, sizeof text);
    size_t folder = length > 0 && text[0] == '/' ? 0 : folder_length(path);
    if (length <= 0 || folder + (size_t)length >= OUTPUT_LONGEST_PATH) {
        return false;
    }
    memcpy(path + folder, text, (size_t)length);
    path[folder + (size_t)length] = '\0';
    return true;
}

void output_follow_links(char path[OUTPUT_LONGEST_PATH])
{
    for (int links = 0; links < MOST_LINKS && follow_link(path); links++) {
    }
}

static void identify(const struct run_file *file, struct identity *is)
{
    const char *standard = file->written ? "/dev/stdout" : "/dev/stdin";
    const char *path = strcmp(file->path, "-") ? file->path : standard;
    struct stat status = {0};
    *is = (struct identity){.name = ""};
    if (strlen(path) >= OUTPUT_LONGEST_PATH) {
        return;
    }
    strcpy(is->path, path);
    if (stat(path, &status) == 0) {
        is->known = S_ISREG(status.st_mode) || S_ISFIFO(status.st_mode);
    } else {
        output_follow_links(is->path);
        size_t length = folder_length(is->path);
        char *name = is->path + length;
        char folder[OUTPUT_LONGEST_PATH];
        snprintf(folder, sizeof folder, "%.*s", length ? (int)length : 1, length ? is->path : ".");
        is->known = *name && stat(folder, &status) == 0;
        is->name = name;
    }
    is->device = status.st_dev;
    is->inode = status.st_ino;
}

static gf_status check_pair(const struct run_file *a, const struct run_file *b)
{
    struct identity one, two;
    identify(a, &one);
    identify(b, &two);
    if (!one.known || !two.known || one.device != two.device || one.inode != two.inode ||
        strcmp(one.name, two.name) != 0) {
        return GF_OK;
    }
    if (!strcmp(a->path, b->path)) {
        return cli_fail(GF_ERROR_ARGUMENT, "%s and %s are both %s", a->role, b->role, a->path);
    }
    return cli_fail(GF_ERROR_ARGUMENT, "%s and %s are one file: %s is %s", a->role, b->role, a->path,
                    b->path);
}

gf_status output_check_distinct(const struct run_file *files, int count, bool in_place)
{
    for (int i = 0; i < count; i++) {
        for (int k = i + 1; k < count; k++) {
            bool meet = files[i].path && files[k].path && (files[i].written || files[k].written) &&
                        !(in_place && i == 0 && k == 1);
            CLI_TRY(meet ? check_pair(&files[i], &files[k]) : GF_OK);
        }
    }
    return GF_OK;
}

/* ---- texts ---- */

void output_add_name(struct buffer *text, const char *path)
{
    unsigned code;
    for (size_t n; *path; path += n) {
        n = text_character(path, &code);
        buffer_add_bytes(text, code < TEXT_HIDDEN ? path : "?", code < TEXT_HIDDEN ? n : 1);
    }
}

gf_status output_write_text(const char *path, const struct buffer *text)
{
    if (is_standard_output(path)) {
        return buffer_to_stdout(text);
    }
    CLI_TRY(cli_need_memory(!text->failed));
    gf_error error = GF_ERROR_INIT;
    gf_write_options options = GF_WRITE_OPTIONS_INIT;
    signals_watch(&options);
    return cli_told(gf_io_write_bytes(path, text->data, text->length, &options, &error), &error);
}
