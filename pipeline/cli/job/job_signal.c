/* A job over a signal: decoded, filtered and encoded a piece of time at a time, whatever its length. */
#define _POSIX_C_SOURCE 200809L
#include "job/job_signal.h"

#include "base/argument_value.h"
#include "base/message.h"
#include "base/output_file.h"
#include "gpufilter/device.h"
#include "job/job_onward.h"
#include "job/job_response.h"
#include "job/limit_option.h"
#include "job/progress.h"
#include "job/signal_kind.h"
#include "job/signals.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Frames of all channels that are fed at a time. */
enum { CPU_PIECE = 1 << 18, GPU_PIECE = 1 << 22 };

/* ---- whether it is one ---- */

bool job_has_stage_without(const gf_pipeline *pipeline, bool signals)
{
    for (int32_t i = 0; i < gf_pipeline_stage_count(pipeline); i++) {
        const gf_stage_type *type = gf_pipeline_stage_type(pipeline, i);
        if (signals ? !type->signal : !type->lower) {
            return true;
        }
    }
    return false;
}

gf_status job_is_signal(const struct job *job, bool *is_signal)
{
    const struct job_options *o = &job->options;
    const size_t length = strlen(o->in);
    *is_signal = !o->picture && (o->raw || o->columns || o->matrix);
    if (o->picture || *is_signal) {
        return GF_OK;
    }
    CLI_TRY(file_is_signal(o->in, is_signal));
    const bool may_be = job_onward_from(job) == 0 &&
                        (comes_once(o->in) || (length > 4 && !strcmp(o->in + length - 4, ".npy")));
    *is_signal =
        *is_signal || (may_be && (o->rate > 0 || o->sample || job_has_stage_without(job->pipeline, false) ||
                                  names_signal(o->out, o->format)));
    return GF_OK;
}

/* ---- memory ---- */

gf_status job_signal_reserve(const struct job_signal *s, struct frames *frames, int64_t count, int64_t kept)
{
    const int32_t channels = frames == &s->in ? gf_signal_reader_info(s->reader)->channels
                                              : gf_signal_plan_output(s->plan).channels;
    gf_error error = GF_ERROR_INIT;
    void *memory = NULL;
    if (count <= frames->pitch) {
        return GF_OK;
    }
    if (gf_pinned_allocate(s->memory, (size_t)count * (size_t)channels * sizeof(float), &memory, &error)) {
        return job_signal_told(s, error.code, &error); /* of a lost device, too */
    }
    for (int32_t c = 0; c < channels && kept > 0; c++) {
        memcpy((float *)memory + c * count, frames->data + c * frames->pitch, (size_t)kept * sizeof(float));
    }
    gf_pinned_release(s->memory, frames->data);
    *frames = (struct frames){memory, count};
    return GF_OK;
}

/* ---- files ---- */

static gf_status open_reader(struct job_signal *s)
{
    const struct job_options *o = &s->job->options;
    gf_signal_read_options options = GF_SIGNAL_READ_OPTIONS_INIT;
    gf_error error = GF_ERROR_INIT;
    options.matrix = o->matrix;
    options.rate = o->rate;
    options.format = o->raw;
    options.columns = o->columns;
    options.limits = o->has_limit ? &o->limits : NULL;
    if (s->job->onward_from > 0) {
        const struct buffer *profile = &s->job->profile;
        options.rate = job_onward_rate(s->job);
        CLI_TRY(cli_told(gf_signal_reader_open_memory(profile->data, profile->length, "profile.csv", &options,
                                                      &s->reader, &error),
                         &error));
    } else {
        CLI_TRY(limit_told(gf_signal_reader_open(o->in, &options, &s->reader, &error), &error));
    }
    const gf_signal_info *info = gf_signal_reader_info(s->reader);
    const int64_t frames = s->job->onward_from > 0 ? s->job->onward_frames : info->frames;
    s->shape = (gf_signal_shape){frames, info->channels, info->rate};
    return GF_OK;
}

/* Whether channels of OUT are those of IN, so that they have their names. */
static bool keeps_channels(const struct job_signal *s)
{
    const gf_pipeline *pipeline = s->job->pipeline;
    for (int32_t i = s->job->onward_from; i < gf_pipeline_stage_count(pipeline); i++) {
        if (!strcmp(gf_pipeline_stage_type(pipeline, i)->name, "mix")) {
            return false;
        }
    }
    return true;
}

static gf_status open_writer(struct job_signal *s)
{
    const struct job_options *o = &s->job->options;
    const gf_signal_info *info = gf_signal_reader_info(s->reader);
    const gf_signal_shape shape = gf_signal_plan_output(s->plan);
    gf_write_options file = GF_WRITE_OPTIONS_INIT;
    gf_signal_write_options options = GF_SIGNAL_WRITE_OPTIONS_INIT;
    gf_error error = GF_ERROR_INIT;
    CLI_TRY(cli_told(gf_signal_io_format_for(o->out, o->format, &s->format, &error), &error));
    const gf_signal_format *format = s->format;
    const bool is_raw = !strcmp(format->name, "raw") && o->format && strcmp(o->format, "raw") != 0;
    const bool says = o->sample || is_raw; /* s16le */
    const bool keeps = !says && info->sample != GF_SIGNAL_TEXT && format->samples >> info->sample & 1;
    file.no_clobber = o->no_clobber;
    file.in_place = job_is_in_place(s->job);
    signals_watch_file(&file, s->job->file);
    options.sample = keeps ? info->sample : o->sample;
    options.bits = keeps && info->sample <= GF_SIGNAL_S32 ? info->bits : 0;
    options.format = o->format;
    if (keeps_channels(s)) {
        options.names = info->names;
        options.speakers = info->speakers;
    }
    options.frames = shape.frames;
    options.file = &file;
    return cli_told(gf_signal_writer_open(o->out, shape.channels, shape.rate, &options, &s->writer, &error),
                    &error);
}

/* ---- a run ---- */

gf_status job_signal_plan(const struct job_signal *s, gf_device device, gf_signal_plan **plan)
{
    const struct job *job = s->job;
    gf_signal_options options = GF_SIGNAL_OPTIONS_INIT;
    gf_error error = GF_ERROR_INIT;
    options.device = device;
    options.threads = job->options.threads;
    options.other_inputs = s->inputs;
    options.n_other_inputs = s->n_others - s->names_in;
    options.in = s->names_in ? &s->inputs[options.n_other_inputs] : NULL;
    options.first = job->onward_from;
    options.may_repeat = !job->finish && job_may_begin_again(job);
    options.reason = job->gpu_failed ? job->failed_reason : NULL;
    const gf_status status =
        gf_signal_plan_create(job->context, job->pipeline, &s->shape, &options, plan, &error);
    if (status == GF_OK) {
        return GF_OK;
    }
    stages_text_fail(&job->options.stages, status, &error);
    if (s->reader && !strcmp(gf_signal_reader_info(s->reader)->format->name, "npy") &&
        !job_picture_stage(job) && job_has_stage_without(job->pipeline, true)) {
        cli_say_line("  as a picture of height 1:  --signal picture; of other sides: reshape(height, width)");
    }
    return status;
}

static gf_status make_execs(struct job_signal *s)
{
    gf_error error = GF_ERROR_INIT;
    s->memory = gf_signal_plan_device(s->plan) >= 0 ? gf_signal_plan_device(s->plan) : GF_DEVICE_CPU;
    CLI_TRY(job_signal_told(s, gf_signal_exec_create(s->plan, &s->exec, &error), &error));
    if (!s->job->options.verify) {
        return GF_OK;
    }
    const bool judged = gf_signal_plan_device(s->plan) == GF_DEVICE_REFERENCE;
    CLI_TRY(job_signal_plan(s, judged ? GF_DEVICE_CPU : GF_DEVICE_REFERENCE, &s->judge_plan));
    return cli_told(gf_signal_exec_create(s->judge_plan, &s->judge, &error), &error);
}

/* Writes what was made, and keeps it for --verify and for a picture. */
static gf_status give(struct job_signal *s, int64_t made)
{
    gf_error error = GF_ERROR_INIT;
    if ((s->judge || s->job->format) && made > 0) {
        const int64_t all = s->made + made, known = gf_signal_plan_output(s->plan).frames;
        const int64_t room = known >= all ? known : 2 * all;
        CLI_TRY(job_signal_reserve(s, &s->all, all > s->all.pitch ? room : all, s->made));
        for (int32_t c = 0; c < gf_signal_plan_output(s->plan).channels; c++) {
            memcpy(s->all.data + c * s->all.pitch + s->made, s->out.data + c * s->out.pitch,
                   (size_t)made * sizeof(float));
        }
    }
    s->made += made;
    return made > 0 && s->writer
               ? cli_told(gf_signal_writer_write(s->writer, s->out.data, s->out.pitch, made, &error), &error)
               : GF_OK;
}

/* Makes room for so many frames of the output, of a picture within its limits; the reference may make fewer.
 */
static gf_status make_room(struct job_signal *s, int64_t makes)
{
    const bool exact = gf_signal_plan_device(s->plan) != GF_DEVICE_REFERENCE;
    CLI_TRY(exact && s->job->format && makes > 0 ? job_check_signal_picture(s, s->made + makes) : GF_OK);
    return job_signal_reserve(s, &s->out, makes, 0);
}

/* Feeds all of IN. */
static gf_status feed(struct job_signal *s)
{
    const int32_t in = gf_signal_reader_info(s->reader)->channels,
                  out = gf_signal_plan_output(s->plan).channels, channels = in > out ? in : out;
    const int64_t all = s->memory >= 0 ? GPU_PIECE : CPU_PIECE;
    const int64_t piece = all / channels > 1024 ? all / channels : 1024;
    const int64_t frames = gf_signal_reader_info(s->reader)->frames;
    gf_error error = GF_ERROR_INIT;
    CLI_TRY(job_signal_reserve(s, &s->in, piece, 0));
    for (int64_t got = piece; got == piece;) {
        int64_t made = 0;
        CLI_TRY(limit_told(gf_signal_reader_read(s->reader, s->in.data, s->in.pitch, piece, &got, &error),
                           &error));
        s->read += got;
        CLI_TRY(make_room(s, gf_signal_exec_ready(s->exec, got)));
        CLI_TRY(job_signal_told(s,
                                gf_signal_exec_feed(s->exec, s->in.data, s->in.pitch, got, s->out.data,
                                                    s->out.pitch, &made, &error),
                                &error));
        CLI_TRY(give(s, made));
        CLI_TRY(s->judge ? job_signal_have_judged(s, got, false) : GF_OK);
        progress_set("filtering", s->read, frames > 0 ? frames : 0);
    }
    return GF_OK;
}

static gf_status end(struct job_signal *s)
{
    gf_error error = GF_ERROR_INIT;
    int64_t made = 0;
    do {
        CLI_TRY(make_room(s, gf_signal_exec_left(s->exec)));
        CLI_TRY(job_signal_told(s, gf_signal_exec_end(s->exec, s->out.data, s->out.pitch, &made, &error),
                                &error));
        CLI_TRY(give(s, made));
    } while (gf_signal_exec_left(s->exec) > 0);
    return GF_OK;
}

static gf_status commit(struct job_signal *s)
{
    gf_error error = GF_ERROR_INIT;
    const int64_t clipped = s->writer ? gf_signal_writer_clipped(s->writer) : 0;
    const char *note = gf_signal_reader_note(s->reader);
    char device[24];
    CLI_TRY(s->job->finish ? s->job->finish(s->job) : job_make_texts(s->job));
    CLI_TRY(s->writer ? cli_told(gf_signal_writer_commit(&s->writer, &error), &error) : GF_OK);
    CLI_TRY(job_commit_output(s->job));
    progress_end();
    if (*note) {
        cli_note("note: %s: %s", job_in_name(s->job), note);
    }
    if (clipped > 0) {
        cli_note("note: %s: %" PRId64 " samples were beyond what it can hold, and are cut off there",
                 job_out_name(s->job), clipped);
    }
    if (s->job->finish) {
        return GF_OK;
    }
    s->job->times.total = now_ms() - s->job->times.began;
    CLI_TRY(job_write_tables(s->job));
    CLI_TRY(s->job->options.report ? job_write_report(s->job) : GF_OK);
    CLI_TRY(job_print_results(s->job));
    device_word(gf_signal_plan_device(s->plan), device);
    const gf_signal_shape shape = gf_signal_plan_output(s->plan);
    if (s->job->format) {
        cli_detail("%s: %" PRId64 " x %d pixels, on %s; %.1f ms in all", job_out_name(s->job), s->made,
                   shape.channels, device, s->job->times.total);
        return GF_OK;
    }
    cli_detail("%s: %" PRId64 " frames of %d channel%s at %.10g Hz, on %s; %.1f ms in all",
               s->format ? job_out_name(s->job) : job_in_name(s->job), s->made, shape.channels,
               shape.channels == 1 ? "" : "s", shape.rate, device, s->job->times.total);
    return GF_OK;
}

static gf_status run(struct job_signal *s)
{
    CLI_TRY(open_reader(s));
    CLI_TRY(job_read_lists(s->job));
    CLI_TRY(job_signal_read_others(s));
    CLI_TRY(job_signal_plan(s, s->job->options.device, &s->plan));
    if (!s->job->finish && !s->job->gpu_failed) {
        job_note_ignored(s->job);
    }
    if (s->job->options.print_pipeline != JOB_PRINT_NONE) {
        return job_print_pipeline(s->job);
    }
    if (s->job->options.explain != JOB_PRINT_NONE) {
        return job_explain_signal(s);
    }
    CLI_TRY(job_choose_responses(s));
    if (!s->job->options.out && gf_signal_plan_result_count(s->plan) == 0) {
        return job_draws_response(s)
                   ? commit(s)
                   : cli_fail(GF_ERROR_ARGUMENT,
                              "no OUT is given, and no stage measures anything\n"
                              "  to write the signal:  gpufilter %s OUT.%s --stages LIST\n"
                              "  to measure it:        put stats or loudness into LIST",
                              s->job->options.in, job_picture_stage(s->job) ? "png" : "wav");
    }
    if (!s->job->finish) {
        progress_begin("filtering");
    }
    const int64_t columns = gf_signal_plan_output(s->plan).frames;
    CLI_TRY(s->job->format ? job_check_signal_picture(s, columns >= 0 ? columns : 1) : GF_OK);
    CLI_TRY(make_execs(s));
    CLI_TRY(s->job->options.out && !s->job->format ? open_writer(s) : GF_OK);
    CLI_TRY(feed(s));
    CLI_TRY(end(s));
    CLI_TRY(job_signal_verify(s));
    CLI_TRY(s->job->format ? job_write_signal_picture(s) : GF_OK);
    return commit(s);
}

gf_status job_run_signal(struct job *job)
{
    gf_error failed = GF_ERROR_INIT;
    struct job_signal s = {.job = job, .memory = GF_DEVICE_CPU, .failed = &failed};
    job->signal = &s;
    const gf_status status = run(&s);
    job->signal = NULL;
    progress_end();
    gf_signal_writer_abort(&s.writer);
    job_close_files(job);
    gf_exec_destroy(&job->exec);
    gf_plan_destroy(&job->plan);
    gf_picture_destroy(&job->made);
    gf_picture_destroy(&job->in);
    gf_signal_reader_close(&s.reader);
    gf_signal_exec_destroy(&s.exec);
    gf_signal_exec_destroy(&s.judge);
    gf_signal_plan_destroy(&s.plan);
    gf_signal_plan_destroy(&s.judge_plan);
    job_signal_close_others(&s);
    gf_pinned_release(s.memory, s.in.data);
    gf_pinned_release(s.memory, s.out.data);
    gf_pinned_release(s.memory, s.all.data);
    gf_pinned_release(s.memory, s.right.data);
    return *failed.message ? job_signal_on_cpu(job, &failed) : status;
}
