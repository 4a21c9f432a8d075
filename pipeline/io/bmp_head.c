/* BITMAPFILEHEADER and the headers that may follow it, as Microsoft documents them. */
#include "bmp_head.h"

#include "base/status.h"

#include <inttypes.h>
#include <string.h>

enum { FILE_HEAD = 14, CORE_HEAD = 12, INFO_HEAD = 40, MASKS_HEAD = 56, V4_HEAD = 108, V5_HEAD = 124 };
enum { PLAIN = 0, BITFIELDS = 3 };

/* What the headers say. */
struct fields {
    uint32_t offset, size; /* of the samples; of the second header */
    int64_t width, height; /* height below 0: the top row first */
    uint32_t bits, compression, colours;
    uint32_t masks[4]; /* red, green, blue, alpha */
    uint64_t taken;    /* bytes of the file so far */
};

static uint32_t get(const uint8_t *bytes, int size)
{
    uint32_t value = 0;
    for (int i = size - 1; i >= 0; i--) {
        value = value << 8 | bytes[i];
    }
    return value;
}

static void put(uint8_t *bytes, int size, uint32_t value)
{
    for (int i = 0; i < size; i++) {
        bytes[i] = (uint8_t)(value >> 8 * i);
    }
}

static gf_status bad(const struct gf_decoder *decoder, const char *why, gf_error *error)
{
    return gf_fail(error, GF_ERROR_INPUT, "%s: damaged BMP, or of a kind that is not read: %s",
                   decoder->in->label, why);
}

static gf_status take(struct gf_decoder *decoder, struct fields *fields, uint8_t *bytes, size_t size,
                      gf_error *error)
{
    fields->taken += size;
    return gf_bytes_in_read(decoder->in, bytes, size) == size
               ? GF_OK
               : gf_bytes_in_fail(decoder->in, "the BMP header", error);
}

static gf_status read_fields(struct gf_decoder *decoder, struct fields *fields, gf_error *error)
{
    uint8_t b[V5_HEAD] = {0};
    GF_TRY(take(decoder, fields, b, FILE_HEAD + 4, error));
    fields->offset = get(b + 10, 4);
    fields->size = get(b + FILE_HEAD, 4);
    if (fields->size != CORE_HEAD && fields->size != INFO_HEAD && fields->size != 52 &&
        fields->size != MASKS_HEAD && fields->size != V4_HEAD && fields->size != V5_HEAD) {
        return bad(decoder, "the size of its header", error);
    }
    GF_TRY(take(decoder, fields, b + 4, fields->size - 4, error));
    if (fields->size == CORE_HEAD) {
        fields->width = get(b + 4, 2);
        fields->height = get(b + 6, 2);
        fields->bits = get(b + 10, 2);
        return GF_OK;
    }
    fields->width = (int32_t)get(b + 4, 4);
    fields->height = (int32_t)get(b + 8, 4);
    fields->bits = get(b + 14, 2);
    fields->compression = get(b + 16, 4);
    fields->colours = get(b + 32, 4);
    if (fields->size == INFO_HEAD && fields->compression == BITFIELDS) {
        GF_TRY(take(decoder, fields, b + INFO_HEAD, 12, error));
    }
    for (int i = 0; i < 4; i++) { /* zeros where the header is too short for one */
        fields->masks[i] = get(b + INFO_HEAD + 4 * i, 4);
    }
    return GF_OK;
}

static gf_status check_fields(struct gf_decoder *decoder, const struct fields *fields, gf_error *error)
{
    uint32_t bits = fields->bits;
    if (fields->width < 1 || fields->height == 0 || fields->height == INT32_MIN) {
        return bad(decoder, "its width or height", error);
    }
    if (fields->compression == 1 || fields->compression == 2) {
        return bad(decoder, "run-length coding", error);
    }
    if (fields->compression != PLAIN && (fields->compression != BITFIELDS || (bits != 16 && bits != 32))) {
        return bad(decoder, "its compression", error);
    }
    if (bits != 1 && bits != 4 && bits != 8 && bits != 16 && bits != 24 && bits != 32) {
        return bad(decoder, "its bits of a pixel; 1, 4, 8, 16, 24 and 32 are read", error);
    }
    if (fields->offset < fields->taken) {
        return bad(decoder, "its samples begin within its header", error);
    }
    gf_file_info *info = &decoder->info;
    int alpha = bits == 32 && (fields->compression == PLAIN || fields->masks[3] != 0);
    alpha |= bits == 16 && fields->compression == BITFIELDS && fields->masks[3] != 0;
    info->shape.width = fields->width;
    info->shape.height = fields->height < 0 ? -fields->height : fields->height;
    info->shape.channels = alpha ? 4 : 3;
    info->shape.depth = GF_U8;
    info->stored_bits = bits < 8 ? bits : 8;
    info->whole = 1;
    return gf_check_limits(decoder->limits, decoder->in->label, info->shape.width, info->shape.height, 0,
                           error);
}

/* Palette entries behind the header, as far as there are any, to a palette of all of them. */
static gf_status read_palette(struct gf_decoder *decoder, struct fields *fields, uint8_t *palette,
                              gf_error *error)
{
    uint32_t entry = fields->size == CORE_HEAD ? 3 : 4, most = 1u << fields->bits;
    uint32_t count = fields->colours > 0 && fields->colours < most ? fields->colours : most;
    uint64_t room = (fields->offset - fields->taken) / entry;
    count = count < room ? count : (uint32_t)room;
    for (uint32_t i = 0; i < count; i++) {
        GF_TRY(take(decoder, fields, palette + 4 * (size_t)i, entry, error));
    }
    return GF_OK;
}

gf_status gf_bmp_read_head(struct gf_decoder *decoder, struct gf_bmp_head *head, gf_error *error)
{
    struct fields fields = {0};
    GF_TRY(read_fields(decoder, &fields, error));
    GF_TRY(check_fields(decoder, &fields, error));
    int masked = fields.bits == 16 || fields.bits == 32;
    size_t palette = fields.bits < 16 ? (size_t)4 << fields.bits : 0;
    memset(head, 0, sizeof *head);
    head->size = FILE_HEAD + (masked ? (size_t)V4_HEAD : INFO_HEAD + palette);
    if (palette != 0) {
        GF_TRY(read_palette(decoder, &fields, head->bytes + FILE_HEAD + INFO_HEAD, error));
    }
    while (fields.taken < fields.offset) {
        uint8_t ignored[256];
        uint64_t left = fields.offset - fields.taken;
        GF_TRY(take(decoder, &fields, ignored, left < sizeof ignored ? (size_t)left : sizeof ignored, error));
    }
    uint8_t *b = head->bytes;
    memcpy(b, "BM", 2);
    put(b + 10, 4, (uint32_t)head->size);
    b += FILE_HEAD;
    put(b, 4, masked ? V4_HEAD : INFO_HEAD);
    put(b + 4, 4, (uint32_t)fields.width);
    put(b + 8, 4, (uint32_t)(int32_t)fields.height);
    put(b + 12, 2, 1);
    put(b + 14, 2, fields.bits);
    put(b + 16, 4, fields.compression);
    for (int i = 0; fields.compression == BITFIELDS && i < 4; i++) { /* elsewhere they count for nothing */
        put(b + INFO_HEAD + 4 * i, 4, fields.masks[i]);
    }
    return gf_check_left(decoder, (fields.width * fields.bits + 31) / 32, 4, error);
}
