/* --plot [NAME=]FILE.svg: what a stage has measured along an axis, as a line chart. */
#pragma once

#include "base/text_buffer.h"

/* Tells whether results of the stage can be drawn, and whether this one can. */
bool job_plot_is_of(const gf_stage_type *type);
bool job_plot_has(const gf_result *result);

/* Adds a whole document of SVG, for a result that can be drawn; file: where the picture came from.
 * GF_ERROR_MEMORY, said. */
gf_status job_plot_add(struct buffer *text, const gf_result *result, const char *file);
