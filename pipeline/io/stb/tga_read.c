#include "io/stb/tga_read.h"

#include "base/status.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD = 18, PALETTE = 1, GRAY = 3, PACKED = 8 };                                  /* kinds of picture */
enum { ATTRIBUTES = 0x0f, RIGHT_TO_LEFT = 0x10, TOP_FIRST = 0x20, INTERLEAVED = 0xc0 }; /* the last byte */

/* How a pixel, or a colour of a palette, is stored. */
struct coding {
    int bits; /* 8, 15, 16, 24 or 32 */
    int gray; /* 16 bits are gray and alpha, not 5 of each colour */
    int channels;
};

struct state {
    struct coding coding;
    int kind, flags;
    int index_bits;                   /* 8 or 16; 0: no palette */
    unsigned first, colours;          /* of the palette: the index of its first, and how many */
    uint8_t *palette;                 /* of the picture's samples */
    int is_packed, left, is_repeated; /* pixels left of a packet, and whether they are one */
    uint8_t pixel[4];
};

static gf_status fail(const struct gf_decoder *decoder, gf_error *error, const char *why)
{
    return gf_fail(error, GF_ERROR_INPUT, "%s: a kind of TGA that is not read: %s", decoder->in->label, why);
}

static struct coding coding_of(const uint8_t *head)
{
    int is_palette = (head[2] & 7) == PALETTE;
    struct coding coding = {.bits = is_palette ? head[7] : head[16], .gray = (head[2] & 7) == GRAY};
    switch (coding.bits) {
    case 8:
        coding.channels = 1;
        break;
    case 32: /* the header says how many of these are alpha; for a palette's colours it does not */
        coding.channels = is_palette || (head[17] & ATTRIBUTES) != 0 ? 4 : 3;
        break;
    default:
        coding.channels = coding.gray ? 2 : 3;
    }
    return coding;
}

/* Takes a pixel or a colour. 0: the input ends. */
static int take(struct gf_bytes_in *in, const struct coding *coding, uint8_t *samples)
{
    int size = (coding->bits + 7) / 8, bytes[4];
    for (int i = 0; i < size; i++) {
        bytes[i] = gf_bytes_in_byte(in);
        if (bytes[i] < 0) {
            return 0;
        }
    }
    if (size == 2 && !coding->gray) {
        unsigned pixel = (unsigned)bytes[0] | (unsigned)bytes[1] << 8;
        for (int c = 0; c < 3; c++) {
            samples[c] = (uint8_t)gf_scale_sample(pixel >> (10 - 5 * c) & 31, 31, 255);
        }
        return 1;
    }
    for (int c = 0; c < coding->channels; c++) {
        samples[c] = (uint8_t)bytes[size >= 3 && c < 3 ? 2 - c : c];
    }
    return 1;
}

/* Reads what is between header and samples: text, and a palette, which other kinds have for nothing. */
static gf_status read_palette(struct gf_decoder *decoder, const uint8_t *head, gf_error *error)
{
    struct state *state = decoder->state;
    int channels = state->coding.channels;
    size_t skipped = head[0];
    unsigned count = (unsigned)head[5] | (unsigned)head[6] << 8;
    if (state->kind != PALETTE) {
        skipped += head[1] != 0 ? (size_t)count * ((head[7] + 7u) / 8) : 0;
    }
    for (; skipped > 0; skipped--) {
        if (gf_bytes_in_byte(decoder->in) < 0) {
            return gf_bytes_in_fail(decoder->in, "what is in front of the samples", error);
        }
    }
    if (state->kind != PALETTE) {
        return GF_OK;
    }
    if (count == 0) {
        return gf_fail(error, GF_ERROR_INPUT, "%s: damaged TGA: its palette has no colours",
                       decoder->in->label);
    }
    state->index_bits = head[16];
    state->first = (unsigned)head[3] | (unsigned)head[4] << 8;
    state->colours = count;
    state->palette = malloc((size_t)count * (size_t)channels);
    if (state->palette == NULL) {
        return gf_fail(error, GF_ERROR_MEMORY, "%s: no memory for TGA", decoder->in->label);
    }
    for (unsigned i = 0; i < count; i++) {
        if (!take(decoder->in, &state->coding, state->palette + (size_t)i * (size_t)channels)) {
            return gf_bytes_in_fail(decoder->in, "the palette", error);
        }
    }
    return GF_OK;
}

gf_status gf_tga_open(struct gf_decoder *decoder, gf_error *error)
{
    uint8_t head[HEAD];
    struct state *state = calloc(1, sizeof *state);
    if (state == NULL) {
        return gf_fail(error, GF_ERROR_MEMORY, "%s: no memory for TGA", decoder->in->label);
    }
    decoder->state = state;
    gf_bytes_in_read(decoder->in, head, HEAD); /* sniff has seen them */
    state->kind = head[2] & 7;
    state->is_packed = (head[2] & PACKED) != 0;
    state->flags = head[17];
    state->coding = coding_of(head);
    if ((state->flags & INTERLEAVED) != 0) {
        return fail(decoder, error, "interleaved rows");
    }
    gf_shape shape = {.width = head[12] | head[13] << 8,
                      .height = head[14] | head[15] << 8,
                      .channels = state->coding.channels,
                      .depth = GF_U8};
    decoder->info.shape = shape;
    decoder->info.stored_bits = 8;
    decoder->info.whole = 1;
    decoder->expands = state->is_packed;
    GF_TRY(gf_check_limits(decoder->limits, decoder->in->label, shape.width, shape.height, 0, error));
    GF_TRY(read_palette(decoder, head, error));
    /* A packet of 128 equal pixels is the shortest there is, and may end in a later row. */
    int64_t pixel = (head[16] + 7) / 8;
    return state->is_packed ? gf_check_left(decoder, shape.width * (1 + pixel) / 128, 1, error)
                            : gf_check_left(decoder, shape.width, pixel, error);
}

/* An index beyond the palette is its first colour. */
static int take_index(struct gf_decoder *decoder, struct state *state)
{
    int low = gf_bytes_in_byte(decoder->in),
        high = state->index_bits == 16 ? gf_bytes_in_byte(decoder->in) : 0;
    if (low < 0 || high < 0) {
        return 0;
    }
    unsigned index = (unsigned)low | (unsigned)high << 8;
    index = index < state->first || index - state->first >= state->colours ? 0 : index - state->first;
    size_t channels = (size_t)state->coding.channels;
    memcpy(state->pixel, state->palette + index * channels, channels);
    return 1;
}

/* The next pixel, in state->pixel. 0: the input ends. */
static inline int next_pixel(struct gf_decoder *decoder, struct state *state)
{
    if (state->is_packed && state->left == 0) {
        int packet = gf_bytes_in_byte(decoder->in);
        if (packet < 0) {
            return 0;
        }
        state->left = 1 + (packet & 127);
        state->is_repeated = packet >> 7;
    } else if (state->is_packed && state->is_repeated) {
        state->left--;
        return 1;
    }
    state->left -= state->is_packed;
    return state->palette != NULL ? take_index(decoder, state)
                                  : take(decoder->in, &state->coding, state->pixel);
}

gf_status gf_tga_rows(struct gf_decoder *decoder, void *data, int64_t pitch, int64_t count, gf_error *error)
{
    struct state *state = decoder->state;
    const gf_shape *shape = &decoder->info.shape;
    int64_t channels = shape->channels, step = (state->flags & RIGHT_TO_LEFT) != 0 ? -channels : channels;
    for (int64_t y = 0; y < count; y++) {
        uint8_t *row = (uint8_t *)data + ((state->flags & TOP_FIRST) != 0 ? y : count - 1 - y) * pitch;
        uint8_t *to = row + (step < 0 ? (shape->width - 1) * channels : 0);
        for (int64_t x = 0; x < shape->width; x++, to += step) {
            if (!next_pixel(decoder, state)) {
                return gf_bytes_in_fail(decoder->in, "the samples", error);
            }
            memcpy(to, state->pixel, (size_t)channels);
        }
    }
    return GF_OK;
}

void gf_tga_close(struct gf_decoder *decoder)
{
    struct state *state = decoder->state;
    if (state != NULL) {
        free(state->palette);
        free(state);
        decoder->state = NULL;
    }
}
