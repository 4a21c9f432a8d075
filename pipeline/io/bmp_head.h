/* The header of a BMP: read by us, and written anew for stb_image, which takes too little for granted: a
 * palette of all its entries, masks where they belong, samples right behind. */
#ifndef GF_IO_BMP_HEAD_H
#define GF_IO_BMP_HEAD_H

#include "codec.h"

#define GF_BMP_HEAD_SIZE (14 + 40 + 1024)

struct gf_bmp_head {
    uint8_t bytes[GF_BMP_HEAD_SIZE];
    size_t size;
};

/* Reads up to the samples, fills decoder->info and checks it. Missing entries of a palette are black. */
gf_status gf_bmp_read_head(struct gf_decoder *decoder, struct gf_bmp_head *head, gf_error *error);

#endif
