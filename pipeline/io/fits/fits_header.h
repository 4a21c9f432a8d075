/* The header of one HDU of a FITS file: what of it tells where samples lie and what they mean. */
#pragma once

#include "io/codec.h"

#define GF_FITS_BLOCK 2880 /* everything in a file is padded to a multiple of this */
#define GF_FITS_CARD  80
#define GF_FITS_AXES  8 /* that are taken; a picture has three at most */

struct gf_fits_header {
    int is_end;      /* 1: there is no header here, as the file ends */
    char kind[9];    /* "IMAGE", "BINTABLE", ...; "IMAGE" of the first HDU, too */
    int is_packed;   /* a table that is a compressed image */
    int is_top_down; /* it says ROWORDER 'TOP-DOWN' */
    int bits;        /* BITPIX */
    int axes;        /* NAXIS */
    int64_t axis[GF_FITS_AXES];
    double scale, zero; /* a sample is scale * stored + zero */
    int has_blank;
    int64_t blank;    /* the stored integer that means that there is no sample */
    int others;       /* cards that tell something else */
    char other[9];    /* the first of them */
    uint64_t samples; /* where samples begin */
    uint64_t size;    /* bytes of them, without what pads the last block */
};

/* Copies bytes from a place of the file; without random access a later one than before. Fewer than `size`:
 * the file ends, or cannot be read. */
struct gf_fits_bytes {
    struct gf_bytes_in *in;
    int is_random;
    uint64_t at; /* without random access: how far it is read */
};
size_t gf_fits_read(struct gf_fits_bytes *bytes, uint64_t at, void *to, size_t size);

/* Reads the header at `at`; `number` is that of the HDU, from 1 on, for messages. */
gf_status gf_fits_read_header(struct gf_fits_bytes *bytes, uint64_t at, int number, uint64_t most,
                              struct gf_fits_header *header, gf_error *error);

/* Where the next HDU begins. */
uint64_t gf_fits_next(const struct gf_fits_header *header);
