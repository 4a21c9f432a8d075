/* TGA to pictures, as Truevision's specification 2.0 has it: the functions of the codec. */
#pragma once

#include "io/codec.h"

gf_status gf_tga_open(struct gf_decoder *decoder, gf_error *error);
gf_status gf_tga_rows(struct gf_decoder *decoder, void *data, int64_t pitch, int64_t count, gf_error *error);
void gf_tga_close(struct gf_decoder *decoder);
