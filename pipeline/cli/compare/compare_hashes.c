/* Pictures compared with hashes: one of 64 digits, or a file of lines "HASH  NAME", as sha256sum has them. */
#include "base/message.h"
#include "base/output_file.h"
#include "base/text_file.h"
#include "compare/compare_folders.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { DIGITS = 64 };

static bool is_hash(const char *text)
{
    size_t digits = 0;
    while (isxdigit((unsigned char)text[digits])) {
        digits++;
    }
    return digits == DIGITS;
}

static void take_hash(const char *text, char hash[65])
{
    for (int i = 0; i < DIGITS; i++) {
        hash[i] = (char)tolower((unsigned char)text[i]);
    }
    hash[DIGITS] = '\0';
}

static struct pair *find(const struct pair_list *list, const char *name)
{
    int64_t from = 0, to = list->count;
    while (from < to) {
        const int64_t middle = (from + to) / 2;
        const int order = strcmp(name, list->at[middle].name);
        if (order == 0) {
            return &list->at[middle];
        }
        order < 0 ? (to = middle) : (from = middle + 1);
    }
    return NULL;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct pair *)a)->name, ((const struct pair *)b)->name);
}

/* What is expected, but not there: a pair without paths. */
static gf_status add_missing(struct pair_list *gone, const char *name, const char *hash)
{
    struct pair *more = realloc(gone->at, (size_t)(gone->count + 1) * sizeof *more);
    CLI_TRY(cli_need_memory(more != NULL));
    gone->at = more;
    more[gone->count] = (struct pair){.name = malloc(strlen(name) + 1), .error = GF_ERROR_INIT};
    CLI_TRY(cli_need_memory(more[gone->count].name != NULL));
    strcpy(more[gone->count].name, name);
    take_hash(hash, more[gone->count++].hash[0]);
    return GF_OK;
}

/* Reads the lines into the pairs of their names; what has none is added behind. */
static gf_status read_lines(const char *path, char *text, struct pair_list *list)
{
    struct pair_list gone = {NULL, 0};
    gf_status status = GF_OK;
    int line = 0;
    for (char *at = text, *end; status == GF_OK && *at; at = end + (*end == '\0' ? 0 : 1)) {
        line++;
        end = at + strcspn(at, "\n");
        const bool last = *end == '\0';
        *end = '\0';
        const char *name = at + DIGITS;
        if (*at && *at != '#') {
            if (!is_hash(at) || name[0] != ' ' || (name[1] != ' ' && name[1] != '*') || !name[2]) {
                status = cli_fail(GF_ERROR_INPUT,
                                  "%s: line %d is no hash of 64 digits, two spaces and a name", path, line);
                break;
            }
            struct pair *pair = find(list, name + 2);
            if (pair) {
                take_hash(at, pair->hash[0]);
            } else {
                status = add_missing(&gone, name + 2, at);
            }
        }
        if (last) {
            break;
        }
        *end = '\n';
    }
    if (gone.count > 0) {
        qsort(gone.at, (size_t)gone.count, sizeof *gone.at, by_name);
    }
    status = status == GF_OK ? pair_list_join(list, &gone) : status;
    pair_list_free(&gone);
    return status;
}

static void take_pair(const struct criteria *criteria, struct pair *pair, int threads, int file)
{
    (void)threads, (void)file;
    if (!pair->paths[1]) {
        pair->verdict = VERDICT_MISSING;
        return;
    }
    if (pair_hash(criteria, pair->paths[1], pair->hash[1], &pair->shapes[1]) != GF_OK) {
        pair->hash[1][0] = '\0';
        pair->verdict = VERDICT_FAILED;
        return;
    }
    pair->verdict = !pair->hash[0][0]                       ? VERDICT_NEW
                    : !strcmp(pair->hash[0], pair->hash[1]) ? VERDICT_EQUAL
                                                            : VERDICT_CHANGED;
}

/* --update: the hashes as they are; of what cannot be read as they were. */
static gf_status write_lines(const char *path, const struct pair_list *list)
{
    struct buffer text = {0};
    for (int64_t i = 0; i < list->count; i++) {
        const struct pair *pair = &list->at[i];
        const char *hash = pair->hash[1][0] ? pair->hash[1] : pair->hash[0];
        if (*hash) { /* else it could not be read, and was not expected */
            buffer_printf(&text, "%s  %s\n", hash, pair->name);
        }
    }
    const gf_status status = output_write_text(path, &text);
    buffer_free(&text);
    return status;
}

static gf_status read_expected(const struct criteria *criteria, bool in_file, struct pair_list *list)
{
    struct text_file file = {NULL, 0};
    gf_error error = GF_ERROR_INIT;
    struct stat is;
    if (!in_file) {
        if (criteria->update) {
            return cli_fail(GF_ERROR_ARGUMENT, "--update writes a file of hashes, and --expect names none");
        }
        struct stat folder;
        if (stat(criteria->paths[0], &folder) == 0 && S_ISDIR(folder.st_mode)) {
            return cli_fail(GF_ERROR_ARGUMENT, "%s is a folder: --expect needs a file of hashes for it",
                            criteria->paths[0]);
        }
        take_hash(criteria->expect, list->at[0].hash[0]);
        return GF_OK;
    }
    if (criteria->update && stat(criteria->expect, &is) != 0) {
        return GF_OK; /* it is written for the first time */
    }
    gf_status status = cli_told(text_file_read(criteria->expect, (size_t)1 << 30, &file, &error), &error);
    status = status == GF_OK ? read_lines(criteria->expect, file.text, list) : status;
    text_file_free(&file);
    return status;
}

gf_status compare_hashes(const struct criteria *criteria, struct pair_list *list)
{
    const bool in_file = !is_hash(criteria->expect) || criteria->expect[DIGITS];
    CLI_TRY(pair_list_walk(criteria, criteria->paths[0], 1, list));
    CLI_TRY(read_expected(criteria, in_file, list));
    pair_list_each(criteria, list, take_pair);
    return criteria->update ? write_lines(criteria->expect, list) : GF_OK;
}
