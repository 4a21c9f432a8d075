/* gpufilter compare A B */
#include "help/commands.h"

#include "base/message.h"
#include "compare/compare_files.h"
#include "compare/compare_folders.h"
#include "compare/compare_report.h"
#include "compare/compare_server.h"
#include "compare/compare_show.h"
#include "compare/compare_signal.h"
#include "job/progress.h"
#include "job/signal_kind.h"

#include <string.h>
#include <sys/stat.h>

/* The exit codes, which stay as they are. */
enum { EQUAL = 0, DIFFERENT = 1, TROUBLE = 2 };

static int print(struct buffer *text, int verdict)
{
    progress_end();
    bool silent = cli_verbosity() == CLI_QUIET && !text->failed;
    gf_status status = silent ? GF_OK : buffer_to_stdout(text);
    buffer_free(text);
    return status == GF_OK ? verdict : TROUBLE;
}

/* ---- two signals ---- */

static bool is_npy(const char *path)
{
    const size_t length = strlen(path);
    return length > 4 && !strcmp(path + length - 4, ".npy");
}

/* Arrays are compared number by number as they are stored, so they are no signals among themselves. */
static gf_status are_signals(const struct criteria *criteria, bool *are)
{
    const char *a = criteria->paths[0], *b = criteria->paths[1];
    *are = false;
    if (b && (!is_npy(a) || !is_npy(b))) {
        CLI_TRY(file_is_signal(a, are));
        CLI_TRY(*are ? file_is_signal(b, are) : GF_OK);
    }
    return GF_OK;
}

static int run_signals(const struct criteria *criteria)
{
    struct buffer text = {0};
    bool within = false;
    progress_begin("comparing");
    const gf_status status = compare_signals(criteria, &text, &within);
    if (status == GF_OK) {
        return print(&text, within ? EQUAL : DIFFERENT);
    }
    progress_end();
    buffer_free(&text);
    return TROUBLE;
}

/* ---- two pictures ---- */

/* Draws and shows what differs; of other forms nothing can be. */
static gf_status draw(const struct criteria *criteria, struct pair *pair)
{
    if (pair->form) {
        if (criteria->diff) {
            remove_difference(criteria->diff);
        }
        return GF_OK;
    }
    CLI_TRY(criteria->diff ? pair_draw(criteria, pair, criteria->diff, 0) : GF_OK);
    return criteria->show ? compare_show(criteria, pair) : GF_OK;
}

static int run_pictures(const struct criteria *criteria)
{
    struct buffer text = {0};
    struct pair pair = {
        .paths = {(char *)(uintptr_t)criteria->paths[0], (char *)(uintptr_t)criteria->paths[1]}};
    struct pair_list list = {&pair, 1};
    progress_begin("comparing A and B");
    gf_status status = pair_compare(criteria, &pair, 0);
    if (status == GF_OK) {
        compare_report(&text, criteria, &pair);
        status = cli_need_memory(!text.failed);
        progress_end();
        status = status == GF_OK ? draw(criteria, &pair) : status;
        status = status == GF_OK ? compare_files_write(criteria, &list) : status;
    }
    pair_close(&pair);
    if (status == GF_OK) {
        return print(&text, verdict_passes(pair.verdict) ? EQUAL : DIFFERENT);
    }
    progress_end();
    buffer_free(&text);
    return TROUBLE;
}

/* ---- many ---- */

static bool is_folder(const char *path)
{
    struct stat status;
    return path && stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static int run_many(const struct criteria *criteria)
{
    struct buffer text = {0};
    struct pair_list list = {NULL, 0};
    progress_begin("comparing");
    gf_status status = criteria->expect ? compare_hashes(criteria, &list) : compare_folders(criteria, &list);
    status = status == GF_OK ? compare_files_write(criteria, &list) : status;
    const int verdict = status != GF_OK ? TROUBLE : compare_list_report(&text, criteria, &list);
    pair_list_free(&list);
    if (status != GF_OK) {
        progress_end();
        return TROUBLE;
    }
    return print(&text, verdict);
}

static int run(const struct criteria *criteria)
{
    bool signals = false;
    if (criteria->server) {
        return compare_serve(criteria) == GF_OK ? EQUAL : TROUBLE;
    }
    if (criteria->expect || (is_folder(criteria->paths[0]) && is_folder(criteria->paths[1]))) {
        return run_many(criteria);
    }
    if (criteria->update || criteria->include.count || criteria->exclude.count) {
        cli_fail(GF_ERROR_ARGUMENT, "%s is for two folders, or with --expect",
                 criteria->update          ? "--update"
                 : criteria->include.count ? "--include"
                                           : "--exclude");
        return TROUBLE;
    }
    return are_signals(criteria, &signals) != GF_OK ? TROUBLE
           : signals                                ? run_signals(criteria)
                                                    : run_pictures(criteria);
}

/* Tells whether --json is among the words, also behind one that is wrong. */
static bool wants_json(int count, char **words)
{
    for (int i = 0; i < count && strcmp(words[i], "--") != 0; i++) {
        if (!strcmp(words[i], "--json")) {
            return true;
        }
    }
    return false;
}

int run_compare(const struct cli_command *command, int count, char **words)
{
    struct buffer text = {0};
    struct criteria criteria;
    gf_status status = criteria_read(count, words, &criteria);
    if (status == GF_OK && criteria.help) {
        command_usage_add(&text, command);
        criteria_free(&criteria);
        return print(&text, EQUAL);
    }
    const int verdict = status == GF_OK ? run(&criteria) : TROUBLE;
    criteria_free(&criteria);
    if (verdict == TROUBLE && *cli_error_said() && wants_json(count, words) && !ferror(stdout)) {
        compare_report_error(&text, cli_error_said());
        if (!text.failed) {
            return print(&text, TROUBLE);
        }
        buffer_free(&text); /* the error is said, if not there */
    }
    return verdict;
}
