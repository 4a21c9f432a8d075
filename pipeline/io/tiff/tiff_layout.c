/* What the samples of a TIFF are, and rows of them on their way to the picture's. */
#include "io/tiff/tiff_private.h"

#include "base/status.h"
#include "io/alpha_divide.h"

#include <string.h>

static gf_status refuse(const struct gf_tiff_reader *reader, const char *what, unsigned number,
                        gf_error *error)
{
    return gf_fail(error, GF_ERROR_INPUT, "%s: a kind of TIFF that is not read: %s (%u)",
                   reader->decoder->in->label, what, number);
}

/* Other decoders of libtiff hold what nobody bounds, or go on where samples are damaged. */
static const struct {
    uint16_t number;
    uint16_t bits; /* that alone are read; 0: any */
} compressions[] = {
    {COMPRESSION_NONE, 0},     {COMPRESSION_LZW, 0},       {COMPRESSION_ADOBE_DEFLATE, 0},
    {COMPRESSION_DEFLATE, 0},  {COMPRESSION_PACKBITS, 0},  {COMPRESSION_ZSTD, 0},
    {COMPRESSION_CCITTRLE, 1}, {COMPRESSION_CCITTFAX3, 1}, {COMPRESSION_CCITTFAX4, 1},
    {COMPRESSION_JPEG, 8},
};

static gf_status check_compression(const struct gf_tiff_reader *reader, gf_error *error)
{
    const struct gf_tiff_layout *l = &reader->layout;
    for (size_t i = 0; i < sizeof compressions / sizeof compressions[0]; i++) {
        if (compressions[i].number == l->compression) {
            if (!TIFFIsCODECConfigured(l->compression)) {
                return refuse(reader, "a compression that this libtiff was built without", l->compression,
                              error);
            }
            return compressions[i].bits == 0 || compressions[i].bits == l->bits
                       ? GF_OK
                       : refuse(reader, "a compression of other samples than these, of bits", l->bits, error);
        }
    }
    return refuse(reader, "compression", l->compression, error);
}

/* A map has 16 bits a colour; one whose values are all below 256 was written by who took them for 8. */
static int is_map_of_bytes(const struct gf_tiff_layout *l)
{
    for (int i = 0; i < 3 * l->map_size; i++) {
        if (l->map[i / l->map_size][i % l->map_size] > 255) {
            return 0;
        }
    }
    return 1;
}

static gf_status choose_colours(struct gf_tiff_reader *reader, gf_error *error)
{
    struct gf_tiff_layout *l = &reader->layout;
    switch (l->photometric) {
    case PHOTOMETRIC_MINISWHITE:
    case PHOTOMETRIC_MINISBLACK:
        l->colours = 1;
        return GF_OK;
    case PHOTOMETRIC_YCBCR: /* libtiff makes RGB of it in the decoder of JPEG, and there alone */
        if (l->compression != COMPRESSION_JPEG || l->is_planar ||
            !TIFFSetField(reader->tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB)) {
            return refuse(reader, "colours as YCbCr without JPEG", l->photometric, error);
        }
        l->colours = 3;
        return GF_OK;
    case PHOTOMETRIC_RGB:
        l->colours = 3;
        return GF_OK;
    case PHOTOMETRIC_PALETTE:
        l->colours = 3;
        if (l->bits > 8 || l->samples != 1 || l->format != SAMPLEFORMAT_UINT ||
            !TIFFGetField(reader->tiff, TIFFTAG_COLORMAP, &l->map[0], &l->map[1], &l->map[2])) {
            return refuse(reader, "a palette for samples of so many bits", l->bits, error);
        }
        l->map_size = (uint16_t)(1u << l->bits);
        l->map_shift = is_map_of_bytes(l) ? 0 : 8;
        return GF_OK;
    case PHOTOMETRIC_SEPARATED:
        return refuse(reader, "inks, as CMYK", l->photometric, error);
    case PHOTOMETRIC_CIELAB:
    case PHOTOMETRIC_ICCLAB:
    case PHOTOMETRIC_ITULAB:
        return refuse(reader, "colours as L*a*b*", l->photometric, error);
    case PHOTOMETRIC_MASK:
        return refuse(reader, "a mask of transparency", l->photometric, error);
    case PHOTOMETRIC_LOGL:
    case PHOTOMETRIC_LOGLUV:
        return refuse(reader, "colours as LogLuv", l->photometric, error);
    case PHOTOMETRIC_CFA:
        return refuse(reader, "a camera's mosaic", l->photometric, error);
    default:
        return refuse(reader, "photometric interpretation", l->photometric, error);
    }
}

/* The first sample beyond the colours may be alpha; what the rest is, nobody says. */
static void choose_alpha(struct gf_tiff_reader *reader)
{
    struct gf_tiff_layout *l = &reader->layout;
    uint16_t count = 0, *kinds = NULL;
    if (l->map_size > 0 || l->samples <= l->colours) {
        return;
    }
    if (TIFFGetField(reader->tiff, TIFFTAG_EXTRASAMPLES, &count, &kinds) && count > 0) {
        l->alpha = kinds[0] == EXTRASAMPLE_ASSOCALPHA ? 1 : kinds[0] == EXTRASAMPLE_UNASSALPHA ? 2 : 0;
    }
    const int left = l->samples - l->colours - (l->alpha != 0);
    if (left > 0) {
        gf_add_note(reader->decoder->note, "%d sample%s a pixel that nothing calls colour or alpha, left out",
                    left, left > 1 ? "s" : "");
    }
}

static gf_status choose_type(struct gf_tiff_reader *reader, gf_error *error)
{
    static const char kinds[] = {
        [SAMPLEFORMAT_UINT] = 'u', [SAMPLEFORMAT_INT] = 'i', [SAMPLEFORMAT_IEEEFP] = 'f'};
    struct gf_tiff_layout *l = &reader->layout;
    struct gf_decoder *decoder = reader->decoder;
    struct gf_npy_type type = {.depth = GF_U8};
    l->format = l->format == SAMPLEFORMAT_VOID ? SAMPLEFORMAT_UINT : l->format;
    const char kind = l->format < sizeof kinds ? kinds[l->format] : 0;
    const int is_packed = l->format == SAMPLEFORMAT_UINT && (l->bits == 1 || l->bits == 2 || l->bits == 4);
    if (kind == 0) {
        return refuse(reader, "samples that are no integers and no floats", l->format, error);
    }
    if (!is_packed &&
        (l->bits % 8 != 0 || !gf_npy_choose(kind, l->bits / 8, decoder->limits->result_depths, &type))) {
        return gf_fail(
            error, GF_ERROR_INPUT,
            "%s: samples of type %s with %u bits are not read; valid are 1, 2, 4, 8, 16, 32 and 64 "
            "bits, floats of 16, 32 and 64",
            decoder->in->label,
            kind == 'u'   ? "uint"
            : kind == 'i' ? "int"
                          : "float",
            l->bits);
    }
    const int is_plain = type.convert == NULL && (type.depth == GF_U8 || type.depth == GF_U16);
    if (l->photometric == PHOTOMETRIC_MINISWHITE && !is_plain) {
        return refuse(reader, "white as 0 of samples that have no full scale, of bits", l->bits, error);
    }
    if (l->alpha == 1 && !is_plain && kind != 'f') {
        return refuse(reader, "associated alpha of samples that have no full scale, of bits", l->bits, error);
    }
    if (type.what != NULL) {
        gf_add_note(decoder->note, "tiff: %s is read as %s", type.name, type.what);
    }
    l->convert = type.convert;
    decoder->info.shape.depth = type.depth;
    decoder->info.shape.channels = l->colours + (l->alpha != 0);
    decoder->info.stored_bits = l->bits;
    return GF_OK;
}

gf_status gf_tiff_choose(struct gf_tiff_reader *reader, gf_error *error)
{
    if (reader->layout.samples < 1) {
        return refuse(reader, "samples a pixel", reader->layout.samples, error);
    }
    GF_TRY(check_compression(reader, error));
    GF_TRY(choose_colours(reader, error));
    if (reader->layout.samples < reader->layout.colours && reader->layout.map_size == 0) {
        return refuse(reader, "RGB with samples a pixel", reader->layout.samples, error);
    }
    choose_alpha(reader);
    return choose_type(reader, error);
}

/* ---- rows ---- */

/* Sample i of those of less than a byte. */
static unsigned packed(const uint8_t *from, uint64_t i, unsigned bits)
{
    const uint64_t at = i * bits;
    return from[at / 8] >> (8 - bits - at % 8) & ((1u << bits) - 1);
}

static void take_channel(const struct gf_tiff_layout *l, const uint8_t *from, uint64_t first, uint64_t step,
                         uint8_t *to, size_t to_step, size_t size)
{
    const unsigned most = (1u << (l->bits & 7)) - 1;
    const size_t stored = l->bits / 8;
    if (l->bits < 8) {
        for (uint64_t x = 0; x < l->width; x++) {
            to[x * to_step] = (uint8_t)gf_scale_sample(packed(from, first + x * step, l->bits), most, 255);
        }
    } else if (l->convert != NULL) {
        l->convert(from + first * stored, (int64_t)(step * stored), to, (int64_t)to_step, l->width);
    } else {
        for (uint64_t x = 0; x < l->width; x++) {
            memcpy(to + x * to_step, from + (first + x * step) * stored, size);
        }
    }
}

/* The upper byte: some write 255 as 65535, others as 65280, and some as 255. */
static void take_palette(const struct gf_tiff_layout *l, const uint8_t *from, uint8_t *to)
{
    for (uint64_t x = 0; x < l->width; x++) {
        const unsigned index = l->bits < 8 ? packed(from, x, l->bits) : from[x];
        for (int c = 0; c < 3; c++) {
            to[3 * x + (uint64_t)c] = (uint8_t)(l->map[c][index] >> l->map_shift);
        }
    }
}

/* White as 0: in gray, with alpha or without. */
static void invert(const gf_shape *shape, void *to)
{
    for (int64_t x = 0; x < shape->width * shape->channels; x += shape->channels) {
        if (shape->depth == GF_U8) {
            ((uint8_t *)to)[x] ^= 0xff;
        } else {
            ((uint16_t *)to)[x] ^= 0xffff;
        }
    }
}

void gf_tiff_convert_row(const struct gf_tiff_reader *reader, const uint8_t *row, void *to)
{
    const struct gf_tiff_layout *l = &reader->layout;
    const gf_shape *shape = &reader->decoder->info.shape;
    const size_t size = gf_depth_size(shape->depth), step = size * (size_t)shape->channels;
    if (l->map_size > 0) {
        take_palette(l, row, to);
        return;
    }
    if (!l->is_planar && l->samples == shape->channels && l->bits >= 8 && l->convert == NULL) {
        memcpy(to, row, l->width * step);
    } else {
        for (int32_t c = 0; c < shape->channels; c++) {
            take_channel(l, l->is_planar ? row + c * reader->plane_size : row, l->is_planar ? 0 : (uint64_t)c,
                         l->is_planar ? 1 : l->samples, (uint8_t *)to + (size_t)c * size, step, size);
        }
    }
    if (l->photometric == PHOTOMETRIC_MINISWHITE) {
        invert(shape, to);
    }
    if (l->alpha == 1) {
        gf_alpha_divide(shape, to, l->colours);
    }
}
