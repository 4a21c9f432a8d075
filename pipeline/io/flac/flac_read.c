/* FLAC, read by libFLAC a frame of its own at a time, with the checksums of each and of all samples. */
#include "io/codec.h"
#include "io/flac/flac_private.h"

#include "base/status.h"

#include <FLAC/metadata.h>
#include <FLAC/stream_decoder.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct state {
    FLAC__StreamDecoder *decoder;
    FLAC__StreamMetadata_StreamInfo info;
    bool has_info, noted;
    const char *damage; /* what is wrong; NULL: nothing yet */
    float *block;       /* the last frame of the file: channels behind each other, `size` each */
    int64_t size, taken;
};

static FLAC__StreamDecoderReadStatus read_bytes(const FLAC__StreamDecoder *decoder, FLAC__byte *bytes,
                                                size_t *size, void *client)
{
    gf_signal_reader *reader = client;
    (void)decoder;
    *size = gf_bytes_in_read(&reader->in, bytes, *size);
    return *size > 0                          ? FLAC__STREAM_DECODER_READ_STATUS_CONTINUE
           : gf_signal_in_broken(&reader->in) ? FLAC__STREAM_DECODER_READ_STATUS_ABORT
                                              : FLAC__STREAM_DECODER_READ_STATUS_END_OF_STREAM;
}

static FLAC__StreamDecoderWriteStatus take_block(const FLAC__StreamDecoder *decoder, const FLAC__Frame *frame,
                                                 const FLAC__int32 *const *samples, void *client)
{
    struct state *s = ((gf_signal_reader *)client)->state;
    const FLAC__FrameHeader *header = &frame->header;
    (void)decoder;
    if (header->channels != s->info.channels || header->bits_per_sample != s->info.bits_per_sample ||
        header->sample_rate != s->info.sample_rate || header->blocksize > FLAC__MAX_BLOCK_SIZE) {
        s->damage = "its channels, bits or rate change on the way";
        return FLAC__STREAM_DECODER_WRITE_STATUS_ABORT;
    }
    const float scale = 1.0f / (float)(INT64_C(1) << (header->bits_per_sample - 1));
    s->size = header->blocksize;
    s->taken = 0;
    for (uint32_t c = 0; c < header->channels; c++) {
        for (int64_t i = 0; i < s->size; i++) {
            s->block[c * s->size + i] = (float)samples[c][i] * scale;
        }
    }
    return FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE;
}

/* The channel mask among the comments; returns how many there are beside it. */
static uint32_t take_comments(gf_signal_reader *reader, const FLAC__StreamMetadata *block)
{
    const FLAC__StreamMetadata_VorbisComment *comments = &block->data.vorbis_comment;
    const int at = FLAC__metadata_object_vorbiscomment_find_entry_from(block, 0, GF_FLAC_SPEAKERS);
    if (at >= 0) {
        const char *entry = (const char *)comments->comments[at].entry;
        reader->info.speakers = (uint32_t)strtoul(entry + sizeof GF_FLAC_SPEAKERS, NULL, 0);
    }
    return comments->num_comments - (at >= 0);
}

static void take_metadata(const FLAC__StreamDecoder *decoder, const FLAC__StreamMetadata *block, void *client)
{
    gf_signal_reader *reader = client;
    struct state *s = reader->state;
    (void)decoder;
    if (block->type == FLAC__METADATA_TYPE_STREAMINFO) {
        s->info = block->data.stream_info;
        s->has_info = true;
    } else if (!s->noted && block->type != FLAC__METADATA_TYPE_PADDING &&
               block->type != FLAC__METADATA_TYPE_SEEKTABLE &&
               (block->type != FLAC__METADATA_TYPE_VORBIS_COMMENT || take_comments(reader, block) > 0)) {
        gf_add_note(reader->note, "%s: not kept",
                    block->type <= FLAC__METADATA_TYPE_PICTURE ? FLAC__MetadataTypeString[block->type]
                                                               : "an unknown block");
    }
}

static void take_error(const FLAC__StreamDecoder *decoder, FLAC__StreamDecoderErrorStatus status,
                       void *client)
{
    (void)decoder;
    ((struct state *)((gf_signal_reader *)client)->state)->damage =
        status == FLAC__STREAM_DECODER_ERROR_STATUS_FRAME_CRC_MISMATCH ? "a frame has another checksum"
                                                                       : "what should be a frame is none";
}

/* Why the decoder stopped, or would have to. */
static gf_status check(const gf_signal_reader *reader, bool good, gf_error *error)
{
    const struct state *s = reader->state;
    if (gf_signal_in_broken(&reader->in)) {
        return gf_bytes_in_fail(&reader->in, "the FLAC", error);
    }
    /* of metadata that is damaged libFLAC says so, too, so that a true lack of memory there reads as damage
     */
    if (s->noted &&
        FLAC__stream_decoder_get_state(s->decoder) == FLAC__STREAM_DECODER_MEMORY_ALLOCATION_ERROR) {
        return gf_fail(error, GF_ERROR_MEMORY, "%s: no memory for a frame", reader->in.label);
    }
    return good && s->damage == NULL
               ? GF_OK
               : gf_fail(error, GF_ERROR_INPUT, "%s: not a sound FLAC: %s", reader->in.label,
                         s->damage != NULL ? s->damage : "it cannot be decoded");
}

/* Goes through what stands before the samples. */
static bool start(gf_signal_reader *reader)
{
    struct state *s = reader->state;
    s->damage = NULL;
    s->size = s->taken = 0;
    FLAC__stream_decoder_set_md5_checking(s->decoder, true);
    FLAC__stream_decoder_set_metadata_respond_all(s->decoder);
    return FLAC__stream_decoder_init_stream(s->decoder, read_bytes, NULL, NULL, NULL, NULL, take_block,
                                            take_metadata, take_error,
                                            reader) == FLAC__STREAM_DECODER_INIT_STATUS_OK &&
           FLAC__stream_decoder_process_until_end_of_metadata(s->decoder);
}

gf_status gf_flac_open(gf_signal_reader *reader, const gf_signal_read_options *options, gf_error *error)
{
    static const gf_signal_sample samples[] = {GF_SIGNAL_U8, GF_SIGNAL_S16, GF_SIGNAL_S24, GF_SIGNAL_S32};
    struct state *s = reader->state = calloc(1, sizeof *s);
    (void)options;
    if (s == NULL || (s->decoder = FLAC__stream_decoder_new()) == NULL) {
        return gf_fail(error, GF_ERROR_MEMORY, "%s: no memory to decode", reader->in.label);
    }
    GF_TRY(check(reader, start(reader), error));
    const FLAC__StreamMetadata_StreamInfo *info = &s->info;
    if (!s->has_info || info->channels < 1 || info->bits_per_sample < 4 || info->bits_per_sample > 32 ||
        info->sample_rate == 0) {
        return gf_fail(error, GF_ERROR_INPUT, "%s: not a sound FLAC: it does not say what its samples are",
                       reader->in.label);
    }
    s->noted = true;
    s->block = malloc((size_t)info->channels * FLAC__MAX_BLOCK_SIZE * sizeof *s->block);
    if (s->block == NULL) {
        return gf_fail(error, GF_ERROR_MEMORY, "%s: no memory for a frame", reader->in.label);
    }
    static const FLAC__byte none[16];
    if (info->total_samples > 0) {
        reader->info.frames = reader->left = (int64_t)info->total_samples;
    } else if (memcmp(info->md5sum, none, sizeof none) == 0) {
        gf_add_note(reader->note,
                    "FLAC: was written without a size and a checksum; read to the end of the file");
    }
    gf_samples_of(samples[(info->bits_per_sample - 1) / 8], false, &reader->samples);
    reader->samples.bits = (int32_t)info->bits_per_sample;
    reader->info.channels = (int32_t)info->channels;
    reader->info.rate = info->sample_rate;
    return GF_OK;
}

gf_status gf_flac_read(gf_signal_reader *reader, float *data, int64_t pitch, int64_t frames, int64_t *got,
                       gf_error *error)
{
    struct state *s = reader->state;
    while (*got < frames && reader->left != 0) {
        while (s->taken == s->size) {
            const bool good = FLAC__stream_decoder_process_single(s->decoder);
            GF_TRY(check(reader, good, error));
            if (FLAC__stream_decoder_get_state(s->decoder) == FLAC__STREAM_DECODER_END_OF_STREAM &&
                s->taken == s->size) {
                return reader->left < 0
                           ? GF_OK
                           : gf_fail(error, GF_ERROR_INPUT,
                                     "%s: ends early: %" PRId64 " of %" PRId64 " frames are missing",
                                     reader->in.label, reader->left, reader->info.frames);
            }
        }
        int64_t now = s->size - s->taken < frames - *got ? s->size - s->taken : frames - *got;
        now = reader->left >= 0 && reader->left < now ? reader->left : now;
        for (int32_t c = 0; c < reader->info.channels; c++) {
            memcpy(data + c * pitch + *got, s->block + c * s->size + s->taken, (size_t)now * sizeof *data);
        }
        s->taken += now;
        *got += now;
        reader->left -= reader->left > 0 ? now : 0;
    }
    return GF_OK;
}

gf_status gf_flac_finish(gf_signal_reader *reader, gf_error *error)
{
    struct state *s = reader->state;
    return FLAC__stream_decoder_finish(s->decoder) ? GF_OK
                                                   : gf_fail(error, GF_ERROR_INPUT,
                                                             "%s: not a sound FLAC: its samples have another "
                                                             "checksum than it says",
                                                             reader->in.label);
}

/* The decoder begins with the marker of the file, before what `begin` tells. */
void gf_flac_again(gf_signal_reader *reader)
{
    struct state *s = reader->state;
    FLAC__stream_decoder_finish(s->decoder);
    if (gf_bytes_in_again(&reader->in, NULL) != GF_OK || !start(reader)) {
        s->damage = "it cannot be read again";
    }
}

void gf_flac_close(gf_signal_reader *reader)
{
    struct state *s = reader->state;
    if (s != NULL) {
        if (s->decoder != NULL) {
            FLAC__stream_decoder_delete(s->decoder);
        }
        free(s->block);
        free(s);
    }
}
