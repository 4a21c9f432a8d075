#include "io/stb/bmp_read.h"

#include "io/stb/bmp_head.h"
#include "io/stb/bmp_runs.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

struct state {
    struct gf_bmp_head head;
    uint8_t full[4][256]; /* at full scale, what a field of up to eight bits may hold */
    uint8_t *row;         /* as stored */
};

gf_status gf_bmp_open(struct gf_decoder *decoder, gf_error *error)
{
    struct state *state = calloc(1, sizeof *state);
    if (state == NULL) {
        return gf_fail(error, GF_ERROR_MEMORY, "%s: no memory for BMP", decoder->in->label);
    }
    decoder->state = state;
    GF_TRY(gf_bmp_read_head(decoder, &state->head, error));
    for (int c = 0; c < 4; c++) {
        uint32_t most = state->head.field[c].most;
        for (uint32_t i = 0; most > 0 && most <= 255 && i <= most; i++) {
            state->full[c][i] = (uint8_t)gf_scale_sample(i, most, 255);
        }
    }
    return GF_OK;
}

static void take_indices(const struct state *state, uint8_t *to, int64_t width)
{
    int bits = state->head.bits, of_byte = 8 / bits;
    for (int64_t x = 0; x < width; x++, to += 3) {
        int shift = 8 - bits * (1 + (int)(x % of_byte));
        memcpy(to, state->head.palette[state->row[x / of_byte] >> shift & ((1 << bits) - 1)], 3);
    }
}

static uint32_t pixel_at(const uint8_t *row, int64_t x, int size)
{
    uint32_t pixel = 0;
    for (int i = 0; i < size; i++) {
        pixel |= (uint32_t)row[x * size + i] << 8 * i;
    }
    return pixel;
}

/* Returns whether alpha is anywhere other than 0. */
static int take_fields(const struct state *state, void *to, const gf_shape *shape)
{
    const struct gf_bmp_field *field = state->head.field;
    int size = state->head.bits / 8, channels = shape->channels;
    uint32_t alpha = 0;
    for (int64_t x = 0; x < shape->width; x++) {
        uint32_t pixel = pixel_at(state->row, x, size);
        for (int c = 0; c < channels; c++) {
            uint32_t sample = pixel >> field[c].shift & field[c].most;
            alpha |= c == 3 ? sample : 0;
            if (shape->depth == GF_U8) {
                ((uint8_t *)to)[x * channels + c] = state->full[c][sample];
            } else {
                ((uint16_t *)to)[x * channels + c] = (uint16_t)gf_scale_sample(sample, field[c].most, 65535);
            }
        }
    }
    return alpha != 0;
}

/* Alpha that is 0 everywhere stands for none: no picture is wholly invisible on purpose. */
static void make_opaque(const gf_shape *shape, uint8_t *data, int64_t pitch)
{
    size_t sample = gf_depth_size(shape->depth);
    for (int64_t y = 0; y < shape->height; y++) {
        for (int64_t x = 0; x < shape->width; x++) {
            memset(data + y * pitch + (4 * x + 3) * (int64_t)sample, 255, sample);
        }
    }
}

gf_status gf_bmp_rows(struct gf_decoder *decoder, void *data, int64_t pitch, int64_t count, gf_error *error)
{
    struct state *state = decoder->state;
    const gf_shape *shape = &decoder->info.shape;
    if (state->head.runs) {
        return gf_bmp_read_runs(decoder, &state->head, data, pitch, error);
    }
    size_t size = ((size_t)shape->width * (size_t)state->head.bits + 31) / 32 * 4;
    int visible = shape->channels < 4;
    state->row = malloc(size);
    if (state->row == NULL) {
        return gf_fail(error, GF_ERROR_MEMORY, "%s: no memory for BMP", decoder->in->label);
    }
    for (int64_t y = 0; y < count; y++) {
        uint8_t *to = (uint8_t *)data + (state->head.down ? y : count - 1 - y) * pitch;
        if (gf_bytes_in_read(decoder->in, state->row, size) != size) {
            return gf_bytes_in_fail(decoder->in, "the samples", error);
        }
        if (state->head.bits <= 8) {
            take_indices(state, to, shape->width);
        } else {
            visible |= take_fields(state, to, shape);
        }
    }
    if (!visible) {
        make_opaque(shape, data, pitch);
    }
    return GF_OK;
}

void gf_bmp_close(struct gf_decoder *decoder)
{
    struct state *state = decoder->state;
    if (state != NULL) {
        free(state->row);
        free(state);
        decoder->state = NULL;
    }
}
