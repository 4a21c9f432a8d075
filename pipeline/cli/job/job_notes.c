/* Options that were given and change nothing: said, as nobody gives them for that. */
#include "job/job.h"

#include "base/message.h"

#include <string.h>

static void note_if(bool given, const char *option, const char *why)
{
    if (given) {
        cli_note("note: %s changes nothing: %s", option, why);
    }
}

/* Light of a Radiance file that becomes integers as it is, looks much too dark. */
static void note_light(const struct job *job)
{
    const gf_depth depth = job->plan ? gf_plan_output(job->plan).depth : GF_F32;
    bool is_light =
        job->info.format && strcmp(job->info.format->name, "hdr") == 0 && (depth == GF_U8 || depth == GF_U16);
    for (int32_t i = 0; is_light && i < gf_pipeline_stage_count(job->pipeline); i++) {
        const char *stage = gf_pipeline_stage_type(job->pipeline, i)->name;
        is_light = strcmp(stage, "srgb") != 0 && strcmp(stage, "gamma") != 0;
    }
    if (is_light && !job->signal) {
        cli_note("note: %s: HDR is linear light, and %s as %s is taken for sRGB: the stage srgb converts it",
                 job_in_name(job), job_out_name(job), gf_depth_name(depth));
    }
}

void job_note_reading(const struct job *job)
{
    note_if(job->options.fast_load && job->shrink < 2, "--fast-load",
            job->shrink ? "the first stage is no resize to half the size or less" : "IN is no JPEG");
}

/* Of a signal, which --compute and the like were refused for. */
static void note_ignored_of_signal(const struct job_options *options)
{
    note_if(options->format && !options->out, "--format", "there is no OUT");
    note_if(options->no_clobber && !options->out, "--no-clobber", "there is no OUT");
}

void job_note_ignored(const struct job *job)
{
    const struct job_options *options = &job->options;
    if (job->plan && !job->signal && *gf_plan_note(job->plan)) {
        cli_note("note: %s", gf_plan_note(job->plan));
    }
    if (options->print_pipeline != JOB_PRINT_NONE) {
        note_if(options->report != NULL, "--report", "--print-pipeline runs nothing");
        note_if(options->verify, "--verify", "--print-pipeline runs nothing");
        return;
    }
    if (gf_pipeline_stage_count(job->pipeline) == 0 && !job->signal) {
        static const char why[] = "there are no stages, so nothing is computed";
        note_if(options->verify, "--verify", why);
        note_if(options->has_device && options->device != GF_DEVICE_CPU, "--device", why);
        note_if(options->compute_f32, "--compute", why);
        note_if(options->has_alpha, "--alpha", why);
        note_if(options->no_fuse, "--no-fuse", why);
    }
    if (job->signal && !job->format) {
        note_ignored_of_signal(options);
        return;
    }
    if (!job->signal) { /* that was a picture it was said of */
        job_note_reading(job);
    }
    if (!job->format) {
        note_if(options->format != NULL, "--format", "there is no OUT");
        note_if(options->no_clobber, "--no-clobber", "there is no OUT");
        note_if(options->has_png_level, "--png-level", "there is no OUT");
        note_if(options->has_palette, "--palette", "there is no OUT");
        note_if(options->has_quality, "--quality", "there is no OUT");
        note_if(options->progressive, "--progressive", "there is no OUT");
        note_if(options->strip, "--strip", "there is no OUT");
        return;
    }
    note_if(options->has_png_level && strcmp(job->format->name, "png") != 0, "--png-level", "OUT is no PNG");
    note_if(options->has_palette && strcmp(job->format->name, "png") != 0, "--palette", "OUT is no PNG");
    note_light(job);
    const bool is_jpeg = strcmp(job->format->name, "jpeg") == 0;
    note_if(options->has_quality && !is_jpeg && strcmp(job->format->name, "webp") != 0, "--quality",
            "OUT is neither JPEG nor WebP");
    note_if(options->progressive && !is_jpeg, "--progressive", "OUT is no JPEG");
}
