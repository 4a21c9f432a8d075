/* .npy, NumPy's own format: one array after a short text header. */
#include "io/codec.h"
#include "io/npy_convert.h"
#include "io/npy_header.h"

#include "base/status.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC      "\x93NUMPY"
#define MAGIC_SIZE 6
#define BLOCK_SIZE ((int64_t)1 << 18) /* of columns read at once in Fortran order */
#define PART_SIZE  4096               /* of a row that is converted, read at once */

struct state {
    int64_t stored;            /* bytes of a sample in the file */
    int64_t sample;            /* and as delivered */
    gf_npy_converter *convert; /* NULL: the same */
    int swap;                  /* bytes of a sample come in the other order */
    uint8_t yes;               /* what True becomes; 0: samples are no bool */
};

static int sniff(const uint8_t *head, size_t size)
{
    return size >= MAGIC_SIZE && memcmp(head, MAGIC, MAGIC_SIZE) == 0;
}

static gf_status bad(const struct gf_decoder *decoder, const char *why, gf_error *error)
{
    return gf_fail(error, GF_ERROR_INPUT, "%s: not a picture in npy: %s", decoder->in->label, why);
}

gf_status gf_npy_read_header(struct gf_decoder *decoder, struct gf_npy_header *header, gf_error *error)
{
    uint8_t head[12];
    size_t length_bytes = 2;
    if (gf_bytes_in_read(decoder->in, head, 8) != 8) {
        return gf_bytes_in_fail(decoder->in, "the npy header", error);
    }
    if (head[6] < 1 || head[6] > 3 || head[7] != 0) {
        return gf_fail(error, GF_ERROR_INPUT, "%s: npy version %d.%d is not one of 1.0, 2.0, 3.0",
                       decoder->in->label, head[6], head[7]);
    }
    length_bytes = head[6] == 1 ? 2 : 4;
    if (gf_bytes_in_read(decoder->in, head + 8, length_bytes) != length_bytes) {
        return gf_bytes_in_fail(decoder->in, "the npy header", error);
    }
    uint32_t length = head[8] | (uint32_t)head[9] << 8;
    if (length_bytes == 4) {
        length |= (uint32_t)head[10] << 16 | (uint32_t)head[11] << 24;
    }
    if (length > decoder->limits->max_metadata_bytes) {
        return gf_fail(error, GF_ERROR_LIMIT,
                       "%s: claims a header of %" PRIu32 " bytes, beyond max_metadata_bytes, %" PRIu64,
                       decoder->in->label, length, decoder->limits->max_metadata_bytes);
    }
    char *text = malloc((size_t)length + 1);
    if (text == NULL) {
        return gf_fail(error, GF_ERROR_MEMORY, "%s: no memory for the header", decoder->in->label);
    }
    gf_status status = GF_OK;
    if (gf_bytes_in_read(decoder->in, text, length) != length) {
        status = gf_bytes_in_fail(decoder->in, "the npy header", error);
    } else {
        const char *wrong = gf_npy_parse(text, length, header);
        status = wrong != NULL ? bad(decoder, wrong, error) : GF_OK;
    }
    free(text);
    return status;
}

static gf_status choose_type(struct gf_decoder *decoder, const struct gf_npy_header *header,
                             struct gf_npy_type *type, gf_error *error)
{
    if (!gf_npy_choose(header->kind, header->size, decoder->limits->result_depths, type)) {
        const char *kinds[128] = {['u'] = "uint", ['i'] = "int", ['f'] = "float", ['c'] = "complex"};
        const char letter[2] = {header->kind}, *kind = kinds[header->kind & 127];
        return gf_fail(error, GF_ERROR_INPUT,
                       "%s: samples of type %s%lld are not read; valid are bool, uint8 to uint64, int8 to "
                       "%s, float16, float32 and float64",
                       decoder->in->label, kind != NULL ? kind : letter,
                       (long long)header->size * (kind != NULL ? 8 : 1),
                       decoder->limits->result_depths == 1 ? "int32" : "int64");
    }
    if (header->order == '|' && header->size > 1) {
        return bad(decoder, "'descr' lacks the byte order", error);
    }
    if (type->what != NULL) {
        gf_add_note(decoder->note, "npy: %s is read as %s", type->name, type->what);
    }
    decoder->info.shape.depth = type->depth;
    decoder->info.stored_bits = (uint32_t)header->size * 8;
    return GF_OK;
}

static gf_status choose_shape(struct gf_decoder *decoder, const struct gf_npy_header *header, gf_error *error)
{
    if (header->dims == 0) {
        return bad(decoder, "a single number; valid shapes are (n,), (h, w) and (h, w, c)", error);
    }
    const int array = header->dims < 3 && decoder->limits->result_depths >= 2;
    for (int i = 0; i < header->dims && !array; i++) {
        if (header->dim[i] == 0) {
            return bad(decoder, "an empty array", error);
        }
    }
    int64_t channels = header->dims == 3 ? header->dim[2] : 1;
    if (channels > 4) {
        return gf_fail(error, GF_ERROR_INPUT,
                       "%s: shape (%" PRId64 ", %" PRId64 ", %" PRId64 "): the last is channels, 1 to 4",
                       decoder->in->label, header->dim[0], header->dim[1], channels);
    }
    gf_shape *shape = &decoder->info.shape;
    shape->height = header->dims == 1 ? 1 : header->dim[0];
    shape->width = header->dims == 1 ? header->dim[0] : header->dim[1];
    shape->channels = (int32_t)channels;
    decoder->info.alpha = channels % 2 == 0 ? GF_ALPHA_NONE : GF_ALPHA_PREMUL;
    decoder->info.whole = header->fortran && header->dims > 1 && shape->height > 0;
    return gf_check_limits(decoder->limits, decoder->in->label, shape->width, shape->height,
                           header->dims == 1, error);
}

static gf_status open_npy(struct gf_decoder *decoder, gf_error *error)
{
    struct gf_npy_header header;
    struct gf_npy_type type;
    GF_TRY(gf_npy_read_header(decoder, &header, error));
    GF_TRY(choose_type(decoder, &header, &type, error));
    GF_TRY(choose_shape(decoder, &header, error));
    const gf_shape *shape = &decoder->info.shape;
    GF_TRY(gf_check_left(decoder, shape->width, shape->channels * header.size, error));
    struct state *state = malloc(sizeof *state);
    if (state == NULL) {
        return gf_fail(error, GF_ERROR_MEMORY, "%s: no memory", decoder->in->label);
    }
    state->stored = header.size;
    state->sample = (int64_t)gf_depth_size(type.depth);
    state->convert = type.convert;
    state->yes = header.kind != 'b' ? 0 : decoder->limits->result_depths >= 2 ? 1 : 255;
    state->swap = header.size > 1 && header.order != '=' && (header.order == '<') != gf_host_is_little();
    decoder->state = state;
    return GF_OK;
}

/* Bytes as stored become numbers of the host, in place. */
static void to_host(const struct state *state, uint8_t *bytes, int64_t size)
{
    if (state->yes != 0) {
        for (int64_t i = 0; i < size; i++) {
            bytes[i] = bytes[i] != 0 ? state->yes : 0;
        }
    }
    if (state->swap) {
        for (uint8_t *s = bytes; s < bytes + size; s += state->stored) {
            for (int64_t i = 0, j = state->stored - 1; i < j; i++, j--) {
                uint8_t t = s[i];
                s[i] = s[j];
                s[j] = t;
            }
        }
    }
}

/* Columns (of one channel) to their places in interleaved rows: row by row, so that each
 * row of the picture is touched once for the whole block. */
static void scatter(const struct state *state, const uint8_t *columns, int64_t count, int64_t height,
                    uint8_t *to, int64_t pitch, int64_t step)
{
    for (int64_t y = 0; y < height; y++) {
        const uint8_t *from = columns + y * state->stored;
        uint8_t *row = to + y * pitch;
        if (state->convert != NULL) {
            state->convert(from, height * state->stored, row, step, count);
            continue;
        }
        for (int64_t x = 0; x < count; x++) {
            memcpy(row + x * step, from + x * height * state->stored, (size_t)state->stored);
        }
    }
}

static gf_status fortran_rows(struct gf_decoder *decoder, uint8_t *data, int64_t pitch, gf_error *error)
{
    const struct state *state = decoder->state;
    const gf_shape *shape = &decoder->info.shape;
    int64_t column = shape->height * state->stored;
    int64_t block = column < BLOCK_SIZE ? BLOCK_SIZE / column : 1;
    uint64_t room = (uint64_t)(column * block);
    if (room > decoder->limits->max_memory) {
        return gf_fail(error, GF_ERROR_LIMIT,
                       "%s: needs %" PRIu64 " bytes beside the picture, beyond max_memory, %" PRIu64,
                       decoder->in->label, room, decoder->limits->max_memory);
    }
    uint8_t *columns = malloc((size_t)room);
    if (columns == NULL) {
        return gf_fail(error, GF_ERROR_MEMORY, "%s: no memory for %" PRIu64 " bytes", decoder->in->label,
                       room);
    }
    gf_status status = GF_OK;
    for (int32_t c = 0; c < shape->channels && status == GF_OK; c++) {
        for (int64_t x = 0; x < shape->width && status == GF_OK; x += block) {
            int64_t count = shape->width - x < block ? shape->width - x : block;
            size_t size = (size_t)(count * column);
            if (gf_bytes_in_read(decoder->in, columns, size) != size) {
                status = gf_bytes_in_fail(decoder->in, "the samples", error);
                break;
            }
            to_host(state, columns, count * column);
            int64_t step = shape->channels * state->sample;
            scatter(state, columns, count, shape->height, data + x * step + c * state->sample, pitch, step);
        }
    }
    free(columns);
    return status;
}

/* A row of `count` samples, without memory for as many as they are stored in. */
static gf_status convert_row(struct gf_decoder *decoder, uint8_t *row, int64_t count, gf_error *error)
{
    const struct state *state = decoder->state;
    uint8_t part[PART_SIZE];
    const int64_t most = PART_SIZE / state->stored;
    for (int64_t x = 0; x < count; x += most) {
        int64_t now = count - x < most ? count - x : most;
        size_t size = (size_t)(now * state->stored);
        if (gf_bytes_in_read(decoder->in, part, size) != size) {
            return gf_bytes_in_fail(decoder->in, "the samples", error);
        }
        to_host(state, part, (int64_t)size);
        state->convert(part, state->stored, row + x * state->sample, state->sample, now);
    }
    return GF_OK;
}

static gf_status rows_npy(struct gf_decoder *decoder, void *data, int64_t pitch, int64_t count,
                          gf_error *error)
{
    if (decoder->info.whole) {
        return fortran_rows(decoder, data, pitch, error);
    }
    const struct state *state = decoder->state;
    int64_t samples = decoder->info.shape.width * decoder->info.shape.channels;
    size_t size = (size_t)(samples * state->stored);
    for (int64_t y = 0; y < count; y++) {
        uint8_t *row = (uint8_t *)data + y * pitch;
        if (state->convert != NULL) {
            GF_TRY(convert_row(decoder, row, samples, error));
            continue;
        }
        if (gf_bytes_in_read(decoder->in, row, size) != size) {
            return gf_bytes_in_fail(decoder->in, "the samples", error);
        }
        to_host(state, row, (int64_t)size);
    }
    return GF_OK;
}

static void close_npy(struct gf_decoder *decoder)
{
    free(decoder->state);
    decoder->state = NULL;
}

size_t gf_npy_make_header(const gf_shape *shape, int matrix, char text[GF_NPY_HEADER_SIZE])
{
    static const char *const types[] = {
        [GF_U8] = "u1",  [GF_U16] = "u2", [GF_F32] = "f4", [GF_U32] = "u4", [GF_U64] = "u8",
        [GF_F64] = "f8", [GF_S16] = "i2", [GF_S32] = "i4", [GF_S64] = "i8"};
    char dims[80];
    if (shape->channels > 1) {
        snprintf(dims, sizeof dims, "(%" PRId64 ", %" PRId64 ", %d)", shape->height, shape->width,
                 (int)shape->channels);
    } else if (shape->height != 1 || matrix) {
        snprintf(dims, sizeof dims, "(%" PRId64 ", %" PRId64 ")", shape->height, shape->width);
    } else {
        snprintf(dims, sizeof dims, "(%" PRId64 ",)", shape->width);
    }
    char order = shape->depth == GF_U8 ? '|' : gf_host_is_little() ? '<' : '>';
    int used = snprintf(text, GF_NPY_HEADER_SIZE,
                        MAGIC "%c%c%c%c{'descr': '%c%s', 'fortran_order': False, 'shape': %s, }", 1, 0, 0, 0,
                        order, types[shape->depth], dims);
    /* Spaces and a newline to the next multiple of 64, so that the samples lie aligned. */
    size_t total = ((size_t)used + 1 + 63) / 64 * 64;
    memset(text + used, ' ', total - (size_t)used - 1);
    text[total - 1] = '\n';
    text[8] = (char)(total - 10);
    return total;
}

static gf_status begin_npy(struct gf_encoder *encoder, gf_error *error)
{
    char text[GF_NPY_HEADER_SIZE];
    const size_t size = gf_npy_make_header(&encoder->shape, encoder->options->npy_matrix, text);
    return gf_bytes_out_write(encoder->out, text, size) ? GF_OK : gf_bytes_out_fail(encoder->out, error);
}

static gf_status put_rows_npy(struct gf_encoder *encoder, const void *data, int64_t pitch, int64_t count,
                              gf_error *error)
{
    const gf_shape *shape = &encoder->shape;
    size_t size = (size_t)(shape->width * shape->channels) * gf_depth_size(shape->depth);
    for (int64_t y = 0; y < count; y++) {
        if (!gf_bytes_out_write(encoder->out, (const char *)data + y * pitch, size)) {
            return gf_bytes_out_fail(encoder->out, error);
        }
    }
    return GF_OK;
}

const struct gf_codec gf_codec_npy = {
    .format = {.name = "npy",
               .suffixes = "npy",
               .summary =
                   "NumPy array: u8, u16, f32; bool is read as u8, other numbers as f32; signals of shape "
                   "(n,)",
               .reads = 1,
               .writes = 1,
               .channels = GF_ANY_CHANNELS,
               .depths = 1u << GF_U8 | 1u << GF_U16 | 1u << GF_F32 | 1u << GF_U32 | 1u << GF_U64 |
                         1u << GF_F64 | 1u << GF_S16 | 1u << GF_S32 | 1u << GF_S64},
    .sniff = sniff,
    .may_be_empty = 1,
    .open = open_npy,
    .rows = rows_npy,
    .close = close_npy,
    .begin = begin_npy,
    .put_rows = put_rows_npy,
};
