/* Reading signals: open a file, memory or a function, know the format, deliver frames. */
#include "io/codec.h"
#include "io/signal/signal_codec.h"

#include "base/sized.h"
#include "base/status.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What nobody has named, a suffix does not tell, and is text, is taken for numbers. */
static bool is_text(const uint8_t *head, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (head[i] < ' ' && (head[i] < '\t' || head[i] > '\r')) {
            return false;
        }
    }
    return size > 0;
}

static gf_status choose_codec(gf_signal_reader *reader, const char *path, const char *format, gf_error *error)
{
    const uint8_t *head;
    const size_t size = gf_bytes_in_peek(&reader->in, &head, GF_SNIFF_SIZE);
    if (format != NULL) {
        return gf_signal_codec_for(path, format, &reader->codec, error);
    }
    reader->codec = gf_signal_codec_sniff(head, size);
    if (reader->codec != NULL) {
        return GF_OK;
    }
    if (gf_signal_in_broken(&reader->in)) {
        return gf_bytes_in_fail(&reader->in, "the first bytes", error);
    }
    if (size == 0) {
        return gf_fail(error, GF_ERROR_INPUT, "%s: is empty", reader->in.label);
    }
    const struct gf_signal_codec *by_suffix = NULL;
    const gf_status status = gf_signal_codec_for(path, NULL, &by_suffix, NULL);
    if (is_text(head, size)) {
        reader->codec = status == GF_OK ? by_suffix : &gf_signal_codec_csv;
        if (reader->codec->format.samples == 1u << GF_SIGNAL_TEXT) {
            return GF_OK;
        }
    }
    return by_suffix != NULL ? gf_fail(error, GF_ERROR_INPUT, "%s: is not the %s that its name says",
                                       reader->in.label, by_suffix->format.name)
                             : gf_fail(error, GF_ERROR_INPUT,
                                       "%s: not a signal that is known by its first bytes (wav, w64, npy, or "
                                       "csv and tsv as text); raw samples need a format as s16le:48000:2",
                                       reader->in.label);
}

static gf_status choose_rate(gf_signal_reader *reader, double given, gf_error *error)
{
    if (given < 0 || !isfinite(given)) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "%s: a rate of %s Hz is given; it must be above 0",
                       reader->in.label, given < 0 ? "less than 0" : "no");
    }
    if (reader->info.rate != 0 && given != 0 && given != reader->info.rate) {
        return gf_fail(error, GF_ERROR_INPUT, "%s: says that its rate is %lld Hz, and another one is given",
                       reader->in.label, (long long)reader->info.rate);
    }
    reader->info.rate += reader->info.rate == 0 ? given : 0;
    return GF_OK;
}

static gf_status open_codec(gf_signal_reader *reader, const char *path, const gf_signal_read_options *options,
                            gf_error *error)
{
    GF_TRY(choose_codec(reader, path, options->format, error));
    reader->info.format = &reader->codec->format;
    if (options->columns != NULL && reader->info.format->samples != 1u << GF_SIGNAL_TEXT) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "%s: columns are of csv and tsv, and this is %s",
                       reader->in.label, reader->info.format->name);
    }
    reader->info.file_bytes = reader->in.size == GF_SIZE_UNKNOWN ? 0 : reader->in.size;
    reader->info.repeats = reader->in.is_memory || reader->in.start >= 0;
    GF_TRY(reader->codec->open(reader, options, error));
    reader->info.sample = reader->info.sample == 0 ? reader->samples.sample : reader->info.sample;
    reader->info.bits = reader->samples.bits;
    reader->begin = reader->begin == 0 ? gf_signal_at(&reader->in) : reader->begin;
    reader->all = reader->left;
    return choose_rate(reader, options->rate, error);
}

static gf_status create(const struct gf_origin *from, const gf_signal_read_options *given,
                        gf_signal_reader **out, gf_error *error)
{
    if (out == NULL) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "%s: reader is NULL", from->call);
    }
    *out = NULL;
    gf_signal_read_options options = GF_SIGNAL_READ_OPTIONS_INIT;
    static const struct gf_sized sized = GF_SIZED(gf_signal_read_options, limits);
    GF_TRY(given != NULL ? gf_struct_in(&sized, given, &options, error) : GF_OK);
    gf_io_limits limits = GF_IO_LIMITS_INIT;
    limits.max_input_bytes = INT64_MAX;
    GF_TRY(options.limits != NULL ? gf_limits_take(options.limits, &limits, error) : GF_OK);
    gf_signal_reader *reader = calloc(1, sizeof *reader);
    GF_TRY(gf_need_memory(reader != NULL, error));
    reader->limits = limits;
    reader->info.struct_size = sizeof reader->info;
    reader->info.frames = reader->left = -1;
    const char *path = from->source != NULL ? from->source->name : from->path;
    gf_status status = gf_origin_open(&reader->in, from, limits.max_input_bytes, error);
    if (status == GF_OK) {
        *out = reader;
        status = open_codec(reader, path != NULL ? path : "", &options, error);
        if (status != GF_OK) {
            gf_signal_reader_close(out);
        }
    } else {
        free(reader);
    }
    return status;
}

gf_status gf_signal_reader_open(const char *path, const gf_signal_read_options *options,
                                gf_signal_reader **reader, gf_error *error)
{
    return create(&(struct gf_origin){.call = "gf_signal_reader_open", .path = path}, options, reader, error);
}

gf_status gf_signal_reader_open_memory(const void *data, size_t size, const char *name,
                                       const gf_signal_read_options *options, gf_signal_reader **reader,
                                       gf_error *error)
{
    const struct gf_origin from = {
        .call = "gf_signal_reader_open_memory", .is_memory = 1, .data = data, .size = size, .path = name};
    return create(&from, options, reader, error);
}

gf_status gf_signal_reader_open_callback(const gf_byte_source *source, const gf_signal_read_options *options,
                                         gf_signal_reader **reader, gf_error *error)
{
    if (reader != NULL) {
        *reader = NULL;
    }
    GF_STRUCT_TAKE(gf_byte_source, user, taken, GF_BYTE_SOURCE_INIT, source, error);
    const struct gf_origin from = {.call = "gf_signal_reader_open_callback", .source = &taken};
    return create(&from, options, reader, error);
}

const gf_signal_info *gf_signal_reader_info(const gf_signal_reader *reader)
{
    return reader != NULL ? &reader->info : NULL;
}

const char *gf_signal_reader_note(const gf_signal_reader *reader)
{
    return reader != NULL ? reader->note : NULL;
}

gf_status gf_signal_reader_read(gf_signal_reader *reader, float *data, int64_t pitch, int64_t frames,
                                int64_t *got, gf_error *error)
{
    if (reader == NULL || got == NULL) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "gf_signal_reader_read: reader or got is NULL");
    }
    *got = 0;
    const int64_t most = PTRDIFF_MAX / (int64_t)sizeof(float) / reader->info.channels;
    if (frames < 0 || reader->failed || (frames > 0 && (data == NULL || pitch < frames || pitch > most))) {
        return gf_fail(error, GF_ERROR_ARGUMENT,
                       "%s: cannot read %" PRId64 " frames at a pitch of %" PRId64 "%s", reader->in.label,
                       frames, pitch,
                       reader->failed ? " behind a failure"
                       : data == NULL ? " to NULL"
                                      : "");
    }
    gf_status status = reader->ended ? GF_OK : reader->codec->read(reader, data, pitch, frames, got, error);
    if (status == GF_OK && *got < frames && !reader->ended) {
        reader->ended = true;
        status = reader->codec->finish != NULL ? reader->codec->finish(reader, error) : GF_OK;
    }
    reader->failed = status != GF_OK;
    return status;
}

gf_status gf_signal_reader_again(gf_signal_reader *reader, gf_error *error)
{
    if (reader == NULL) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "gf_signal_reader_again: reader is NULL");
    }
    if (!reader->info.repeats) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED, "%s: its bytes come only once", reader->in.label);
    }
    reader->failed = true;
    GF_TRY(gf_bytes_in_again(&reader->in, error));
    if (gf_signal_skip(reader, reader->begin) < reader->begin) {
        return gf_bytes_in_fail(&reader->in, "the header", error);
    }
    reader->left = reader->all;
    if (reader->codec->again != NULL) {
        reader->codec->again(reader);
    }
    reader->failed = reader->ended = false;
    return GF_OK;
}

void gf_signal_reader_close(gf_signal_reader **reader)
{
    if (reader != NULL && *reader != NULL) {
        if ((*reader)->codec != NULL && (*reader)->codec->close != NULL) {
            (*reader)->codec->close(*reader);
        }
        gf_bytes_in_close(&(*reader)->in);
        free(*reader);
        *reader = NULL;
    }
}
