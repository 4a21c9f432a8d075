#pragma once

#include "base/text_buffer.h"
#include "gpufilter/stage.h"

/* Adds what the results of the stage are; nothing for a stage without. */
void help_results_add(struct buffer *text, const gf_stage_type *type);
