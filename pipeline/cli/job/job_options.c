#define _POSIX_C_SOURCE 200809L
#include "job/job_options.h"

#include "base/argument_value.h"
#include "base/message.h"
#include "base/output_file.h"
#include "base/words.h"
#include "gpufilter/stage.h"
#include "help/other_words.h"
#include "job/limit_option.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
#define JOB_OPTION(kind, id, ...) OPTION_##id,
#include "job/job_options.def"
#undef JOB_OPTION
};

const struct cli_option job_option_table[] = {
#define JOB_OPTION(kind, id, ...) [OPTION_##id] = {__VA_ARGS__},
#include "job/job_options.def"
#undef JOB_OPTION
    {0},
};

void job_options_free(struct job_options *options)
{
    stages_text_free(&options->stages);
    for (int i = 0; i < options->n_tables; i++) {
        buffer_free(&options->tables[i].bytes);
    }
}

/* ---- one option ---- */

static enum job_print print_form(const char *value)
{
    return value && !strcmp(value, "json") ? JOB_PRINT_JSON : JOB_PRINT_TEXT;
}

static int choice(int option, const char *value)
{
    return words_index(job_option_table[option].choices, value);
}

/* A whole number in [least, greatest]. */
static gf_status take_number(const char *name, const char *value, int64_t least, int64_t greatest,
                             int32_t *taken)
{
    int64_t number = 0;
    const gf_status status = value_integer(name, value, least, greatest, &number);
    *taken = (int32_t)number;
    return status;
}

static void take_flag(struct job_options *options, int option)
{
    options->verify |= option == OPTION_VERIFY;
    options->no_fuse |= option == OPTION_NO_FUSE;
    options->fast_load |= option == OPTION_FAST_LOAD;
    options->progressive |= option == OPTION_PROGRESSIVE;
    options->strip |= option == OPTION_STRIP;
    options->no_clobber |= option == OPTION_NO_CLOBBER;
    options->compute_f32 |= option == OPTION_COMPUTE;
    options->help |= option == OPTION_HELP;
    options->version |= option == OPTION_VERSION;
    if (option == OPTION_QUIET || option == OPTION_VERBOSE) {
        cli_set_verbosity(option == OPTION_QUIET ? CLI_QUIET : CLI_VERBOSE);
    }
}

/* What is of the computation, and of OUT. */
static gf_status take_setting(struct job_options *options, int option, const char *value)
{
    switch (option) {
    case OPTION_FORMAT:
        options->format = value;
        return GF_OK;
    case OPTION_DEPTH:
        options->depth = choice(option, value);
        return GF_OK;
    case OPTION_ALPHA:
        options->has_alpha = true;
        options->alpha = (gf_alpha)choice(option, value);
        return GF_OK;
    case OPTION_RATE:
        return value_rate("--rate", value, &options->rate);
    case OPTION_SAMPLE:
        options->sample = (gf_signal_sample)(1 + choice(option, value));
        return GF_OK;
    case OPTION_RAW:
        options->raw = value;
        return GF_OK;
    case OPTION_COLUMNS:
        options->columns = value;
        return GF_OK;
    case OPTION_SIGNAL:
        options->picture = !strcmp(value, "picture");
        options->matrix = (gf_signal_matrix)(options->picture ? 0 : 1 + choice(option, value));
        return GF_OK;
    case OPTION_DEVICE:
        options->has_device = true;
        return value_device("--device", value, true, &options->device);
    case OPTION_THREADS:
        return take_number("--threads", value, 1, 1024, &options->threads);
    case OPTION_MEMORY:
        return value_size("--memory", value, &options->memory);
    case OPTION_PNG_LEVEL:
        options->has_png_level = true;
        return take_number("--png-level", value, -1, 9, &options->png_level);
    case OPTION_PALETTE:
        options->has_palette = true;
        options->palette = choice(option, value);
        return GF_OK;
    case OPTION_PAGE:
        return take_number("--page", value, 1, INT32_MAX, &options->page);
    case OPTION_QUALITY:
        options->has_quality = true;
        return take_number("--quality", value, 1, 100, &options->jpeg_quality);
    default:
        take_flag(options, option);
        return GF_OK;
    }
}

static gf_status take_option(struct job_options *options, int option, const char *value)
{
    switch (option) {
    case OPTION_STAGES:
        options->has_stages = true;
        return stages_text_add(&options->stages, value);
    case OPTION_PIPELINE:
        options->has_stages = true;
        return stages_text_read(&options->stages, value);
    case OPTION_INPUT:
        return job_named_take(value, options->named, &options->n_named);
    case OPTION_EXPLAIN:
        options->explain = print_form(value);
        return GF_OK;
    case OPTION_PRINT_PIPELINE:
        options->print_pipeline = print_form(value);
        return GF_OK;
    case OPTION_LIMIT:
        options->has_limit = true;
        return limit_option_take(value, &options->limits);
    case OPTION_REPORT:
        options->report = value;
        return strlen(value) < 5 || strcmp(value + strlen(value) - 4, ".csv") != 0
                   ? GF_OK
                   : cli_fail(GF_ERROR_ARGUMENT, "--report %s: it is JSON; --table and batch write .csv",
                              value);
    case OPTION_TABLE:
    case OPTION_PLOT:
        if (options->n_tables == JOB_MOST_TABLES) {
            return cli_fail(GF_ERROR_ARGUMENT, "--table and --plot are given more than %d times",
                            JOB_MOST_TABLES);
        }
        return job_table_take(value, option == OPTION_PLOT, &options->tables[options->n_tables++]);
    default:
        return take_setting(options, option, value);
    }
}

/* ---- all of it ---- */

gf_status job_options_complete(struct job_options *options)
{
    const char *device = getenv("GPUFILTER_DEVICE");
    const char *threads = getenv("GPUFILTER_THREADS");
    const char *memory = getenv("GPUFILTER_MEMORY");
    gf_status status = GF_OK;
    if (device && *device && options->device == JOB_UNSET) {
        status = value_device("GPUFILTER_DEVICE", device, true, &options->device);
    }
    if (status == GF_OK && threads && *threads && options->threads == 0) {
        status = take_number("GPUFILTER_THREADS", threads, 1, 1024, &options->threads);
    }
    if (status == GF_OK && memory && *memory && options->memory == 0) {
        status = value_size("GPUFILTER_MEMORY", memory, &options->memory);
    }
    if (options->device == JOB_UNSET) {
        options->device = GF_DEVICE_AUTO;
    }
    return status;
}

/* Tells whether it is no file, but begins as a list of stages does. */
static bool is_like_stages(const char *path)
{
    char name[40] = "";
    const size_t length = strcspn(path, ":,");
    strncat(name, path, length < sizeof name ? length : sizeof name - 1);
    return (gf_stage_find(name) || gf_stage_known_as(name, strlen(name))) && access(path, F_OK) != 0;
}

static gf_status take_file(struct job_options *options, int n_files, const char *path)
{
    if (!*path) {
        return cli_fail(GF_ERROR_ARGUMENT, "a file name is empty");
    }
    options->dashed = !options->dashed && path[0] == '-' && path[1] ? path : options->dashed;
    if (!options->stray && is_like_stages(path)) {
        options->stray = path;
    }
    if (n_files == 0) {
        options->in = path;
    } else if (n_files == 1) {
        options->out = path;
    }
    return GF_OK;
}

static gf_status check_files(const struct job_options *options, int n_files)
{
    if (n_files > 2 && options->dashed) {
        return cli_fail(GF_ERROR_ARGUMENT,
                        "%d files given, but it takes IN and OUT: behind -- everything is a file,\n"
                        "  also '%s'; options stand before it",
                        n_files, options->dashed);
    }
    if (n_files > 2 && options->stray) {
        return cli_fail(
            GF_ERROR_ARGUMENT,
            "%d files given, but it takes IN and OUT, and no file is called '%s': did you mean --stages "
            "'%s'?",
            n_files, options->stray, options->stray);
    }
    if (n_files > 2) {
        return cli_fail(GF_ERROR_ARGUMENT,
                        "%d files given, but it takes IN and OUT: '%s' and '%s' would be those.\n"
                        "  for many pictures:  gpufilter batch %s %s ... -o DIR --stages LIST\n"
                        "  stages stand behind an option:  --stages blur:2,gray",
                        n_files, options->in, options->out, options->in, options->out);
    }
    if (options->explain != JOB_PRINT_NONE && options->print_pipeline != JOB_PRINT_NONE) {
        return cli_fail(GF_ERROR_ARGUMENT, "--explain and --print-pipeline: choose one");
    }
    if (options->explain != JOB_PRINT_NONE && (options->verify || options->report || options->n_tables > 0)) {
        return cli_fail(GF_ERROR_ARGUMENT, "--explain runs nothing: leave out %s",
                        options->verify   ? "--verify"
                        : options->report ? "--report"
                                          : job_table_option(&options->tables[0]));
    }
    if (options->out && options->report && is_standard_output(options->out) &&
        is_standard_output(options->report)) {
        return cli_fail(GF_ERROR_ARGUMENT, "OUT and --report are both standard output");
    }
    return GF_OK;
}

void job_options_begin(struct job_options *options)
{
    *options = (struct job_options){.depth = JOB_NO_DEPTH,
                                    .device = JOB_UNSET,
                                    .limits = GF_IO_LIMITS_INIT,
                                    .png_level = -1,
                                    .jpeg_quality = 90};
}

gf_status job_options_take(struct job_options *options, const char *name, const char *value)
{
    int option = 0;
    while (strcmp(job_option_table[option].name, name) != 0) {
        option++;
    }
    return take_option(options, option, value);
}

gf_status job_options_read(int count, char **words, struct job_options *options)
{
    job_options_begin(options);
    struct cli_arguments arguments = cli_arguments_begin(job_option_table, count, words);
    arguments.other = other_option_add;
    const char *value = NULL, *pipeline = NULL;
    int n_files = 0;
    for (int option; (option = cli_arguments_next(&arguments, &value)) != CLI_END;) {
        CLI_TRY(option == CLI_BAD          ? arguments.status
                : option == CLI_POSITIONAL ? take_file(options, n_files++, value)
                                           : take_option(options, option, value));
        pipeline = option == OPTION_PIPELINE ? value : pipeline;
    }
    if (options->help || options->version) {
        return GF_OK;
    }
    if (pipeline && options->in && !strcmp(pipeline, "-") && !strcmp(options->in, "-")) {
        return cli_fail(GF_ERROR_ARGUMENT, "--pipeline and IN are both standard input");
    }
    gf_status status = check_files(options, n_files);
    return status == GF_OK ? job_options_complete(options) : status;
}
