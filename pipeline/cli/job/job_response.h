/* --plot of a chain that measures nothing that can be drawn, but filters a signal: the gain of its filters.
 */
#pragma once

#include "job/job_signal.h"

/* Decides, once there is a plan, which of the options get it, and whether those that need it can have it.
 * GF_ERROR_ARGUMENT, said. */
gf_status job_choose_responses(struct job_signal *s);

/* Tells then whether one of them gets it, which is made of the plan alone, without a frame. */
bool job_draws_response(const struct job_signal *s);

/* Adds a whole document of SVG, for an option that gets it. GF_ERROR_MEMORY, said. */
gf_status job_response_add(struct buffer *text, const struct job_signal *s, const struct job_table *file);
