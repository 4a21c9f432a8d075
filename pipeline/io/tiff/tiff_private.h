/* What the parts of the TIFF codec share. libtiff is fenced in:
 * - its errors and warnings come to handlers of the one file, and nothing global is changed;
 * - it reads and writes through functions of ours, and maps no memory;
 * - no block that it takes is larger than max_memory, and what grows with the picture is ours;
 * - what it warns of while it decodes is samples that are lost, and so an error. */
#pragma once

#include "io/codec.h"
#include "io/npy_convert.h"

#include <stdbool.h>
#include <tiffio.h>

/* Where libtiff reads or writes. */
struct gf_tiff_bytes {
    struct gf_bytes_in *in;   /* NULL: it writes */
    struct gf_bytes_out *out; /* NULL: it reads */
    uint64_t at, size;
    uint8_t *held;      /* of a pipe that is read: all; of what is written: the bytes from held_from on */
    uint64_t room;      /* of held */
    uint64_t held_from; /* 0 where it is written through, else that of the directory */
    size_t head_size;   /* 8, or 16 of a BigTIFF */
    uint8_t head[16];   /* of what is written: the one part that is written twice */
    int no_memory;      /* held could not grow */
    int is_short;       /* the file ended where a number was asked for */
    int is_over;        /* nothing is written any more */
    int is_decoding;    /* a warning counts as an error */
    int errors;         /* what libtiff reported */
    char message[200];  /* the first of it */
    char warning[120];  /* the first warning of a header but those of tags that nobody knows */
    uint64_t max_block; /* bytes that libtiff may take at once */
};

/* Adds bytes of ours, behind all that was written. 0: as libtiff's own. */
int gf_tiff_append(struct gf_tiff_bytes *bytes, const void *from, size_t size);

/* Opens with mode "r" or "w..."; NULL where that fails. */
TIFF *gf_tiff_open(struct gf_tiff_bytes *bytes, const char *mode);

/* How the samples of a file lie, and what becomes of them. */
struct gf_tiff_layout {
    uint32_t width, height;
    uint16_t bits, samples, format, photometric, compression, orientation;
    int is_tiled, is_planar; /* planar: each sample has strips or tiles of its own */
    int colours;             /* 1 or 3 of the picture */
    int alpha;               /* 0: none, 1: associated, 2: not */
    gf_npy_converter *convert;
    uint16_t *map[3]; /* libtiff's, of a palette */
    uint16_t map_size;
    int map_shift; /* makes a byte of a map's value */
};

struct gf_tiff_reader {
    struct gf_tiff_bytes bytes;
    struct gf_tiff_layout layout;
    struct gf_decoder *decoder;
    TIFF *tiff;
    uint8_t *segments;            /* XMP and Photoshop's resources, as a JPEG has them */
    uint8_t *exif;                /* as a JPEG has it, too */
    uint8_t *band, *block;        /* rows that are decoded; a tile, or a strip of one sample */
    int64_t row_size, plane_size; /* bytes in band of a row, of all rows of a sample */
    int64_t band_rows;            /* 0: nothing is set up yet */
    int64_t next, begin, end;     /* the next row; the rows in band */
};

/* What libtiff said, as an error of the file. */
gf_status gf_tiff_explain(struct gf_tiff_reader *reader, gf_error *error);

/* Chooses what becomes of the samples; says what is not read, by name. */
gf_status gf_tiff_choose(struct gf_tiff_reader *reader, gf_error *error);

/* ICC profile, density, XMP, Photoshop's resources; from a file, and to one. */
gf_status gf_tiff_collect(struct gf_tiff_reader *reader, gf_error *error);
bool gf_tiff_put_metadata(TIFF *tiff, const gf_metadata *metadata);

/* EXIF: from a file, within `room` bytes; its texts to one; and its directories to where the file ends. EXIF
 * that is damaged is written as far as it goes. false: no memory, or what libtiff says. */
void gf_tiff_take_exif(struct gf_tiff_reader *reader, uint64_t room);
void gf_tiff_put_exif_texts(TIFF *tiff, const void *exif, size_t size);
bool gf_tiff_put_exif(TIFF *tiff, struct gf_tiff_bytes *bytes, const void *exif, size_t size);

/* A row as it lies in band becomes one of the picture. */
void gf_tiff_convert_row(const struct gf_tiff_reader *reader, const uint8_t *row, void *to);

gf_status gf_tiff_open_reader(struct gf_decoder *decoder, gf_error *error);
gf_status gf_tiff_rows(struct gf_decoder *decoder, void *data, int64_t pitch, int64_t count, gf_error *error);
gf_status gf_tiff_finish(struct gf_decoder *decoder, gf_error *error);
void gf_tiff_close(struct gf_decoder *decoder);

gf_status gf_tiff_begin(struct gf_encoder *encoder, gf_error *error);
gf_status gf_tiff_put_rows(struct gf_encoder *encoder, const void *data, int64_t pitch, int64_t count,
                           gf_error *error);
gf_status gf_tiff_end(struct gf_encoder *encoder, gf_error *error);
void gf_tiff_discard(struct gf_encoder *encoder);
