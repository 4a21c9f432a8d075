/* FITS, the Flexible Image Transport System of astronomy: the first image of a file. Its first row is the
 * lowest, its channels are planes one behind the other, and the high byte of a sample comes first. */
#include "io/codec.h"
#include "io/fits/fits_header.h"

#include "base/status.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PIECE     ((size_t)1 << 16) /* bytes of samples on their way */
#define MOST_HDUS 1000              /* that are looked at */

struct state {
    struct gf_fits_bytes bytes;
    struct gf_fits_header header;
    int64_t next; /* row that is delivered next */
    uint8_t piece[PIECE];
};

static int sniff(const uint8_t *head, size_t size)
{
    return size >= 10 && memcmp(head, "SIMPLE  = ", 10) == 0;
}

static gf_status refuse(const struct gf_decoder *decoder, const char *why, gf_error *error)
{
    return gf_fail(error, GF_ERROR_INPUT, "%s: FITS %s", decoder->in->label, why);
}

/* Finds the image that is asked for, and how many there are; without random access only those before it. */
static gf_status find_image(struct gf_decoder *decoder, gf_error *error)
{
    struct state *state = decoder->state;
    struct gf_fits_header header;
    const int64_t wanted = decoder->limits->page > 0 ? decoder->limits->page : 1;
    int64_t images = 0;
    uint64_t at = 0;
    for (int number = 1; number <= MOST_HDUS && (images < wanted || state->bytes.is_random); number++) {
        const gf_status status =
            gf_fits_read_header(&state->bytes, at, number, decoder->limits->max_metadata_bytes, &header,
                                images < wanted ? error : NULL);
        if (status != GF_OK || header.is_end) {
            GF_TRY(images < wanted ? status : GF_OK);
            break;
        }
        if (header.is_packed && images < wanted) {
            return refuse(decoder, "with a compressed image (ZIMAGE) is not read: funpack expands it", error);
        }
        images += strcmp(header.kind, "IMAGE") == 0 && header.axes > 0;
        state->header = images < wanted || state->header.samples > 0 ? state->header : header;
        at = gf_fits_next(&header);
    }
    decoder->info.pages = images;
    return images == 0 ? refuse(decoder, "without an image", error) : gf_check_page(decoder, error);
}

/* Bytes and words as they are meant to be are kept; all else is f32. */
static gf_depth depth_of(const struct gf_fits_header *header)
{
    const int plain = header->scale == 1;
    return plain && header->bits == 8 && header->zero == 0        ? GF_U8
           : plain && header->bits == 16 && header->zero == 32768 ? GF_U16
                                                                  : GF_F32;
}

static gf_status choose_shape(struct gf_decoder *decoder, gf_error *error)
{
    const struct state *state = decoder->state;
    const struct gf_fits_header *header = &state->header;
    gf_shape *shape = &decoder->info.shape;
    int axes = header->axes;
    while (axes > 2 && header->axis[axes - 1] == 1) {
        axes--;
    }
    if (axes < 2 || axes > 3 || (axes == 3 && (header->axis[2] < 1 || header->axis[2] > 4))) {
        return refuse(decoder,
                      "of this kind is not read: NAXIS must be 2, or 3 and NAXIS3 the channels, 1 to 4",
                      error);
    }
    if (header->axis[0] < 1 || header->axis[1] < 1) {
        return refuse(decoder, "with an axis of 0 is no picture", error);
    }
    *shape = (gf_shape){header->axis[0], header->axis[1], axes == 3 ? (int32_t)header->axis[2] : 1,
                        depth_of(header)};
    const uint64_t sample = (uint64_t)abs(header->bits) / 8;
    decoder->info.stored_bits = (uint32_t)sample * 8;
    decoder->info.whole = !state->bytes.is_random;
    GF_TRY(gf_check_limits(decoder->limits, decoder->in->label, shape->width, shape->height, 0, error));
    const uint64_t need = (uint64_t)(shape->width * shape->height) * (uint64_t)shape->channels * sample;
    const uint64_t size = decoder->in->size;
    const uint64_t there = size > header->samples ? size - header->samples : 0;
    if (header->size != need) {
        return refuse(decoder, "with PCOUNT or GCOUNT for an image is not read", error);
    }
    if (size != GF_SIZE_UNKNOWN && there < need) {
        return gf_fail(error, GF_ERROR_INPUT,
                       "%s: the file ends early: %" PRIu64 " of %" PRIu64 " bytes of samples",
                       decoder->in->label, there, need);
    }
    return GF_OK;
}

static void add_notes(struct gf_decoder *decoder)
{
    struct state *state = decoder->state;
    const struct gf_fits_header *header = &state->header;
    const gf_depth depth = decoder->info.shape.depth;
    const int scaled = header->scale != 1 || header->zero != 0;
    if (depth == GF_F32 && (header->bits != -32 || scaled)) {
        gf_add_note(decoder->note, "FITS: BITPIX %d%s is read as f32%s", header->bits,
                    scaled ? " with BSCALE and BZERO" : "",
                    header->bits == -64 ? ", rounded" : ", unscaled: white is 1");
    }
    if (header->has_blank && depth != GF_F32) {
        gf_add_note(decoder->note, "FITS: BLANK is not applied: %s has no NaN", gf_depth_name(depth));
    }
    if (header->is_top_down) {
        gf_add_note(decoder->note, "FITS: ROWORDER is not applied: the first row is the lowest");
    }
    if (header->others > 0) {
        gf_add_note(decoder->note, "FITS: %d cards of the header are not kept (%s%s)", header->others,
                    header->other, header->others > 1 ? ", ..." : "");
    }
    if (state->bytes.is_random && gf_fits_next(header) > decoder->in->size) {
        gf_add_note(decoder->note, "FITS: its last block is not filled");
    }
}

static gf_status open_fits(struct gf_decoder *decoder, gf_error *error)
{
    struct state *state = calloc(1, sizeof *state);
    if (state == NULL) {
        return gf_fail(error, GF_ERROR_MEMORY, "%s: no memory for FITS", decoder->in->label);
    }
    decoder->state = state;
    state->bytes = (struct gf_fits_bytes){decoder->in, gf_bytes_in_is_random(decoder->in), 0};
    GF_TRY(find_image(decoder, error));
    GF_TRY(choose_shape(decoder, error));
    add_notes(decoder);
    return GF_OK;
}

static uint64_t load(const uint8_t *from, int size)
{
    uint64_t bits = 0;
    for (int i = 0; i < size; i++) {
        bits = bits << 8 | from[i];
    }
    return bits;
}

/* A stored number in f64. */
static double number_of(const struct gf_fits_header *header, const uint8_t *from)
{
    const uint64_t bits = load(from, abs(header->bits) / 8);
    const uint32_t low = (uint32_t)bits;
    double real;
    float single;
    int64_t whole = header->bits == 8    ? (int64_t)bits
                    : header->bits == 16 ? (int16_t)(uint16_t)bits
                    : header->bits == 32 ? (int32_t)low
                                         : (int64_t)bits;
    memcpy(&real, &bits, sizeof real);
    memcpy(&single, &low, sizeof single);
    if (header->has_blank && whole == header->blank) {
        return NAN;
    }
    return header->bits == -64 ? real : header->bits == -32 ? single : (double)whole;
}

/* `count` samples of a plane, as stored, to every `channels`-th place from `to` on. */
static void convert(const struct gf_fits_header *header, gf_depth depth, const uint8_t *from, int64_t count,
                    void *to, int32_t channels)
{
    const int size = abs(header->bits) / 8;
    if (depth == GF_U8) {
        for (int64_t i = 0; i < count; i++) {
            ((uint8_t *)to)[i * channels] = from[i];
        }
    } else if (depth == GF_U16) {
        for (int64_t i = 0; i < count; i++) {
            ((uint16_t *)to)[i * channels] = (uint16_t)(load(from + 2 * i, 2) ^ 0x8000);
        }
    } else if (header->bits == -32 && header->scale == 1 && header->zero == 0) { /* NaN keep their bits */
        for (int64_t i = 0; i < count; i++) {
            ((uint32_t *)to)[i * channels] = (uint32_t)load(from + 4 * i, 4);
        }
    } else {
        const int scaled = header->scale != 1 || header->zero != 0; /* -0 stays where nothing is added */
        for (int64_t i = 0; i < count; i++) {
            const double number = number_of(header, from + size * i);
            ((float *)to)[i * channels] = (float)(scaled ? header->scale * number + header->zero : number);
        }
    }
}

/* The rows of a plane lie together in the file, the lowest first. */
static gf_status plane_rows(struct gf_decoder *decoder, int32_t channel, uint8_t *data, int64_t pitch,
                            int64_t count, gf_error *error)
{
    struct state *state = decoder->state;
    const gf_shape *shape = &decoder->info.shape;
    const int64_t size = abs(state->header.bits) / 8, total = count * shape->width;
    const int64_t first = channel * shape->height + shape->height - state->next - count;
    const uint64_t at = state->header.samples + (uint64_t)(first * shape->width * size);
    const int64_t most = (int64_t)PIECE / size, sample = (int64_t)gf_depth_size(shape->depth);
    for (int64_t done = 0; done < total;) {
        const int64_t now = total - done < most ? total - done : most;
        const size_t want = (size_t)(now * size);
        if (gf_fits_read(&state->bytes, at + (uint64_t)(done * size), state->piece, want) != want) {
            char where[80];
            snprintf(where, sizeof where, "the samples, near row %" PRId64 " of plane %d",
                     first - channel * shape->height + done / shape->width + 1, (int)channel + 1);
            return gf_bytes_in_fail(decoder->in, where, error);
        }
        for (int64_t i = 0; i < now;) {
            const int64_t x = (done + i) % shape->width, y = count - 1 - (done + i) / shape->width;
            const int64_t run = now - i < shape->width - x ? now - i : shape->width - x;
            convert(&state->header, shape->depth, state->piece + i * size, run,
                    data + y * pitch + (x * shape->channels + channel) * sample, shape->channels);
            i += run;
        }
        done += now;
    }
    return GF_OK;
}

static gf_status rows_fits(struct gf_decoder *decoder, void *data, int64_t pitch, int64_t count,
                           gf_error *error)
{
    struct state *state = decoder->state;
    for (int32_t channel = 0; channel < decoder->info.shape.channels; channel++) {
        GF_TRY(plane_rows(decoder, channel, data, pitch, count, error));
    }
    state->next += count;
    return GF_OK;
}

static void close_fits(struct gf_decoder *decoder)
{
    free(decoder->state);
    decoder->state = NULL;
}

/* ---- writing ---- */

/* Up to eight cards and END in one block. */
static gf_status begin_fits(struct gf_encoder *encoder, gf_error *error)
{
    const gf_shape *shape = &encoder->shape;
    char block[GF_FITS_BLOCK + 1], *at = block;
    memset(block, ' ', sizeof block);
    const int words = shape->depth == GF_U16, axes = shape->channels > 1 ? 3 : 2;
    const struct {
        const char *name;
        int64_t value;
        int is_there;
    } cards[] = {{"BITPIX",
                  shape->depth == GF_U8 ? 8
                  : words               ? 16
                                        : -32,
                  1},
                 {"NAXIS", axes, 1},
                 {"NAXIS1", shape->width, 1},
                 {"NAXIS2", shape->height, 1},
                 {"NAXIS3", shape->channels, axes == 3},
                 {"BZERO", 32768, words},
                 {"BSCALE", 1, words}};
    at += snprintf(at, GF_FITS_CARD, "%-8s= %20s", "SIMPLE", "T");
    *at = ' ';
    at = block + GF_FITS_CARD;
    for (size_t i = 0; i < sizeof cards / sizeof *cards; i++) {
        if (cards[i].is_there) {
            at[snprintf(at, GF_FITS_CARD, "%-8s= %20" PRId64, cards[i].name, cards[i].value)] = ' ';
            at += GF_FITS_CARD;
        }
    }
    memcpy(at, "END", 3);
    return gf_bytes_out_write(encoder->out, block, GF_FITS_BLOCK) ? GF_OK
                                                                  : gf_bytes_out_fail(encoder->out, error);
}

static void store(const gf_shape *shape, const uint8_t *row, int64_t x, int32_t channel, uint8_t *to)
{
    const int64_t place = x * shape->channels + channel;
    uint32_t bits = row[shape->depth == GF_U8 ? place : 0];
    if (shape->depth == GF_U16) {
        bits = ((const uint16_t *)(const void *)row)[place] ^ 0x8000u;
    } else if (shape->depth == GF_F32) {
        bits = ((const uint32_t *)(const void *)row)[place];
    }
    const int size = (int)gf_depth_size(shape->depth);
    for (int i = 0; i < size; i++) {
        to[i] = (uint8_t)(bits >> 8 * (size - 1 - i));
    }
}

static gf_status put_rows_fits(struct gf_encoder *encoder, const void *data, int64_t pitch, int64_t count,
                               gf_error *error)
{
    static const uint8_t zeros[GF_FITS_BLOCK];
    const gf_shape *shape = &encoder->shape;
    const int64_t size = (int64_t)gf_depth_size(shape->depth);
    uint8_t piece[4096];
    int ok = 1;
    for (int64_t line = 0; line < count * shape->channels && ok; line++) {
        const int32_t channel = (int32_t)(line / count);
        const uint8_t *row = (const uint8_t *)data + (count - 1 - line % count) * pitch;
        for (int64_t x = 0; x < shape->width && ok;) {
            size_t used = 0;
            for (; x < shape->width && used < sizeof piece; x++, used += (size_t)size) {
                store(shape, row, x, channel, piece + used);
            }
            ok = gf_bytes_out_write(encoder->out, piece, used);
        }
    }
    const uint64_t last =
        (uint64_t)(count * shape->width) * (uint64_t)(shape->channels * size) % GF_FITS_BLOCK;
    ok = ok && (last == 0 || gf_bytes_out_write(encoder->out, zeros, GF_FITS_BLOCK - (size_t)last));
    return ok ? GF_OK : gf_bytes_out_fail(encoder->out, error);
}

const struct gf_codec gf_codec_fits = {
    .format = {.name = "fits",
               .suffixes = "fits fit fts",
               .summary =
                   "FITS of astronomy: u8, u16, f32, channels as planes; other numbers are read as f32",
               .reads = 1,
               .writes = 1,
               .channels = GF_ANY_CHANNELS,
               .depths = 1u << GF_U8 | 1u << GF_U16 | 1u << GF_F32,
               .whole = 1},
    .sniff = sniff,
    .open = open_fits,
    .rows = rows_fits,
    .close = close_fits,
    .begin = begin_fits,
    .put_rows = put_rows_fits,
};
