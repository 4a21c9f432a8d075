/* Text as a picture of coverage, by FreeType. */
#pragma once

#include "gpufilter/types.h"

#include <stddef.h>
#include <stdint.h>

enum { GF_LETTERING_PIXELS = 1 << 24, GF_LETTERING_WHY = 320 };

/* What is written: UTF-8, its lines parted by '\n'; a font as font= has it, "": the usual one; how high an em
 * is, in pixels; and how wide a line may be, 0: as wide as it is. A longer one is cut and ends in "…". */
struct gf_lettering_text {
    const char *text, *font;
    double size;
    int64_t width;
};

/* Row by row, 0 to 255: how much of a pixel the letters cover. */
struct gf_lettering {
    int32_t width, height;
    unsigned char *coverage; /* free() */
    uint32_t missing;        /* the first character that the font has no letter for; 0: it has all */
    int32_t missing_at;      /* byte of the text, from 1 */
    int32_t blames_font;     /* after a failure: 1 where the font is what is wrong */
};

/* Makes the picture of the text: from the highest of ink and ascender to the lowest of ink and descender, and
 * as wide as its longest line, at most GF_LETTERING_PIXELS in all. On failure nothing is kept, and `why` says
 * what is wrong. Any number of threads may be in it. */
gf_status gf_lettering_make(const struct gf_lettering_text *what, struct gf_lettering *made,
                            char why[GF_LETTERING_WHY]);
