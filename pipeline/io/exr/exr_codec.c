/* The entry of the codec exr, by OpenEXRCore where the build has it. */
#include "io/codec.h"

#include <string.h>

#if GF_HAVE_EXR
#include "io/exr/exr_private.h"
#endif

static int sniff(const uint8_t *head, size_t size)
{
    return size >= 8 && memcmp(head, "\x76\x2f\x31\x01\x02", 5) == 0;
}

const struct gf_codec gf_codec_exr = {
    .format = {.name = "exr",
               .suffixes = "exr",
               .summary = "OpenEXR of film: f32, 1 to 4 channels; half is read, too; no metadata",
               .reads = GF_HAVE_EXR,
               .writes = GF_HAVE_EXR,
               .channels = GF_ANY_CHANNELS,
               .depths = 1u << GF_F32},
    .sniff = sniff,
#if GF_HAVE_EXR
    .open = gf_exr_open,
    .rows = gf_exr_rows,
    .close = gf_exr_close,
    .begin = gf_exr_begin,
    .put_rows = gf_exr_put_rows,
    .end = gf_exr_end,
    .discard = gf_exr_discard,
#else
    .absent = "OpenEXR",
#endif
};
