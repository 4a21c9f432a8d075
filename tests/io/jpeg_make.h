/* Small JPEG files of kinds that the library reads and does not write, made with libjpeg; and the means to
 * change them. */
#ifndef JPEG_MAKE_H
#define JPEG_MAKE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

struct jpeg_kind {
    J_COLOR_SPACE space;  /* of the samples given: JCS_GRAYSCALE, JCS_RGB or JCS_CMYK */
    J_COLOR_SPACE stored; /* 0: libjpeg's choice */
    int progressive;
    int apart;   /* a scan for each component */
    int restart; /* blocks between restart markers, 0: none */
    int plain;   /* no Adobe marker, so inks are not inverted */
    int large;   /* 280 x 230 pixels instead of 28 x 23 */
    unsigned char pixel[3], key;
};

/* Writes a picture of one colour, or with .pixel all 0, of a ramp. Returns its size. */
static inline size_t jpeg_make(unsigned char *bytes, size_t room, const struct jpeg_kind *kind)
{
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr error;
    unsigned char *out = NULL, row[4 * 280];
    unsigned long size = 0;
    int channels = kind->space == JCS_GRAYSCALE ? 1 : kind->space == JCS_RGB ? 3 : 4;
    jpeg_scan_info apart[3] = {{1, {0}, 0, 63, 0, 0}, {1, {1}, 0, 63, 0, 0}, {1, {2}, 0, 63, 0, 0}};
    jpeg.err = jpeg_std_error(&error);
    jpeg_create_compress(&jpeg);
    jpeg_mem_dest(&jpeg, &out, &size);
    jpeg.image_width = kind->large ? 280 : 28;
    jpeg.image_height = kind->large ? 230 : 23;
    jpeg.input_components = channels;
    jpeg.in_color_space = kind->space;
    jpeg_set_defaults(&jpeg);
    jpeg_set_quality(&jpeg, 95, TRUE);
    if (kind->stored != JCS_UNKNOWN) {
        jpeg_set_colorspace(&jpeg, kind->stored);
    }
    if (kind->plain) {
        jpeg.write_Adobe_marker = FALSE;
    }
    jpeg.restart_interval = (unsigned)kind->restart;
    jpeg.optimize_coding = TRUE;
    if (kind->progressive) {
        jpeg_simple_progression(&jpeg);
    } else if (kind->apart) {
        jpeg.scan_info = apart;
        jpeg.num_scans = 3;
    }
    jpeg_start_compress(&jpeg, TRUE);
    int ramp = kind->pixel[0] + kind->pixel[1] + kind->pixel[2] == 0;
    for (unsigned y = 0; y < jpeg.image_height; y++) {
        JSAMPROW rows[1] = {row};
        for (unsigned x = 0; x < jpeg.image_width; x++) {
            for (int c = 0; c < channels; c++) {
                row[x * (unsigned)channels + (unsigned)c] =
                    (unsigned char)(ramp     ? x * 7 + y * 3 + (unsigned)c * 50
                                    : c == 3 ? kind->key
                                             : kind->pixel[c]);
            }
        }
        jpeg_write_scanlines(&jpeg, rows, 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    size_t used = size <= room ? size : 0;
    memcpy(bytes, out, used);
    free(out);
    return used;
}

/* The place of the first marker with this code, 0: none. */
static inline size_t jpeg_find(const unsigned char *bytes, size_t size, int code)
{
    for (size_t i = 0; i + 1 < size; i++) {
        if (bytes[i] == 0xff && bytes[i + 1] == code) {
            return i;
        }
    }
    return 0;
}

/* Puts more bytes in at a place; returns the new size. */
static inline size_t jpeg_insert(unsigned char *bytes, size_t size, size_t at, const void *more, size_t count)
{
    memmove(bytes + at + count, bytes + at, size - at);
    memcpy(bytes + at, more, count);
    return size + count;
}

#endif
