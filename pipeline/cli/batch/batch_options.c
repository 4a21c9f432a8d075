#include "batch/batch_options.h"

#include "base/argument_value.h"
#include "base/message.h"
#include "base/output_file.h"
#include "base/words.h"
#include "help/other_words.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define PROGRESS_CHOICES "auto|json|off" /* in the order of enum batch_progress */

/* The options of a job that stand for each picture come first, by the same names. */
enum {
#define EACH(id) TAKEN_##id,
#define ONE(id)
#define JOB_OPTION(kind, id, ...) kind(id)
#include "job/job_options.def"
#undef JOB_OPTION
#undef EACH
#undef ONE
    OPTION_OUTPUT,
    OPTION_FROM,
    OPTION_NULL,
    OPTION_RECURSIVE,
    OPTION_GLOB,
    OPTION_SKIP_EXISTING,
    OPTION_DRY_RUN,
    OPTION_PROGRESS,
    OPTION_REPORT,
    OPTION_MAX_FAILURES,
    OPTION_JOURNAL,
    OPTION_RESUME,
    OPTION_RETRY_FAILED,
    OPTION_SHARD
};

const struct cli_option batch_option_table[] = {
#define EACH(id, ...) [TAKEN_##id] = {__VA_ARGS__},
#define ONE(id, ...)
#define JOB_OPTION(kind, id, ...) kind(id, __VA_ARGS__)
#include "job/job_options.def"
#undef JOB_OPTION
#undef EACH
#undef ONE
    [OPTION_OUTPUT] = {"output", 'o', false, "DIR", NULL,
                       "a folder for outputs, or a template: out/{stem}_2.png; or a tar"},
    [OPTION_FROM] = {"from", 0, false, "FILE", NULL, "read names of inputs from it, a line each; - is stdin"},
    [OPTION_NULL] = {"null", '0', false, NULL, NULL,
                     "names of --from end with a zero byte, as of find -print0"},
    [OPTION_RECURSIVE] = {"recursive", 'r', false, NULL, NULL,
                          "of folders, take the folders below them, too"},
    [OPTION_GLOB] = {"glob", 0, false, "PATTERN", NULL,
                     "of folders, only files so named, as '*.png'; again: or"},
    [OPTION_SKIP_EXISTING] = {"skip-existing", 0, false, NULL, NULL,
                              "leave out inputs whose output is there"},
    [OPTION_DRY_RUN] = {"dry-run", 'n', false, NULL, NULL,
                        "print what would be read and written; do nothing"},
    [OPTION_PROGRESS] = {"progress", 0, false, "FORM", PROGRESS_CHOICES,
                         "json: a line a file on stdout; auto: json off terminals"},
    [OPTION_REPORT] = {"report", 0, false, "FILE", NULL, "what was measured: .csv, or JSON, a line a file"},
    [OPTION_MAX_FAILURES] = {"max-failures", 0, false, "N", NULL,
                             "stop when more fail; also 5%, 0: at the first"},
    [OPTION_JOURNAL] = {"journal", 0, false, "FILE", NULL, "note what is done, so that --resume can go on"},
    [OPTION_RESUME] = {"resume", 0, false, NULL, NULL, "leave out what the journal says is done"},
    [OPTION_RETRY_FAILED] = {"retry-failed", 0, false, NULL, NULL, "--resume, and try again what failed"},
    [OPTION_SHARD] = {"shard", 0, false, "K/N", NULL,
                      "only the K-th of N parts; auto: as the scheduler says"},
    {0},
};

void batch_options_free(struct batch_options *options)
{
    job_options_free(&options->job);
    free(options->inputs);
}

static gf_status add_word(struct batch_words *words, const char *option, const char *value)
{
    if (words->count == BATCH_MOST_WORDS) {
        return cli_fail(GF_ERROR_ARGUMENT, "%s is given more than %d times", option, BATCH_MOST_WORDS);
    }
    words->at[words->count++] = value;
    return GF_OK;
}

static gf_status take_max_failures(struct batch_options *options, const char *value)
{
    gf_status status =
        value_number("--max-failures", value, true, &options->max_failures, &options->max_is_percent);
    if (status == GF_OK && options->max_is_percent && options->max_failures > 100) {
        return cli_fail(GF_ERROR_ARGUMENT, "--max-failures is '%s': must be a number, or at most 100%%",
                        value);
    }
    return status;
}

static void take_flag(struct batch_options *options, int option)
{
    options->null |= option == OPTION_NULL;
    options->recursive |= option == OPTION_RECURSIVE;
    options->skip_existing |= option == OPTION_SKIP_EXISTING;
    options->dry_run |= option == OPTION_DRY_RUN;
    options->resume |= option == OPTION_RESUME || option == OPTION_RETRY_FAILED;
    options->retry_failed |= option == OPTION_RETRY_FAILED;
}

static gf_status take_option(struct batch_options *options, int option, const char *value)
{
    switch (option) {
    case OPTION_OUTPUT:
        options->output = value;
        return *value ? GF_OK
                      : cli_fail(GF_ERROR_ARGUMENT, "--output is empty: it is a folder or a template");
    case OPTION_FROM:
        return add_word(&options->from, "--from", value);
    case OPTION_GLOB:
        return add_word(&options->globs, "--glob", value);
    case OPTION_PROGRESS:
        options->progress = (enum batch_progress)words_index(PROGRESS_CHOICES, value);
        return GF_OK;
    case OPTION_REPORT:
        options->report = value;
        return GF_OK;
    case OPTION_MAX_FAILURES:
        return take_max_failures(options, value);
    case OPTION_JOURNAL:
        options->journal = value;
        return *value && !is_standard_output(value)
                   ? GF_OK
                   : cli_fail(GF_ERROR_ARGUMENT, "--journal is '%s': must be the name of a file", value);
    case OPTION_SHARD:
        return batch_shard_take(value, options);
    default:
        take_flag(options, option);
        return GF_OK;
    }
}

static gf_status take_job_option(struct batch_options *options, int option, const char *value)
{
    if (option == TAKEN_DEVICE) {
        options->every_gpu = !strcmp(value, gf_device_kind(0));
    }
    if (option == TAKEN_HELP) {
        options->help = true;
        return GF_OK;
    }
    return job_options_take(&options->job, batch_option_table[option].name, value);
}

static gf_status take_input(struct batch_options *options, const char *word)
{
    if (!*word) {
        return cli_fail(GF_ERROR_ARGUMENT, "a file name is empty");
    }
    options->inputs[options->n_inputs++] = word;
    return GF_OK;
}

/* ---- what does not go together ---- */

bool batch_reads_stdin(const struct batch_options *options)
{
    for (int i = 0; i < options->from.count; i++) {
        if (!strcmp(options->from.at[i], "-")) {
            return true;
        }
    }
    return false;
}

static bool is_tar(const char *path)
{
    const size_t length = strlen(path);
    return length > 4 && !strcmp(path + length - 4, ".tar");
}

static bool has_pipeline_in_stdin(const struct batch_options *options)
{
    for (int i = 0; i < options->job.stages.count; i++) {
        const char *file = options->job.stages.pieces[i].file;
        if (file && !strcmp(file, "-")) {
            return true;
        }
    }
    return false;
}

/* What a tar cannot have, as its members are not files. */
static gf_status check_tar(const struct batch_options *options)
{
    const char *refused = options->journal         ? "--journal"
                          : options->shards        ? "--shard"
                          : options->recursive     ? "-r"
                          : options->skip_existing ? "--skip-existing"
                          : options->dry_run       ? "--dry-run"
                          : options->from.count    ? "--from"
                          : options->job.n_tables  ? job_table_option(&options->job.tables[0])
                                                   : NULL;
    const bool to_stdout = options->output && is_standard_output(options->output);
    const bool report_there = options->report && is_standard_output(options->report);
    if (refused) {
        return cli_fail(GF_ERROR_ARGUMENT, "%s is of files, and the input is a tar: %s", refused,
                        options->inputs[0]);
    }
    if (options->output && !to_stdout && !is_tar(options->output)) {
        return cli_fail(GF_ERROR_ARGUMENT,
                        "-o %s: what is made of a tar goes to a tar: a name that ends with .tar, or -",
                        options->output);
    }
    if (to_stdout && (report_there || options->progress == BATCH_PROGRESS_JSON)) {
        return cli_fail(GF_ERROR_ARGUMENT, "%s and -o are both standard output",
                        report_there ? "--report" : "--progress json");
    }
    if (!strcmp(options->inputs[0], "-") && has_pipeline_in_stdin(options)) {
        return cli_fail(GF_ERROR_ARGUMENT, "--pipeline and the tar are both standard input");
    }
    return GF_OK;
}

/* Tells whether the input is a tar: by its name, or in a pipe by that of what is made. */
static gf_status find_tar(struct batch_options *options)
{
    const bool one = options->n_inputs == 1;
    const bool tar_out = options->output && (is_tar(options->output) || is_standard_output(options->output));
    for (int i = 0; i < options->n_inputs; i++) {
        const bool is_stdin = !strcmp(options->inputs[i], "-");
        if (is_stdin && !(one && tar_out)) {
            return cli_fail(GF_ERROR_ARGUMENT,
                            "'-' is no input of a batch: --from - reads names from standard input,\n"
                            "  a picture in a pipe is for gpufilter - OUT --stages LIST,\n"
                            "  and a tar in a pipe is alone and makes another: - -o out.tar, or -o -");
        }
        options->tar |= one && (is_stdin || is_tar(options->inputs[i]));
    }
    struct stat is;
    options->tar = options->tar && !(stat(options->inputs[0], &is) == 0 && S_ISDIR(is.st_mode));
    return options->tar ? check_tar(options) : GF_OK;
}

static gf_status check(const struct batch_options *options)
{
    const char *pattern = "gpufilter batch IN... -o DIR --stages LIST";
    if (options->n_inputs == 0 && options->from.count == 0) {
        return cli_fail(GF_ERROR_ARGUMENT,
                        "no input is given, neither files and folders nor --from FILE:\n  %s", pattern);
    }
    if (!options->output && !options->job.has_stages) {
        return cli_fail(GF_ERROR_ARGUMENT,
                        "neither -o nor --stages is given, so there is nothing to do:\n  %s", pattern);
    }
    if ((options->resume || options->retry_failed) && !options->journal) {
        return cli_fail(GF_ERROR_ARGUMENT, "--%s needs --journal FILE, which says what is done",
                        options->retry_failed ? "retry-failed" : "resume");
    }
    if (options->null && options->from.count == 0) {
        return cli_fail(GF_ERROR_ARGUMENT, "--null is of the names of --from FILE, which is not given");
    }
    if (options->skip_existing && !options->output) {
        return cli_fail(GF_ERROR_ARGUMENT, "--skip-existing looks for outputs: -o is not given");
    }
    if (batch_reads_stdin(options) && has_pipeline_in_stdin(options)) {
        return cli_fail(GF_ERROR_ARGUMENT, "--pipeline and --from are both standard input");
    }
    if (options->report && is_standard_output(options->report) && options->progress == BATCH_PROGRESS_JSON) {
        return cli_fail(GF_ERROR_ARGUMENT, "--report and --progress json are both standard output");
    }
    return GF_OK;
}

/* Refuses what shows a plan, which is of one picture. */
static gf_status refuse_plans(int count, char **words)
{
    static const char *const names[] = {"--explain", "--print-pipeline"};
    for (int i = 0; i < count && strcmp(words[i], "--") != 0; i++) {
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
            size_t length = strlen(names[k]);
            if (!strncmp(words[i], names[k], length) && (!words[i][length] || words[i][length] == '=')) {
                return cli_fail(GF_ERROR_ARGUMENT, "%s is of one picture: gpufilter IN --stages LIST %s",
                                names[k], names[k]);
            }
        }
    }
    return GF_OK;
}

gf_status batch_options_read(int count, char **words, struct batch_options *options)
{
    *options = (struct batch_options){.max_failures = -1};
    job_options_begin(&options->job);
    options->inputs = calloc((size_t)count + 1, sizeof *options->inputs);
    CLI_TRY(cli_need_memory(options->inputs));
    CLI_TRY(refuse_plans(count, words));
    struct cli_arguments arguments = cli_arguments_begin(batch_option_table, count, words);
    arguments.other = other_option_add;
    const char *value = NULL;
    for (int option; (option = cli_arguments_next(&arguments, &value)) != CLI_END;) {
        CLI_TRY(option == CLI_BAD          ? arguments.status
                : option == CLI_POSITIONAL ? take_input(options, value)
                : option < OPTION_OUTPUT   ? take_job_option(options, option, value)
                                           : take_option(options, option, value));
    }
    if (options->help) {
        return GF_OK;
    }
    gf_status status = find_tar(options);
    status = status == GF_OK ? check(options) : status;
    const char *device = getenv("GPUFILTER_DEVICE");
    options->every_gpu |= !options->job.has_device && device && !strcmp(device, gf_device_kind(0));
    return status == GF_OK ? job_options_complete(&options->job) : status;
}
