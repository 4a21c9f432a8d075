/* What a job did: results as text, the report as JSON, and the closing line. */
#define _POSIX_C_SOURCE 200809L
#include "job/job_signal.h"

#include "base/argument_value.h"
#include "base/message.h"
#include "base/output_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static gf_run_stats run_stats(const struct job *job)
{
    gf_run_stats stats = {.struct_size = sizeof stats};
    if (job->exec) {
        gf_exec_run_stats(job->exec, &stats);
    }
    return stats;
}

/* ---- results ---- */

static bool results_on_stderr(const struct job_options *options)
{
    return options->out && is_standard_output(options->out);
}

/* A long table is not for a person at a terminal; a file or a pipe gets all of it. */
static gf_print_format text_format(const struct job_options *options)
{
    return isatty(results_on_stderr(options) ? STDERR_FILENO : STDOUT_FILENO) ? GF_PRINT_BRIEF
                                                                              : GF_PRINT_TEXT;
}

static gf_status add_results(struct buffer *text, const char *name, const struct job *job,
                             gf_print_format format, gf_error *error)
{
    gf_status status = GF_OK;
    for (int32_t i = 0; i < job_result_count(job) && status == GF_OK; i++) {
        buffer_add(text, i ? "\n" : "");
        if (name) { /* of one of many pictures, perhaps */
            output_add_name(text, name);
            buffer_add(text, ": ");
        }
        status = buffer_add_result(text, job_result(job, i), format, error);
    }
    return status;
}

gf_status job_add_results(struct buffer *text, const struct job *job, gf_print_format format, gf_error *error)
{
    return add_results(text, job_in_name(job), job, format, error);
}

static gf_status make_text(struct job *job, gf_error *error)
{
    const char *name = job->options.out ? job_in_name(job) : NULL;
    return add_results(&job->text, name, job, text_format(&job->options), error);
}

/* -q silences results beside an output, and so does a file that takes standard output. Where there is none,
 * they are what the run is for. */
static bool prints_results(const struct job *job)
{
    const struct job_options *options = &job->options;
    bool taken = options->report && is_standard_output(options->report);
    for (int i = 0; i < options->n_tables; i++) {
        taken = taken || is_standard_output(options->tables[i].path);
    }
    bool silent = cli_verbosity() == CLI_QUIET && (options->out || options->report || options->n_tables > 0);
    return !taken && !silent;
}

gf_status job_print_results(const struct job *job)
{
    if (results_on_stderr(&job->options)) {
        buffer_print(&job->text, stderr);
        return GF_OK;
    }
    return buffer_to_stdout(&job->text);
}

/* ---- the report ---- */

void job_add_picture(struct buffer *text, const char *path, const gf_format *format, gf_shape shape,
                     uint64_t hash)
{
    buffer_add(text, "{\"path\":");
    buffer_json_text(text, path);
    buffer_add(text, ",\"format\":");
    if (format) {
        buffer_json_text(text, format->name);
    } else {
        buffer_add(text, "null");
    }
    buffer_printf(text, ",\"width\":%" PRId64 ",\"height\":%" PRId64 ",\"channels\":%d,\"depth\":\"%s\"",
                  shape.width, shape.height, (int)shape.channels, gf_depth_name(shape.depth));
    if (hash) {
        buffer_printf(text, ",\"hash\":\"%016" PRIx64 "\"", hash);
    }
    buffer_add(text, "}");
}

/* Bytes that add_times may add: a name and a number of milliseconds each. */
static size_t times_room(const struct job *job)
{
    return (size_t)(8 + (job->exec ? gf_plan_step_count(job->plan) : 0)) * 64;
}

static void add_time(struct buffer *text, const char *name, double ms)
{
    buffer_printf(text, "%s\"%s\":%.3f", strcmp(name, "start") ? "," : "", name, ms);
}

static void add_times(struct buffer *text, const struct job *job)
{
    gf_run_stats stats = run_stats(job);
    buffer_add(text, ",\"times_ms\":{");
    add_time(text, "start", job->times.start);
    add_time(text, "decode", job->times.decode);
    add_time(text, "upload", stats.upload_ms);
    add_time(text, "kernels", stats.kernels_ms);
    add_time(text, "download", stats.download_ms);
    add_time(text, "encode", job->times.encode);
    add_time(text, "total", job->times.total);
    buffer_add(text, ",\"passes\":[");
    for (int32_t i = 0; job->exec && i < gf_plan_step_count(job->plan); i++) {
        gf_step_stats step = {.struct_size = sizeof step};
        gf_exec_step_stats(job->exec, i, &step);
        buffer_printf(text, "%s%.3f", i ? "," : "", step.milliseconds);
    }
    buffer_add(text, "]}");
}

static gf_status make_report_head(struct job *job, gf_error *error)
{
    struct buffer *text = &job->report_head;
    char word[24];
    buffer_printf(text, "{\"version\":\"%s\",\"input\":", gf_version());
    if (job->signal) {
        return job_add_signal_head(text, job, error);
    }
    job_add_picture(text, job->options.in, job->info.format, job->info.shape, job->hash_in);
    job_add_others(text, job);
    buffer_add(text, ",\"output\":");
    if (job->format) {
        job_add_picture(text, job->options.out, job->format, gf_plan_output(job->plan), job->hash_out);
    } else {
        buffer_add(text, "null");
    }
    buffer_add(text, ",\"plan\":");
    gf_status status = buffer_add_plan(text, job->plan, GF_PRINT_JSON, error);
    device_word(gf_plan_device(job->plan), word);
    buffer_printf(text, ",\"device\":\"%s\"", word);
    if (job->verified) {
        device_word(job->judge, word);
        buffer_printf(text, ",\"verified_by\":\"%s\"", word);
    }
    return status;
}

static gf_status make_report_tail(struct job *job, gf_error *error)
{
    struct buffer *text = &job->report_tail;
    gf_status status = GF_OK;
    buffer_add(text, ",\"results\":[");
    for (int32_t i = 0; i < job_result_count(job) && status == GF_OK; i++) {
        buffer_add(text, i ? "," : "");
        status = buffer_add_result(text, job_result(job, i), GF_PRINT_JSON, error);
    }
    buffer_add(text, "]");
    if (job->options.n_tables > 0) {
        job_add_tables(text, job);
    }
    buffer_add(text, "}\n");
    return status;
}

gf_status job_make_texts(struct job *job)
{
    gf_error error = GF_ERROR_INIT;
    CLI_TRY(job_make_tables(job));
    gf_status status = prints_results(job) ? make_text(job, &error) : GF_OK; /* a table may be long */
    if (job->options.report && status == GF_OK) {
        status = make_report_head(job, &error);
        status = status == GF_OK ? make_report_tail(job, &error) : status;
        buffer_reserve(&job->report_head, times_room(job) + job->report_tail.length);
    }
    CLI_TRY(cli_told(status, &error));
    bool failed = job->text.failed || job->report_head.failed || job->report_tail.failed;
    return cli_need_memory(!failed);
}

gf_status job_write_report(struct job *job)
{
    add_times(&job->report_head, job);
    buffer_add_bytes(&job->report_head, job->report_tail.data, job->report_tail.length);
    return output_write_text(job->options.report, &job->report_head);
}

/* ---- the closing line ---- */

/* Steps that go over the picture: those from block to block do not count. */
static int32_t count_passes(const gf_plan *plan)
{
    int32_t passes = 0;
    for (int32_t i = 0; i < gf_plan_step_count(plan); i++) {
        gf_step_info info = {.struct_size = sizeof info};
        passes += gf_plan_step(plan, i, &info) == GF_OK && info.kind != GF_STEP_KIND_SOLVE;
    }
    return passes;
}

/* Says, with -v, the time of each step. */
static void say_passes(const struct job *job)
{
    for (int32_t i = 0; job->exec && i < gf_plan_step_count(job->plan); i++) {
        gf_step_stats stats = {.struct_size = sizeof stats};
        gf_step_info info = {.struct_size = sizeof info};
        if (gf_exec_step_stats(job->exec, i, &stats) == GF_OK && gf_plan_step(job->plan, i, &info) == GF_OK) {
            cli_detail("%s %d: %s, %.1f ms", gf_step_kind_name(info.kind), i + 1, info.label,
                       stats.milliseconds);
        }
    }
}

void job_say_done(const struct job *job)
{
    if (cli_verbosity() == CLI_QUIET || (cli_verbosity() == CLI_NORMAL && !isatty(STDERR_FILENO))) {
        return;
    }
    gf_shape shape = job->format ? gf_plan_output(job->plan) : job->info.shape;
    const char *name = job->format ? job_out_name(job) : job_in_name(job);
    int32_t passes = count_passes(job->plan);
    gf_run_stats run = run_stats(job);
    char device[24], encode[40] = "", start[40] = "";
    device_word(gf_plan_device(job->plan), device);
    if (job->format) {
        snprintf(encode, sizeof encode, ", encode %.1f", job->times.encode);
    }
    if (gf_plan_device(job->plan) >= 0 && job->exec) {
        snprintf(start, sizeof start, "start %.1f, ", job->times.start);
    }
    cli_note("%s: %" PRId64 " x %" PRId64
             " %s %s, %d pass%s on %s; %sdecode %.1f, filter %.1f%s ms, %.1f in all%s",
             name, shape.width, shape.height, channels_word(shape.channels), gf_depth_name(shape.depth),
             passes, passes == 1 ? "" : "es", device, start, job->times.decode,
             run.upload_ms + run.kernels_ms + run.download_ms, encode, job->times.total,
             job->in_bands ? ", as they overlap" : "");
    say_passes(job);
}
