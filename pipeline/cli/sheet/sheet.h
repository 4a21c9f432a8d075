/* gpufilter sheet: many pictures as one, in rows and columns. */
#pragma once

#include "base/text_buffer.h"
#include "gpufilter/gpufilter.h"
#include "gpufilter/io.h"

enum { SHEET_MOST = 65536 }; /* pictures */

enum sheet_labels { SHEET_NAMES, SHEET_NUMBERS, SHEET_NO_LABELS };

struct sheet {
    const char **paths; /* of `count` pictures, then OUT */
    int count;
    const char *out, *places, *background; /* background: as colour= of stages takes it; NULL: not given */
    int64_t columns, gap, width, height;   /* columns 0: as many as make a square; a cell, 0: the largest */
    enum sheet_labels labels;
    int64_t label_size;     /* how high an em of them is, in pixels */
    const char *label_font; /* as font= of the stage text */
    gf_io_limits limits;
};

/* Makes the sheet and writes it, and the places; says its own errors. */
gf_status sheet_make(const struct sheet *sheet);
