/* HDR through stb_image; BMP, TGA and HDR through stb_image_write: formats of whole pictures. */
#include "io/stb/stb_codec.h"

#include "io/stb/stb_fence.h"

#include "base/status.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HEAD_SIZE 4096 /* a Radiance header is a few lines */

/* ---- reading ---- */

struct state {
    struct gf_stb_source source;
    struct gf_budget budget;
};

/* The shape by stb's reading of what the file begins with. */
static gf_status ask_shape(struct gf_decoder *decoder, gf_error *error)
{
    const struct state *state = decoder->state;
    const uint8_t *bytes;
    const char *why;
    size_t size = gf_bytes_in_peek(decoder->in, &bytes, HEAD_SIZE);
    int width = 0, height = 0, channels = 0;
    if (!gf_stb_info(bytes, size, &width, &height, &channels, &why) || width < 1 || height < 1) {
        if (decoder->in->errno_seen != 0 || decoder->in->over_limit) {
            return gf_bytes_in_fail(decoder->in, "the header", error);
        }
        return gf_fail(
            error, GF_ERROR_INPUT,
            "%s: damaged %s, or of a kind that is not read, or its header is cut or longer than %d bytes",
            decoder->in->label, state->source.format, HEAD_SIZE);
    }
    decoder->info.shape = (gf_shape){width, height, channels, GF_F32};
    return gf_check_limits(decoder->limits, decoder->in->label, width, height, 0, error);
}

/* Notes a line EXPOSURE of the header other than 1, which other programs may divide by. */
static void note_exposure(struct gf_decoder *decoder)
{
    static const char name[] = "EXPOSURE=";
    const uint8_t *bytes;
    size_t size = gf_bytes_in_peek(decoder->in, &bytes, HEAD_SIZE);
    const char *line = (const char *)bytes, *end = line + size, *next;
    for (; (next = memchr(line, '\n', (size_t)(end - line))) != NULL && next > line; line = next + 1) {
        if ((size_t)(next - line) < sizeof name - 1 || memcmp(line, name, sizeof name - 1) != 0) {
            continue;
        }
        line += sizeof name - 1;
        line += strspn(line, " \t");
        int one = *line == '1';
        line += one;
        line += one && *line == '.' ? 1 + strspn(line + 1, "0") : 0;
        line += strspn(line, " \t\r");
        if (!one || line != next) {
            gf_add_note(decoder->note, "HDR: the samples are as stored, its EXPOSURE is not applied");
            return;
        }
    }
}

gf_status gf_stb_open_hdr(struct gf_decoder *decoder, gf_error *error)
{
    struct state *state = calloc(1, sizeof *state);
    if (state == NULL) {
        return gf_fail(error, GF_ERROR_MEMORY, "%s: no memory for HDR", decoder->in->label);
    }
    decoder->state = state;
    state->budget.limit = decoder->limits->max_memory;
    state->source = (struct gf_stb_source){.in = decoder->in, .format = "HDR"};
    decoder->info.whole = 1;
    decoder->info.stored_bits = 8;
    GF_TRY(ask_shape(decoder, error));
    note_exposure(decoder);
    decoder->held =
        (uint64_t)gf_image_row_bytes(decoder->info.shape.width, decoder->info.shape.channels, GF_F32) *
        (uint64_t)decoder->info.shape.height;
    /* Runs of 127 in each of four components, or four bytes a pixel. */
    int64_t width = decoder->info.shape.width, runs = 4 + 8 * ((width + 126) / 127);
    return gf_check_left(decoder, 4 * width < runs ? 4 * width : runs, 1, error);
}

gf_status gf_stb_rows_hdr(struct gf_decoder *decoder, void *data, int64_t pitch, int64_t count,
                          gf_error *error)
{
    struct state *state = decoder->state;
    const gf_shape *shape = &decoder->info.shape;
    size_t row = (size_t)shape->width * (size_t)shape->channels * gf_depth_size(shape->depth);
    void *pixels;
    GF_TRY(gf_stb_decode(&state->source, shape, &state->budget, &pixels, error));
    for (int64_t y = 0; y < count; y++) {
        memcpy((char *)data + y * pitch, (const char *)pixels + (size_t)y * row, row);
    }
    gf_budget_free(&state->budget, pixels);
    return GF_OK;
}

void gf_stb_close_hdr(struct gf_decoder *decoder)
{
    free(decoder->state);
    decoder->state = NULL;
}

/* ---- writing ---- */

gf_status gf_stb_fits(const gf_format *format, const gf_shape *shape, const char *label, gf_error *error)
{
    const char *name = format->name;
    int64_t side = name[0] == 't' ? 65535 : 1 << 24, bytes = INT32_MAX - 256;
    int64_t row = shape->width <= side ? (shape->width + 4) * 4 : bytes; /* of any of them, with padding */
    if (shape->width > side || shape->height > side || row > bytes / shape->height) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED,
                       "%s: %s holds at most %" PRId64 " pixels each way and 2 GiB, not %" PRId64
                       " x %" PRId64 "; png holds more",
                       label, name, side, shape->width, shape->height);
    }
    return GF_OK;
}

/* RGBE has no sign, and its exponent ends below that of f32; no number becomes 0. */
static void clamp_floats(float *samples, size_t count)
{
    const float most = ldexpf(1.0f, 127) * 0.99609375f; /* 255 / 256: the largest of eight bits */
    for (size_t i = 0; i < count; i++) {
        samples[i] = samples[i] > 0 ? (samples[i] < most ? samples[i] : most) : 0;
    }
}

/* The header is written with the rows. */
gf_status gf_stb_begin(struct gf_encoder *encoder, gf_error *error)
{
    (void)encoder;
    (void)error;
    return GF_OK;
}

gf_status gf_stb_put_rows(struct gf_encoder *encoder, const void *data, int64_t pitch, int64_t count,
                          gf_error *error)
{
    const gf_shape *shape = &encoder->shape;
    size_t samples = (size_t)shape->width * (size_t)shape->channels,
           row = samples * gf_depth_size(shape->depth);
    uint8_t *pixels = malloc(row * (size_t)count), *scratch = malloc((size_t)shape->width * 4);
    gf_status status;
    if (pixels == NULL || scratch == NULL) {
        status = gf_fail(error, GF_ERROR_MEMORY, "%s: no memory to write", encoder->out->label);
    } else {
        for (int64_t y = 0; y < count; y++) {
            memcpy(pixels + (size_t)y * row, (const char *)data + y * pitch, row);
        }
        if (shape->depth == GF_F32) {
            clamp_floats((float *)(void *)pixels, samples * (size_t)count);
        }
        status = gf_stb_encode(encoder->out, encoder->format->name, shape, pixels, scratch, error);
    }
    free(pixels);
    free(scratch);
    return status;
}
