/* The filters of PNG (ISO/IEC 15948, clause 9): bytes of a row as differences from their neighbours. Samples
 * may have either byte order, as every byte is predicted from the same byte of other samples. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum gf_png_filter { GF_PNG_NONE, GF_PNG_SUB, GF_PNG_UP, GF_PNG_AVERAGE, GF_PNG_PAETH, GF_PNG_FILTERS };

/* The filter under which the row's bytes, taken as signed, have the least sum of magnitudes; the rule is the
 * specification's own (its chapter on filter selection). `above` is the row above, zeros for the first,
 * `size` bytes each; `pixel` the bytes of a pixel. Looks at one of `every` blocks of the row. */
enum gf_png_filter gf_png_filter_choose(const uint8_t *row, const uint8_t *above, size_t size, size_t pixel,
                                        size_t every);

/* Writes the bytes `from` to `to` - 1 of the filtered row to out[0], ... */
void gf_png_filter_apply(enum gf_png_filter filter, const uint8_t *row, const uint8_t *above, size_t from,
                         size_t to, size_t pixel, uint8_t *out);
