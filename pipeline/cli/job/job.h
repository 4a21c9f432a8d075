/* One filter job: a picture or signal through a pipeline, from words to file. */
#pragma once

#include "gpufilter/io.h"
#include "job/job_options.h"

#include <stdatomic.h>

/* Milliseconds; 0 of what did not happen. In a stream they pass side by side. */
struct job_times {
    double began; /* by now_ms() */
    double start, decode, encode, total;
};

/* A picture whose files are in memory: what comes in, and what is made. */
struct job_memory {
    struct buffer in, out;
};

struct job {
    struct job_options options;
    struct job_memory *memory; /* instead of files, whose names are then for messages; NULL: files */
    int file;                  /* of the output while it is written: signals.h */
    bool whole;                /* the plan is to be one for whole pictures */
    gf_context *context;
    bool few_colours;      /* of a batch, whose pipeline it is: job_makes_few_colours */
    gf_pipeline *pipeline; /* with what --compute, --depth and the output's format append */
    bool is_rewritten;     /* it was read again from another text than the user's */
    gf_plan *plan;
    gf_exec *exec;
    int32_t onward_from; /* stages that run over the picture, whose profile then is the signal; 0: no */
    gf_exec *front;      /* that ran them; NULL: none did */
    const struct gf_signal_plan *onward;    /* of the others, while it is explained */
    struct buffer profile;                  /* CSV, the signal that they get */
    int64_t onward_frames;                  /* of it */
    const char *onward_out, *onward_format; /* OUT, and its format, while the picture is run, which makes
                                             * none; NULL: there is none */
    struct job_signal *signal;              /* while one is run; NULL: a picture is */
    gf_status (*finish)(
        struct job *job);    /* of a signal in a batch: does what is to be done before OUT appears */
    void *owner;             /* of `finish` */
    const gf_format *format; /* of the output; NULL without one */
    gf_file_info info;       /* of the input, as it is read */
    int32_t shrink;          /* by how much it is read smaller; 0: not decided */
    gf_shape shrunk;         /* what is read smaller, as it is; width 0: nothing is */
    bool streams;  /* decode, filter and encode by bands at once; else pictures are held as a whole */
    char held[96]; /* why they are held; "": because the plan is not in bands, which says why */
    struct job_other others[JOB_MOST_INPUTS]; /* pictures that stages read beside IN */
    gf_shape other_shapes[JOB_MOST_INPUTS];
    int n_others;
    gf_reader *reader, *known;  /* known: read to the end before; its metadata counts. NULL: none */
    gf_writer *writer;          /* NULL: no output, or not begun */
    gf_picture *in, *made;      /* where they are held; `made` NULL: the plan makes no picture */
    uint64_t hash_in, hash_out; /* of samples that passed, for the report */
    bool in_bands;              /* the plan that runs is */
    bool frames;                /* pictures that follow the first one in IN go to OUT, too */
    bool follows;               /* this is one of them */
    gf_picture *before;         /* of them the one before; NULL: it is the first, or was not held */
    bool has_read;              /* rows were asked for */
    atomic_bool file_failed;    /* it was a file that failed, not the device */
    bool gpu_failed;            /* the plan is on the CPU because the device that was chosen failed */
    char failed_reason[320];    /* of a signal: in which words */
    bool verified;
    gf_device judge; /* of --verify; meaningful when verified */
    /* What is said once, however often the files are begun: */
    bool noted_in, noted_icc, noted_exif, noted_xmp, noted_rest;
    struct job_times times;
    struct buffer text;                     /* of the results */
    struct buffer report_head, report_tail; /* of the report: before and behind its times */
};

double now_ms(void);

/* The hash of samples that the report has, going on from `hash`, at first JOB_HASH_START. */
#define JOB_HASH_START UINT64_C(14695981039346656037)
uint64_t job_hash_rows(uint64_t hash, const void *data, int64_t pitch, int64_t count, gf_shape shape);

/* job_pipeline.c: what the last channel of 2 or 4 is: as the user says, or else as IN does. */
gf_alpha job_alpha(const struct job *job);
/* The user's stages, parsed. */
gf_status job_parse(struct job *job);
/* Adds what --compute f32 and --depth D stand for; `input` is the depth that comes in. With both,
 * the way back from f32 leads straight to D. */
gf_status job_complete(struct job *job, gf_depth input);
/* The pipeline completed for the shape of the input, and bound to it: job->plan. */
gf_status job_plan(struct job *job);

/* job_settle.c: what only pixels tell of the pipeline, found with job->context before it is planned. IN is
 * then open from its first row again, or held in job->in where it comes once. */
gf_status job_settle(struct job *job);

/* job_notes.c: says which options change nothing, once there is a pipeline and a format; and of those about
 * how IN is read, which picture it ever becomes. */
void job_note_ignored(const struct job *job);
void job_note_reading(const struct job *job);

/* What IN said of its samples, as far as it is still true and OUT's format has room; and a note of what it
 * has not. */
gf_metadata job_kept_metadata(struct job *job);
void job_note_no_room(struct job *job, const gf_metadata *metadata);

/* job_file.c: the input and the output of a job. What messages call them: */
const char *job_in_name(const struct job *job);
const char *job_out_name(const struct job *job);
gf_status job_open_input(struct job *job);
/* Decides, once it is open and the stages are known, whether it is read smaller. */
gf_status job_shrink_input(struct job *job);
/* Begins the output, if there is one, with what the input says about its samples. */
gf_status job_open_output(struct job *job);
/* Tells whether the last stage that makes pixels is quantize. */
bool job_makes_few_colours(const gf_pipeline *pipeline);
/* What gf_write_options.png_palette is to be. A picture that goes through in bands is never whole in memory,
 * nor are its colours known: GF_ERROR_UNSUPPORTED for `on`, no palette for `auto`. */
gf_status job_choose_palette(const struct job *job, int32_t *palette);
/* Rows from the input and to the output; they count time, and for the report the hash. */
gf_source job_source(struct job *job);
gf_sink job_sink(struct job *job);
/* Tells after the last row whether the input was sound. Says its note. */
gf_status job_finish_input(struct job *job);
/* Makes the output appear. */
gf_status job_commit_output(struct job *job);
/* Tells whether the input can be read once more. */
bool job_input_rereads(const struct job *job);

/* Has the exec say how far it is, where somebody looks. */
void job_watch(struct job *job);

/* job_filter.c: pictures as a whole. Reads the input and runs the plan; when the device that `auto` chose
 * fails, the plan becomes one for the CPU, which finishes; then a warning is said. Then --verify, and the
 * output, which is still to be committed. */
gf_status job_filter(struct job *job);
/* --verify: compares what job->exec has made of a picture with what another device makes, job->judge then.
 * GF_ERROR_MISMATCH, said. */
gf_status job_verify(struct job *job, const gf_image *in, const gf_image *out);
/* IN as a whole, to job->in, to its end. */
gf_status job_read_input(struct job *job);

/* job_stream.c: the same by bands, without --verify. */
gf_status job_stream(struct job *job);
/* Chooses whether to stream, once there is a plan; where not, job->held says why. */
void job_choose_stream(struct job *job);
/* Tells after the input's end whether OUT lacks EXIF that came too late for it; and notes that it does. */
bool job_lacks_exif(struct job *job);
void job_note_late_exif(const struct job *job);
/* Tells whether the CPU can take over from a GPU that fails in the middle of a file: IN is still there, and
 * nothing has left through a pipe. */
bool job_may_begin_again(const struct job *job);
/* The plan on the CPU, after its device failed with `error`, with a warning. */
gf_status job_continue_on_cpu(struct job *job, gf_error *error);
/* Tells whether a device that was not ordered failed, so that the CPU may finish. */
bool job_may_continue(const struct job *job, gf_status status);

/* job_explain.c: --print-pipeline and --explain, on standard output. */
gf_status job_print_pipeline(const struct job *job);
gf_status job_explain(const struct job *job);

/* job_table.c: files of tables. Tells whether any stage of the list finds one, before anything runs; whether
 * a plot can be made of a signal job_response.h tells later. */
gf_status job_check_tables(const struct job *job, bool is_signal);
/* The bytes of all files, before OUT is written. */
gf_status job_make_tables(struct job *job);
void job_add_tables(struct buffer *text, const struct job *job); /* their part of the report */
gf_status job_write_tables(const struct job *job);

/* job_signal.c: a signal instead of a picture. Tells which it is, by what IN begins with, by the stages and
 * by options; checks options and files; and runs it, with job->context. */
gf_status job_is_signal(const struct job *job, bool *is_signal);
gf_status job_check_signal(struct job *job);
gf_status job_run_signal(struct job *job);

/* job_file.c: whether OUT may be written at all, once its format is known. */
gf_status job_check_target(const struct job *job);
/* Tells whether OUT is IN, by whatever name. */
bool job_is_in_place(const struct job *job);
/* Tells whether the job ends before a sample is read. */
bool job_only_prints(const struct job *job);
/* closes the files of a job, and leaves nothing of an output that did not appear. */
void job_close_files(struct job *job);

/* job_report.c: what was measured, as text that names the input. */
gf_status job_add_results(struct buffer *text, const struct job *job, gf_print_format format,
                          gf_error *error);
/* What it has measured so far, of a picture or a signal. */
int32_t job_result_count(const struct job *job);
const gf_result *job_result(const struct job *job, int32_t index);
/* Text and report of what was found, made before OUT is written: what they lack memory for then
 * leaves nothing behind. */
gf_status job_make_texts(struct job *job);
/* The report, with the times of the whole job, which needs no more memory. */
gf_status job_write_report(struct job *job);
/* A picture in the report; without a hash where that is 0. */
void job_add_picture(struct buffer *text, const char *path, const gf_format *format, gf_shape shape,
                     uint64_t hash);
/* Text of every result, where it belongs. */
gf_status job_print_results(const struct job *job);
/* "out.png: 640 x 480 RGB u8, 2 passes on cpu; decode 1.0, filter 2.0, encode 3.0 ms, 5.0 in all"; with -v
 * the time of each pass, too. */
void job_say_done(const struct job *job);
