/* Samples of files to f32 and back. */
#include "io/signal/signal_codec.h"

#include "base/status.h"

#include <inttypes.h>
#include <string.h>

/* `value`: of the sample at `s`. */
#define DEFINE_GET(name, value)                                                                              \
    static void name(const uint8_t *s, int64_t step, uint8_t *to, int64_t to_step, int64_t count)            \
    {                                                                                                        \
        for (int64_t i = 0; i < count; i++, s += step, to += to_step) {                                      \
            const float sample = (value);                                                                    \
            memcpy(to, &sample, sizeof sample);                                                              \
        }                                                                                                    \
    }

DEFINE_GET(get_u8, (float)(s[0] - 128) * 0x1p-7f)
DEFINE_GET(get_s8, (float)(int8_t)s[0] * 0x1p-7f)
DEFINE_GET(get_s16, (float)(int16_t)gf_little(s, 2) * 0x1p-15f)
DEFINE_GET(get_s24, (float)(int32_t)(uint32_t)(gf_little(s, 3) << 8) * 0x1p-31f)
DEFINE_GET(get_s32, (float)(int32_t)gf_little(s, 4) * 0x1p-31f)

static void get_f32(const uint8_t *s, int64_t step, uint8_t *to, int64_t to_step, int64_t count)
{
    for (int64_t i = 0; i < count; i++, s += step, to += to_step) {
        const uint32_t bits = (uint32_t)gf_little(s, 4);
        memcpy(to, &bits, sizeof bits);
    }
}

static float from_f64(const uint8_t *s)
{
    const uint64_t bits = gf_little(s, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    return (float)value;
}

DEFINE_GET(get_f64, from_f64(s))

static const struct {
    const char *name;
    struct gf_samples is;
} kinds[] = {
    [GF_SIGNAL_DEFAULT] = {"default", {GF_SIGNAL_DEFAULT, 0, 0, 0, NULL}},
    [GF_SIGNAL_U8] = {"u8", {GF_SIGNAL_U8, 1, 8, 0, get_u8}},
    [GF_SIGNAL_S8] = {"s8", {GF_SIGNAL_S8, 1, 8, 0, get_s8}},
    [GF_SIGNAL_S16] = {"s16", {GF_SIGNAL_S16, 2, 16, 0, get_s16}},
    [GF_SIGNAL_S24] = {"s24", {GF_SIGNAL_S24, 3, 24, 0, get_s24}},
    [GF_SIGNAL_S32] = {"s32", {GF_SIGNAL_S32, 4, 32, 0, get_s32}},
    [GF_SIGNAL_F32] = {"f32", {GF_SIGNAL_F32, 4, 32, 0, get_f32}},
    [GF_SIGNAL_F64] = {"f64", {GF_SIGNAL_F64, 8, 64, 0, get_f64}},
    [GF_SIGNAL_TEXT] = {"text", {GF_SIGNAL_TEXT, 0, 0, 0, NULL}},
    [GF_SIGNAL_NUMBER] = {"number", {GF_SIGNAL_NUMBER, 0, 0, 0, NULL}},
};

const char *gf_signal_sample_name(gf_signal_sample sample)
{
    return (size_t)sample < sizeof kinds / sizeof kinds[0] ? kinds[sample].name : "?";
}

void gf_samples_of(gf_signal_sample sample, bool big_endian, struct gf_samples *samples)
{
    *samples = kinds[sample].is;
    samples->swap = big_endian && samples->size > 1;
}

void gf_swap_bytes(uint8_t *bytes, int64_t count, int32_t size)
{
    for (uint8_t *s = bytes; count > 0; count--, s += size) {
        for (int32_t i = 0, j = size - 1; i < j; i++, j--) {
            const uint8_t held = s[i];
            s[i] = s[j];
            s[j] = held;
        }
    }
}

void gf_samples_take(const struct gf_samples *samples, uint8_t *from, int32_t channels, int64_t count,
                     float *data, int64_t pitch)
{
    if (samples->swap) {
        gf_swap_bytes(from, count * channels, samples->size);
    }
    for (int32_t c = 0; c < channels; c++) {
        samples->get(from + (int64_t)c * samples->size, (int64_t)channels * samples->size,
                     (uint8_t *)(data + c * pitch), sizeof(float), count);
    }
}

static gf_status fail_missing(const gf_signal_reader *reader, int64_t missing, gf_error *error)
{
    return gf_fail(error, GF_ERROR_INPUT, "%s: ends early: %" PRId64 " of %" PRId64 " frames are missing",
                   reader->in.label, missing, reader->info.frames);
}

gf_status gf_signal_expect(gf_signal_reader *reader, int64_t frames, uint64_t frame_bytes, gf_error *error)
{
    const uint64_t there = gf_bytes_in_left(&reader->in) / frame_bytes;
    reader->info.frames = reader->left = frames;
    return there >= (uint64_t)frames ? GF_OK : fail_missing(reader, frames - (int64_t)there, error);
}

/* What follows too few bytes: `over` are of a frame that is not whole. */
static gf_status ended(gf_signal_reader *reader, int64_t over, gf_error *error)
{
    if (gf_signal_in_broken(&reader->in)) {
        return gf_bytes_in_fail(&reader->in, "the samples", error);
    }
    if (reader->left > 0) {
        return fail_missing(reader, reader->left, error);
    }
    reader->left = 0;
    /* A WAV without a size may end with the byte that makes a chunk's size even. */
    const bool padded = over == 1 && reader->codec->finish != NULL && reader->piece[0] == 0 &&
                        reader->info.channels * reader->samples.size % 2 == 1;
    return over == 0 || padded
               ? GF_OK
               : gf_fail(error, GF_ERROR_INPUT,
                         "%s: ends within a frame, %" PRId64 " bytes behind the last whole one",
                         reader->in.label, over);
}

gf_status gf_samples_read(gf_signal_reader *reader, float *data, int64_t pitch, int64_t frames, int64_t *got,
                          gf_error *error)
{
    const int64_t frame = (int64_t)reader->info.channels * reader->samples.size;
    while (*got < frames && reader->left != 0) {
        int64_t now = frames - *got < GF_SIGNAL_PIECE / frame ? frames - *got : GF_SIGNAL_PIECE / frame;
        now = reader->left > 0 && reader->left < now ? reader->left : now;
        const int64_t size = (int64_t)gf_bytes_in_read(&reader->in, reader->piece, (size_t)(now * frame));
        const int64_t whole = size / frame;
        gf_samples_take(&reader->samples, reader->piece, reader->info.channels, whole, data + *got, pitch);
        *got += whole;
        reader->left -= reader->left > 0 ? whole : 0;
        if (whole < now) {
            memmove(reader->piece, reader->piece + whole * frame, (size_t)(size % frame));
            return ended(reader, size % frame, error);
        }
    }
    return GF_OK;
}

uint64_t gf_signal_skip(gf_signal_reader *reader, uint64_t size)
{
    uint64_t done = 0;
    for (size_t now = 1; done < size && now > 0; done += now) {
        const uint64_t left = size - done;
        now = gf_bytes_in_read(&reader->in, reader->piece,
                               left < sizeof reader->piece ? (size_t)left : sizeof reader->piece);
    }
    return done;
}

static inline void put_integers(const struct gf_samples *samples, int32_t size, const float *from,
                                int64_t count, uint8_t *to, int64_t step, int64_t *clipped)
{
    const double full = (double)((int64_t)1 << (samples->bits - 1));
    const uint32_t flip = samples->sample == GF_SIGNAL_U8 ? 0x80 : 0;
    for (int64_t i = 0; i < count; i++, to += step) {
        const uint32_t value =
            ((uint32_t)gf_quantise(from[i], full, clipped) << (8 * size - samples->bits)) ^ flip;
        for (int32_t b = 0; b < size; b++) {
            to[b] = (uint8_t)(value >> (8 * b));
        }
    }
}

static void put_floats(int32_t size, const float *from, int64_t count, uint8_t *to, int64_t step)
{
    for (int64_t i = 0; i < count; i++, to += step) {
        const double wide = (double)from[i];
        uint64_t bits = 0;
        uint32_t narrow;
        memcpy(&narrow, &from[i], sizeof narrow);
        memcpy(&bits, &wide, sizeof bits);
        bits = size == 4 ? narrow : bits;
        for (int32_t b = 0; b < size; b++) {
            to[b] = (uint8_t)(bits >> (8 * b));
        }
    }
}

/* One channel; the sizes are told, so that a compiler knows them. */
static void put(const struct gf_samples *samples, const float *from, int64_t count, uint8_t *to, int64_t step,
                int64_t *clipped)
{
    if (samples->sample == GF_SIGNAL_F32) {
        put_floats(4, from, count, to, step);
    } else if (samples->sample == GF_SIGNAL_F64) {
        put_floats(8, from, count, to, step);
    } else if (samples->size == 1) {
        put_integers(samples, 1, from, count, to, step, clipped);
    } else if (samples->size == 2) {
        put_integers(samples, 2, from, count, to, step, clipped);
    } else if (samples->size == 3) {
        put_integers(samples, 3, from, count, to, step, clipped);
    } else {
        put_integers(samples, 4, from, count, to, step, clipped);
    }
}

gf_status gf_samples_write(gf_signal_writer *writer, const float *data, int64_t pitch, int64_t frames,
                           gf_error *error)
{
    const struct gf_samples *samples = &writer->samples;
    const int64_t step = (int64_t)writer->channels * samples->size, most = GF_SIGNAL_PIECE / step;
    for (int64_t done = 0, now; done < frames; done += now) {
        now = frames - done < most ? frames - done : most;
        for (int32_t c = 0; c < writer->channels; c++) {
            put(samples, data + c * pitch + done, now, writer->piece + (int64_t)c * samples->size, step,
                &writer->clipped);
        }
        if (samples->swap) {
            gf_swap_bytes(writer->piece, now * writer->channels, samples->size);
        }
        if (!gf_bytes_out_write(&writer->out, writer->piece, (size_t)(now * step))) {
            return gf_bytes_out_fail(&writer->out, error);
        }
    }
    return GF_OK;
}
