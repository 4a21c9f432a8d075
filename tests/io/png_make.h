/* PNG files from known samples, by code that shares nothing with the reader: every colour type, depth,
 * interlacing, filter and tRNS, chunk by chunk, so that each chunk can be spoiled before the file is put
 * together. */
#ifndef PNG_MAKE_H
#define PNG_MAKE_H

#include <stddef.h>
#include <stdint.h>

#define PNG_MAKE_MIXED 5 /* a filter: another one on every row */

/* What to make. */
struct png_recipe {
    int width, height;
    int type;    /* 0 gray, 2 RGB, 3 palette, 4 gray + alpha, 6 RGBA */
    int depth;   /* 1, 2, 4, 8, 16, as the type allows */
    int adam7;   /* 1: interlaced */
    int filter;  /* 0 to 4, or PNG_MAKE_MIXED */
    int trns;    /* 1: with tRNS; for types 0, 2 and 3 */
    int level;   /* of zlib; 0: stored */
    int palette; /* entries that occur; 0: as many as the depth can name */
    int missing; /* so many of the last are not in the file: black, by the reader's promise */
    int flat;    /* 1: every sample is stored as 0, which compresses best */
    size_t idat; /* bytes a chunk, 0: all in one */
};

struct png_chunk {
    char name[5];
    uint8_t *data;
    size_t size;
    uint32_t claims; /* the length in the file: size, unless spoiled */
    uint32_t flips;  /* bits of the checksum that are wrong */
};

struct png_file {
    struct png_recipe recipe;
    uint8_t signature[8];
    struct png_chunk chunks[64];
    int count;
    uint8_t *raw; /* filtered rows of all passes, before they are compressed */
    size_t raw_size;
    long keep; /* bytes of the file to keep; those at the end to drop, where negative; 0: all */
};

/* Channels that a reader delivers, and the delivered sample: 8 bits, or 16 where the depth is 16. */
int png_make_channels(const struct png_recipe *recipe);
unsigned png_make_sample(const struct png_recipe *recipe, int x, int y, int channel);

/* IHDR, PLTE, tRNS, IDAT, IEND. */
void png_make(struct png_file *file, const struct png_recipe *recipe);

/* Replaces the IDAT chunks by new ones, of `raw` as it is now. */
void png_make_pack(struct png_file *file);

/* The index of a chunk; -1: none. */
int png_make_find(const struct png_file *file, const char *name);

/* Puts a chunk in front of chunk `at`, removes it, changes its size: what is new is zero. */
struct png_chunk *png_make_insert(struct png_file *file, int at, const char *name, const void *data,
                                  size_t size);
void png_make_remove(struct png_file *file, int at);
void png_make_resize(struct png_chunk *chunk, size_t size);

/* The whole file; the caller frees it. */
uint8_t *png_make_bytes(const struct png_file *file, size_t *size);

void png_make_free(struct png_file *file);

#endif
