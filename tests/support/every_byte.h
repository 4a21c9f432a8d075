/* every_byte.h: a branch that depends on every byte of a picture, padding too, so that MemorySanitizer and
 * memcheck tell if one was never written. */
#ifndef EVERY_BYTE_H
#define EVERY_BYTE_H

#include "gpufilter/types.h"

static inline void look_at_every_byte(const gf_image *image)
{
    static volatile int odd;
    const uint8_t *bytes = (const uint8_t *)image->data;
    uint8_t all = 0;
    for (int64_t i = 0; i < image->pitch * image->shape.height; i++) {
        all = (uint8_t)(all ^ bytes[i]);
    }
    for (int bit = 4; bit > 0; bit /= 2) { /* to the lowest bit: unknown if any bit is */
        all = (uint8_t)(all ^ all >> bit);
    }
    if (all & 1) {
        odd = odd + 1;
    }
}

#endif
