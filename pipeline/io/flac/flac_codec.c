/* FLAC, by libFLAC where the build has it. */
#include "io/flac/flac_private.h"

#if !GF_HAVE_FLAC
#include "base/status.h"

static gf_status open_absent(gf_signal_reader *reader, const gf_signal_read_options *options, gf_error *error)
{
    (void)options;
    return gf_fail(error, GF_ERROR_INPUT,
                   "%s: this build reads no flac: rebuild with libFLAC, or make a WAV of it by  flac -d",
                   reader->in.label);
}
#endif

const struct gf_signal_codec gf_signal_codec_flac = {
#if GF_HAVE_FLAC
    .format = {"flac", "flac", "FLAC, lossless: u8, s16, s24, 1 to 8 channels; read up to 32 bits",
               1u << GF_SIGNAL_U8 | 1u << GF_SIGNAL_S16 | 1u << GF_SIGNAL_S24, 1},
    .open = gf_flac_open,
    .read = gf_flac_read,
    .finish = gf_flac_finish,
    .again = gf_flac_again,
    .close = gf_flac_close,
    .begin = gf_flac_begin,
    .write = gf_flac_write,
    .end = gf_flac_end,
    .discard = gf_flac_discard,
#else
    .format = {"flac", "flac", "FLAC (not built in)", 0, 1},
    .open = open_absent,
#endif
};
