/* A job over a picture that goes on as a signal: the stages up to a profile run over the picture, those
 * behind it over the profile's means. */
#include "job/job_onward.h"

#include "base/message.h"
#include "job/job_signal.h"
#include "job/signal_kind.h"

#include <string.h>

int32_t job_onward_from(const struct job *job)
{
    const struct job_options *o = &job->options;
    int32_t from = 0;
    bool is_meant = names_signal(o->out, o->format) || (o->out && (o->rate > 0 || o->sample));
    for (int32_t i = 0; i < gf_pipeline_stage_count(job->pipeline); i++) {
        const gf_stage_type *type = gf_pipeline_stage_type(job->pipeline, i);
        if (!type->lower) {
            is_meant = true;
            break;
        }
        from = strcmp(type->name, "profile") == 0 ? i + 1 : from;
    }
    return is_meant ? from : 0;
}

double job_onward_rate(const struct job *job)
{
    return job->options.rate > 0 ? job->options.rate : 1;
}

/* The profile is the last thing that the picture's plan measures. */
static int32_t last_result(const struct job *job)
{
    return gf_plan_result_count(job->plan) - 1;
}

/* What is wrong with the stages behind it shows before pixels are read. */
static gf_status plan_onward(struct job_signal *s, gf_pipeline *whole, gf_signal_plan **plan)
{
    struct job *job = s->job;
    gf_pipeline *const front = job->pipeline;
    const int32_t channels = gf_plan_result_channels(job->plan, last_result(job));
    s->shape =
        (gf_signal_shape){gf_plan_result_rows(job->plan, last_result(job)), channels, job_onward_rate(job)};
    job->pipeline = whole;
    gf_status status = job_signal_read_others(s);
    status = status == GF_OK ? job_signal_plan(s, job->options.device, plan) : status;
    job->pipeline = front;
    return status;
}

/* A column of means for each channel, as --table writes them. */
static gf_status take_profile(struct job *job)
{
    const gf_result *result = gf_exec_result(job->exec, last_result(job));
    gf_error error = GF_ERROR_INIT;
    gf_table table = result->tables[0];
    while (strcmp(table.columns->name, "mean") != 0) {
        table.columns++;
    }
    table.n_columns = 1;
    job->onward_frames = table.rows;
    CLI_TRY(cli_told(buffer_add_table(&job->profile, &table, GF_PRINT_CSV, &error), &error));
    return cli_need_memory(!job->profile.failed);
}

static gf_status run_front(struct job *job, gf_pipeline *whole)
{
    struct job_signal s = {.job = job, .memory = GF_DEVICE_CPU};
    gf_signal_plan *onward = NULL;
    CLI_TRY(job_prepare(job));
    job_note_reading(job);
    gf_status status = plan_onward(&s, whole, &onward);
    if (status == GF_OK && job->options.explain != JOB_PRINT_NONE) {
        job->onward = onward;
        status = job_explain(job);
        job->onward = NULL;
    } else if (status == GF_OK) {
        status = job_run_picture(job);
        status = status == GF_OK ? take_profile(job) : status;
    }
    gf_signal_plan_destroy(&onward);
    job_signal_close_others(&s);
    return status;
}

/* Nothing of the picture stays but what was measured. */
static void leave_picture(struct job *job)
{
    job->front = job->exec;
    job->exec = NULL;
    gf_plan_destroy(&job->plan);
    gf_picture_destroy(&job->in);
    job_close_files(job);
    job_close_others(job);
    job->n_others = 0;
    job->shrunk = (gf_shape){0};
}

static const char *signal_format(const char *out, const char *format)
{
    const gf_signal_format *of_signal = NULL;
    return out && gf_signal_io_format_for(out, format, &of_signal, NULL) == GF_OK ? of_signal->name : NULL;
}

gf_status job_run_onward(struct job *job)
{
    gf_error error = GF_ERROR_INIT;
    gf_pipeline *const whole = job->pipeline, *front = NULL;
    const gf_format *const format = job->format;
    const char *const out = job->options.out;
    if (job->options.print_pipeline != JOB_PRINT_NONE) {
        return job_print_pipeline(job);
    }
    CLI_TRY(job_read_lists(job));
    CLI_TRY(cli_told(gf_pipeline_head(whole, job->onward_from, &front, &error), &error));
    job->pipeline = front;
    job->format = NULL;
    job->options.out = NULL;
    job->onward_out = out;
    job->onward_format = format ? format->name : signal_format(out, job->options.format);
    const gf_status status = run_front(job, whole);
    gf_pipeline_destroy(&job->pipeline); /* which --compute may have made anew */
    job->pipeline = whole;
    job->format = format;
    job->options.out = out;
    CLI_TRY(status);
    if (job->options.explain != JOB_PRINT_NONE) {
        return GF_OK;
    }
    leave_picture(job);
    return job_run_signal(job);
}
