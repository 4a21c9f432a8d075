/* GIF to pictures: frame by frame onto the canvas, which is the picture's own memory, up to the one that is
 * asked for, as browsers do: the canvas is clear at first, whatever the file calls its background. */
#include "io/gif/gif_private.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

struct canvas {
    uint8_t *data;
    int64_t pitch, width, height;
    int channels;
};

/* The part of a frame that lies on the canvas. */
struct part {
    int64_t left, top, width, height;
};

static struct part part_of(const GifImageDesc *frame, const struct canvas *canvas)
{
    struct part part = {frame->Left, frame->Top, frame->Width, frame->Height};
    part.width = part.left + part.width > canvas->width ? canvas->width - part.left : part.width;
    part.height = part.top + part.height > canvas->height ? canvas->height - part.top : part.height;
    part.width = part.width < 0 ? 0 : part.width;
    part.height = part.height < 0 ? 0 : part.height;
    return part;
}

enum work { CLEAR, KEEP, RESTORE };

/* Clears a part, or copies it to where it is kept, or back. */
static void work_on(const struct canvas *canvas, struct part part, enum work work, uint8_t *below)
{
    const size_t size = (size_t)(part.width * canvas->channels);
    for (int64_t y = 0; y < part.height && size > 0; y++) {
        uint8_t *row = canvas->data + (part.top + y) * canvas->pitch + part.left * canvas->channels;
        uint8_t *kept = below != NULL ? below + (size_t)y * size : NULL;
        if (work == CLEAR) {
            memset(row, 0, size);
        } else if (kept != NULL) {
            memcpy(work == KEEP ? kept : row, work == KEEP ? row : kept, size);
        }
    }
}

/* Numbers beyond the colours are black. */
static void paint_row(const struct gf_gif_reader *reader, const ColorMapObject *map,
                      const struct canvas *canvas, struct part part, int64_t y)
{
    uint8_t *to = canvas->data + (part.top + y) * canvas->pitch + part.left * canvas->channels;
    for (int64_t x = 0; x < part.width; x++, to += canvas->channels) {
        const int number = reader->line[x];
        if (number == reader->control.TransparentColor) {
            continue;
        }
        const GifColorType black = {0, 0, 0}, colour = number < map->ColorCount ? map->Colors[number] : black;
        to[0] = colour.Red;
        to[1] = colour.Green;
        to[2] = colour.Blue;
        if (canvas->channels == 4) {
            to[3] = 255;
        }
    }
}

static gf_status paint(struct gf_decoder *decoder, const struct canvas *canvas, struct part part,
                       gf_error *error)
{
    static const struct {
        int first, step;
    } passes[] = {{0, 8}, {4, 8}, {2, 4}, {1, 2}, {0, 1}};
    struct gf_gif_reader *reader = decoder->state;
    GifFileType *gif = reader->gif;
    const ColorMapObject *map = gif->Image.ColorMap != NULL ? gif->Image.ColorMap : gif->SColorMap;
    if (map == NULL) {
        return gf_gif_damaged(decoder, "a frame has no colours", error);
    }
    const int is_laced = gif->Image.Interlace;
    for (int pass = is_laced ? 0 : 4; pass < (is_laced ? 4 : 5); pass++) {
        for (int64_t y = passes[pass].first; y < gif->Image.Height; y += passes[pass].step) {
            if (DGifGetLine(gif, reader->line, gif->Image.Width) != GIF_OK) {
                return gf_gif_explain(decoder, gif->Error, error);
            }
            if (y < part.height) {
                paint_row(reader, map, canvas, part, y);
            }
        }
    }
    return GF_OK;
}

static gf_status take_memory(struct gf_decoder *decoder, gf_error *error)
{
    struct gf_gif_reader *reader = decoder->state;
    reader->line = reader->line != NULL ? reader->line : malloc(UINT16_MAX + 1);
    reader->below = reader->below == NULL && reader->restores ? malloc((size_t)decoder->held) : reader->below;
    return reader->line != NULL && (reader->below != NULL || !reader->restores)
               ? GF_OK
               : gf_gif_no_memory(decoder, error);
}

gf_status gf_gif_rows(struct gf_decoder *decoder, void *data, int64_t pitch, int64_t count, gf_error *error)
{
    struct gf_gif_reader *reader = decoder->state;
    const gf_shape *shape = &decoder->info.shape;
    const struct canvas canvas = {data, pitch, shape->width, count, shape->channels};
    GF_TRY(take_memory(decoder, error));
    GF_TRY(gf_gif_begin(decoder, error));
    work_on(&canvas, (struct part){0, 0, shape->width, count}, CLEAR, NULL);
    for (int64_t number = 1, last = reader->page; number <= last; number++) {
        int there = 0;
        GF_TRY(gf_gif_find_frame(decoder, &there, error));
        const struct part part = part_of(&reader->gif->Image, &canvas);
        const int disposal = number < last ? reader->control.DisposalMode : DISPOSE_DO_NOT;
        if (disposal == DISPOSE_PREVIOUS) {
            work_on(&canvas, part, KEEP, reader->below);
        }
        if (reader->gif->Image.Width > 0 && reader->gif->Image.Height > 0) {
            GF_TRY(paint(decoder, &canvas, part, error));
        } else {
            GF_TRY(gf_gif_pass_samples(decoder, error));
        }
        if (disposal == DISPOSE_BACKGROUND || disposal == DISPOSE_PREVIOUS) {
            work_on(&canvas, part, disposal == DISPOSE_PREVIOUS ? RESTORE : CLEAR, reader->below);
        }
    }
    return GF_OK;
}

void gf_gif_close(struct gf_decoder *decoder)
{
    struct gf_gif_reader *reader = decoder->state;
    int code;
    if (reader != NULL) {
        if (reader->gif != NULL) {
            DGifCloseFile(reader->gif, &code);
        }
        free(reader->held);
        free(reader->line);
        free(reader->below);
        free(reader);
        decoder->state = NULL;
    }
}
