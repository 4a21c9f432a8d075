/* What the parts of the GIF codec share. giflib has no globals, takes fixed memory, and reads through a
 * function of ours; what it would keep of each frame is let go. */
#pragma once

#include "io/codec.h"

#include <gif_lib.h>

struct gf_gif_reader {
    uint8_t *held; /* the file; NULL where it lies in memory anyway */
    const uint8_t *bytes;
    uint64_t size, at;
    GifFileType *gif;
    int64_t page;                 /* from 1 on */
    int restores;                 /* a frame before the page is taken back: what was below it is kept */
    GraphicsControlBlock control; /* of the frame that was found */
    GifPixelType *line;
    uint8_t *below;
    int has_icc, has_xmp, has_zeros, has_no_end, is_beyond; /* what notes tell */
};

/* giflib at the file's first byte. */
gf_status gf_gif_begin(struct gf_decoder *decoder, gf_error *error);

/* Goes to the next frame's samples; *there 0: there is none. */
gf_status gf_gif_find_frame(struct gf_decoder *decoder, int *there, gf_error *error);

/* Passes the samples of the frame that was found. */
gf_status gf_gif_pass_samples(struct gf_decoder *decoder, gf_error *error);

/* What giflib said, as an error of the file. */
gf_status gf_gif_explain(const struct gf_decoder *decoder, int code, gf_error *error);
gf_status gf_gif_damaged(const struct gf_decoder *decoder, const char *what, gf_error *error);
gf_status gf_gif_no_memory(const struct gf_decoder *decoder, gf_error *error);

gf_status gf_gif_open(struct gf_decoder *decoder, gf_error *error);
gf_status gf_gif_rows(struct gf_decoder *decoder, void *data, int64_t pitch, int64_t count, gf_error *error);
void gf_gif_close(struct gf_decoder *decoder);
