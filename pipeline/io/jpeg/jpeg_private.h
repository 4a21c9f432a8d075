/* What the parts of the JPEG codec share. libjpeg is fenced in:
 * - a warning is an error unless it leaves every sample as it was, so a file is whole or refused;
 * - what it allocates is counted against max_memory, coefficients of progressive files included;
 *   it has no way to put them on disk; scans are counted too;
 * - segments of metadata count in that, too; what is kept of them is ours, and bounded;
 * - it leaves by longjmp only into gf_jpeg_guard, and it never prints or exits. */
#pragma once

#include "io/codec.h"

#include <setjmp.h>
#include <stdio.h>

#include <jerror.h>
#include <jpeglib.h>

#define GF_JPEG_EXIF      "Exif\0"      /* and its terminator: in front of the TIFF structure in an APP1 */
#define GF_JPEG_EXIF_HEAD 6             /* bytes */
#define GF_JPEG_ICC       "ICC_PROFILE" /* and its terminator, a number from 1 on, and how many there are */
#define GF_JPEG_ICC_HEAD  14            /* bytes */
#define GF_JPEG_XMP       "http://ns.adobe.com/x" /* of XMP, "ap/1.0/" follows, and of more, "mp/extension/" */
#define GF_JPEG_IPTC      "Photoshop 3.0"         /* and its terminator; IPTC is one of its resources */
#define GF_JPEG_SEGMENT   ((size_t)65533)         /* bytes that a marker segment holds at most */

/* One libjpeg object's way of failing. Its first member is what jpeg->err points at. */
struct gf_jpeg_fence {
    struct jpeg_error_mgr manager; /* first */
    jmp_buf stop;
    gf_status status;              /* of a callback that has already filled *error, else GF_OK */
    gf_error *error;               /* of the step that runs */
    char *note;                    /* where harmless warnings go; NULL: nowhere */
    char message[JMSG_LENGTH_MAX]; /* libjpeg's last words */
};

/* Fills fence->manager; jpeg->err is to point at it before the object is created. */
void gf_jpeg_fence(struct gf_jpeg_fence *fence, char *note);

/* Runs step(argument) so that libjpeg's errors end here. 1: done, 0: it failed. */
int gf_jpeg_guard(struct gf_jpeg_fence *fence, void (*step)(void *argument), void *argument, gf_error *error);

/* Ends the step that runs; fence->status and *error are set, or message is. Does not return. */
_Noreturn void gf_jpeg_stop(struct gf_jpeg_fence *fence);

/* Metadata, out of the memory of libjpeg, which does not keep it to the end. */
struct gf_jpeg_block {
    uint8_t *bytes;
    size_t size;
};
struct gf_jpeg_kept {
    struct gf_jpeg_block exif, icc, segments;
    int too_much, no_memory; /* segments were beyond max_metadata_bytes; memory ran out */
};

/* The state of a decoder. */
struct gf_jpeg_reader {
    struct gf_jpeg_fence fence; /* first */
    struct jpeg_decompress_struct jpeg;
    struct jpeg_source_mgr source;
    struct jpeg_progress_mgr progress;
    struct gf_decoder *decoder;
    uint64_t used;                   /* bytes that libjpeg took, but for coefficients */
    struct jpeg_memory_mgr allocate; /* its own functions, which ours call */
    struct gf_jpeg_kept kept;
    int started; /* samples are being delivered */

    /* Zero bytes in front of restart markers, and those that libjpeg says it skipped there. */
    const uint8_t *counted, *handed_end; /* of the bytes that libjpeg has */
    uint64_t padding, zeros, skipped;    /* zeros: right before `counted` */
    int is_after_ff;

    uint8_t *inks; /* a row of CMYK */
    uint8_t *data; /* of the rows call that runs */
    int64_t pitch, count;
};

/* Counts zero bytes in front of restart markers, up to `end`, which is in the bytes that libjpeg has. */
void gf_jpeg_count_padding(struct gf_jpeg_reader *reader, const uint8_t *end);

/* Asks libjpeg to save segments that may be metadata. In a step. */
void gf_jpeg_watch(struct gf_jpeg_reader *reader);

/* Takes what was saved into decoder->metadata. Damage ends in a note. */
gf_status gf_jpeg_collect(struct gf_jpeg_reader *reader, gf_error *error);

void gf_jpeg_forget(struct gf_jpeg_kept *kept);

/* Writes EXIF, segments and profile as marker segments. In a step, after jpeg_start_compress, for an object
 * whose client_data is a fence. */
void gf_jpeg_write_metadata(j_compress_ptr jpeg, const gf_metadata *metadata);

/* Reading, in jpeg_read.c. */
gf_status gf_jpeg_open(struct gf_decoder *decoder, gf_error *error);
gf_status gf_jpeg_shrink(struct gf_decoder *decoder, int32_t factor, gf_error *error);
gf_status gf_jpeg_rows(struct gf_decoder *decoder, void *data, int64_t pitch, int64_t count, gf_error *error);
gf_status gf_jpeg_finish(struct gf_decoder *decoder, gf_error *error);
void gf_jpeg_close(struct gf_decoder *decoder);

/* Writing, in jpeg_write.c. */
gf_status gf_jpeg_fits(const gf_format *format, const gf_shape *shape, const char *label, gf_error *error);
gf_status gf_jpeg_begin(struct gf_encoder *encoder, gf_error *error);
gf_status gf_jpeg_put_rows(struct gf_encoder *encoder, const void *data, int64_t pitch, int64_t count,
                           gf_error *error);
gf_status gf_jpeg_end(struct gf_encoder *encoder, gf_error *error);
void gf_jpeg_discard(struct gf_encoder *encoder);
