/* WAV, written: RIFF, or RF64 where the file is larger than RIFF can say. The header always has the same
 * size, with room for RF64's chunk of sizes, so that it can be written over once the number of frames is
 * known. */
#include "io/signal/wav.h"

#include "base/status.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define UNKNOWN 0xffffffffu

enum { MOST = 128 }; /* bytes of a header */

struct header {
    uint8_t bytes[MOST];
    size_t size;
};

static void put_number(struct header *header, uint64_t value, int size)
{
    for (int i = 0; i < size; i++) {
        header->bytes[header->size++] = (uint8_t)(value >> (8 * i));
    }
}

static void put_name(struct header *header, const char *name, uint64_t size)
{
    memcpy(header->bytes + header->size, name, 4);
    header->size += 4;
    put_number(header, size, 4);
}

static void put_format(struct header *header, const gf_signal_writer *writer)
{
    static const uint8_t guid[14] = {0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71};
    const struct gf_samples *samples = &writer->samples;
    const bool is_float = samples->sample >= GF_SIGNAL_F32;
    const bool extended = writer->channels > 2 || writer->speakers != 0 || samples->bits != 8 * samples->size;
    const uint32_t tag = is_float ? GF_WAV_FLOAT : GF_WAV_PCM;
    const uint32_t frame = (uint32_t)(writer->channels * samples->size);
    const double bytes = writer->rate * frame; /* a second */
    put_name(header, "fmt ", extended ? 40 : is_float ? 18 : 16);
    put_number(header, extended ? GF_WAV_EXTENSIBLE : tag, 2);
    put_number(header, (uint32_t)writer->channels, 2);
    put_number(header, (uint32_t)writer->rate, 4);
    put_number(header, bytes < UNKNOWN ? (uint32_t)bytes : UNKNOWN, 4);
    put_number(header, frame, 2);
    put_number(header, (uint32_t)(8 * samples->size), 2);
    if (extended) {
        put_number(header, 22, 2);
        put_number(header, (uint32_t)samples->bits, 2);
        put_number(header, writer->speakers, 4);
        put_number(header, tag, 2);
        memcpy(header->bytes + header->size, guid, sizeof guid);
        header->size += sizeof guid;
    } else if (is_float) {
        put_number(header, 0, 2);
    }
}

/* frames -1: as many as come. */
static void make_header(const gf_signal_writer *writer, int64_t frames, struct header *header)
{
    const uint64_t data =
        frames < 0 ? UNKNOWN : (uint64_t)frames * (uint64_t)(writer->channels * writer->samples.size);
    const bool is_float = writer->samples.sample >= GF_SIGNAL_F32;
    header->size = 12 + 36; /* of what stands before, written when its sizes are known */
    put_format(header, writer);
    if (is_float) {
        put_name(header, "fact", 4);
        put_number(header, frames < 0 || frames > UNKNOWN ? UNKNOWN : (uint64_t)frames, 4);
    }
    const uint64_t all = header->size + data + (data & 1); /* what follows RIFF's size */
    const bool large = frames >= 0 && all >= UNKNOWN;
    put_name(header, "data", large ? UNKNOWN : data);
    const size_t size = header->size;
    header->size = 0;
    put_name(header, large ? "RF64" : "RIFF", large || frames < 0 ? UNKNOWN : all);
    memcpy(header->bytes + 8, "WAVE", 4);
    header->size = 12;
    put_name(header, large ? "ds64" : "JUNK", 28);
    put_number(header, large ? all : 0, 8);
    put_number(header, large ? data : 0, 8);
    put_number(header, large ? (uint64_t)frames : 0, 8);
    put_number(header, 0, 4);
    header->size = size;
}

static gf_status check_rate(const gf_signal_writer *writer, gf_error *error)
{
    const double rate = writer->rate;
    if (rate == 0) {
        return gf_fail(
            error, GF_ERROR_UNSUPPORTED,
            "%s: a WAV says its rate, and the signal has none: give one, or write csv, npy or raw samples",
            writer->out.label);
    }
    if (rate != floor(rate) || rate > UNKNOWN) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED,
                       "%s: a rate in WAV is a whole number of Hz up to %" PRIu32
                       "; the nearest are %.0f and %.0f",
                       writer->out.label, UNKNOWN, rate > UNKNOWN ? UNKNOWN - 1.0 : floor(rate),
                       rate > UNKNOWN ? UNKNOWN : ceil(rate));
    }
    return GF_OK;
}

gf_status gf_wav_begin(gf_signal_writer *writer, const gf_signal_write_options *options, gf_error *error)
{
    struct header header = {.size = 0};
    GF_TRY(check_rate(writer, error));
    if (options->frames > INT64_MAX / GF_SIGNAL_PIECE) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED, "%s: %" PRId64 " frames are too many", writer->out.label,
                       options->frames);
    }
    make_header(writer, options->frames, &header);
    return gf_bytes_out_write(&writer->out, header.bytes, header.size)
               ? GF_OK
               : gf_bytes_out_fail(&writer->out, error);
}

gf_status gf_wav_end(gf_signal_writer *writer, gf_error *error)
{
    struct header header = {.size = 0};
    const bool odd = writer->written * writer->channels * writer->samples.size % 2 == 1;
    bool good = true;
    make_header(writer, writer->written, &header);
    if (odd && !(writer->out.through && writer->promised < 0)) {
        good = gf_bytes_out_write(&writer->out, "", 1);
    }
    if (good && writer->promised < 0 && !writer->out.through) {
        good = gf_bytes_out_patch(&writer->out, header.bytes, header.size);
    }
    return good ? GF_OK : gf_bytes_out_fail(&writer->out, error);
}
