/* What stages share that put a second picture on the first. */
#pragma once

#include "gpufilter/stage.h"

/* The rows of the members at (a text) and scale (a number) of struct `owner`. */
#define GF_PLACE_ROWS(owner)                                                                                 \
    {GF_ROW(TEXT, owner, at, ""),                                                                            \
     .help = "where it lies, of any size: southeast, southeast+10+10, centre, 30+40, ..."},                  \
    {                                                                                                        \
        GF_ROW_IN(NUMBER, owner, scale, "1", 0.0001, 10000),                                                 \
            .help = "the second picture's size, beside its own"                                              \
    }

#define GF_PLACE_FORMULA                                                                                     \
    "With at= the second picture may have any size and lies at one place, what is beyond the edge cut\n"     \
    "off; all other pixels keep every bit. at=X+Y is the place of its upper left corner, -X what is cut\n"   \
    "off on that side. A word (northwest, north, northeast, west, centre, east, southwest, south,\n"         \
    "southeast) puts it to that side or corner, and +X+Y moves it from there into the picture, in the\n"     \
    "middle to the right and downwards; half of an odd rest is rounded down. scale= makes it larger or\n"    \
    "smaller first, as resize does, floor(n scale + 1/2) pixels a side."
