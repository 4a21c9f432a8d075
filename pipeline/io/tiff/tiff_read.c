/* TIFF to pictures. The fences around libtiff are listed in tiff_private.h. */
#include "io/tiff/tiff_private.h"

#include "base/status.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

gf_status gf_tiff_explain(struct gf_tiff_reader *reader, gf_error *error)
{
    struct gf_bytes_in *in = reader->decoder->in;
    const struct gf_tiff_bytes *bytes = &reader->bytes;
    if (in->errno_seen != 0) {
        return gf_bytes_in_fail(in, "the TIFF data", error);
    }
    if (bytes->no_memory) {
        return gf_fail(error, GF_ERROR_MEMORY, "%s: no memory for TIFF", in->label);
    }
    if (strstr(bytes->message, "defined in open options") != NULL) {
        return gf_fail(error, GF_ERROR_LIMIT, "%s: a part of it needs more memory than max_memory, %" PRIu64,
                       in->label, reader->decoder->limits->max_memory);
    }
    return gf_fail(error, GF_ERROR_INPUT, "%s: damaged TIFF: %s", in->label,
                   bytes->message[0] != '\0' ? bytes->message : "it ends early");
}

/* ---- opening ---- */

static gf_status open_bytes(struct gf_tiff_reader *reader, gf_error *error)
{
    struct gf_tiff_bytes *bytes = &reader->bytes;
    bytes->in = reader->decoder->in;
    bytes->max_block = reader->decoder->limits->max_memory;
    if (gf_bytes_in_is_random(bytes->in)) {
        bytes->size = bytes->in->size;
        return GF_OK;
    }
    const uint8_t *held;
    return gf_bytes_in_hold(bytes->in, bytes->max_block, &bytes->held, &held, &bytes->size, error);
}

static void read_tags(struct gf_tiff_reader *reader)
{
    struct gf_tiff_layout *l = &reader->layout;
    TIFF *tiff = reader->tiff;
    uint16_t planar = PLANARCONFIG_CONTIG;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_IMAGEWIDTH, &l->width);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_IMAGELENGTH, &l->height);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &l->bits);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &l->samples);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLEFORMAT, &l->format);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_COMPRESSION, &l->compression);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_PLANARCONFIG, &planar);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_ORIENTATION, &l->orientation);
    if (!TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &l->photometric)) { /* facsimiles leave it out */
        l->photometric = l->bits == 1      ? PHOTOMETRIC_MINISWHITE
                         : l->samples >= 3 ? PHOTOMETRIC_RGB
                                           : PHOTOMETRIC_MINISBLACK;
    }
    l->is_planar = planar == PLANARCONFIG_SEPARATE && l->samples > 1;
    l->is_tiled = TIFFIsTiled(tiff);
}

static gf_status go_to_page(struct gf_tiff_reader *reader, gf_error *error)
{
    struct gf_decoder *decoder = reader->decoder;
    decoder->info.pages = TIFFNumberOfDirectories(reader->tiff);
    GF_TRY(gf_check_page(decoder, error));
    if (reader->bytes.errors > 0) {
        gf_add_note(decoder->note, "behind page %" PRId64 ": %s", decoder->info.pages, reader->bytes.message);
    }
    reader->bytes.errors = reader->bytes.is_short = 0;
    reader->bytes.message[0] = reader->bytes.warning[0] = '\0';
    const tdir_t page = (tdir_t)(decoder->limits->page > 1 ? decoder->limits->page - 1 : 0);
    const int done = TIFFSetDirectory(reader->tiff, page);
    return done && !reader->bytes.is_short && decoder->in->errno_seen == 0 ? GF_OK
                                                                           : gf_tiff_explain(reader, error);
}

static gf_status take_shape(struct gf_tiff_reader *reader, gf_error *error)
{
    struct gf_decoder *decoder = reader->decoder;
    const struct gf_tiff_layout *l = &reader->layout;
    gf_shape *shape = &decoder->info.shape;
    if (l->width == 0 || l->height == 0) {
        return gf_fail(error, GF_ERROR_INPUT, "%s: damaged TIFF: %" PRIu32 " x %" PRIu32 " pixels",
                       decoder->in->label, l->width, l->height);
    }
    shape->width = l->width;
    shape->height = l->height;
    GF_TRY(gf_check_limits(decoder->limits, decoder->in->label, l->width, l->height, 0, error));
    GF_TRY(gf_tiff_choose(reader, error));
    const uint64_t pixel = (uint64_t)shape->channels * gf_depth_size(shape->depth);
    decoder->expands = reader->bytes.size / pixel / l->width < l->height;
    decoder->orientation = l->orientation >= 1 && l->orientation <= 8 ? l->orientation : 1;
    const TIFFCodec *codec = TIFFFindCODEC(l->compression);
    decoder->info.compression = l->compression == COMPRESSION_NONE ? "none" : codec ? codec->name : NULL;
    return GF_OK;
}

/* The memory that bands take: better known before any is. */
static gf_status plan_bands(struct gf_tiff_reader *reader, gf_error *error)
{
    struct gf_tiff_layout *l = &reader->layout;
    struct gf_decoder *decoder = reader->decoder;
    const uint64_t pixel = (uint64_t)l->bits * (l->is_planar ? 1 : l->samples);
    uint32_t across = l->width, down = 1;
    uint64_t row = 0, planes = l->is_planar ? (uint64_t)decoder->info.shape.channels : 1, all, block = 0;
    if (l->is_tiled) {
        TIFFGetField(reader->tiff, TIFFTAG_TILEWIDTH, &across);
        TIFFGetField(reader->tiff, TIFFTAG_TILELENGTH, &down);
        row = (across * pixel + 7) / 8;
        if (across % 16 != 0 || across == 0 || down == 0 || TIFFTileRowSize64(reader->tiff) != row) {
            return gf_fail(error, GF_ERROR_INPUT, "%s: damaged TIFF: tiles of %" PRIu32 " x %" PRIu32,
                           decoder->in->label, across, down);
        }
        block = row * down;
        row *= (l->width + (uint64_t)across - 1) / across;
    } else {
        row = (across * pixel + 7) / 8;
        if (TIFFScanlineSize64(reader->tiff) != row) {
            return gf_fail(error, GF_ERROR_INPUT, "%s: damaged TIFF: rows of another size than they are",
                           decoder->in->label);
        }
        if (l->is_planar) {
            TIFFGetFieldDefaulted(reader->tiff, TIFFTAG_ROWSPERSTRIP, &down);
            down = down == 0 || down > l->height ? l->height : down;
        }
    }
    if (__builtin_mul_overflow(row * planes, (uint64_t)down, &all) || all > INT64_MAX / 2) {
        all = INT64_MAX / 2;
    }
    if (all + block > decoder->limits->max_memory || row > INT32_MAX) {
        return gf_fail(error, GF_ERROR_LIMIT,
                       "%s: needs %" PRIu64 " bytes beside the picture, beyond max_memory, %" PRIu64,
                       decoder->in->label, all + block, decoder->limits->max_memory);
    }
    reader->row_size = (int64_t)row;
    reader->band_rows = down;
    reader->plane_size = (int64_t)row * down;
    decoder->held = all + block;
    return GF_OK;
}

gf_status gf_tiff_open_reader(struct gf_decoder *decoder, gf_error *error)
{
    struct gf_tiff_reader *reader = calloc(1, sizeof *reader);
    if (reader == NULL) {
        return gf_fail(error, GF_ERROR_MEMORY, "%s: no memory for TIFF", decoder->in->label);
    }
    decoder->state = reader;
    reader->decoder = decoder;
    GF_TRY(open_bytes(reader, error));
    reader->tiff = gf_tiff_open(&reader->bytes, "rm");
    if (reader->tiff == NULL) {
        return gf_tiff_explain(reader, error);
    }
    GF_TRY(go_to_page(reader, error));
    read_tags(reader);
    GF_TRY(take_shape(reader, error));
    GF_TRY(plan_bands(reader, error));
    if (reader->bytes.warning[0] != '\0') {
        gf_add_note(decoder->note, "tiff: %s", reader->bytes.warning);
    }
    return gf_tiff_collect(reader, error);
}

/* ---- samples ---- */

static int read_tiles(struct gf_tiff_reader *reader, int plane)
{
    const int64_t tile_row = TIFFTileRowSize(reader->tiff), block = tile_row * reader->band_rows;
    uint8_t *band = reader->band + plane * reader->plane_size;
    uint32_t across = 1, x = 0;
    TIFFGetField(reader->tiff, TIFFTAG_TILEWIDTH, &across);
    for (int64_t at = 0; at < reader->row_size; at += tile_row, x += across) {
        if (TIFFReadTile(reader->tiff, reader->block, x, (uint32_t)reader->begin, 0, (uint16_t)plane) !=
            block) {
            return 0;
        }
        for (int64_t y = 0; y < reader->end - reader->begin; y++) {
            memcpy(band + y * reader->row_size + at, reader->block + y * tile_row, (size_t)tile_row);
        }
    }
    return 1;
}

static int read_strip(struct gf_tiff_reader *reader, int plane)
{
    const uint32_t strip = TIFFComputeStrip(reader->tiff, (uint32_t)reader->begin, (uint16_t)plane);
    const int64_t size = (reader->end - reader->begin) * reader->row_size;
    return TIFFReadEncodedStrip(reader->tiff, strip, reader->band + plane * reader->plane_size, size) == size;
}

static gf_status read_band(struct gf_tiff_reader *reader, gf_error *error)
{
    const struct gf_tiff_layout *l = &reader->layout;
    const int planes = l->is_planar ? reader->decoder->info.shape.channels : 1;
    const int64_t left = l->height - reader->next;
    int done = 1;
    if (reader->band == NULL) { /* zeroed, as what damage leaves out is an error, and no secret */
        reader->band = calloc((size_t)planes, (size_t)reader->plane_size);
        reader->block =
            l->is_tiled && reader->band != NULL ? calloc(1, (size_t)TIFFTileSize(reader->tiff)) : NULL;
        reader->bytes.no_memory = reader->band == NULL || (l->is_tiled && reader->block == NULL);
        done = !reader->bytes.no_memory;
    }
    reader->begin = reader->next;
    reader->end = reader->begin + (left < reader->band_rows ? left : reader->band_rows);
    reader->bytes.is_decoding = 1;
    for (int plane = 0; plane < planes && done; plane++) {
        done = l->is_tiled    ? read_tiles(reader, plane)
               : l->is_planar ? read_strip(reader, plane)
                              : TIFFReadScanline(reader->tiff, reader->band, (uint32_t)reader->next, 0) >= 0;
    }
    reader->bytes.is_decoding = 0;
    return done && reader->bytes.errors == 0 ? GF_OK : gf_tiff_explain(reader, error);
}

gf_status gf_tiff_rows(struct gf_decoder *decoder, void *data, int64_t pitch, int64_t count, gf_error *error)
{
    struct gf_tiff_reader *reader = decoder->state;
    for (int64_t y = 0; y < count; y++, reader->next++) {
        if (reader->next >= reader->end) {
            GF_TRY(read_band(reader, error));
        }
        gf_tiff_convert_row(reader, reader->band + (reader->next - reader->begin) * reader->row_size,
                            (uint8_t *)data + y * pitch);
    }
    return GF_OK;
}

gf_status gf_tiff_finish(struct gf_decoder *decoder, gf_error *error)
{
    struct gf_tiff_reader *reader = decoder->state;
    return reader->bytes.errors == 0 ? GF_OK : gf_tiff_explain(reader, error);
}

void gf_tiff_close(struct gf_decoder *decoder)
{
    struct gf_tiff_reader *reader = decoder->state;
    if (reader != NULL) {
        if (reader->tiff != NULL) {
            TIFFClose(reader->tiff);
        }
        free(reader->bytes.held);
        free(reader->segments);
        free(reader->exif);
        free(reader->band);
        free(reader->block);
        free(reader);
        decoder->state = NULL;
    }
}
