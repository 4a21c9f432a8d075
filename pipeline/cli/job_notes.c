/* Options that were given and change nothing: said, as nobody gives them for that. */
#include "job.h"

#include "message.h"

#include <string.h>

static void note_if(bool given, const char *option, const char *why)
{
    if (given) {
        cli_note("note: %s changes nothing: %s", option, why);
    }
}

void job_note_ignored(const struct job *job)
{
    const struct job_options *options = &job->options;
    if (options->print_pipeline != JOB_PRINT_NONE) {
        note_if(options->report != NULL, "--report", "--print-pipeline runs nothing");
        note_if(options->verify, "--verify", "--print-pipeline runs nothing");
        return;
    }
    note_if(options->verify && gf_pipeline_stage_count(job->pipeline) == 0, "--verify",
            "there are no stages, so nothing is computed");
    if (!job->format) {
        note_if(options->format != NULL, "--format", "there is no OUT");
        note_if(options->no_clobber, "--no-clobber", "there is no OUT");
        note_if(options->has_png_level, "--png-level", "there is no OUT");
        note_if(options->has_quality, "--quality", "there is no OUT");
        return;
    }
    note_if(options->has_png_level && strcmp(job->format->name, "png") != 0, "--png-level", "OUT is no PNG");
    note_if(options->has_quality && strcmp(job->format->name, "jpeg") != 0, "--quality", "OUT is no JPEG");
}
