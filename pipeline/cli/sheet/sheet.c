/* Pictures are put into the cells of a sheet that is held in memory, one after the other: each is read, made
 * as large, as deep and as many channels as its cell by a pipeline, and copied. */
#include "sheet/sheet.h"

#include "base/message.h"
#include "base/output_file.h"
#include "job/limit_option.h"
#include "job/progress.h"
#include "job/signals.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct maker {
    const struct sheet *sheet;
    gf_shape cell; /* with channels and depth of the sheet */
    int64_t columns;
    int64_t strip;   /* rows below a cell, for its label */
    const char *ink; /* of labels: what is seen on the background */
    bool opaque;     /* without alpha, whatever pictures have */
    gf_context *context;
    gf_picture *picture; /* the sheet */
    struct buffer places;
};

static const char *background_of(const struct maker *m)
{
    return m->sheet->background ? m->sheet->background : "1";
}

/* Reads the headers: what the sheet has to hold. */
static gf_status look(struct maker *m)
{
    const struct sheet *sheet = m->sheet;
    const gf_format *format;
    gf_error error = GF_ERROR_INIT;
    bool alpha = false;
    CLI_TRY(cli_told(gf_io_format_for(sheet->out, NULL, &format, &error), &error));
    for (int i = 0; i < sheet->count; i++) {
        gf_file_info info = {.struct_size = sizeof info};
        CLI_TRY(limit_told(gf_io_probe(sheet->paths[i], &sheet->limits, &info, &error), &error));
        const gf_shape *s = &info.shape;
        m->cell.depth = i ? m->cell.depth : gf_io_nearest_depth(format, s->depth);
        m->cell.channels = s->channels > 2 || m->cell.channels == 3 ? 3 : 1;
        alpha = alpha || s->channels % 2 == 0;
        m->cell.width = s->width > m->cell.width ? s->width : m->cell.width;
        m->cell.height = s->height > m->cell.height ? s->height : m->cell.height;
    }
    if (sheet->width) {
        m->cell.width = sheet->width;
        m->cell.height = sheet->height;
    }
    m->cell.channels = sheet->background && sheet->background[strspn(sheet->background, "0123456789.%")]
                           ? 3
                           : m->cell.channels;
    m->opaque = !alpha || sheet->background || !(format->channels >> (m->cell.channels + 1) & 1);
    m->cell.channels += !m->opaque;
    m->columns = sheet->columns ? sheet->columns : 1;
    while (!sheet->columns && m->columns * m->columns < sheet->count) {
        m->columns++;
    }
    m->columns = m->columns < sheet->count ? m->columns : sheet->count;
    return GF_OK;
}

/* What makes a picture of that shape one for its cell. */
static void add_stages(const struct maker *m, const gf_shape *s, struct buffer *text)
{
    const bool has_alpha = s->channels % 2 == 0, is_gray = s->channels < 3;
    if (m->sheet->width) {
        buffer_printf(text, "resize:%" PRId64 "x%" PRId64 ":fit=inside,", m->cell.width, m->cell.height);
    }
    buffer_add(text, is_gray && m->cell.channels > 2 ? "rgb," : "");
    buffer_printf(text, "convert:%s", gf_depth_name(m->cell.depth));
    if (has_alpha && m->opaque) {
        buffer_printf(text, ",alpha:over:colour=%s", background_of(m));
    } else if (!has_alpha && !m->opaque) {
        buffer_add(text, ",alpha:add");
    }
}

/* What the stages of the text make of a picture. */
static gf_status filter(const struct maker *m, const struct buffer *text, const gf_image *in,
                        gf_picture **made)
{
    gf_error error = GF_ERROR_INIT;
    gf_pipeline *pipeline = NULL;
    gf_plan *plan = NULL;
    gf_exec *exec = NULL;
    gf_shape shape;
    gf_status status = cli_need_memory(!text->failed);
    if (status == GF_OK) {
        status = gf_pipeline_parse(text->data, NULL, 0, &pipeline, &error);
        status =
            status == GF_OK ? gf_plan_create(m->context, pipeline, &in->shape, NULL, &plan, &error) : status;
        shape = gf_plan_output(plan);
        status = status == GF_OK ? gf_picture_create(&shape, made, &error) : status;
        status = status == GF_OK ? gf_exec_create(plan, &exec, &error) : status;
        status = status == GF_OK ? gf_exec_run(exec, in, &(*made)->image, &error) : status;
        (void)cli_told(status, &error);
    }
    gf_exec_destroy(&exec);
    gf_plan_destroy(&plan);
    gf_pipeline_destroy(&pipeline);
    return status;
}

/* The picture as its cell takes it. */
static gf_status fit(const struct maker *m, const gf_image *in, gf_picture **made)
{
    struct buffer text = {0};
    add_stages(m, &in->shape, &text);
    const gf_status status = filter(m, &text, in, made);
    buffer_free(&text);
    return status;
}

static void copy(const gf_image *to, const gf_image *from, int64_t x, int64_t y)
{
    const size_t pixel = (size_t)to->shape.channels * gf_depth_size(to->shape.depth);
    for (int64_t row = 0; row < from->shape.height; row++) {
        memcpy((char *)to->data + (y + row) * to->pitch + x * (int64_t)pixel,
               (const char *)from->data + row * from->pitch, pixel * (size_t)from->shape.width);
    }
}

/* Black, but white on what is darker than half. */
static gf_status choose_ink(struct maker *m, const gf_image *background)
{
    struct buffer text = {0};
    gf_picture *gray = NULL;
    m->ink = "0";
    if (!m->opaque || !m->strip) {
        return GF_OK;
    }
    buffer_printf(&text, "%sconvert:f32", background->shape.channels > 1 ? "gray," : "");
    const gf_status status = filter(m, &text, background, &gray);
    m->ink = status == GF_OK && *(const float *)gray->image.data < 0.5F ? "1" : "0";
    gf_picture_destroy(&gray);
    buffer_free(&text);
    return status;
}

/* The sheet, in its background: what a transparent pixel becomes over it, or that pixel itself. */
static gf_status begin(struct maker *m)
{
    const struct sheet *sheet = m->sheet;
    const int64_t rows = (sheet->count + m->columns - 1) / m->columns;
    const gf_shape shape = {m->columns * (m->cell.width + sheet->gap) - sheet->gap,
                            rows * (m->cell.height + m->strip + sheet->gap) - sheet->gap, m->cell.channels,
                            m->cell.depth};
    gf_error error = GF_ERROR_INIT;
    gf_picture *clear = NULL, *pixel = NULL;
    struct maker one = *m;
    const gf_shape dot = {1, 1, m->cell.channels + m->opaque, m->cell.depth};
    CLI_TRY(cli_told(gf_context_create(NULL, &m->context, &error), &error));
    gf_status status = gf_picture_create(&shape, &m->picture, &error);
    status = status == GF_OK ? gf_picture_create(&dot, &clear, &error) : status;
    if (cli_told(status, &error) == GF_OK) {
        one.context = m->context;
        one.cell.width = one.cell.height = 1;
        memset(clear->image.data, 0, (size_t)clear->image.pitch);
        status = fit(&one, &clear->image, &pixel);
        status = status == GF_OK ? choose_ink(m, &pixel->image) : status;
    }
    for (int64_t y = 0; status == GF_OK && y < shape.height; y++) {
        for (int64_t x = 0; x < shape.width; x++) {
            copy(&m->picture->image, &pixel->image, x, y);
        }
    }
    gf_picture_destroy(&clear);
    gf_picture_destroy(&pixel);
    return status;
}

/* A text in quotes, as the language has it. */
static void add_quoted(struct buffer *text, const char *from)
{
    buffer_add(text, "\"");
    for (; *from; from++) {
        buffer_add(text, *from == '"' || *from == '\\' ? "\\" : "");
        buffer_add_bytes(text, from, 1);
    }
    buffer_add(text, "\"");
}

/* What is to be read below a picture. A character that cannot be written, or that steers, is a '?'. */
static void add_label(const struct maker *m, int i, struct buffer *label)
{
    const char *path = m->sheet->paths[i], *slash = strrchr(path, '/');
    unsigned code;
    if (m->sheet->labels == SHEET_NUMBERS) {
        buffer_printf(label, "%d", i + 1);
        return;
    }
    for (const char *c = slash ? slash + 1 : path; *c;) {
        const size_t length = text_character(c, &code);
        buffer_add_bytes(label, code & TEXT_HIDDEN ? "?" : c, code & TEXT_HIDDEN ? 1 : length);
        c += length;
    }
}

/* Writes the label into the sheet: into rows that have its background. */
static gf_status label(const struct maker *m, int i)
{
    const struct sheet *sheet = m->sheet;
    const gf_image *whole = &m->picture->image;
    const int64_t x = i % m->columns * (m->cell.width + sheet->gap);
    const int64_t y = i / m->columns * (m->cell.height + m->strip + sheet->gap) + m->cell.height;
    const size_t pixel = (size_t)m->cell.channels * gf_depth_size(m->cell.depth);
    gf_image strip = *whole;
    gf_picture *made = NULL;
    struct buffer text = {0}, words = {0};
    strip.shape.width = m->cell.width;
    strip.shape.height = m->strip;
    strip.data = (char *)whole->data + y * whole->pitch + x * (int64_t)pixel;
    add_label(m, i, &words);
    buffer_printf(&text,
                  "text:at=centre:size=%" PRId64 ":width=%" PRId64 ":colour=%s:font=", sheet->label_size,
                  m->cell.width, m->ink);
    add_quoted(&text, sheet->label_font);
    buffer_add(&text, ":text=");
    add_quoted(&text, words.failed ? "" : words.data);
    const gf_status status = words.failed ? cli_need_memory(false) : filter(m, &text, &strip, &made);
    if (status == GF_OK) {
        copy(whole, &made->image, x, y);
    }
    gf_picture_destroy(&made);
    buffer_free(&text);
    buffer_free(&words);
    return status;
}

static gf_status place(struct maker *m, int i)
{
    const struct sheet *sheet = m->sheet;
    gf_picture *in = NULL, *made = NULL;
    gf_error error = GF_ERROR_INIT;
    CLI_TRY(limit_told(gf_io_read(sheet->paths[i], &sheet->limits, &in, &error), &error));
    gf_status status = fit(m, &in->image, &made);
    if (status == GF_OK) {
        const gf_shape *s = &made->image.shape;
        const int64_t x = i % m->columns * (m->cell.width + sheet->gap) + (m->cell.width - s->width) / 2;
        const int64_t y =
            i / m->columns * (m->cell.height + m->strip + sheet->gap) + (m->cell.height - s->height) / 2;
        copy(&m->picture->image, &made->image, x, y);
        buffer_add(&m->places, i ? ",\n  {\"name\":" : "[\n  {\"name\":");
        buffer_json_name(&m->places, sheet->paths[i]);
        buffer_printf(&m->places,
                      ",\"x\":%" PRId64 ",\"y\":%" PRId64 ",\"width\":%" PRId64 ",\"height\":%" PRId64 "}", x,
                      y, s->width, s->height);
    }
    gf_picture_destroy(&in);
    gf_picture_destroy(&made);
    return status == GF_OK && m->strip ? label(m, i) : status;
}

static gf_status write(struct maker *m)
{
    gf_error error = GF_ERROR_INIT;
    gf_write_options options = GF_WRITE_OPTIONS_INIT;
    signals_watch(&options);
    CLI_TRY(cli_told(gf_io_write(m->sheet->out, &m->picture->image, NULL, &options, &error), &error));
    buffer_add(&m->places, "\n]\n");
    return m->sheet->places ? output_write_text(m->sheet->places, &m->places) : GF_OK;
}

gf_status sheet_make(const struct sheet *sheet)
{
    const bool has_labels = sheet->labels != SHEET_NO_LABELS;
    struct maker m = {.sheet = sheet, .strip = has_labels ? (3 * sheet->label_size + 1) / 2 : 0};
    progress_begin("reading");
    gf_status status = look(&m);
    status = status == GF_OK ? begin(&m) : status;
    for (int i = 0; i < sheet->count && status == GF_OK; i++) {
        progress_set("placing", i, sheet->count);
        status = place(&m, i);
    }
    status = status == GF_OK ? write(&m) : status;
    progress_end();
    gf_picture_destroy(&m.picture);
    gf_context_destroy(&m.context);
    buffer_free(&m.places);
    return status;
}
