#include "base/gf_num.h"
#include "fourier/fft_cpu.h"

#include <stddef.h>

enum { UNIT = 4096 /* numbers */ };

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t parts(int64_t n, int64_t each)
{
    return (n + each - 1) / each;
}

/* What a half costs: memory that is near, with lanes that are not there, and its loads and stores. */
static int64_t cost(int64_t lanes, int64_t points, int64_t stages, int64_t width)
{
    enum { NEAR = 32 << 10, FAR = 1 << 20 };
    const int64_t bytes = points * width * 8, slow = bytes > FAR ? 16 : bytes > NEAR ? 5 : 4;
    return parts(lanes, width) * points * (2 * stages + 3) * slow;
}

struct gf_fft_halves gf_fft_halve(const struct gf_fft_line *line, int64_t width)
{
    struct gf_fft_halves best = {line->stages, line->n};
    int64_t lowest = cost(1, line->n, line->stages, width);
    for (int32_t i = 1; i < line->stages; i++) {
        const int64_t before = line->stage[i].span, after = line->n / before;
        const int64_t price = cost(after, before, i, width) + cost(before, after, line->stages - i, width);
        if (price < lowest) {
            lowest = price;
            best = (struct gf_fft_halves){i, before};
        }
    }
    return best;
}

/* ---- Making steps --------------------------------------------------------------------------------------------- */

static struct gf_fft_view planar(float *memory, int64_t numbers)
{
    return (struct gf_fft_view){memory, memory + numbers, 0, 1};
}

static struct gf_fft_view swapped(struct gf_fft_view v)
{
    return (struct gf_fft_view){v.im, v.re, v.point, v.lane};
}

static struct gf_fft_step *add(struct gf_fft_steps *steps, enum gf_fft_step_kind kind, int64_t units,
                               int64_t count, struct gf_fft_view from, struct gf_fft_view to, float scale)
{
    struct gf_fft_step *step = &steps->step[steps->count++];
    *step = (struct gf_fft_step){.kind = kind, .units = units, .count = count};
    step->strip.from = from;
    step->strip.to = to;
    step->strip.scale = scale;
    return step;
}

/* Stages as strips, a vector of `lanes` at a time. */
static void add_strips(struct gf_fft_steps *steps, const struct gf_fft_stage *stage, int32_t stages,
                       int64_t points, int64_t lanes, int64_t width, struct gf_fft_view from,
                       struct gf_fft_view to, float scale)
{
    struct gf_fft_step *step = add(steps, GF_FFT_STRIPS, parts(lanes, width), lanes, from, to, scale);
    step->strip.stage = stage;
    step->strip.stages = stages;
    step->strip.points = points;
}

/* The stages of a line, whose numbers are the lanes of the views; the next line lies `ahead`. */
static void add_stages(struct gf_fft_steps *steps, const struct gf_fft_line *line, int64_t width,
                       int64_t ahead, const struct gf_fft_buffers *buffers, struct gf_fft_view from,
                       struct gf_fft_view to, float scale)
{
    if (line->n == 1) {
        add(steps, GF_FFT_COPY, 1, 1, from, to, scale);
        return;
    }
    const struct gf_fft_halves halves = gf_fft_halve(line, width);
    const int64_t before = halves.before, after = line->n / before;
    from.point = after * from.lane;
    if (after == 1) {
        to.point = to.lane;
        add_strips(steps, line->stage, line->stages, line->n, 1, width, from, to, scale);
        return;
    }
    struct gf_fft_view between = planar(buffers->p, buffers->numbers);
    between.point = 1;
    between.lane = before;
    add_strips(steps, line->stage, halves.stages, before, after, width, from, between, 1);
    steps->step[steps->count - 1].strip.beyond = from.lane * line->n;
    steps->step[steps->count - 1].strip.ahead = ahead * (int64_t)sizeof(float);
    between.point = before;
    between.lane = 1;
    to.point = before * to.lane;
    add_strips(steps, line->stage + halves.stages, line->stages - halves.stages, after, before, width,
               between, to, scale);
    steps->step[steps->count - 1].strip.beyond = line->n;
}

static void add_line(struct gf_fft_steps *steps, const struct gf_fft_line *line, int64_t width, int64_t ahead,
                     const struct gf_fft_buffers *buffers, struct gf_fft_view from, struct gf_fft_view to,
                     float scale)
{
    if (!line->sum) {
        add_stages(steps, line, width, ahead, buffers, from, to, scale);
        return;
    }
    const struct gf_fft_view q = planar(buffers->q, buffers->numbers);
    const int64_t n = line->n, m = line->sum->n;
    struct gf_fft_step *step = add(steps, GF_FFT_MULTIPLY, parts(n, UNIT), n, from, q, 1);
    step->table = line->chirp;
    step->strip.points = m;
    add_stages(steps, line->sum, width, 0, buffers, q, q, 1);
    step = add(steps, GF_FFT_MULTIPLY, parts(m, UNIT), m, q, q, 1);
    step->table = line->b;
    step->swap = 2;
    add_stages(steps, line->sum, width, 0, buffers, q, q, 1);
    step = add(steps, GF_FFT_MULTIPLY, parts(n, UNIT), n, q, to, scale);
    step->table = line->chirp;
    step->swap = 1;
}

/* Numbers in turns, of a stride. */
static struct gf_fft_view in_turns(const float *memory, int64_t apart)
{
    return (struct gf_fft_view){(float *)memory, (float *)memory + 1, 0, apart};
}

static void real_steps(const struct gf_fft_line_job *job, const float *in, float *out,
                       const struct gf_fft_buffers *buffers, struct gf_fft_steps *steps)
{
    const struct gf_fft_view r = planar(buffers->r, buffers->numbers),
                             spectrum = in_turns(job->inverse ? in : out, 2);
    const int pairs = job->kind == GF_FFT_LINE_PAIRS;
    const int64_t n = job->line->n;
    const struct gf_fft_view samples = {job->inverse ? out : (float *)in, NULL, 0, 1};
    if (pairs && job->inverse) {
        add(steps, GF_FFT_MERGE, parts(n, UNIT), n, spectrum, r, 1)->table = job->joined;
        add_line(steps, job->line, job->width, 0, buffers, swapped(r), swapped(in_turns(out, 2)), job->scale);
    } else if (pairs) {
        add_line(steps, job->line, job->width, job->in_next, buffers, in_turns(in, 2), r, 1);
        add(steps, GF_FFT_SPLIT, parts(n, UNIT), n, r, spectrum, 1)->table = job->joined;
    } else if (job->inverse) {
        add(steps, GF_FFT_MIRROR, 1, n, spectrum, r, 1);
        add_line(steps, job->line, job->width, 0, buffers, swapped(r), swapped(r), 1);
        add(steps, GF_FFT_COPY, 1, n, (struct gf_fft_view){r.re, NULL, 0, 1}, samples, job->scale);
    } else {
        add(steps, GF_FFT_COPY, 1, n, samples, r, 1);
        add_line(steps, job->line, job->width, 0, buffers, r, r, 1);
        add(steps, GF_FFT_COPY, 1, n / 2 + 1, r, spectrum, 1);
    }
}

void gf_fft_line_steps(const struct gf_fft_line_job *job, int64_t i, const struct gf_fft_buffers *buffers,
                       struct gf_fft_steps *steps)
{
    const float *in = job->in + i * job->in_next;
    float *out = job->out + i * job->out_next;
    steps->count = 0;
    if (job->kind != GF_FFT_LINE_COMPLEX) {
        real_steps(job, in, out, buffers, steps);
        return;
    }
    struct gf_fft_view from = in_turns(in, job->in_apart), to = in_turns(out, job->out_apart);
    from = job->inverse ? swapped(from) : from;
    to = job->inverse ? swapped(to) : to;
    add_line(steps, job->line, job->width, job->in_next, buffers, from, to, job->scale);
}

void gf_fft_neighbour_steps(const struct gf_fft_line_job *job, int64_t count, struct gf_fft_steps *steps)
{
    struct gf_fft_view from = {(float *)job->in, (float *)job->in + 1, job->in_apart, job->in_next};
    struct gf_fft_view to = {job->out, job->out + 1, job->out_apart, job->out_next};
    from = job->inverse ? swapped(from) : from;
    to = job->inverse ? swapped(to) : to;
    steps->count = 0;
    if (job->line->n > 1) {
        add_strips(steps, job->line->stage, job->line->stages, job->line->n, count, job->width, from, to,
                   job->scale);
        steps->step[0].strip.ahead = job->in_next * job->width * (int64_t)sizeof(float);
        steps->step[0].strip.ahead_to = job->out_next * job->width * (int64_t)sizeof(float);
    } else {
        add(steps, GF_FFT_COPY, 1, count, from, to, job->scale);
    }
}

/* ---- Running them ----------------------------------------------------------------------------------------------- */

static void run_strip(const struct gf_fft_lines *lines, const struct gf_fft_step *step, int64_t unit,
                      float *buffer)
{
    struct gf_fft_strip s = step->strip;
    const int64_t lane = unit * lines->width, from = lane * s.from.lane, to = lane * s.to.lane;
    s.buffer = buffer;
    s.at = lane;
    s.lanes = (int32_t)least(lines->width, step->count - lane);
    s.beyond -= from;
    s.from.re += from;
    s.from.im += from;
    s.to.re += to;
    s.to.im += to;
    lines->strip(&s);
}

static void copy(const struct gf_fft_step *step)
{
    const struct gf_fft_view *from = &step->strip.from, *to = &step->strip.to;
    for (int64_t k = 0; k < step->count; k++) {
        const float re = from->re[k * from->lane], im = from->im ? from->im[k * from->lane] : 0;
        to->re[k * to->lane] = gf_canonical(re * step->strip.scale);
        if (to->im) {
            to->im[k * to->lane] = gf_canonical(im * step->strip.scale);
        }
    }
}

static void mirror(const struct gf_fft_step *step)
{
    const float *in = step->strip.from.re;
    const struct gf_fft_view *to = &step->strip.to;
    to->re[0] = in[0];
    to->im[0] = 0;
    for (int64_t k = 1, n = step->count; 2 * k < n; k++) {
        to->re[k] = to->re[n - k] = in[2 * k];
        to->im[k] = in[2 * k + 1];
        to->im[n - k] = -in[2 * k + 1];
    }
}

/* Of the spectrum number 0 and number h, whose halves are both Z_0; and Z_0 from those. */
static void split_ends(const struct gf_fft_lines *lines, const struct gf_fft_step *step)
{
    const struct gf_fft_view *z = &step->strip.from;
    float re[] = {z->re[0], z->re[0]}, im[] = {z->im[0], z->im[0]}, to[4];
    float vr[] = {step->table.re[0], step->table.re[step->count]};
    float vi[] = {step->table.im[0], step->table.im[step->count]};
    float *out = step->strip.to.re;
    lines->split(re, im, &(struct gf_fft_table){vr, vi}, 1, 0, 2, to);
    out[0] = to[0];
    out[1] = to[1];
    out[2 * step->count] = to[2];
    out[2 * step->count + 1] = to[3];
}
static void merge_end(const struct gf_fft_lines *lines, const struct gf_fft_step *step)
{
    const float ends[] = {step->strip.from.re[0], 0, step->strip.from.re[2 * step->count], 0};
    lines->merge(ends, &step->table, 1, 0, 1, step->strip.to.re, step->strip.to.im);
}

void gf_fft_step_run(const struct gf_fft_lines *lines, const struct gf_fft_step *step, int64_t unit,
                     float *buffer)
{
    const struct gf_fft_view *from = &step->strip.from, *to = &step->strip.to;
    const int64_t first = unit * UNIT, end = least(first + UNIT, step->count);
    const int64_t inner = first > 0 ? first : 1;
    switch (step->kind) {
    case GF_FFT_STRIPS:
        run_strip(lines, step, unit, buffer);
        break;
    case GF_FFT_MULTIPLY:
        lines->multiply(from, &step->table, first, end, step->swap, step->strip.scale, to);
        for (int64_t k = step->count; unit == 0 && k < step->strip.points; k++) {
            to->re[k] = to->im[k] = 0;
        }
        break;
    case GF_FFT_SPLIT:
        if (unit == 0) {
            split_ends(lines, step);
        }
        lines->split(from->re, from->im, &step->table, step->count, inner, end, to->re);
        break;
    case GF_FFT_MERGE:
        if (unit == 0) {
            merge_end(lines, step);
        }
        lines->merge(from->re, &step->table, step->count, inner, end, to->re, to->im);
        break;
    case GF_FFT_COPY:
        copy(step);
        break;
    default:
        mirror(step);
        break;
    }
}
