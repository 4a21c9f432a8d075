/* What a job over a signal writes: what is checked before anything is read, and pictures. */
#include "base/message.h"
#include "base/output_file.h"
#include "job/job_signal.h"
#include "job/limit_option.h"
#include "job/signals.h"

#include <inttypes.h>
#include <stdio.h>

/* ---- before anything is read ---- */

/* The stage that makes a picture, of which the plan tells whether it is the last one. */
static const gf_stage_type *stage_of_picture(const struct job *job)
{
    for (int32_t i = 0; i < gf_pipeline_stage_count(job->pipeline); i++) {
        const gf_stage_type *type = gf_pipeline_stage_type(job->pipeline, i);
        if (type->flags & GF_STAGE_PICTURE) {
            return type;
        }
    }
    return NULL;
}

bool job_makes_picture(const struct job *job)
{
    return stage_of_picture(job) != NULL;
}

static gf_status refuse(bool given, const char *option, const char *why)
{
    return given ? cli_fail(GF_ERROR_ARGUMENT, "%s: IN is a signal, and %s", option, why) : GF_OK;
}

static gf_status check_options(const struct job_options *o, bool picture)
{
    CLI_TRY(refuse(o->depth != JOB_NO_DEPTH && !picture, "--depth", "--sample says how OUT stores it"));
    CLI_TRY(refuse(o->sample && picture, "--sample", "OUT is a picture: --depth says how that stores it"));
    CLI_TRY(refuse(o->compute_f32, "--compute", "is computed in f32 always"));
    CLI_TRY(refuse(o->alpha != GF_ALPHA_STRAIGHT, "--alpha", "none of its channels is alpha"));
    CLI_TRY(refuse(o->no_fuse, "--no-fuse", "nodes are run one by one over each piece of time"));
    CLI_TRY(refuse(o->fast_load, "--fast-load", "that is for JPEG"));
    CLI_TRY(refuse(o->memory != 0, "--memory", "a few tiles of time are all that is held of it"));
    CLI_TRY(refuse(o->has_png_level && !picture, "--png-level", "that is for PNG"));
    return refuse(o->has_quality && !picture, "--quality", "that is for JPEG");
}

gf_status job_check_signal(struct job *job)
{
    const struct job_options *o = &job->options;
    const gf_signal_format *of_signal;
    gf_error error = GF_ERROR_INIT;
    const bool picture = job_makes_picture(job);
    job->format = NULL; /* of a batch, which took OUT for a picture */
    CLI_TRY(check_options(o, picture));
    if (o->out && is_standard_output(o->out) && !o->format) {
        return cli_fail(GF_ERROR_ARGUMENT,
                        "OUT is standard output: --format EXT must say as what, like --format %s",
                        picture ? "png" : "wav");
    }
    if (o->out && picture) {
        if (gf_io_format_for(o->out, o->format, &job->format, &error) != GF_OK) {
            return cli_fail(error.code, "%s makes a picture: %s", stage_of_picture(job)->name, error.message);
        }
        CLI_TRY(job_check_target(job));
    } else if (o->out) {
        CLI_TRY(cli_told(gf_signal_io_format_for(o->out, o->format, &of_signal, &error), &error));
        CLI_TRY(job_check_target(job));
    }
    return job_check_tables(job);
}

/* ---- pictures ---- */

/* The picture of so many columns, as OUT stores it: as --depth says, as it is made, or else in bytes. */
static gf_shape shape_of(const struct job_signal *s, int64_t columns)
{
    const struct job *job = s->job;
    const bool has_f32 = job->format->depths >> GF_F32 & 1;
    const gf_depth depth = job->options.depth != JOB_NO_DEPTH ? (gf_depth)job->options.depth
                           : has_f32                          ? GF_F32
                                                              : GF_U8;
    return (gf_shape){columns, gf_signal_plan_output(s->plan).channels, 1, depth};
}

gf_status job_check_signal_picture(const struct job_signal *s, int64_t columns)
{
    if (columns == 0) {
        return cli_fail(GF_ERROR_INPUT,
                        "%s: is shorter than a segment where %s has it, so that there is no column: frames= makes "
                        "segments shorter",
                        s->job->options.in, stage_of_picture(s->job)->name);
    }
    const gf_io_limits *limits = &s->job->options.limits;
    const gf_shape shape = shape_of(s, columns);
    gf_error error = GF_ERROR_INIT;
    const char *limit = shape.width > limits->max_width                      ? "max_width"
                        : shape.height > limits->max_height                  ? "max_height"
                        : shape.width > limits->max_pixels / shape.height    ? "max_pixels"
                                                                             : NULL;
    if (limit) {
        const int64_t most = limit[4] == 'w'   ? limits->max_width
                             : limit[4] == 'h' ? limits->max_height
                                               : limits->max_pixels;
        return limit_told(cli_error(&error, GF_ERROR_LIMIT,
                                    "%s: becomes a picture of %" PRId64 " x %" PRId64
                                    " pixels or more, beyond %s, %" PRId64,
                                    s->job->options.in, shape.width, shape.height, limit, most),
                          &error);
    }
    return cli_told(gf_io_format_holds(s->job->format, &shape, s->job->options.out, &error), &error);
}

/* What was made, in the depth of OUT. */
static gf_status convert(const struct job_signal *s, const gf_image *in, gf_image *out, gf_error *error)
{
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    gf_pipeline *pipeline = NULL;
    gf_plan *plan = NULL;
    gf_exec *exec = NULL;
    options.device = GF_DEVICE_CPU;
    options.threads = s->job->options.threads;
    char text[32];
    snprintf(text, sizeof text, "convert:%s", gf_depth_name(out->shape.depth));
    gf_status status = gf_pipeline_parse(text, NULL, 0, &pipeline, error);
    status = status == GF_OK
                 ? gf_plan_create(s->job->context, pipeline, &in->shape, &options, &plan, error)
                 : status;
    status = status == GF_OK ? gf_exec_create(plan, &exec, error) : status;
    status = status == GF_OK ? gf_exec_run(exec, in, out, error) : status;
    gf_exec_destroy(&exec);
    gf_plan_destroy(&plan);
    gf_pipeline_destroy(&pipeline);
    return status;
}

gf_status job_write_signal_picture(struct job_signal *s)
{
    struct job *job = s->job;
    const gf_shape shape = shape_of(s, s->made);
    gf_error error = GF_ERROR_INIT;
    gf_image made = GF_IMAGE_INIT;
    gf_write_options options = GF_WRITE_OPTIONS_INIT;
    CLI_TRY(job_check_signal_picture(s, s->made));
    made.shape = shape;
    made.shape.depth = GF_F32;
    made.pitch = s->all.pitch * (int64_t)sizeof(float);
    made.data = s->all.data;
    if (shape.depth != GF_F32) {
        CLI_TRY(cli_told(gf_picture_create(&shape, &job->made, &error), &error));
        CLI_TRY(cli_told(convert(s, &made, &job->made->image, &error), &error));
        made = job->made->image;
    }
    options.png_level = job->options.png_level;
    options.jpeg_quality = job->options.jpeg_quality;
    options.format = job->options.format;
    options.no_clobber = job->options.no_clobber;
    options.threads = job->options.threads;
    signals_watch_file(&options, job->file);
    CLI_TRY(cli_told(gf_writer_open(job->options.out, &shape, NULL, &options, &job->writer, &error), &error));
    const gf_sink sink = gf_writer_sink(job->writer);
    job->hash_out = job_hash_rows(JOB_HASH_START, made.data, made.pitch, shape.height, shape);
    return cli_told(sink.rows(sink.user, made.data, made.pitch, shape.height, &error), &error);
}

void job_add_signal_picture(struct buffer *text, const struct job_signal *s)
{
    job_add_picture(text, s->job->options.out, s->job->format, shape_of(s, s->made), s->job->hash_out);
}
