/* BMP to pictures: the functions of the codec. */
#pragma once

#include "io/codec.h"

gf_status gf_bmp_open(struct gf_decoder *decoder, gf_error *error);
gf_status gf_bmp_rows(struct gf_decoder *decoder, void *data, int64_t pitch, int64_t count, gf_error *error);
void gf_bmp_close(struct gf_decoder *decoder);
