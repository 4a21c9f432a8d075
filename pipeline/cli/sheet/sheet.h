/* gpufilter sheet: many pictures as one, in rows and columns. */
#pragma once

#include "base/text_buffer.h"
#include "gpufilter/gpufilter.h"
#include "gpufilter/io.h"

enum { SHEET_MOST = 65536 }; /* pictures */

struct sheet {
    const char **paths; /* of `count` pictures, then OUT */
    int count;
    const char *out, *places, *background; /* background: as colour= of stages takes it; NULL: not given */
    int64_t columns, gap, width, height;   /* columns 0: as many as make a square; a cell, 0: the largest */
    gf_io_limits limits;
};

/* Makes the sheet and writes it, and the places; says its own errors. */
gf_status sheet_make(const struct sheet *sheet);
