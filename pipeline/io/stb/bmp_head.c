#include "io/stb/bmp_head.h"

#include "base/status.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { FILE_HEAD = 14, CORE_HEAD = 12, LEAST_OS2 = 16, INFO_HEAD = 40, MOST_OS2 = 64, V5_HEAD = 124 };
enum { MOST_PIXELS = 1024 }; /* of a byte: runs have 127, and what is left out may be as much, and more */
enum {
    PLAIN = 0,
    RUNS_8 = 1,
    RUNS_4 = 2,
    BITFIELDS = 3,
    JPEG_WITHIN = 4,
    PNG_WITHIN = 5,
    ALPHA_BITFIELDS = 6
};

/* What the headers say. */
struct fields {
    uint32_t file_size, offset, size; /* of the file; of the samples in it; of the second header */
    int is_os2;                       /* 1: the second header is OS/2's */
    int64_t width, height;            /* height below 0: the top row first */
    uint32_t bits, compression, sample_bytes, colours;
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

gf_status gf_bmp_fail(const struct gf_decoder *decoder, gf_error *error, const char *why, ...)
{
    char text[128];
    va_list args;
    va_start(args, why);
    vsnprintf(text, sizeof text, why, args);
    va_end(args);
    return gf_fail(error, GF_ERROR_INPUT, "%s: damaged BMP, or of a kind that is not read: %s",
                   decoder->in->label, text);
}

static gf_status take(struct gf_decoder *decoder, struct fields *fields, void *bytes, size_t size,
                      gf_error *error)
{
    fields->taken += size;
    return gf_bytes_in_read(decoder->in, bytes, size) == size
               ? GF_OK
               : gf_bytes_in_fail(decoder->in, "the BMP header", error);
}

/* OS/2 cuts its second header anywhere behind the bits of a pixel; the lengths of Windows' are fixed. */
static int is_header_size(uint32_t size)
{
    return size == CORE_HEAD || (size >= LEAST_OS2 && size <= MOST_OS2) || size == 108 || size == V5_HEAD;
}

static gf_status read_fields(struct gf_decoder *decoder, struct fields *fields, gf_error *error)
{
    uint8_t b[V5_HEAD] = {0};
    GF_TRY(take(decoder, fields, b, FILE_HEAD + 4, error));
    fields->file_size = get(b + 2, 4);
    fields->offset = get(b + 10, 4);
    fields->size = get(b + FILE_HEAD, 4);
    if (!is_header_size(fields->size)) {
        return gf_bmp_fail(decoder, error,
                           "the size of its header is %" PRIu32 "; 12, 16 to 64, 108 and 124 are read",
                           fields->size);
    }
    memset(b, 0, sizeof b);
    GF_TRY(take(decoder, fields, b + 4, fields->size - 4, error));
    if (fields->size == CORE_HEAD) {
        fields->width = get(b + 4, 2);
        fields->height = get(b + 6, 2);
        fields->bits = get(b + 10, 2);
        return GF_OK;
    }
    fields->is_os2 =
        fields->size <= MOST_OS2 && fields->size != INFO_HEAD && fields->size != 52 && fields->size != 56;
    fields->width = (int32_t)get(b + 4, 4);
    fields->height = (int32_t)get(b + 8, 4);
    fields->bits = get(b + 14, 2);
    fields->compression = get(b + 16, 4);
    fields->sample_bytes = get(b + 20, 4);
    fields->colours = get(b + 32, 4);
    if (fields->size == INFO_HEAD &&
        (fields->compression == BITFIELDS || fields->compression == ALPHA_BITFIELDS)) {
        GF_TRY(take(decoder, fields, b + INFO_HEAD, fields->compression == BITFIELDS ? 12 : 16, error));
    }
    for (int i = 0; i < 4; i++) { /* zeros where the header is too short for one */
        fields->masks[i] = get(b + INFO_HEAD + 4 * i, 4);
    }
    return GF_OK;
}

static gf_status check_compression(const struct gf_decoder *decoder, const struct fields *fields,
                                   gf_error *error)
{
    uint32_t bits = fields->bits, kind = fields->compression;
    if (fields->is_os2 && (kind == 3 || kind == 4)) {
        return gf_bmp_fail(decoder, error,
                           kind == 3 ? "OS/2's Huffman coding" : "run-length coding of 24 bits");
    }
    if (fields->is_os2 && kind == ALPHA_BITFIELDS) {
        return gf_bmp_fail(decoder, error, "OS/2 has no compression 6");
    }
    if (kind == JPEG_WITHIN || kind == PNG_WITHIN) {
        return gf_bmp_fail(decoder, error, "it holds a %s", kind == JPEG_WITHIN ? "JPEG" : "PNG");
    }
    if (kind == RUNS_8 || kind == RUNS_4) {
        if (bits != (kind == RUNS_8 ? 8 : 4) || fields->height < 0) {
            return gf_bmp_fail(decoder, error, "run-length coding of %" PRIu32 " bits, %s", bits,
                               fields->height < 0 ? "the top row first" : "which is not its compression");
        }
    } else if (kind == BITFIELDS || kind == ALPHA_BITFIELDS) {
        if (bits != 16 && bits != 32) {
            return gf_bmp_fail(decoder, error, "masks for %" PRIu32 " bits of a pixel; 16 and 32 have them",
                               bits);
        }
    } else if (kind != PLAIN) {
        return gf_bmp_fail(decoder, error, "its compression is %" PRIu32 "; 0 to 3 and 6 are read", kind);
    }
    if (bits != 1 && bits != 2 && bits != 4 && bits != 8 && bits != 16 && bits != 24 && bits != 32) {
        return gf_bmp_fail(decoder, error,
                           "its bits of a pixel are %" PRIu32 "; 1, 2, 4, 8, 16, 24 and 32 are read", bits);
    }
    return GF_OK;
}

/* Masks count only where the compression says so; elsewhere the fields are what everybody knows, and the
 * fourth byte of 32 bits is unused. */
static gf_status take_masks(const struct gf_decoder *decoder, const struct fields *fields,
                            struct gf_bmp_head *head, gf_error *error)
{
    static const char *const names[] = {"red", "green", "blue", "alpha"};
    static const uint32_t narrow[4] = {0x7c00, 0x3e0, 0x1f, 0}, wide[4] = {0xff0000, 0xff00, 0xff, 0};
    const uint32_t *masks = fields->compression != PLAIN ? fields->masks : fields->bits == 16 ? narrow : wide;
    for (int i = 0; i < 4 && fields->bits >= 16; i++) {
        uint32_t mask = masks[i];
        struct gf_bmp_field *field = &head->field[i];
        while (mask != 0 && (mask & 1u) == 0) {
            mask >>= 1;
            field->shift++;
        }
        field->most = mask;
        if ((mask == 0 && i < 3) || (mask & (mask + 1)) != 0 || (fields->bits == 16 && masks[i] > 0xffff)) {
            return gf_bmp_fail(decoder, error,
                               "its mask of %s is 0x%" PRIx32 ", which is not one run of its %" PRIu32
                               " bits",
                               names[i], masks[i], fields->bits);
        }
    }
    return GF_OK;
}

static gf_status fill_info(struct gf_decoder *decoder, const struct fields *fields, struct gf_bmp_head *head,
                           gf_error *error)
{
    if (fields->width < 1 || fields->height == 0 || fields->height == INT32_MIN) {
        return gf_bmp_fail(decoder, error, "its width or height, %" PRId64 " x %" PRId64, fields->width,
                           fields->height);
    }
    GF_TRY(check_compression(decoder, fields, error));
    GF_TRY(take_masks(decoder, fields, head, error));
    gf_file_info *info = &decoder->info;
    int deep = 0;
    for (int i = 0; i < 4; i++) {
        deep |= head->field[i].most > 255;
    }
    head->bits = (int)fields->bits;
    head->runs = fields->compression == RUNS_8 || fields->compression == RUNS_4;
    head->down = fields->height < 0;
    info->shape = (gf_shape){.width = fields->width,
                             .height = head->down ? -fields->height : fields->height,
                             .channels = head->field[3].most != 0 ? 4 : 3,
                             .depth = deep ? GF_U16 : GF_U8};
    info->stored_bits = deep ? 16 : fields->bits < 8 ? fields->bits : 8;
    info->whole = 1;
    decoder->expands = head->runs;
    return gf_check_limits(decoder->limits, decoder->in->label, info->shape.width, info->shape.height, 0,
                           error);
}

/* Bytes of samples, as far as that can be told before they are read. */
static uint64_t count_samples(const struct gf_decoder *decoder, const struct fields *fields, int runs)
{
    uint64_t row = ((uint64_t)fields->width * fields->bits + 31) / 32 * 4, size;
    if (runs) {
        return fields->sample_bytes;
    }
    return __builtin_mul_overflow(row, (uint64_t)decoder->info.shape.height, &size) ? UINT64_MAX / 2 : size;
}

/* Bytes of a colour of the palette. */
static uint32_t entry_size(const struct fields *fields)
{
    return fields->size == CORE_HEAD ? 3 : 4;
}

/* Tells whether the input is as long as palette and samples together, which end at `end`. Nobody knows a
 * stream's length: then it is, unless the header's size and offset agree that the palette ends at `place`. */
static int is_long_enough(const struct gf_decoder *decoder, const struct fields *fields, uint64_t place,
                          uint64_t samples, uint64_t end)
{
    uint64_t size = decoder->in->size;
    if (fields->file_size == end || size != GF_SIZE_UNKNOWN) {
        return fields->file_size == end || size >= end;
    }
    return place - fields->taken < entry_size(fields) || fields->file_size != place + samples;
}

/* Finds where the samples begin, and in *count how many entries the palette in front of them has. Some
 * writers forget to count it: where the file is as long as palette and samples together, the samples are
 * behind the palette, whatever the header says. A palette may also end early, with the header's blessing. */
static gf_status place_samples(struct gf_decoder *decoder, const struct fields *fields, int runs,
                               uint32_t *count, uint64_t *place, gf_error *error)
{
    uint32_t entry = entry_size(fields), most = fields->bits <= 8 ? 1u << fields->bits : 0;
    *count = fields->colours > 0 && fields->colours < most ? fields->colours : most;
    uint64_t behind = fields->taken + (uint64_t)entry * (most != 0 ? *count : fields->colours);
    *place = fields->offset != 0 ? fields->offset : behind;
    if (*place < fields->taken) {
        return gf_bmp_fail(decoder, error, "its samples begin at byte %" PRIu32 ", within its header",
                           fields->offset);
    }
    if (most == 0 || *place >= behind) {
        return GF_OK;
    }
    uint64_t samples = count_samples(decoder, fields, runs);
    if (is_long_enough(decoder, fields, *place, samples, behind + samples) &&
        (samples > 0 || *place == fields->taken)) {
        *place = behind;
        gf_add_note(decoder->note, "its samples are not at byte %" PRIu32 ", but behind its palette",
                    fields->offset);
        return GF_OK;
    }
    *count = (uint32_t)((*place - fields->taken) / entry);
    return *count > 0 ? GF_OK
                      : gf_bmp_fail(decoder, error,
                                    "its samples begin at byte %" PRIu32
                                    ", within its palette, and it is too short to hold both",
                                    fields->offset);
}

gf_status gf_bmp_read_head(struct gf_decoder *decoder, struct gf_bmp_head *head, gf_error *error)
{
    struct fields fields = {0};
    uint32_t count;
    uint64_t place;
    memset(head, 0, sizeof *head);
    GF_TRY(read_fields(decoder, &fields, error));
    GF_TRY(fill_info(decoder, &fields, head, error));
    GF_TRY(place_samples(decoder, &fields, head->runs, &count, &place, error));
    for (uint32_t i = 0; i < count; i++) {
        uint8_t bgr[4];
        GF_TRY(take(decoder, &fields, bgr, entry_size(&fields), error));
        for (int c = 0; c < 3; c++) {
            head->palette[i][c] = bgr[2 - c];
        }
    }
    while (fields.taken < place) {
        uint8_t ignored[256];
        uint64_t left = place - fields.taken;
        GF_TRY(take(decoder, &fields, ignored, left < sizeof ignored ? (size_t)left : sizeof ignored, error));
    }
    const uint64_t size = decoder->info.file_bytes;
    const int is_short = size != 0 && fields.width * decoder->info.shape.height / MOST_PIXELS > (int64_t)size;
    return !head->runs ? gf_check_left(decoder, (fields.width * fields.bits + 31) / 32, 4, error)
           : is_short  ? gf_fail_short(decoder, error)
                       : GF_OK;
}
