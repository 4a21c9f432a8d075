/* Products of match on the CPU by transforms. A tile of places needs a square of samples that is as much
 * larger as the template. Of u8 two tiles, one below the other, are the real and the imaginary parts of a
 * square; of u16 the low and the high digits of one, which is multiplied by each digit of the template. */
#include "pixel/whole/match/match_cpu.h"

#include "base/cpu_level.h"
#include "base/planted_fault.h"
#include "fourier/fft_unit.h"

#include <math.h>
#include <string.h>

static const struct gf_square_rows *rows_of(void)
{
    return GF_LEVEL_BEST(&gf_square_rows);
}

static size_t square_size(const struct gf_match_work *work)
{
    return (size_t)work->side * (size_t)work->side * 2;
}

/* Nanoseconds, measured on one thread. */
static double cost(const struct gf_match_work *work, int64_t side)
{
    const int64_t across = side - work->across + 1,
                  down = (side - work->down + 1) * (work->digits == 1 ? 2 : 1);
    const double tiles =
        ceil((double)work->places / (double)across) * ceil((double)work->lines / (double)down);
    return ceil(tiles / work->threads) * (1.3 + (double)side / 320) * (double)(side * side) *
           (work->channels + work->digits);
}

double gf_match_squares_choose(struct gf_match_work *work)
{
    const double units =
        ceil((double)work->places / (double)work->tile) * ceil((double)work->lines / (double)work->deep);
    double least = (double)(work->places * work->lines) * (double)work->down *
                   (20 + 0.2 * (double)(work->across * work->channels)) / fmin(units, work->threads);
    for (int32_t side = GF_SQUARE_LEAST_SIDE; side <= GF_SQUARE_SIDE; side *= 2) {
        if (work->across <= side / 2 && work->down <= side / 2 && cost(work, side) < least) {
            least = cost(work, side);
            work->side = side;
            work->tile = side - work->across + 1;
            work->deep = (side - work->down + 1) * (work->digits == 1 ? 2 : 1);
        }
    }
    return least;
}

size_t gf_match_squares_shared(const struct gf_match_work *work)
{
    const size_t spectra = square_size(work) * (size_t)(work->channels * work->digits);
    return gf_match_padded((spectra + 2 * (size_t)work->side) * sizeof(double));
}

size_t gf_match_squares_own(const struct gf_match_work *work)
{
    const int32_t squares = work->channels > work->digits ? work->channels : work->digits;
    return gf_match_padded((square_size(work) * (size_t)squares + (size_t)work->side * GF_SQUARE_LINES) *
                           sizeof(double));
}

static double *turns_of(const struct gf_match_work *work)
{
    return work->spectra + square_size(work) * (size_t)(work->channels * work->digits);
}

/* Row y, column x of a plane of an operand, and what lies to the right and below. */
static struct gf_square_bytes bytes_of(const struct gf_match_work *work, int32_t operand, int32_t c,
                                       int32_t digit, int64_t x, int64_t y)
{
    const struct gf_value *value = &work->run->in_values[operand];
    const struct gf_plane *plane = &work->run->in[operand];
    const int64_t step = work->channels * work->digits;
    struct gf_square_bytes bytes = {NULL, plane->pitch, step, value->width - x, value->height - y};
    if (bytes.columns > 0 && bytes.rows > 0) {
        bytes.first = (const uint8_t *)plane->data + y * plane->pitch + x * step + c * work->digits + digit;
    } else {
        bytes.rows = 0;
    }
    return bytes;
}

/* The template lies backwards from the first sample on, which makes a correlation of the product. */
static void make_spectrum(const struct gf_match_work *work, const struct gf_match_part *part, int32_t c,
                          int32_t digit, double *spectrum)
{
    const int64_t side = work->side;
    const struct gf_square_bytes from = bytes_of(work, 1, c, digit, 0, 0), none = {.rows = 0};
    uint8_t *turned = (uint8_t *)part->products;
    const struct gf_square_bytes all = {turned, side, 1, side, side};
    memset(turned, 0, (size_t)(side * side));
    for (int64_t y = 0; y < work->down; y++) {
        for (int64_t x = 0; x < work->across; x++) {
            turned[(side - y) % side * side + (side - x) % side] = from.first[y * from.pitch + x * from.step];
        }
    }
    rows_of()->take(&all, &none, work->side, turns_of(work), part->squares);
    rows_of()->finish(part->squares, work->side, turns_of(work), spectrum);
}

void gf_match_squares_begin(const struct gf_match_work *work, const struct gf_match_part *part)
{
    double *turns = turns_of(work);
    for (int32_t k = 0; k < work->side; k++) {
        gf_fft_unit_of(k, work->side, &turns[2 * k], &turns[2 * k + 1]);
        turns[2 * k + 1] = -turns[2 * k + 1];
    }
    for (int32_t d = 0; d < work->digits; d++) {
        for (int32_t c = 0; c < work->channels; c++) {
            make_spectrum(work, part, c, d,
                          work->spectra + square_size(work) * (size_t)(d * work->channels + c));
        }
    }
}

void gf_match_squares_multiply(const struct gf_match_part *part, int64_t first, int64_t end)
{
    const struct gf_match_work *work = part->work;
    const int32_t side = work->side, one = work->digits == 1;
    const int64_t rows = side - work->down + 1, left = end - first;
    double *squares[GF_MATCH_CHANNELS];
    const double *spectra[2 * GF_MATCH_CHANNELS];
    uint64_t *const low = part->products, *const high = one ? low + rows * part->n : low;
    for (int32_t i = 0; i < GF_MATCH_CHANNELS; i++) {
        squares[i] = part->squares + square_size(work) * (size_t)i;
    }
    for (int32_t i = 0; i < work->channels * work->digits; i++) {
        spectra[i] = work->spectra + square_size(work) * (size_t)i;
    }
    for (int32_t c = 0; c < work->channels; c++) {
        const struct gf_square_bytes a = bytes_of(work, 0, c, 0, part->x, first);
        const struct gf_square_bytes b = bytes_of(work, 0, c, !one, part->x, one ? first + rows : first);
        rows_of()->take(&a, &b, side, turns_of(work), squares[c]);
    }
    double *const lines =
        part->squares +
        square_size(work) * (size_t)(work->channels > work->digits ? work->channels : work->digits);
    rows_of()->multiply(squares, work->channels, spectra, work->digits, side, turns_of(work), lines);
    memset(low, 0, (size_t)(left * part->n) * sizeof *low);
    for (int32_t d = 0; d < work->digits - GF_FAULT(match_digits); d++) {
        const int64_t upper = left < rows ? left : rows, lower = left - rows;
        rows_of()->give(squares[d], side, turns_of(work), upper, one ? lower : upper, part->n, 8 * d, low,
                        8 * (d + !one), high);
    }
}
