/* Writing signals: open a file or a function, take frames, then commit or abort. */
#include "io/codec.h"
#include "io/signal/signal_codec.h"

#include "base/sized.h"
#include "base/status.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static gf_status take_options(gf_signal_writer *writer, const char *path,
                              const gf_signal_write_options *given, gf_signal_write_options *options,
                              gf_error *error)
{
    static const struct gf_sized sized = GF_SIZED(gf_signal_write_options, file),
                                 sized_file = GF_SIZED(gf_write_options, png_level);
    *options = (gf_signal_write_options)GF_SIGNAL_WRITE_OPTIONS_INIT;
    writer->file = (gf_write_options)GF_WRITE_OPTIONS_INIT;
    GF_TRY(given != NULL ? gf_struct_in(&sized, given, options, error) : GF_OK);
    GF_TRY(options->file != NULL ? gf_struct_in(&sized_file, options->file, &writer->file, error) : GF_OK);
    if (writer->channels < 1 || writer->channels > GF_SIGNAL_MAX_CHANNELS || writer->rate < 0 ||
        !isfinite(writer->rate) || options->frames < -1) {
        return gf_fail(error, GF_ERROR_ARGUMENT,
                       "%.200s: cannot write a signal of %d channels (1 to %d), %" PRId64
                       " frames and a rate of %.6g Hz",
                       path, (int)writer->channels, GF_SIGNAL_MAX_CHANNELS, options->frames, writer->rate);
    }
    GF_TRY(gf_signal_codec_for(path, options->format, &writer->codec, error));
    return GF_OK;
}

/* Which samples are written, before the codec is asked, which knows more. */
static gf_status choose_samples(gf_signal_writer *writer, const char *path,
                                const gf_signal_write_options *options, gf_error *error)
{
    const gf_signal_format *format = &writer->codec->format;
    if (format->samples == 0) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED,
                       "%.200s: this build does not write %s; wav holds the same", path, format->name);
    }
    const gf_signal_sample by_itself = format->samples == 1u << GF_SIGNAL_TEXT ? GF_SIGNAL_TEXT
                                       : format->samples >> GF_SIGNAL_F32 & 1u ? GF_SIGNAL_F32
                                                                               : GF_SIGNAL_S24;
    const gf_signal_sample sample = options->sample != GF_SIGNAL_DEFAULT ? options->sample : by_itself;
    if ((unsigned)sample > GF_SIGNAL_NUMBER || (format->samples >> sample & 1u) == 0) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED, "%.200s: %s does not hold samples of %s", path,
                       format->name, gf_signal_sample_name(sample));
    }
    gf_samples_of(sample, false, &writer->samples);
    return GF_OK;
}

static gf_status choose_bits(gf_signal_writer *writer, int32_t bits, gf_error *error)
{
    struct gf_samples *samples = &writer->samples;
    const bool integers = samples->sample >= GF_SIGNAL_U8 && samples->sample <= GF_SIGNAL_S32;
    if (bits < 0 || (bits > 0 && (!integers || bits > samples->bits))) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "%s: %d bits of samples of %s are asked for",
                       writer->out.label, (int)bits, gf_signal_sample_name(samples->sample));
    }
    samples->bits = bits > 0 ? bits : samples->bits;
    return GF_OK;
}

static int32_t count_bits(uint32_t bits)
{
    int32_t count = 0;
    for (; bits != 0; bits &= bits - 1) {
        count++;
    }
    return count;
}

static void discard(gf_signal_writer *writer)
{
    if (writer->codec->discard != NULL) {
        writer->codec->discard(writer);
    }
}

static gf_status begin(gf_signal_writer *writer, const char *path, const gf_byte_sink *sink,
                       const gf_signal_write_options *given, gf_error *error)
{
    gf_signal_write_options options;
    GF_TRY(take_options(writer, path, given, &options, error));
    GF_TRY(choose_samples(writer, path, &options, error));
    writer->promised = options.frames;
    writer->speakers = count_bits(options.speakers) == writer->channels ? options.speakers : 0;
    GF_TRY(sink != NULL ? gf_bytes_out_open_sink(&writer->out, sink, &writer->file, error)
                        : gf_bytes_out_open(&writer->out, path, &writer->file, error));
    const struct gf_signal_codec *codec = writer->codec;
    gf_status status = codec->choose != NULL ? codec->choose(writer, &options, error) : GF_OK;
    status = status == GF_OK ? choose_bits(writer, options.bits, error) : status;
    status = status == GF_OK && codec->begin != NULL ? codec->begin(writer, &options, error) : status;
    if (status != GF_OK) {
        discard(writer);
        gf_bytes_out_abort(&writer->out);
    }
    return status;
}

static gf_status create(const char *call, const char *path, const gf_byte_sink *sink, int32_t channels,
                        double rate, const gf_signal_write_options *options, gf_signal_writer **out,
                        gf_error *error)
{
    if (out == NULL) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "%s: writer is NULL", call);
    }
    *out = NULL;
    if (path == NULL || path[0] == '\0') {
        return gf_fail(error, GF_ERROR_ARGUMENT, "the output's path is %s", path == NULL ? "NULL" : "empty");
    }
    gf_signal_writer *writer = calloc(1, sizeof *writer);
    GF_TRY(gf_need_memory(writer != NULL, error));
    writer->channels = channels;
    writer->rate = rate;
    const gf_status status = begin(writer, path, sink, options, error);
    if (status != GF_OK) {
        free(writer);
        return status;
    }
    *out = writer;
    return GF_OK;
}

gf_status gf_signal_writer_open(const char *path, int32_t channels, double rate,
                                const gf_signal_write_options *options, gf_signal_writer **writer,
                                gf_error *error)
{
    return create("gf_signal_writer_open", path, NULL, channels, rate, options, writer, error);
}

gf_status gf_signal_writer_open_callback(const gf_byte_sink *sink, int32_t channels, double rate,
                                         const gf_signal_write_options *options, gf_signal_writer **writer,
                                         gf_error *error)
{
    if (writer != NULL) {
        *writer = NULL;
    }
    GF_STRUCT_TAKE(gf_byte_sink, user, taken, GF_BYTE_SINK_INIT, sink, error);
    if (taken.write == NULL) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "gf_byte_sink.write is NULL");
    }
    return create("gf_signal_writer_open_callback", taken.name != NULL ? taken.name : "output", &taken,
                  channels, rate, options, writer, error);
}

gf_status gf_signal_writer_write(gf_signal_writer *writer, const float *data, int64_t pitch, int64_t frames,
                                 gf_error *error)
{
    if (writer == NULL) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "gf_signal_writer_write: writer is NULL");
    }
    const int64_t most = PTRDIFF_MAX / (int64_t)sizeof(float) / writer->channels;
    if (frames < 0 || writer->failed || (frames > 0 && (data == NULL || pitch < frames || pitch > most))) {
        return gf_fail(error, GF_ERROR_ARGUMENT,
                       "%s: cannot write %" PRId64 " frames at a pitch of %" PRId64 "%s", writer->out.label,
                       frames, pitch,
                       writer->failed ? " behind a failure"
                       : data == NULL ? " from NULL"
                                      : "");
    }
    const gf_status status = writer->codec->write(writer, data, pitch, frames, error);
    writer->written += frames;
    writer->failed = status != GF_OK;
    return status;
}

int64_t gf_signal_writer_clipped(const gf_signal_writer *writer)
{
    return writer != NULL ? writer->clipped : 0;
}

static gf_status commit(gf_signal_writer *writer, gf_error *error)
{
    if (writer->failed) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "%s: frames were not written", writer->out.label);
    }
    if (writer->promised >= 0 && writer->promised != writer->written) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "%s: %" PRId64 " frames were promised, and %" PRId64 " came",
                       writer->out.label, writer->promised, writer->written);
    }
    return writer->codec->end != NULL ? writer->codec->end(writer, error) : GF_OK;
}

gf_status gf_signal_writer_commit(gf_signal_writer **writer, gf_error *error)
{
    if (writer == NULL || *writer == NULL) {
        return gf_fail(error, GF_ERROR_ARGUMENT,
                       "gf_signal_writer_commit: writer is NULL, as it is after a commit or an abort");
    }
    gf_status status = commit(*writer, error);
    if (status != GF_OK) {
        gf_signal_writer_abort(writer);
        return status;
    }
    discard(*writer);
    status = gf_bytes_out_commit(&(*writer)->out, error);
    free(*writer);
    *writer = NULL;
    return status;
}

void gf_signal_writer_abort(gf_signal_writer **writer)
{
    if (writer != NULL && *writer != NULL) {
        discard(*writer);
        gf_bytes_out_abort(&(*writer)->out);
        free(*writer);
        *writer = NULL;
    }
}
