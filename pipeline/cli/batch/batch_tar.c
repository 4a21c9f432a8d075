/* A batch over the members of a tar: read one after the other, done side by side, and written in their order.
 * As many are held as have work to do, and no more bytes of them than a quarter of the memory. */
#include "base/message.h"
#include "base/name_table.h"
#include "batch/batch_run.h"
#include "batch/tar_read.h"
#include "batch/tar_write.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct tar_run {
    struct batch *batch;
    struct tar_reader in;
    struct tar_writer out;
    struct batch_member *ring; /* `room` of them, `count` from `first` on are under way */
    int64_t room, first, count;
    uint64_t held, most;     /* bytes of what is read */
    struct name_table names; /* of what is written */
    int64_t taken;
};

static void free_member(struct batch_member *member)
{
    buffer_free(&member->bytes.in);
    buffer_free(&member->bytes.out);
    free(member->out);
    *member = (struct batch_member){0};
}

/* Waits for the oldest, and writes it unless the whole has failed. */
static gf_status settle(struct tar_run *run, gf_status status)
{
    struct batch *batch = run->batch;
    struct batch_member *member = &run->ring[run->first % run->room];
    pthread_mutex_lock(&batch->lock);
    while (!member->is_over) {
        pthread_cond_wait(&batch->member_over, &batch->lock);
    }
    pthread_mutex_unlock(&batch->lock);
    if (status == GF_OK && member->is_done && run->out.file) {
        status = tar_add(&run->out, member->out, member->mtime, &member->bytes.out);
    }
    run->held -= member->bytes.in.length;
    run->first++;
    run->count--;
    free_member(member);
    return status;
}

/* Tells whether a part of the path begins with a dot: such files are nobody's pictures. */
static bool is_hidden(const char *name)
{
    for (const char *at = name; *at; at += strspn(at, "/")) {
        const size_t length = strcspn(at, "/");
        if (*at == '.' && length > 1 && strncmp(at, "../", 3) != 0) {
            return true;
        }
        at += length;
    }
    return false;
}

static bool leads_out(const char *name)
{
    const size_t length = strlen(name);
    return name[0] == '/' || !strncmp(name, "../", 3) || strstr(name, "/../") ||
           (length >= 3 && !strcmp(name + length - 3, "/.."));
}

/* Says why the member fails before it begins, in `why`; "": it may. */
static gf_status find_fault(struct tar_run *run, const struct batch_input *input, struct buffer *why)
{
    const struct batch_options *o = &run->batch->options;
    const uint64_t most = o->job.limits.max_input_bytes;
    if (leads_out(input->path)) {
        buffer_printf(why, "%s: its name leads out of the folder that the tar would be unpacked in",
                      input->path);
    } else if (run->in.size > most) {
        buffer_printf(why, "%s: has %" PRIu64 " bytes, more than --limit input=%" PRIu64 " allows",
                      input->path, run->in.size, most);
    } else if (o->output) {
        char *out = batch_output_of(o, input);
        const int64_t *of = out ? name_table_add(&run->names, out, run->taken) : NULL;
        if (of && *of != run->taken) {
            buffer_printf(why, "%s: another member has been given this output: %s", input->path, out);
        }
        free(out);
        CLI_TRY(cli_need_memory(of));
    }
    return cli_need_memory(!why->failed);
}

static gf_status give(struct tar_run *run)
{
    struct batch_member *member = &run->ring[(run->first + run->count) % run->room];
    struct buffer why = {0};
    struct batch_input input = {.path = run->in.name.data, .below = run->in.name.data, .member = member};
    run->taken++;
    gf_status status = find_fault(run, &input, &why);
    status = status == GF_OK && !why.length ? tar_take(&run->in, &member->bytes.in) : status;
    if (status != GF_OK) {
        buffer_free(&why);
        free_member(member);
        return status;
    }
    input.why = why.data;
    run->in.name = (struct buffer){0}; /* is the input's now, as `why` is */
    char *name = input.path;
    buffer_add(&run->in.name, name); /* for messages */
    member->mtime = run->in.mtime;
    run->held += member->bytes.in.length;
    run->count++;
    status = batch_give(run->batch, &input);
    if (status != GF_OK) { /* then nobody else has it */
        member->is_over = true;
    }
    return status;
}

static gf_status run_members(struct tar_run *run)
{
    const struct batch_options *o = &run->batch->options;
    gf_status status = GF_OK;
    for (bool more = true; status == GF_OK && !batch_has_ended(run->batch);) {
        CLI_TRY(tar_next(&run->in, &more));
        if (!more) {
            break;
        }
        const char *name = run->in.name.data;
        if (run->in.is_link && !is_hidden(name)) {
            cli_note("note: %s: %s is a link, and not taken", run->in.label, name);
        }
        if (!run->in.is_file || is_hidden(name) || !batch_list_wants(o, &run->batch->list, name)) {
            continue;
        }
        while (status == GF_OK && run->count > 0 &&
               (run->count == run->room || run->held + run->in.size > run->most)) {
            status = settle(run, status);
        }
        status = status == GF_OK ? give(run) : status;
    }
    return status;
}

static gf_status open_tars(struct tar_run *run)
{
    const struct batch_options *o = &run->batch->options;
    gf_batch_numbers numbers = {.struct_size = sizeof numbers};
    gf_batch_stats(run->batch->queue, &numbers);
    run->room = (int64_t)numbers.workers + 2;
    run->most = numbers.memory_limit / 4;
    run->ring = calloc((size_t)run->room, sizeof *run->ring);
    CLI_TRY(cli_need_memory(run->ring));
    CLI_TRY(tar_open(&run->in, o->inputs[0]));
    return o->output ? tar_create(&run->out, o->output, o->job.no_clobber) : GF_OK;
}

gf_status batch_give_tar(struct batch *batch)
{
    struct tar_run run = {.batch = batch};
    gf_status status = open_tars(&run);
    status = status == GF_OK ? run_members(&run) : status;
    if (status != GF_OK && status != GF_ERROR_CANCELLED) {
        batch_stop(batch, status);
    }
    while (run.count > 0) {
        const gf_status was = status;
        status = settle(&run, status);
        if (status != was) {
            batch_stop(batch, status);
        }
    }
    if (status == GF_OK && !batch_has_ended(batch) && run.taken == 0) {
        status = cli_fail(GF_ERROR_INPUT, "there is no picture among the members of %s", run.in.label);
    }
    if (status == GF_OK && !batch_has_ended(batch) && run.out.file) {
        status = tar_finish(&run.out);
    }
    tar_abandon(&run.out);
    tar_close(&run.in);
    name_table_free(&run.names);
    free(run.ring);
    return status;
}
