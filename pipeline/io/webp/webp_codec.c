/* The WebP codec's entry, built with libwebp or without. */
#include "io/codec.h"
#if GF_HAVE_WEBP
#include "io/webp/webp_private.h"
#endif

#include <string.h>

static int sniff(const uint8_t *head, size_t size)
{
    return size >= 12 && memcmp(head, "RIFF", 4) == 0 && memcmp(head + 8, "WEBP", 4) == 0;
}

const struct gf_codec gf_codec_webp = {
    .format = {.name = "webp",
               .suffixes = "webp",
               .summary = "WebP, without loss but for --quality: u8, RGB and RGBA, ICC, EXIF and XMP",
               .reads = GF_HAVE_WEBP,
               .writes = GF_HAVE_WEBP,
               .channels = 1u << 1 | 1u << 3 | 1u << 4,
               .depths = 1u << GF_U8,
               .whole = 1,
               .metadata = 3},
    .sniff = sniff,
#if GF_HAVE_WEBP
    .open = gf_webp_open,
    .rows = gf_webp_rows,
    .close = gf_webp_close,
    .fits = gf_webp_fits,
    .begin = gf_webp_begin,
    .put_rows = gf_webp_put_rows,
    .discard = gf_webp_discard,
#else
    .absent = "libwebp",
#endif
};
