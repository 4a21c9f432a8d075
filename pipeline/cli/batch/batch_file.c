/* A file of a batch: a job of its own, whose parts are called by the queue's threads. */
#include "batch/batch_file.h"

#include "base/message.h"
#include "job/limit_option.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void batch_file_begin(struct batch_file *file)
{
    file->job = (struct job){
        .options = file->batch->options.job, .format = file->job.format, .info = GF_FILE_INFO_INIT};
    file->job.few_colours = job_makes_few_colours(file->batch->base.pipeline);
    file->job.options.in = file->input.path;
    file->job.options.out = file->out;
    file->job.memory = file->input.member ? &file->input.member->bytes : NULL;
    file->job.options.threads = 1; /* as there is a file for every processor */
}

/* The kind by its place in the list of formats; -1: none. */
static int32_t kind_of(const gf_format *format)
{
    int32_t kind = 0;
    while (format && gf_io_format((size_t)kind) && gf_io_format((size_t)kind) != format) {
        kind++;
    }
    return format ? kind : -1;
}

/* Closes all that it has of the system. */
static void close_file(struct batch_file *file)
{
    job_close_files(&file->job);
    batch_file_number_leave(file->batch, file->job.file);
    batch_variant_leave(&file->batch->variants, file->variant);
    file->variant = NULL;
    batch_tables_drop(file);
}

void batch_file_free(struct batch_file *file)
{
    close_file(file);
    if (file->input.member) {
        batch_leave_member(file->batch, file->input.member, file->out, file->is_made);
        file->out = NULL;
    }
    batch_input_free(&file->input);
    buffer_free(&file->json);
    buffer_free(&file->lines);
    buffer_free(&file->report_line);
    buffer_free(&file->journal_line);
    buffer_free(&file->text);
    buffer_free(&file->head);
    free(file->out);
    free(file);
}

/* ---- what the queue calls ---- */

static gf_status read_rows(void *user, void *data, int64_t pitch, int64_t count, gf_error *error)
{
    struct batch_file *file = user;
    file->rows_left -= count;
    return file->rows.rows(file->rows.user, data, pitch, count, error);
}

static gf_status read_again(void *user, gf_error *error)
{
    struct batch_file *file = user;
    file->rows_left = file->rows.shape.height;
    return file->rows.again(file->rows.user, error);
}

static gf_status open_input(void *user, gf_source *source, gf_error *error)
{
    struct batch_file *file = user;
    cli_catch(error);
    gf_status status = batch_file_look(file); /* opens it: here, where descriptors are counted */
    if (status != GF_OK || file->is_signal) {
        status = status == GF_OK ? batch_file_run_signal(file, error) : status;
        cli_catch(NULL);
        return status;
    }
    status = job_open_input(&file->job);
    if (status == GF_OK && (file->batch->waits || file->job.options.fast_load)) {
        status = batch_file_settle(file);
    }
    cli_catch(NULL);
    if (status == GF_OK) {
        file->kind = batch_kind_make(file->kind, job_alpha(&file->job));
        file->rows = job_source(&file->job);
        file->rows_left = file->rows.shape.height;
        *source = file->rows;
        source->rows = read_rows;
        source->again = file->rows.again ? read_again : NULL;
        source->user = file;
    }
    return status;
}

static gf_status finish_input(struct batch_file *file)
{
    gf_status status = file->is_finished ? GF_OK : job_finish_input(&file->job);
    file->is_finished = true;
    return status;
}

/* 0 is the program's own. */
int batch_file_number(struct batch *batch)
{
    int number = 1;
    pthread_mutex_lock(&batch->lock);
    while (number < SIGNALS_FILES - 1 && batch->in_use[number]) {
        number++;
    }
    batch->in_use[number] = true;
    pthread_mutex_unlock(&batch->lock);
    return number;
}

void batch_file_number_leave(struct batch *batch, int number)
{
    if (number > 0) {
        pthread_mutex_lock(&batch->lock);
        batch->in_use[number] = false;
        pthread_mutex_unlock(&batch->lock);
    }
}

/* Tells the journal which file is about to appear. One that is written straight to its place is there all the
 * time, whole or not: of that nothing is told before it is done. */
static gf_status announce(struct batch_file *file)
{
    const char *temporary = signals_temporary(file->job.file);
    struct file_identity made = temporary ? identity_of(temporary) : (struct file_identity){.size = -1};
    return made.size >= 0 ? journal_add(&file->batch->journal, &file->entry, JOURNAL_WRITING, &made, NULL, 0,
                                        &file->journal_line)
                          : GF_OK;
}

static gf_status begin_output(struct batch_file *file, const gf_plan *plan)
{
    struct job *job = &file->job;
    job->plan = (gf_plan *)(uintptr_t)plan;
    CLI_TRY(file->rows_left == 0 ? finish_input(file) : GF_OK);
    CLI_TRY(job->memory ? GF_OK : batch_output_folders(file->out));
    job->file = batch_file_number(file->batch);
    return job_open_output(job);
}

static gf_status open_output(void *user, const gf_plan *plan, gf_sink *sink, gf_error *error)
{
    struct batch_file *file = user;
    cli_catch(error);
    gf_status status = begin_output(file, plan);
    cli_catch(NULL);
    if (status == GF_OK) {
        *sink = job_sink(&file->job);
    }
    return status;
}

static gf_status check(void *user, const gf_plan *plan, gf_exec *exec, const gf_image *in,
                       const gf_image *out, gf_error *error)
{
    struct batch_file *file = user;
    file->job.plan = (gf_plan *)(uintptr_t)plan;
    file->job.exec = exec;
    cli_catch(error);
    gf_status status = job_verify(&file->job, in, out);
    cli_catch(NULL);
    return status;
}

static gf_status make_results(struct batch_file *file, gf_error *error)
{
    const struct batch *batch = file->batch;
    gf_status status = GF_OK;
    if (job_result_count(&file->job) == 0) {
        return GF_OK;
    }
    if (batch->report.fd >= 0 && batch->report.csv) {
        batch_report_rows(&file->lines, file->input.path, &file->job);
    } else if (batch->report.fd >= 0 || batch->tells_json) {
        buffer_add(&file->json, ",");
        status = batch_report_results(&file->json, &file->job, error);
    }
    if (status == GF_OK && file->json.length > 0) {
        job_add_tables(&file->json, &file->job);
    }
    if (status == GF_OK && batch->prints) {
        status = job_add_results(&file->text, &file->job, GF_PRINT_TEXT, error);
    }
    bool failed = file->json.failed || file->lines.failed || file->text.failed;
    return status == GF_OK && failed ? cli_error(error, GF_ERROR_MEMORY, "out of memory") : status;
}

/* The line of the report lacks no memory when the output is there. */
static gf_status reserve(struct batch_file *file, gf_error *error)
{
    size_t names = strlen(file->input.path) + (file->out ? strlen(file->out) : 0);
    if (file->batch->report.fd >= 0 && !file->batch->report.csv) {
        buffer_reserve(&file->report_line, file->json.length + file->head.length + 6 * names + 1024);
    }
    return file->report_line.failed ? cli_error(error, GF_ERROR_MEMORY, "out of memory") : GF_OK;
}

gf_status batch_file_finish(struct batch_file *file)
{
    gf_error error = GF_ERROR_INIT;
    CLI_TRY(batch_tables_make(file));
    CLI_TRY(cli_told(make_results(file, &error), &error));
    CLI_TRY(cli_told(reserve(file, &error), &error));
    CLI_TRY(file->is_signal ? GF_OK : finish_input(file));
    CLI_TRY(batch_tables_write(file));
    if (!file->is_signal && job_lacks_exif(&file->job)) {
        job_note_late_exif(&file->job);
    }
    if (file->job.writer || (file->is_signal && file->out)) {
        const gf_status status = announce(file);
        file->stops = status != GF_OK; /* whoever goes on could not tell what was done */
        CLI_TRY(status);
    }
    return GF_OK;
}

static gf_status done(void *user, gf_exec *exec, gf_error *error)
{
    struct batch_file *file = user;
    cli_catch(error);
    file->job.exec = exec;
    gf_status status = batch_file_finish(file);
    status = status == GF_OK ? job_commit_output(&file->job) : status;
    cli_catch(NULL);
    return status;
}

/* ---- the end of it ---- */

static void begin_again(void *user)
{
    struct batch_file *file = user;
    close_file(file);
    batch_file_begin(file);
    file->kind = kind_of(file->job.format);
    file->is_finished = false;
    file->head.length = file->json.length = file->lines.length = file->text.length = 0;
}

/* Tells whether it is the disk that is full, or what the user may have of it. */
static bool lacks_room(const gf_batch_outcome *outcome)
{
    const int32_t why = outcome->status != GF_OK ? outcome->error->system : 0;
    return why == ENOSPC || why == EDQUOT;
}

/* The report comes before the journal: else whoever goes on after the two would miss a line. */
static void keep(struct batch_file *file, const gf_batch_outcome *outcome, const char *why, double ms)
{
    struct batch *batch = file->batch;
    if (file->stops ||
        batch_is_stopped(batch)) { /* what stopped it is said elsewhere, and the journal may be what failed */
        return;
    }
    gf_status status = outcome->status == GF_OK ? batch_tables_append(file) : GF_OK;
    status = status == GF_OK && outcome->status == GF_OK ? batch_file_report(file, outcome) : status;
    if (status == GF_OK && outcome->status != GF_ERROR_CANCELLED) {
        if (file->in_place && outcome->status == GF_OK) {
            file->entry.was = identity_of(file->out);
        }
        const int code = gf_status_exit_code(outcome->status);
        file->entry.again = why && (outcome->error->system || (code != 2 && code != 3));
        status = journal_add(&batch->journal, &file->entry, why ? JOURNAL_FAILED : JOURNAL_DONE, NULL, why,
                             ms, &file->journal_line);
    }
    if (status != GF_OK) {
        batch_stop(batch, status);
    }
}

/* Names the option where the error is a limit, as a job says it. */
static void explain(const gf_batch_outcome *outcome, gf_error *said)
{
    *said = (gf_error)GF_ERROR_INIT;
    if (outcome->status != GF_OK) {
        cli_catch(said);
        limit_told(outcome->status, outcome->error);
        cli_catch(NULL);
    }
}

static void over(void *user, const gf_batch_outcome *outcome)
{
    struct batch_file *file = user;
    struct batch *batch = file->batch;
    gf_error said;
    const gf_batch_outcome own = batch_file_outcome(file, outcome);
    outcome = &own;
    double ms = outcome->read_ms + outcome->run_ms + outcome->write_ms;
    explain(outcome, &said);
    gf_writer_abort(&file->job.writer);
    bool good = outcome->status == GF_OK, full = lacks_room(outcome);
    bool dropped = outcome->status == GF_ERROR_CANCELLED || (full && batch_is_stopped(batch));
    file->is_made = good;
    keep(file, outcome, good ? NULL : said.message, ms);
    if (good && file->text.length > 0) {
        batch_print(batch, &file->text);
    }
    if (outcome->fell_back) {
        cli_detail("%s: the GPU failed, and the CPU did it", file->input.path);
    }
    bool in_line = good && batch->tells_json && file->json.length && batch->report.fd < 0;
    batch_tell(batch, &(struct batch_end){.input = file->input.path,
                                          .output = file->out,
                                          .status = good      ? "done"
                                                    : dropped ? "dropped"
                                                              : "failed",
                                          .why = good ? NULL : said.message,
                                          .code = outcome->status,
                                          .more = in_line ? &file->json : NULL,
                                          .pixels = outcome->in.width * outcome->in.height,
                                          .bytes = (int64_t)file->job.info.file_bytes,
                                          .device = outcome->device,
                                          .verified = file->job.verified,
                                          .judge = file->job.judge,
                                          .ms = ms});
    if (file->stops) {
        batch_stop(batch, outcome->status);
    } else if (full && batch_stop(batch, outcome->status)) {
        cli_fail(outcome->status,
                 "%s\n  no more files are begun: there is no room for them. Make some, and run it again%s",
                 said.message, batch->options.journal ? " with --resume" : "");
    }
    batch_file_free(file);
}

gf_batch_item batch_file_item(struct batch_file *file)
{
    gf_batch_item item = GF_BATCH_ITEM_INIT;
    file->kind = kind_of(file->job.format);
    item.open = open_input;
    item.output = file->out ? open_output : NULL;
    item.done = done;
    item.check = file->job.options.verify ? check : NULL;
    item.opened_kind = &file->kind;
    item.end = over;
    item.again = begin_again;
    item.user = file;
    return item;
}
