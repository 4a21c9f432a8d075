/* The steps in which the CPU transforms a line of numbers: each has units that may be done in any order, by
 * several threads, once those of the step before are done. */
#pragma once

#include "fourier/fft_call.h"
#include "fourier/fft_lines.h"

/* The first half of a line's stages, and the product of their radices. */
struct gf_fft_halves {
    int32_t stages;
    int64_t before;
};

/* The cheaper way to halve the stages of a line that has some, for vectors of `width` lanes. */
struct gf_fft_halves gf_fft_halve(const struct gf_fft_line *line, int64_t width);

/* Memory of a line: planar complex numbers. */
struct gf_fft_buffers {
    int64_t numbers; /* that each has room for */
    float *p;        /* between the halves */
    float *q;        /* for Bluestein's sum */
    float *r;        /* of real samples the complex numbers */
};

enum gf_fft_line_kind {
    GF_FFT_LINE_COMPLEX, /* from complex numbers to complex numbers */
    GF_FFT_LINE_PAIRS,   /* between an even number of real samples and their spectrum */
    GF_FFT_LINE_REAL     /* and an odd one */
};

/* Lines of which each is transformed. Strides in floats: `apart` from a complex number to the next, `next`
 * from a line to the next. */
struct gf_fft_line_job {
    const struct gf_fft_line *line;
    enum gf_fft_line_kind kind;
    int32_t inverse, width;
    float scale;
    struct gf_fft_table joined;
    const float *in;
    float *out;
    int64_t in_apart, out_apart, in_next, out_next;
};

enum gf_fft_step_kind {
    GF_FFT_STRIPS,
    GF_FFT_MULTIPLY, /* by the table, then zeros up to `points` */
    GF_FFT_SPLIT,
    GF_FFT_MERGE,
    GF_FFT_COPY,  /* numbers, with a scale; im NULL: 0, or nowhere */
    GF_FFT_MIRROR /* all of an odd number of samples from half of their spectrum */
};

struct gf_fft_step {
    enum gf_fft_step_kind kind;
    int64_t units;
    int64_t count;             /* of lanes, or of numbers */
    struct gf_fft_strip strip; /* of the first unit; its views and scale are those of other steps as well */
    struct gf_fft_table table;
    int32_t swap;
};

enum { GF_FFT_MOST_STEPS = 9 };

struct gf_fft_steps {
    int32_t count;
    struct gf_fft_step step[GF_FFT_MOST_STEPS];
};

/* The steps of line i. */
void gf_fft_line_steps(const struct gf_fft_line_job *job, int64_t i, const struct gf_fft_buffers *buffers,
                       struct gf_fft_steps *steps);

/* The step of `count` lines of complex numbers, by stages: a vector of lines at a time. */
void gf_fft_neighbour_steps(const struct gf_fft_line_job *job, int64_t count, struct gf_fft_steps *steps);

/* Runs a call by vectors of one level. */
void gf_fft_cpu_by(const struct gf_fft_call *call, const struct gf_fft_lines *lines);

/* Does one unit; `buffer` is a strip's. */
void gf_fft_step_run(const struct gf_fft_lines *lines, const struct gf_fft_step *step, int64_t unit,
                     float *buffer);
