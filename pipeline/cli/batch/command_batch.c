/* gpufilter batch IN... -o DIR --stages LIST: many pictures, in one process. */
#define _POSIX_C_SOURCE 200809L
#include "base/message.h"
#include "base/output_file.h"
#include "batch/batch_run.h"
#include "help/commands.h"
#include "job/job_signal.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_SOME_FAILED = 8 };

/* ---- before anything runs ---- */

/* Tells apart what the batch as a whole reads and writes, and enters it to be told apart from pictures. */
static gf_status check_files(struct batch *batch)
{
    const struct batch_words *from = &batch->options.from;
    struct run_file files[4 + JOB_MOST_TABLES + BATCH_MOST_WORDS] = {{"IN", NULL, false},
                                                                     {"OUT", NULL, true},
                                                                     {"--report", batch->report_path, true},
                                                                     {"--journal", batch->journal_path,
                                                                      true}},
                                                *all = NULL;
    int count = 4 + batch_tables_common(&batch->options.job, files + 4);
    if (batch->options.tar) {
        files[0].path = batch->options.inputs[0];
        files[1].path = batch->options.output;
    }
    for (int i = 0; i < from->count; i++) {
        files[count++] = (struct run_file){"--from", from->at[i], false};
    }
    gf_status status = job_check_files(&batch->base, files, count, &all, &count);
    return status == GF_OK ? batch_ledger_begin(&batch->ledger, all, count) : status;
}

/* The pipeline, and what its stages read beside each input: a mistake in it is no file's. */
static gf_status prepare_base(struct batch *batch)
{
    struct job *base = &batch->base;
    base->options = batch->options.job;
    base->options.in = "";
    base->options.out = batch->options.output;
    gf_status status = job_parse(base);
    batch->waits = status == GF_OK && gf_pipeline_unsettled(base->pipeline) >= 0;
    const bool pictures = status == GF_OK && !job_has_stage_without(base->pipeline, false);
    status = status == GF_OK ? job_check_tables(base, !pictures) : status;
    status = status == GF_OK ? check_files(batch) : status;
    status = status == GF_OK ? job_read_lists(base) : status;
    return status == GF_OK && pictures ? job_open_others(base)
                                       : status; /* those of signals are each file's */
}

static gf_status name_files(struct batch *batch)
{
    const struct batch_options *o = &batch->options;
    if (o->journal) {
        batch->journal_path = batch_shard_name(o, o->journal);
    }
    if (o->report) {
        batch->report_path = batch_shard_name(o, o->report);
    }
    bool lacks = (o->journal && !batch->journal_path) || (o->report && !batch->report_path);
    return cli_need_memory(!lacks);
}

/* Leaves what is another shard's. */
static void keep_shard(struct batch *batch)
{
    struct batch_list *list = &batch->list;
    int64_t kept = 0;
    for (int64_t i = 0; i < list->count; i++) {
        if (batch_shard_has(&batch->options, list->at[i].below)) {
            list->at[kept++] = list->at[i];
        } else {
            batch_input_free(&list->at[i]);
        }
    }
    list->count = kept;
}

static gf_status find_inputs(struct batch *batch)
{
    const struct batch_options *o = &batch->options;
    if (o->tar) { /* what is in it is seen as it comes */
        batch->files = -1;
        return GF_OK;
    }
    bool is_folder = o->output && !batch_output_is_template(o->output);
    CLI_TRY(batch_list_make(o, is_folder ? o->output : NULL, &batch->list));
    if (batch->list.count == 0 && !batch_reads_stdin(o)) {
        batch_tell_others(batch);
        return cli_fail(GF_ERROR_INPUT, "there is no picture among the inputs%s%s",
                        batch->list.others ? ": no file of the folders has a name that is wanted" : "",
                        o->recursive || o->n_inputs == 0 ? "" : "; -r looks into the folders below, too");
    }
    batch->ledger.makes_folders = batch_reads_stdin(o) && !o->dry_run;
    for (int64_t i = 0; i < batch->list.count; i++) {
        CLI_TRY(batch_ledger_take(&batch->ledger, o, &batch->list, &batch->list.at[i], i));
    }
    if (!batch_reads_stdin(o)) {
        batch_ledger_free(&batch->ledger);
    }
    keep_shard(batch);
    batch->files = batch_reads_stdin(o) ? -1 : batch->list.count;
    return GF_OK;
}

/* Decides who is told what. */
static void choose_voice(struct batch *batch)
{
    const struct batch_options *o = &batch->options;
    const bool tar_there = o->tar && o->output && is_standard_output(o->output);
    bool taken = tar_there || (o->report && is_standard_output(o->report));
    bool is_quiet = cli_verbosity() == CLI_QUIET;
    bool is_terminal = isatty(STDERR_FILENO);
    bool is_auto = o->progress == BATCH_PROGRESS_AUTO && !is_quiet;
    batch->tells_json = o->progress == BATCH_PROGRESS_JSON || (is_auto && !is_terminal && !taken);
    batch->tells_line = is_auto && is_terminal;
    batch->prints = !batch->tells_json && !o->report && !tar_there && !(is_quiet && o->output);
}

/* ---- --dry-run ---- */

static gf_status show_inputs(const struct batch *batch)
{
    struct buffer text = {0};
    for (int64_t i = 0; i < batch->list.count; i++) {
        const struct batch_input *input = &batch->list.at[i];
        char *out = batch->options.output && !input->why ? batch_output_of(&batch->options, input) : NULL;
        buffer_add(&text, input->path);
        buffer_printf(&text, "%s%s\n", out ? " -> " : "", out ? out : "");
        free(out);
    }
    gf_status status = buffer_to_stdout(&text);
    buffer_free(&text);
    batch_tell_others(batch);
    return status;
}

/* ---- the run ---- */

static gf_status give_list(struct batch *batch)
{
    for (int64_t i = 0; i < batch->list.count && !batch_has_ended(batch); i++) {
        CLI_TRY(batch_give(batch, &batch->list.at[i]));
    }
    return GF_OK;
}

/* Names as they come: a program that writes them may wait for the answers. */
static gf_status give_stdin(struct batch *batch)
{
    gf_status status = GF_OK;
    struct batch_input input;
    struct text_stream names = {.file = stdin};
    while (status == GF_OK && !batch_has_ended(batch) &&
           batch_list_next(&batch->options, &names, "-", &input, &status)) {
        if (!batch_shard_has(&batch->options, input.below)) {
            batch_input_free(&input);
            continue;
        }
        batch->read++;
        status = batch_give(batch, &input);
    }
    return status;
}

static gf_status run(struct batch *batch)
{
    gf_error error = GF_ERROR_INIT;
    CLI_TRY(job_read_others(&batch->base));
    CLI_TRY(batch_make_queue(batch));
    batch_watch_begin(batch);
    gf_status status = batch->options.tar ? batch_give_tar(batch) : give_list(batch);
    if (status == GF_OK && batch_reads_stdin(&batch->options)) {
        status = give_stdin(batch);
    }
    if (status != GF_OK && status != GF_ERROR_CANCELLED) {
        batch_stop(batch, status);
    }
    gf_batch_finish(batch->queue, &error);
    batch_watch_end(batch);
    status = journal_sync(&batch->journal);
    batch_tell_end(batch);
    return batch->fatal != GF_OK ? batch->fatal : status;
}

static gf_status start(struct batch *batch)
{
    const struct batch_options *o = &batch->options;
    gf_error error = GF_ERROR_INIT;
    uint64_t hash = 0;
    CLI_TRY(o->tar ? GF_OK : batch_output_check(o));
    CLI_TRY(batch_tables_check(&o->job));
    CLI_TRY(name_files(batch));
    CLI_TRY(cli_told(gf_context_create(NULL, &batch->base.context, &error), &error));
    CLI_TRY(prepare_base(batch));
    CLI_TRY(find_inputs(batch));
    if (o->dry_run) {
        return show_inputs(batch);
    }
    choose_voice(batch);
    gf_status status = batch_plan_hash(batch, &hash);
    status = status == GF_OK ? journal_open(&batch->journal, batch->journal_path, o->resume, hash) : status;
    status = status == GF_OK ? batch_report_open(&batch->report, batch->report_path, o->resume) : status;
    status = status == GF_OK ? batch_tables_open(&batch->tables, &o->job, o->resume) : status;
    if (o->shards) {
        cli_detail("shard %lld of %lld%s%s", (long long)o->shard, (long long)o->shards,
                   *o->shard_from ? ", as told by " : "", o->shard_from);
    }
    const char *first = o->shards == 1 && *o->shard_from ? getenv("SLURM_ARRAY_TASK_MIN") : NULL;
    if (first && atoi(first) > 1) {
        cli_note(
            "note: --shard auto: task %s is the only one of its array, so all files are done: part 1 of 1",
            first);
    }
    return status == GF_OK ? run(batch) : status;
}

static void close_batch(struct batch *batch)
{
    gf_batch_destroy(&batch->queue);
    job_close_files(&batch->base);
    job_close_others(&batch->base);
    gf_pipeline_destroy(&batch->base.pipeline);
    gf_context_destroy(&batch->base.context);
    batch_list_free(&batch->list);
    batch_ledger_free(&batch->ledger);
    journal_close(&batch->journal);
    batch_report_close(&batch->report);
    batch_tables_close(&batch->tables);
    batch_variants_free(&batch->variants);
    for (int64_t i = 0; i < batch->n_failures; i++) {
        free(batch->failures[i].input);
        free(batch->failures[i].why);
    }
    free(batch->failures);
    free(batch->journal_path);
    free(batch->report_path);
    batch_options_free(&batch->options);
}

int run_batch(const struct cli_command *command, int count, char **words)
{
    static struct batch batch;
    batch = (struct batch){.began = now_ms(), .journal = {.fd = -1}, .report = {.fd = -1}};
#ifdef __GLIBC__ /* which else keeps freed blocks of up to 32 MiB in a heap for every thread, uncounted */
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
    mallopt(M_TRIM_THRESHOLD, 1 << 20);
#endif
    pthread_mutex_init(&batch.lock, NULL);
    pthread_mutex_init(&batch.looking, NULL);
    pthread_cond_init(&batch.member_over, NULL);
    batch_variants_begin(&batch.variants);
    batch_tables_begin(&batch.tables);
    gf_status status = batch_options_read(count, words, &batch.options);
    int code = 0;
    if (status == GF_OK && batch.options.help) {
        code = command_usage_print(command);
    } else {
        status = status == GF_OK ? start(&batch) : status;
        code = gf_status_exit_code(status);
        code = status == GF_OK && batch.failed > 0 ? EXIT_SOME_FAILED : code;
    }
    int number = atomic_load(&batch.signal);
    close_batch(&batch);
    if (number) { /* it ends as it would have, but after all was put in order */
        signal(number, SIG_DFL);
        raise(number);
    }
    return code;
}
