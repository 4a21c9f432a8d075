/* A picture that goes on as a signal. */
#pragma once

#include "job/job.h"

/* How many stages run over the picture, the last of which is a profile, whose means the others take: where a
 * stage behind it works on signals alone, or OUT or options say that a signal is to come out. 0: there is no
 * such thing. */
int32_t job_onward_from(const struct job *job);

/* Hz of what a picture's profile becomes: a frame a second, unless the user says another one. */
double job_onward_rate(const struct job *job);

/* Runs it, with job->context; job->onward_from is set. */
gf_status job_run_onward(struct job *job);

/* job_run.c: plans from the header of IN, and runs the plan over the picture. */
gf_status job_prepare(struct job *job);
gf_status job_run_picture(struct job *job);
