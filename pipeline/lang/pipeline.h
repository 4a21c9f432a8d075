/* What a gf_pipeline holds, for the layers that bind it. */
#pragma once

#include "base/refs.h"
#include "gpufilter/pipeline.h"
#include "stage_node.h"

enum { GF_PIPELINE_STAGES = 256, GF_PIPELINE_BYTES = 65536 };

/* The caller's is held once. A plan has a copy, which plans made from that plan share and nobody changes. */
struct gf_pipeline {
    struct gf_refs refs;
    struct gf_stage_node *nodes; /* n of them, owned with their params */
    int32_t n, capacity;
    char *text; /* that was parsed, owned; NULL when the stages were appended */
};

/* Adds a stage with all defaults. `type` has been checked. */
gf_status gf_pipeline_add(gf_pipeline *pipeline, const gf_stage_type *type, gf_error *error);

/* A copy of its own, for plans. */
gf_status gf_pipeline_copy(const gf_pipeline *from, gf_pipeline **copy, gf_error *error);

/* Takes the last stage away. */
void gf_pipeline_drop(gf_pipeline *pipeline);

/* Adds to an error of ours that names a stage (error->stage; -1: nothing happens) and has a message
 * of one line the place of the stage in the pipeline's text, as parse errors have it. */
void gf_pipeline_locate(const gf_pipeline *pipeline, gf_error *error);

/* The body of all printing functions; what: of the object, which must not be NULL; last: the last format that
 * this one has. */
struct gf_text;
typedef void gf_printer(const void *object, gf_print_format format, struct gf_text *text);
gf_status gf_print(const void *object, const char *what, gf_printer *print, gf_print_format last,
                   gf_print_format format, char *buffer, size_t capacity, size_t *length, gf_error *error);
