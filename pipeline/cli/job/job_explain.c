/* What a job would do, without doing it. */
#include "job/job.h"
#include "job/job_signal.h"

#include "base/message.h"

#include <inttypes.h>

static gf_print_format print_format(enum job_print form)
{
    return form == JOB_PRINT_JSON ? GF_PRINT_JSON : GF_PRINT_TEXT;
}

static gf_status finish(struct buffer *text, gf_status status, const gf_error *error)
{
    status = status == GF_OK ? buffer_to_stdout(text) : cli_fail_error(status, error);
    buffer_free(text);
    return status;
}

gf_status job_print_pipeline(const struct job *job)
{
    gf_error error = GF_ERROR_INIT;
    struct buffer text = {0};
    gf_status status =
        buffer_add_pipeline(&text, job->pipeline, print_format(job->options.print_pipeline), &error);
    buffer_add(&text, "\n");
    return finish(&text, status, &error);
}

/* Says whether decoding, filtering and encoding go on at the same time, and if not, why. */
static void add_stream(const struct job *job, struct buffer *text)
{
    gf_band_info bands = {.struct_size = sizeof bands};
    gf_plan_bands(job->plan, &bands);
    bool in_whole = job->info.whole, out_whole = job->format && job->format->whole;
    if (!job->streams) {
        buffer_add(text, job->held);
    } else if (bands.count == 1) {
        buffer_add(text, *bands.reason ? bands.reason : "the picture fits in one band");
    } else if (in_whole && out_whole) {
        buffer_add(text, "rows of IN come all at once, and rows of OUT go so");
    } else if (in_whole) {
        buffer_add(text, "rows of IN come all at once (interlaced, turned, or a format that is read whole)");
    } else if (out_whole) {
        buffer_printf(text, "%s is written in one piece", job->format->name);
    }
}

static const char *stream_words(const struct job *job)
{
    gf_band_info bands = {.struct_size = sizeof bands};
    gf_plan_bands(job->plan, &bands);
    return bands.sweeps > 1 ? "decode and measure at the same time, in the last sweep filter and encode"
                            : "decode, filter and encode at the same time";
}

static gf_status add_json(const struct job *job, struct buffer *text, gf_error *error)
{
    const gf_file_info *info = &job->info;
    buffer_add(text, "{\"file\":{\"path\":");
    buffer_json_text(text, job->options.in);
    buffer_printf(
        text, ",\"format\":\"%s\",\"stored_bits\":%u,\"bytes\":%" PRIu64 ",\"shrunk\":%d},\"target\":",
        info->format->name, info->stored_bits, info->file_bytes, job->shrink > 1 ? (int)job->shrink : 1);
    const char *format = job->onward ? job->onward_format : job->format ? job->format->name : NULL;
    if (format) {
        buffer_add(text, "{\"path\":");
        buffer_json_text(text, job->onward ? job->onward_out : job->options.out);
        buffer_printf(text, ",\"format\":\"%s\"}", format);
    } else {
        buffer_add(text, "null");
    }
    struct buffer why = {0};
    add_stream(job, &why);
    buffer_printf(text, ",\"streams\":%s,\"held_because\":", why.length ? "false" : "true");
    buffer_json_text(text, why.data ? why.data : "");
    buffer_add(text, ",\"plan\":");
    gf_status status = buffer_add_plan(text, job->plan, GF_PRINT_JSON, error);
    if (status == GF_OK && job->onward) {
        buffer_add(text, ",\"signal\":");
        status = buffer_add_signal_plan(text, job->onward, GF_PRINT_JSON, error);
    }
    buffer_add(text, "}\n");
    text->failed |= why.failed;
    buffer_free(&why);
    return status;
}

static gf_status add_text(const struct job *job, struct buffer *text, gf_error *error)
{
    const gf_file_info *info = &job->info;
    buffer_printf(text, "file     %s: %s, %u bit", job->options.in, info->format->name, info->stored_bits);
    if (info->file_bytes) {
        buffer_printf(text, ", %" PRIu64 " bytes", info->file_bytes);
    }
    if (job->shrink > 1) {
        buffer_printf(text, ", decoded %d times smaller (--fast-load)", (int)job->shrink);
    }
    buffer_add(text, " (header only)\n");
    gf_status status = buffer_add_plan(text, job->plan, GF_PRINT_TEXT, error);
    struct buffer why = {0};
    add_stream(job, &why);
    buffer_printf(text, "stream   %s%s\n", why.length ? "no: " : stream_words(job),
                  why.length ? why.data : "");
    text->failed |= why.failed;
    buffer_free(&why);
    if (job->onward) {
        const bool is_written = job->onward_format != NULL;
        buffer_printf(text, "target   a signal, of the profile's means%s%s%s%s\n", is_written ? ", for " : "",
                      is_written ? job->onward_out : "", is_written ? ": " : "",
                      is_written ? job->onward_format : "");
        status = status == GF_OK ? buffer_add_signal_plan(text, job->onward, GF_PRINT_TEXT, error) : status;
    } else if (job->format) {
        buffer_printf(text, "target   %s: %s\n", job->options.out, job->format->name);
    } else {
        buffer_add(text, "target   none: results only\n");
    }
    return status;
}

gf_status job_explain(const struct job *job)
{
    gf_error error = GF_ERROR_INIT;
    struct buffer text = {0};
    gf_status status =
        job->options.explain == JOB_PRINT_JSON ? add_json(job, &text, &error) : add_text(job, &text, &error);
    return finish(&text, status, &error);
}

gf_status job_explain_signal(const struct job_signal *s)
{
    const enum job_print form = s->job->options.explain;
    struct buffer text = {0};
    gf_error error = GF_ERROR_INIT;
    const gf_status status = buffer_add_signal_plan(&text, s->plan, print_format(form), &error);
    buffer_add(&text, form == JOB_PRINT_JSON ? "\n" : "");
    return finish(&text, status, &error);
}
