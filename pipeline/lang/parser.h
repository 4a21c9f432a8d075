/* parser: text of the --stages language to stages.
 *
 *     pipeline = stage {"," stage}                  a newline may stand for the comma
 *     stage    = name [(":"|"=") arg {":" arg}]     arg = value | key "=" value
 *
 * or, where the text begins with '{', the JSON of gf_pipeline_print (parse_json.c).
 *
 * Only a stage's first argument may stand without its name; it goes to the first parameter marked
 * `positional` that can take it. */
#pragma once

#include "lang/pipeline.h"

/* Types of the caller, which come before the built-in ones. Checked. */
struct gf_parse_types {
    const gf_stage_type *const *types;
    int32_t count;
};

/* Adds the stages of the text. On failure some may have been added. */
gf_status gf_parse_pipeline(gf_pipeline *pipeline, const char *text, const struct gf_parse_types *types,
                            gf_error *error);

/* Sets the arguments ("sigma=2:border=wrap") of the last stage. */
gf_status gf_parse_arguments(gf_pipeline *pipeline, const char *text, gf_error *error);
