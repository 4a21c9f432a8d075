/* Texts of stages, at random. */
#include "list_case.h"
#include "stage_value.h"

#include <math.h>
#include <string.h>

static bool chance(struct plan_random *random, uint32_t one_in)
{
    return plan_random_below(random, one_in) == 0;
}

static int64_t at_most(double a, int64_t b)
{
    return a < (double)b ? (int64_t)a : b;
}

/* Windows reach room->greatest_radius at most; an extent that is no window may be as wide as the picture, and
 * a little more. */
static void draw_int(struct plan_random *random, const gf_stage_type *type, const gf_param *row,
                     const struct stage_room *room, struct gf_text *text)
{
    const gf_shape *s = &room->shape;
    int64_t lo = stage_param_bounded(row) ? (int64_t)row->min : -8, most = 300;
    if (row->unit && strcmp(row->unit, "px") == 0) {
        bool wide = !(type->flags & GF_STAGE_WINDOW) && chance(random, 2);
        most = wide ? (s->width > s->height ? s->width : s->height) + 3 : room->greatest_radius;
    }
    lo = lo < -most ? -most : lo;
    int64_t hi = stage_param_bounded(row) ? at_most(row->max, lo > most ? lo + most : most) : 8;
    gf_text_append(text, "%lld", (long long)(hi > lo ? plan_random_between(random, lo, hi) : lo));
}

static void put_hundredths(struct gf_text *text, int64_t hundredths)
{
    int64_t size = hundredths < 0 ? -hundredths : hundredths;
    gf_text_append(text, "%s%d", hundredths < 0 ? "-" : "", (int)(size / 100));
    if (size % 100) {
        gf_text_append(text, ".%02d", (int)(size % 100));
    }
}

static void draw_number(struct plan_random *random, const gf_param *row, const struct stage_room *room,
                        struct gf_text *text)
{
    bool pixels = row->unit && strcmp(row->unit, "px") == 0;
    int64_t most = pixels ? 100 * (chance(random, 12) ? 30 : room->greatest_radius) : 400;
    int64_t lo = -400, hi = most;
    if (stage_param_bounded(row)) {
        lo = row->min < -4 ? -400 : (int64_t)ceil(row->min * 100);
        hi = at_most(floor(row->max * 100), lo > most ? lo + most : most);
    }
    put_hundredths(text, hi > lo ? plan_random_between(random, lo, hi) : lo);
}

static void draw_intensity(struct plan_random *random, const gf_param *row, struct gf_text *text)
{
    bool beyond = chance(random, 4);
    int64_t lo = beyond ? -50 : 0, hi = beyond ? 200 : 100;
    if (stage_param_bounded(row)) {
        lo = row->min * 100 > (double)lo ? (int64_t)ceil(row->min * 100) : lo;
        hi = at_most(floor(row->max * 100), hi);
    }
    put_hundredths(text, plan_random_between(random, lo, hi < lo ? lo : hi));
}

static void draw_word(struct plan_random *random, const char *words, struct gf_text *text)
{
    uint32_t n = 1;
    for (const char *c = words; (c = strchr(c, '|')) != NULL; c++) {
        n++;
    }
    stage_word(words, (int32_t)plan_random_below(random, n), text);
}

static void draw_rectangle(struct plan_random *random, const gf_shape *s, struct gf_text *text)
{
    int64_t w = plan_random_between(random, 1, s->width), h = plan_random_between(random, 1, s->height);
    gf_text_append(text, "%lldx%lld+%lld+%lld", (long long)w, (long long)h,
                   (long long)plan_random_between(random, 0, s->width - w),
                   (long long)plan_random_between(random, 0, s->height - h));
}

/* Hz: up to a little more than half the rate, or in a simple ratio to it; s: up to some hundred frames. */
static double draw_quantity(struct plan_random *random, const gf_param *row, double rate)
{
    if (row->unit && !strcmp(row->unit, "Hz")) {
        const double part = chance(random, 3) ? (double)plan_random_between(random, 1, 6) /
                                                    (double)plan_random_between(random, 1, 6)
                                              : (double)plan_random_between(random, 1, 550) / 1000;
        return chance(random, 3) ? part * rate : ceil(part * rate);
    }
    const double frames = (double)plan_random_below(random, chance(random, 4) ? 4 : 300);
    return row->unit && !strcmp(row->unit, "s") ? frames / rate : frames;
}

static void draw_span(struct plan_random *random, const gf_param *row, double rate, struct gf_text *text)
{
    const double a = draw_quantity(random, row, rate), b = draw_quantity(random, row, rate);
    gf_text_number(text, a < b ? a : b);
    gf_text_string(text, "-");
    gf_text_number(text, a < b ? b : a);
}

/* A list of a signal is often one of channels: as many columns, or their numbers. */
static void draw_signal_list(struct plan_random *random, const gf_param *row, int32_t channels,
                             struct gf_text *text)
{
    const bool numbers = row->min == 1 && row->max >= channels;
    const int32_t rows = numbers ? 1 : 1 + (int32_t)plan_random_below(random, 4);
    if (!numbers && (row->choices || chance(random, 4))) {
        list_draw(row, random, text);
    } else if (!numbers) {
        list_text(row, rows, channels, random, text);
    } else {
        gf_text_string(text, "[");
        for (int32_t i = (int32_t)plan_random_below(random, 4); i >= 0; i--) {
            gf_text_append(text, "%d%s", 1 + (int)plan_random_below(random, (uint32_t)channels),
                           i ? " " : "]");
        }
    }
}

/* Where a second picture is put (at=): near an edge, inside, or beyond it. */
static bool is_place(const gf_param *row)
{
    return row->type == GF_PARAM_TEXT && strcmp(row->name, "at") == 0;
}

static void draw_place(struct plan_random *random, const gf_shape *s, struct gf_text *text)
{
    const bool word = chance(random, 2);
    if (word) {
        draw_word(random, "northwest|north|northeast|west|centre|east|southwest|south|southeast", text);
    }
    if (!word || chance(random, 2)) {
        const int64_t x = plan_random_between(random, -3, s->width),
                      y = plan_random_between(random, -3, s->height);
        gf_text_append(text, "%s%lld%s%lld", x < 0 ? "" : "+", (long long)x, y < 0 ? "" : "+", (long long)y);
    }
}

/* A text that is all a stage has: without it the stage does nothing, and few texts mean something. */
static bool is_all_of(const gf_stage_type *type, const gf_param *row)
{
    return row == type->params && row->type == GF_PARAM_TEXT && !type->params[1].name;
}

static void draw_value(struct plan_random *random, const gf_stage_type *type, const gf_param *row,
                       const struct stage_room *room, struct gf_text *text)
{
    if (row->auto_word && chance(random, 3)) {
        gf_text_string(text, row->auto_word);
        return;
    }
    switch (row->type) {
    case GF_PARAM_INT:
        draw_int(random, type, row, room, text);
        break;
    case GF_PARAM_NUMBER:
        if (room->rate > 0 && row->unit && (!strcmp(row->unit, "Hz") || !strcmp(row->unit, "s"))) {
            gf_text_number(text, draw_quantity(random, row, room->rate));
        } else {
            draw_number(random, row, room, text);
        }
        break;
    case GF_PARAM_INTENSITY:
        draw_intensity(random, row, text);
        break;
    case GF_PARAM_BOOL:
        draw_word(random, "on|off", text);
        break;
    case GF_PARAM_CHOICE:
        draw_word(random, row->choices, text);
        break;
    case GF_PARAM_ROI:
        gf_text_string(text, room->forms && chance(random, 2) ? "ellipse@" : "");
        draw_rectangle(random, &room->shape, text);
        break;
    case GF_PARAM_RECT:
        draw_rectangle(random, &room->shape, text);
        break;
    case GF_PARAM_CHANNELS:
        if (room->rate > 0) {
            const uint32_t channels = (uint32_t)at_most(28, room->shape.channels),
                           first = plan_random_below(random, channels),
                           more = 1 + plan_random_below(random, 3);
            gf_text_append(text, "%u", first);
            if (first + more < channels) {
                gf_text_append(text, "+%u", first + more);
            }
            break;
        }
        draw_word(random, stage_channel_sets[room->shape.channels], text);
        break;
    case GF_PARAM_TEXT:
        if (is_place(row)) {
            draw_place(random, &room->shape, text);
        } else if (is_all_of(type, row)) {
            stage_value(type, row, 2 + (int32_t)plan_random_below(random, 3), &room->shape, text);
        } else {
            gf_text_append(text, "n%d", (int)plan_random_below(random, 1000));
        }
        break;
    case GF_PARAM_LIST:
        if (room->rate > 0) {
            draw_signal_list(random, row, room->shape.channels, text);
        } else {
            list_draw(row, random, text);
        }
        break;
    case GF_PARAM_SPAN:
        draw_span(random, row, room->rate, text);
        break;
    case GF_PARAM_PICTURE:
        stage_value(type, row, (int32_t)plan_random_below(random, 8), &room->shape, text);
        break;
    }
}

/* Tells whether the row means nothing to what the stage gets. */
static bool is_of_others(const gf_param *row, const struct stage_room *room)
{
    return room->rate > 0
               ? row->type == GF_PARAM_RECT || row->type == GF_PARAM_PICTURE || row->type == GF_PARAM_ROI
               : stage_param_is_of_signals(row);
}

/* Tells whether the row is one that stages share, which not every picture has a use for. */
static bool seldom(const gf_param *row)
{
    return strcmp(row->name, "roi") == 0 || strcmp(row->name, "channels") == 0;
}

void stage_draw(struct plan_random *random, const gf_stage_type *type, const struct stage_room *room,
                struct gf_text *text)
{
    const gf_param *row;
    bool unnamed = true; /* may be: it is the first */
    bool in_roi = false;
    gf_text_string(text, type->name);
    for (int32_t i = 0; (row = gf_stage_param(type, i)) != NULL; i++) {
        const bool is_roi = strcmp(row->name, "roi") == 0;
        if ((stage_param_is_feather(row) && !(room->forms && in_roi)) || is_of_others(row, room)) {
            continue;
        }
        bool given = seldom(row) && row->type != GF_PARAM_LIST
                         ? room->common && chance(random, room->forms && is_roi ? 2 : 5)
                     : is_all_of(type, row)        ? true
                     : is_place(row)               ? chance(random, 2)
                     : row->type == GF_PARAM_TEXT  ? chance(random, 8)
                     : strcmp(row->name, "border") ? chance(random, 2)
                                                   : !chance(random, 4);
        if (given) {
            unnamed = unnamed && row->positional && chance(random, 2);
            gf_text_append(text, ":%s%s", unnamed ? "" : row->name, unnamed ? "" : "=");
            draw_value(random, type, row, room, text);
        }
        in_roi = in_roi || (is_roi && given);
        unnamed = false;
    }
}
