/* The GIF codec's entry, built with giflib or without. */
#include "io/codec.h"
#if GF_HAVE_GIF
#include "io/gif/gif_private.h"
#endif

#include <string.h>

static int sniff(const uint8_t *head, size_t size)
{
    return size >= 6 && (memcmp(head, "GIF87a", 6) == 0 || memcmp(head, "GIF89a", 6) == 0);
}

const struct gf_codec gf_codec_gif = {
    .format = {.name = "gif",
               .suffixes = "gif",
               .summary = "GIF: u8, RGB and RGBA, a frame as a browser shows it (--page)",
               .reads = GF_HAVE_GIF},
    .sniff = sniff,
#if GF_HAVE_GIF
    .open = gf_gif_open,
    .rows = gf_gif_rows,
    .close = gf_gif_close,
#else
    .absent = "giflib (libgif-dev)",
#endif
};
