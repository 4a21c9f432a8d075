/* Lists of pairs: what lies in folders, and threads that take one pair after another. */
#define _GNU_SOURCE /* scandir, strdup */
#include "base/message.h"
#include "base/parts.h"
#include "base/readable_suffix.h"
#include "compare/compare_folders.h"
#include "compare/compare_report.h"
#include "job/progress.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void pair_list_free(struct pair_list *list)
{
    for (int64_t i = 0; i < list->count; i++) {
        free(list->at[i].name);
        free(list->at[i].paths[0]);
        free(list->at[i].paths[1]);
    }
    free(list->at);
    *list = (struct pair_list){NULL, 0};
}

static gf_status add(struct pair_list *list, const char *path, const char *name, int side)
{
    if ((list->count & (list->count - 1)) == 0) { /* room for twice as many */
        struct pair *more = realloc(list->at, (size_t)(list->count ? 2 * list->count : 1) * sizeof *more);
        CLI_TRY(cli_need_memory(more != NULL));
        list->at = more;
    }
    struct pair *pair = &list->at[list->count];
    *pair = (struct pair){.name = strdup(name), .error = GF_ERROR_INIT};
    pair->paths[side] = strdup(path);
    list->count += pair->name && pair->paths[side];
    if (!pair->name || !pair->paths[side]) {
        free(pair->name);
        free(pair->paths[side]);
        return cli_need_memory(false);
    }
    return GF_OK;
}

/* ---- folders ---- */

/* A pattern is of a file's name, or, with a slash in it, of its path below the folder. */
static bool is_among(const struct patterns *patterns, const char *below)
{
    const char *slash = strrchr(below, '/');
    for (int i = 0; i < patterns->count; i++) {
        const char *pattern = patterns->at[i];
        if (fnmatch(pattern, strchr(pattern, '/') || !slash ? below : slash + 1, 0) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_wanted(const struct criteria *criteria, const char *below)
{
    return readable_suffix_has(below) && !is_among(&criteria->exclude, below) &&
           (criteria->include.count == 0 || is_among(&criteria->include, below));
}

/* Hidden files are nobody's pictures; our own temporary files are among them. */
static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static gf_status walk(const struct criteria *criteria, const char *folder, size_t below, int side,
                      struct pair_list *list)
{
    struct dirent **entries = NULL;
    const int count = scandir(folder, &entries, is_visible, alphasort);
    gf_status status =
        count < 0 ? cli_fail(GF_ERROR_INPUT, "%s: cannot read the folder: %s", folder, strerror(errno))
                  : GF_OK;
    for (int i = 0; i < count; i++) {
        struct buffer path = {0};
        struct stat is, link;
        buffer_printf(&path, "%s%s%s", folder, folder[strlen(folder) - 1] == '/' ? "" : "/",
                      entries[i]->d_name);
        status = status == GF_OK ? cli_need_memory(!path.failed) : status;
        if (status == GF_OK && stat(path.data, &is) == 0) {
            if (S_ISDIR(is.st_mode) && lstat(path.data, &link) == 0 && !S_ISLNK(link.st_mode)) {
                status = walk(criteria, path.data, below, side, list);
            } else if (S_ISREG(is.st_mode) && is_wanted(criteria, path.data + below)) {
                status = add(list, path.data, path.data + below, side);
            }
        }
        buffer_free(&path);
        free(entries[i]);
    }
    free(entries);
    return status;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct pair *)a)->name, ((const struct pair *)b)->name);
}

gf_status pair_list_walk(const struct criteria *criteria, const char *folder, int side,
                         struct pair_list *list)
{
    struct stat status;
    if (stat(folder, &status) != 0 || !S_ISDIR(status.st_mode)) {
        const char *slash = strrchr(folder, '/');
        return add(list, folder, slash ? slash + 1 : folder, side);
    }
    const size_t length = strlen(folder);
    CLI_TRY(walk(criteria, folder, length + (folder[length - 1] != '/'), side, list));
    if (list->count > 0) {
        qsort(list->at, (size_t)list->count, sizeof *list->at, by_name);
    }
    return GF_OK;
}

gf_status pair_list_join(struct pair_list *list, struct pair_list *other)
{
    const int64_t most = list->count + other->count;
    struct pair *all = malloc((size_t)(most ? most : 1) * sizeof *all);
    int64_t i = 0, k = 0, n = 0;
    CLI_TRY(cli_need_memory(all != NULL));
    while (i < list->count || k < other->count) {
        const int order = i == list->count    ? 1
                          : k == other->count ? -1
                                              : by_name(&list->at[i], &other->at[k]);
        all[n] = order <= 0 ? list->at[i++] : other->at[k];
        if (order == 0) {
            all[n].paths[1] = other->at[k].paths[1];
            free(other->at[k].name);
        }
        k += order >= 0;
        n++;
    }
    free(list->at);
    free(other->at);
    *list = (struct pair_list){all, n};
    *other = (struct pair_list){NULL, 0};
    return GF_OK;
}

/* ---- threads ---- */

struct crew {
    const struct criteria *criteria;
    struct pair_list *list;
    void (*work)(const struct criteria *criteria, struct pair *pair, int threads, int file);
    int threads; /* for one pair */
    atomic_llong next, done;
    atomic_int members;
};

static void *take_part(void *argument)
{
    struct crew *crew = argument;
    const int file = atomic_fetch_add(&crew->members, 1);
    for (int64_t i; (i = atomic_fetch_add(&crew->next, 1)) < crew->list->count;) {
        struct pair *pair = &crew->list->at[i];
        cli_catch(&pair->error);
        crew->work(crew->criteria, pair, crew->threads, file);
        cli_catch(NULL);
        progress_set("comparing", atomic_fetch_add(&crew->done, 1) + 1, crew->list->count);
    }
    return NULL;
}

void pair_list_each(const struct criteria *criteria, struct pair_list *list,
                    void (*work)(const struct criteria *criteria, struct pair *pair, int threads, int file))
{
    enum { MOST = 256 };
    pthread_t threads[MOST];
    const int processors = parts_processors(), all = processors < 1      ? 1
                                                     : processors < MOST ? processors
                                                                         : MOST;
    const int wanted = list->count < all ? (int)list->count : all;
    struct crew crew = {
        .criteria = criteria, .list = list, .work = work, .threads = wanted ? all / wanted : 1};
    int started = 0;
    while (started + 1 < wanted && pthread_create(&threads[started], NULL, take_part, &crew) == 0) {
        started++;
    }
    take_part(&crew);
    for (int i = 0; i < started; i++) {
        pthread_join(threads[i], NULL);
    }
}

/* ---- what is said of all ---- */

int64_t pair_list_count(const struct pair_list *list, enum verdict verdict)
{
    int64_t count = 0;
    for (int64_t i = 0; i < list->count; i++) {
        count += list->at[i].verdict == verdict;
    }
    return count;
}

static void add_json(struct buffer *text, const struct criteria *criteria, const struct pair_list *list,
                     bool passes)
{
    buffer_printf(text, "{\"equal\":%s,\"counts\":{", passes ? "true" : "false");
    for (int v = VERDICT_EQUAL; v <= VERDICT_FAILED; v++) {
        buffer_printf(text, "%s\"%s\":%" PRId64, v ? "," : "", verdict_word((enum verdict)v),
                      pair_list_count(list, (enum verdict)v));
    }
    buffer_add(text, "},\"pairs\":[");
    for (int64_t i = 0; i < list->count; i++) {
        buffer_add(text, i ? ",\n" : "\n");
        compare_report_json(text, criteria, &list->at[i]);
    }
    buffer_add(text, "]}\n");
}

int compare_list_report(struct buffer *text, const struct criteria *criteria, const struct pair_list *list)
{
    int64_t counts[VERDICT_FAILED + 1], passed = 0;
    for (int v = 0; v <= VERDICT_FAILED; v++) {
        counts[v] = pair_list_count(list, (enum verdict)v);
        passed += verdict_passes((enum verdict)v) ? counts[v] : 0;
    }
    if (criteria->json) {
        add_json(text, criteria, list, passed == list->count);
    } else {
        for (int64_t i = 0; i < list->count; i++) {
            if (!verdict_passes(list->at[i].verdict)) {
                compare_report_line(text, criteria, &list->at[i]);
            }
        }
        const char *before = list->count ? "" : "no pictures";
        for (int v = 0; v <= VERDICT_FAILED; v++) {
            if (counts[v] > 0) {
                buffer_printf(text, "%s%" PRId64 " %s", before, counts[v],
                              v == VERDICT_WITHIN ? "within the tolerance" : verdict_word((enum verdict)v));
                before = ", ";
            }
        }
        buffer_printf(text, "%s\n",
                      criteria->update &&
                              counts[VERDICT_CHANGED] + counts[VERDICT_MOVED] + counts[VERDICT_NEW] > 0
                          ? "; updated"
                          : "");
    }
    if (criteria->update) { /* what was not as expected now is, but for what is gone */
        passed = list->count - counts[VERDICT_MISSING] - counts[VERDICT_FAILED];
    }
    return counts[VERDICT_FAILED] > 0 ? 2 : passed < list->count ? 1 : 0;
}
