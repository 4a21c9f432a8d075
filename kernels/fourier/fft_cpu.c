/* The Fourier transform on the CPU. A line of n = L M numbers is transformed in two halves of its stages:
 * those of M neighbouring transforms of L numbers, a vector of them at a time, turned round as they are
 * written; then those of L neighbouring transforms of M. Columns of a picture are neighbours as they are, and
 * so are short rows. Threads take lines, or where there are few of them share what each has to do. */
#include "fourier/fft_cpu.h"
#include "base/cpu_level.h"
#include "base/float_mode.h"
#include "base/planted_fault.h"
#include "base/team.h"

enum {
    PAYS = GF_ARRAY_PAYS / 8, /* numbers a thread */
    WIDE = 16,                /* lanes at most */
    SHORT = 64                /* numbers of a row: less time in vectors of rows, though these are gathered */
};

/* One after the other, what the lines of a call are made of: the same for each, whose views follow. */
struct job {
    const struct gf_fft_call *call;
    const struct gf_fft_lines *lines;
    struct gf_team *team;
    int32_t threads;
    bool shares_rows, shares_columns; /* threads share a line, as there are fewer of them */
    struct gf_fft_line_job line;
    struct gf_fft_buffers buffers; /* of the first thread */
    size_t buffer_floats, strip_floats;
    float *strips;
    int64_t count, next, step; /* lines; the next one or the next unit that nobody has taken */
    struct gf_fft_steps steps;
};

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* ---- Memory -------------------------------------------------------------------------------------------------- */

static int64_t points_of(const struct gf_fft_line *line)
{
    const struct gf_fft_line *last = line->sum ? line->sum : line;
    int64_t points = 1, width = WIDE;
    for (; width > 2; width /= 2) { /* whatever level runs */
        const struct gf_fft_halves halves = gf_fft_halve(last, width);
        points = most(points, most(halves.before, last->n / halves.before));
    }
    return points;
}

/* Lays scratch memory out for rows and columns of the call; a size where memory is NULL. */
static size_t lay_out(const struct gf_fft_call *call, void *memory, struct job *job, float **spectrum)
{
    const struct gf_fft_plan *plan = call->plan;
    const struct gf_fft_line *row = &plan->row, *column = &plan->column;
    const int64_t sums = most(row->sum ? row->sum->n : 0, column->sum ? column->sum->n : 0);
    const int64_t numbers = most(sums, most(row->n, column->sum ? column->n : 0)) + GF_FFT_PADDING;
    const int64_t points = most(most(points_of(row), SHORT), column->sum ? points_of(column) : column->n);
    struct gf_array_call work = call->array;
    size_t used = 0;
    work.n *= 1 + (plan->shape.dimensions == 2);
    job->threads = gf_array_threads(&work, PAYS);
    job->shares_rows = plan->shape.rows < job->threads;
    job->shares_columns = plan->half < job->threads;
    job->strip_floats = (size_t)((points + WIDE) * 2 * WIDE);
    job->strips = gf_scratch_take(memory, &used, job->strip_floats * (size_t)job->threads * sizeof(float));
    job->buffers.numbers = numbers;
    job->buffer_floats = (size_t)(numbers * 2 * (1 + (sums > 0) + plan->shape.real));
    const bool shares = job->shares_rows && (!column->sum || job->shares_columns);
    const size_t sets = shares ? 1 : (size_t)job->threads;
    job->buffers.p = gf_scratch_take(memory, &used, job->buffer_floats * sets * sizeof(float));
    job->buffers.q = memory ? job->buffers.p + 2 * numbers : NULL;
    job->buffers.r = memory ? job->buffers.p + (sums > 0 ? 4 : 2) * numbers : NULL;
    *spectrum = gf_scratch_take(
        memory, &used, gf_fft_copies(call) ? (size_t)(plan->half * plan->shape.rows) * 2 * sizeof(float) : 0);
    return used;
}

size_t gf_fft_cpu_scratch(const struct gf_array_call *array)
{
    struct job job = {0};
    float *spectrum;
    return lay_out(gf_fft_call_of(array), NULL, &job, &spectrum);
}

/* ---- Lines --------------------------------------------------------------------------------------------------- */

static float *strip_of(const struct job *job, int thread)
{
    return job->strips + job->strip_floats * (size_t)thread;
}

static void take_lines(void *argument, int thread, int threads)
{
    struct job *job = argument;
    struct gf_fft_buffers buffers = job->buffers;
    struct gf_fft_steps steps;
    gf_float_mode saved;
    (void)threads;
    gf_float_mode_set(&saved); /* subnormal numbers are not zero */
    buffers.p += job->buffer_floats * (size_t)thread;
    buffers.q += job->buffer_floats * (size_t)thread;
    buffers.r += job->buffer_floats * (size_t)thread;
    for (int64_t i; (i = __atomic_fetch_add(&job->next, 1, __ATOMIC_RELAXED)) < job->count;) {
        gf_fft_line_steps(&job->line, i, &buffers, &steps);
        for (int32_t s = 0; s < steps.count; s++) {
            for (int64_t unit = 0; unit < steps.step[s].units; unit++) {
                gf_fft_step_run(job->lines, &steps.step[s], unit, strip_of(job, thread));
            }
        }
    }
    gf_float_mode_restore(&saved);
}

static void take_units(void *argument, int thread, int threads)
{
    struct job *job = argument;
    const struct gf_fft_step *step = &job->steps.step[job->step];
    gf_float_mode saved;
    (void)threads;
    gf_float_mode_set(&saved); /* subnormal numbers are not zero */
    for (int64_t unit;
         (unit = __atomic_fetch_add(&job->next, 1, __ATOMIC_RELAXED)) < step->units - GF_FAULT(fft_share);) {
        gf_fft_step_run(job->lines, step, unit, strip_of(job, thread));
    }
    gf_float_mode_restore(&saved);
}

static void run_steps(struct job *job)
{
    for (job->step = 0; job->step < job->steps.count; job->step++) {
        job->next = 0;
        gf_team_run(job->team, job->threads, take_units, job);
    }
}

static void run_lines(struct job *job, bool shares)
{
    if (!shares) {
        job->next = 0;
        gf_team_run(job->team, job->threads, take_lines, job);
        return;
    }
    for (int64_t i = 0; i < job->count; i++) {
        gf_fft_line_steps(&job->line, i, &job->buffers, &job->steps);
        run_steps(job);
    }
}

/* Columns as strips, or by other primes one by one. Floats from a row to the next: row_in, row_out. */
static void run_columns(struct job *job, const float *in, int64_t row_in, float *out, int64_t row_out)
{
    const struct gf_fft_plan *plan = job->call->plan;
    job->line = (struct gf_fft_line_job){
        .line = &plan->column,
        .kind = GF_FFT_LINE_COMPLEX,
        .inverse = job->call->inverse,
        .width = job->lines->width,
        .scale = 1,
        .in = in,
        .out = out,
        .in_apart = row_in,
        .out_apart = row_out,
        .in_next = 2,
        .out_next = 2,
    };
    job->count = plan->half;
    if (plan->column.sum) {
        run_lines(job, job->shares_columns);
    } else {
        gf_fft_neighbour_steps(&job->line, job->count, &job->steps);
        run_steps(job);
    }
}

static void run_rows(struct job *job, const float *in, int64_t row_in, float *out, int64_t row_out)
{
    const struct gf_fft_plan *plan = job->call->plan;
    job->line = (struct gf_fft_line_job){
        .line = &plan->row,
        .kind = !plan->shape.real         ? GF_FFT_LINE_COMPLEX
                : plan->shape.columns % 2 ? GF_FFT_LINE_REAL
                                          : GF_FFT_LINE_PAIRS,
        .inverse = job->call->inverse,
        .width = job->lines->width,
        .scale = job->call->scale,
        .joined = plan->joined,
        .in = in,
        .out = out,
        .in_apart = 2,
        .out_apart = 2,
        .in_next = row_in,
        .out_next = row_out,
    };
    job->count = plan->shape.rows;
    if (job->line.kind == GF_FFT_LINE_COMPLEX && !plan->row.sum && plan->row.n <= SHORT) {
        gf_fft_neighbour_steps(&job->line, job->count, &job->steps);
        run_steps(job);
    } else {
        run_lines(job, job->shares_rows);
    }
}

void gf_fft_cpu_by(const struct gf_fft_call *call, const struct gf_fft_lines *lines)
{
    const struct gf_array_call *array = &call->array;
    const int both = call->plan->shape.dimensions == 2;
    struct job job = {.call = call, .lines = lines};
    const float *in = array->in;
    float *out = array->out, *spectrum;
    int64_t row_in = gf_fft_row_in(call);
    const int64_t row_out = gf_fft_row_out(call);
    if (array->n == 0) {
        return;
    }
    lay_out(call, array->scratch, &job, &spectrum);
    job.team = gf_team_create(job.threads);
    if (both && call->inverse) {
        float *to = gf_fft_copies(call) ? spectrum : out;
        const int64_t row = gf_fft_copies(call) ? 2 * call->plan->half : row_out;
        run_columns(&job, in, row_in, to, row);
        in = to;
        row_in = row;
    }
    run_rows(&job, in, row_in, out, row_out);
    if (both && !call->inverse) {
        run_columns(&job, out, row_out, out, row_out);
    }
    gf_team_destroy(job.team);
}

gf_status gf_fft_cpu(const struct gf_array_call *array, gf_error *error)
{
    (void)error;
    gf_fft_cpu_by(gf_fft_call_of(array), GF_LEVEL_BEST(&gf_fft_lines));
    return GF_OK;
}
