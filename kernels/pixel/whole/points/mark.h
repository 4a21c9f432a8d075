/* mark: the picture with pixels of a list in a colour. WHOLE:
 *   in[0] picture of u8, u16 or f32
 *   in[1] u64 [2]: how many there are, first
 *   in[2] u32 rows of {x, y}, all of them in the picture
 *   out[0] the picture */
#pragma once

#include "pixel/whole/points/points.h"

struct gf_mark_args {
    float colour[GF_PICTURE_CHANNELS]; /* in sample units; integers for u8 and u16 */
    uint32_t mask;                     /* channels that are written */
};
