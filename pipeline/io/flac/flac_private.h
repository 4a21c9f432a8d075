/* What FLAC is read and written by: libFLAC. */
#pragma once

#include "io/signal/signal_codec.h"

/* The comment that WAV's channel mask is. */
#define GF_FLAC_SPEAKERS "WAVEFORMATEXTENSIBLE_CHANNEL_MASK"

gf_status gf_flac_open(gf_signal_reader *reader, const gf_signal_read_options *options, gf_error *error);
gf_status gf_flac_read(gf_signal_reader *reader, float *data, int64_t pitch, int64_t frames, int64_t *got,
                       gf_error *error);
gf_status gf_flac_finish(gf_signal_reader *reader, gf_error *error);
void gf_flac_again(gf_signal_reader *reader);
void gf_flac_close(gf_signal_reader *reader);

gf_status gf_flac_begin(gf_signal_writer *writer, const gf_signal_write_options *options, gf_error *error);
gf_status gf_flac_write(gf_signal_writer *writer, const float *data, int64_t pitch, int64_t frames,
                        gf_error *error);
gf_status gf_flac_end(gf_signal_writer *writer, gf_error *error);
void gf_flac_discard(gf_signal_writer *writer);
