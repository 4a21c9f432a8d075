/* The entries of the codecs bmp, tga and hdr. Without stb bmp and tga are read all the same, and none is
 * written. */
#include "io/stb/bmp_read.h"
#include "io/stb/stb_codec.h"
#include "io/stb/tga_read.h"

#include <string.h>

#if GF_HAVE_STB
#define READ_HDR .open = gf_stb_open_hdr, .rows = gf_stb_rows_hdr, .close = gf_stb_close_hdr
#define WRITE    .fits = gf_stb_fits, .begin = gf_stb_begin, .put_rows = gf_stb_put_rows
#else
#define READ_HDR .open = NULL
#define WRITE    .absent = "stb_image"
#endif

static int sniff_bmp(const uint8_t *head, size_t size)
{
    /* The reserved words are 0 but in the picture of a pointer, and the second header is short; a text may
     * begin with BM. */
    return size >= 18 && memcmp(head, "BM", 2) == 0 &&
           (memcmp(head + 6, "\0\0\0\0", 4) == 0 || memcmp(head + 15, "\0\0\0", 3) == 0);
}

static int sniff_hdr(const uint8_t *head, size_t size)
{
    return (size >= 10 && memcmp(head, "#?RADIANCE", 10) == 0) ||
           (size >= 6 && memcmp(head, "#?RGBE", 6) == 0);
}

/* A TGA has no mark of its own. Its header has few values that are possible: kind of palette, kind of
 * picture, bits of palette and pixel; no text and no other format here passes. */
static int sniff_tga(const uint8_t *head, size_t size)
{
    if (size < 18 || (head[12] | head[13]) == 0 || (head[14] | head[15]) == 0) {
        return 0;
    }
    int bits = head[16], kind = head[2] & 7;
    int deep = bits == 8 || bits == 15 || bits == 16 || bits == 24 || bits == 32;
    if ((head[2] & ~8) != kind || kind < 1 || kind > 3) {
        return 0;
    }
    int entry = head[7], known = entry == 8 || entry == 15 || entry == 16 || entry == 24 || entry == 32;
    if (head[1] > 1 || (head[1] == 1 && !known)) {
        return 0;
    }
    return kind == 1 ? head[1] == 1 && (bits == 8 || bits == 16)
                     : deep && (kind == 2 || bits == 8 || bits == 16);
}

const struct gf_codec gf_codec_bmp = {
    .format = {.name = "bmp",
               .suffixes = "bmp dib",
               .summary = "Windows bitmap: u8, written as RGB and RGBA; no metadata",
               .reads = 1,
               .writes = GF_HAVE_STB,
               .channels = 1u << 1 | 1u << 3 | 1u << 4,
               .depths = 1u << GF_U8,
               .whole = 1},
    .sniff = sniff_bmp,
    .open = gf_bmp_open,
    .rows = gf_bmp_rows,
    .close = gf_bmp_close,
    WRITE,
};

const struct gf_codec gf_codec_hdr = {
    .format = {.name = "hdr",
               .suffixes = "hdr rgbe",
               .summary = "Radiance RGBE: f32 of eight significant bits, RGB; no metadata",
               .reads = GF_HAVE_STB,
               .writes = GF_HAVE_STB,
               .channels = 1u << 1 | 1u << 3,
               .depths = 1u << GF_F32,
               .whole = 1},
    .sniff = sniff_hdr,
    READ_HDR,
    WRITE,
};

const struct gf_codec gf_codec_tga = {
    .format = {.name = "tga",
               .suffixes = "tga",
               .summary = "Truevision Targa: u8, 1 to 4 channels; no metadata",
               .reads = 1,
               .writes = GF_HAVE_STB,
               .channels = GF_ANY_CHANNELS,
               .depths = 1u << GF_U8,
               .whole = 1},
    .sniff = sniff_tga,
    .open = gf_tga_open,
    .rows = gf_tga_rows,
    .close = gf_tga_close,
    WRITE,
};
