/* "frequency": transforms by gf_fft, on the CPU and on CUDA alike, one channel after the other in one
 * spectrum; and on the CPU what lies between them. "fourier" is one of them alone. */
#include "pixel/whole/frequency/frequency.h"

#include "base/float_mode.h"
#include "base/gf_border.h"
#include "base/planted_fault.h"
#include "base/status.h"
#include "base/team.h"
#include "fourier/fft_call.h"

enum { PIECE = 512 }; /* numbers of a row whose weights are made at once */

static struct gf_frequency_plane plane_of(const struct gf_apply_run *run)
{
    const struct gf_value *in = &run->in_values[0];
    struct gf_frequency_plane plane = {.run = run,
                                       .terms = run->in[1].data,
                                       .numbers = run->scratch,
                                       .pixels = in->width,
                                       .channels = in->channels};
    gf_args_get(&run->apply->args, &plane.args, sizeof plane.args);
    plane.width = plane.args.width;
    plane.height = plane.args.height;
    plane.half = plane.width / 2 + 1;
    plane.row = run->queue.device < 0 ? 2 * plane.half : gf_fft_filter_row(plane.args.plan);
    return plane;
}

/* ---- on the CPU ---- */

struct job {
    const struct gf_frequency_plane *plane;
    enum gf_frequency_part part;
};

static const char *row_in(const struct gf_frequency_plane *p, int64_t y)
{
    const struct gf_value *in = &p->run->in_values[0];
    return (const char *)p->run->in[0].data + y * p->run->in[0].pitch +
           p->channel * (int64_t)gf_depth_size(in->depth);
}

/* Samples of a row of the picture in f32. */
static void widen(const struct gf_frequency_plane *p, const char *row, float *to)
{
    const int64_t step = p->channels, n = p->pixels;
    const gf_depth depth = p->run->in_values[0].depth;
    for (int64_t x = 0; x < n && depth == GF_U8; x++) {
        to[x] = gf_frequency_sample(row, GF_U8, x * step);
    }
    for (int64_t x = 0; x < n && depth == GF_U16; x++) {
        to[x] = gf_frequency_sample(row, GF_U16, x * step);
    }
    for (int64_t x = 0; x < n && depth == GF_F32; x++) {
        to[x] = gf_frequency_sample(row, GF_F32, x * step);
    }
}

static void take(const struct gf_frequency_plane *p, int64_t y)
{
    const struct gf_frequency_args *a = &p->args;
    const int64_t n = p->pixels;
    const char *row = row_in(p, gf_border_index(y - a->top, p->run->in_values[0].height, a->border));
    float *to = p->numbers + y * p->row, *own = to + a->left;
    widen(p, row, own);
    for (int64_t x = -a->left; x < 0; x++) {
        own[x] = own[gf_border_index(x, n, a->border)];
    }
    for (int64_t x = n; x < p->width - a->left; x++) {
        own[x] = own[gf_border_index(x, n, a->border)];
    }
}

static void weight(const struct gf_frequency_plane *p, int64_t l)
{
    const struct gf_frequency_args *args = &p->args;
    float *row = p->numbers + l * p->row, factor[PIECE];
    for (int64_t k = 0; k < p->half; k += PIECE) {
        const int64_t n = p->half - k < PIECE ? p->half - k : PIECE;
        for (int32_t t = 0; t < args->terms; t++) {
            const float *x = p->terms + t * (p->half + p->height) + k, y = x[p->half + l - k];
            for (int64_t i = 0; i < n; i++) {
                const float g = gf_frequency_term(args->shape, args->order, x[i], y);
                const float own = t < args->below ? g : 1.0F - g;
                factor[i] = t > 0 ? factor[i] * own : own;
            }
        }
        for (int64_t i = 0; i < n - GF_FAULT(frequency_last); i++) {
            row[2 * (k + i)] *= factor[i];
            row[2 * (k + i) + 1] *= factor[i];
        }
    }
}

static void give(const struct gf_frequency_plane *p, int64_t y, bool copies)
{
    const struct gf_value *in = &p->run->in_values[0], *out = &p->run->out_values[0];
    char *to = (char *)p->run->out[0].data + y * p->run->out[0].pitch +
               p->channel * (int64_t)gf_depth_size(out->depth);
    const float *from = p->numbers + (y + p->args.top) * p->row + p->args.left;
    const int64_t step = p->channels;
    const struct gf_fft_shown shown = p->args.shown;
    for (int64_t x = 0; x < p->pixels && copies; x++) {
        gf_frequency_give(to, out->depth, x * step, gf_frequency_sample(row_in(p, y), in->depth, x * step));
    }
    for (int64_t x = 0; x < p->pixels && !copies && out->depth == GF_U8; x++) {
        gf_frequency_give(to, GF_U8, x * step, gf_fft_show(shown, from[x]));
    }
    for (int64_t x = 0; x < p->pixels && !copies && out->depth == GF_U16; x++) {
        gf_frequency_give(to, GF_U16, x * step, gf_fft_show(shown, from[x]));
    }
    for (int64_t x = 0; x < p->pixels && !copies && out->depth == GF_F32; x++) {
        gf_frequency_give(to, GF_F32, x * step, gf_fft_show(shown, from[x]));
    }
}

static void part_rows(void *argument, int i, int n)
{
    const struct job *job = argument;
    const bool gives = job->part == GF_FREQUENCY_GIVE || job->part == GF_FREQUENCY_COPY;
    const int64_t rows = gives ? job->plane->run->out_values[0].height : job->plane->height;
    gf_float_mode saved;
    gf_float_mode_set(&saved);
    for (int64_t y = rows * i / n; y < rows * (i + 1) / n; y++) {
        if (gives) {
            give(job->plane, y, job->part == GF_FREQUENCY_COPY);
        } else if (job->part == GF_FREQUENCY_TAKE) {
            take(job->plane, y);
        } else {
            weight(job->plane, y);
        }
    }
    gf_float_mode_restore(&saved);
}

static gf_status run_part(const struct gf_frequency_plane *plane, enum gf_frequency_part part,
                          gf_error *error)
{
    struct job job = {plane, part};
    if (plane->run->queue.device >= 0) {
        return gf_frequency_part_cuda(plane, part, error);
    }
    gf_team_run(plane->run->team, plane->run->threads, part_rows, &job);
    return GF_OK;
}

/* ---- transforms ---- */

static gf_fft_options options_of(const struct gf_apply_run *run, int32_t inverse)
{
    gf_fft_options options = GF_FFT_OPTIONS_INIT;
    options.array.threads = run->threads;
    options.inverse = inverse;
    return options;
}

/* Tells whether a GPU does all at once (gf_fft_run_filter). */
static bool at_once(const struct gf_frequency_plane *plane)
{
    return plane->args.terms > 0 && plane->run->queue.device >= 0;
}

static size_t spectrum_bytes(const struct gf_frequency_plane *plane)
{
    return ((size_t)plane->height * (size_t)plane->row * sizeof(float) + 255) / 256 * 256;
}

/* The bytes that the transforms need beside the spectrum. */
static gf_status find_beside(const struct gf_frequency_plane *plane, size_t *beside, gf_error *error)
{
    *beside = 0;
    for (int32_t inverse = 0; inverse < (at_once(plane) ? 1 : 2); inverse++) {
        const gf_fft_options options = options_of(plane->run, inverse);
        size_t bytes;
        GF_TRY(gf_fft_scratch(plane->run->queue.device, &options, plane->args.plan, &bytes, error));
        *beside = bytes > *beside ? bytes : *beside;
    }
    return GF_OK;
}

/* Only an unknown device has none, and no plan is made for that. */
static size_t frequency_scratch(const struct gf_apply_run *run)
{
    const struct gf_frequency_plane plane = plane_of(run);
    size_t beside;
    return find_beside(&plane, &beside, NULL) == GF_OK ? spectrum_bytes(&plane) + beside : 0;
}

static gf_status filter_on_gpu(const struct gf_frequency_plane *plane, gf_error *error)
{
    const struct gf_apply_run *run = plane->run;
    const struct gf_frequency_args *args = &plane->args;
    const struct gf_value *in = &run->in_values[0], *out = &run->out_values[0];
    const size_t at = (size_t)plane->channel;
    struct gf_fft_filter filter = {
        .weights = {plane->terms, plane->half, plane->height, args->shape, args->order, args->terms,
                    args->below},
        .in = {(char *)run->in[0].data + at * gf_depth_size(in->depth), run->in[0].pitch, (int32_t)in->depth,
               plane->channels},
        .out = {(char *)run->out[0].data + at * gf_depth_size(out->depth), run->out[0].pitch,
                (int32_t)out->depth, plane->channels},
        .shown = args->shown,
        .left = args->left,
        .top = args->top,
        .width = out->width,
        .height = out->height,
        .border = args->border,
    };
    filter.fused = gf_fft_fuses(args->plan, &filter);
    GF_TRY(filter.fused ? GF_OK : run_part(plane, GF_FREQUENCY_TAKE, error));
    GF_TRY(gf_fft_run_filter(run->queue, args->plan, &filter, plane->numbers,
                             (char *)plane->numbers + spectrum_bytes(plane), error));
    return filter.fused ? GF_OK : run_part(plane, GF_FREQUENCY_GIVE, error);
}

static gf_status filter(const struct gf_frequency_plane *plane, size_t beside, gf_error *error)
{
    const struct gf_apply_run *run = plane->run;
    const gf_fft_options there = options_of(run, 0), back = options_of(run, 1);
    const gf_fft_plan *plan = plane->args.plan;
    void *scratch = (char *)plane->numbers + spectrum_bytes(plane);
    float *numbers = plane->numbers;
    GF_TRY(run_part(plane, GF_FREQUENCY_TAKE, error));
    GF_TRY(gf_fft(run->queue, &there, plan, numbers, numbers, scratch, beside, error));
    GF_TRY(run_part(plane, GF_FREQUENCY_WEIGHT, error));
    GF_TRY(gf_fft(run->queue, &back, plan, numbers, numbers, scratch, beside, error));
    return run_part(plane, GF_FREQUENCY_GIVE, error);
}

static gf_status frequency(const struct gf_apply_run *run, gf_error *error)
{
    struct gf_frequency_plane plane = plane_of(run);
    size_t beside;
    GF_TRY(find_beside(&plane, &beside, error));
    for (plane.channel = 0; plane.channel < run->out_values[0].channels; plane.channel++) {
        const bool changes = plane.args.mask >> plane.channel & 1;
        GF_TRY(!changes          ? run_part(&plane, GF_FREQUENCY_COPY, error)
               : at_once(&plane) ? filter_on_gpu(&plane, error)
                                 : filter(&plane, beside, error));
    }
    return GF_OK;
}

/* Halvings of a line; of Bluestein's sum two transforms of m numbers, for n. */
static double stages_of(const struct gf_fft_line *line)
{
    const struct gf_fft_line *made = line->sum ? line->sum : line;
    double stages = 0;
    for (double n = (double)made->n; n > 1; n /= 2) {
        stages++;
    }
    return line->sum ? 2 * stages * (double)made->n / (double)line->n : stages;
}

/* As two transforms of real samples cost, or one of complex numbers: passes over the spectrum, and
 * butterflies. */
static void add_works(const gf_fft_plan *plan, double times, double each, double amounts[GF_WORKS])
{
    const double numbers = times * (double)plan->shape.columns * (double)plan->shape.rows;
    const double stages = stages_of(&plan->row) + stages_of(&plan->column);
    amounts[GF_WORK_BYTE] += numbers * 8 * 5;
    amounts[GF_WORK_PRODUCT] += numbers * (20 * stages + each);
}

static void frequency_works(const struct gf_apply *apply, const struct gf_value *in,
                            const struct gf_value *out, double amounts[GF_WORKS])
{
    struct gf_frequency_args args;
    gf_args_get(&apply->args, &args, sizeof args);
    (void)in;
    add_works(args.plan, __builtin_popcount(args.mask & ((1u << out->channels) - 1)), 2 * args.terms,
              amounts);
}

static gf_status frequency_prepare(const struct gf_apply *apply, gf_device device, gf_error *error)
{
    struct gf_frequency_args args;
    gf_args_get(&apply->args, &args, sizeof args);
    return gf_fft_prepare(device, args.plan, error);
}

const struct gf_kernel gf_kernel_frequency = {
    .name = "frequency",
    .kind = GF_KERNEL_WHOLE,
    .words = "Fourier transforms there and back, with weights in between",
    .apply = {.cpu = frequency,
              .cuda = frequency,
              .scratch = frequency_scratch,
              .prepare = frequency_prepare,
              .works = frequency_works},
    .judge = gf_judge_frequency,
};

/* ---- fourier ---- */

/* As one channel of twice as many floats a row. */
static struct gf_frequency_plane numbers_of(const struct gf_apply_run *run, struct gf_fourier_args *args)
{
    const struct gf_value *in = &run->in_values[0];
    gf_args_get(&run->apply->args, args, sizeof *args);
    return (struct gf_frequency_plane){.run = run,
                                       .numbers = run->scratch,
                                       .width = 2 * in->width,
                                       .height = in->height,
                                       .half = in->width,
                                       .row = 2 * in->width,
                                       .pixels = 2 * in->width,
                                       .channels = 1,
                                       .args = {.plan = args->plan}};
}

static size_t fourier_scratch(const struct gf_apply_run *run)
{
    struct gf_fourier_args args;
    const struct gf_frequency_plane plane = numbers_of(run, &args);
    size_t beside;
    return find_beside(&plane, &beside, NULL) == GF_OK ? spectrum_bytes(&plane) + beside : 0;
}

static gf_status fourier(const struct gf_apply_run *run, gf_error *error)
{
    struct gf_fourier_args args;
    const struct gf_frequency_plane plane = numbers_of(run, &args);
    const gf_fft_options options = options_of(run, args.inverse);
    size_t beside;
    GF_TRY(find_beside(&plane, &beside, error));
    GF_TRY(run_part(&plane, GF_FREQUENCY_TAKE, error));
    GF_TRY(gf_fft(run->queue, &options, args.plan, plane.numbers, plane.numbers,
                  (char *)plane.numbers + spectrum_bytes(&plane), beside, error));
    return run_part(&plane, GF_FREQUENCY_GIVE, error);
}

static void fourier_works(const struct gf_apply *apply, const struct gf_value *in, const struct gf_value *out,
                          double amounts[GF_WORKS])
{
    struct gf_fourier_args args;
    gf_args_get(&apply->args, &args, sizeof args);
    (void)in;
    (void)out;
    add_works(args.plan, 1, 0, amounts);
}

static gf_status fourier_prepare(const struct gf_apply *apply, gf_device device, gf_error *error)
{
    struct gf_fourier_args args;
    gf_args_get(&apply->args, &args, sizeof args);
    return gf_fft_prepare(device, args.plan, error);
}

const struct gf_kernel gf_kernel_fourier = {
    .name = "fourier",
    .kind = GF_KERNEL_WHOLE,
    .words = "a Fourier transform",
    .apply = {.cpu = fourier,
              .cuda = fourier,
              .scratch = fourier_scratch,
              .prepare = fourier_prepare,
              .works = fourier_works},
    .judge = gf_judge_fourier,
};
