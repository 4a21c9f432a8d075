/* The JPEG codec's entry, built with libjpeg or without. */
#include "io/codec.h"
#if GF_HAVE_JPEG
#include "io/jpeg/jpeg_private.h"
#endif

#include <string.h>

static int sniff(const uint8_t *head, size_t size)
{
    return size >= 3 && memcmp(head, "\xff\xd8\xff", 3) == 0;
}

const struct gf_codec gf_codec_jpeg = {
    .format = {.name = "jpeg",
               .suffixes = "jpg jpeg jpe jfif",
               .summary = "JPEG, lossy: u8, gray and RGB, ICC, EXIF, XMP and IPTC",
               .reads = GF_HAVE_JPEG,
               .writes = GF_HAVE_JPEG,
               .channels = 1u << 1 | 1u << 3,
               .depths = 1u << GF_U8,
               .metadata = 2,
               .most_exif = 65527}, /* a segment of 65533 bytes without its name */
    .sniff = sniff,
#if GF_HAVE_JPEG
    .open = gf_jpeg_open,
    .shrink = gf_jpeg_shrink,
    .rows = gf_jpeg_rows,
    .finish = gf_jpeg_finish,
    .close = gf_jpeg_close,
    .fits = gf_jpeg_fits,
    .begin = gf_jpeg_begin,
    .put_rows = gf_jpeg_put_rows,
    .end = gf_jpeg_end,
    .discard = gf_jpeg_discard,
#else
    .absent = "libjpeg-turbo",
#endif
};
