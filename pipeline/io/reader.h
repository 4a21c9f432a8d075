/* What a gf_reader is, for file_read.c and file_next.c. */
#pragma once

#include "io/codec.h"

struct gf_reader {
    struct gf_bytes_in in;
    gf_io_limits limits;
    struct gf_decoder decoder;
    const struct gf_codec *codec;
    int orientation; /* of the EXIF that came before the samples; 1: upright, or not told */
    size_t orientation_at;
    int32_t shrink;    /* by how much the picture is delivered smaller; 0: not */
    size_t early_exif; /* bytes of EXIF that came before the samples */
    gf_file_info info; /* of the upright picture */
    int64_t rows_left;
    int failed;      /* 1: nothing more can be had */
    int is_reread;   /* 1: what is read must be what was read before */
    int64_t number;  /* of the picture in the stream, less 1 */
    size_t labelled; /* bytes of the label without it */
};

/* Reads a picture's header with a decoder that begins anew, but for its state, and takes what it says. */
gf_status gf_reader_begin(gf_reader *reader, gf_error *error);
