/* A signal on its way through a job. */
#pragma once

#include "gpufilter/signal.h"
#include "gpufilter/signal_io.h"
#include "job/job.h"

/* Memory for frames, which a GPU reaches by itself. */
struct frames {
    float *data;
    int64_t pitch;
};

struct job_signal {
    struct job *job;
    gf_signal_reader *reader;
    gf_error *failed;                  /* what the GPU that was chosen failed with; NULL: nobody asks */
    gf_signal_shape shape;             /* of what comes in */
    gf_signal_writer *writer;          /* NULL: there is no OUT */
    const gf_signal_format *format;    /* of OUT */
    gf_signal_plan *plan, *judge_plan; /* judge: of --verify */
    gf_signal_exec *exec, *judge;
    gf_device memory; /* whose frames are pinned */
    struct frames in, out;
    struct frames all,
        right; /* of --verify, and of a picture: the whole output, `made` frames of it, and the judge's */
    int64_t read, made, judged;
    struct job_signal *others; /* that stages read: reader, and `read` frames in `in` */
    gf_signal_input *inputs;   /* the same for a plan */
    int n_others;
    bool names_in; /* a stage reads IN, which is the last of them */
};

/* Tells whether there is a stage that signals, or else pictures, have not. */
bool job_has_stage_without(const gf_pipeline *pipeline, bool signals);

/* signal_kind.c: the stage that makes a picture of a signal, or NULL; then OUT is one, and job->format is
 * set. */
const gf_stage_type *job_picture_stage(const struct job *job);
/* job_signal_out.c: whether limits allow one of so many columns, and OUT can hold it. */
gf_status job_check_signal_picture(const struct job_signal *s, int64_t columns);
/* Writes the whole output, s->all, which is then to be committed. */
gf_status job_write_signal_picture(struct job_signal *s);

/* job_device.c: says an error of an exec or of its memory, but keeps for job_run_signal that of a GPU that
 * was chosen, and not asked for. */
gf_status job_signal_told(const struct job_signal *s, gf_status status, const gf_error *error);
/* All of it once more, after that, with a warning. */
gf_status job_signal_on_cpu(struct job *job, const gf_error *failed);

/* Binds the stages to s->shape and a device. */
gf_status job_signal_plan(const struct job_signal *s, gf_device device, gf_signal_plan **plan);

/* Makes room for so many frames of each channel, of IN for s->in, else of OUT; `kept` of those that are there
 * stay. */
gf_status job_signal_reserve(const struct job_signal *s, struct frames *frames, int64_t count, int64_t kept);

/* Reads what stages name beside IN, whole; where one of them is a picture, none, which the plan then says. */
gf_status job_signal_read_others(struct job_signal *s);
void job_signal_close_others(struct job_signal *s);

/* Of the report what stands between its version and its times. */
gf_status job_add_signal_head(struct buffer *text, const struct job *job, gf_error *error);

/* --explain. */
gf_status job_explain_signal(const struct job_signal *s);

/* job_signal_verify.c, --verify: has the judge take `got` frames more, or the end, where `ends`; and compares
 * at the end all that was made, bit for bit, but that any NaN is one, and the results. */
gf_status job_signal_have_judged(struct job_signal *s, int64_t got, bool ends);
gf_status job_signal_verify(struct job_signal *s);
