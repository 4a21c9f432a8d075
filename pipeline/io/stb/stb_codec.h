/* The functions behind the codecs bmp, tga and hdr that need stb. */
#pragma once

#include "io/codec.h"

gf_status gf_stb_open_hdr(struct gf_decoder *decoder, gf_error *error);
gf_status gf_stb_rows_hdr(struct gf_decoder *decoder, void *data, int64_t pitch, int64_t count,
                          gf_error *error);
void gf_stb_close_hdr(struct gf_decoder *decoder);

gf_status gf_stb_fits(const gf_format *format, const gf_shape *shape, const char *label, gf_error *error);
gf_status gf_stb_begin(struct gf_encoder *encoder, gf_error *error);
gf_status gf_stb_put_rows(struct gf_encoder *encoder, const void *data, int64_t pitch, int64_t count,
                          gf_error *error);
