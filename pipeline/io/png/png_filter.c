/* Plain loops that compilers turn into vectors: nothing in them depends on the byte before. */
#include "io/png/png_filter.h"

#include <string.h>

#define BLOCK 256 /* 256 magnitudes of at most 128 fit into 16 bits */

/* The magnitude of a byte taken as signed. */
static inline uint8_t magnitude(uint8_t difference)
{
    uint8_t opposite = (uint8_t)-difference;
    return difference < opposite ? difference : opposite;
}

/* Adds the magnitudes of bytes `from` to `to` - 1, at most BLOCK of them, none of the first pixel. */
static void add_block(const uint8_t *row, const uint8_t *above, size_t from, size_t to, size_t pixel,
                      uint64_t sums[GF_PNG_FILTERS])
{
    uint16_t none = 0, sub = 0, up = 0, avg = 0, pae = 0;
    for (size_t i = from; i < to; i++) {
        uint8_t x = row[i], left = row[i - pixel], over = above[i], corner = above[i - pixel];
        none = (uint16_t)(none + magnitude(x));
        sub = (uint16_t)(sub + magnitude((uint8_t)(x - left)));
        up = (uint16_t)(up + magnitude((uint8_t)(x - over)));
        avg = (uint16_t)(avg + magnitude((uint8_t)(x - gf_png_filter_average(left, over))));
        pae = (uint16_t)(pae + magnitude((uint8_t)(x - gf_png_filter_paeth(left, over, corner))));
    }
    sums[GF_PNG_NONE] += none;
    sums[GF_PNG_SUB] += sub;
    sums[GF_PNG_UP] += up;
    sums[GF_PNG_AVERAGE] += avg;
    sums[GF_PNG_PAETH] += pae;
}

enum gf_png_filter gf_png_filter_choose(const uint8_t *row, const uint8_t *above, size_t size, size_t pixel,
                                        size_t every)
{
    uint64_t sums[GF_PNG_FILTERS] = {0};
    for (size_t i = 0; i < pixel; i++) {
        for (int filter = 0; filter < GF_PNG_FILTERS; filter++) {
            sums[filter] += magnitude(
                (uint8_t)(row[i] - gf_png_filter_predict((enum gf_png_filter)filter, 0, above[i], 0)));
        }
    }
    for (size_t from = pixel; from < size; from += BLOCK * every) {
        add_block(row, above, from, size - from < BLOCK ? size : from + BLOCK, pixel, sums);
    }
    enum gf_png_filter best = GF_PNG_NONE;
    for (int filter = GF_PNG_SUB; filter < GF_PNG_FILTERS; filter++) {
        best = sums[filter] < sums[best] ? (enum gf_png_filter)filter : best;
    }
    return best;
}

void gf_png_filter_apply(enum gf_png_filter filter, const uint8_t *row, const uint8_t *above, size_t from,
                         size_t to, size_t pixel, uint8_t *restrict out)
{
    for (; from < pixel && from < to; from++) {
        *out++ = (uint8_t)(row[from] - gf_png_filter_predict(filter, 0, above[from], 0));
    }
    if (from == to) {
        return;
    }
    const uint8_t *x = row + from, *over = above + from;
    size_t count = to - from;
    switch (filter) {
    case GF_PNG_SUB:
        for (size_t i = 0; i < count; i++) {
            out[i] = (uint8_t)(x[i] - (x - pixel)[i]);
        }
        break;
    case GF_PNG_UP:
        for (size_t i = 0; i < count; i++) {
            out[i] = (uint8_t)(x[i] - over[i]);
        }
        break;
    case GF_PNG_AVERAGE:
        for (size_t i = 0; i < count; i++) {
            out[i] = (uint8_t)(x[i] - gf_png_filter_average((x - pixel)[i], over[i]));
        }
        break;
    case GF_PNG_PAETH:
        for (size_t i = 0; i < count; i++) {
            out[i] = (uint8_t)(x[i] - gf_png_filter_paeth((x - pixel)[i], over[i], (over - pixel)[i]));
        }
        break;
    default:
        memcpy(out, x, count);
        break;
    }
}
