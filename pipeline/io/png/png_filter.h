/* The filters of PNG (ISO/IEC 15948, clause 9): bytes of a row as differences from their neighbours. Samples
 * may have either byte order, as every byte is predicted from the same byte of other samples. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum gf_png_filter { GF_PNG_NONE, GF_PNG_SUB, GF_PNG_UP, GF_PNG_AVERAGE, GF_PNG_PAETH, GF_PNG_FILTERS };

static inline uint8_t gf_png_filter_average(uint8_t left, uint8_t up)
{
    return (uint8_t)((left + up) >> 1);
}

/* Whichever of the three is nearest to left + up - corner; the first of equals. */
static inline uint8_t gf_png_filter_paeth(uint8_t left, uint8_t up, uint8_t corner)
{
    int16_t to_left = (int16_t)(up - corner), to_up = (int16_t)(left - corner);
    int16_t to_corner = (int16_t)(to_left + to_up);
    to_left = (int16_t)(to_left < 0 ? -to_left : to_left);
    to_up = (int16_t)(to_up < 0 ? -to_up : to_up);
    to_corner = (int16_t)(to_corner < 0 ? -to_corner : to_corner);
    uint8_t other = to_up <= to_corner ? up : corner;
    return to_left <= to_up && to_left <= to_corner ? left : other;
}

/* Returns what a filter takes from a byte. */
static inline uint8_t gf_png_filter_predict(enum gf_png_filter filter, uint8_t left, uint8_t up,
                                            uint8_t corner)
{
    switch (filter) {
    case GF_PNG_SUB:
        return left;
    case GF_PNG_UP:
        return up;
    case GF_PNG_AVERAGE:
        return gf_png_filter_average(left, up);
    case GF_PNG_PAETH:
        return gf_png_filter_paeth(left, up, corner);
    default:
        return 0;
    }
}

/* The filter under which the row's bytes, taken as signed, have the least sum of magnitudes; the rule is the
 * specification's own (its chapter on filter selection). `above` is the row above, zeros for the first,
 * `size` bytes each; `pixel` the bytes of a pixel. Looks at one of `every` blocks of the row. */
enum gf_png_filter gf_png_filter_choose(const uint8_t *row, const uint8_t *above, size_t size, size_t pixel,
                                        size_t every);

/* Writes the bytes `from` to `to` - 1 of the filtered row to out[0], ... */
void gf_png_filter_apply(enum gf_png_filter filter, const uint8_t *row, const uint8_t *above, size_t from,
                         size_t to, size_t pixel, uint8_t *out);

enum { GF_PNG_UNFILTER_ROWS = 4 }; /* that are best taken back at once */

/* 1: taking filters back is faster than by libpng. */
#ifdef __SSE2__
#define GF_PNG_UNFILTER_FAST 1
#else
#define GF_PNG_UNFILTER_FAST 0
#endif

/* Takes the filters of `count` rows back, which lie one behind the other, each `size` bytes behind its
 * filter. `above`: the row above the first. Returns how many rows it made: fewer where a filter is none. */
int gf_png_filter_undo(const uint8_t *in, const uint8_t *above, uint8_t *rows, int64_t pitch, int count,
                       size_t size, size_t pixel);
