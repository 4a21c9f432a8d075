/* EXR, by OpenEXRCore, whose calls end here: its memory is counted, its bytes come from gf_bytes_in and go to
 * memory, and what it says goes into a message. */
#pragma once

#include "io/budget.h"
#include "io/codec.h"

#include <OpenEXR/openexr.h>

#define GF_EXR_CHANNELS 4

/* What a context of the library belongs to; its user_data. */
struct gf_exr {
    exr_context_t context;
    struct gf_budget budget; /* of all that the library takes for it */
    char said[160];          /* the last thing that it said */

    /* Reading. */
    struct gf_bytes_in *in;
    uint8_t *held;        /* where bytes cannot be had from anywhere: all of them, to be freed */
    const uint8_t *bytes; /* NULL: from `in` */
    uint64_t size;

    /* Writing: the file, and the room it has; and the library's way to compress a chunk. */
    exr_result_t (*compress)(exr_encode_pipeline_t *encode);
    uint8_t *made;
    uint64_t made_size, made_room;

    /* Rows of a chunk, or of a row of tiles, of f32, pixel by pixel. */
    float *band;
    int64_t band_rows, band_first, band_count; /* that fit; and those that are there */
    int64_t next;                              /* row that is delivered next */
};

/* Makes what a context is begun with; `label` is borrowed. Each call of the library stands between enter and
 * leave: it asks for memory with no word of whose it is, so that is kept for the thread. */
exr_context_initializer_t gf_exr_initializer(struct gf_exr *exr);
void gf_exr_enter(struct gf_exr *exr);
void gf_exr_leave(void);

/* Why a call failed. */
gf_status gf_exr_fail(const struct gf_exr *exr, exr_result_t result, const char *label, gf_error *error);

/* Ends the context and frees what is in *exr, and that itself. NULL-safe. */
void gf_exr_free(struct gf_exr *exr);

gf_status gf_exr_open(struct gf_decoder *decoder, gf_error *error);
gf_status gf_exr_rows(struct gf_decoder *decoder, void *data, int64_t pitch, int64_t count, gf_error *error);
void gf_exr_close(struct gf_decoder *decoder);

gf_status gf_exr_begin(struct gf_encoder *encoder, gf_error *error);
gf_status gf_exr_put_rows(struct gf_encoder *encoder, const void *data, int64_t pitch, int64_t count,
                          gf_error *error);
gf_status gf_exr_end(struct gf_encoder *encoder, gf_error *error);
void gf_exr_discard(struct gf_encoder *encoder);
