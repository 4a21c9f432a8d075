/* Rows of a PNG. Where samples are inflated ahead and are bytes as they are wanted, filters are taken back
 * here, four rows at a time, and libpng gets a stream without samples; everything else is libpng's. */
#include "io/png/png_filter.h"
#include "io/png/png_private.h"

#include "base/status.h"

#include <string.h>

static void start_step(void *argument)
{
    struct gf_png_reader *reader = argument;
    png_structp png = reader->core.png;
    const uint16_t one = 1;
    png_set_expand(png);
    if (*(const uint8_t *)&one == 1) {
        png_set_swap(png);
    }
    reader->passes = png_set_interlace_handling(png);
    png_read_update_info(png, reader->core.info);
    const gf_shape *shape = &reader->decoder->info.shape;
    uint64_t row = (uint64_t)shape->width * (uint64_t)shape->channels * gf_depth_size(shape->depth);
    if (png_get_rowbytes(png, reader->core.info) != row) {
        png_error(png, "unexpected row size");
    }
}

/* ---- rows whose filters are taken back here ---- */

/* Tells whether samples are the stream's bytes, and there is memory beside what libpng takes. */
static bool can_unfilter(const struct gf_png_reader *reader)
{
    const struct gf_budget *budget = &reader->core.budget;
    const size_t row = png_get_rowbytes(reader->core.png, reader->core.info);
    return GF_PNG_UNFILTER_FAST && png_get_bit_depth(reader->core.png, reader->core.info) == 8 &&
           png_get_color_type(reader->core.png, reader->core.info) != PNG_COLOR_TYPE_PALETTE &&
           !png_get_valid(reader->core.png, reader->core.info, PNG_INFO_tRNS) &&
           budget->limit - budget->used >= 2 * GF_PNG_AHEAD_BYTES + 2 * GF_PNG_UNFILTER_ROWS * (uint64_t)row;
}

/* The samples have ended in front of the last row's end, or of their checksum. */
static void fail_early(struct gf_png_reader *reader, bool sum_is_right)
{
    uint8_t head[8];
    const uint8_t *other = gf_png_ahead_over(reader);
    if (other != NULL) {
        memcpy(head, other, sizeof head);
        gf_png_watch_chunk(reader->core.png, reader, head);
    } else if (!sum_is_right) {
        png_error(reader->core.png, "IDAT: incorrect data check");
    }
    png_error(reader->core.png, "Not enough image data");
}

/* Behind the last row: as libpng judges the rest. */
static void settle(struct gf_png_reader *reader, bool is_whole)
{
    struct gf_png_ahead_rest rest;
    gf_png_ahead_settle(reader->ahead, &rest);
    if (!is_whole || !rest.sum_is_right) {
        fail_early(reader, rest.sum_is_right);
    }
    if (rest.bytes) {
        gf_add_note(reader->decoder->note, "IDAT: Extra compressed data, ignored");
    }
    if (rest.samples) {
        gf_add_note(reader->decoder->note, "IDAT: Too much image data, ignored");
    }
}

static void unfilter_step(void *argument)
{
    struct gf_png_reader *reader = argument;
    const size_t size = png_get_rowbytes(reader->core.png, reader->core.info);
    const size_t pixel = (size_t)reader->decoder->info.shape.channels;
    const uint8_t *above = reader->above;
    for (int64_t y = 0, left; (left = reader->count - y) > 0; y += GF_PNG_UNFILTER_ROWS) {
        uint8_t *rows = reader->data + y * reader->pitch;
        const int want = left < GF_PNG_UNFILTER_ROWS ? (int)left : GF_PNG_UNFILTER_ROWS;
        const size_t bytes = (size_t)want * (size + 1);
        const size_t got = gf_png_ahead_take(reader->ahead, reader->filtered, bytes);
        const int there = (int)(got / (size + 1));
        if (gf_png_filter_undo(reader->filtered, above, rows, reader->pitch, there, size, pixel) < there) {
            png_error(reader->core.png, "bad adaptive filter value");
        } else if (got < bytes) {
            settle(reader, false);
        }
        above = rows + (want - 1) * reader->pitch;
    }
    memcpy(reader->above, above, size);
    reader->rows += reader->count;
    if (reader->rows == reader->decoder->info.shape.height) {
        settle(reader, true);
    }
}

/* ---- all rows ---- */

static gf_status begin_ahead(struct gf_png_reader *reader, gf_error *error)
{
    struct gf_bytes_in *in = reader->decoder->in;
    const size_t size = png_get_rowbytes(reader->core.png, reader->core.info);
    const bool unfilters = can_unfilter(reader);
    reader->ahead = gf_png_ahead_begin(in, reader->ahead_length, unfilters);
    reader->is_ahead = reader->ahead != NULL;
    png_set_crc_action(reader->core.png, PNG_CRC_QUIET_USE, PNG_CRC_NO_CHANGE); /* that of chunks of ours */
    if (unfilters) {
        reader->above = gf_budget_alloc(&reader->core.budget, (GF_PNG_UNFILTER_ROWS + 1) * (size + 1));
        reader->filtered = reader->above != NULL ? reader->above + size : NULL;
    }
    if (reader->ahead == NULL || (unfilters && reader->above == NULL)) {
        return gf_fail(error, GF_ERROR_MEMORY, "%s: no memory for PNG", in->label);
    }
    if (unfilters) {
        memset(reader->above, 0, size);
    }
    return GF_OK;
}

static void rows_step(void *argument)
{
    struct gf_png_reader *reader = argument;
    png_set_benign_errors(reader->core.png, 1);
    reader->in_rows = 1;
    for (int pass = 0; pass < reader->passes; pass++) {
        for (int64_t y = 0; y < reader->count; y++) {
            png_read_row(reader->core.png, reader->data + y * reader->pitch, NULL);
        }
    }
    reader->in_rows = 0;
    png_set_benign_errors(reader->core.png, 0);
}

gf_status gf_png_rows(struct gf_decoder *decoder, void *data, int64_t pitch, int64_t count, gf_error *error)
{
    struct gf_png_reader *reader = decoder->state;
    if (reader->ahead_length != 0 && reader->ahead == NULL) {
        GF_TRY(begin_ahead(reader, error));
    }
    reader->data = data;
    reader->pitch = pitch;
    reader->count = count;
    if ((reader->passes == 0 && !gf_png_guard(&reader->core, start_step, reader, error)) ||
        !gf_png_guard(&reader->core, reader->above != NULL ? unfilter_step : rows_step, reader, error)) {
        return gf_png_explain(reader, error);
    }
    return GF_OK;
}
