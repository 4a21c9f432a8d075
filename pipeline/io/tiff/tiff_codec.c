/* The TIFF codec's entry, built with libtiff or without. */
#include "io/codec.h"
#if GF_HAVE_TIFF
#include "io/tiff/tiff_private.h"
#endif

#include <string.h>

static int sniff(const uint8_t *head, size_t size)
{
    return size >= 4 && (memcmp(head, "II*\0", 4) == 0 || memcmp(head, "MM\0*", 4) == 0 ||
                         memcmp(head, "II+\0", 4) == 0 || memcmp(head, "MM\0+", 4) == 0);
}

const struct gf_codec gf_codec_tiff = {
    .format = {.name = "tiff",
               .suffixes = "tif tiff",
               .summary = "TIFF and BigTIFF: u8, u16, u32, f32, f64, 1 to 4 channels, ICC, XMP and IPTC",
               .reads = GF_HAVE_TIFF,
               .writes = GF_HAVE_TIFF,
               .channels = GF_ANY_CHANNELS,
               .depths = 1u << GF_U8 | 1u << GF_U16 | 1u << GF_U32 | 1u << GF_F32 | 1u << GF_F64,
               .metadata = 2},
    .sniff = sniff,
#if GF_HAVE_TIFF
    .open = gf_tiff_open_reader,
    .rows = gf_tiff_rows,
    .finish = gf_tiff_finish,
    .close = gf_tiff_close,
    .begin = gf_tiff_begin,
    .put_rows = gf_tiff_put_rows,
    .end = gf_tiff_end,
    .discard = gf_tiff_discard,
#else
    .absent = "libtiff 4.5 or later",
#endif
};
