/* PFM, the portable float map: f32, gray (Pf) or RGB (PF), the lowest row first. The third line of its
 * header is a scale whose sign tells the order of bytes. */
#include "io/codec.h"
#include "io/pnm_text.h"

#include "base/status.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static int sniff(const uint8_t *head, size_t size)
{
    return size >= 3 && head[0] == 'P' && (head[1] == 'F' || head[1] == 'f') && gf_pnm_is_space(head[2]);
}

/* Decimal digits, a point among them or not, an exponent or not. Returns 1 if the number is one, 2 if it is
 * another, 0 if it is none or zero. Not strtod, which asks the locale. */
static int read_scale(const char *text)
{
    double value = 0, unit = 1;
    int digits = 0, point = 0, other = 0;
    for (; (*text >= '0' && *text <= '9') || (*text == '.' && !point); text++) {
        if (*text == '.') {
            point = 1;
            continue;
        }
        digits++;
        unit = point ? unit / 10 : unit;
        value = point ? value + (*text - '0') * unit : value * 10 + (*text - '0');
        other |= *text - '0';
    }
    if (digits == 0 || other == 0) {
        return 0;
    }
    if (*text == 'e' || *text == 'E') {
        text += text[1] == '-' || text[1] == '+' ? 2 : 1;
        size_t length = strspn(text, "0123456789"), zeros = strspn(text, "0");
        value = zeros == length ? value : 0;
        text += length > 0 ? length : 0;
        if (length == 0) {
            return 0;
        }
    }
    return *text != '\0' ? 0 : value == 1.0 ? 1 : 2;
}

static gf_status bad(const struct gf_decoder *decoder, const char *why, gf_error *error)
{
    return gf_fail(error, GF_ERROR_INPUT, "%s: damaged PFM: %s", decoder->in->label, why);
}

static gf_status open_pfm(struct gf_decoder *decoder, gf_error *error)
{
    gf_shape *shape = &decoder->info.shape;
    char scale[40];
    uint8_t magic[2];
    gf_bytes_in_read(decoder->in, magic, 2); /* sniff has seen them */
    for (int i = 0; i < 2; i++) {
        int64_t *side = i == 0 ? &shape->width : &shape->height;
        int result = gf_pnm_number(decoder->in, INT64_MAX, side);
        if (result == 0) {
            return gf_bytes_in_fail(decoder->in, "the PFM header", error);
        }
        if (result < 0 || *side < 1) {
            return bad(decoder, "its width or height is no number from 1 on", error);
        }
    }
    shape->channels = magic[1] == 'F' ? 3 : 1;
    shape->depth = GF_F32;
    decoder->info.stored_bits = 32;
    decoder->info.whole = 1;
    GF_TRY(gf_check_limits(decoder->limits, decoder->in->label, shape->width, shape->height, 0, error));
    if (!gf_pnm_word(decoder->in, scale, sizeof scale)) {
        const uint8_t *next;
        return gf_bytes_in_peek(decoder->in, &next, 1) == 0
                   ? gf_bytes_in_fail(decoder->in, "the PFM header", error)
                   : bad(decoder, "its scale is no number", error);
    }
    int little = scale[0] == '-', kind = read_scale(scale + (little || scale[0] == '+'));
    if (kind == 0) {
        return bad(decoder, "its scale is no number other than 0", error);
    }
    if (kind == 2) {
        gf_add_note(decoder->note, "PFM: the samples are as stored, its scale of %s is not applied",
                    scale + little);
    }
    /* Nothing but the order of bytes has to be remembered. */
    decoder->state = little == gf_host_is_little() ? NULL : decoder;
    return gf_check_left(decoder, shape->width, 4 * shape->channels, error);
}

static void swap_floats(uint8_t *bytes, int64_t count)
{
    for (int64_t i = 0; i < count; i++, bytes += 4) {
        uint32_t v;
        memcpy(&v, bytes, 4);
        v = __builtin_bswap32(v);
        memcpy(bytes, &v, 4);
    }
}

static gf_status rows_pfm(struct gf_decoder *decoder, void *data, int64_t pitch, int64_t rows,
                          gf_error *error)
{
    int64_t count = decoder->info.shape.width * decoder->info.shape.channels;
    for (int64_t y = rows - 1; y >= 0; y--) {
        uint8_t *row = (uint8_t *)data + y * pitch;
        if (gf_bytes_in_read(decoder->in, row, (size_t)(4 * count)) != (size_t)(4 * count)) {
            return gf_bytes_in_fail(decoder->in, "the samples", error);
        }
        if (decoder->state != NULL) {
            swap_floats(row, count);
        }
    }
    return GF_OK;
}

static void close_pfm(struct gf_decoder *decoder)
{
    decoder->state = NULL;
}

static gf_status begin_pfm(struct gf_encoder *encoder, gf_error *error)
{
    const gf_shape *shape = &encoder->shape;
    char head[80];
    int size = snprintf(head, sizeof head, "P%c\n%" PRId64 " %" PRId64 "\n%s\n",
                        shape->channels == 3 ? 'F' : 'f', shape->width, shape->height, "-1.0");
    return gf_bytes_out_write(encoder->out, head, (size_t)size) ? GF_OK
                                                                : gf_bytes_out_fail(encoder->out, error);
}

static gf_status put_rows_pfm(struct gf_encoder *encoder, const void *data, int64_t pitch, int64_t rows,
                              gf_error *error)
{
    int64_t count = encoder->shape.width * encoder->shape.channels;
    for (int64_t y = rows - 1; y >= 0; y--) {
        const uint8_t *row = (const uint8_t *)data + y * pitch;
        int ok = 1;
        if (gf_host_is_little()) {
            ok = gf_bytes_out_write(encoder->out, row, (size_t)(4 * count));
        } else {
            for (int64_t x = 0; x < count && ok; x++) {
                uint8_t sample[4];
                memcpy(sample, row + 4 * x, 4);
                swap_floats(sample, 1);
                ok = gf_bytes_out_write(encoder->out, sample, 4);
            }
        }
        if (!ok) {
            return gf_bytes_out_fail(encoder->out, error);
        }
    }
    return GF_OK;
}

const struct gf_codec gf_codec_pfm = {
    .format = {.name = "pfm",
               .suffixes = "pfm",
               .summary = "portable float map: f32, gray and RGB",
               .reads = 1,
               .writes = 1,
               .channels = 1u << 1 | 1u << 3,
               .depths = 1u << GF_F32,
               .whole = 1},
    .sniff = sniff,
    .open = open_pfm,
    .rows = rows_pfm,
    .close = close_pfm,
    .begin = begin_pfm,
    .put_rows = put_rows_pfm,
};
