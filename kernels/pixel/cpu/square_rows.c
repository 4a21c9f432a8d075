/* One SIMD level of the transforms of squares: compile with -DGF_ROWS_LEVEL=baseline, avx2 or avx512 and its
 * machine options. Radix 4, and 2 last, by decimation in frequency forward, so that numbers come out in
 * another order, and back by the same steps backwards, which take them in that order. */
#include "pixel/cpu/squares.h"

#include "base/cpu_level.h"
#include "base/gf_num.h"

#include <string.h>

#define ALWAYS static inline __attribute__((always_inline))

#if defined(__AVX512F__)
#define W          8
#define EACH(f, d) f(0, d), f(1, d), f(2, d), f(3, d), f(4, d), f(5, d), f(6, d), f(7, d)
#elif defined(__AVX2__)
#define W          4
#define EACH(f, d) f(0, d), f(1, d), f(2, d), f(3, d)
#else
#define W          2
#define EACH(f, d) f(0, d), f(1, d)
#endif
enum { N = GF_SQUARE_LANES, PAIR = 2 * N, NEAR = 128 };

typedef double vec __attribute__((vector_size(8 * W)));
typedef double vec_in_memory __attribute__((vector_size(8 * W), aligned(8), may_alias));
#define AT(p) (*(vec_in_memory *)(void *)(p))
#define OF(p) (*(const vec_in_memory *)(const void *)(p))

/* ---- a line of `side` elements: PAIR doubles each ---- */

/* Elements 0, q, 2 q and 3 q of a line. turns: of the first, second and third power. */
ALWAYS void forward_four(double *p, int64_t q, const double *t1, const double *t2, const double *t3)
{
    for (int l = 0; l < N; l += W) {
        double *a = p + l, *b = a + q, *c = b + q, *d = c + q;
        const vec s0 = AT(a) + AT(c), s1 = AT(a) - AT(c), s2 = AT(b) + AT(d), s3 = AT(b) - AT(d);
        const vec i0 = AT(a + N) + AT(c + N), i1 = AT(a + N) - AT(c + N);
        const vec i2 = AT(b + N) + AT(d + N), i3 = AT(b + N) - AT(d + N);
        const vec r1 = s1 + i3, m1 = i1 - s3, r2 = s0 - s2, m2 = i0 - i2, r3 = s1 - i3, m3 = i1 + s3;
        AT(a) = s0 + s2;
        AT(a + N) = i0 + i2;
        AT(b) = r1 * t1[0] - m1 * t1[1];
        AT(b + N) = r1 * t1[1] + m1 * t1[0];
        AT(c) = r2 * t2[0] - m2 * t2[1];
        AT(c + N) = r2 * t2[1] + m2 * t2[0];
        AT(d) = r3 * t3[0] - m3 * t3[1];
        AT(d + N) = r3 * t3[1] + m3 * t3[0];
    }
}

ALWAYS void backward_four(double *p, int64_t q, const double *t1, const double *t2, const double *t3)
{
    for (int l = 0; l < N; l += W) {
        double *a = p + l, *b = a + q, *c = b + q, *d = c + q;
        const vec r1 = AT(b) * t1[0] + AT(b + N) * t1[1], m1 = AT(b + N) * t1[0] - AT(b) * t1[1];
        const vec r2 = AT(c) * t2[0] + AT(c + N) * t2[1], m2 = AT(c + N) * t2[0] - AT(c) * t2[1];
        const vec r3 = AT(d) * t3[0] + AT(d + N) * t3[1], m3 = AT(d + N) * t3[0] - AT(d) * t3[1];
        const vec s0 = AT(a) + r2, s1 = r1 + r3, s2 = AT(a) - r2, s3 = r1 - r3;
        const vec i0 = AT(a + N) + m2, i1 = m1 + m3, i2 = AT(a + N) - m2, i3 = m1 - m3;
        AT(a) = s0 + s1;
        AT(a + N) = i0 + i1;
        AT(c) = s0 - s1;
        AT(c + N) = i0 - i1;
        AT(b) = s2 - i3;
        AT(b + N) = i2 + s3;
        AT(d) = s2 + i3;
        AT(d + N) = i2 - s3;
    }
}

ALWAYS void two(double *p)
{
    for (int l = 0; l < PAIR; l += W) {
        const vec a = AT(p + l), b = AT(p + PAIR + l);
        AT(p + l) = a + b;
        AT(p + PAIR + l) = a - b;
    }
}

/* A part of a line whose turns are those of `whole` elements: what is longer than the nearest cache holds
 * goes a step, and then its quarters one by one. */
static void forward(double *line, int32_t side, int32_t whole, const double *turns)
{
    int32_t length = side;
    if (side > NEAR) {
        const int32_t q = side / 4, unit = 2 * (whole / side);
        for (int32_t j = 0; j < q; j++) {
            forward_four(line + (int64_t)j * PAIR, (int64_t)q * PAIR, turns + j * unit, turns + 2 * j * unit,
                         turns + 3 * j * unit);
        }
        for (int i = 0; i < 4; i++) {
            forward(line + (int64_t)i * q * PAIR, q, whole, turns);
        }
        return;
    }
    for (; length >= 4; length /= 4) {
        const int32_t q = length / 4, unit = 2 * (whole / length);
        for (int32_t j = 0; j < q; j++) {
            for (int32_t first = j; first < side; first += length) {
                forward_four(line + (int64_t)first * PAIR, (int64_t)q * PAIR, turns + j * unit,
                             turns + 2 * j * unit, turns + 3 * j * unit);
            }
        }
    }
    for (int32_t first = 0; length == 2 && first < side; first += 2) {
        two(line + (int64_t)first * PAIR);
    }
}

static void backward(double *line, int32_t side, int32_t whole, const double *turns)
{
    int32_t length = 4;
    if (side > NEAR) {
        const int32_t q = side / 4, unit = 2 * (whole / side);
        for (int i = 0; i < 4; i++) {
            backward(line + (int64_t)i * q * PAIR, q, whole, turns);
        }
        for (int32_t j = 0; j < q; j++) {
            backward_four(line + (int64_t)j * PAIR, (int64_t)q * PAIR, turns + j * unit, turns + 2 * j * unit,
                          turns + 3 * j * unit);
        }
        return;
    }
    for (int32_t rest = side; rest > 0 && rest != 1; rest /= 4) {
        length = rest == 2 ? 8 : length; /* twos are left, and made first */
    }
    for (int32_t first = 0; length == 8 && first < side; first += 2) {
        two(line + (int64_t)first * PAIR);
    }
    for (; length <= side; length *= 4) {
        const int32_t q = length / 4, unit = 2 * (whole / length);
        for (int32_t j = 0; j < q; j++) {
            for (int32_t first = j; first < side; first += length) {
                backward_four(line + (int64_t)first * PAIR, (int64_t)q * PAIR, turns + j * unit,
                              turns + 2 * j * unit, turns + 3 * j * unit);
            }
        }
    }
}

/* ---- squares ---- */

/* Rows of 8 become columns, with so many doubles from row to row on either side. */
ALWAYS void transpose(const double *from, int64_t from_step, double *to, int64_t to_step)
{
    for (int r = 0; r < N; r += W) {
        for (int c = 0; c < N; c += W) {
            vec v[W];
            for (int i = 0; i < W; i++) {
                v[i] = OF(from + (r + i) * from_step + c);
            }
#define FIRST(l, d) ((l) & (d) ? W + (l) - (d) : (l))
#define OTHER(l, d) ((l) & (d) ? W + (l) : (l) + (d))
#define STEP(d)                                                                                              \
    for (int i = 0; i < W; i++) {                                                                            \
        if (!(i & (d))) {                                                                                    \
            const vec a = v[i], b = v[i + (d)];                                                              \
            v[i] = __builtin_shufflevector(a, b, EACH(FIRST, d));                                            \
            v[i + (d)] = __builtin_shufflevector(a, b, EACH(OTHER, d));                                      \
        }                                                                                                    \
    }
            STEP(1)
#if W > 2
            STEP(2)
#endif
#if W > 4
            STEP(4)
#endif
            for (int i = 0; i < W; i++) {
                AT(to + (c + i) * to_step + r) = v[i];
            }
        }
    }
}

/* 8 columns of a square from x on, as a line of its rows; or back. */
static void gather(const double *square, int32_t side, int32_t x, double *line)
{
    for (int32_t y = 0; y < side; y += N) {
        const double *from = square + ((int64_t)y / N * side + x) * PAIR;
        transpose(from, PAIR, line + (int64_t)y * PAIR, PAIR);
        transpose(from + N, PAIR, line + (int64_t)y * PAIR + N, PAIR);
    }
}

static void scatter(const double *line, int32_t side, int32_t x, double *square)
{
    for (int32_t y = 0; y < side; y += N) {
        double *to = square + ((int64_t)y / N * side + x) * PAIR;
        transpose(line + (int64_t)y * PAIR, PAIR, to, PAIR);
        transpose(line + (int64_t)y * PAIR + N, PAIR, to + N, PAIR);
    }
}

/* Eight bytes of a row, `n` of them from memory. */
ALWAYS void widen(const uint8_t *row, int64_t step, int64_t n, double *to)
{
    if (n == N && step == 1) {
        for (int i = 0; i < N; i++) { /* so that it vectorises */
            to[i] = row[i];
        }
        return;
    }
    for (int i = 0; i < N; i++) {
        to[i] = i < n ? row[i * step] : 0;
    }
}

static void take_bytes(const struct gf_square_bytes *from, int64_t y, int32_t side, double *to)
{
    const int64_t columns = from->columns < side ? from->columns : side;
    for (int64_t x = 0; x < side; x += N) {
        const int64_t left = columns - x < N ? columns - x : N;
        double rows[N * N];
        for (int l = 0; l < N; l++) {
            const int64_t n = y + l < from->rows && left > 0 ? left : 0;
            const uint8_t *row = n > 0 ? from->first + (y + l) * from->pitch + x * from->step : from->first;
            widen(row, from->step, n, rows + (int64_t)l * N);
        }
        transpose(rows, N, to + x * PAIR, PAIR);
    }
}

static void take(const struct gf_square_bytes *a, const struct gf_square_bytes *b, int32_t side,
                 const double *turns, double *square)
{
    for (int32_t y = 0; y < side; y += N) {
        double *line = square + (int64_t)y * side * 2;
        take_bytes(a, y, side, line);
        take_bytes(b, y, side, line + N);
        forward(line, side, side, turns);
    }
}

static void turn_rows(int32_t side, const double *turns, double *square)
{
    for (int32_t y = 0; y < side; y += N) {
        forward(square + (int64_t)y * side * 2, side, side, turns);
    }
}

static void finish(const double *square, int32_t side, const double *turns, double *spectrum)
{
    for (int32_t x = 0; x < side; x += N) {
        double *line = spectrum + (int64_t)x * side * 2;
        gather(square, side, x, line);
        forward(line, side, side, turns);
        for (int64_t i = 0; i < (int64_t)side * PAIR; i++) {
            line[i] /= (double)side * side; /* a power of two */
        }
    }
}

ALWAYS void add_products(const double *a, const double *b, int32_t side, double *sums)
{
    for (int64_t k = 0; k < (int64_t)side * PAIR; k += PAIR) {
        for (int64_t i = k; i < k + N; i += W) {
            const vec re = OF(a + i) * OF(b + i) - OF(a + i + N) * OF(b + i + N);
            const vec im = OF(a + i) * OF(b + i + N) + OF(a + i + N) * OF(b + i);
            AT(sums + i) = re + OF(sums + i);
            AT(sums + i + N) = im + OF(sums + i + N);
        }
    }
}

static void multiply(double *const *squares, int32_t channels, const double *const *spectra, int32_t digits,
                     int32_t side, const double *turns, double *lines)
{
    const int64_t each = (int64_t)side * PAIR;
    double *const line = lines + GF_SQUARE_DIGITS * each;
    double *const sums[GF_SQUARE_DIGITS] = {lines, lines + each, lines + 2 * each};
    for (int32_t x = 0; x < side; x += N) {
        memset(lines, 0, (size_t)digits * (size_t)side * PAIR * sizeof *lines);
        for (int32_t c = 0; c < channels; c++) {
            gather(squares[c], side, x, line);
            forward(line, side, side, turns);
            for (int32_t d = 0; d < digits; d++) {
                add_products(line, spectra[d * channels + c] + (int64_t)x * side * 2, side, sums[d]);
            }
        }
        for (int32_t d = 0; d < digits; d++) {
            backward(sums[d], side, side, turns);
            scatter(sums[d], side, x, squares[d]);
        }
    }
}

/* ---- back to integers ---- */

/* The nearest integer: 1.5 2^52 more has it in its low bits. */
ALWAYS void add_integers(const double *line, int64_t rows, int64_t n, int shift, uint64_t *to)
{
    for (int64_t x = 0; x < n; x += N) {
        const int64_t count = n - x < N ? n - x : N;
        double columns[N * N];
        transpose(line + x * PAIR, PAIR, columns, N);
        for (int64_t l = 0; l < rows; l++) {
            for (int64_t i = 0; i < count; i++) {
                to[l * n + x + i] += (gf_double_bits(columns[l * N + i] + 6755399441055744.0) -
                                      gf_double_bits(6755399441055744.0))
                                     << shift;
            }
        }
    }
}

static void give(double *square, int32_t side, const double *turns, int64_t a_rows, int64_t b_rows, int64_t n,
                 int a_shift, uint64_t *a, int b_shift, uint64_t *b)
{
    for (int64_t y = 0; y < a_rows; y += N) {
        double *line = square + y * side * 2;
        backward(line, side, side, turns);
        add_integers(line, a_rows - y < N ? a_rows - y : N, n, a_shift, a + y * n);
        add_integers(line + N, b_rows - y < N ? b_rows - y : N, n, b_shift, b + y * n);
    }
}

const struct gf_square_rows GF_LEVEL_NAME(gf_square_rows) = {take, turn_rows, finish, multiply, give};
