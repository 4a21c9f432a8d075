/* What comes before the queue: whether a file has to be done at all. */
#define _POSIX_C_SOURCE 200809L /* strdup */
#include "base/message.h"
#include "batch/batch_file.h"
#include "gpufilter/signal_io.h"

#include <stdlib.h>
#include <string.h>

/* Ends a file that has not come to the queue, and frees it. */
static void end_early(struct batch_file *file, const char *status, const char *why, gf_status code)
{
    struct batch *batch = file->batch;
    if (!strcmp(status, "failed") && !file->is_known) {
        gf_status kept = journal_add(&batch->journal, &file->entry, JOURNAL_FAILED, NULL, why, 0, NULL);
        if (kept != GF_OK) {
            batch_stop(batch, kept);
        }
    }
    batch_tell(batch, &(struct batch_end){.input = file->input.path,
                                          .output = file->out,
                                          .status = status,
                                          .why = why,
                                          .code = code,
                                          .device = GF_DEVICE_AUTO});
    batch_file_free(file);
}

static struct batch_file *make_file(struct batch *batch, struct batch_input *input)
{
    struct batch_file *file = calloc(1, sizeof *file);
    if (!file) {
        return NULL;
    }
    file->batch = batch;
    file->input = *input;
    *input = (struct batch_input){0};
    file->out = batch->options.output ? batch_output_of(&batch->options, &file->input) : NULL;
    if (batch->options.output && !file->out) {
        batch_file_free(file);
        return NULL;
    }
    const struct file_identity none = {.size = -1};
    file->entry = (struct journal_entry){file->input.path, file->out,
                                         file->input.member ? none : identity_of(file->input.path), false};
    batch_file_begin(file);
    return file;
}

/* Returns what the journal says. An output that appeared just before the batch was killed is done, and noted
 * as that; but where there is a report, its line may be missing, so that it is done again. */
static enum journal_status look(struct batch_file *file)
{
    struct batch *batch = file->batch;
    enum journal_status known =
        batch->options.resume ? journal_look(&batch->journal, &file->entry) : JOURNAL_NOTHING;
    if (known != JOURNAL_APPEARED) {
        return known;
    }
    if (batch->report.fd >= 0) {
        return JOURNAL_NOTHING;
    }
    gf_status status = journal_add(&batch->journal, &file->entry, JOURNAL_DONE, NULL, NULL, 0, NULL);
    if (status != GF_OK) {
        batch_stop(batch, status);
    }
    return JOURNAL_DONE;
}

/* Tells whether it is over before it begins. */
static bool is_over(struct batch_file *file)
{
    struct batch *batch = file->batch;
    const struct batch_options *o = &batch->options;
    gf_error error = GF_ERROR_INIT;
    if (file->input.why) {
        end_early(file, "failed", file->input.why, GF_ERROR_INPUT);
        return true;
    }
    if (file->entry.was.waits) {
        cli_error(&error, GF_ERROR_INPUT, "%s: is a pipe, device or socket, and a batch reads only files",
                  file->input.path);
        end_early(file, "failed", error.message, GF_ERROR_INPUT);
        return true;
    }
    if (batch->read > 0) { /* of --from -, whose names come one by one */
        cli_catch(&error);
        gf_status status = batch_ledger_take(&batch->ledger, o, NULL, &file->input, batch->read);
        cli_catch(NULL);
        if (status != GF_OK) {
            end_early(file, "failed", error.message, status);
            return true;
        }
    }
    enum journal_status known = look(file);
    if (known == JOURNAL_DONE) {
        end_early(file, "skipped", "the journal says it is done", GF_OK);
        return true;
    }
    if (known == JOURNAL_FAILED && !o->retry_failed) {
        file->is_known = true;
        end_early(file, "failed", "it failed before, as the journal says; --retry-failed tries again",
                  GF_ERROR_INPUT);
        return true;
    }
    struct file_identity there = {.size = -1};
    if (file->out && !file->input.member) {
        there = identity_of(file->out);
    }
    if (o->skip_existing && there.size >= 0) {
        end_early(file, "skipped", "its output exists", GF_OK);
        return true;
    }
    file->in_place = there.size >= 0 && file->entry.was.size >= 0 && there.device == file->entry.was.device &&
                     there.inode == file->entry.was.inode;
    const gf_signal_format *of_signal;
    if (file->out && gf_io_format_for(file->out, o->job.format, &file->job.format, &error) != GF_OK &&
        gf_signal_io_format_for(file->out, o->job.format, &of_signal, NULL) != GF_OK) {
        end_early(file, "failed", error.message, error.code);
        return true;
    }
    return false;
}

gf_status batch_give(struct batch *batch, struct batch_input *input)
{
    gf_error error = GF_ERROR_INIT;
    struct batch_file *file = make_file(batch, input);
    if (!file) {
        batch_input_free(input);
        return cli_fail(GF_ERROR_MEMORY, "out of memory");
    }
    if (is_over(file)) {
        return GF_OK;
    }
    gf_batch_item item = batch_file_item(file);
    gf_status status = gf_batch_add(batch->queue, &item, &error);
    if (status == GF_ERROR_CANCELLED) {
        end_early(file, "dropped", error.message, status);
    } else if (status != GF_OK) {
        batch_file_free(file);
        return cli_fail_error(status, &error);
    }
    return status;
}
