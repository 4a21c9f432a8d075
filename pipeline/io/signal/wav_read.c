/* WAV, read: RIFF, RIFX with the highest byte first, RF64 (EBU Tech 3306) and Sony's Wave64, which has the
 * same chunks under longer names. */
#include "io/codec.h"
#include "io/signal/wav.h"

#include "base/status.h"

#include <inttypes.h>
#include <string.h>

/* How a Wave64 goes on behind the four letters of a chunk, and behind "riff". */
static const uint8_t w64_chunk[12] = {0xf3, 0xac, 0xd3, 0x11, 0x8c, 0xd1, 0, 0xc0, 0x4f, 0x8e, 0xdb, 0x8a};
static const uint8_t w64_riff[12] = {0x2e, 0x91, 0xcf, 0x11, 0xa5, 0xd6, 0x28, 0xdb, 4, 0xc1, 0, 0};

#define STREAMED  UINT64_MAX /* size of a chunk that nobody knew when it was written */
#define SHORT_ONE 0xffffffffu

struct chunk {
    char name[5];
    uint64_t size; /* of what follows, without what makes it even */
};

/* What the chunks before the samples said. */
struct header {
    bool wide, big; /* Wave64; RIFX */
    bool has_format;
    uint64_t file_size, data_size; /* as RIFF says; as ds64 says where there is one */
    uint32_t tag, channels, rate, align, bits, valid, speakers;
};

static gf_status bad(const gf_signal_reader *reader, const char *why, gf_error *error)
{
    return gf_fail(error, GF_ERROR_INPUT, "%s: not a sound WAV: %s", reader->in.label, why);
}

static gf_status take(gf_signal_reader *reader, void *bytes, size_t size, const char *where, gf_error *error)
{
    return gf_bytes_in_read(&reader->in, bytes, size) == size ? GF_OK
                                                              : gf_bytes_in_fail(&reader->in, where, error);
}

static uint64_t padding(bool wide, uint64_t size)
{
    return wide ? -size & 7 : size & 1;
}

/* Makes a chunk of the bytes of its header; false: they are none. */
static bool parse_chunk(uint8_t *bytes, bool wide, bool big, struct chunk *chunk)
{
    gf_swap_bytes(bytes + 4, big, 4);
    memcpy(chunk->name, bytes, 4);
    chunk->name[4] = '\0';
    for (int i = 0; i < 4; i++) {
        if (bytes[i] < ' ' || bytes[i] > '~') {
            return false;
        }
    }
    chunk->size = wide ? gf_little(bytes + 16, 8) - 24 : gf_little(bytes + 4, 4);
    return !wide || (memcmp(bytes + 4, w64_chunk, sizeof w64_chunk) == 0 && chunk->size < INT64_MAX);
}

/* Notes a chunk that is not kept, once; those that only fill up or repeat what is known are no loss. */
static void note_chunk(gf_signal_reader *reader, const char *name)
{
    if (strstr("JUNK junk FLLR PAD  fact fill", name) == NULL && strstr(reader->note, name) == NULL) {
        gf_add_note(reader->note, "%s: not kept", name);
    }
}

static gf_status skip(gf_signal_reader *reader, uint64_t size, const char *name, gf_error *error)
{
    if (gf_signal_skip(reader, size) == size) {
        return GF_OK;
    }
    char where[32] = "chunk ";
    strncat(where, name, 8);
    return gf_bytes_in_fail(&reader->in, where, error);
}

static gf_status read_ds64(gf_signal_reader *reader, const struct chunk *chunk, struct header *header,
                           gf_error *error)
{
    uint8_t bytes[28];
    if (chunk->size < sizeof bytes) {
        return bad(reader, "its ds64 is too short", error);
    }
    GF_TRY(take(reader, bytes, sizeof bytes, "chunk ds64", error));
    header->file_size = gf_little(bytes, 8);
    header->data_size = gf_little(bytes + 8, 8);
    return skip(reader, chunk->size - sizeof bytes + padding(false, chunk->size), "ds64", error);
}

/* Makes the fmt of a RIFX that of a RIFF. Some programs turn the GUID's parts round, others only its tag. */
static void turn_format(uint8_t *bytes)
{
    static const uint8_t ends[] = {0, 2, 4, 8, 12, 14, 16, 18, 20, 24};
    for (size_t i = 0; i + 1 < sizeof ends; i++) {
        gf_swap_bytes(bytes + ends[i], 1, ends[i + 1] - ends[i]);
    }
    const bool parts = bytes[31] != 0;
    gf_swap_bytes(bytes + 24, 1, parts ? 4 : 2);
    gf_swap_bytes(bytes + 28, parts ? 2 : 0, 2);
}

static gf_status read_format(gf_signal_reader *reader, const struct chunk *chunk, struct header *header,
                             gf_error *error)
{
    static const uint8_t guid[14] = {0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71};
    uint8_t bytes[40] = {0};
    const size_t size = chunk->size < sizeof bytes ? (size_t)chunk->size : sizeof bytes;
    if (size < 16 || header->has_format) {
        return bad(reader, size < 16 ? "its fmt is too short" : "it has two fmt", error);
    }
    GF_TRY(take(reader, bytes, size, "chunk fmt", error));
    if (header->big) {
        turn_format(bytes);
    }
    header->has_format = true;
    header->tag = (uint32_t)gf_little(bytes, 2);
    header->channels = (uint32_t)gf_little(bytes + 2, 2);
    header->rate = (uint32_t)gf_little(bytes + 4, 4);
    header->align = (uint32_t)gf_little(bytes + 12, 2);
    header->bits = header->valid = (uint32_t)gf_little(bytes + 14, 2);
    if (header->tag == GF_WAV_EXTENSIBLE) {
        if (size < 40 || memcmp(bytes + 26, guid, sizeof guid) != 0) {
            return bad(reader, "its WAVE_FORMAT_EXTENSIBLE is none", error);
        }
        header->tag = (uint32_t)gf_little(bytes + 24, 2);
        header->valid = (uint32_t)gf_little(bytes + 18, 2);
        header->valid = header->valid != 0 ? header->valid : header->bits;
        header->speakers = (uint32_t)gf_little(bytes + 20, 4);
    }
    return skip(reader, chunk->size - size + padding(header->wide, chunk->size), "fmt", error);
}

static const char *coding(uint32_t tag)
{
    return tag == 2 || tag == 0x11 ? "ADPCM"
           : tag == 6              ? "A-law"
           : tag == 7              ? "mu-law"
           : tag == 0x55           ? "MP3"
                                   : "unknown";
}

/* Samples of fewer bits than they take lie at the upper end of them. */
static gf_status choose_samples(gf_signal_reader *reader, const struct header *header, gf_error *error)
{
    static const gf_signal_sample integers[] = {GF_SIGNAL_U8, GF_SIGNAL_S16, GF_SIGNAL_S24, GF_SIGNAL_S32};
    const uint32_t bytes = (header->bits + 7) / 8;
    if (header->tag != GF_WAV_PCM && header->tag != GF_WAV_FLOAT) {
        return gf_fail(error, GF_ERROR_INPUT,
                       "%s: its samples are coded in format %" PRIu32
                       " (%s), which is not read; valid are PCM and "
                       "IEEE float",
                       reader->in.label, header->tag, coding(header->tag));
    }
    const bool is_float = header->tag == GF_WAV_FLOAT;
    if (is_float ? header->bits != 32 && header->bits != 64 : bytes < 1 || bytes > 4) {
        return gf_fail(error, GF_ERROR_INPUT, "%s: %s of %" PRIu32 " bits is not read; valid are %s",
                       reader->in.label, is_float ? "IEEE float" : "PCM", header->bits,
                       is_float ? "32 and 64" : "1 to 32");
    }
    if (header->channels < 1 || header->channels > GF_SIGNAL_MAX_CHANNELS) {
        return gf_fail(error, GF_ERROR_INPUT, "%s: claims %" PRIu32 " channels; valid are 1 to %d",
                       reader->in.label, header->channels, GF_SIGNAL_MAX_CHANNELS);
    }
    if (header->align != header->channels * bytes || header->valid > header->bits) {
        return gf_fail(error, GF_ERROR_INPUT,
                       "%s: contradicts itself: %" PRIu32 " channels of %" PRIu32 " bits, %" PRIu32
                       " of them valid, in frames of %" PRIu32 " bytes",
                       reader->in.label, header->channels, header->bits, header->valid, header->align);
    }
    const gf_signal_sample floats = header->bits == 32 ? GF_SIGNAL_F32 : GF_SIGNAL_F64;
    gf_samples_of(is_float ? floats : integers[bytes - 1], false, &reader->samples);
    reader->samples.swap = header->big;
    reader->samples.bits = is_float ? (int32_t)header->bits : (int32_t)header->valid;
    reader->info.channels = (int32_t)header->channels;
    reader->info.rate = header->rate;
    reader->info.speakers = header->speakers;
    return GF_OK;
}

/* The size of the samples. Whoever writes to a pipe leaves both sizes 0 or all ones, as ffmpeg does, or has a
 * number of its own for "without an end", as SoX and arecord do. */
static uint64_t size_of_data(const gf_signal_reader *reader, const struct chunk *data,
                             const struct header *header)
{
    const uint64_t there = gf_bytes_in_left(&reader->in);
    const uint64_t size = data->size;
    if (header->wide || (size == SHORT_ONE && header->data_size != 0)) {
        return header->wide ? size : header->data_size;
    }
    const bool unsaid = size == 0 && (header->file_size == 0 || header->file_size == SHORT_ONE);
    const bool endless =
        (size == 0x7ffff000 || size == 0x80000000) && (there == GF_SIZE_UNKNOWN || there < size);
    return unsaid || size == SHORT_ONE || endless ? STREAMED : size;
}

static gf_status begin_data(gf_signal_reader *reader, const struct chunk *data, const struct header *header,
                            gf_error *error)
{
    if (!header->has_format) {
        return bad(reader, "its samples come before the fmt that describes them", error);
    }
    GF_TRY(choose_samples(reader, header, error));
    const uint64_t size = size_of_data(reader, data, header), frame = header->align;
    if (size == STREAMED) {
        gf_add_note(reader->note, "data: was written without a size; read to the end of the file");
        return GF_OK;
    }
    if (size >= INT64_MAX) {
        return bad(reader, "its data has an impossible size", error);
    }
    GF_TRY(gf_signal_expect(reader, (int64_t)(size / frame), frame, error));
    if (size % frame != 0) {
        gf_add_note(reader->note, "data: %d bytes behind the last frame left out", (int)(size % frame));
    }
    reader->spare = size % frame + padding(header->wide, size);
    return GF_OK;
}

static gf_status read_start(gf_signal_reader *reader, struct header *header, gf_error *error)
{
    uint8_t bytes[40];
    GF_TRY(take(reader, bytes, 12, "the WAV header", error));
    header->wide = reader->codec == &gf_signal_codec_w64;
    header->big = memcmp(bytes, "RIFX", 4) == 0;
    gf_swap_bytes(bytes + 4, header->big, 4);
    header->file_size = gf_little(bytes + 4, 4);
    if (header->wide) {
        GF_TRY(take(reader, bytes + 12, 28, "the Wave64 header", error));
        return memcmp(bytes, "riff", 4) == 0 && memcmp(bytes + 4, w64_riff, sizeof w64_riff) == 0 &&
                       memcmp(bytes + 24, "wave", 4) == 0 &&
                       memcmp(bytes + 28, w64_chunk, sizeof w64_chunk) == 0
                   ? GF_OK
                   : bad(reader, "it does not begin as a Wave64", error);
    }
    const bool known = header->big || memcmp(bytes, "RIFF", 4) == 0 || memcmp(bytes, "RF64", 4) == 0 ||
                       memcmp(bytes, "BW64", 4) == 0;
    return known && memcmp(bytes + 8, "WAVE", 4) == 0 ? GF_OK
                                                      : bad(reader, "it does not begin as one", error);
}

static gf_status open_wav(gf_signal_reader *reader, const gf_signal_read_options *options, gf_error *error)
{
    struct header header = {0};
    struct chunk chunk;
    uint8_t bytes[24];
    (void)options;
    GF_TRY(read_start(reader, &header, error));
    for (;;) {
        GF_TRY(take(reader, bytes, header.wide ? 24 : 8, "the chunks before the samples", error));
        if (!parse_chunk(bytes, header.wide, header.big, &chunk)) {
            return bad(reader, "what should be a chunk is none", error);
        }
        if (strcmp(chunk.name, "data") == 0) {
            return begin_data(reader, &chunk, &header, error);
        }
        if (strcmp(chunk.name, "fmt ") == 0) {
            GF_TRY(read_format(reader, &chunk, &header, error));
        } else if (strcmp(chunk.name, "ds64") == 0 && !header.wide && !header.big) {
            GF_TRY(read_ds64(reader, &chunk, &header, error));
        } else {
            note_chunk(reader, chunk.name);
            GF_TRY(skip(reader, chunk.size + padding(header.wide, chunk.size), chunk.name, error));
        }
    }
}

/* Names the chunks behind the samples. All samples are there: what is wrong from here on is only noted. */
static gf_status finish_wav(gf_signal_reader *reader, gf_error *error)
{
    const bool wide = reader->codec == &gf_signal_codec_w64;
    const size_t size = wide ? 24 : 8;
    struct chunk chunk;
    uint8_t bytes[24];
    uint64_t left = reader->spare;
    for (bool sound = gf_signal_skip(reader, left) == left; sound;) {
        const size_t got = gf_bytes_in_read(&reader->in, bytes, size);
        sound = got == size && parse_chunk(bytes, wide, reader->samples.swap, &chunk);
        if (sound) {
            note_chunk(reader, chunk.name);
            left = chunk.size + padding(wide, chunk.size);
            sound = gf_signal_skip(reader, left) >= chunk.size;
        }
        if (!sound && got > 0) {
            gf_add_note(reader->note, "bytes behind the samples that are no chunk");
            gf_signal_skip(reader, UINT64_MAX);
        }
    }
    return gf_signal_in_broken(&reader->in)
               ? gf_bytes_in_fail(&reader->in, "the chunks behind the samples", error)
               : GF_OK;
}

const struct gf_signal_codec gf_signal_codec_wav = {
    .format = {"wav", "wav wave rf64 bwf", "WAV: u8, s16, s24, s32, f32, f64; RIFF, or RF64 beyond 4 GiB",
               GF_SIGNAL_BINARY & ~(1u << GF_SIGNAL_S8), 1},
    .open = open_wav,
    .read = gf_samples_read,
    .finish = finish_wav,
    .begin = gf_wav_begin,
    .write = gf_samples_write,
    .end = gf_wav_end,
};

const struct gf_signal_codec gf_signal_codec_w64 = {
    .format = {"w64", "w64", "Sony's Wave64: what WAV holds; only read", 0, 1},
    .open = open_wav,
    .read = gf_samples_read,
    .finish = finish_wav,
};
