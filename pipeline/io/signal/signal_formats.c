/* The formats of signals: which there are, and which one a name, a suffix or the first bytes tell; and the
 * text that describes raw samples. */
#include "io/codec.h"
#include "io/signal/signal_codec.h"

#include "base/status.h"
#include "base/text.h"

#include <math.h>
#include <string.h>
#include <strings.h>

static const struct gf_signal_codec *const codecs[] = {
    &gf_signal_codec_wav, &gf_signal_codec_w64, &gf_signal_codec_flac, &gf_signal_codec_npy,
    &gf_signal_codec_csv, &gf_signal_codec_tsv, &gf_signal_codec_raw};

enum { CODECS = sizeof codecs / sizeof codecs[0] };

#define VALID "valid are wav, w64, flac, npy, csv, tsv, and for raw samples one as s16le:48000:2"

const gf_signal_format *gf_signal_io_format(size_t index)
{
    return index < CODECS ? &codecs[index]->format : NULL;
}

gf_status gf_signal_codec_for(const char *path, const char *name, const struct gf_signal_codec **out,
                              gf_error *error)
{
    char label[GF_LABEL_SIZE], shown[GF_LABEL_SIZE];
    gf_label(label, path, "standard stream");
    if (name != NULL && strcspn(name, ":") < strlen(name)) {
        name = "raw";
    }
    const char *word = name != NULL ? name : gf_suffix(path);
    for (size_t i = 0; i < CODECS; i++) {
        const gf_signal_format *format = &codecs[i]->format;
        if (name != NULL ? strcasecmp(format->name, word) == 0 : gf_listed(format->suffixes, word)) {
            *out = codecs[i];
            return GF_OK;
        }
    }
    struct gf_samples samples;
    double rate;
    int32_t channels;
    if (name != NULL && gf_signal_raw_parse(name, &samples, &rate, &channels, NULL) == GF_OK) {
        *out = &gf_signal_codec_raw;
        return GF_OK;
    }
    gf_label(shown, word, "-");
    return word[0] == '\0' ? gf_fail(error, GF_ERROR_UNSUPPORTED,
                                     "%s: no suffix tells the format of the signal; " VALID, label)
                           : gf_fail(error, GF_ERROR_UNSUPPORTED,
                                     "%.200s: \"%.64s\" is no format of signals; " VALID, label, shown);
}

gf_status gf_signal_io_format_for(const char *path, const char *name, const gf_signal_format **out,
                                  gf_error *error)
{
    const struct gf_signal_codec *codec = NULL;
    if (path == NULL || out == NULL) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "gf_signal_io_format_for: path or out is NULL");
    }
    GF_TRY(gf_signal_codec_for(path, name, &codec, error));
    *out = &codec->format;
    return GF_OK;
}

const struct gf_signal_codec *gf_signal_codec_sniff(const uint8_t *head, size_t size)
{
    static const struct {
        const char *first, *at_8;
        const struct gf_signal_codec *codec;
    } known[] = {{"RIFF", "WAVE", &gf_signal_codec_wav},
                 {"RF64", "WAVE", &gf_signal_codec_wav},
                 {"BW64", "WAVE", &gf_signal_codec_wav},
                 {"RIFX", "WAVE", &gf_signal_codec_wav},
                 {"riff", "\xa5\xd6\x28\xdb", &gf_signal_codec_w64},
                 {"fLaC", "", &gf_signal_codec_flac},
                 {"\x93NUM", "", &gf_signal_codec_npy}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const size_t more = strlen(known[i].at_8);
        if (size >= 8 + more && memcmp(head, known[i].first, 4) == 0 &&
            memcmp(head + 8, known[i].at_8, more) == 0) {
            return known[i].codec;
        }
    }
    return NULL;
}

const gf_signal_format *gf_signal_io_format_of(const void *head, size_t size)
{
    const struct gf_signal_codec *codec = head != NULL ? gf_signal_codec_sniff(head, size) : NULL;
    return codec != NULL ? &codec->format : NULL;
}

/* "s16", "s16le" or "s16be". */
static bool parse_sample(const char *text, size_t length, struct gf_samples *samples)
{
    for (int sample = GF_SIGNAL_U8; sample <= GF_SIGNAL_F64; sample++) {
        const char *name = gf_signal_sample_name((gf_signal_sample)sample);
        const size_t n = strlen(name), order = length - n;
        if (length < n || memcmp(text, name, n) != 0) {
            continue;
        }
        gf_samples_of((gf_signal_sample)sample, order == 2 && text[n] == 'b', samples);
        return samples->size == 1
                   ? order == 0
                   : order == 2 && (memcmp(text + n, "le", 2) == 0 || memcmp(text + n, "be", 2) == 0);
    }
    return false;
}

gf_status gf_signal_raw_parse(const char *text, struct gf_samples *samples, double *rate, int32_t *channels,
                              gf_error *error)
{
    const size_t sample = strcspn(text, ":");
    const char *at = text + sample;
    double count = 0;
    *rate = 0;
    bool good = parse_sample(text, sample, samples);
    if (good && *at == ':') {
        const size_t length = gf_number_read(at + 1, strlen(at + 1), rate);
        at += 1 + length;
        good = length > 0 && *rate > 0 && isfinite(*rate);
        if (strncmp(at, "kHz", 3) == 0) {
            *rate *= 1000;
            at += 3;
        }
    }
    if (good && *at == ':') {
        const size_t length = gf_number_read(at + 1, strlen(at + 1), &count);
        at += 1 + length;
        good = length > 0 && count >= 1 && count <= GF_SIGNAL_MAX_CHANNELS && count == floor(count);
    }
    *channels = (int32_t)count;
    return good && *at == '\0'
               ? GF_OK
               : gf_fail(
                     error, GF_ERROR_UNSUPPORTED,
                     "\"%.100s\" describes no raw samples; they are SAMPLE:RATE:CHANNELS, as s16le:48000:2, "
                     "SAMPLE u8, s8, or s16, s24, s32, f32 or f64 with le or be, 1 to %d channels",
                     text, GF_SIGNAL_MAX_CHANNELS);
}

static gf_status open_raw(gf_signal_reader *reader, const gf_signal_read_options *options, gf_error *error)
{
    if (options->format == NULL || strcasecmp(options->format, "raw") == 0) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "%s: raw samples need a format as s16le:48000:2",
                       reader->in.label);
    }
    GF_TRY(gf_signal_raw_parse(options->format, &reader->samples, &reader->info.rate, &reader->info.channels,
                               error));
    reader->info.channels += reader->info.channels == 0;
    const uint64_t left = gf_bytes_in_left(&reader->in);
    if (left != GF_SIZE_UNKNOWN) {
        reader->info.frames = (int64_t)(left / (uint64_t)(reader->info.channels * reader->samples.size));
    }
    return GF_OK;
}

static gf_status choose_raw(gf_signal_writer *writer, const gf_signal_write_options *options, gf_error *error)
{
    struct gf_samples samples;
    double rate = 0;
    int32_t channels = 0;
    if (options->format == NULL || strcasecmp(options->format, "raw") == 0) {
        return GF_OK; /* f32, or options->sample, least byte first */
    }
    GF_TRY(gf_signal_raw_parse(options->format, &samples, &rate, &channels, error));
    if ((rate != 0 && rate != writer->rate) || (channels != 0 && channels != writer->channels) ||
        (options->sample != GF_SIGNAL_DEFAULT && options->sample != samples.sample)) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "%s: format %.64s is not that of the signal, of %d channels",
                       writer->out.label, options->format, (int)writer->channels);
    }
    writer->samples = samples;
    return GF_OK;
}

const struct gf_signal_codec gf_signal_codec_raw = {
    .format = {"raw", "", "samples and nothing else, as a text says: s16le:48000:2", GF_SIGNAL_BINARY, 0},
    .open = open_raw,
    .read = gf_samples_read,
    .choose = choose_raw,
    .write = gf_samples_write,
};
