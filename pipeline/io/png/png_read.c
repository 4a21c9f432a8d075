/* PNG to pictures. The fences around libpng are listed in png_private.h. */
#include "io/png/png_private.h"

#include "base/status.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_KEPT_CHUNKS 64
#define MAX_EXPANSION   1032 /* deflate's best: 258 bytes from 2 bits */

/* Bytes of all rows as they are in the stream, each behind its filter. */
static uint64_t raw_bytes(png_structp png, png_infop info)
{
    return ((uint64_t)png_get_rowbytes(png, info) + 1) * png_get_image_height(png, info);
}

/* The head of the first chunk of samples. Where they are to be inflated ahead, libpng is told a length of
 * ours, since it gets them in chunks of ours from there on. Only the reader calls functions of the caller. */
static void meet_samples(png_structp png, struct gf_png_reader *reader, uint8_t *head)
{
    const struct gf_budget *budget = &reader->core.budget;
    const uint32_t length = gf_png_uint(head);
    if (reader->met_samples) {
        return;
    }
    reader->met_samples = true;
    if (length >= GF_PNG_AHEAD_FIRST && length <= PNG_UINT_31_MAX &&
        reader->decoder->in->source.read == NULL &&
        png_get_interlace_type(png, reader->core.info) == PNG_INTERLACE_NONE &&
        raw_bytes(png, reader->core.info) >= GF_PNG_AHEAD_LEAST &&
        budget->limit - budget->used >= GF_PNG_AHEAD_BYTES) {
        reader->ahead_length = length;
        memcpy(head, (const uint8_t[4]){0, 0, 0, GF_PNG_AHEAD_FIRST}, 4);
    }
}

void gf_png_watch_chunk(png_structp png, struct gf_png_reader *reader, uint8_t *head)
{
    struct gf_decoder *decoder = reader->decoder;
    for (int i = 0; i < 4; i++) {
        reader->chunk[i] = isalpha(head[4 + i]) ? (char)head[4 + i] : '?';
    }
    if (memcmp(head + 4, "IDAT", 4) == 0) {
        meet_samples(png, reader, head);
    }
    if (memcmp(head + 4, "acTL", 4) == 0) {
        gf_add_note(decoder->note, "an animation: only its default picture is read");
    }
    if (gf_png_kept(head + 4) < 0) {
        return;
    }
    reader->metadata_bytes += gf_png_uint(head);
    if (reader->metadata_bytes > decoder->limits->max_metadata_bytes) {
        reader->core.status = gf_fail(
            reader->core.error, GF_ERROR_LIMIT,
            "%s: claims %" PRIu64 " bytes of metadata (%s), beyond max_metadata_bytes, %" PRIu64,
            decoder->in->label, reader->metadata_bytes, reader->chunk, decoder->limits->max_metadata_bytes);
        png_error(png, "metadata");
    }
}

static void fail_short(png_structp png, struct gf_png_reader *reader)
{
    char where[16];
    snprintf(where, sizeof where, "chunk %s", reader->chunk);
    const char *what = reader->chunk[0] != '\0' ? where : "the signature";
    reader->core.status = gf_bytes_in_fail(reader->decoder->in, what, reader->core.error);
    png_error(png, "read");
}

const uint8_t *gf_png_ahead_over(struct gf_png_reader *reader)
{
    png_structp png = reader->core.png;
    const uint8_t *head;
    const char *fault;
    const enum gf_png_ahead_end why = gf_png_ahead_why(reader->ahead, &head, &fault);
    if (why == GF_PNG_AHEAD_SHORT) {
        fail_short(png, reader);
    } else if (why == GF_PNG_AHEAD_NO_MEMORY) {
        reader->core.budget.exhausted = 1;
        png_error(png, "memory");
    } else if (why == GF_PNG_AHEAD_DAMAGED) {
        png_error(png, fault);
    }
    return why == GF_PNG_AHEAD_CHUNK ? head : NULL;
}

/* Samples that are inflated ahead have no more chunks. Checksums count again. false: the next head is that of
 * the file. */
static bool end_ahead(png_structp png, struct gf_png_reader *reader, uint8_t *head)
{
    const uint8_t *other = gf_png_ahead_over(reader);
    png_set_crc_action(png, PNG_CRC_DEFAULT, PNG_CRC_NO_CHANGE);
    if (other != NULL) {
        memcpy(head, other, 8);
    }
    reader->is_ahead = false;
    return other != NULL;
}

/* The same as read_bytes, for chunks of samples that are inflated ahead. false: the file has them. */
static bool read_ahead(png_structp png, struct gf_png_reader *reader, uint8_t *bytes, size_t size)
{
    const png_uint_32 state = png_get_io_state(png) & PNG_IO_MASK_LOC;
    if (state == PNG_IO_CHUNK_CRC) {
        memset(bytes, 0, size); /* nobody looks */
        return true;
    }
    if (state == PNG_IO_CHUNK_HDR ? gf_png_ahead_head(reader->ahead, bytes)
                                  : gf_png_ahead_data(reader->ahead, bytes, size)) {
        return true;
    }
    return end_ahead(png, reader, bytes);
}

static void read_bytes(png_structp png, png_bytep bytes, size_t size)
{
    struct gf_png_reader *reader = png_get_io_ptr(png);
    if ((!reader->is_ahead || !read_ahead(png, reader, bytes, size)) &&
        gf_bytes_in_read(reader->decoder->in, bytes, size) != size) {
        fail_short(png, reader);
    }
    if (size == 8 && png_get_io_state(png) == (PNG_IO_READING | PNG_IO_CHUNK_HDR)) {
        gf_png_watch_chunk(png, reader, bytes);
    }
}

/* Behind the last sample nothing is lost: libpng warns of these where it is told to ("benign errors"). */
static int is_behind_samples(const char *message)
{
    return strcmp(message, "IDAT: Extra compressed data") == 0 ||
           strcmp(message, "IDAT: Too much image data") == 0;
}

/* libpng drops an ancillary chunk with a wrong checksum and goes on, with "NAME: CRC error"
 * here. For metadata that is right; a lost tRNS would be a picture without its alpha.
 * It also says here what is wrong with an IHDR, before the error that only says that something is. While rows
 * are read, whatever else it would let pass is an error. */
static void note_warning(png_structp png, png_const_charp message)
{
    struct gf_png_reader *reader = png_get_error_ptr(png);
    if (message != NULL && strstr(message, "IHDR") != NULL && reader->header_fault[0] == '\0') {
        snprintf(reader->header_fault, sizeof reader->header_fault, "%s", message);
    }
    if (message != NULL && strlen(message) > 4 && strcmp(message + 4, ": CRC error") == 0) {
        int kept = gf_png_kept(message);
        if (kept >= 0) {
            reader->damaged |= 1u << kept;
        } else if (memcmp(message, "tRNS", 4) == 0) {
            png_error(png, message);
        }
    } else if (reader->in_rows && message != NULL && !is_behind_samples(message)) {
        png_error(png, message);
    } else if (reader->in_rows && message != NULL) {
        gf_add_note(reader->decoder->note, "%s, ignored", message);
    }
}

gf_status gf_png_explain(struct gf_png_reader *reader, gf_error *error)
{
    const struct gf_png *core = &reader->core;
    const char *label = reader->decoder->in->label;
    if (core->status != GF_OK) {
        return core->status;
    }
    GF_TRY(gf_png_memory(core, label, error));
    int64_t width = png_get_image_width(core->png, core->info),
            height = png_get_image_height(core->png, core->info);
    if (width > 0 && height > 0) {
        GF_TRY(gf_check_limits(reader->decoder->limits, label, width, height, 0, error));
    }
    if (reader->header_fault[0] != '\0') {
        return gf_fail(error, GF_ERROR_INPUT, "%s: damaged PNG: %s", label, reader->header_fault);
    }
    /* Most messages begin with the chunk's name. */
    int placed = reader->chunk[0] == '\0' || (strlen(core->message) > 4 && core->message[4] == ':');
    return gf_fail(error, GF_ERROR_INPUT,
                   placed ? "%s: damaged PNG: %s" : "%s: damaged PNG: %s (at chunk %s)", label, core->message,
                   reader->chunk);
}

int gf_png_sniff(const uint8_t *head, size_t size)
{
    /* Four bytes are enough: a file mangled in transfer is then "damaged PNG", not unknown. */
    return size >= 4 && memcmp(head, "\x89PNG", 4) == 0;
}

static gf_status create(struct gf_decoder *decoder, gf_error *error)
{
    struct gf_png_reader *reader = calloc(1, sizeof *reader);
    if (reader != NULL) {
        decoder->state = reader;
        reader->decoder = decoder;
        reader->core.budget.limit = decoder->limits->max_memory;
        reader->core.png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, reader, gf_png_error, note_warning,
                                                    reader, gf_png_malloc, gf_png_free);
        reader->core.info = reader->core.png != NULL ? png_create_info_struct(reader->core.png) : NULL;
    }
    if (reader == NULL) {
        return gf_fail(error, GF_ERROR_MEMORY, "%s: no memory for PNG", decoder->in->label);
    }
    GF_TRY(gf_png_memory(&reader->core, decoder->in->label, error));
    return reader->core.info != NULL ? GF_OK
                                     : gf_fail(error, GF_ERROR_INTERNAL, "%s: libpng does not start: %s",
                                               decoder->in->label, reader->core.message);
}

static png_uint_32 user_limit(int64_t limit)
{
    return limit < PNG_UINT_31_MAX ? (png_uint_32)limit : PNG_UINT_31_MAX;
}

static void read_header_step(void *argument)
{
    struct gf_png_reader *reader = argument;
    const gf_io_limits *limits = reader->decoder->limits;
    png_structp png = reader->core.png;
    png_set_read_fn(png, reader, read_bytes);
    png_set_benign_errors(png, 0);
    png_set_check_for_invalid_index(png, 0); /* defined: libpng reads a palette padded with black */
    png_set_user_limits(png, user_limit(limits->max_width), user_limit(limits->max_height));
    /* libpng gets no length limit: gf_png_watch_chunk has bounded what it stores, what it skips costs
     * nothing, and a long comment is no reason to refuse a picture. */
    png_set_chunk_malloc_max(png, 0);
    png_set_chunk_cache_max(png, MAX_KEPT_CHUNKS);
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_ALWAYS, gf_png_kept_names[0], GF_PNG_KEPT);
    png_read_info(png, reader->core.info);
}

/* The shape after the transforms that start_step asks for. */
static void fill_info(struct gf_png_reader *reader)
{
    png_structp png = reader->core.png;
    png_infop info = reader->core.info;
    gf_file_info *out = &reader->decoder->info;
    int type = png_get_color_type(png, info);
    int alpha = (type & PNG_COLOR_MASK_ALPHA) != 0 || png_get_valid(png, info, PNG_INFO_tRNS) != 0;
    out->stored_bits = png_get_bit_depth(png, info);
    out->shape = (gf_shape){.width = png_get_image_width(png, info),
                            .height = png_get_image_height(png, info),
                            .channels = ((type & PNG_COLOR_MASK_COLOR) != 0 ? 3 : 1) + alpha,
                            .depth = out->stored_bits == 16 ? GF_U16 : GF_U8};
    out->whole = png_get_interlace_type(png, info) != PNG_INTERLACE_NONE;
    reader->decoder->expands = 1;
}

/* A file can be too short for its size whatever it holds; better known before memory is taken. */
static gf_status check_expansion(const struct gf_png_reader *reader, gf_error *error)
{
    const gf_file_info *info = &reader->decoder->info;
    uint64_t row = png_get_rowbytes(reader->core.png, reader->core.info), size = info->file_bytes;
    if (size != 0 && size < UINT64_MAX / MAX_EXPANSION &&
        row > size * MAX_EXPANSION / (uint64_t)info->shape.height) {
        return gf_fail_short(reader->decoder, error);
    }
    return GF_OK;
}

gf_status gf_png_open(struct gf_decoder *decoder, gf_error *error)
{
    GF_TRY(create(decoder, error));
    struct gf_png_reader *reader = decoder->state;
    if (!gf_png_guard(&reader->core, read_header_step, reader, error)) {
        return gf_png_explain(reader, error);
    }
    fill_info(reader);
    GF_TRY(gf_check_limits(decoder->limits, decoder->in->label, decoder->info.shape.width,
                           decoder->info.shape.height, 0, error));
    GF_TRY(check_expansion(reader, error));
    return gf_png_collect(reader, error);
}

static void end_step(void *argument)
{
    struct gf_png_reader *reader = argument;
    png_read_end(reader->core.png, reader->core.info);
}

gf_status gf_png_finish(struct gf_decoder *decoder, gf_error *error)
{
    struct gf_png_reader *reader = decoder->state;
    if (!gf_png_guard(&reader->core, end_step, reader, error)) {
        return gf_png_explain(reader, error);
    }
    return gf_png_collect(reader, error);
}

void gf_png_close(struct gf_decoder *decoder)
{
    struct gf_png_reader *reader = decoder->state;
    if (reader != NULL) {
        gf_png_ahead_end(reader->ahead);
        gf_budget_free(&reader->core.budget, reader->above);
        png_destroy_read_struct(&reader->core.png, &reader->core.info, NULL);
        free(reader->icc);
        free(reader->exif);
        free(reader);
        decoder->state = NULL;
    }
}
