/* One filter job: a picture or signal through a pipeline, from words to file. */
#ifndef GF_CLI_JOB_H
#define GF_CLI_JOB_H

#include "gpufilter/io.h"
#include "job_options.h"

/* Milliseconds. Decode, filter and encode may be left at 0 when they did not happen. */
struct job_times {
    double began; /* by now_ms() */
    double start, decode, encode, total;
};

struct job {
    struct job_options options;
    gf_context *context;
    gf_pipeline *pipeline; /* with what --compute, --depth and the output's format append */
    gf_plan *plan;
    gf_exec *exec;           /* NULL when nothing has to run */
    const gf_format *format; /* of the output; NULL without one */
    gf_file_info info;       /* of the input; format NULL: not known, as for a pipe */
    gf_picture *in;          /* NULL until read */
    gf_picture *made;        /* what the plan made; NULL when that is the input itself */
    const gf_image *result;  /* the picture to write: of `made` or of `in`; NULL: none */
    bool gpu_failed;         /* the plan is on the CPU because the device that was chosen failed */
    gf_device judge;         /* of --verify */
    struct job_times times;
    struct buffer text;                     /* of the results */
    struct buffer report_head, report_tail; /* of the report: before and behind its times */
};

double now_ms(void);

/* job_pipeline.c: the user's stages, parsed. */
gf_status job_parse(struct job *job);
/* Adds what --compute f32 and --depth D stand for; `input` is the depth that comes in. With both,
 * the way back from f32 leads straight to D. */
gf_status job_complete(struct job *job, gf_depth input);
/* The pipeline completed for the shape of the input, and bound to it: job->plan. */
gf_status job_plan(struct job *job);

/* job_filter.c */
/* Runs the plan over job->in: job->exec, job->made and job->result. When the device that `auto` chose fails,
 * the plan becomes one for the CPU, which finishes; then a warning is said. */
gf_status job_filter(struct job *job);
/* --verify, if it was asked for. */
gf_status job_verify(struct job *job);

/* job_explain.c: --print-pipeline and --explain, on standard output. */
gf_status job_print_pipeline(const struct job *job);
gf_status job_explain(const struct job *job);

/* job_report.c: text and report of what was found, made before OUT is written: what they lack memory for then
 * leaves nothing behind. */
gf_status job_make_texts(struct job *job);
/* The report, with the times of the whole job, which needs no more memory. */
gf_status job_write_report(struct job *job);
/* Text of every result, where it belongs. */
gf_status job_print_results(const struct job *job);
/* "out.png: 640 x 480 RGB u8, 2 passes on cpu; decode 1.0, filter 2.0, encode 3.0 ms" */
void job_say_done(const struct job *job);

#endif
