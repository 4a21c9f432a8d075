/* JPEG to pictures. The fences around libjpeg are listed in jpeg_private.h. */
#include "io/jpeg/jpeg_private.h"

#include "base/status.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

#define MAX_SCANS      100 /* a progressive file has about ten */
#define ROWS_AT_A_TIME 16

/* ---- callbacks ---- */

static void nothing(j_decompress_ptr jpeg)
{
    (void)jpeg;
}

void gf_jpeg_count_padding(struct gf_jpeg_reader *reader, const uint8_t *end)
{
    for (; reader->counted < end && reader->jpeg.restart_interval != 0; reader->counted++) {
        unsigned byte = *reader->counted;
        if (!reader->is_after_ff) {
            reader->is_after_ff = byte == 0xff;
            reader->zeros = byte == 0 ? reader->zeros + 1 : byte == 0xff ? reader->zeros : 0;
        } else if (byte != 0xff) { /* a marker; or 0, which makes 0xff a sample's */
            reader->padding += byte >= 0xd0 && byte <= 0xd7 ? reader->zeros : 0;
            reader->zeros = 0;
            reader->is_after_ff = 0;
        }
    }
}

static boolean fill_input(j_decompress_ptr jpeg)
{
    struct gf_jpeg_reader *reader = jpeg->client_data;
    struct gf_bytes_in *in = reader->decoder->in;
    const uint8_t *bytes;
    gf_jpeg_count_padding(reader, reader->handed_end);
    if (gf_bytes_in_peek(in, &bytes, 1) == 0) {
        reader->fence.status = gf_bytes_in_fail(in, "the JPEG data", reader->fence.error);
        gf_jpeg_stop(&reader->fence);
    }
    jpeg->src->next_input_byte = bytes; /* in the input's own buffer, until the next call */
    jpeg->src->bytes_in_buffer = in->end - in->begin;
    in->begin = in->end;
    reader->counted = bytes;
    reader->handed_end = bytes + jpeg->src->bytes_in_buffer;
    return TRUE;
}

static void skip_input(j_decompress_ptr jpeg, long size)
{
    size_t left = size > 0 ? (size_t)size : 0;
    while (left > jpeg->src->bytes_in_buffer) {
        left -= jpeg->src->bytes_in_buffer;
        fill_input(jpeg);
    }
    jpeg->src->next_input_byte += left;
    jpeg->src->bytes_in_buffer -= left;
}

static void count_scans(j_common_ptr jpeg)
{
    struct gf_jpeg_reader *reader = jpeg->client_data;
    if (reader->jpeg.input_scan_number > MAX_SCANS) {
        reader->fence.status =
            gf_fail(reader->fence.error, GF_ERROR_LIMIT, "%s: more than %d scans, the most that is read",
                    reader->decoder->in->label, MAX_SCANS);
        gf_jpeg_stop(&reader->fence);
    }
}

static gf_status fail_memory(const struct gf_jpeg_reader *reader, uint64_t size, gf_error *error)
{
    return gf_fail(error, GF_ERROR_LIMIT,
                   "%s: needs %" PRIu64 " bytes beside the %" PRIu64 " it holds, beyond max_memory, %" PRIu64,
                   reader->decoder->in->label, size, reader->used, reader->decoder->limits->max_memory);
}

static void count_memory(struct gf_jpeg_reader *reader, size_t size)
{
    if (size > reader->decoder->limits->max_memory - reader->used) {
        reader->fence.status = fail_memory(reader, size, reader->fence.error);
        gf_jpeg_stop(&reader->fence);
    }
    reader->used += size;
}

static void *alloc_small(j_common_ptr jpeg, int pool, size_t size)
{
    struct gf_jpeg_reader *reader = jpeg->client_data;
    count_memory(reader, size);
    return reader->allocate.alloc_small(jpeg, pool, size);
}

static void *alloc_large(j_common_ptr jpeg, int pool, size_t size)
{
    struct gf_jpeg_reader *reader = jpeg->client_data;
    count_memory(reader, size);
    return reader->allocate.alloc_large(jpeg, pool, size);
}

static JSAMPARRAY alloc_samples(j_common_ptr jpeg, int pool, JDIMENSION width, JDIMENSION rows)
{
    struct gf_jpeg_reader *reader = jpeg->client_data;
    count_memory(reader, (size_t)width * rows);
    return reader->allocate.alloc_sarray(jpeg, pool, width, rows);
}

static JBLOCKARRAY alloc_blocks(j_common_ptr jpeg, int pool, JDIMENSION width, JDIMENSION rows)
{
    struct gf_jpeg_reader *reader = jpeg->client_data;
    count_memory(reader, (size_t)width * rows * sizeof(JBLOCK));
    return reader->allocate.alloc_barray(jpeg, pool, width, rows);
}

/* libjpeg allocates coefficients of progressive files by itself, within max_memory_to_use. */
static void limit_memory(struct gf_jpeg_reader *reader)
{
    struct jpeg_memory_mgr *memory = reader->jpeg.mem;
    uint64_t limit = reader->decoder->limits->max_memory;
    reader->allocate = *memory;
    memory->alloc_small = alloc_small;
    memory->alloc_large = alloc_large;
    memory->alloc_sarray = alloc_samples;
    memory->alloc_barray = alloc_blocks;
    memory->max_memory_to_use = limit < LONG_MAX ? (long)limit : LONG_MAX;
}

/* ---- opening ---- */

static void header_step(void *argument)
{
    struct gf_jpeg_reader *reader = argument;
    j_decompress_ptr jpeg = &reader->jpeg;
    jpeg_create_decompress(jpeg);
    jpeg->client_data = reader;
    limit_memory(reader);
    reader->source = (struct jpeg_source_mgr){.init_source = nothing,
                                              .fill_input_buffer = fill_input,
                                              .skip_input_data = skip_input,
                                              .resync_to_restart = jpeg_resync_to_restart,
                                              .term_source = nothing};
    jpeg->src = &reader->source;
    reader->progress.progress_monitor = count_scans;
    jpeg->progress = &reader->progress;
    gf_jpeg_watch(reader);
    jpeg_read_header(jpeg, TRUE);
}

static gf_status explain(struct gf_jpeg_reader *reader, gf_error *error)
{
    const char *label = reader->decoder->in->label;
    if (reader->fence.status != GF_OK) {
        return reader->fence.status;
    }
    switch (reader->fence.manager.msg_code) {
    case JERR_OUT_OF_MEMORY:
        return gf_fail(error, GF_ERROR_MEMORY, "%s: no memory for JPEG", label);
    case JERR_NO_BACKING_STORE: /* what is in memory fits to the byte, what libjpeg adds does not */
        return gf_fail(error, GF_ERROR_LIMIT, "%s: needs more memory than max_memory, %" PRIu64, label,
                       reader->decoder->limits->max_memory);
    case JERR_SOF_UNSUPPORTED:
    case JERR_BAD_PRECISION:
        return gf_fail(error, GF_ERROR_INPUT, "%s: a kind of JPEG that is not read: %s", label,
                       reader->fence.message);
    default:
        return gf_fail(error, GF_ERROR_INPUT, "%s: damaged JPEG: %s", label, reader->fence.message);
    }
}

static gf_status choose_colours(struct gf_jpeg_reader *reader, gf_error *error)
{
    j_decompress_ptr jpeg = &reader->jpeg;
    struct gf_decoder *decoder = reader->decoder;
    gf_shape *shape = &decoder->info.shape;
    *shape = (gf_shape){.width = jpeg->image_width, .height = jpeg->image_height, .depth = GF_U8};
    decoder->info.stored_bits = 8;
    shape->channels = 3;
    switch (jpeg->jpeg_color_space) {
    case JCS_GRAYSCALE:
        shape->channels = 1;
        jpeg->out_color_space = JCS_GRAYSCALE;
        return GF_OK;
    case JCS_YCbCr:
    case JCS_RGB:
        jpeg->out_color_space = JCS_RGB;
        return GF_OK;
    case JCS_CMYK:
    case JCS_YCCK:
        jpeg->out_color_space = JCS_CMYK;
        gf_add_note(decoder->note, "CMYK, converted to RGB without its profile");
        return GF_OK;
    default:
        return gf_fail(error, GF_ERROR_INPUT,
                       "%s: a kind of JPEG that is not read: %d components; 1, 3 and 4 are",
                       decoder->in->label, jpeg->num_components);
    }
}

/* Blocks of 8 x 8 in all components. Whatever the coder, a block takes a bit at least; a progressive file
 * is held as coefficients of two bytes. */
static gf_status check_blocks(struct gf_jpeg_reader *reader, gf_error *error)
{
    j_decompress_ptr jpeg = &reader->jpeg;
    const gf_file_info *info = &reader->decoder->info;
    uint64_t blocks = 0;
    for (int i = 0; i < jpeg->num_components; i++) {
        blocks += (uint64_t)jpeg->comp_info[i].width_in_blocks * jpeg->comp_info[i].height_in_blocks;
    }
    if (jpeg->arith_code) {
        return gf_fail(error, GF_ERROR_INPUT, "%s: a kind of JPEG that is not read: arithmetic coding",
                       reader->decoder->in->label);
    }
    if (info->file_bytes != 0 && blocks / 8 > info->file_bytes) {
        return gf_fail_short(reader->decoder, error);
    }
    uint64_t held = jpeg_has_multiple_scans(jpeg) ? blocks * sizeof(JBLOCK) : 0;
    reader->decoder->held = held;
    return held <= reader->decoder->limits->max_memory - reader->used ? GF_OK
                                                                      : fail_memory(reader, held, error);
}

/* Dots per inch or centimetre, as per metre; 254 centimetres are 100 inches. */
static void take_density(const struct jpeg_decompress_struct *jpeg, gf_metadata *metadata)
{
    if (!jpeg->saw_JFIF_marker || jpeg->X_density == 0 || jpeg->Y_density == 0 || jpeg->density_unit > 2 ||
        (jpeg->density_unit == 0 && jpeg->X_density == jpeg->Y_density)) {
        return;
    }
    const uint32_t density[2] = {jpeg->X_density, jpeg->Y_density};
    for (int i = 0; i < 2; i++) {
        metadata->density[i] = jpeg->density_unit == 1   ? (density[i] * 10000 + 127) / 254
                               : jpeg->density_unit == 2 ? density[i] * 100
                                                         : density[i];
    }
    metadata->density_unit = jpeg->density_unit != 0;
    metadata->fields |= GF_META_DENSITY;
}

gf_status gf_jpeg_open(struct gf_decoder *decoder, gf_error *error)
{
    struct gf_jpeg_reader *reader = calloc(1, sizeof *reader);
    if (reader == NULL) {
        return gf_fail(error, GF_ERROR_MEMORY, "%s: no memory for JPEG", decoder->in->label);
    }
    decoder->state = reader;
    reader->decoder = decoder;
    gf_jpeg_fence(&reader->fence, decoder->note);
    reader->jpeg.err = &reader->fence.manager;
    if (!gf_jpeg_guard(&reader->fence, header_step, reader, error)) {
        return explain(reader, error);
    }
    GF_TRY(choose_colours(reader, error));
    GF_TRY(gf_check_limits(decoder->limits, decoder->in->label, decoder->info.shape.width,
                           decoder->info.shape.height, 0, error));
    GF_TRY(check_blocks(reader, error));
    take_density(&reader->jpeg, &decoder->metadata);
    return gf_jpeg_collect(reader, error);
}

static void shrink_step(void *argument)
{
    jpeg_calc_output_dimensions(argument);
}

gf_status gf_jpeg_shrink(struct gf_decoder *decoder, int32_t factor, gf_error *error)
{
    struct gf_jpeg_reader *reader = decoder->state;
    j_decompress_ptr jpeg = &reader->jpeg;
    jpeg->scale_num = 1;
    jpeg->scale_denom = (unsigned)factor;
    if (!gf_jpeg_guard(&reader->fence, shrink_step, jpeg, error)) {
        return explain(reader, error);
    }
    decoder->info.shape.width = jpeg->output_width;
    decoder->info.shape.height = jpeg->output_height;
    return GF_OK;
}

/* ---- samples ---- */

/* Light that four inks let through, each 255 where there is none of it; Adobe stores them so. */
static void inks_to_rgb(const uint8_t *inks, uint8_t *rgb, int64_t width, int inverted)
{
    unsigned flip = inverted ? 0 : 255;
    for (int64_t x = 0; x < width; x++, inks += 4, rgb += 3) {
        for (int c = 0; c < 3; c++) {
            rgb[c] = (uint8_t)(((inks[c] ^ flip) * (inks[3] ^ flip) + 127) / 255);
        }
    }
}

static void rows_step(void *argument)
{
    struct gf_jpeg_reader *reader = argument;
    j_decompress_ptr jpeg = &reader->jpeg;
    if (!reader->started) {
        reader->started = 1;
        jpeg_start_decompress(jpeg);
    }
    for (int64_t y = 0; y < reader->count;) {
        JSAMPROW rows[ROWS_AT_A_TIME];
        int64_t left = reader->count - y, most = reader->inks != NULL ? 1 : ROWS_AT_A_TIME;
        for (int64_t i = 0; i < most && i < left; i++) {
            rows[i] = reader->inks != NULL ? reader->inks : reader->data + (y + i) * reader->pitch;
        }
        int64_t done = jpeg_read_scanlines(jpeg, rows, (JDIMENSION)(left < most ? left : most));
        if (reader->inks != NULL) {
            inks_to_rgb(reader->inks, reader->data + y * reader->pitch, jpeg->output_width,
                        jpeg->saw_Adobe_marker);
        }
        y += done;
    }
}

gf_status gf_jpeg_rows(struct gf_decoder *decoder, void *data, int64_t pitch, int64_t count, gf_error *error)
{
    struct gf_jpeg_reader *reader = decoder->state;
    reader->data = data;
    reader->pitch = pitch;
    reader->count = count;
    if (reader->jpeg.out_color_space == JCS_CMYK && reader->inks == NULL) {
        reader->inks = malloc((size_t)decoder->info.shape.width * 4);
        if (reader->inks == NULL) {
            return gf_fail(error, GF_ERROR_MEMORY, "%s: no memory for JPEG", decoder->in->label);
        }
    }
    return gf_jpeg_guard(&reader->fence, rows_step, reader, error) ? GF_OK : explain(reader, error);
}

/* A component without a scan is damage; bits that a progressive file never sends are not, by the standard. */
static gf_status check_scans(const struct gf_jpeg_reader *reader, gf_error *error)
{
    const struct jpeg_decompress_struct *jpeg = &reader->jpeg;
    int coarse = 0;
    for (int i = 0; i < jpeg->num_components; i++) {
        for (int k = 0; k < DCTSIZE2 && jpeg->coef_bits != NULL; k++) {
            coarse |= jpeg->coef_bits[i][k];
        }
        if (jpeg->comp_info[i].quant_table == NULL) {
            return gf_fail(error, GF_ERROR_INPUT, "%s: damaged JPEG: no scan of component %d, of %d",
                           reader->decoder->in->label, i + 1, jpeg->num_components);
        }
    }
    if (coarse != 0) {
        gf_add_note(reader->decoder->note, "progressive, without its last scans: coarser than it was made");
    }
    return GF_OK;
}

static void finish_step(void *argument)
{
    struct gf_jpeg_reader *reader = argument;
    jpeg_finish_decompress(&reader->jpeg);
}

gf_status gf_jpeg_finish(struct gf_decoder *decoder, gf_error *error)
{
    struct gf_jpeg_reader *reader = decoder->state;
    GF_TRY(check_scans(reader, error));
    return gf_jpeg_guard(&reader->fence, finish_step, reader, error) ? GF_OK : explain(reader, error);
}

void gf_jpeg_close(struct gf_decoder *decoder)
{
    struct gf_jpeg_reader *reader = decoder->state;
    if (reader != NULL) {
        jpeg_destroy_decompress(&reader->jpeg);
        gf_jpeg_forget(&reader->kept);
        free(reader->inks);
        free(reader);
        decoder->state = NULL;
    }
}
