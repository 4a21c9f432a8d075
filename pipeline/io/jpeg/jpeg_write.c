/* Pictures to JPEG. */
#include "io/jpeg/jpeg_private.h"

#include "base/status.h"

#include <inttypes.h>
#include <stdlib.h>

#define FULL_COLOUR 90 /* from this quality on colour has the resolution of brightness */
#define BUFFER_SIZE ((size_t)1 << 14)

struct writer {
    struct gf_jpeg_fence fence; /* first */
    struct jpeg_compress_struct jpeg;
    struct jpeg_destination_mgr target;
    struct gf_encoder *encoder;
    const uint8_t *data; /* of the rows call that runs */
    int64_t pitch, count;
    uint8_t buffer[BUFFER_SIZE];
};

static void write_buffer(struct writer *writer, size_t size)
{
    if (!gf_bytes_out_write(writer->encoder->out, writer->buffer, size)) {
        writer->fence.status = gf_bytes_out_fail(writer->encoder->out, writer->fence.error);
        gf_jpeg_stop(&writer->fence);
    }
    writer->target.next_output_byte = writer->buffer;
    writer->target.free_in_buffer = BUFFER_SIZE;
}

static void begin_output(j_compress_ptr jpeg)
{
    write_buffer(jpeg->client_data, 0);
}

static boolean write_full(j_compress_ptr jpeg)
{
    write_buffer(jpeg->client_data, BUFFER_SIZE);
    return TRUE;
}

static void write_rest(j_compress_ptr jpeg)
{
    write_buffer(jpeg->client_data, BUFFER_SIZE - jpeg->dest->free_in_buffer);
}

static gf_status explain(const struct writer *writer, gf_error *error)
{
    if (writer->fence.status != GF_OK) {
        return writer->fence.status;
    }
    int memory = writer->fence.manager.msg_code == JERR_OUT_OF_MEMORY;
    return gf_fail(error, memory ? GF_ERROR_MEMORY : GF_ERROR_INTERNAL, "%s: libjpeg: %s",
                   writer->encoder->out->label, writer->fence.message);
}

/* Writes density as dots per centimetre where that is whole, else per inch, or leaves out what does not
 * fit. */
static void put_density(j_compress_ptr jpeg, const gf_metadata *metadata)
{
    uint64_t x = metadata->density[0], y = metadata->density[1];
    int unit = 0;
    if ((metadata->fields & GF_META_DENSITY) == 0) {
        return;
    }
    if (metadata->density_unit == 1) {
        unit = x % 100 == 0 && y % 100 == 0 ? 2 : 1;
        x = unit == 2 ? x / 100 : (x * 254 + 5000) / 10000;
        y = unit == 2 ? y / 100 : (y * 254 + 5000) / 10000;
    }
    if (x >= 1 && y >= 1 && x <= 65535 && y <= 65535) {
        jpeg->density_unit = (UINT8)unit;
        jpeg->X_density = (UINT16)x;
        jpeg->Y_density = (UINT16)y;
    }
}

static void header_step(void *argument)
{
    struct writer *writer = argument;
    j_compress_ptr jpeg = &writer->jpeg;
    const gf_shape *shape = &writer->encoder->shape;
    int quality = writer->encoder->options->jpeg_quality;
    jpeg_create_compress(jpeg);
    jpeg->client_data = writer;
    writer->target = (struct jpeg_destination_mgr){
        .init_destination = begin_output, .empty_output_buffer = write_full, .term_destination = write_rest};
    jpeg->dest = &writer->target;
    jpeg->image_width = (JDIMENSION)shape->width;
    jpeg->image_height = (JDIMENSION)shape->height;
    jpeg->input_components = shape->channels;
    jpeg->in_color_space = shape->channels == 3 ? JCS_RGB : JCS_GRAYSCALE;
    jpeg_set_defaults(jpeg);
    jpeg_set_quality(jpeg, quality, TRUE);
    jpeg->comp_info[0].h_samp_factor = shape->channels == 3 && quality < FULL_COLOUR ? 2 : 1;
    jpeg->comp_info[0].v_samp_factor = jpeg->comp_info[0].h_samp_factor;
    if (writer->encoder->options->jpeg_progressive) {
        jpeg_simple_progression(jpeg);
    }
    put_density(jpeg, writer->encoder->metadata);
    jpeg_start_compress(jpeg, TRUE);
    gf_jpeg_write_metadata(jpeg, writer->encoder->metadata);
}

gf_status gf_jpeg_fits(const gf_format *format, const gf_shape *shape, const char *label, gf_error *error)
{
    if (shape->width > JPEG_MAX_DIMENSION || shape->height > JPEG_MAX_DIMENSION) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED,
                       "%s: %s holds at most %ld pixels each way, not %" PRId64 " x %" PRId64
                       "; png holds more",
                       label, format->name, (long)JPEG_MAX_DIMENSION, shape->width, shape->height);
    }
    return GF_OK;
}

static gf_status check_metadata(const struct gf_encoder *encoder, gf_error *error)
{
    const gf_metadata *metadata = encoder->metadata;
    size_t most_exif = encoder->format->most_exif;
    size_t most_icc = 255 * (GF_JPEG_SEGMENT - GF_JPEG_ICC_HEAD);
    if (metadata->exif_size > most_exif || metadata->icc_size > most_icc) {
        int exif = metadata->exif_size > most_exif;
        return gf_fail(error, GF_ERROR_UNSUPPORTED, "%s: jpeg holds at most %zu bytes of %s, not %zu",
                       encoder->out->label, exif ? most_exif : most_icc, exif ? "EXIF" : "ICC profile",
                       exif ? metadata->exif_size : metadata->icc_size);
    }
    return GF_OK;
}

gf_status gf_jpeg_begin(struct gf_encoder *encoder, gf_error *error)
{
    GF_TRY(check_metadata(encoder, error));
    struct writer *writer = calloc(1, sizeof *writer);
    if (writer == NULL) {
        return gf_fail(error, GF_ERROR_MEMORY, "%s: no memory for JPEG", encoder->out->label);
    }
    encoder->state = writer;
    writer->encoder = encoder;
    gf_jpeg_fence(&writer->fence, NULL);
    writer->jpeg.err = &writer->fence.manager;
    return gf_jpeg_guard(&writer->fence, header_step, writer, error) ? GF_OK : explain(writer, error);
}

static void rows_step(void *argument)
{
    struct writer *writer = argument;
    for (int64_t y = 0; y < writer->count; y++) {
        /* libjpeg only reads them. */
        JSAMPROW row = (JSAMPROW)(uintptr_t)(writer->data + y * writer->pitch);
        jpeg_write_scanlines(&writer->jpeg, &row, 1);
    }
}

gf_status gf_jpeg_put_rows(struct gf_encoder *encoder, const void *data, int64_t pitch, int64_t count,
                           gf_error *error)
{
    struct writer *writer = encoder->state;
    writer->data = data;
    writer->pitch = pitch;
    writer->count = count;
    return gf_jpeg_guard(&writer->fence, rows_step, writer, error) ? GF_OK : explain(writer, error);
}

static void end_step(void *argument)
{
    struct writer *writer = argument;
    jpeg_finish_compress(&writer->jpeg);
}

gf_status gf_jpeg_end(struct gf_encoder *encoder, gf_error *error)
{
    struct writer *writer = encoder->state;
    return gf_jpeg_guard(&writer->fence, end_step, writer, error) ? GF_OK : explain(writer, error);
}

void gf_jpeg_discard(struct gf_encoder *encoder)
{
    struct writer *writer = encoder->state;
    if (writer != NULL) {
        jpeg_destroy_compress(&writer->jpeg);
        free(writer);
        encoder->state = NULL;
    }
}
