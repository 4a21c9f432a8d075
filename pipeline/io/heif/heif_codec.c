/* The codec's entry for HEIF and AVIF, built with libheif or without. */
#include "io/codec.h"
#if GF_HAVE_HEIF
#include "io/heif/heif_private.h"
#endif

#include <string.h>

static int sniff(const uint8_t *head, size_t size)
{
    static const char brands[][5] = {"avif", "avis", "heic", "heix", "heim",
                                     "heis", "hevc", "hevx", "mif1", "msf1"};
    for (size_t i = 0; i < sizeof brands / sizeof *brands && size >= 12; i++) {
        if (memcmp(head + 4, "ftyp", 4) == 0 && memcmp(head + 8, brands[i], 4) == 0) {
            return 1;
        }
    }
    return 0;
}

const struct gf_codec gf_codec_heif = {
    .format = {.name = "heif",
               .suffixes = "avif heic heif hif",
               .summary = "AVIF and HEIF: u8, and u16 of more bits, RGB and RGBA, ICC, EXIF and XMP",
               .reads = GF_HAVE_HEIF},
    .sniff = sniff,
#if GF_HAVE_HEIF
    .open = gf_heif_open,
    .rows = gf_heif_rows,
    .close = gf_heif_close,
#else
    .absent = "libheif (libheif-dev)",
#endif
};
