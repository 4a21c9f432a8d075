/* Arrays of NumPy as signals: numbers as they are, of one dimension, or of two where it is said which one is
 * time. */
#include "io/codec.h"
#include "io/npy_header.h"
#include "io/signal/signal_codec.h"

#include "base/status.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void from_u8(const uint8_t *from, int64_t from_step, uint8_t *to, int64_t to_step, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        const float sample = (float)from[i * from_step];
        memcpy(to + i * to_step, &sample, sizeof sample);
    }
}

static void from_u16(const uint8_t *from, int64_t from_step, uint8_t *to, int64_t to_step, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        const float sample = (float)(from[i * from_step] | from[i * from_step + 1] << 8);
        memcpy(to + i * to_step, &sample, sizeof sample);
    }
}

static gf_status choose_type(gf_signal_reader *reader, const struct gf_npy_header *header, gf_error *error)
{
    struct gf_npy_type type;
    struct gf_samples *samples = &reader->samples;
    const bool sound = gf_npy_choose(header->kind, header->size, 0, &type) != 0;
    if (!sound || (header->order == '|' && header->size > 1)) {
        return gf_fail(
            error, GF_ERROR_INPUT,
            "%s: numbers of type '%c%c%d' are not read; valid are bool, uint8 to uint64, int8 to int64, "
            "float16, float32 and float64",
            reader->in.label, header->order, header->kind, header->size);
    }
    const bool big = header->order == '>' || (header->order == '=' && !gf_host_is_little());
    if (header->kind == 'f' && header->size >= 4) {
        gf_samples_of(header->size == 4 ? GF_SIGNAL_F32 : GF_SIGNAL_F64, big, samples);
        return GF_OK;
    }
    const bool little = type.convert == NULL; /* those above; the others take the host's order */
    *samples = (struct gf_samples){GF_SIGNAL_NUMBER, header->size, 8 * header->size,
                                   header->size > 1 && big == (little || gf_host_is_little()), type.convert};
    samples->get = !little ? type.convert : header->size == 1 ? from_u8 : from_u16;
    return GF_OK;
}

/* Holds what is not stored frame by frame. */
static gf_status hold(gf_signal_reader *reader, int64_t frames, gf_error *error)
{
    const int64_t samples = frames * reader->info.channels, most = (int64_t)(reader->limits.max_memory / 8);
    const size_t size = (size_t)samples * (size_t)reader->samples.size;
    if (frames > most || samples > most) {
        return gf_fail(error, GF_ERROR_LIMIT,
                       "%s: its channels lie one behind the other, and %" PRId64
                       " frames of %d are more than max_memory, %" PRIu64 " bytes, holds",
                       reader->in.label, frames, (int)reader->info.channels, reader->limits.max_memory);
    }
    reader->state = malloc(size + 1);
    if (reader->state == NULL) {
        return gf_fail(error, GF_ERROR_MEMORY, "%s: no memory for %zu bytes", reader->in.label, size);
    }
    if (gf_bytes_in_read(&reader->in, reader->state, size) != size) {
        return gf_bytes_in_fail(&reader->in, "the samples", error);
    }
    return GF_OK;
}

static gf_status open_npy(gf_signal_reader *reader, const gf_signal_read_options *options, gf_error *error)
{
    struct gf_npy_header header;
    struct gf_decoder decoder = {.in = &reader->in, .limits = &reader->limits};
    GF_TRY(gf_npy_read_header(&decoder, &header, error));
    GF_TRY(choose_type(reader, &header, error));
    if (header.dims != 1 && (header.dims != 2 || options->matrix == GF_SIGNAL_NO_MATRIX)) {
        return gf_fail(error, GF_ERROR_INPUT, "%s: an array of %d dimensions is no signal%s",
                       reader->in.label, header.dims,
                       header.dims == 2 ? " unless it is said whether its rows or its columns are channels"
                                        : "");
    }
    const bool rows = header.dims == 2 && options->matrix == GF_SIGNAL_MATRIX_ROWS;
    const int64_t channels = header.dims == 1 ? 1 : header.dim[!rows], frames = header.dim[rows];
    if (channels < 1 || channels > GF_SIGNAL_MAX_CHANNELS) {
        return gf_fail(error, GF_ERROR_INPUT,
                       "%s: shape (%" PRId64 ", %" PRId64 "): %" PRId64
                       " %s cannot be channels, of which there are 1 to %d",
                       reader->in.label, header.dim[0], header.dim[1], channels, rows ? "rows" : "columns",
                       GF_SIGNAL_MAX_CHANNELS);
    }
    reader->info.channels = (int32_t)channels;
    GF_TRY(gf_signal_expect(reader, frames, (uint64_t)(channels * reader->samples.size), error));
    return channels > 1 && rows != header.fortran ? hold(reader, frames, error) : GF_OK;
}

static gf_status read_npy(gf_signal_reader *reader, float *data, int64_t pitch, int64_t frames, int64_t *got,
                          gf_error *error)
{
    if (reader->state == NULL) {
        return gf_samples_read(reader, data, pitch, frames, got, error);
    }
    const int32_t size = reader->samples.size;
    uint8_t *from = (uint8_t *)reader->state + (reader->all - reader->left) * size;
    *got = frames < reader->left ? frames : reader->left;
    for (int32_t c = 0; c < reader->info.channels; c++, from += reader->all * size) {
        for (int64_t i = 0; i < *got; i += GF_SIGNAL_PIECE / 8) {
            const int64_t now = *got - i < GF_SIGNAL_PIECE / 8 ? *got - i : GF_SIGNAL_PIECE / 8;
            memcpy(reader->piece, from + i * size, (size_t)(now * size));
            gf_samples_take(&reader->samples, reader->piece, 1, now, data + c * pitch + i, pitch);
        }
    }
    reader->left -= *got;
    return GF_OK;
}

static void close_npy(gf_signal_reader *reader)
{
    free(reader->state);
}

static bool put_header(gf_signal_writer *writer, int64_t frames, bool over)
{
    char text[GF_NPY_HEADER_SIZE];
    const gf_depth depth = writer->samples.sample == GF_SIGNAL_F32 ? GF_F32 : GF_F64;
    const gf_shape one = {frames, 1, 1, depth}, several = {writer->channels, frames, 1, depth};
    const size_t size =
        gf_npy_make_header(writer->channels == 1 ? &one : &several, writer->channels > 1, text);
    return (over ? gf_bytes_out_patch : gf_bytes_out_write)(&writer->out, text, size);
}

static gf_status begin_npy(gf_signal_writer *writer, const gf_signal_write_options *options, gf_error *error)
{
    if (options->frames < 0 && writer->out.through) {
        return gf_fail(
            error, GF_ERROR_UNSUPPORTED,
            "%s: an npy begins with its size, which is not known yet; write to a file, or as wav or csv",
            writer->out.label);
    }
    writer->samples.swap = !gf_host_is_little();
    return put_header(writer, options->frames < 0 ? 0 : options->frames, false)
               ? GF_OK
               : gf_bytes_out_fail(&writer->out, error);
}

static gf_status end_npy(gf_signal_writer *writer, gf_error *error)
{
    return writer->promised >= 0 || put_header(writer, writer->written, true)
               ? GF_OK
               : gf_bytes_out_fail(&writer->out, error);
}

const struct gf_signal_codec gf_signal_codec_npy = {
    .format = {"npy", "npy",
               "NumPy array of shape (frames,) or (frames, channels): f32, f64; numbers of any type are read",
               1u << GF_SIGNAL_F32 | 1u << GF_SIGNAL_F64, 0},
    .open = open_npy,
    .read = read_npy,
    .close = close_npy,
    .begin = begin_npy,
    .write = gf_samples_write,
    .end = end_npy,
};
