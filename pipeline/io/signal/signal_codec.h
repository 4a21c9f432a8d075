/* What the formats of signals share: a file that is being read or written, and what each of them does. */
#pragma once

#include "gpufilter/signal_io.h"
#include "io/bytes_out.h"
#include "io/npy_convert.h"

#include <stdbool.h>

#define GF_SIGNAL_PIECE ((int64_t)1 << 16) /* bytes of samples on their way, at least a frame */

/* Bits of gf_signal_format.samples: all that have a size. */
#define GF_SIGNAL_BINARY (((2u << GF_SIGNAL_F64) - 1) & ~((1u << GF_SIGNAL_U8) - 1))

/* How samples lie in a file, channel beside channel. */
struct gf_samples {
    gf_signal_sample sample;
    int32_t size, bits;    /* bytes that one takes, and how many of its bits count */
    int swap;              /* its bytes come in the order that `get` and gf_samples_write do not know */
    gf_npy_converter *get; /* to f32 */
};

struct gf_signal_reader {
    struct gf_bytes_in in;
    gf_io_limits limits;
    gf_signal_info info;
    const struct gf_signal_codec *codec;
    struct gf_samples samples;
    uint64_t begin;    /* where the first frame lies; filled in where `open` does not */
    int64_t all, left; /* frames that come and are still to come; -1: up to the end of the file */
    uint64_t spare;    /* bytes behind the last frame that belong to it */
    void *state;       /* the codec's own */
    bool failed, ended;
    char note[256];
    uint8_t piece[GF_SIGNAL_PIECE];
};

struct gf_signal_writer {
    struct gf_bytes_out out;
    gf_write_options file;
    const struct gf_signal_codec *codec;
    struct gf_samples samples;
    int32_t channels;
    uint32_t speakers;
    double rate;
    int64_t promised, written, clipped; /* frames, -1: not known; frames; samples */
    void *state;                        /* the codec's own */
    bool failed;
    uint8_t piece[GF_SIGNAL_PIECE];
};

struct gf_signal_codec {
    gf_signal_format format;
    /* Reads the header: info (but for rate and names from elsewhere), left, samples, state. */
    gf_status (*open)(gf_signal_reader *reader, const gf_signal_read_options *options, gf_error *error);
    /* Reads up to `frames` frames, fewer only at the end of the signal. */
    gf_status (*read)(gf_signal_reader *reader, float *data, int64_t pitch, int64_t frames, int64_t *got,
                      gf_error *error);
    /* Reads the rest of the file; what the state must know when the first frame comes again; frees the
     * state. Each may be NULL. */
    gf_status (*finish)(gf_signal_reader *reader, gf_error *error);
    void (*again)(gf_signal_reader *reader);
    void (*close)(gf_signal_reader *reader);
    /* Chooses samples, writes the header, frames, and the end. All but `write` may be NULL, which is for what
     * is only read. */
    gf_status (*choose)(gf_signal_writer *writer, const gf_signal_write_options *options, gf_error *error);
    gf_status (*begin)(gf_signal_writer *writer, const gf_signal_write_options *options, gf_error *error);
    gf_status (*write)(gf_signal_writer *writer, const float *data, int64_t pitch, int64_t frames,
                       gf_error *error);
    gf_status (*end)(gf_signal_writer *writer, gf_error *error);
    void (*discard)(gf_signal_writer *writer); /* frees the state, whatever happened before */
};

extern const struct gf_signal_codec gf_signal_codec_flac, gf_signal_codec_wav, gf_signal_codec_w64,
    gf_signal_codec_npy, gf_signal_codec_csv, gf_signal_codec_tsv, gf_signal_codec_raw;

/* The codec called `name`, of the path's suffix where that is NULL; what is wrong is in `error`. */
gf_status gf_signal_codec_for(const char *path, const char *name, const struct gf_signal_codec **out,
                              gf_error *error);

/* The codec that the first bytes tell; or NULL. */
const struct gf_signal_codec *gf_signal_codec_sniff(const uint8_t *head, size_t size);

/* Fills in how samples of a kind that has a size are read and written. */
void gf_samples_of(gf_signal_sample sample, bool big_endian, struct gf_samples *samples);

/* "s16le:48000:2" into samples, rate (0: not told) and channels (0: not told). */
gf_status gf_signal_raw_parse(const char *text, struct gf_samples *samples, double *rate, int32_t *channels,
                              gf_error *error);

/* Turns each of `count` numbers of `size` bytes round. */
void gf_swap_bytes(uint8_t *bytes, int64_t count, int32_t size);

/* Brings `count` frames at `from`, channel beside channel, to their places. Bytes may change their order. */
void gf_samples_take(const struct gf_samples *samples, uint8_t *from, int32_t channels, int64_t count,
                     float *data, int64_t pitch);

/* gf_signal_codec.read and write, of samples as gf_samples says. */
gf_status gf_samples_read(gf_signal_reader *reader, float *data, int64_t pitch, int64_t frames, int64_t *got,
                          gf_error *error);
gf_status gf_samples_write(gf_signal_writer *writer, const float *data, int64_t pitch, int64_t frames,
                           gf_error *error);

/* gf_signal_codec.begin and write, of text. */
gf_status gf_text_signal_begin(gf_signal_writer *writer, const gf_signal_write_options *options,
                               gf_error *error);
gf_status gf_text_signal_write(gf_signal_writer *writer, const float *data, int64_t pitch, int64_t frames,
                               gf_error *error);

/* Says how many frames there will be, and fails where the input is known to have fewer. */
gf_status gf_signal_expect(gf_signal_reader *reader, int64_t frames, uint64_t frame_bytes, gf_error *error);

/* Skips `size` bytes; returns how many there were. */
uint64_t gf_signal_skip(gf_signal_reader *reader, uint64_t size);

/* A number of `size` bytes, the lowest first. */
static inline uint64_t gf_little(const uint8_t *bytes, int size)
{
    uint64_t value = 0;
    for (int i = 0; i < size; i++) {
        value |= (uint64_t)bytes[i] << (8 * i);
    }
    return value;
}

/* An integer sample, of which `full` is full scale, to nearest, ties to even; NaN is 0. The product is exact.
 */
static inline int32_t gf_quantise(float value, double full, int64_t *clipped)
{
    const double exact = (double)value * full, near = exact + 0x1.8p52 - 0x1.8p52;
    if (near >= -full && near < full) {
        return (int32_t)near;
    }
    *clipped += 1;
    return near > 0 ? (int32_t)(full - 1) : near < 0 ? (int32_t)-full : 0;
}

/* Tells whether reading failed, or met a limit, and did not just come to the end. */
static inline bool gf_signal_in_broken(const struct gf_bytes_in *in)
{
    return in->errno_seen != 0 || in->over_limit || in->failed.code != GF_OK;
}

/* Where the next byte lies. */
static inline uint64_t gf_signal_at(const struct gf_bytes_in *in)
{
    return in->taken - (in->end - in->begin);
}
