/* Sums of products for match, at every SIMD level, beside those of the definition. */
#include "base/cpu_level.h"
#include "check.h"
#include "fourier/fft_unit.h"
#include "level_case.h"
#include "pixel/cpu/squares.h"
#include "pixel/whole/match/match.h"
#include "pixel/whole/match/match_cpu.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE = 64, TEMPLATE = 13, LEVEL_N = 131 };

static uint8_t bytes_at(int x, int y, int seed)
{
    return (uint8_t)((uint32_t)(x * 7919 + y * 104729 + seed) * 2654435761U >> 24);
}

/* Fills the turns of a side. */
static void turns_of(int side, double *turns)
{
    for (int i = 0; i < side; i++) {
        gf_fft_unit_of(i, side, &turns[2 * i], &turns[2 * i + 1]);
        turns[2 * i + 1] = -turns[2 * i + 1];
    }
}

/* Sums of products of nearly white pictures and a template of half their sides, which are as large as sums
 * get, at some places. */
static void check_large(const struct gf_square_rows *rows, int side)
{
    const int half = side / 2, places = half + 1;
    const size_t pixels = (size_t)side * (size_t)side;
    uint8_t *a = malloc(pixels), *turned = calloc(pixels, 1);
    double *turns = calloc(2 * (size_t)side, sizeof *turns), *square = malloc(2 * pixels * sizeof *square);
    double *spectrum = malloc(2 * pixels * sizeof *spectrum);
    double *lines = malloc(GF_SQUARE_LINES * (size_t)side * sizeof *lines);
    uint64_t *made = calloc(2 * (size_t)places * (size_t)places, sizeof *made);
    REQUIRE(a && turned && turns && square && spectrum && lines && made);
    double *const squares[] = {square};
    const double *const spectra[] = {spectrum};
    const struct gf_square_bytes none = {.rows = 0}, by = {turned, side, 1, side, side},
                                 first = {a, side, 1, side, side},
                                 second = {a + side, side, 1, side, side - 1};
    for (int y = 0; y < side; y++) {
        for (int x = 0; x < side; x++) {
            a[(int64_t)y * side + x] = (uint8_t)(255 - bytes_at(x, y, 1) / 64);
            if (x < half && y < half) {
                turned[(side - y) % side * side + (side - x) % side] =
                    (uint8_t)(255 - bytes_at(x, y, 3) / 64);
            }
        }
    }
    turns_of(side, turns);
    rows->take(&by, &none, side, turns, square);
    rows->finish(square, side, turns, spectrum);
    rows->take(&first, &second, side, turns, square);
    rows->multiply(squares, 1, spectra, 1, side, turns, lines);
    rows->give(square, side, turns, places, places - 1, places, 0, made, 0, made + places * places);
    for (int i = 0; i < 16; i++) {
        const int at_y = i * (places - 2) / 15, at_x = i * 7 % 16 * (places - 1) / 15;
        uint64_t sums[2] = {0, 0};
        for (int y = 0; y < half; y++) {
            const uint8_t *row = a + (int64_t)(at_y + y) * side + at_x;
            const uint8_t *own = turned + (side - y) % side * side;
            for (int x = 0; x < half; x++) {
                sums[0] += (uint64_t)row[x] * own[(side - x) % side];
                sums[1] += (uint64_t)row[x + side] * own[(side - x) % side];
            }
        }
        const uint64_t *at = made + at_y * places + at_x;
        CHECK_MSG(at[0] == sums[0] && at[places * places] == sums[1], "side %d, place %d, %d", side, at_x,
                  at_y);
    }
    free(a), free(turned), free(turns), free(square), free(spectrum), free(lines), free(made);
}

/* Sums of products by transforms beside those of the definition: two pictures in a square. */
static void check_squares(const struct gf_square_rows *rows)
{
    enum { PLACES = SIDE - TEMPLATE + 1 };
    static uint8_t a[SIDE * SIDE], b[SIDE * SIDE], t[SIDE * SIDE];
    static double turns[2 * SIDE], square[2 * SIDE * SIDE], spectrum[2 * SIDE * SIDE];
    static double lines[GF_SQUARE_LINES * SIDE];
    static uint64_t made[2][PLACES * PLACES];
    double *const squares[] = {square};
    const double *const spectra[] = {spectrum};
    const struct gf_square_bytes none = {.rows = 0}, turned = {t, SIDE, 1, SIDE, SIDE};
    const struct gf_square_bytes first = {a, SIDE, 1, SIDE, SIDE}, second = {b, SIDE, 1, SIDE, SIDE - 5};
    memset(t, 0, sizeof t);
    memset(made, 0, sizeof made);
    for (int i = 0; i < SIDE * SIDE; i++) {
        a[i] = i % 5 ? 255 : bytes_at(i % SIDE, i / SIDE, 1);
        b[i] = i / SIDE < SIDE - 5 ? bytes_at(i % SIDE, i / SIDE, 2) : 0;
        if (i % SIDE < TEMPLATE && i / SIDE < TEMPLATE) {
            t[(SIDE - i / SIDE) % SIDE * SIDE + (SIDE - i % SIDE) % SIDE] = bytes_at(i % SIDE, i / SIDE, 3);
        }
    }
    turns_of(SIDE, turns);
    rows->take(&turned, &none, SIDE, turns, square);
    rows->finish(square, SIDE, turns, spectrum);
    rows->take(&first, &second, SIDE, turns, square);
    rows->multiply(squares, 1, spectra, 1, SIDE, turns, lines);
    rows->give(square, SIDE, turns, PLACES, PLACES - 3, PLACES, 0, made[0], 8, made[1]);
    for (int i = 0; i < PLACES * PLACES; i++) {
        uint64_t sums[2] = {0, 0};
        for (int k = 0; k < TEMPLATE * TEMPLATE; k++) {
            const int at = (i / PLACES + k / TEMPLATE) * SIDE + i % PLACES + k % TEMPLATE;
            const uint64_t by = bytes_at(k % TEMPLATE, k / TEMPLATE, 3);
            sums[0] += a[at] * by;
            sums[1] += b[at] * by;
        }
        sums[1] = i / PLACES < PLACES - 3 ? sums[1] << 8 : 0;
        CHECK_MSG(made[0][i] == sums[0] && made[1][i] == sums[1], "place %d: %llu, %llu", i,
                  (unsigned long long)made[0][i], (unsigned long long)made[1][i]);
    }
    check_large(rows, 512);
}

static void greatest(void)
{
    check_large(GF_LEVEL_BEST(&gf_square_rows), GF_SQUARE_SIDE);
}

static void check_rows(const struct gf_match_rows *rows)
{
    static uint64_t products[LEVEL_N], columns[2][4 * LEVEL_N];
    static float scores[2][2][LEVEL_N]; /* of one channel, and of three */
    uint16_t row[2][3 * LEVEL_N];
    for (int i = 0; i < 3 * LEVEL_N; i++) {
        row[0][i] = (uint16_t)(bytes_at(i, 1, 6) * 257);
        row[1][i] = (uint16_t)(bytes_at(i, 2, 6) * 255);
    }
    for (int i = 0; i < LEVEL_N; i++) {
        const gf_depth depth = i % 2 ? GF_U8 : GF_U16;
        products[i] = rows->multiply(row[0], row[1], depth, i);
        CHECK(products[i] == gf_match_rows_baseline.multiply(row[0], row[1], depth, i));
    }
    memset(columns, 0, sizeof columns);
    for (int k = 0; k < 2; k++) {
        const struct gf_match_rows *own = k ? rows : &gf_match_rows_baseline;
        for (int channels = 1; channels <= 3; channels += 2) {
            for (int depth = GF_U8; depth <= GF_U16; depth++) {
                own->slide(row[0], NULL, (gf_depth)depth, channels, LEVEL_N - 1, LEVEL_N, columns[k]);
                own->slide(row[0], row[1], (gf_depth)depth, channels, LEVEL_N - 1, LEVEL_N, columns[k]);
            }
        }
        const struct gf_match_template t = {.n = 27, .sum = {1000, 2000, 3000}, .b = {77777, 0}, .narrow = 1};
        const struct gf_match_row made = {products, columns[0], columns[0] + 3 * LEVEL_N, LEVEL_N};
        own->score(&t, &made, 1, LEVEL_N, scores[k][0]);
        own->score(&t, &made, 3, LEVEL_N, scores[k][1]);
    }
    CHECK(!memcmp(columns[0], columns[1], sizeof columns[0]));
    CHECK(!memcmp(scores[0], scores[1], sizeof scores[0]) && products[LEVEL_N - 1] > 0);
}

static void baseline(void)
{
    check_squares(&gf_square_rows_baseline);
}

LEVEL_CASE(avx2, GF_CPU_AVX2, check_rows(&gf_match_rows_avx2); check_squares(&gf_square_rows_avx2);)
LEVEL_CASE(avx512, GF_CPU_AVX512, check_rows(&gf_match_rows_avx512); check_squares(&gf_square_rows_avx512);)

static const struct check_case cases[] = {{"sums by squares", baseline},
                                          {"squares of 4096", greatest},
                                          {"rows of AVX2", avx2},
                                          {"rows of AVX-512", avx512}};
CHECK_MAIN(cases)
