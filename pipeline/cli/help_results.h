#ifndef GF_CLI_HELP_RESULTS_H
#define GF_CLI_HELP_RESULTS_H

#include "gpufilter/stage.h"
#include "text_buffer.h"

/* Adds what the results of the stage are; nothing for a stage without. */
void help_results_add(struct buffer *text, const gf_stage_type *type);

#endif
