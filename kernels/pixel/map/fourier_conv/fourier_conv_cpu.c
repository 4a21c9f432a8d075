/* "fourier_conv", and its entry. A thread of the CPU takes a tile at a time through all steps; on a GPU some
 * tiles take each step together, rows and columns both as rows of gf_fft, with a turn in between. */
#include "pixel/map/fourier_conv/fourier_conv.h"

#include "base/cpu_level.h"
#include "base/float_mode.h"
#include "base/planted_fault.h"
#include "base/status.h"
#include "base/team.h"
#include "fourier/fft_call.h"

enum { ALIGNED = 256 };

struct work {
    const struct gf_apply_run *run;
    struct gf_fourier_conv_tiles tiles;
    int64_t half;            /* complex numbers of a row of a spectrum */
    size_t numbers, beside;  /* bytes: of a tile; that its transforms need beside it */
    int32_t threads, failed; /* CPU: a gf_status */
};

static size_t aligned(size_t bytes)
{
    return (bytes + ALIGNED - 1) / ALIGNED * ALIGNED;
}

static struct gf_fourier_conv_tiles tiles_of(const struct gf_apply_run *run)
{
    const struct gf_value *in = &run->in_values[0], *out = &run->out_values[0];
    const struct gf_rows want = run->out[0].rows;
    struct gf_fourier_conv_tiles t = {.in_width = in->width,
                                      .in_first = run->in[0].rows.first,
                                      .in_end = in->height,
                                      .width = out->width,
                                      .out_first = want.first,
                                      .out_end = want.first + want.count,
                                      .channels = out->channels};
    gf_args_get(&run->apply->args, &t.args, sizeof t.args);
    t.places_x = t.args.wide - t.args.across + 1;
    t.places_y = t.args.high - t.args.down + 1;
    t.across = (t.width + t.places_x - 1) / t.places_x;
    t.first = t.out_first / t.places_y;
    t.count = ((t.out_end + t.places_y - 1) / t.places_y - t.first) * t.across * t.channels;
    return t;
}

static gf_fft_options options_of(int32_t inverse)
{
    gf_fft_options options = GF_FFT_OPTIONS_INIT;
    options.array.threads = 1;
    options.inverse = inverse;
    return options;
}

/* The bytes that a transform there needs, or back if that is more. */
static size_t beside(gf_device device, const gf_fft_plan *plan)
{
    size_t most = 0;
    for (int32_t inverse = 0; inverse < 2; inverse++) {
        const gf_fft_options options = options_of(inverse);
        size_t bytes = 0; /* only an unknown device has none, and no plan is made for that */
        (void)gf_fft_scratch(device, &options, plan, &bytes, NULL);
        most = bytes > most ? bytes : most;
    }
    return most;
}

static struct work work_of(const struct gf_apply_run *run)
{
    struct work w = {.run = run, .tiles = tiles_of(run)};
    const struct gf_fourier_conv_args *args = &w.tiles.args;
    w.half = args->wide / 2 + 1;
    w.numbers = aligned((size_t)(2 * w.half * args->high) * sizeof(float));
    w.threads = run->threads < w.tiles.count ? run->threads : (int32_t)w.tiles.count;
    if (run->queue.device >= 0) {
        const size_t rows = beside(run->queue.device, args->rows),
                     columns = beside(run->queue.device, args->columns);
        w.beside = rows > columns ? rows : columns;
    } else {
        w.beside = aligned(beside(run->queue.device, args->tile));
    }
    return w;
}

/* ---- on the CPU ---- */

/* Row y of a picture, at column x of a channel. */
static float *at(const struct gf_plane *plane, int32_t channels, struct gf_fourier_conv_place p)
{
    return (float *)((char *)plane->data + (p.y - plane->rows.first) * plane->pitch) + p.x * channels +
           p.channel;
}

/* Fills the rows of a tile; returns whether all samples are tame. */
static bool take(const struct work *w, struct gf_fourier_conv_place p, float *numbers)
{
    const struct gf_fourier_conv_tiles *t = &w->tiles;
    const struct gf_fourier_conv_rows *rows = GF_LEVEL_BEST(&gf_fourier_conv_rows);
    const int64_t right = t->in_width - p.x, n = right < t->args.wide ? right : t->args.wide;
    bool tame = true;
    for (int64_t j = 0; j < t->args.high; j++, p.y++, numbers += 2 * w->half) {
        const bool there = p.y < t->in_end;
        tame = rows->take(there ? at(&w->run->in[0], t->channels, p) : numbers, t->channels, there ? n : 0,
                          t->args.wide, numbers) &&
               tame;
    }
    return tame || GF_FAULT(fourier_conv_wild);
}

static gf_status transform(const struct work *w, float *numbers, gf_error *error)
{
    const struct gf_fourier_conv_args *args = &w->tiles.args;
    const gf_queue queue = {GF_DEVICE_CPU, NULL};
    const gf_fft_options there = options_of(0), back = options_of(1);
    void *scratch = (char *)numbers + w->numbers;
    GF_TRY(gf_fft(queue, &there, args->tile, numbers, numbers, scratch, w->beside, error));
    GF_LEVEL_BEST(&gf_fourier_conv_rows)->product(numbers, w->run->in[2].data, w->half * args->high);
    return gf_fft(queue, &back, args->tile, numbers, numbers, scratch, w->beside, error);
}

static gf_status run_unit(const struct work *w, int64_t unit, float *numbers)
{
    const struct gf_fourier_conv_tiles *t = &w->tiles;
    const struct gf_plane *in = &w->run->in[0];
    const struct gf_fourier_conv_place first = gf_fourier_conv_place_of(t, unit);
    struct gf_fourier_conv_place p = first;
    const bool tame = take(w, first, numbers);
    const int64_t n = t->width - p.x < t->places_x ? t->width - p.x : t->places_x;
    int64_t end = first.y + t->places_y - (GF_FAULT(fourier_conv_row) && t->places_y > 1);
    end = end < t->out_end ? end : t->out_end;
    GF_TRY(tame ? transform(w, numbers, NULL) : GF_OK);
    for (p.y = first.y > t->out_first ? first.y : t->out_first; p.y < end; p.y++) {
        float *out = at(&w->run->out[0], t->channels, p);
        const float *from = numbers + (p.y - first.y) * 2 * w->half;
        for (int64_t x = 0; tame && x < n; x++) {
            out[x * t->channels] = from[x];
        }
        if (!tame) {
            GF_LEVEL_BEST(&gf_fourier_conv_rows)
                ->chain(at(in, t->channels, p), in->pitch / (int64_t)sizeof(float), t->channels,
                        w->run->in[1].data, &t->args, n, out);
        }
    }
    return GF_OK;
}

static void run_units(void *argument, int i, int n)
{
    struct work *w = argument;
    float *numbers = (float *)(void *)((char *)w->run->scratch + (size_t)i * (w->numbers + w->beside));
    gf_float_mode saved;
    gf_float_mode_set(&saved);
    for (int64_t unit = i; unit < w->tiles.count; unit += n) {
        const gf_status status = run_unit(w, unit, numbers);
        if (status != GF_OK) {
            __atomic_store_n(&w->failed, (int32_t)status, __ATOMIC_RELAXED);
        }
    }
    gf_float_mode_restore(&saved);
}

static gf_status fourier_conv_cpu(const struct gf_apply_run *run, gf_error *error)
{
    struct work w = work_of(run);
    gf_team_run(run->team, w.threads, run_units, &w);
    return w.failed == GF_OK ? GF_OK : gf_fail(error, (gf_status)w.failed, "a Fourier transform failed");
}

/* ---- on a GPU ---- */

/* How many tiles go together. */
static int64_t most_of(const struct work *w)
{
    const int64_t most = w->tiles.args.rows->shape.rows / w->tiles.args.high;
    return w->tiles.count < most ? w->tiles.count : most;
}

/* Transforms lines of gf_fft in their place: as many as a batch has, by the plan of as many as any has. */
static gf_status run_lines(const struct work *w, const gf_fft_plan *all, int64_t lines, int32_t inverse,
                           float *numbers, void *scratch, gf_error *error)
{
    gf_fft_plan plan = *all;
    const gf_fft_options options = options_of(inverse);
    plan.shape.rows = lines;
    return gf_fft(w->run->queue, &options, &plan, numbers, numbers, scratch, w->beside, error);
}

static gf_status run_batch(const struct work *w, const struct gf_fourier_conv_batch *b, void *scratch,
                           gf_error *error)
{
    const struct gf_fourier_conv_args *args = &w->tiles.args;
    const int64_t rows = b->count * args->high, columns = b->count * w->half;
    GF_TRY(gf_fourier_conv_part_cuda(b, GF_FOURIER_CONV_TAKE, error));
    GF_TRY(run_lines(w, args->rows, rows, 0, b->numbers, scratch, error));
    GF_TRY(gf_fourier_conv_part_cuda(b, GF_FOURIER_CONV_TURN, error));
    GF_TRY(run_lines(w, args->columns, columns, 0, b->turned, scratch, error));
    GF_TRY(gf_fourier_conv_part_cuda(b, GF_FOURIER_CONV_PRODUCT, error));
    GF_TRY(run_lines(w, args->columns, columns, 0, b->turned, scratch, error));
    GF_TRY(gf_fourier_conv_part_cuda(b, GF_FOURIER_CONV_TURN_BACK, error));
    GF_TRY(run_lines(w, args->rows, rows, 1, b->numbers, scratch, error));
    return gf_fourier_conv_part_cuda(b, GF_FOURIER_CONV_GIVE, error);
}

static gf_status fourier_conv_cuda(const struct gf_apply_run *run, gf_error *error)
{
    const struct work w = work_of(run);
    const int64_t most = most_of(&w);
    struct gf_fourier_conv_batch b = {.run = run, .tiles = w.tiles, .spectrum = run->scratch};
    b.numbers = (float *)(void *)((char *)run->scratch + w.numbers);
    b.turned = (float *)(void *)((char *)b.numbers + (size_t)most * w.numbers);
    b.wild = (uint32_t *)(void *)((char *)b.turned + (size_t)most * w.numbers);
    void *scratch = (char *)b.wild + aligned((size_t)most * sizeof *b.wild);
    GF_TRY(gf_fourier_conv_part_cuda(&b, GF_FOURIER_CONV_SPECTRUM, error));
    for (; b.first < w.tiles.count; b.first += most) {
        b.count = w.tiles.count - b.first < most ? w.tiles.count - b.first : most;
        GF_TRY(run_batch(&w, &b, scratch, error));
    }
    return GF_OK;
}

/* ---- the entry ---- */

static size_t fourier_conv_scratch(const struct gf_apply_run *run)
{
    const struct work w = work_of(run);
    const size_t most = (size_t)most_of(&w);
    return run->queue.device >= 0 ? (1 + 2 * most) * w.numbers + aligned(most * sizeof(uint32_t)) + w.beside
                                  : (size_t)w.threads * (w.numbers + w.beside);
}

/* Whole tiles. */
static bool fourier_conv_reach(const struct gf_apply *apply, const struct gf_value *in,
                               const struct gf_value *out, struct gf_rows want, struct gf_rows *need)
{
    struct gf_fourier_conv_args args;
    (void)out;
    gf_args_get(&apply->args, &args, sizeof args);
    const int64_t places = args.high - args.down + 1, first = want.first / places * places;
    const int64_t end = (want.first + want.count + places - 1) / places * places + args.down - 1;
    *need = (struct gf_rows){first, (end < in->height ? end : in->height) - first};
    return true;
}

/* Two transforms, of a number for each sample, and what lies between them. */
static void fourier_conv_works(const struct gf_apply *apply, const struct gf_value *in,
                               const struct gf_value *out, double amounts[GF_WORKS])
{
    struct gf_fourier_conv_args args;
    gf_args_get(&apply->args, &args, sizeof args);
    const int64_t places_x = args.wide - args.across + 1, places_y = args.high - args.down + 1;
    const double tiles = (double)((out->width + places_x - 1) / places_x) *
                         (double)((out->height + places_y - 1) / places_y) * out->channels;
    const double numbers = tiles * args.wide * args.high;
    (void)in;
    amounts[GF_WORK_BYTE] += numbers * 8 * 5;
    amounts[GF_WORK_PRODUCT] +=
        numbers * 20 * (__builtin_ctz((unsigned)args.wide) + __builtin_ctz((unsigned)args.high));
}

static gf_status fourier_conv_prepare(const struct gf_apply *apply, gf_device device, gf_error *error)
{
    struct gf_fourier_conv_args args;
    gf_args_get(&apply->args, &args, sizeof args);
    GF_TRY(gf_fft_prepare(device, args.rows, error));
    return gf_fft_prepare(device, args.columns, error);
}

const struct gf_kernel gf_kernel_fourier_conv = {
    .name = "fourier_conv",
    .kind = GF_KERNEL_MAP,
    .words = "sums with a large kernel, by Fourier transforms of tiles",
    .apply = {.cpu = fourier_conv_cpu,
              .cuda = fourier_conv_cuda,
              .scratch = fourier_conv_scratch,
              .prepare = fourier_conv_prepare,
              .works = fourier_conv_works},
    .map = {.reach = fourier_conv_reach},
    .judge = gf_judge_fourier_conv,
};
