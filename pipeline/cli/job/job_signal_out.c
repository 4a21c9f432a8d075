/* What a job over a signal writes: what is checked before anything is read, and pictures; and the run on the
 * CPU behind one that failed elsewhere. */
#include "base/message.h"
#include "base/output_file.h"
#include "gpufilter/device.h"
#include "job/job_signal.h"
#include "job/limit_option.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- before anything is read ---- */

/* kind: what IN is, instead of what the option is for. */
static gf_status refuse_of(const char *kind, bool given, const char *option, const char *why)
{
    return given ? cli_fail(GF_ERROR_ARGUMENT, "%s: %s, and %s", option, kind, why) : GF_OK;
}

static gf_status refuse(bool given, const char *option, const char *why)
{
    return refuse_of("IN is a signal", given, option, why);
}

/* What means nothing to a signal that IN is. */
static gf_status check_picture_options(const struct job_options *o, bool picture)
{
    CLI_TRY(refuse(o->compute_f32, "--compute", "is computed in f32 always"));
    CLI_TRY(refuse(o->has_alpha, "--alpha", "none of its channels is alpha"));
    CLI_TRY(refuse(o->no_fuse, "--no-fuse", "nodes are run one by one over each piece of time"));
    CLI_TRY(refuse(o->fast_load, "--fast-load", "that is for JPEG"));
    CLI_TRY(refuse(o->memory != 0, "--memory",
                   picture ? "the picture that it becomes is held whole: --limit pixels=N bounds it"
                           : "a few tiles of time are all that is held of it"));
    return refuse(o->page > 0, "--page", "that is for TIFF");
}

static gf_status check_options(const struct job *job, bool picture)
{
    const struct job_options *o = &job->options;
    const char *kind = job->onward_from > 0 ? "IN goes on as a signal behind profile" : "IN is a signal";
    CLI_TRY(job->onward_from > 0 ? GF_OK : check_picture_options(o, picture));
    CLI_TRY(
        refuse_of(kind, o->depth != JOB_NO_DEPTH && !picture, "--depth", "--sample says how OUT stores it"));
    CLI_TRY(refuse_of(kind, o->sample && picture, "--sample",
                      "OUT is a picture: --depth says how that stores it"));
    CLI_TRY(refuse_of(kind, o->has_png_level && !picture, "--png-level", "that is for PNG"));
    CLI_TRY(refuse_of(kind, o->has_palette && !picture, "--palette", "that is for PNG"));
    CLI_TRY(refuse_of(kind, (o->progressive || o->strip) && !picture, o->strip ? "--strip" : "--progressive",
                      "that is for pictures"));
    return refuse_of(kind, o->has_quality && !picture, "--quality", "that is for JPEG");
}

gf_status job_check_signal(struct job *job)
{
    const struct job_options *o = &job->options;
    const gf_signal_format *of_signal;
    gf_error error = GF_ERROR_INIT;
    const bool picture = job_picture_stage(job) != NULL;
    job->format = NULL; /* of a batch, which took OUT for a picture */
    CLI_TRY(check_options(job, picture));
    if (o->out && is_standard_output(o->out) && !o->format) {
        return cli_fail(GF_ERROR_ARGUMENT,
                        "OUT is standard output: --format EXT must say as what, like --format %s",
                        picture ? "png" : "wav");
    }
    if (o->out && picture) {
        if (gf_io_format_for(o->out, o->format, &job->format, &error) != GF_OK) {
            return cli_fail(error.code, "%s makes a picture: %s", job_picture_stage(job)->name,
                            error.message);
        }
        CLI_TRY(job_check_target(job));
    } else if (o->out) {
        CLI_TRY(cli_told(gf_signal_io_format_for(o->out, o->format, &of_signal, &error), &error));
        CLI_TRY(job_check_target(job));
    }
    return job_check_tables(job, true);
}

/* ---- pictures ---- */

gf_status job_check_signal_picture(const struct job_signal *s, int64_t columns)
{
    const gf_io_limits *most = &s->job->options.limits;
    const gf_shape shape = {columns, gf_signal_plan_output(s->plan).channels, 1,
                            gf_io_nearest_depth(s->job->format, GF_U8)};
    const char *in = s->job->options.in;
    const bool wide = columns > most->max_width, high = shape.height > most->max_height;
    gf_error error = GF_ERROR_INIT;
    if (columns == 0) {
        return cli_fail(GF_ERROR_INPUT,
                        "%s: is shorter than a segment where %s has it, so that there is no column: frames= "
                        "makes segments shorter",
                        in, job_picture_stage(s->job)->name);
    }
    if (wide || high || columns > most->max_pixels / shape.height) {
        const char *name = wide ? "max_width" : high ? "max_height" : "max_pixels";
        const int64_t limit = wide ? most->max_width : high ? most->max_height : most->max_pixels;
        if (!high && gf_signal_plan_output(s->plan).frames < 0) { /* who knows what would do */
            return cli_fail(GF_ERROR_LIMIT,
                            "%s: becomes a picture of %" PRId64 " x %" PRId64
                            " pixels or more, beyond the limit of %" PRId64 " %s",
                            in, columns, shape.height, limit, wide ? "columns" : "pixels");
        }
        cli_error(&error, GF_ERROR_LIMIT,
                  "%s: becomes a picture of %" PRId64 " x %" PRId64 " pixels or more, beyond %s, %" PRId64,
                  in, columns, shape.height, name, limit);
        return limit_told(GF_ERROR_LIMIT, &error);
    }
    return cli_told(gf_io_format_holds(s->job->format, &shape, s->job->options.out, &error), &error);
}

gf_status job_write_signal_picture(struct job_signal *s)
{
    struct job *job = s->job;
    gf_pipeline *stages = job->pipeline;
    gf_error error = GF_ERROR_INIT;
    job->info.shape = (gf_shape){s->made, gf_signal_plan_output(s->plan).channels, 1, GF_F32};
    CLI_TRY(job_check_signal_picture(s, s->made));
    CLI_TRY(cli_told(gf_picture_create(&job->info.shape, &job->in, &error), &error));
    gf_image *in = &job->in->image;
    for (int64_t y = 0; y < in->shape.height; y++) {
        memcpy((char *)in->data + y * in->pitch, s->all.data + y * s->all.pitch,
               (size_t)s->made * sizeof(float));
    }
    gf_pinned_release(s->memory, s->all.data);
    s->all = (struct frames){0};
    if (job->options.depth == JOB_NO_DEPTH && !(job->format->depths >> GF_F32 & 1)) {
        job->options.depth = GF_U8;
    }
    job->options.verify = false; /* that was of the signal */
    job->pipeline = NULL;        /* of the picture: none, but for the depth */
    gf_status status = cli_told(gf_pipeline_create(&job->pipeline, &error), &error);
    status = status == GF_OK ? job_plan(job) : status;
    status = status == GF_OK ? job_filter(job) : status;
    gf_exec_destroy(&job->exec); /* whose times are none of the signal's */
    gf_pipeline_destroy(&job->pipeline);
    job->pipeline = stages;
    return status;
}

/* ---- on another device ---- */

gf_status job_signal_on_cpu(struct job *job, const gf_error *failed)
{
    snprintf(job->failed_reason, sizeof job->failed_reason, "%s:0 failed: %.280s", gf_device_kind(0),
             failed->message);
    cli_note("warning: %s; continuing on the CPU", job->failed_reason);
    job->gpu_failed = true;
    job->options.device = GF_DEVICE_CPU;
    return job_run_signal(job);
}
