/* The filters of PNG taken back. A byte needs its left neighbour, so a row alone is a chain of additions, and
 * with Paeth of much more. Several rows are taken at once instead: each is two pixels behind the row above,
 * which is then ready, and the pixels of a step lie in vectors. Rows under different filters differ by masks
 * alone. */
#include "io/png/png_filter.h"

#include <string.h>

/* Takes back bytes `from` to `to` - 1 of a row, one after the other. */
static void undo_bytes(enum gf_png_filter filter, const uint8_t *in, const uint8_t *above, uint8_t *row,
                       size_t from, size_t to, size_t pixel)
{
    for (size_t i = from; i < to; i++) {
        const bool first = i < pixel;
        row[i] = (uint8_t)(in[i] + gf_png_filter_predict(filter, first ? 0 : row[i - pixel], above[i],
                                                         first ? 0 : above[i - pixel]));
    }
}

#if GF_PNG_UNFILTER_FAST

#include <emmintrin.h>

enum {
    LANE = 4, /* bytes */
    ROWS = GF_PNG_UNFILTER_ROWS,
    LAG = 2,                 /* pixels that a row is behind the one above */
    LEAD = LAG * (ROWS - 1), /* pixels of the first row, when the last one begins */
    SHORT = 2 * LANE * LEAD  /* bytes of a row with which that is a waste */
};

/* The rows, the bytes that they are made of, and the row above each. */
struct rows {
    const uint8_t *in[ROWS], *above[ROWS];
    uint8_t *row[ROWS];
    enum gf_png_filter filter[ROWS];
};

/* What a step leaves for the next: its bytes, those of the one before, what was above. Masks tell which
 * neighbours the filter of a lane looks at. */
struct lanes {
    __m128i left, before, corner;
    __m128i with_left, with_up, with_corner, average;
};

static __m128i pick(__m128i mask, __m128i a, __m128i b)
{
    return _mm_or_si128(_mm_and_si128(mask, a), _mm_andnot_si128(mask, b));
}

static __m128i load(const uint8_t *at)
{
    int32_t bytes;
    memcpy(&bytes, at, LANE);
    return _mm_cvtsi32_si128(bytes);
}

static void store(uint8_t *at, __m128i bytes)
{
    const int32_t first = _mm_cvtsi128_si32(bytes);
    memcpy(at, &first, LANE);
}

/* Paeth's choice, in bytes: the distance to the corner is the difference of the two others where the corner
 * lies between left and up, and else their sum, with which it is never chosen. Without up and corner the
 * choice is left, without left and corner it is up, and without any 0: the other filters. */
static inline __m128i choose(__m128i left, __m128i up, __m128i corner)
{
    const __m128i up_above = _mm_subs_epu8(up, corner), up_below = _mm_subs_epu8(corner, up);
    const __m128i left_above = _mm_subs_epu8(left, corner), left_below = _mm_subs_epu8(corner, left);
    const __m128i to_left = _mm_or_si128(up_above, up_below), to_up = _mm_or_si128(left_above, left_below);
    const __m128i to_corner = _mm_or_si128(_mm_subs_epu8(to_left, to_up), _mm_subs_epu8(to_up, to_left));
    const __m128i least = _mm_min_epu8(to_left, to_up);
    const __m128i between =
        _mm_or_si128(_mm_min_epu8(left_above, up_below), _mm_min_epu8(left_below, up_above));
    const __m128i nearer = _mm_min_epu8(_mm_subs_epu8(least, to_corner), between);
    const __m128i other = pick(_mm_cmpeq_epi8(least, to_left), left, up);
    return pick(_mm_cmpeq_epi8(nearer, _mm_setzero_si128()), other, corner);
}

/* Takes a step. `raw`: filtered bytes of the rows; `above`: what is above the first of them. */
static inline __m128i step(struct lanes *l, __m128i raw, __m128i above, bool averages)
{
    const __m128i up = _mm_or_si128(_mm_slli_si128(l->before, LANE), above);
    const __m128i a = _mm_and_si128(l->left, l->with_left), b = _mm_and_si128(up, l->with_up);
    __m128i chosen = choose(a, b, _mm_and_si128(l->corner, l->with_corner));
    if (averages) { /* rounded down */
        const __m128i odd = _mm_and_si128(_mm_xor_si128(a, b), _mm_set1_epi8(1));
        chosen = pick(l->average, _mm_sub_epi8(_mm_avg_epu8(a, b), odd), chosen);
    }
    l->before = l->left;
    l->corner = up;
    return l->left = _mm_add_epi8(chosen, raw);
}

/* The lanes in front of byte `x` of the first row; the rows are there as far as that needs. */
static void begin(struct lanes *l, const struct rows *rows, size_t x, size_t pixel)
{
    enum { LEFT, BEFORE, CORNER, WITH_LEFT, WITH_UP, WITH_CORNER, AVERAGE, ALL };
    uint8_t bytes[ALL][ROWS * LANE] = {0};
    __m128i to[ALL];
    for (size_t i = 0; i < ROWS * LANE; i++) {
        const size_t r = i / LANE, at = x - r * LAG * pixel + i % LANE;
        const enum gf_png_filter filter = rows->filter[r];
        const bool average = filter == GF_PNG_AVERAGE, paeth = filter == GF_PNG_PAETH;
        bytes[WITH_LEFT][i] = filter == GF_PNG_SUB || average || paeth ? 255 : 0;
        bytes[WITH_UP][i] = filter == GF_PNG_UP || average || paeth ? 255 : 0;
        bytes[WITH_CORNER][i] = paeth ? 255 : 0;
        bytes[AVERAGE][i] = average ? 255 : 0;
        if (i % LANE < pixel && at >= LAG * pixel) { /* the last row has nothing to its left yet */
            bytes[LEFT][i] = rows->row[r][at - pixel];
            bytes[BEFORE][i] = rows->row[r][at - 2 * pixel];
            bytes[CORNER][i] = rows->above[r][at - pixel];
        }
    }
    for (int i = 0; i < ALL; i++) {
        to[i] = _mm_loadu_si128((const __m128i *)(const void *)bytes[i]);
    }
    *l = (struct lanes){to[LEFT],    to[BEFORE],      to[CORNER], to[WITH_LEFT],
                        to[WITH_UP], to[WITH_CORNER], to[AVERAGE]};
}

/* Steps from byte `x` of the first row to its end, and returns where that was. A store writes LANE bytes,
 * those behind its pixel before it is their turn; so the last pixels may be left. */
static inline __attribute__((always_inline)) size_t march(const struct rows *rows, size_t x, size_t size,
                                                          size_t pixel, bool averages)
{
    const struct rows t = *rows; /* which no store may change */
    const size_t lag = LAG * pixel;
    struct lanes l;
    begin(&l, &t, x, pixel);
    for (; x + LANE <= size; x += pixel) {
        const size_t at[ROWS] = {x, x - lag, x - 2 * lag, x - 3 * lag};
        const __m128i raw =
            _mm_unpacklo_epi64(_mm_unpacklo_epi32(load(t.in[0] + at[0]), load(t.in[1] + at[1])),
                               _mm_unpacklo_epi32(load(t.in[2] + at[2]), load(t.in[3] + at[3])));
        const __m128i made = step(&l, raw, load(t.above[0] + x), averages);
        store(t.row[0] + at[0], made);
        store(t.row[1] + at[1], _mm_shuffle_epi32(made, 0x55));
        store(t.row[2] + at[2], _mm_shuffle_epi32(made, 0xaa));
        store(t.row[3] + at[3], _mm_shuffle_epi32(made, 0xff));
    }
    return x;
}

static void undo_rows(const struct rows *rows, size_t size, size_t pixel)
{
    size_t x = LEAD * pixel;
    bool averages = false;
    for (size_t r = 0; r < ROWS; r++) {
        averages = averages || rows->filter[r] == GF_PNG_AVERAGE;
        undo_bytes(rows->filter[r], rows->in[r], rows->above[r], rows->row[r], 0, x - r * LAG * pixel, pixel);
    }
    switch (pixel) { /* each as a constant */
    case 1:
        x = averages ? march(rows, x, size, 1, true) : march(rows, x, size, 1, false);
        break;
    case 2:
        x = averages ? march(rows, x, size, 2, true) : march(rows, x, size, 2, false);
        break;
    case 3:
        x = averages ? march(rows, x, size, 3, true) : march(rows, x, size, 3, false);
        break;
    default:
        x = averages ? march(rows, x, size, 4, true) : march(rows, x, size, 4, false);
        break;
    }
    for (size_t r = 0; r < ROWS; r++) {
        undo_bytes(rows->filter[r], rows->in[r], rows->above[r], rows->row[r], x - r * LAG * pixel, size,
                   pixel);
    }
}

#endif

int gf_png_filter_undo(const uint8_t *in, const uint8_t *above, uint8_t *to, int64_t pitch, int count,
                       size_t size, size_t pixel)
{
    int good = 0;
    while (good < count && in[(size_t)good * (size + 1)] < GF_PNG_FILTERS) {
        good++;
    }
#if GF_PNG_UNFILTER_FAST
    if (good == ROWS && size >= SHORT && pixel <= LANE) {
        struct rows rows;
        for (int r = 0; r < ROWS; r++) {
            rows.filter[r] = (enum gf_png_filter)in[(size_t)r * (size + 1)];
            rows.in[r] = in + (size_t)r * (size + 1) + 1;
            rows.row[r] = to + r * pitch;
            rows.above[r] = r > 0 ? rows.row[r - 1] : above;
        }
        undo_rows(&rows, size, pixel);
        return good;
    }
#endif
    for (int r = 0; r < good; r++, in += size + 1) {
        uint8_t *row = to + r * pitch;
        undo_bytes((enum gf_png_filter)in[0], in + 1, r > 0 ? row - pitch : above, row, 0, size, pixel);
    }
    return good;
}
