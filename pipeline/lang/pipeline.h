/* What a gf_pipeline holds, for the layers that bind it. */
#ifndef GF_LANG_PIPELINE_H
#define GF_LANG_PIPELINE_H

#include "gpufilter/pipeline.h"
#include "stage_node.h"

enum { GF_PIPELINE_STAGES = 256, GF_PIPELINE_BYTES = 65536 };

struct gf_pipeline {
    struct gf_stage_node *nodes; /* n of them, owned with their params */
    int32_t n, capacity;
    char *text; /* that was parsed, owned; NULL when the stages were appended */
};

/* Adds a stage with all defaults. `type` has been checked. */
gf_status gf_pipeline_add(gf_pipeline *pipeline, const gf_stage_type *type, gf_error *error);

/* Takes the last stage away. */
void gf_pipeline_drop(gf_pipeline *pipeline);

/* Adds to an error that names a stage (error->stage; NULL or -1: nothing happens) and has a message
 * of one line the place of the stage in the pipeline's text, as parse errors have it. Returns
 * error->code, or GF_OK for NULL. */
gf_status gf_pipeline_locate(const gf_pipeline *pipeline, gf_error *error);

#endif
