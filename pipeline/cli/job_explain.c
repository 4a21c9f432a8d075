/* What a job would do, without doing it. */
#include "job.h"

#include "message.h"

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

static gf_status add_json(const struct job *job, struct buffer *text, gf_error *error)
{
    const gf_file_info *info = &job->info;
    buffer_add(text, "{\"file\":{\"path\":");
    buffer_json_text(text, job->options.in);
    buffer_printf(text, ",\"format\":\"%s\",\"stored_bits\":%u,\"bytes\":%" PRIu64 "},\"target\":",
                  info->format->name, info->stored_bits, info->file_bytes);
    if (job->format) {
        buffer_add(text, "{\"path\":");
        buffer_json_text(text, job->options.out);
        buffer_printf(text, ",\"format\":\"%s\"}", job->format->name);
    } else {
        buffer_add(text, "null");
    }
    buffer_add(text, ",\"plan\":");
    gf_status status = buffer_add_plan(text, job->plan, GF_PRINT_JSON, error);
    buffer_add(text, "}\n");
    return status;
}

static gf_status add_text(const struct job *job, struct buffer *text, gf_error *error)
{
    const gf_file_info *info = &job->info;
    buffer_printf(text, "file     %s: %s, %u bit", job->options.in, info->format->name, info->stored_bits);
    if (info->file_bytes) {
        buffer_printf(text, ", %" PRIu64 " bytes", info->file_bytes);
    }
    buffer_add(text, " (header only)\n");
    gf_status status = buffer_add_plan(text, job->plan, GF_PRINT_TEXT, error);
    if (job->format) {
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
