#define _POSIX_C_SOURCE 200809L /* strndup */
#include "batch/batch_ledger.h"

#include "base/message.h"
#include "batch/batch_output.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PER_INPUT = 1 + BATCH_MOST_FILES };

void batch_ledger_free(struct batch_ledger *ledger)
{
    name_table_free(&ledger->places);
    for (int i = 0; i < 2; i++) {
        free(ledger->folders[i].path);
        buffer_free(&ledger->folders[i].place);
    }
    buffer_free(&ledger->key);
    free(ledger->files);
    *ledger = (struct batch_ledger){0};
}

/* ---- places ---- */

static const char *key_of_file(struct buffer *key, const struct stat *is)
{
    key->length = 0;
    buffer_printf(key, "%llx:%llx", (unsigned long long)is->st_dev, (unsigned long long)is->st_ino);
    return key->data;
}

/* The last folder on the way that is there, and behind it what is not, as mkdir would make it. */
static void look_at_folder(const char *folder, struct buffer *key)
{
    struct buffer text = {0};
    struct stat is;
    size_t there = 0, length = 0;
    buffer_add(&text, *folder == '/' ? "/" : "./");
    for (const char *at = folder; !text.failed; at += length) {
        if (stat(text.data, &is) == 0) {
            there = text.length;
            key_of_file(key, &is);
        }
        at += strspn(at, "/");
        length = strcspn(at, "/");
        if (length == 0) {
            break;
        } else if (there < text.length && length == 2 && !strncmp(at, "..", 2)) {
            text.length -= strlen(strrchr(text.data, '/'));
            text.data[text.length] = '\0';
        } else if (length > 1 || *at != '.') {
            buffer_printf(&text, "/%.*s", (int)length, at);
        }
    }
    buffer_add(key, text.data && !text.failed ? text.data + there : "");
    key->failed |= text.failed;
    buffer_free(&text);
}

/* NULL: no memory. Valid until the next one. */
static const char *key_of(struct batch_ledger *ledger, const char *path, bool is_made)
{
    struct ledger_folder *last = &ledger->folders[is_made];
    const char *slash = strrchr(path, '/'), *folder = slash ? path : ".";
    size_t length = slash > path ? (size_t)(slash - path) : 1;
    if (!last->path || strncmp(last->path, folder, length) != 0 || last->path[length]) {
        free(last->path);
        last->path = strndup(folder, length);
        if (!last->path) {
            return NULL;
        }
        look_at_folder(last->path, &last->place);
    }
    ledger->key.failed |= last->place.failed;
    ledger->key.length = 0;
    buffer_printf(&ledger->key, "%s/%s", last->place.data, slash ? slash + 1 : path);
    return ledger->key.failed ? NULL : ledger->key.data;
}

/* The same of where a link leads. *name: what the name itself is, zero where it is not there. */
static const char *place_of(struct batch_ledger *ledger, const char *path, bool is_made, struct stat *name)
{
    char target[OUTPUT_LONGEST_PATH];
    *name = (struct stat){0};
    if (lstat(path, name) == 0 && S_ISLNK(name->st_mode)) {
        strcpy(target, path); /* the system takes no longer one */
        output_follow_links(target);
        path = target;
    }
    return key_of(ledger, path, is_made);
}

/* Returns whose the place is: `who`, unless there is somebody else; 0: no memory. */
static int64_t enter(struct batch_ledger *ledger, const char *key, int64_t who)
{
    const int64_t *entry = key ? name_table_add(&ledger->places, key, who) : NULL;
    return entry ? *entry : 0;
}

/* ---- files ---- */

gf_status batch_ledger_begin(struct batch_ledger *ledger, struct run_file *files, int count)
{
    struct stat is;
    ledger->files = files;
    for (int i = 0; i < count; i++) {
        const char *path = files[i].path;
        bool is_standard = path && !strcmp(path, "-"), written = files[i].written;
        if (!path || (is_standard && written)) {
            continue;
        }
        if (!enter(ledger, place_of(ledger, is_standard ? "/dev/stdin" : path, false, &is), -1 - i) ||
            (written && stat(path, &is) == 0 && S_ISREG(is.st_mode) &&
             !enter(ledger, key_of_file(&ledger->key, &is), -1 - i))) {
            return cli_need_memory(false);
        }
    }
    return GF_OK;
}

/* An input, or a file that it makes. */
struct entry {
    const struct batch_list *list; /* NULL: names are not kept */
    const struct batch_input *input;
    int64_t index;
    int number; /* of the file */
};

static const char *what_made(int64_t number)
{
    return number > 0 ? "the table or plot" : "the output";
}

static gf_status add_input(struct batch_ledger *ledger, const struct entry *entry)
{
    struct stat is;
    const char *path = entry->input->path;
    int64_t who = enter(ledger, place_of(ledger, path, false, &is), 1 + entry->index * PER_INPUT);
    int64_t number = (who - 1) % PER_INPUT - 1;
    if (who > 0 && number >= 0 && entry->list) {
        return cli_fail(GF_ERROR_ARGUMENT, "%s of %s would replace %s, which is another input",
                        what_made(number), entry->list->at[(who - 1) / PER_INPUT].path, path);
    }
    if (who > 0 && (!S_ISLNK(is.st_mode) || stat(path, &is) == 0)) {
        const char *key = key_of_file(&ledger->key, &is);
        const int64_t *same = key ? name_table_find(&ledger->places, key) : NULL;
        who = same ? *same : who;
    }
    if (who < 0 && ledger->files[-1 - who].written) {
        return cli_fail(GF_ERROR_ARGUMENT, "%s %s would replace %s, which is an input",
                        ledger->files[-1 - who].role, ledger->files[-1 - who].path, path);
    }
    return cli_need_memory(who);
}

/* Says what has its place already. */
static gf_status refuse(const struct batch_ledger *ledger, const struct entry *entry, const char *path,
                        int64_t who)
{
    const char *what = what_made(entry->number), *input = entry->input->path;
    int64_t index = (who - 1) / PER_INPUT;
    bool is_own = index == entry->index;
    const char *other = entry->list && who > 0 ? entry->list->at[index].path : path;
    if (who < 0) {
        return cli_fail(GF_ERROR_ARGUMENT, "%s of %s and %s are one file: %s", what, input,
                        ledger->files[-1 - who].role, path);
    } else if ((who - 1) % PER_INPUT == 0) {
        return cli_fail(GF_ERROR_ARGUMENT, "%s of %s would replace %s, which is %s input%s", what, input,
                        other, is_own ? "that" : "another",
                        is_own && entry->number == 0 ? ", by a link" : "");
    } else if (is_own) {
        return cli_fail(GF_ERROR_ARGUMENT, "two files that %s makes would both be %s", input, path);
    } else if (!entry->list) {
        return cli_fail(GF_ERROR_ARGUMENT, "%s: another input has been given this output", path);
    }
    return cli_fail(GF_ERROR_ARGUMENT,
                    "%s and %s would both be written to %s\n"
                    "  a template keeps names apart, as -o 'out/{dir}/{stem}_{ext}.png'",
                    other, input, path);
}

static gf_status add_made(struct batch_ledger *ledger, const struct entry *entry, const char *path)
{
    struct stat is, in;
    int64_t own = 1 + entry->index * PER_INPUT, mine = own + 1 + entry->number;
    if (!*path) {
        return cli_fail(GF_ERROR_ARGUMENT, "%s: its name would make '..' of a part of a template",
                        entry->input->path);
    }
    CLI_TRY(ledger->makes_folders ? batch_output_folders(path) : GF_OK);
    int64_t who = enter(ledger, place_of(ledger, path, true, &is), mine);
    bool in_place = who == own && entry->number == 0 && lstat(entry->input->path, &in) == 0 &&
                    in.st_dev == is.st_dev && in.st_ino == is.st_ino;
    return who == mine || in_place ? GF_OK : who ? refuse(ledger, entry, path, who) : cli_need_memory(false);
}

gf_status batch_ledger_take(struct batch_ledger *ledger, const struct batch_options *options,
                            const struct batch_list *list, const struct batch_input *input, int64_t index)
{
    struct entry entry = {list, input, list ? index : index + (INT64_C(1) << 40), 0};
    gf_status status = input->why ? GF_OK : add_input(ledger, &entry);
    for (; !input->why && entry.number < BATCH_MOST_FILES && status == GF_OK; entry.number++) {
        if (batch_output_has(options, entry.number)) {
            char *path = batch_output_file(options, entry.number, input);
            status = path ? add_made(ledger, &entry, path) : cli_need_memory(false);
            free(path);
        }
    }
    return status;
}
