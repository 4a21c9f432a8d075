/* "wide_conv" on the CPU, and its entry: sums by transforms of squares, tile by tile. Of u8 two tiles, one
 * below the other, are the real and the imaginary parts of a square; of u16 the low and the high bytes of
 * one. Kernels are so large that this always takes less time than products one by one. */
#include "pixel/map/wide_conv/wide_conv.h"

#include "base/cpu_level.h"
#include "base/float_mode.h"
#include "base/planted_fault.h"
#include "base/team.h"
#include "fourier/fft_unit.h"
#include "pixel/cpu/squares.h"

#include <string.h>

/* A unit of work is a tile of one channel: `tile` x `deep` pixels, less at the right and lower edge. */
struct work {
    const struct gf_apply_run *run;
    const struct gf_square_rows *squares;
    struct gf_wide_conv_args args;
    int32_t side, threads, digits; /* digits: bytes of a sample */
    int64_t tile, deep, tiles, units;
    double *turns, *spectra; /* a spectrum for each part of the weights */
    unsigned char *own;      /* the first thread's, `each` bytes */
    size_t each;
};

static size_t square_size(const struct work *work)
{
    return 2 * (size_t)work->side * (size_t)work->side;
}

static size_t own_doubles(const struct work *work)
{
    return square_size(work) * (size_t)work->args.parts + (size_t)work->side * GF_SQUARE_LINES;
}

/* Fills `work`, its memory at `base`, unless that is NULL; returns the bytes. */
static size_t begin(const struct gf_apply_run *run, unsigned char *base, struct work *work)
{
    *work = (struct work){.run = run, .squares = GF_LEVEL_BEST(&gf_square_rows)};
    gf_args_get(&run->apply->args, &work->args, sizeof work->args);
    const struct gf_value *in = &run->in_values[0], *out = &run->out_values[0];
    double cost;
    work->side = gf_wide_conv_side(&work->args, in, out, GF_SQUARE_LEAST_SIDE, run->threads, &cost);
    work->digits = in->depth == GF_U16 ? 2 : 1;
    work->tile = work->side - work->args.across + 1;
    work->deep = (work->side - work->args.down + 1) * (3 - work->digits);
    work->tiles = gf_wide_conv_pieces(out->width, work->tile);
    work->units = work->tiles * gf_wide_conv_pieces(run->out[0].rows.count, work->deep) * out->channels;
    work->threads = run->threads < work->units ? run->threads : (int32_t)work->units;
    const size_t spectra = square_size(work) * (size_t)work->args.parts;
    const size_t shared = (spectra + 2 * (size_t)work->side) * sizeof(double);
    work->spectra = (double *)(void *)base;
    work->turns = base ? work->spectra + spectra : NULL;
    work->own = base ? base + shared : NULL;
    work->each = own_doubles(work) * sizeof(double) + (size_t)(work->tile * work->deep) * sizeof(uint64_t);
    work->each = (work->each + 63) / 64 * 64;
    return shared + (size_t)work->threads * work->each;
}

/* ---- the weights ---- */

/* They lie backwards from the first sample on, which makes a correlation of the product. */
static void make_spectrum(const struct work *work, int32_t part, double *square)
{
    const struct gf_wide_conv_args *args = &work->args;
    const double *weights = work->run->in[1].data;
    enum { N = GF_SQUARE_LANES };
    memset(square, 0, square_size(work) * sizeof *square);
    for (int64_t y = 0; y < args->down; y++) {
        for (int64_t x = 0; x < args->across; x++) {
            const int64_t row = (work->side - y) % work->side, column = (work->side - x) % work->side;
            square[(row / N * work->side + column) * 2 * N + row % N] =
                gf_wide_conv_part(weights[y * args->across + x], part, args->parts, args->bits);
        }
    }
    work->squares->turn_rows(work->side, work->turns, square);
    work->squares->finish(square, work->side, work->turns, work->spectra + square_size(work) * (size_t)part);
}

static void make_spectra(void *argument, int i, int n)
{
    const struct work *work = argument;
    gf_float_mode saved;
    gf_float_mode_set(&saved);
    for (int32_t part = i; part < work->args.parts; part += n) {
        make_spectrum(work, part, (double *)(void *)(work->own + (size_t)i * work->each));
    }
    gf_float_mode_restore(&saved);
}

/* ---- tiles ---- */

/* Byte `digit` of the samples of a channel, from (x, y) of the output on, and what lies to the right and
 * below. */
static struct gf_square_bytes bytes_of(const struct work *work, int32_t c, int32_t digit, int64_t x,
                                       int64_t y)
{
    const struct gf_value *in = &work->run->in_values[0];
    const struct gf_plane *plane = &work->run->in[0];
    const int64_t step = in->channels * work->digits;
    struct gf_square_bytes bytes = {NULL, plane->pitch, step, in->width - x,
                                    plane->rows.first + plane->rows.count - y};
    if (bytes.rows > 0) {
        bytes.first = (const uint8_t *)plane->data + (y - plane->rows.first) * plane->pitch + x * step +
                      c * work->digits + digit;
    } else {
        bytes.rows = 0;
    }
    return bytes;
}

/* Fills sums of n x rows pixels from (x, y) on. */
static void sum_tile(const struct work *work, int32_t c, int64_t x, int64_t y, int64_t n, int64_t rows,
                     double *square, uint64_t *sums)
{
    const struct gf_wide_conv_args *args = &work->args;
    const int64_t half = work->side - args->down + 1, below = work->digits == 1 ? half : 0;
    const int64_t upper = rows < half ? rows : half;
    const struct gf_square_bytes a = bytes_of(work, c, 0, x, y),
                                 b = bytes_of(work, c, work->digits - 1, x, y + below);
    double *squares[GF_WIDE_CONV_PARTS];
    const double *spectra[GF_WIDE_CONV_PARTS];
    for (int32_t p = 0; p < args->parts; p++) {
        squares[p] = square + square_size(work) * (size_t)p;
        spectra[p] = work->spectra + square_size(work) * (size_t)p;
    }
    work->squares->take(&a, &b, work->side, work->turns, square);
    work->squares->multiply(squares, 1, spectra, args->parts, work->side, work->turns,
                            square + square_size(work) * (size_t)args->parts);
    memset(sums, 0, (size_t)(n * rows) * sizeof *sums);
    for (int32_t p = 0; p < args->parts - (GF_FAULT(wide_conv_part) && args->parts > 1); p++) {
        const int shift = p * args->bits;
        work->squares->give(squares[p], work->side, work->turns, upper, below ? rows - upper : upper, n,
                            shift, sums, below ? shift : shift + 8, below ? sums + half * n : sums);
    }
}

static void run_units(void *argument, int i, int n)
{
    const struct work *work = argument;
    const struct gf_wide_conv_rows *rows = GF_LEVEL_BEST(&gf_wide_conv_rows);
    const struct gf_value *value = &work->run->out_values[0];
    const struct gf_plane *out = &work->run->out[0];
    const int64_t bytes = (int64_t)gf_depth_size(value->depth), end = out->rows.first + out->rows.count;
    double *square = (double *)(void *)(work->own + (size_t)i * work->each);
    uint64_t *sums = (uint64_t *)(void *)(square + own_doubles(work));
    gf_float_mode saved;
    gf_float_mode_set(&saved);
    for (int64_t unit = i; unit < work->units; unit += n) {
        const int32_t c = (int32_t)(unit % value->channels);
        const int64_t x = unit / value->channels % work->tiles * work->tile;
        const int64_t y = out->rows.first + unit / value->channels / work->tiles * work->deep;
        const int64_t wide = value->width - x < work->tile ? value->width - x : work->tile;
        const int64_t high = end - y < work->deep ? end - y : work->deep;
        sum_tile(work, c, x, y, wide, high, square, sums);
        for (int64_t r = 0; r < high; r++) {
            char *to = (char *)out->data + (y + r - out->rows.first) * out->pitch;
            rows->put(sums + r * wide, work->args.unit, value->depth, wide, value->channels,
                      to + (x * value->channels + c) * bytes);
        }
    }
    gf_float_mode_restore(&saved);
}

static gf_status wide_conv_cpu(const struct gf_apply_run *run, gf_error *error)
{
    struct work work;
    (void)error;
    begin(run, run->scratch, &work);
    for (int32_t k = 0; k < work.side; k++) {
        gf_fft_unit_of(k, work.side, &work.turns[2 * k], &work.turns[2 * k + 1]);
        work.turns[2 * k + 1] = -work.turns[2 * k + 1];
    }
    gf_team_run(run->team, work.threads, make_spectra, &work);
    gf_team_run(run->team, work.threads, run_units, &work);
    return GF_OK;
}

static size_t wide_conv_scratch(const struct gf_apply_run *run)
{
    struct work work;
    return run->queue.device >= 0 ? gf_wide_conv_cuda_scratch(run) : begin(run, NULL, &work);
}

/* ---- the entry ---- */

static bool wide_conv_reach(const struct gf_apply *apply, const struct gf_value *in,
                            const struct gf_value *out, struct gf_rows want, struct gf_rows *need)
{
    struct gf_wide_conv_args args;
    (void)in;
    (void)out;
    gf_args_get(&apply->args, &args, sizeof args);
    *need = (struct gf_rows){want.first, want.count + args.down - 1};
    return true;
}

/* Each way counts its nanoseconds: those of a GPU in products of match. */
static void wide_conv_works(const struct gf_apply *apply, const struct gf_value *in,
                            const struct gf_value *out, double amounts[GF_WORKS])
{
    struct gf_wide_conv_args args;
    double nanoseconds;
    gf_args_get(&apply->args, &args, sizeof args);
    gf_wide_conv_side(&args, in, out, GF_SQUARE_LEAST_SIDE, 1, &nanoseconds);
    const double products = gf_wide_conv_products(&args, in, out);
    amounts[GF_WORK_MATCH] += nanoseconds;
    amounts[GF_WORK_MATCH_PRODUCT] += products > 0
                                          ? products
                                          : 600.0 * (double)out->width * (double)out->height * out->channels *
                                                (1 + args.parts) * (in->depth == GF_U16 ? 2 : 1);
}

const struct gf_kernel gf_kernel_wide_conv = {
    .name = "wide_conv",
    .kind = GF_KERNEL_MAP,
    .words = "exact sums with a large kernel",
    .apply = {.cpu = wide_conv_cpu,
              .cuda = gf_wide_conv_cuda,
              .scratch = wide_conv_scratch,
              .works = wide_conv_works},
    .map = {.reach = wide_conv_reach},
    .judge = gf_judge_wide_conv,
};
