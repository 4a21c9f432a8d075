/* EXR to pictures: a part, its pixels in the data window, half and float as f32. */
#include "io/exr/exr_private.h"

#include "base/status.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct state {
    struct gf_exr *exr;
    exr_attr_box2i_t window;
    int part;                    /* that is read */
    int source[GF_EXR_CHANNELS]; /* numbers of the channels that are read, by their place in a pixel */
    int32_t tile_width;          /* 0: there are no tiles */
    exr_decode_pipeline_t decode;
    int is_decoding; /* 1: `decode` is to be destroyed */
};

/* Runs a call of the library; the status is that of the function it stands in. */
#define CALL(what)                                                                                           \
    do {                                                                                                     \
        const exr_result_t result_ = (what);                                                                 \
        if (result_ != EXR_ERR_SUCCESS) {                                                                    \
            return gf_exr_fail(state->exr, result_, decoder->in->label, error);                              \
        }                                                                                                    \
    } while (0)

static gf_status refuse(const struct gf_decoder *decoder, const char *what, gf_error *error)
{
    return gf_fail(error, GF_ERROR_INPUT, "%s: a kind of EXR that is not read: %s", decoder->in->label, what);
}

/* The channel called `layer` (`length` bytes, with its dot), and `name`; -1: there is none. */
static int find(const exr_attr_chlist_t *list, const char *layer, size_t length, const char *name)
{
    for (int i = 0; i < list->num_channels; i++) {
        const char *text = list->entries[i].name.str;
        if (strncmp(text, layer, length) == 0 && strcmp(text + length, name) == 0) {
            return i;
        }
    }
    return -1;
}

/* Finds R, G and B, or Y, and A in one layer; returns how many channels there are, 0: another kind. */
static int find_layer(const exr_attr_chlist_t *list, const char *layer, size_t length,
                      int source[GF_EXR_CHANNELS])
{
    static const char *const names[] = {"R", "G", "B"};
    int count = 0;
    while (count < 3 && (source[count] = find(list, layer, length, names[count])) >= 0) {
        count++;
    }
    if (count < 3) {
        source[0] = find(list, layer, length, "Y");
        count = source[0] >= 0;
    }
    source[count] = count > 0 ? find(list, layer, length, "A") : -1;
    return count + (source[count] >= 0);
}

/* Channels without a layer come first, then those of the first layer; and a channel that is alone is gray. */
static gf_status choose_channels(struct gf_decoder *decoder, gf_error *error)
{
    struct state *state = decoder->state;
    const exr_attr_chlist_t *list = NULL;
    CALL(exr_get_channels(state->exr->context, state->part, &list));
    const char *layer = "";
    int count = find_layer(list, layer, 0, state->source);
    for (int i = 0; i < list->num_channels && count == 0; i++) {
        const char *dot = strrchr(list->entries[i].name.str, '.');
        layer = list->entries[i].name.str;
        count = dot != NULL ? find_layer(list, layer, (size_t)(dot + 1 - layer), state->source) : 0;
    }
    if (count == 0 && list->num_channels == 1) {
        state->source[0] = 0;
        count = 1;
    }
    if (count == 0) {
        return refuse(decoder, "no channels R, G and B, or Y", error);
    }
    for (int i = 0; i < count; i++) {
        const exr_attr_chlist_entry_t *entry = &list->entries[state->source[i]];
        if (entry->x_sampling != 1 || entry->y_sampling != 1 || find(list, layer, 0, "RY") >= 0) {
            return refuse(decoder, "channels of fewer samples, as of luminance and chroma", error);
        }
        if (entry->pixel_type == EXR_PIXEL_UINT) {
            return refuse(decoder, "integers; half and float are", error);
        }
        decoder->info.stored_bits =
            entry->pixel_type == EXR_PIXEL_HALF && decoder->info.stored_bits != 32 ? 16 : 32;
    }
    if (count < list->num_channels) { /* the library (3.1.5) writes to channels that nobody asked for */
        return refuse(decoder, "channels beside R, G and B, or Y, and A of one layer", error);
    }
    decoder->info.shape.channels = count;
    decoder->info.shape.depth = GF_F32;
    return GF_OK;
}

/* What the library decodes rightly: of DWA and what came later it has nothing, and B44 of float, which is
 * stored as it is, comes out wrong (3.1.5). */
static gf_status check_compression(struct gf_decoder *decoder, gf_error *error)
{
    struct state *state = decoder->state;
    const exr_attr_chlist_t *list = NULL;
    exr_compression_t kind;
    CALL(exr_get_compression(state->exr->context, state->part, &kind));
    CALL(exr_get_channels(state->exr->context, state->part, &list));
    int is_half = 1;
    for (int i = 0; i < list->num_channels; i++) {
        is_half &= list->entries[i].pixel_type == EXR_PIXEL_HALF;
    }
    if (kind > EXR_COMPRESSION_B44A || (kind >= EXR_COMPRESSION_B44 && !is_half)) {
        return refuse(decoder, "its compression; none, RLE, ZIPS, ZIP, PIZ, PXR24 and, of half, B44 are",
                      error);
    }
    return GF_OK;
}

static gf_status choose_window(struct gf_decoder *decoder, gf_error *error)
{
    struct state *state = decoder->state;
    exr_attr_box2i_t shown;
    CALL(exr_get_data_window(state->exr->context, state->part, &state->window));
    CALL(exr_get_display_window(state->exr->context, state->part, &shown));
    const exr_attr_box2i_t *window = &state->window;
    gf_shape *shape = &decoder->info.shape;
    shape->width = (int64_t)window->max.x - window->min.x + 1;
    shape->height = (int64_t)window->max.y - window->min.y + 1;
    if (shape->width < 1 || shape->height < 1) {
        return refuse(decoder, "an empty data window", error);
    }
    if (memcmp(window, &shown, sizeof shown) != 0) {
        gf_add_note(decoder->note,
                    "EXR: the data window is read, %" PRId64 "x%" PRId64 "%+d%+d, not the display window",
                    shape->width, shape->height, window->min.x - shown.min.x, window->min.y - shown.min.y);
    }
    return gf_check_limits(decoder->limits, decoder->in->label, shape->width, shape->height, 0, error);
}

/* How many rows are decoded at a time, and memory for them. */
static gf_status make_band(struct gf_decoder *decoder, gf_error *error)
{
    struct state *state = decoder->state;
    struct gf_exr *exr = state->exr;
    const gf_shape *shape = &decoder->info.shape;
    exr_storage_t storage;
    int32_t rows = 0;
    uint64_t chunk = 0;
    CALL(exr_get_chunk_unpacked_size(exr->context, state->part, &chunk));
    CALL(exr_get_storage(exr->context, state->part, &storage));
    if (storage == EXR_STORAGE_SCANLINE) {
        CALL(exr_get_scanlines_per_chunk(exr->context, state->part, &rows));
    } else if (storage == EXR_STORAGE_TILED) {
        CALL(exr_get_tile_sizes(exr->context, state->part, 0, 0, &state->tile_width, &rows));
    } else {
        return refuse(decoder, "deep samples", error);
    }
    exr->band_rows = rows < shape->height ? rows : shape->height;
    const uint64_t row = (uint64_t)shape->width * (uint64_t)shape->channels * sizeof(float);
    const uint64_t size = row * (uint64_t)exr->band_rows;
    if (rows < 1 || size > exr->budget.limit - exr->budget.used) {
        exr->budget.refused = size;
        return gf_exr_fail(exr, EXR_ERR_OUT_OF_MEMORY, decoder->in->label, error);
    }
    exr->budget.used += size;
    decoder->held = size + 3 * chunk; /* compressed, plain, and as ZIP parts it */
    exr->band = malloc((size_t)size);
    return exr->band != NULL ? GF_OK
                             : gf_fail(error, GF_ERROR_MEMORY, "%s: no memory for EXR", decoder->in->label);
}

static gf_status open_library(struct gf_decoder *decoder, gf_error *error)
{
    struct state *state = decoder->state;
    int parts = 0;
    exr_context_initializer_t init = gf_exr_initializer(state->exr);
    CALL(exr_start_read(&state->exr->context, decoder->in->label, &init));
    CALL(exr_get_count(state->exr->context, &parts));
    decoder->info.pages = parts;
    GF_TRY(gf_check_page(decoder, error));
    state->part = decoder->limits->page > 0 ? (int)decoder->limits->page - 1 : 0;
    GF_TRY(check_compression(decoder, error));
    GF_TRY(choose_window(decoder, error));
    GF_TRY(choose_channels(decoder, error));
    return make_band(decoder, error);
}

gf_status gf_exr_open(struct gf_decoder *decoder, gf_error *error)
{
    struct state *state = calloc(1, sizeof *state);
    struct gf_exr *exr = calloc(1, sizeof *exr);
    if (state == NULL || exr == NULL) {
        free(state);
        free(exr);
        return gf_fail(error, GF_ERROR_MEMORY, "%s: no memory for EXR", decoder->in->label);
    }
    decoder->state = state;
    state->exr = exr;
    exr->in = decoder->in;
    exr->size = decoder->in->size;
    exr->budget.limit = decoder->limits->max_memory;
    if (!gf_bytes_in_is_random(decoder->in)) {
        GF_TRY(gf_bytes_in_hold(decoder->in, exr->budget.limit, &exr->held, &exr->bytes, &exr->size, error));
        exr->budget.used = exr->size;
    }
    gf_exr_enter(exr);
    const gf_status status = open_library(decoder, error);
    gf_exr_leave();
    return status;
}

/* Decodes a chunk to its place in the band, `x` samples from the left. */
static gf_status decode_chunk(struct gf_decoder *decoder, const exr_chunk_info_t *chunk, int64_t x,
                              gf_error *error)
{
    struct state *state = decoder->state;
    const gf_shape *shape = &decoder->info.shape;
    exr_decode_pipeline_t *decode = &state->decode;
    exr_const_context_t context = state->exr->context;
    const int is_first = !state->is_decoding;
    if (x + chunk->width > shape->width || chunk->height > state->exr->band_rows) {
        return refuse(decoder, "chunks that leave the data window", error);
    }
    state->is_decoding = 1;
    CALL(is_first ? exr_decoding_initialize(context, state->part, chunk, decode)
                  : exr_decoding_update(context, state->part, chunk, decode));
    for (int i = 0; i < decode->channel_count; i++) {
        decode->channels[i].decode_to_ptr = NULL;
    }
    for (int c = 0; c < shape->channels; c++) {
        exr_coding_channel_info_t *channel = &decode->channels[state->source[c]];
        channel->decode_to_ptr = (uint8_t *)(state->exr->band + x * shape->channels + c);
        channel->user_bytes_per_element = sizeof(float);
        channel->user_data_type = EXR_PIXEL_FLOAT;
        channel->user_pixel_stride = shape->channels * (int32_t)sizeof(float);
        channel->user_line_stride = (int32_t)shape->width * channel->user_pixel_stride;
    }
    if (is_first) {
        CALL(exr_decoding_choose_default_routines(context, state->part, decode));
    }
    CALL(exr_decoding_run(context, state->part, decode));
    return GF_OK;
}

/* Colours of EXR are multiplied by alpha. Where that is 0 they stay, as light without a body. */
static void divide_by_alpha(float *pixels, int64_t count, int32_t channels)
{
    for (float *p = pixels; p < pixels + count * channels; p += channels) {
        for (int32_t c = 0; c < channels - 1 && p[channels - 1] != 0; c++) {
            p[c] /= p[channels - 1];
        }
    }
}

/* The band of the row `y`. */
static gf_status fill_band(struct gf_decoder *decoder, int64_t y, gf_error *error)
{
    struct state *state = decoder->state;
    struct gf_exr *exr = state->exr;
    const gf_shape *shape = &decoder->info.shape;
    const int64_t number = y / exr->band_rows,
                  wide = state->tile_width > 0 ? state->tile_width : shape->width;
    exr->band_first = number * exr->band_rows;
    exr->band_count = shape->height - exr->band_first;
    exr->band_count = exr->band_count < exr->band_rows ? exr->band_count : exr->band_rows;
    for (int64_t x = 0; x < shape->width; x += wide) {
        exr_chunk_info_t chunk;
        CALL(state->tile_width > 0
                 ? exr_read_tile_chunk_info(exr->context, state->part, (int)(x / wide), (int)number, 0, 0,
                                            &chunk)
                 : exr_read_scanline_chunk_info(exr->context, state->part,
                                                state->window.min.y + (int)exr->band_first, &chunk));
        GF_TRY(decode_chunk(decoder, &chunk, x, error));
    }
    if (shape->channels % 2 == 0) {
        divide_by_alpha(exr->band, exr->band_count * shape->width, shape->channels);
    }
    return GF_OK;
}

gf_status gf_exr_rows(struct gf_decoder *decoder, void *data, int64_t pitch, int64_t count, gf_error *error)
{
    struct state *state = decoder->state;
    struct gf_exr *exr = state->exr;
    const int64_t row = decoder->info.shape.width * decoder->info.shape.channels;
    gf_status status = GF_OK;
    gf_exr_enter(exr);
    for (int64_t i = 0; i < count && status == GF_OK; i++, exr->next++) {
        if (exr->next >= exr->band_first + exr->band_count) {
            status = fill_band(decoder, exr->next, error);
        }
        if (status == GF_OK) {
            memcpy((char *)data + i * pitch, exr->band + (exr->next - exr->band_first) * row,
                   (size_t)row * sizeof(float));
        }
    }
    gf_exr_leave();
    return status;
}

void gf_exr_close(struct gf_decoder *decoder)
{
    struct state *state = decoder->state;
    if (state != NULL) {
        gf_exr_enter(state->exr);
        if (state->is_decoding) {
            exr_decoding_destroy(state->exr->context, &state->decode);
        }
        gf_exr_free(state->exr);
        free(state);
        decoder->state = NULL;
    }
}
