/* FLAC, written by libFLAC at its level 5. What it only knows at the end, how many frames there are and their
 * checksum, lies in the first 42 bytes, which are written over where that can be. */
#include "io/flac/flac_private.h"

#include "base/status.h"

#include <FLAC/metadata.h>
#include <FLAC/stream_encoder.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD = 42, MOST_RATE = 655350 };

struct state {
    FLAC__StreamEncoder *encoder;
    FLAC__StreamMetadata *comments; /* NULL: none */
    uint8_t head[HEAD];
    uint64_t at, end; /* where it writes, and how much there is */
    FLAC__int32 block[GF_SIGNAL_PIECE / sizeof(FLAC__int32)];
};

static FLAC__StreamEncoderWriteStatus put_bytes(const FLAC__StreamEncoder *encoder, const FLAC__byte *bytes,
                                                size_t size, uint32_t samples, uint32_t frame, void *client)
{
    gf_signal_writer *writer = client;
    struct state *s = writer->state;
    (void)encoder, (void)samples, (void)frame;
    for (size_t i = 0; i < size && s->at + i < HEAD; i++) {
        s->head[s->at + i] = bytes[i];
    }
    const uint64_t known = s->end - s->at < size ? s->end - s->at : size; /* of these only the head changes */
    s->at += size;
    s->end += size - known;
    return gf_bytes_out_write(&writer->out, bytes + known, size - known)
               ? FLAC__STREAM_ENCODER_WRITE_STATUS_OK
               : FLAC__STREAM_ENCODER_WRITE_STATUS_FATAL_ERROR;
}

static FLAC__StreamEncoderSeekStatus seek(const FLAC__StreamEncoder *encoder, FLAC__uint64 offset,
                                          void *client)
{
    gf_signal_writer *writer = client;
    struct state *s = writer->state;
    (void)encoder;
    if (writer->out.through || offset > s->end) {
        return FLAC__STREAM_ENCODER_SEEK_STATUS_UNSUPPORTED;
    }
    s->at = offset;
    return FLAC__STREAM_ENCODER_SEEK_STATUS_OK;
}

static FLAC__StreamEncoderTellStatus tell(const FLAC__StreamEncoder *encoder, FLAC__uint64 *offset,
                                          void *client)
{
    (void)encoder;
    *offset = ((struct state *)((gf_signal_writer *)client)->state)->at;
    return FLAC__STREAM_ENCODER_TELL_STATUS_OK;
}

static gf_status fail(const gf_signal_writer *writer, gf_error *error)
{
    const struct state *s = writer->state;
    if (writer->out.errno_seen != 0 || writer->out.failed.code != GF_OK) {
        return gf_bytes_out_fail(&writer->out, error);
    }
    const FLAC__StreamEncoderState state = FLAC__stream_encoder_get_state(s->encoder);
    return state == FLAC__STREAM_ENCODER_MEMORY_ALLOCATION_ERROR
               ? gf_fail(error, GF_ERROR_MEMORY, "%s: no memory to encode", writer->out.label)
               : gf_fail(error, GF_ERROR_OUTPUT, "%s: FLAC: %s", writer->out.label,
                         FLAC__StreamEncoderStateString[state]);
}

/* The channel mask, as a comment. */
static bool put_speakers(struct state *s, uint32_t speakers)
{
    char text[sizeof GF_FLAC_SPEAKERS + 16];
    const int length = snprintf(text, sizeof text, GF_FLAC_SPEAKERS "=0x%X", (unsigned)speakers);
    const FLAC__StreamMetadata_VorbisComment_Entry entry = {(uint32_t)length, (FLAC__byte *)text};
    s->comments = FLAC__metadata_object_new(FLAC__METADATA_TYPE_VORBIS_COMMENT);
    return s->comments != NULL &&
           FLAC__metadata_object_vorbiscomment_append_comment(s->comments, entry, true) &&
           FLAC__stream_encoder_set_metadata(s->encoder, &s->comments, 1);
}

gf_status gf_flac_begin(gf_signal_writer *writer, const gf_signal_write_options *options, gf_error *error)
{
    const double rate = writer->rate;
    if (writer->channels > 8 || rate < 1 || rate > MOST_RATE || rate != floor(rate) ||
        writer->samples.bits < 4) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED,
                       "%s: FLAC holds 1 to 8 channels of 4 bits or more at a rate of 1 to %d Hz that is a "
                       "whole number, not %d of %d at %.10g; wav may",
                       writer->out.label, MOST_RATE, (int)writer->channels, (int)writer->samples.bits, rate);
    }
    struct state *s = writer->state = calloc(1, sizeof *s);
    if (s == NULL || (s->encoder = FLAC__stream_encoder_new()) == NULL ||
        (writer->speakers != 0 && !put_speakers(s, writer->speakers))) {
        return gf_fail(error, GF_ERROR_MEMORY, "%s: no memory to encode", writer->out.label);
    }
    FLAC__StreamEncoder *e = s->encoder;
    FLAC__stream_encoder_set_streamable_subset(e, false); /* which would refuse some rates */
    FLAC__stream_encoder_set_compression_level(e, 5);
    FLAC__stream_encoder_set_channels(e, (uint32_t)writer->channels);
    FLAC__stream_encoder_set_bits_per_sample(e, (uint32_t)writer->samples.bits);
    FLAC__stream_encoder_set_sample_rate(e, (uint32_t)rate);
    FLAC__stream_encoder_set_total_samples_estimate(
        e, options->frames > 0 && options->frames < INT64_C(1) << 36 ? (uint64_t)options->frames : 0);
    return FLAC__stream_encoder_init_stream(e, put_bytes, seek, tell, NULL, writer) ==
                   FLAC__STREAM_ENCODER_INIT_STATUS_OK
               ? GF_OK
               : fail(writer, error);
}

gf_status gf_flac_write(gf_signal_writer *writer, const float *data, int64_t pitch, int64_t frames,
                        gf_error *error)
{
    struct state *s = writer->state;
    const int64_t most = (int64_t)(sizeof s->block / sizeof s->block[0]) / writer->channels;
    const double full = (double)((int64_t)1 << (writer->samples.bits - 1));
    for (int64_t done = 0, now; done < frames; done += now) {
        now = frames - done < most ? frames - done : most;
        for (int64_t i = 0; i < now; i++) {
            for (int32_t c = 0; c < writer->channels; c++) {
                s->block[i * writer->channels + c] =
                    gf_quantise(data[c * pitch + done + i], full, &writer->clipped);
            }
        }
        if (!FLAC__stream_encoder_process_interleaved(s->encoder, s->block, (uint32_t)now)) {
            return fail(writer, error);
        }
    }
    return GF_OK;
}

gf_status gf_flac_end(gf_signal_writer *writer, gf_error *error)
{
    struct state *s = writer->state;
    if (!FLAC__stream_encoder_finish(s->encoder)) {
        return fail(writer, error);
    }
    return writer->out.through || gf_bytes_out_patch(&writer->out, s->head, HEAD)
               ? GF_OK
               : gf_bytes_out_fail(&writer->out, error);
}

void gf_flac_discard(gf_signal_writer *writer)
{
    struct state *s = writer->state;
    if (s != NULL && s->encoder != NULL) {
        FLAC__stream_encoder_delete(s->encoder);
    }
    if (s != NULL && s->comments != NULL) {
        FLAC__metadata_object_delete(s->comments);
    }
    free(s);
}
