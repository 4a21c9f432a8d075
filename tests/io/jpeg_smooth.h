/* A picture that JPEG keeps well. */
#ifndef JPEG_SMOOTH_H
#define JPEG_SMOOTH_H

#include "io_help.h"
#include "jpeg_make.h"

static inline gf_picture *make_smooth(int64_t width, int64_t height, int channels)
{
    gf_picture *picture = make_picture(width, height, channels, GF_U8);
    for (int64_t y = 0; y < height; y++) {
        unsigned char *row = (unsigned char *)picture->image.data + y * picture->image.pitch;
        for (int64_t i = 0; i < width * channels; i++) {
            row[i] = (unsigned char)(60 + (i / channels + 2 * y) % 128 + i % channels * 20);
        }
    }
    return picture;
}

#endif
