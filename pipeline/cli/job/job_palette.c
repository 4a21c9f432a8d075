/* --palette: whether a PNG is written with one. */
#include "job/job.h"

#include "base/message.h"
#include "gpufilter/stage.h"

#include <inttypes.h>
#include <string.h>

bool job_makes_few_colours(const gf_pipeline *pipeline)
{
    for (int32_t i = gf_pipeline_stage_count(pipeline) - 1; i >= 0; i--) {
        const gf_stage_type *type = gf_pipeline_stage_type(pipeline, i);
        if (!(type->flags & GF_STAGE_MEASURE)) {
            return strcmp(type->name, "quantize") == 0;
        }
    }
    return false;
}

gf_status job_choose_palette(const struct job *job, int32_t *palette)
{
    const int asked = job->options.palette;
    gf_band_info bands = {.struct_size = sizeof bands};
    *palette = GF_PNG_PALETTE_OFF;
    if (strcmp(job->format->name, "png") != 0 || asked == JOB_PALETTE_OFF ||
        (asked == JOB_PALETTE_AUTO &&
         (job->signal || !(job->few_colours || job_makes_few_colours(job->pipeline))))) {
        return GF_OK;
    }
    *palette = asked == JOB_PALETTE_ON ? GF_PNG_PALETTE_ON : GF_PNG_PALETTE_AUTO;
    if (job->in || gf_plan_bands(job->plan, &bands) != GF_OK || bands.count < 2) {
        return GF_OK;
    }
    if (asked == JOB_PALETTE_ON) {
        return cli_fail(GF_ERROR_UNSUPPORTED,
                        "%s: --palette on needs the whole picture, but --memory makes %" PRId64
                        " bands of it; auto and off write it without a palette",
                        job_out_name(job), (int64_t)bands.count);
    }
    *palette = GF_PNG_PALETTE_OFF;
    cli_detail("%s: without a palette, since the picture is filtered in bands", job_out_name(job));
    return GF_OK;
}
