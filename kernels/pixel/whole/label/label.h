/* label: connected regions of a picture, numbered from 1 in the raster order of their first pixels. WHOLE:
 *   in[0] picture of u8, u16 or f32, of which channel 0 counts; at most 2^32 - 2 pixels
 *   out[0] picture of one channel: numbers (u32), or what `output` says in the depth of in[0]; colours are
 *     three of u8
 *   out[1] u64 [2]: regions, twice
 *   out[2] rows of struct gf_region, as u64, in the order of their numbers */
#pragma once

#include "base/gf_num.h"
#include "pixel/ir/kernel_table.h"

#ifdef __cplusplus
extern "C" {
#endif

enum gf_label_output {
    GF_LABEL_NUMBERS, /* u32; 0 outside regions */
    GF_LABEL_MASK,    /* white in regions, else 0 */
    GF_LABEL_KEEP,    /* in[0] in regions, else 0 */
    GF_LABEL_COLOURS  /* gf_label_colour in regions, else black */
};

struct gf_label_args {
    int64_t min_area, max_area; /* regions of fewer or more pixels are none */
    int64_t largest;            /* not 0: only that many of the others, among equal areas the first ones */
    int32_t drops_border;       /* not 0: nor are those that touch the edge of the picture */
    int32_t connectivity;       /* 4, or 8: pixels that touch at corners belong together, too */
    int32_t equal;              /* not 0: only pixels of equal value belong together */
    int32_t output;             /* enum gf_label_output */
};

/* Sums of coordinates and of u8 and u16 samples are exact integers; sum_v of f32 is 0. The extremes are keys
 * of gf_order.h: samples of u8 and u16 as they are, gf_key_f32 of f32. */
struct gf_region {
    uint64_t area, sum_x, sum_y, sum_v;
    uint32_t left, top, right, bottom; /* the box, ends within */
    uint32_t least, greatest;
};
enum { GF_REGION_WORDS = sizeof(struct gf_region) / sizeof(uint64_t) };

/* Its place among regions by area, the largest first: that of the greatest key. order: of its first pixel. */
#define GF_LABEL_RANK(area, order) ((uint64_t)(area) << 32 | (uint32_t) ~(uint32_t)(order))

/* The colour of a region by its number: red, green from bit 8 on, blue from 16 on. Hue, the greatest channel
 * (160 to 255) and the least one (below half of it) go around by the fractions of a plastic number of three
 * dimensions, 1 / 1.2207 and its square and cube, so that numbers near each other lie far apart. */
GF_HD uint32_t gf_label_colour(uint32_t number)
{
    const int32_t hue = (int32_t)((uint64_t)(number * 3518319155U) * 1536 >> 32);
    const int32_t greatest = 255 - (int32_t)((uint64_t)(number * 2882110345U) * 96 >> 32);
    const int32_t least = greatest * (int32_t)(number * 2360945575U >> 24) >> 9;
    uint32_t colour = 0;
    for (int channel = 0; channel < 3; channel++) {
        const int32_t turned = (hue + 1536 - 512 * channel) % 1536;
        int32_t share = (turned < 768 ? 768 - turned : turned - 768) - 256;
        share = share < 0 ? 0 : share > 255 ? 255 : share;
        colour |= (uint32_t)(least + (greatest - least) * share / 255) << 8 * channel;
    }
    return colour;
}

size_t gf_label_cuda_scratch(const struct gf_apply_run *run);

#ifdef __cplusplus
}
#endif
