#define _GNU_SOURCE /* realpath, strdup */
#include "batch_ledger.h"

#include "batch_output.h"
#include "message.h"
#include "name_table.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PER_INPUT = 1 + BATCH_MOST_FILES };

static gf_status no_memory(void)
{
    return cli_fail(GF_ERROR_MEMORY, "out of memory");
}

void batch_ledger_free(struct batch_ledger *ledger)
{
    free(ledger->files);
    free(ledger->at);
    free(ledger->folder);
    *ledger = (struct batch_ledger){0};
}

/* ---- the table ---- */

static struct ledger_entry *entry_of(const struct batch_ledger *ledger, struct ledger_key key)
{
    size_t mask = ledger->capacity - 1;
    size_t at = (size_t)name_hash(key.rest, &key.inode, sizeof key.inode) & mask;
    while (ledger->at[at].who != 0 &&
           (ledger->at[at].key.inode != key.inode || ledger->at[at].key.rest != key.rest)) {
        at = (at + 1) & mask;
    }
    return &ledger->at[at];
}

static bool grow(struct batch_ledger *ledger)
{
    struct batch_ledger larger = *ledger;
    larger.capacity = ledger->capacity ? 2 * ledger->capacity : 64;
    larger.at = calloc(larger.capacity, sizeof *larger.at);
    for (size_t i = 0; larger.at && i < ledger->capacity; i++) {
        if (ledger->at[i].who != 0) {
            *entry_of(&larger, ledger->at[i].key) = ledger->at[i];
        }
    }
    if (larger.at) {
        free(ledger->at);
        *ledger = larger;
    }
    return larger.at != NULL;
}

/* Who has the place: `who`, unless there is somebody else; 0: no memory. */
static int64_t enter(struct batch_ledger *ledger, struct ledger_key key, int64_t who)
{
    if (8 * ledger->count >= 7 * ledger->capacity && !grow(ledger)) {
        return 0;
    }
    struct ledger_entry *entry = entry_of(ledger, key);
    if (entry->who == 0) {
        *entry = (struct ledger_entry){key, who};
        ledger->count++;
    }
    return entry->who;
}

/* ---- places ---- */

struct place {
    struct ledger_key key, named, file; /* links followed; not followed; of the file that is there */
    bool is_regular;
    char target[OUTPUT_LONGEST_PATH]; /* of a link; "" */
};

/* The path without links, "." and "..", also where it is not there, as mkdir would make it. In new memory. */
static char *real_path(const char *path)
{
    struct buffer real = {0};
    char *there = *path == '/' ? NULL : realpath(".", NULL);
    buffer_add(&real, there && there[1] ? there : "");
    for (const char *at = path; *at && !real.failed;) {
        at += strspn(at, "/");
        size_t length = strcspn(at, "/");
        if (length == 2 && at[0] == '.' && at[1] == '.') {
            real.length -= real.length ? strlen(strrchr(real.data, '/')) : 0;
            real.data[real.length] = '\0';
        } else if (length > 0 && !(length == 1 && *at == '.')) {
            buffer_printf(&real, "/%.*s", (int)length, at);
            free(there);
            there = real.failed ? NULL : realpath(real.data, NULL);
            real.length = there ? 0 : real.length;
            buffer_add(&real, there && there[1] ? there : "");
        }
        at += length;
    }
    free(there);
    if (real.failed) {
        buffer_free(&real);
    }
    return real.data;
}

/* Of the last folder on the path that is there, with what is not there yet behind it. */
static bool look_at_folder(struct batch_ledger *ledger, const char *folder)
{
    struct stat is = {0};
    char *real = stat(folder, &is) == 0 ? strdup("") : real_path(folder);
    char *rest = real ? real + strlen(real) : NULL;
    for (bool there = rest == real; !there;) {
        char was = *rest;
        *rest = '\0';
        there = stat(rest > real ? real : "/", &is) == 0 || rest == real;
        *rest = was;
        while (!there && *--rest != '/') {
        }
    }
    if (real) {
        uint64_t device = is.st_dev, hash = name_hash(NAME_HASH_START, &device, sizeof device);
        ledger->of_folder = (struct ledger_key){is.st_ino, name_hash(hash, rest, strlen(rest))};
    }
    free(real);
    return real != NULL;
}

static bool key_of(struct batch_ledger *ledger, const char *path, struct ledger_key *key)
{
    const char *slash = strrchr(path, '/'), *folder = slash ? path : ".", *name = slash ? slash + 1 : path;
    size_t length = slash > path ? (size_t)(slash - path) : 1;
    if (!ledger->folder || strncmp(ledger->folder, folder, length) != 0 || ledger->folder[length]) {
        free(ledger->folder);
        ledger->folder = strndup(folder, length);
        if (!ledger->folder || !look_at_folder(ledger, ledger->folder)) {
            free(ledger->folder);
            ledger->folder = NULL;
            return false;
        }
    }
    *key = ledger->of_folder;
    key->rest = name_hash(name_hash(key->rest, "/", 1), name, strlen(name));
    return true;
}

static bool place_of(struct batch_ledger *ledger, const char *path, struct place *place)
{
    struct stat is = {0};
    bool there = lstat(path, &is) == 0;
    bool known = key_of(ledger, path, &place->named);
    place->key = place->named;
    place->target[0] = '\0';
    if (known && there && S_ISLNK(is.st_mode)) {
        strcpy(place->target, path); /* the system would not take a longer one */
        output_follow_links(place->target);
        there = stat(path, &is) == 0;
        known = key_of(ledger, place->target, &place->key);
    }
    uint64_t device = is.st_dev;
    place->is_regular = there && S_ISREG(is.st_mode);
    place->file = (struct ledger_key){is.st_ino, name_hash(NAME_HASH_START, &device, sizeof device)};
    return known;
}

/* ---- the batch as a whole ---- */

gf_status batch_ledger_begin(struct batch_ledger *ledger, struct run_file *files, int count)
{
    ledger->files = files;
    for (int i = 0; i < count; i++) {
        bool is_standard = files[i].path && !strcmp(files[i].path, "-");
        struct place place;
        if (!files[i].path || (is_standard && files[i].written)) {
            continue;
        }
        bool known = place_of(ledger, is_standard ? "/dev/stdin" : files[i].path, &place) &&
                     enter(ledger, place.key, -1 - i) != 0;
        if (known && files[i].written && place.is_regular) {
            known = enter(ledger, place.file, -1 - i) != 0;
        }
        if (!known) {
            return no_memory();
        }
    }
    return GF_OK;
}

/* ---- pictures ---- */

static gf_status add_input(struct batch_ledger *ledger, const char *path, int64_t index)
{
    struct place place;
    if (!place_of(ledger, path, &place)) {
        return no_memory();
    }
    int64_t who = enter(ledger, place.key, 1 + index * PER_INPUT);
    int64_t same = who ? entry_of(ledger, place.file)->who : 0;
    const struct run_file *file = who < 0    ? &ledger->files[-1 - who]
                                  : same < 0 ? &ledger->files[-1 - same]
                                             : NULL;
    if (file && file->written) {
        return cli_fail(GF_ERROR_ARGUMENT, "%s %s would replace %s, which is an input", file->role,
                        file->path, path);
    }
    return who ? GF_OK : no_memory();
}

/* A file that an input makes. */
struct made {
    const struct batch_list *list; /* NULL: names are not kept */
    const struct batch_input *input;
    int64_t index;
    int number;
    const char *path;
    struct place place;
};

/* What has its place already is said. */
static gf_status refuse(const struct batch_ledger *ledger, const struct made *made, int64_t who)
{
    const char *what = made->number > 0 ? "the table or plot" : "the output", *target = made->place.target;
    const char *link = *target ? ", a link to " : "";
    int64_t index = (who - 1) / PER_INPUT, kind = (who - 1) % PER_INPUT;
    const char *input = made->input->path, *path = made->path;
    if (who < 0) {
        return cli_fail(GF_ERROR_ARGUMENT, "%s of %s and %s are one file: %s%s%s", what, input,
                        ledger->files[-1 - who].role, path, link, target);
    }
    if (kind == 0 && index == made->index && made->number == 0) {
        return cli_fail(GF_ERROR_ARGUMENT,
                        "the output of %s is %s%s%s, which would replace the input through a "
                        "link\n  -o with the input's own folder replaces inputs",
                        input, path, link, target);
    }
    if (kind == 0) {
        return cli_fail(GF_ERROR_ARGUMENT, "%s of %s would replace %s, which is %s input", what, input,
                        made->list ? made->list->at[index].path : path,
                        index == made->index ? "that" : "another");
    }
    if (index == made->index) {
        return cli_fail(GF_ERROR_ARGUMENT, "two files that %s makes would both be %s%s%s", input, path, link,
                        target);
    }
    if (!made->list) {
        return cli_fail(GF_ERROR_ARGUMENT, "%s: another input has been given this output", path);
    }
    return cli_fail(GF_ERROR_ARGUMENT,
                    "%s and %s would both be written to %s%s%s\n"
                    "  a template keeps names apart, as -o 'out/{dir}/{stem}_{ext}.png'",
                    made->list->at[index].path, input, path, link, target);
}

static gf_status check_made(struct batch_ledger *ledger, struct made *made)
{
    int64_t own = 1 + made->index * PER_INPUT;
    struct ledger_key key;
    if (!*made->path) {
        return cli_fail(GF_ERROR_ARGUMENT, "%s: a name that makes '.' or '..' of a part of %s",
                        made->input->path, made->number > 0 ? "the table's or plot's" : "the output's");
    }
    gf_status status = ledger->makes_folders ? batch_output_folders(made->path) : GF_OK;
    if (status != GF_OK) {
        return status;
    }
    if (!place_of(ledger, made->path, &made->place)) {
        return no_memory();
    }
    int64_t who = enter(ledger, made->place.key, own + 1 + made->number);
    if (who == own && made->number == 0) {
        if (!key_of(ledger, made->input->path, &key)) {
            return no_memory();
        }
        bool same = key.inode == made->place.named.inode && key.rest == made->place.named.rest;
        return same ? GF_OK : refuse(ledger, made, who);
    }
    return who == own + 1 + made->number ? GF_OK : who ? refuse(ledger, made, who) : no_memory();
}

static gf_status add_made(struct batch_ledger *ledger, const struct batch_options *options,
                          const struct batch_list *list, const struct batch_input *input, int64_t index,
                          int number)
{
    if (input->why || !batch_output_has(options, number)) {
        return GF_OK;
    }
    char *path = batch_output_file(options, number, input);
    struct made made = {.list = list, .input = input, .index = index, .number = number, .path = path};
    gf_status status = path ? check_made(ledger, &made) : no_memory();
    free(path);
    return status;
}

gf_status batch_ledger_check(struct batch_ledger *ledger, const struct batch_options *options,
                             const struct batch_list *list)
{
    gf_status status = GF_OK;
    for (int64_t i = 0; i < list->count && status == GF_OK; i++) {
        status = list->at[i].why ? GF_OK : add_input(ledger, list->at[i].path, i);
    }
    for (int number = 0; number < BATCH_MOST_FILES; number++) {
        for (int64_t i = 0; i < list->count && status == GF_OK; i++) {
            status = add_made(ledger, options, list, &list->at[i], i, number);
        }
    }
    return status;
}

gf_status batch_ledger_take(struct batch_ledger *ledger, const struct batch_options *options,
                            const struct batch_input *input, int64_t index)
{
    index += INT64_C(1) << 40; /* behind those of a list */
    gf_status status = add_input(ledger, input->path, index);
    for (int number = 0; number < BATCH_MOST_FILES && status == GF_OK; number++) {
        status = add_made(ledger, options, NULL, input, index, number);
    }
    return status;
}
