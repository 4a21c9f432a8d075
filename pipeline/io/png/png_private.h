/* What the parts of the PNG codec share. libpng is fenced in on every side:
 * - it parses signature, chunks, checksums, IHDR, PLTE, tRNS, IDAT and IEND, nothing else; samples of large
 *   pictures are inflated in front of it, and come as a stream of stored blocks (png_ahead.h), or not at all
 * where
 *   filters are taken back here, too (png_rows.c);
 *   the metadata we keep comes to us as raw bytes, every other chunk is skipped unread;
 * - "benign" errors are errors, so a file is whole or refused; but for what is behind the last sample;
 * - its memory comes from a budget, and the sizes of kept chunks are checked before it sees them;
 * - it leaves by longjmp only into gf_png_guard, whose callers keep no changed locals. */
#pragma once

#include "io/budget.h"
#include "io/codec.h"
#include "io/png/png_ahead.h"

#include <png.h>

/* Chunks kept as metadata, by the bit that stands for each. */
enum {
    GF_PNG_ICCP,
    GF_PNG_EXIF,
    GF_PNG_GAMA,
    GF_PNG_SRGB,
    GF_PNG_CHRM,
    GF_PNG_PHYS,
    GF_PNG_CICP,
    GF_PNG_KEPT
};

/* Their names, each with its terminator, as png_set_keep_unknown_chunks wants them. */
extern const png_byte gf_png_kept_names[GF_PNG_KEPT][5];

/* Returns which kept chunk a four-byte name is, or -1. */
int gf_png_kept(const void *name);

/* One libpng object and how its last step went. */
struct gf_png {
    png_structp png;
    png_infop info;
    struct gf_budget budget;
    gf_status status;  /* of a callback that has already filled *error, else GF_OK */
    gf_error *error;   /* of the step that runs */
    char message[128]; /* libpng's last words */
};

/* Runs step(argument) so that libpng's errors end here. 1: done; 0: it failed, or an allocation
 * in it did. */
int gf_png_guard(struct gf_png *p, void (*step)(void *argument), void *argument, gf_error *error);

/* GF_OK, or why the last step got no memory: beyond the budget, or none left. */
gf_status gf_png_memory(const struct gf_png *p, const char *label, gf_error *error);

/* Memory and error functions for png_create_*_struct_2; the pointer is the struct gf_png. */
png_voidp gf_png_malloc(png_structp png, png_alloc_size_t size);
void gf_png_free(png_structp png, png_voidp memory);
PNG_NORETURN void gf_png_error(png_structp png, png_const_charp message);

/* The state of a decoder. */
struct gf_png_reader {
    struct gf_png core; /* first */
    struct gf_decoder *decoder;
    char chunk[5];              /* name of the chunk being read, as messages show it; "": none yet */
    char header_fault[64];      /* what libpng says of a bad IHDR, or "" */
    unsigned damaged;           /* bit 1 << GF_PNG_x: its checksum was wrong */
    uint64_t metadata_bytes;    /* of kept chunks so far, as stored */
    int collected;              /* kept chunks already looked at */
    int passes;                 /* 0 before the first row */
    bool met_samples;           /* the first chunk IDAT */
    bool is_ahead;              /* the next bytes come from there */
    struct gf_png_ahead *ahead; /* NULL: libpng inflates, or has no rows yet */
    uint32_t ahead_length;      /* of the first chunk IDAT; 0: libpng inflates */
    int in_rows;                /* rows are being read, and libpng warns of what it could call an error */
    void *icc, *exif;           /* malloc'ed; decoder->metadata points at them */
    uint8_t *data;              /* of the rows call that runs */
    int64_t pitch, count;
    uint8_t *above,
        *filtered; /* where filters are taken back here: the last row, and some as they are stored */
    int64_t rows;  /* made so */
};

/* Turns the kept chunks that are new since the last call into decoder->metadata. Damage ends
 * in a note; only a limit or lack of memory is an error. */
gf_status gf_png_collect(struct gf_png_reader *reader, gf_error *error);

/* Looks at a chunk's head before libpng acts on it. */
void gf_png_watch_chunk(png_structp png, struct gf_png_reader *reader, uint8_t *head);

/* Why samples inflated ahead have ended, as libpng's error where it is one; else the head of the next chunk,
 * or NULL where the file still has it. */
const uint8_t *gf_png_ahead_over(struct gf_png_reader *reader);

/* Says what is wrong, after a step that failed. */
gf_status gf_png_explain(struct gf_png_reader *reader, gf_error *error);

/* Reading, in png_read.c and png_rows.c. */
int gf_png_sniff(const uint8_t *head, size_t size);
gf_status gf_png_open(struct gf_decoder *decoder, gf_error *error);
gf_status gf_png_rows(struct gf_decoder *decoder, void *data, int64_t pitch, int64_t count, gf_error *error);
gf_status gf_png_finish(struct gf_decoder *decoder, gf_error *error);
void gf_png_close(struct gf_decoder *decoder);

/* Compresses a profile for an iCCP chunk: name, 0, 0, deflate. The caller frees *chunk. */
gf_status gf_png_pack_icc(const gf_metadata *metadata, const char *label, uint8_t **chunk, size_t *size,
                          gf_error *error);
