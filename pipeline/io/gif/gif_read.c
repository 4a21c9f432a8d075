/* Opening a GIF: its blocks are looked through, for how many frames there are and whether all of the canvas
 * is painted. No sample is decoded. */
#include "io/gif/gif_private.h"

#include "base/status.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

gf_status gf_gif_damaged(const struct gf_decoder *decoder, const char *what, gf_error *error)
{
    return gf_fail(error, GF_ERROR_INPUT, "%s: damaged GIF: %s", decoder->in->label, what);
}

gf_status gf_gif_no_memory(const struct gf_decoder *decoder, gf_error *error)
{
    return gf_fail(error, GF_ERROR_MEMORY, "%s: no memory for GIF", decoder->in->label);
}

gf_status gf_gif_explain(const struct gf_decoder *decoder, int code, gf_error *error)
{
    const struct gf_gif_reader *reader = decoder->state;
    if (code == D_GIF_ERR_NOT_ENOUGH_MEM) {
        return gf_gif_no_memory(decoder, error);
    }
    const char *said = GifErrorString(code);
    return gf_gif_damaged(decoder,
                          reader->at >= reader->size ? "it ends early"
                          : said != NULL             ? said
                                                     : "its samples",
                          error);
}

static int give(GifFileType *gif, GifByteType *to, int count)
{
    struct gf_gif_reader *reader = gif->UserData;
    const uint64_t left = reader->size - reader->at, part = (uint64_t)count < left ? (uint64_t)count : left;
    memcpy(to, reader->bytes + reader->at, (size_t)part);
    reader->at += part;
    return (int)part;
}

gf_status gf_gif_begin(struct gf_decoder *decoder, gf_error *error)
{
    struct gf_gif_reader *reader = decoder->state;
    int code = 0;
    if (reader->gif != NULL) {
        DGifCloseFile(reader->gif, &code);
    }
    reader->at = 0;
    reader->gif = DGifOpen(reader, give, &code);
    return reader->gif != NULL ? GF_OK : gf_gif_explain(decoder, code, error);
}

/* ---- blocks ---- */

static void look_at_extension(struct gf_gif_reader *reader, int kind, const GifByteType *block)
{
    if (kind == GRAPHICS_EXT_FUNC_CODE) {
        DGifExtensionToGCB(block[0], block + 1, &reader->control);
    } else if (kind == APPLICATION_EXT_FUNC_CODE && block[0] == 11) {
        reader->has_icc |= memcmp(block + 1, "ICCRGBG1012", 11) == 0;
        reader->has_xmp |= memcmp(block + 1, "XMP DataXMP", 11) == 0;
    }
}

static int pass_extension(struct gf_gif_reader *reader)
{
    GifByteType *block = NULL;
    int kind = 0, done = DGifGetExtension(reader->gif, &kind, &block);
    if (done == GIF_OK && block != NULL) {
        look_at_extension(reader, kind, block);
    }
    while (done == GIF_OK && block != NULL) {
        done = DGifGetExtensionNext(reader->gif, &block);
    }
    return done == GIF_OK;
}

/* A byte 0 between blocks, as some writers leave, is passed, and
 * so is that nothing says that it ends, since no sample is missing. */
gf_status gf_gif_find_frame(struct gf_decoder *decoder, int *there, gf_error *error)
{
    struct gf_gif_reader *reader = decoder->state;
    GifFileType *gif = reader->gif;
    reader->control = (GraphicsControlBlock){.TransparentColor = NO_TRANSPARENT_COLOR};
    *there = 0;
    for (;;) {
        GifRecordType type = UNDEFINED_RECORD_TYPE;
        const int is_end = reader->at >= reader->size;
        int done = is_end || DGifGetRecordType(gif, &type) == GIF_OK;
        if (!done && gif->Error == D_GIF_ERR_WRONG_RECORD && reader->bytes[reader->at - 1] == 0) {
            reader->has_zeros = 1;
            continue;
        }
        if (type == IMAGE_DESC_RECORD_TYPE) {
            done = DGifGetImageDesc(gif) == GIF_OK;
            GifFreeSavedImages(gif); /* a description of each frame */
            gif->SavedImages = NULL;
            gif->ImageCount = 0;
            *there = done;
        } else if (type == EXTENSION_RECORD_TYPE) {
            done = pass_extension(reader);
        } else if (done) {
            reader->has_no_end |= is_end;
            return GF_OK;
        }
        if (!done || *there) {
            return done ? GF_OK : gf_gif_explain(decoder, gif->Error, error);
        }
    }
}

gf_status gf_gif_pass_samples(struct gf_decoder *decoder, gf_error *error)
{
    const struct gf_gif_reader *reader = decoder->state;
    GifByteType *block = NULL;
    int size = 0, done = DGifGetCode(reader->gif, &size, &block);
    while (done == GIF_OK && block != NULL) {
        done = DGifGetCodeNext(reader->gif, &block);
    }
    return done == GIF_OK ? GF_OK : gf_gif_explain(decoder, reader->gif->Error, error);
}

/* ---- opening ---- */

/* The canvas; where the file has none, as large as the first frame reaches. */
static void take_size(const struct gf_decoder *decoder, gf_shape *shape)
{
    const GifFileType *gif = ((const struct gf_gif_reader *)decoder->state)->gif;
    const int has = gif->SWidth > 0 && gif->SHeight > 0;
    shape->width = has ? gif->SWidth : (int64_t)gif->Image.Left + gif->Image.Width;
    shape->height = has ? gif->SHeight : (int64_t)gif->Image.Top + gif->Image.Height;
}

/* What frame `number`, up to the page, means for the whole: where the first one paints all of the canvas and
 * none behind it clears a part, the picture is opaque. */
static void take_frame(struct gf_decoder *decoder, int64_t number)
{
    struct gf_gif_reader *reader = decoder->state;
    gf_shape *shape = &decoder->info.shape;
    const GifImageDesc *frame = &reader->gif->Image;
    const int disposal = reader->control.DisposalMode, is_last = number == reader->page;
    if (number == 1) {
        take_size(decoder, shape);
        const int is_all = frame->Left == 0 && frame->Top == 0 && frame->Width >= shape->width &&
                           frame->Height >= shape->height;
        shape->channels = is_all && reader->control.TransparentColor == NO_TRANSPARENT_COLOR ? 3 : 4;
    }
    if (!is_last && (disposal == DISPOSE_BACKGROUND || (disposal == DISPOSE_PREVIOUS && number == 1))) {
        shape->channels = 4;
    }
    reader->restores |= !is_last && disposal == DISPOSE_PREVIOUS;
    reader->is_beyond |= (int64_t)frame->Left + frame->Width > shape->width ||
                         (int64_t)frame->Top + frame->Height > shape->height;
}

static gf_status look_through(struct gf_decoder *decoder, gf_error *error)
{
    const struct gf_gif_reader *reader = decoder->state;
    int there;
    decoder->info.pages = 0;
    for (;;) {
        GF_TRY(gf_gif_find_frame(decoder, &there, error));
        if (!there) {
            return decoder->info.pages > 0 ? gf_check_page(decoder, error)
                                           : gf_gif_damaged(decoder, "it has no picture", error);
        }
        if (++decoder->info.pages <= reader->page) {
            take_frame(decoder, decoder->info.pages);
        }
        GF_TRY(gf_gif_pass_samples(decoder, error));
    }
}

static void add_notes(struct gf_decoder *decoder)
{
    const struct gf_gif_reader *reader = decoder->state;
    const struct {
        int is;
        const char *what;
    } notes[] = {{reader->has_icc, "ICC profile: not read from GIF, left out"},
                 {reader->has_xmp, "XMP: not read from GIF, left out"},
                 {reader->is_beyond, "a frame reaches beyond the picture and is cut"},
                 {reader->has_zeros, "bytes between frames that belong to nothing"},
                 {reader->has_no_end, "nothing says that it ends"}};
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++) {
        if (notes[i].is) {
            gf_add_note(decoder->note, "%s", notes[i].what);
        }
    }
}

static gf_status take_shape(struct gf_decoder *decoder, gf_error *error)
{
    const struct gf_gif_reader *reader = decoder->state;
    gf_file_info *info = &decoder->info;
    const gf_shape *shape = &info->shape;
    info->shape.depth = GF_U8;
    info->stored_bits = 8;
    info->whole = decoder->expands = 1;
    if (shape->width < 1 || shape->height < 1) {
        return gf_gif_damaged(decoder, "it has no pixels", error);
    }
    GF_TRY(gf_check_limits(decoder->limits, decoder->in->label, shape->width, shape->height, 0, error));
    decoder->held = reader->restores ? (uint64_t)(shape->width * shape->height * shape->channels) : 0;
    if (decoder->held > decoder->limits->max_memory) {
        return gf_fail(error, GF_ERROR_LIMIT,
                       "%s: needs %" PRIu64 " bytes beside the picture, beyond max_memory, %" PRIu64,
                       decoder->in->label, decoder->held, decoder->limits->max_memory);
    }
    if (reader->gif->AspectByte > 0) { /* of a pixel: that many more than 15 64ths as wide as high */
        decoder->metadata.density[0] = 64;
        decoder->metadata.density[1] = reader->gif->AspectByte + 15u;
        decoder->metadata.fields |= GF_META_DENSITY;
    }
    add_notes(decoder);
    return GF_OK;
}

gf_status gf_gif_open(struct gf_decoder *decoder, gf_error *error)
{
    struct gf_gif_reader *reader = calloc(1, sizeof *reader);
    if (reader == NULL) {
        return gf_gif_no_memory(decoder, error);
    }
    decoder->state = reader;
    reader->page = decoder->limits->page > 1 ? decoder->limits->page : 1;
    GF_TRY(gf_bytes_in_hold(decoder->in, decoder->limits->max_memory, &reader->held, &reader->bytes,
                            &reader->size, error));
    GF_TRY(gf_gif_begin(decoder, error));
    GF_TRY(look_through(decoder, error));
    return take_shape(decoder, error);
}
