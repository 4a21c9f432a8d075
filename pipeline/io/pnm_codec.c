/* PNM, the portable anymap of Netpbm: PBM (P1, P4), PGM (P2, P5) and PPM (P3, P6), plain and raw. */
#include "io/codec.h"
#include "io/pnm_text.h"

#include "base/status.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define BLOCK ((int64_t)4096) /* samples converted at once when writing 16 bits */

struct state {
    int plain;     /* numbers in words */
    int bitmap;    /* one bit a sample, 1 is black */
    int64_t most;  /* maxval */
    uint8_t *bits; /* a packed row of a raw bitmap */
};

static int sniff(const uint8_t *head, size_t size)
{
    return size >= 3 && head[0] == 'P' && head[1] >= '1' && head[1] <= '6' &&
           (gf_pnm_is_space(head[2]) || head[2] == '#');
}

/* A number of the header, 1 to `most`. */
static gf_status take_size(struct gf_decoder *decoder, const char *what, int64_t most, int64_t *value,
                           gf_error *error)
{
    int result = gf_pnm_number(decoder->in, most, value);
    if (result == 0) {
        return gf_bytes_in_fail(decoder->in, "the PNM header", error);
    }
    if (result < 0 || *value < 1) {
        return gf_fail(error, GF_ERROR_INPUT, "%s: damaged PNM: the %s is no number from 1 to %" PRId64,
                       decoder->in->label, what, most);
    }
    return GF_OK;
}

static gf_status open_pnm(struct gf_decoder *decoder, gf_error *error)
{
    uint8_t magic[2];
    struct state *state = calloc(1, sizeof *state);
    if (state == NULL) {
        return gf_fail(error, GF_ERROR_MEMORY, "%s: no memory", decoder->in->label);
    }
    decoder->state = state;
    gf_bytes_in_read(decoder->in, magic, 2); /* sniff has seen them */
    int kind = (magic[1] - '1') % 3;
    gf_shape *shape = &decoder->info.shape;
    state->plain = magic[1] <= '3';
    state->bitmap = kind == 0;
    state->most = 1;
    GF_TRY(take_size(decoder, "width", INT64_MAX, &shape->width, error));
    GF_TRY(take_size(decoder, "height", INT64_MAX, &shape->height, error));
    if (!state->bitmap) {
        GF_TRY(take_size(decoder, "largest sample", 65535, &state->most, error));
    }
    shape->channels = kind == 2 ? 3 : 1;
    shape->depth = state->most > 255 ? GF_U16 : GF_U8;
    decoder->info.stored_bits = state->bitmap ? 1 : state->most > 255 ? 16 : 8;
    GF_TRY(gf_check_limits(decoder->limits, decoder->in->label, shape->width, shape->height, 0, error));
    if (state->plain) { /* a digit each, and but for bits a blank */
        return gf_check_left(decoder, shape->width, state->bitmap ? 1 : 2 * shape->channels, error);
    }
    if (!state->bitmap) {
        return gf_check_left(decoder, shape->width, (state->most > 255 ? 2 : 1) * shape->channels, error);
    }
    GF_TRY(gf_check_left(decoder, shape->width / 8 + (shape->width % 8 != 0), 1, error));
    state->bits = malloc((size_t)(shape->width / 8 + 1));
    return state->bits != NULL ? GF_OK : gf_fail(error, GF_ERROR_MEMORY, "%s: no memory", decoder->in->label);
}

static gf_status too_large(const struct gf_decoder *decoder, int64_t most, gf_error *error)
{
    return gf_fail(error, GF_ERROR_INPUT, "%s: damaged PNM: a sample is no number from 0 to %" PRId64,
                   decoder->in->label, most);
}

/* In plain bitmaps digits need no blanks between them. */
static gf_status plain_bits(struct gf_decoder *decoder, uint8_t *row, gf_error *error)
{
    for (int64_t x = 0; x < decoder->info.shape.width;) {
        int byte = gf_pnm_byte(decoder->in);
        if (byte < 0) {
            return gf_bytes_in_fail(decoder->in, "the samples", error);
        }
        if (byte == '0' || byte == '1') {
            row[x++] = byte == '0' ? 255 : 0;
        } else if (!gf_pnm_is_space(byte)) {
            return too_large(decoder, 1, error);
        }
    }
    return GF_OK;
}

static gf_status plain_row(struct gf_decoder *decoder, void *row, int64_t count, gf_error *error)
{
    const struct state *state = decoder->state;
    for (int64_t i = 0; i < count; i++) {
        int64_t sample = 0;
        int result = gf_pnm_number(decoder->in, state->most, &sample);
        if (result <= 0) {
            return result < 0
                       ? too_large(decoder, state->most, error)
                       : gf_bytes_in_fail(decoder->in, "the samples; a blank must follow the last", error);
        }
        if (state->most > 255) {
            ((uint16_t *)row)[i] = (uint16_t)gf_scale_sample((uint32_t)sample, (uint32_t)state->most, 65535);
        } else {
            ((uint8_t *)row)[i] = (uint8_t)gf_scale_sample((uint32_t)sample, (uint32_t)state->most, 255);
        }
    }
    return GF_OK;
}

static gf_status raw_bits(struct gf_decoder *decoder, uint8_t *row, gf_error *error)
{
    const struct state *state = decoder->state;
    int64_t width = decoder->info.shape.width;
    size_t size = (size_t)((width + 7) / 8);
    if (gf_bytes_in_read(decoder->in, state->bits, size) != size) {
        return gf_bytes_in_fail(decoder->in, "the samples", error);
    }
    for (int64_t x = 0; x < width; x++) {
        row[x] = (state->bits[x / 8] >> (7 - x % 8) & 1) != 0 ? 0 : 255;
    }
    return GF_OK;
}

/* Samples as stored, 16 bits with the high byte first, become full scale in place. */
static gf_status raw_row(struct gf_decoder *decoder, void *row, int64_t count, gf_error *error)
{
    const struct state *state = decoder->state;
    uint32_t most = (uint32_t)state->most;
    uint8_t *bytes = row;
    size_t size = (size_t)count * (most > 255 ? 2 : 1);
    if (gf_bytes_in_read(decoder->in, row, size) != size) {
        return gf_bytes_in_fail(decoder->in, "the samples", error);
    }
    int wrong = 0;
    if (most > 255) {
        for (int64_t i = 0; i < count; i++) {
            uint32_t sample = (uint32_t)bytes[2 * i] << 8 | bytes[2 * i + 1];
            wrong |= sample > most;
            ((uint16_t *)row)[i] = (uint16_t)(most == 65535 ? sample : gf_scale_sample(sample, most, 65535));
        }
    } else if (most < 255) {
        for (int64_t i = 0; i < count; i++) {
            wrong |= bytes[i] > most;
            bytes[i] = (uint8_t)gf_scale_sample(bytes[i], most, 255);
        }
    }
    return wrong ? too_large(decoder, state->most, error) : GF_OK;
}

static gf_status rows_pnm(struct gf_decoder *decoder, void *data, int64_t pitch, int64_t rows,
                          gf_error *error)
{
    const struct state *state = decoder->state;
    int64_t count = decoder->info.shape.width * decoder->info.shape.channels;
    for (int64_t y = 0; y < rows; y++) {
        uint8_t *row = (uint8_t *)data + y * pitch;
        if (state->plain) {
            GF_TRY(state->bitmap ? plain_bits(decoder, row, error) : plain_row(decoder, row, count, error));
        } else {
            GF_TRY(state->bitmap ? raw_bits(decoder, row, error) : raw_row(decoder, row, count, error));
        }
    }
    return GF_OK;
}

static gf_status finish_pnm(struct gf_decoder *decoder, gf_error *error)
{
    const uint8_t *next;
    size_t size = gf_peek_behind(decoder->in, &next);
    (void)error;
    while (size > 0 && gf_pnm_is_space(*next)) {
        next++;
        size--;
    }
    if (sniff(next, size)) {
        gf_add_note(decoder->note, "several pictures: only the first is read");
    }
    return GF_OK;
}

/* White space between pictures belongs to none. */
static gf_status next_pnm(struct gf_decoder *decoder, int32_t *there, gf_error *error)
{
    const uint8_t *head;
    size_t size = gf_bytes_in_peek(decoder->in, &head, GF_SNIFF_SIZE);
    while (size > 0 && gf_pnm_is_space(*head)) {
        gf_bytes_in_byte(decoder->in);
        size = gf_bytes_in_peek(decoder->in, &head, GF_SNIFF_SIZE);
    }
    *there = sniff(head, size);
    return size == 0 || *there
               ? GF_OK
               : gf_fail(error, GF_ERROR_INPUT, "%s: what follows the picture does not begin with P1 to P6",
                         decoder->in->label);
}

static void close_pnm(struct gf_decoder *decoder)
{
    struct state *state = decoder->state;
    if (state != NULL) {
        free(state->bits);
        free(state);
        decoder->state = NULL;
    }
}

static gf_status fits_pnm(const gf_format *format, const gf_shape *shape, const char *label, gf_error *error)
{
    (void)format;
    if (shape->channels == 3 && strcasecmp(gf_suffix(label), "pgm") == 0) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED,
                       "%s: a .pgm is gray and the picture is RGB: write a .ppm, or add the stage gray",
                       label);
    }
    return GF_OK;
}

static gf_status begin_pnm(struct gf_encoder *encoder, gf_error *error)
{
    const gf_shape *shape = &encoder->shape;
    char head[80];
    int size = snprintf(head, sizeof head, "P%d\n%" PRId64 " %" PRId64 "\n%d\n", shape->channels == 3 ? 6 : 5,
                        shape->width, shape->height, shape->depth == GF_U16 ? 65535 : 255);
    return gf_bytes_out_write(encoder->out, head, (size_t)size) ? GF_OK
                                                                : gf_bytes_out_fail(encoder->out, error);
}

/* The high byte first. */
static int put_u16(struct gf_bytes_out *out, const uint16_t *samples, int64_t count)
{
    uint8_t block[2 * BLOCK];
    for (int64_t done = 0; done < count; done += BLOCK) {
        int64_t part = count - done < BLOCK ? count - done : BLOCK;
        for (int64_t i = 0; i < part; i++) {
            block[2 * i] = (uint8_t)(samples[done + i] >> 8);
            block[2 * i + 1] = (uint8_t)samples[done + i];
        }
        if (!gf_bytes_out_write(out, block, (size_t)(2 * part))) {
            return 0;
        }
    }
    return 1;
}

static gf_status put_rows_pnm(struct gf_encoder *encoder, const void *data, int64_t pitch, int64_t rows,
                              gf_error *error)
{
    const gf_shape *shape = &encoder->shape;
    int64_t count = shape->width * shape->channels;
    for (int64_t y = 0; y < rows; y++) {
        const char *row = (const char *)data + y * pitch;
        int ok = shape->depth == GF_U16 ? put_u16(encoder->out, (const uint16_t *)(const void *)row, count)
                                        : gf_bytes_out_write(encoder->out, row, (size_t)count);
        if (!ok) {
            return gf_bytes_out_fail(encoder->out, error);
        }
    }
    return GF_OK;
}

const struct gf_codec gf_codec_pnm = {
    .format = {.name = "pnm",
               .suffixes = "pnm pgm ppm",
               .summary = "Netpbm's PGM and PPM, u8 and u16, gray and RGB; reads PBM and plain files too",
               .reads = 1,
               .writes = 1,
               .channels = 1u << 1 | 1u << 3,
               .depths = 1u << GF_U8 | 1u << GF_U16,
               .frames = 1},
    .sniff = sniff,
    .open = open_pnm,
    .rows = rows_pnm,
    .finish = finish_pnm,
    .next = next_pnm,
    .close = close_pnm,
    .fits = fits_pnm,
    .begin = begin_pnm,
    .put_rows = put_rows_pnm,
};
