/* TIFF files of kinds that the library itself does not write, made with libtiff. */
#ifndef TIFF_MAKE_H
#define TIFF_MAKE_H

#include "io_help.h"

#include <tiffio.h>

/* What is not named is 0: strips of one row, of samples side by side. */
struct tiff_kind {
    const char *name, *mode; /* mode NULL: "w" */
    int bits, samples, format, photometric, compression, predictor, extra, planar, orientation;
    int tile_width, tile_height, rows;
    int bytes_in_map; /* a palette's values are 0 to 255, not 0 to 65535 */
};

/* Sample c of pixel x, y of the file: any number of so many bits. */
static inline uint32_t tiff_sample(int x, int y, int c, int bits)
{
    uint32_t state = (uint32_t)(x * 7919 + y * 104729 + c * 1299709 + 12345) * 2654435761u;
    state ^= state >> 13;
    return bits == 32 ? state : state >> 7 & ((1u << bits) - 1);
}

static inline void tiff_put(unsigned char *row, int at, int bits, uint32_t value)
{
    if (bits == 16) {
        const uint16_t two = (uint16_t)value;
        memcpy(row + 2 * at, &two, 2);
    } else if (bits == 32) {
        memcpy(row + 4 * at, &value, 4);
    } else {
        row[at * bits / 8] |= (unsigned char)(value << (8 - bits - at * bits % 8));
    }
}

/* A rectangle from x0, y0 on of sample `only`, or of all where that is -1. */
static inline void tiff_fill(const struct tiff_kind *kind, unsigned char *to, size_t pitch, int x0, int y0,
                             int width, int height, int only)
{
    memset(to, 0, pitch * (size_t)height);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            for (int c = 0; c < kind->samples && only < 0; c++) {
                tiff_put(to + (size_t)y * pitch, x * kind->samples + c, kind->bits,
                         tiff_sample(x0 + x, y0 + y, c, kind->bits));
            }
            if (only >= 0) {
                tiff_put(to + (size_t)y * pitch, x, kind->bits,
                         tiff_sample(x0 + x, y0 + y, only, kind->bits));
            }
        }
    }
}

static inline void tiff_tags(TIFF *tiff, const struct tiff_kind *kind, int width, int height)
{
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, width);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, height);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, kind->bits);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, kind->samples);
    TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, kind->format ? kind->format : SAMPLEFORMAT_UINT);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, kind->photometric);
    TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, kind->planar ? PLANARCONFIG_SEPARATE : PLANARCONFIG_CONTIG);
    TIFFSetField(tiff, TIFFTAG_COMPRESSION, kind->compression ? kind->compression : COMPRESSION_NONE);
    if (kind->predictor) {
        TIFFSetField(tiff, TIFFTAG_PREDICTOR, kind->predictor);
    }
    if (kind->orientation) {
        TIFFSetField(tiff, TIFFTAG_ORIENTATION, kind->orientation);
    }
    if (kind->extra) {
        const uint16_t extra = (uint16_t)kind->extra;
        TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, 1, &extra);
    }
    if (kind->photometric == PHOTOMETRIC_PALETTE) {
        uint16_t map[3][256];
        for (int i = 0; i < 3 * 256; i++) {
            map[i / 256][i % 256] = (uint16_t)((i * 37 + i / 256) % 256 * (kind->bytes_in_map ? 1 : 257));
        }
        TIFFSetField(tiff, TIFFTAG_COLORMAP, map[0], map[1], map[2]);
    }
    if (kind->tile_width) {
        TIFFSetField(tiff, TIFFTAG_TILEWIDTH, kind->tile_width);
        TIFFSetField(tiff, TIFFTAG_TILELENGTH, kind->tile_height);
    } else {
        TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, kind->rows ? kind->rows : 1);
    }
}

/* Writes a page; 0: this libtiff cannot. */
static inline int tiff_page(TIFF *tiff, const struct tiff_kind *kind, int width, int height)
{
    static unsigned char block[1 << 16];
    int done = 1;
    tiff_tags(tiff, kind, width, height);
    const int planes = kind->planar ? kind->samples : 1;
    const int tall = kind->tile_width ? kind->tile_height : kind->rows ? kind->rows : 1;
    for (int p = 0; p < planes; p++) {
        for (int y = 0; y < height; y += tall) {
            const int only = kind->planar ? p : -1, left = height - y < tall ? height - y : tall;
            if (!kind->tile_width) {
                const size_t pitch = (size_t)TIFFScanlineSize(tiff);
                tiff_fill(kind, block, pitch, 0, y, width, left, only);
                const tmsize_t size = (tmsize_t)(pitch * (size_t)left);
                const uint32_t strip = TIFFComputeStrip(tiff, (uint32_t)y, (uint16_t)p);
                done &= TIFFWriteEncodedStrip(tiff, strip, block, size) == size;
                continue;
            }
            for (int x = 0; x < width; x += kind->tile_width) {
                tiff_fill(kind, block, (size_t)TIFFTileRowSize(tiff), x, y, kind->tile_width, tall, only);
                done &= TIFFWriteTile(tiff, block, (uint32_t)x, (uint32_t)y, 0, (uint16_t)p) >= 0;
            }
        }
    }
    return TIFFWriteDirectory(tiff) && done;
}

static inline int tiff_make(const char *path, const struct tiff_kind *kind, int width, int height)
{
    if (kind->compression && !TIFFIsCODECConfigured((uint16_t)kind->compression)) {
        return 0;
    }
    TIFF *tiff = TIFFOpen(path, kind->mode ? kind->mode : "w");
    const int done = tiff != NULL && tiff_page(tiff, kind, width, height);
    if (tiff != NULL) {
        TIFFClose(tiff);
    }
    CHECK_MSG(done, "%s: libtiff does not write it", kind->name);
    return done;
}

#endif
