/* Pictures to EXR: one part of scan lines, float, ZIP. */
#include "io/exr/exr_private.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

#define PART 0

#define CALL(what)                                                                                           \
    do {                                                                                                     \
        const exr_result_t result_ = (what);                                                                 \
        if (result_ != EXR_ERR_SUCCESS) {                                                                    \
            return gf_exr_fail(exr, result_, encoder->out->label, error);                                    \
        }                                                                                                    \
    } while (0)

/* By how many channels there are, their names in alphabetical order, in which they are stored, and their
 * places in a pixel. */
static const struct {
    const char *name[GF_EXR_CHANNELS];
    int place[GF_EXR_CHANNELS];
} layouts[GF_EXR_CHANNELS + 1] = {{{NULL}, {0}},
                                  {{"Y"}, {0}},
                                  {{"A", "Y"}, {1, 0}},
                                  {{"B", "G", "R"}, {2, 1, 0}},
                                  {{"A", "B", "G", "R"}, {3, 2, 1, 0}}};

static gf_status write_header(struct gf_encoder *encoder, gf_error *error)
{
    struct gf_exr *exr = encoder->state;
    const gf_shape *shape = &encoder->shape;
    exr_context_initializer_t init = gf_exr_initializer(exr);
    int part = PART;
    CALL(exr_start_write(&exr->context, encoder->out->label, EXR_WRITE_FILE_DIRECTLY, &init));
    CALL(exr_add_part(exr->context, "picture", EXR_STORAGE_SCANLINE, &part));
    CALL(exr_initialize_required_attr_simple(exr->context, PART, (int32_t)shape->width,
                                             (int32_t)shape->height, EXR_COMPRESSION_ZIP));
    for (int i = 0; i < shape->channels; i++) {
        CALL(exr_add_channel(exr->context, PART, layouts[shape->channels].name[i], EXR_PIXEL_FLOAT,
                             EXR_PERCEPTUALLY_LOGARITHMIC, 1, 1));
    }
    CALL(exr_write_header(exr->context));
    int32_t rows = 0;
    CALL(exr_get_scanlines_per_chunk(exr->context, PART, &rows));
    exr->band_rows = rows;
    return GF_OK;
}

gf_status gf_exr_begin(struct gf_encoder *encoder, gf_error *error)
{
    struct gf_exr *exr = calloc(1, sizeof *exr);
    const gf_shape *shape = &encoder->shape;
    if (exr == NULL) {
        return gf_fail(error, GF_ERROR_MEMORY, "%s: no memory for EXR", encoder->out->label);
    }
    encoder->state = exr;
    exr->budget.limit = UINT64_MAX;
    gf_exr_enter(exr);
    const gf_status status = write_header(encoder, error);
    gf_exr_leave();
    GF_TRY(status);
    exr->band = malloc((size_t)(shape->width * shape->channels * exr->band_rows) * sizeof(float));
    return exr->band != NULL ? GF_OK
                             : gf_fail(error, GF_ERROR_MEMORY, "%s: no memory for EXR", encoder->out->label);
}

/* A chunk that is as long as its samples is read as plain samples, and the library (3.1.5) writes it
 * compressed all the same where that has just this length. */
static exr_result_t compress(exr_encode_pipeline_t *encode)
{
    const struct gf_exr *exr = encode->encoding_user_data;
    const exr_result_t result = exr->compress(encode);
    if (result == EXR_ERR_SUCCESS && encode->compressed_bytes == encode->packed_bytes &&
        encode->compressed_buffer != encode->packed_buffer) {
        memcpy(encode->compressed_buffer, encode->packed_buffer, encode->packed_bytes);
    }
    return result;
}

/* Encodes the band. */
static gf_status write_band(struct gf_encoder *encoder, exr_encode_pipeline_t *encode, gf_error *error)
{
    struct gf_exr *exr = encoder->state;
    const int32_t channels = encoder->shape.channels;
    exr_chunk_info_t chunk;
    CALL(exr_write_scanline_chunk_info(exr->context, PART, (int)exr->band_first, &chunk));
    CALL(exr_encoding_initialize(exr->context, PART, &chunk, encode));
    for (int i = 0; i < channels; i++) {
        exr_coding_channel_info_t *channel = &encode->channels[i];
        channel->encode_from_ptr = (const uint8_t *)(exr->band + layouts[channels].place[i]);
        channel->user_bytes_per_element = sizeof(float);
        channel->user_data_type = EXR_PIXEL_FLOAT;
        channel->user_pixel_stride = channels * (int32_t)sizeof(float);
        channel->user_line_stride = (int32_t)encoder->shape.width * channel->user_pixel_stride;
    }
    CALL(exr_encoding_choose_default_routines(exr->context, PART, encode));
    exr->compress = encode->compress_fn;
    encode->compress_fn = compress;
    encode->encoding_user_data = exr;
    CALL(exr_encoding_run(exr->context, PART, encode));
    exr->band_first += exr->band_count;
    exr->band_count = 0;
    return GF_OK;
}

/* Colours of EXR are multiplied by alpha. */
static void take_row(float *to, const float *from, int64_t width, int32_t channels)
{
    for (int64_t i = 0; i < width * channels; i++) {
        const int64_t alpha = i - i % channels + channels - 1;
        to[i] = channels % 2 != 0 || i == alpha ? from[i] : from[i] * from[alpha];
    }
}

gf_status gf_exr_put_rows(struct gf_encoder *encoder, const void *data, int64_t pitch, int64_t count,
                          gf_error *error)
{
    struct gf_exr *exr = encoder->state;
    const gf_shape *shape = &encoder->shape;
    gf_status status = GF_OK;
    for (int64_t y = 0; y < count && status == GF_OK; y++) {
        take_row(exr->band + exr->band_count * shape->width * shape->channels,
                 (const float *)(const void *)((const char *)data + y * pitch), shape->width,
                 shape->channels);
        exr->band_count++;
        if (exr->band_count == exr->band_rows || exr->band_first + exr->band_count == shape->height) {
            exr_encode_pipeline_t encode = EXR_ENCODE_PIPELINE_INITIALIZER;
            gf_exr_enter(exr);
            status = write_band(encoder, &encode, error);
            exr_encoding_destroy(exr->context, &encode);
            gf_exr_leave();
        }
    }
    return status;
}

gf_status gf_exr_end(struct gf_encoder *encoder, gf_error *error)
{
    struct gf_exr *exr = encoder->state;
    gf_exr_enter(exr);
    const exr_result_t result = exr_finish(&exr->context);
    gf_exr_leave();
    if (result != EXR_ERR_SUCCESS || exr->budget.exhausted) {
        return gf_exr_fail(exr, result, encoder->out->label, error);
    }
    return gf_bytes_out_write(encoder->out, exr->made, (size_t)exr->made_size)
               ? GF_OK
               : gf_bytes_out_fail(encoder->out, error);
}

void gf_exr_discard(struct gf_encoder *encoder)
{
    gf_exr_free(encoder->state);
    encoder->state = NULL;
}
