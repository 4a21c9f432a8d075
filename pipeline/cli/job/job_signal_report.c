/* What is told of a job over a signal: results, from pictures or signals, and the report's first half. */
#include "gpufilter/signal.h"

#include "base/argument_value.h"
#include "base/message.h"
#include "gpufilter/inputs.h"
#include "job/job_signal.h"

#include <inttypes.h>
#include <string.h>

/* Of a picture that goes on as a signal its own come first. */
static int32_t front_count(const struct job *job)
{
    return job->front ? gf_exec_result_count(job->front) : 0;
}

int32_t job_result_count(const struct job *job)
{
    return job->signal ? front_count(job) + gf_signal_exec_result_count(job->signal->exec)
           : job->exec ? gf_exec_result_count(job->exec)
                       : 0;
}

const gf_result *job_result(const struct job *job, int32_t index)
{
    const int32_t front = front_count(job);
    return index < front ? gf_exec_result(job->front, index)
           : job->signal ? gf_signal_exec_result(job->signal->exec, index - front)
                         : gf_exec_result(job->exec, index);
}

static void add_file(struct buffer *text, const char *path, const char *format, int64_t frames,
                     const gf_signal_shape *shape)
{
    buffer_add(text, "{\"path\":");
    buffer_json_text(text, path);
    buffer_printf(text, ",\"format\":\"%s\",\"frames\":%" PRId64 ",\"channels\":%d,\"rate\":", format, frames,
                  shape->channels);
    buffer_json_number(text, shape->rate);
    buffer_add(text, "}");
}

gf_status job_add_signal_head(struct buffer *text, const struct job *job, gf_error *error)
{
    const struct job_signal *s = job->signal;
    const gf_signal_info *info = gf_signal_reader_info(s->reader);
    const gf_signal_shape in = {s->read, info->channels, info->rate}, out = gf_signal_plan_output(s->plan);
    char word[24];
    if (job->onward_from > 0) {
        job_add_picture(text, job->options.in, job->info.format, job->info.shape, job->hash_in);
    } else {
        add_file(text, job->options.in, info->format->name, s->read, &in);
    }
    buffer_add(text, ",\"output\":");
    if (s->writer) {
        add_file(text, job->options.out, s->format->name, s->made, &out);
    } else if (job->format) {
        const uint64_t hash = job->finish ? 0 : job->hash_out; /* a batch makes none */
        job_add_picture(text, job->options.out, job->format, gf_plan_output(job->plan), hash);
    } else {
        buffer_add(text, "null");
    }
    for (int i = 0; i < s->n_others - s->names_in; i++) {
        buffer_add(text, i ? ",{\"name\":" : ",\"other_inputs\":[{\"name\":");
        buffer_json_text(text, gf_pipeline_input_name(job->pipeline, i + 1));
        buffer_add(text, ",\"signal\":");
        add_file(text, job_other_path(job, i), gf_signal_reader_info(s->others[i].reader)->format->name,
                 s->others[i].read, &s->inputs[i].shape);
        buffer_add(text, i + 1 == s->n_others - s->names_in ? "}]" : "}");
    }
    buffer_add(text, ",\"plan\":");
    const gf_status status = buffer_add_signal_plan(text, s->plan, GF_PRINT_JSON, error);
    device_word(gf_signal_plan_device(s->plan), word);
    buffer_printf(text, ",\"device\":\"%s\"", word);
    if (s->judge) {
        buffer_printf(text, ",\"verified_by\":\"%s\"", gf_device_kind(gf_signal_plan_device(s->judge_plan)));
    }
    return status;
}
