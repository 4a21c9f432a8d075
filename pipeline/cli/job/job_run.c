/* The filter job: gpufilter [options] IN OUT --stages LIST */
#define _POSIX_C_SOURCE 200809L
#include "job/job.h"

#include "base/argument_value.h"
#include "base/message.h"
#include "base/output_file.h"
#include "base/words.h"
#include "help/commands.h"
#include "job/job_onward.h"
#include "job/limit_option.h"
#include "job/progress.h"
#include "job/signal_kind.h"

#include <string.h>
#include <unistd.h>

/* A device that is lost is an error, too, and said as such, or as the reason for another. */
static void on_log(void *user, gf_log_level level, const char *message)
{
    const struct job *job = user;
    if (!job->signal || level != GF_LOG_INFO) { /* the plan that writes what a signal became is nobody's */
        cli_detail("%s", message);
    }
}

/* ---- before anything is read ---- */

static gf_status fail_without_stages(const char *in)
{
    struct buffer text = {0};
    struct nearest nearest = {.word = in};
    buffer_printf(&text, "nothing to do with '%s'", in);
    for (const struct cli_command *command = command_table; command->name; command++) {
        nearest_try(&nearest, command->name, strlen(command->name));
    }
    if (access(in, F_OK) != 0) {
        buffer_add(&text, ", which is no file");
        nearest_add(&text, &nearest, "gpufilter ");
    }
    buffer_printf(&text, "\n  to convert it:  gpufilter %s OUT\n  to measure it:  gpufilter %s --stages hist",
                  in, in);
    gf_status status = text.failed ? cli_fail(GF_ERROR_MEMORY, "out of memory")
                                   : cli_fail(GF_ERROR_ARGUMENT, "%s", text.data);
    buffer_free(&text);
    return status;
}

static gf_status check_output(struct job *job)
{
    const struct job_options *options = &job->options;
    gf_error error = GF_ERROR_INIT;
    if (!options->out) {
        return options->has_stages || job_only_prints(job) ? GF_OK : fail_without_stages(options->in);
    }
    if (is_standard_output(options->out) && !options->format) {
        return cli_fail(GF_ERROR_ARGUMENT, "OUT is standard output: --format EXT must say as what, "
                                           "like --format png");
    }
    if (names_signal(options->out, options->format)) {
        return cli_fail(
            GF_ERROR_ARGUMENT,
            "OUT is to be a signal, and IN is a picture: profile makes one of it, a frame a row or a column\n"
            "  gpufilter %s %s --stages gray,profile:y,LIST",
            options->in, options->out);
    }
    const gf_status status = gf_io_format_for(options->out, options->format, &job->format, &error);
    if (status != GF_OK && options->stray == options->out) {
        return cli_fail(GF_ERROR_ARGUMENT,
                        "'%s' would be OUT, and is no name of a picture: did you mean --stages '%s'?",
                        options->out, options->out);
    }
    CLI_TRY(cli_told(status, &error));
    return job_check_target(job);
}

/* No output replaces another file of the run; only OUT may be IN. */
static gf_status check_files(const struct job *job)
{
    const struct job_options *options = &job->options;
    struct run_file files[3 + JOB_MOST_TABLES] = {
        {"IN", options->in, false}, {"OUT", options->out, true}, {"--report", options->report, true}};
    int count = 3 + options->n_tables;
    for (int i = 0; i < options->n_tables; i++) {
        files[3 + i] =
            (struct run_file){job_table_option(&options->tables[i]), options->tables[i].path, true};
    }
    count = job_only_prints(job) ? 1 : count; /* then nothing is written */
    CLI_TRY(job_check_files(job, files, count, NULL, NULL));
    for (int i = 2; i < count; i++) {
        CLI_TRY(files[i].path ? output_check(files[i].path) : GF_OK);
    }
    return GF_OK;
}

/* ---- the whole ---- */

static gf_status finish(struct job *job)
{
    gf_status status = job_make_texts(job);
    status = status == GF_OK ? job_commit_output(job) : status;
    progress_end();
    job->times.total = now_ms() - job->times.began;
    CLI_TRY(status);
    CLI_TRY(job_write_tables(job));
    CLI_TRY(job->options.report ? job_write_report(job) : GF_OK);
    CLI_TRY(job_print_results(job));
    job_say_done(job);
    return GF_OK;
}

/* Tells whether IN may bring several pictures, and OUT takes them: PPMs or y4m through a pipe, y4m also from
 * a file. What was settled by the pixels of the first one, or is written for one, is not for others. */
static bool takes_frames(const struct job *job)
{
    const struct job_options *o = &job->options;
    return o->out && is_standard_output(o->out) && job->format->frames && job->info.format->frames &&
           !job->in && !o->report && !o->n_tables &&
           (!job_input_rereads(job) || !strcmp(job->info.format->name, "y4m"));
}

/* The pictures behind the first one, each by the same plan. */
static gf_status run_frames(struct job *job)
{
    for (int64_t number = 2;; number++) {
        gf_error error = GF_ERROR_INIT;
        int32_t there = 0;
        if (gf_reader_next(job->reader, &there, &error) != GF_OK) {
            return limit_told(error.code, &error);
        }
        if (!there) {
            return GF_OK;
        }
        const gf_shape is = gf_reader_info(job->reader)->shape, must = job->info.shape;
        if (is.width != must.width || is.height != must.height || is.channels != must.channels ||
            is.depth != must.depth) {
            return cli_fail(
                GF_ERROR_INPUT,
                "%s: picture %lld has %lld x %lld x %d %s, must have %lld x %lld x %d %s as the first",
                job_in_name(job), (long long)number, (long long)is.width, (long long)is.height, is.channels,
                gf_depth_name(is.depth), (long long)must.width, (long long)must.height, must.channels,
                gf_depth_name(must.depth));
        }
        gf_exec_destroy(&job->exec);
        gf_picture_destroy(&job->before);
        job->before = job->in;
        job->in = NULL;
        gf_picture_destroy(&job->made);
        buffer_free(&job->text);
        job->has_read = false;
        job->follows = true;
        memset(&job->times, 0, sizeof job->times);
        job->times.began = now_ms();
        CLI_TRY(job->streams ? job_stream(job) : job_filter(job));
        CLI_TRY(finish(job));
    }
}

static gf_status make_context(struct job *job)
{
    gf_error error = GF_ERROR_INIT;
    gf_context_options options = GF_CONTEXT_OPTIONS_INIT;
    options.log = on_log;
    options.user = job;
    return cli_told(gf_context_create(&options, &job->context, &error), &error);
}

static gf_status run(struct job *job)
{
    CLI_TRY(make_context(job));
    if (!job_only_prints(job)) {
        progress_begin("reading");
    }
    CLI_TRY(job_prepare(job));
    job_note_ignored(job);
    if (job->options.print_pipeline != JOB_PRINT_NONE) {
        return job_print_pipeline(job);
    }
    if (job->options.explain != JOB_PRINT_NONE) {
        return job_explain(job);
    }
    job->frames = takes_frames(job);
    CLI_TRY(job_run_picture(job));
    CLI_TRY(finish(job));
    return job->frames ? run_frames(job) : GF_OK;
}

/* --print-pipeline without IN: what depends on the input is not known. */
static gf_status print_without_input(struct job *job)
{
    if (job->options.compute_f32 && job->options.depth == JOB_NO_DEPTH) {
        return cli_fail(GF_ERROR_ARGUMENT,
                        "--compute f32 converts back to the depth of IN: name IN, or --depth");
    }
    if (!job->options.has_stages && job->options.depth == JOB_NO_DEPTH) {
        return cli_fail(GF_ERROR_ARGUMENT,
                        "--print-pipeline has nothing to print: give --stages or --pipeline");
    }
    gf_status status = job_complete(job, GF_U8);
    job_note_ignored(job);
    return status == GF_OK ? job_print_pipeline(job) : status;
}

static gf_status start(struct job *job)
{
    const struct job_options *options = &job->options;
    if (options->in && find_command(options->in)) {
        return cli_fail(
            GF_ERROR_ARGUMENT,
            "'%s' is a command: write it first, before any option, or ./%s for a file of that name",
            options->in, options->in);
    }
    CLI_TRY(job_parse(job));
    if (options->print_pipeline != JOB_PRINT_NONE && !options->in) {
        return print_without_input(job);
    }
    if (!options->in) {
        return cli_fail(GF_ERROR_ARGUMENT, "no input is given: gpufilter IN OUT --stages LIST");
    }
    bool is_signal = false;
    CLI_TRY(job_is_signal(job, &is_signal));
    job->onward_from = is_signal ? 0 : job_onward_from(job);
    if (is_signal || job->onward_from > 0) {
        CLI_TRY(job_check_signal(job));
        CLI_TRY(check_files(job));
        CLI_TRY(make_context(job));
        return is_signal ? job_run_signal(job) : job_run_onward(job);
    }
    CLI_TRY(check_output(job));
    CLI_TRY(job_check_tables(job, false));
    CLI_TRY(check_files(job));
    return run(job);
}

static int print_help(void)
{
    struct buffer text = {0};
    usage_add(&text);
    gf_status status = buffer_to_stdout(&text);
    buffer_free(&text);
    return gf_status_exit_code(status);
}

static void close_job(struct job *job)
{
    progress_end();
    job_close_files(job);
    job_close_others(job);
    gf_exec_destroy(&job->exec);
    gf_exec_destroy(&job->front);
    gf_plan_destroy(&job->plan);
    gf_pipeline_destroy(&job->pipeline);
    gf_context_destroy(&job->context);
    gf_picture_destroy(&job->made);
    gf_picture_destroy(&job->in);
    gf_picture_destroy(&job->before);
    buffer_free(&job->profile);
    buffer_free(&job->text);
    buffer_free(&job->report_head);
    buffer_free(&job->report_tail);
    job_options_free(&job->options);
}

int run_job(int count, char **words)
{
    if (count == 0) {
        usage_head_print(stderr);
        return gf_status_exit_code(GF_ERROR_ARGUMENT);
    }
    struct job job = {.info = GF_FILE_INFO_INIT, .times = {.began = now_ms()}};
    gf_status status = job_options_read(count, words, &job.options);
    int code = 0;
    if (status == GF_OK && job.options.help) {
        code = print_help();
    } else if (status == GF_OK && job.options.version) {
        code = run_version(find_command("version"), 0, NULL);
    } else {
        status = status == GF_OK ? start(&job) : status;
        code = gf_status_exit_code(status);
    }
    close_job(&job);
    return code;
}
