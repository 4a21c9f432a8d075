#define _POSIX_C_SOURCE 200809L
/* YUV4MPEG2, the frames that mjpegtools, ffmpeg and x264 send through pipes: a line of text, then for each
 * frame a line and its planes. Its manual page is yuv4mpeg(5) of mjpegtools. */
#include "io/y4m/y4m_form.h"

#include "base/status.h"
#include "io/codec.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC      "YUV4MPEG2"
#define FRAME      "FRAME"
#define MOST_LINE  1024
#define MOST_COUNT 1000000000 /* of frames in so many seconds, and the like */

/* Names of a C of 8 bits; with more, "p10" follows the digits, or "10" mono. */
static const struct {
    const char *name;
    gf_chroma chroma;
} chromas[] = {{"444", GF_CHROMA_444},
               {"422", GF_CHROMA_422},
               {"420jpeg", GF_CHROMA_420_JPEG},
               {"420mpeg2", GF_CHROMA_420_MPEG2},
               {"420paldv", GF_CHROMA_420_PALDV},
               {"420", GF_CHROMA_420_JPEG},
               {"mono", GF_CHROMA_MONO}};

enum { CHROMAS = sizeof chromas / sizeof *chromas };

struct state {
    int64_t size[2];
    uint32_t rate[2], aspect[2];
    gf_chroma chroma;
    int bits, full_range;
    struct gf_y4m_form form;
    uint8_t *frame, *row; /* that is read; a row of a plane that is written */
};

static int sniff(const uint8_t *head, size_t size)
{
    return size > sizeof MAGIC - 1 && memcmp(head, MAGIC, sizeof MAGIC - 1) == 0 &&
           (head[sizeof MAGIC - 1] == ' ' || head[sizeof MAGIC - 1] == '\n');
}

/* ---- the header ---- */

static gf_status damaged(const struct gf_decoder *decoder, const char *what, const char *word,
                         gf_error *error)
{
    char shown[GF_LABEL_SIZE];
    gf_label(shown, word, "-");
    return gf_fail(error, GF_ERROR_INPUT, "%.200s: damaged y4m: %s '%.64s'", decoder->in->label, what, shown);
}

/* A line without its end. */
static gf_status read_line(struct gf_decoder *decoder, char line[MOST_LINE], gf_error *error)
{
    for (int i = 0; i < MOST_LINE; i++) {
        const int byte = gf_bytes_in_byte(decoder->in);
        if (byte < 0) {
            return gf_bytes_in_fail(decoder->in, "the y4m header", error);
        }
        line[i] = (char)byte;
        if (byte == '\n') {
            line[i] = '\0';
            return memchr(line, '\0', (size_t)i) == NULL ? GF_OK
                                                         : damaged(decoder, "a byte 0 in", line, error);
        }
    }
    line[MOST_LINE - 1] = '\0';
    return damaged(decoder, "a line of more than 1023 bytes,", line, error);
}

/* Digits alone, from 0 to `most`; -1: something else. */
static int64_t number(const char *text, int64_t most)
{
    char *end;
    const long long value = *text >= '0' && *text <= '9' ? strtoll(text, &end, 10) : -1;
    return value >= 0 && value <= most && *end == '\0' ? value : -1;
}

static int take_ratio(char *text, uint32_t to[2])
{
    char *colon = strchr(text, ':');
    if (colon == NULL) {
        return 0;
    }
    *colon = '\0';
    const int64_t a = number(text, MOST_COUNT), b = number(colon + 1, MOST_COUNT);
    *colon = ':';
    to[0] = a > 0 && b > 0 ? (uint32_t)a : 0; /* 0:0 is unknown */
    to[1] = a > 0 && b > 0 ? (uint32_t)b : 0;
    return a >= 0 && b >= 0;
}

static gf_status take_chroma(struct gf_decoder *decoder, const char *text, gf_error *error)
{
    struct state *state = decoder->state;
    for (int i = 0; i < CHROMAS; i++) {
        const int is_mono = chromas[i].chroma == GF_CHROMA_MONO;
        const size_t stem = is_mono ? 4 : 3;
        if (strcmp(text, chromas[i].name) == 0) {
            state->chroma = chromas[i].chroma;
            return GF_OK;
        }
        if (strncmp(text, chromas[i].name, stem) == 0 && (is_mono || text[stem] == 'p')) {
            const int64_t bits = number(text + stem + !is_mono, 16);
            if (bits > 8) {
                state->chroma = chromas[i].chroma;
                state->bits = (int)bits;
                return GF_OK;
            }
        }
    }
    return gf_fail(
        error, GF_ERROR_INPUT,
        "%s: a kind of y4m that is not read: C%.32s; read are C420jpeg, C420mpeg2, C420paldv, C422, C444 and "
        "Cmono, and with 9 to 16 bits C420p10, C422p10, C444p10, Cmono10",
        decoder->in->label, text);
}

static gf_status take_word(struct gf_decoder *decoder, char *word, gf_error *error)
{
    struct state *state = decoder->state;
    switch (*word) {
    case 'W':
    case 'H':
        state->size[*word == 'H'] = number(word + 1, INT64_MAX);
        return state->size[*word == 'H'] > 0 ? GF_OK
                                             : damaged(decoder, "no number of pixels in", word, error);
    case 'F':
    case 'A':
        return take_ratio(word + 1, *word == 'F' ? state->rate : state->aspect)
                   ? GF_OK
                   : damaged(decoder, "no ratio, as 25:1, in", word, error);
    case 'I':
        return word[1] == 'p' || word[1] == '?'
                   ? GF_OK
                   : gf_fail(error, GF_ERROR_INPUT,
                             "%s: its frames are interlaced (%.8s), two fields of different moments, which "
                             "no stage "
                             "expects: deinterlace them first, as ffmpeg -vf yadif does",
                             decoder->in->label, word);
    case 'C':
        return take_chroma(decoder, word + 1, error);
    default: /* X is anyone's */
        state->full_range |= strcmp(word, "XCOLORRANGE=FULL") == 0;
        return GF_OK;
    }
}

static gf_status read_header(struct gf_decoder *decoder, gf_error *error)
{
    struct state *state = decoder->state;
    char line[MOST_LINE], *rest = NULL;
    state->chroma = GF_CHROMA_420_JPEG; /* where there is no C */
    state->bits = 8;
    GF_TRY(read_line(decoder, line, error));
    for (char *word = strtok_r(line + sizeof MAGIC - 1, " ", &rest); word != NULL;
         word = strtok_r(NULL, " ", &rest)) {
        GF_TRY(take_word(decoder, word, error));
    }
    if (state->size[0] < 1 || state->size[1] < 1) {
        return damaged(decoder, "its header lacks", state->size[0] < 1 ? "W" : "H", error);
    }
    GF_TRY(gf_check_limits(decoder->limits, decoder->in->label, state->size[0], state->size[1], 0, error));
    gf_y4m_form_choose(&state->form, state->size[0], state->size[1], state->chroma, state->bits,
                       state->full_range, 1);
    return GF_OK;
}

/* ---- frames ---- */

static void take_metadata(struct gf_decoder *decoder)
{
    const struct state *state = decoder->state;
    gf_metadata *metadata = &decoder->metadata;
    memcpy(metadata->frame_rate, state->rate, sizeof state->rate);
    metadata->chroma = (uint8_t)state->chroma;
    metadata->video_bits = (uint8_t)state->bits;
    metadata->full_range = (uint8_t)state->full_range;
    metadata->fields |= GF_META_VIDEO;
    if (state->aspect[0] > 0) { /* of a pixel: what is wide has few across */
        metadata->density[0] = state->aspect[1];
        metadata->density[1] = state->aspect[0];
        metadata->fields |= GF_META_DENSITY;
    }
}

static gf_status open_y4m(struct gf_decoder *decoder, gf_error *error)
{
    char line[MOST_LINE];
    if (decoder->state == NULL) { /* the first frame */
        decoder->state = calloc(1, sizeof(struct state));
        if (decoder->state == NULL) {
            return gf_fail(error, GF_ERROR_MEMORY, "%s: no memory", decoder->in->label);
        }
        GF_TRY(read_header(decoder, error));
    }
    struct state *state = decoder->state;
    const uint64_t need = gf_y4m_frame_bytes(&state->form);
    GF_TRY(read_line(decoder, line, error));
    if (strcmp(line, FRAME) != 0 && strncmp(line, FRAME " ", sizeof FRAME) != 0) {
        return damaged(decoder, "a frame begins with", line, error);
    }
    const uint64_t left = gf_bytes_in_left(decoder->in);
    if (left < need) { /* or not known, and very many */
        return gf_fail(error, GF_ERROR_INPUT,
                       "%s: the file ends early: %" PRIu64 " of %" PRIu64 " bytes of a frame",
                       decoder->in->label, left, need);
    }
    if (need > decoder->limits->max_memory) {
        return gf_fail(error, GF_ERROR_LIMIT,
                       "%s: needs %" PRIu64 " bytes beside the picture, beyond max_memory, %" PRIu64,
                       decoder->in->label, need, decoder->limits->max_memory);
    }
    decoder->info.shape = (gf_shape){.width = state->size[0],
                                     .height = state->size[1],
                                     .channels = state->chroma == GF_CHROMA_MONO ? 1 : 3,
                                     .depth = state->bits > 8 ? GF_U16 : GF_U8};
    decoder->info.stored_bits = (uint32_t)state->bits;
    decoder->info.whole = 1;
    decoder->held = need;
    take_metadata(decoder);
    return GF_OK;
}

static gf_status rows_y4m(struct gf_decoder *decoder, void *data, int64_t pitch, int64_t rows,
                          gf_error *error)
{
    struct state *state = decoder->state;
    const size_t size = (size_t)gf_y4m_frame_bytes(&state->form);
    state->frame = state->frame != NULL ? state->frame : malloc(size);
    if (state->frame == NULL) {
        return gf_fail(error, GF_ERROR_MEMORY, "%s: no memory for a frame", decoder->in->label);
    }
    if (gf_bytes_in_read(decoder->in, state->frame, size) != size) {
        return gf_bytes_in_fail(decoder->in, "a frame", error);
    }
    for (int64_t y = 0; y < rows; y++) {
        gf_y4m_to_rgb(&state->form, state->frame, y, (uint8_t *)data + y * pitch);
    }
    return GF_OK;
}

static gf_status finish_y4m(struct gf_decoder *decoder, gf_error *error)
{
    const uint8_t *next;
    (void)error;
    if (gf_peek_behind(decoder->in, &next) > 0) {
        gf_add_note(decoder->note,
                    "several frames: only the first is read; all are, where OUT is standard output");
    }
    return GF_OK;
}

static gf_status next_y4m(struct gf_decoder *decoder, int32_t *there, gf_error *error)
{
    const uint8_t *head;
    const size_t size = gf_bytes_in_peek(decoder->in, &head, sizeof FRAME - 1);
    *there = size > 0;
    return size == 0 || (size >= sizeof FRAME - 1 && memcmp(head, FRAME, sizeof FRAME - 1) == 0)
               ? GF_OK
               : gf_fail(error, GF_ERROR_INPUT, "%s: what follows a frame does not begin with " FRAME,
                         decoder->in->label);
}

static void free_state(void **state)
{
    struct state *s = *state;
    if (s != NULL) {
        free(s->frame);
        free(s->row);
        free(s);
        *state = NULL;
    }
}

static void close_y4m(struct gf_decoder *decoder)
{
    free_state(&decoder->state);
}

/* ---- writing ---- */

static int put_header(struct gf_encoder *encoder, gf_chroma chroma, int bits, int full_range)
{
    const gf_metadata *m = encoder->metadata;
    const int is_mono = chroma == GF_CHROMA_MONO;
    const int has_rate = (m->fields & GF_META_VIDEO) != 0 && m->frame_rate[0] > 0 && m->frame_rate[1] > 0;
    const int has_aspect = (m->fields & GF_META_DENSITY) != 0 && m->density_unit == 0 && m->density[0] > 0;
    char head[256], name[24] = "";
    for (int i = 0; i < CHROMAS && *name == '\0'; i++) {
        if (chromas[i].chroma == chroma) {
            snprintf(name, sizeof name, "%.*s", bits == 8 || is_mono ? 16 : 3, chromas[i].name);
        }
    }
    if (bits > 8) {
        snprintf(name + strlen(name), sizeof name - strlen(name), is_mono ? "%d" : "p%d", bits);
    }
    const int size =
        snprintf(head, sizeof head, MAGIC " W%" PRId64 " H%" PRId64 " F%u:%u Ip A%u:%u C%s XCOLORRANGE=%s\n",
                 encoder->shape.width, encoder->shape.height, has_rate ? m->frame_rate[0] : 25,
                 has_rate ? m->frame_rate[1] : 1, has_aspect ? m->density[1] : 0,
                 has_aspect ? m->density[0] : 0, name, full_range ? "FULL" : "LIMITED");
    return gf_bytes_out_write(encoder->out, head, (size_t)size);
}

static gf_status begin_y4m(struct gf_encoder *encoder, gf_error *error)
{
    const gf_metadata *m = encoder->metadata;
    const int is_video = (m->fields & GF_META_VIDEO) != 0, is_deep = encoder->shape.depth == GF_U16;
    const int deep = is_video && m->video_bits > 8 && m->video_bits <= 16 ? m->video_bits : 16;
    const int bits = is_deep ? deep : 8, full_range = is_video && m->full_range;
    const gf_chroma chroma = encoder->shape.channels == 1                      ? GF_CHROMA_MONO
                             : is_video && m->chroma < (uint8_t)GF_CHROMA_MONO ? (gf_chroma)m->chroma
                                                                               : GF_CHROMA_444;
    struct state *state = calloc(1, sizeof *state);
    encoder->state = state;
    if (state != NULL) {
        gf_y4m_form_choose(&state->form, encoder->shape.width, encoder->shape.height, chroma, bits,
                           full_range, 0);
        state->row = malloc((size_t)encoder->shape.width * 2);
    }
    if (state == NULL || state->row == NULL) {
        return gf_fail(error, GF_ERROR_MEMORY, "%s: no memory", encoder->out->label);
    }
    const int done = encoder->options->follows || put_header(encoder, chroma, bits, full_range);
    return done && gf_bytes_out_write(encoder->out, FRAME "\n", sizeof FRAME)
               ? GF_OK
               : gf_bytes_out_fail(encoder->out, error);
}

static gf_status put_rows_y4m(struct gf_encoder *encoder, const void *data, int64_t pitch, int64_t rows,
                              gf_error *error)
{
    const struct state *state = encoder->state;
    const struct gf_y4m_form *form = &state->form;
    for (int plane = 0; plane < (form->across > 0 ? 3 : 1); plane++) {
        const int64_t step = plane > 0 ? 1 + form->shift_y : 1,
                      count = plane > 0 ? form->across : form->width;
        for (int64_t y = 0; y < rows; y += step) {
            const char *first = (const char *)data + y * pitch;
            const void *const row[2] = {first, first + pitch};
            gf_y4m_from_rgb(form, &encoder->shape, plane, row, step == 2 && y + 1 < rows ? 2 : 1, state->row);
            if (!gf_bytes_out_write(encoder->out, state->row, (size_t)(count * form->sample))) {
                return gf_bytes_out_fail(encoder->out, error);
            }
        }
    }
    return GF_OK;
}

static void discard_y4m(struct gf_encoder *encoder)
{
    free_state(&encoder->state);
}

const struct gf_codec gf_codec_y4m = {
    .format = {.name = "y4m",
               .suffixes = "y4m",
               .summary = "YUV4MPEG2, frames of video: gray and RGB of u8 and u16, as YCbCr; all of a pipe",
               .reads = 1,
               .writes = 1,
               .channels = 1u << 1 | 1u << 3,
               .depths = 1u << GF_U8 | 1u << GF_U16,
               .whole = 1,
               .frames = 1},
    .sniff = sniff,
    .open = open_y4m,
    .rows = rows_y4m,
    .finish = finish_y4m,
    .next = next_y4m,
    .keeps_state = 1,
    .close = close_y4m,
    .begin = begin_y4m,
    .put_rows = put_rows_y4m,
    .discard = discard_y4m,
};
