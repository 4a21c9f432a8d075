/* Signals that stages read beside IN: whole, before the plan is made. */
#include "base/message.h"
#include "gpufilter/device.h"
#include "gpufilter/inputs.h"
#include "job/job_signal.h"
#include "job/signal_kind.h"

#include <stdlib.h>

enum { PIECE = 1 << 18 }; /* numbers that are read at once, of few channels */
#define MOST_NUMBERS ((int64_t)1 << 28)

/* All of input i + 1; behind the last one, of IN. */
static gf_status read_other(struct job_signal *s, int i, gf_error *error)
{
    const struct job_options *o = &s->job->options;
    const bool is_in = i == job_other_count(s->job);
    const char *path = is_in ? o->in : job_other_path(s->job, i);
    const gf_signal_format *format = NULL;
    gf_signal_read_options options = GF_SIGNAL_READ_OPTIONS_INIT;
    int64_t got = 1;
    *s = (struct job_signal){.job = s->job, .memory = GF_DEVICE_CPU};
    if (is_in && s->job->onward_from > 0) {
        return cli_error(error, GF_ERROR_INPUT, "'in' would be IN as it was read, and that is a picture");
    }
    if (is_in && comes_once(path)) {
        return cli_error(
            error, GF_ERROR_INPUT,
            "'in' would read IN a second time, and a stream comes once: save it to a file first");
    }
    gf_signal_io_format_for(path, NULL, &format, NULL);
    options.matrix = o->matrix;
    options.rate = o->rate;
    options.format = is_in ? o->raw : NULL;
    options.columns = is_in || (format && format->samples == 1U << GF_SIGNAL_TEXT) ? o->columns : NULL;
    options.limits = o->has_limit ? &o->limits : NULL;
    gf_status status = gf_signal_reader_open(path, &options, &s->reader, error);
    const int32_t channels = status == GF_OK ? gf_signal_reader_info(s->reader)->channels : 1;
    const int64_t piece = PIECE / channels > 1024 ? PIECE / channels : 1024;
    for (; status == GF_OK && got > 0; s->read += got) {
        const int64_t all = s->read + piece;
        if (s->read > MOST_NUMBERS / channels) {
            return cli_error(error, GF_ERROR_INPUT, "%s: another signal is held, at most 2^28 numbers", path);
        }
        CLI_TRY(job_signal_reserve(s, &s->in, all > s->in.pitch ? 2 * all : all, s->read));
        status = gf_signal_reader_read(s->reader, s->in.data + s->read, s->in.pitch, piece, &got, error);
    }
    return status;
}

/* Whether what a stage names is a picture: the plan, which needs nothing of it, says that it gets a signal.
 */
static bool names_picture(const gf_pipeline *pipeline)
{
    for (int32_t i = 0; i < gf_pipeline_stage_count(pipeline); i++) {
        const gf_stage_type *type = gf_pipeline_stage_type(pipeline, i);
        for (const gf_param *row = type->params; !type->signal && row && row->name; row++) {
            if (row->type == GF_PARAM_PICTURE) {
                return true;
            }
        }
    }
    return false;
}

gf_status job_signal_read_others(struct job_signal *s)
{
    const int n = job_other_count(s->job);
    if (names_picture(s->job->pipeline)) {
        return GF_OK;
    }
    s->names_in = gf_pipeline_refuse_input(s->job->pipeline, 0, GF_ERROR_INPUT, "", NULL) == GF_ERROR_INPUT;
    s->others = calloc((size_t)n + 1, sizeof *s->others);
    s->inputs = calloc((size_t)n + 1, sizeof *s->inputs);
    if (!s->others || !s->inputs) {
        return cli_fail(GF_ERROR_MEMORY, "out of memory");
    }
    for (int i = 0; i < n + s->names_in; i++) {
        gf_error error = GF_ERROR_INIT;
        struct job_signal *other = &s->others[s->n_others++];
        other->job = s->job;
        const gf_status status = read_other(other, i, &error);
        if (status != GF_OK) {
            return *error.message ? job_other_fail(s->job, i < n ? i : -1, status, &error)
                                  : status; /* said already */
        }
        const gf_signal_info *info = gf_signal_reader_info(other->reader);
        s->inputs[i] =
            (gf_signal_input){{other->read, info->channels, info->rate}, other->in.data, other->in.pitch};
    }
    return GF_OK;
}

void job_signal_close_others(struct job_signal *s)
{
    for (int i = 0; i < s->n_others; i++) {
        gf_signal_reader_close(&s->others[i].reader);
        gf_pinned_release(GF_DEVICE_CPU, s->others[i].in.data);
    }
    free(s->others);
    free(s->inputs);
}
