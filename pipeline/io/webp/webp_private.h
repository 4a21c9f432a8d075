/* What the parts of the WebP codec share. libwebp has neither globals nor messages: what it says is a number.
 */
#pragma once

#include "io/codec.h"

gf_status gf_webp_open(struct gf_decoder *decoder, gf_error *error);
gf_status gf_webp_rows(struct gf_decoder *decoder, void *data, int64_t pitch, int64_t count, gf_error *error);
void gf_webp_close(struct gf_decoder *decoder);

gf_status gf_webp_fits(const gf_format *format, const gf_shape *shape, const char *label, gf_error *error);
gf_status gf_webp_begin(struct gf_encoder *encoder, gf_error *error);
gf_status gf_webp_put_rows(struct gf_encoder *encoder, const void *data, int64_t pitch, int64_t count,
                           gf_error *error);
void gf_webp_discard(struct gf_encoder *encoder);
