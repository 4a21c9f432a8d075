/* What a batch says: a line a file in JSON, a passing line on a terminal, and at the end what failed. */
#define _POSIX_C_SOURCE 200809L /* strdup */
#include "base/argument_value.h"
#include "base/message.h"
#include "base/output_file.h"
#include "batch/batch_run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a file is over ---- */

static void add_line(struct buffer *line, const struct batch_end *end)
{
    char device[24];
    buffer_add(line, "{\"input\":");
    buffer_json_name(line, end->input);
    if (end->output) {
        buffer_add(line, ",\"output\":");
        buffer_json_name(line, end->output);
    }
    buffer_printf(line, ",\"status\":\"%s\"", end->status);
    if (end->why) {
        buffer_printf(line, ",\"%s\":", end->code == GF_OK ? "reason" : "error");
        buffer_json_text(line, end->why);
    }
    if (!strcmp(end->status, "failed")) {
        buffer_printf(line, ",\"code\":%d", gf_status_exit_code(end->code));
    }
    if (!strcmp(end->status, "done")) {
        device_word(end->device, device);
        buffer_printf(line, ",\"pixels\":%" PRId64 ",\"bytes\":%" PRId64 ",\"device\":\"%s\",\"ms\":%.1f",
                      end->pixels, end->bytes, device, end->ms);
    }
    if (end->verified) {
        device_word(end->judge, device);
        buffer_printf(line, ",\"verified_by\":\"%s\"", device);
    }
    if (end->more) {
        buffer_add(line, end->more->data);
    }
    buffer_add(line, "}\n");
}

/* Called under the lock. */
static bool add_failure(struct batch *batch, const struct batch_end *end)
{
    if (batch->n_failures == batch->failure_room) {
        int64_t room = batch->failure_room ? 2 * batch->failure_room : 16;
        struct batch_failure *failures = realloc(batch->failures, (size_t)room * sizeof *failures);
        if (!failures) {
            return false;
        }
        batch->failures = failures;
        batch->failure_room = room;
    }
    struct batch_failure failure = {strdup(end->input), strdup(end->why)};
    batch->failures[batch->n_failures++] = failure;
    return failure.input && failure.why;
}

/* Tells, under the lock, whether more have failed than may. A share is one of all files, or of the first
 * twenty names of --from - and then of all that have come. */
static bool are_too_many(const struct batch *batch)
{
    const struct batch_options *o = &batch->options;
    int64_t ended = batch->done + batch->failed + batch->skipped;
    int64_t of = batch->files >= 0 ? batch->files : ended > 20 ? ended : 20;
    double most = o->max_is_percent ? o->max_failures / 100 * (double)of : o->max_failures;
    return o->max_failures >= 0 && (double)batch->failed > most;
}

void batch_tell(struct batch *batch, const struct batch_end *end)
{
    struct buffer line = {0};
    gf_status status = GF_OK;
    if (batch->tells_json) {
        add_line(&line, end);
    }
    pthread_mutex_lock(&batch->lock);
    bool is_failed = !strcmp(end->status, "failed"), is_done = !strcmp(end->status, "done");
    batch->done += is_done;
    batch->failed += is_failed;
    batch->skipped += !strcmp(end->status, "skipped");
    batch->dropped += !strcmp(end->status, "dropped");
    batch->verified += is_done && end->verified;
    batch->pixels += is_done ? end->pixels : 0;
    batch->bytes += is_done ? end->bytes : 0;
    if (is_failed && !add_failure(batch, end)) {
        status = batch->fatal != GF_OK ? batch->fatal : cli_fail(GF_ERROR_MEMORY, "out of memory");
    }
    bool stops = is_failed && !batch->too_many && are_too_many(batch);
    batch->too_many |= stops;
    pthread_mutex_unlock(&batch->lock);
    if (batch->tells_json && status == GF_OK) {
        batch_print(batch, &line);
    }
    buffer_free(&line);
    if (status != GF_OK) {
        batch_stop(batch, status);
    } else if (stops) {
        gf_batch_cancel(batch->queue);
    }
}

bool batch_stop(struct batch *batch, gf_status status)
{
    pthread_mutex_lock(&batch->lock);
    const bool first = batch->fatal == GF_OK;
    batch->fatal = first ? status : batch->fatal;
    pthread_mutex_unlock(&batch->lock);
    gf_batch_cancel(batch->queue);
    return first;
}

void batch_print(struct batch *batch, const struct buffer *text)
{
    pthread_mutex_lock(&batch->lock);
    const gf_status status = batch->is_mute ? GF_OK : buffer_to_stdout(text);
    batch->is_mute |= status != GF_OK;
    pthread_mutex_unlock(&batch->lock);
    if (status != GF_OK) {
        batch_stop(batch, status);
    }
}

bool batch_is_stopped(struct batch *batch)
{
    pthread_mutex_lock(&batch->lock);
    bool stopped = batch->fatal != GF_OK;
    pthread_mutex_unlock(&batch->lock);
    return stopped;
}

bool batch_has_ended(struct batch *batch)
{
    pthread_mutex_lock(&batch->lock);
    bool ended = batch->fatal != GF_OK || batch->too_many;
    pthread_mutex_unlock(&batch->lock);
    return ended || atomic_load(&batch->signal);
}

void batch_leave_member(struct batch *batch, struct batch_member *member, char *out, bool is_done)
{
    pthread_mutex_lock(&batch->lock);
    member->out = out;
    member->is_done = is_done;
    member->is_over = true;
    pthread_cond_broadcast(&batch->member_over);
    pthread_mutex_unlock(&batch->lock);
}

/* ---- how far it is ---- */

static void add_duration(struct buffer *text, double seconds)
{
    int64_t left = (int64_t)(seconds + 0.5);
    if (left >= 3600) {
        buffer_printf(text, "%" PRId64 ":%02" PRId64 ":%02" PRId64, left / 3600, left / 60 % 60, left % 60);
    } else {
        buffer_printf(text, "%" PRId64 ":%02" PRId64, left / 60, left % 60);
    }
}

void batch_tell_line(struct batch *batch)
{
    struct buffer text = {0};
    char line[CLI_STATUS_SIZE];
    double seconds = (now_ms() - batch->began) / 1000;
    pthread_mutex_lock(&batch->lock);
    int64_t ended = batch->done + batch->failed + batch->skipped, worked = batch->done + batch->failed;
    buffer_printf(&text, "%" PRId64, ended);
    if (batch->files >= 0) {
        buffer_printf(&text, " of %" PRId64, batch->files);
    }
    buffer_printf(&text, " files, %.1f Mpx/s, %.1f MB/s", (double)batch->pixels / 1e6 / seconds,
                  (double)batch->bytes / 1e6 / seconds);
    if (batch->files > ended && worked > 0) {
        buffer_add(&text, ", ");
        add_duration(&text, seconds / (double)worked * (double)(batch->files - ended));
        buffer_add(&text, " left");
    }
    if (batch->failed) {
        buffer_printf(&text, ", %" PRId64 " failed", batch->failed);
    }
    pthread_mutex_unlock(&batch->lock);
    snprintf(line, sizeof line, "%s", text.data ? text.data : "");
    buffer_free(&text);
    cli_status(line);
}

/* ---- at the end ---- */

static void name_failures(const struct batch *batch)
{
    struct buffer text = {0};
    if (batch->n_failures == 0) {
        return;
    }
    cli_fail(GF_ERROR_INPUT, "%" PRId64 " of %" PRId64 " file%s failed:", batch->failed,
             batch->done + batch->failed + batch->skipped + batch->dropped,
             batch->done + batch->failed + batch->skipped + batch->dropped == 1 ? "" : "s");
    for (int64_t i = 0; i < batch->n_failures; i++) {
        const struct batch_failure *failure = &batch->failures[i];
        const char *why = failure->why ? failure->why : "", *input = failure->input ? failure->input : "?";
        size_t length = strlen(input);
        bool named = !strncmp(why, input, length) && why[length] == ':';
        text.length = 0;
        buffer_printf(&text, "  %s%s%s", named ? "" : input, named ? "" : ": ", why);
        if (text.data) {
            cli_say_line(text.data);
        }
    }
    buffer_free(&text);
}

static void sum_up(const struct batch *batch)
{
    double seconds = (now_ms() - batch->began) / 1000;
    struct buffer text = {0};
    buffer_printf(&text, "%" PRId64 " done, %" PRId64 " failed, %" PRId64 " skipped", batch->done,
                  batch->failed, batch->skipped);
    if (batch->dropped) {
        buffer_printf(&text, ", %" PRId64 " dropped", batch->dropped);
    }
    buffer_printf(&text, "; %.1f Mpx, %.1f MB of files in %.1f s: %.1f Mpx/s", (double)batch->pixels / 1e6,
                  (double)batch->bytes / 1e6, seconds, (double)batch->pixels / 1e6 / seconds);
    if (batch->options.job.verify) {
        cli_note("verified: %" PRId64 " of %" PRId64 " files, bit for bit", batch->verified, batch->done);
    }
    if (batch->tells_line) {
        cli_note("%s", text.data ? text.data : "");
    } else {
        cli_detail("%s", text.data ? text.data : "");
    }
    buffer_free(&text);
}

void batch_tell_others(const struct batch *batch)
{
    const struct batch_list *list = &batch->list;
    if (list->kinds.length > 0 && batch->options.globs.count == 0) {
        cli_note("note: %" PRId64 " file%s not taken, as no format that is read has the suffix:%.*s",
                 list->others, list->others == 1 ? "" : "s", (int)list->kinds.length - 1, list->kinds.data);
    }
}

/* Adds "suffixes":["tif","webp"], those of the files that were not taken. */
static void add_suffixes(struct buffer *line, const struct batch *batch)
{
    const char *at = batch->list.kinds.data ? batch->list.kinds.data : "";
    buffer_add(line, ",\"suffixes\":[");
    for (bool first = true; batch->options.globs.count == 0 && *at; first = false) { /* " tif, webp," */
        char word[32];
        const size_t length = strcspn(at + 1, ",");
        snprintf(word, sizeof word, "%.*s", (int)length, at + 1);
        buffer_add(line, first ? "" : ",");
        buffer_json_name(line, word);
        at += length + 2;
    }
    buffer_add(line, "]");
}

void batch_tell_end(struct batch *batch)
{
    if (batch->tells_json && batch->fatal == GF_OK) {
        struct buffer line = {0};
        buffer_printf(&line,
                      "{\"summary\":{\"done\":%" PRId64 ",\"failed\":%" PRId64 ",\"skipped\":%" PRId64
                      ",\"dropped\":%" PRId64 ",\"not_taken\":%" PRId64,
                      batch->done, batch->failed, batch->skipped, batch->dropped, batch->list.others);
        add_suffixes(&line, batch);
        buffer_printf(&line, ",\"pixels\":%" PRId64 ",\"bytes\":%" PRId64 ",\"seconds\":%.3f}}\n",
                      batch->pixels, batch->bytes, (now_ms() - batch->began) / 1000);
        batch->fatal = buffer_to_stdout(&line);
        buffer_free(&line);
    }
    name_failures(batch);
    if (batch->too_many) {
        cli_fail(GF_ERROR_INPUT, "ended early: more files failed than --max-failures allows");
    }
    batch_tell_others(batch);
    sum_up(batch);
}
