/* What reading and writing WAV share. */
#pragma once

#include "io/signal/signal_codec.h"

enum { GF_WAV_PCM = 1, GF_WAV_FLOAT = 3, GF_WAV_EXTENSIBLE = 0xfffe };

gf_status gf_wav_begin(gf_signal_writer *writer, const gf_signal_write_options *options, gf_error *error);
gf_status gf_wav_end(gf_signal_writer *writer, gf_error *error);
