#include "stage_cases.h"

#include "list_case.h"
#include "params.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- binding ---- */

enum stage_answer stage_bind(gf_context *context, const char *text, const gf_shape *shape, gf_alpha alpha,
                             gf_plan **plan, gf_error *why)
{
    gf_pipeline *pipeline = NULL;
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    options.device = GF_DEVICE_CPU;
    options.threads = 1;
    options.alpha = alpha;
    *why = (gf_error)GF_ERROR_INIT;
    *plan = NULL;
    gf_status status = gf_pipeline_parse(text, NULL, 0, &pipeline, why);
    bool parsed = status == GF_OK;
    if (parsed) {
        status = gf_plan_create(context, pipeline, shape, &options, plan, why);
    }
    gf_pipeline_destroy(&pipeline);
    bool blames = status == GF_ERROR_ARGUMENT || status == GF_ERROR_UNSUPPORTED || status == GF_ERROR_LIMIT;
    return status == GF_OK                                                             ? STAGE_BOUND
           : parsed && blames && why->code == status && strstr(why->message, "stage ") ? STAGE_REFUSED
                                                                                       : STAGE_BROKEN;
}

bool stage_affordable(const gf_plan *plan)
{
    const gf_shape out = gf_plan_output(plan);
    return out.width * out.height * out.channels <= 1 << 20 && gf_plan_memory(plan) <= 1 << 27;
}

/* ---- values one by one ---- */

static bool bounded(const gf_param *row)
{
    return row->min != 0 || row->max != 0;
}

static bool number_value(const gf_param *row, int32_t i, struct gf_text *text)
{
    static const double inside[] = {0.45, 1, 1.1, 2, 2.5, 3, 9, 17, -0.25, 70};
    bool whole = row->type == GF_PARAM_INT;
    if (bounded(row) && i < 2) {
        gf_text_number(text, i == 0 ? row->min : row->max);
        return true;
    }
    int32_t left = i - (bounded(row) ? 2 : 0);
    for (size_t k = 0; k < sizeof inside / sizeof *inside; k++) {
        double v = inside[k];
        bool fits = (!whole || v == round(v)) && (!bounded(row) || (v > row->min && v < row->max));
        if (fits && left-- == 0) {
            gf_text_number(text, v);
            return true;
        }
    }
    return false;
}

static bool intensity_value(const gf_param *row, int32_t i, struct gf_text *text)
{
    static const struct {
        const char *text;
        double value;
    } inside[] = {{"0.3", 0.3}, {"128u8", 0.5}, {"70%", 0.7}, {"30000u16", 0.45}, {"-30u8", -0.12}};
    if (bounded(row) && i < 2) {
        gf_text_number(text, i == 0 ? row->min : row->max);
        return true;
    }
    int32_t left = i - (bounded(row) ? 2 : 0);
    for (size_t k = 0; k < sizeof inside / sizeof *inside; k++) {
        bool fits = !bounded(row) || (inside[k].value > row->min && inside[k].value < row->max);
        if (fits && left-- == 0) {
            gf_text_string(text, inside[k].text);
            return true;
        }
    }
    return false;
}

static bool word_value(const char *words, int32_t i, struct gf_text *text)
{
    const char *c = words;
    for (; i > 0; i--) {
        c = strchr(c, '|');
        if (!c++) {
            return false;
        }
    }
    gf_text_bytes(text, c, strcspn(c, "|"));
    return true;
}

static bool rectangle_value(int32_t i, const gf_shape *s, struct gf_text *text)
{
    const long long rects[][4] = {{s->width, s->height, 0, 0},
                                  {1, 1, s->width - 1, s->height - 1},
                                  {(s->width + 1) / 2, (s->height + 2) / 3, s->width / 4, s->height / 2}};
    if (i >= 3) {
        return false;
    }
    gf_text_append(text, "%lldx%lld+%lld+%lld", rects[i][0], rects[i][1], rects[i][2], rects[i][3]);
    return true;
}

static const char *const channel_sets[5] = {NULL, "r|0|all", "r|a|1|0+1|all", "rgb|r|g|b|0+2|all",
                                            "rgb|a|r|g|b|0+2|1+3|all"};

bool stage_value(const gf_param *row, int32_t i, const gf_shape *shape, struct gf_text *text)
{
    if (row->auto_word && i-- == 0) {
        gf_text_string(text, row->auto_word);
        return true;
    }
    switch (row->type) {
    case GF_PARAM_INT:
    case GF_PARAM_NUMBER:
        return number_value(row, i, text);
    case GF_PARAM_INTENSITY:
        return intensity_value(row, i, text);
    case GF_PARAM_BOOL:
        return word_value("on|off", i, text);
    case GF_PARAM_CHOICE:
        return word_value(row->choices, i, text);
    case GF_PARAM_RECT:
        return rectangle_value(i, shape, text);
    case GF_PARAM_CHANNELS:
        return word_value(channel_sets[shape->channels], i, text);
    case GF_PARAM_TEXT:
        return word_value("some_word|x", i, text);
    case GF_PARAM_LIST:
        return list_value(row, i, text);
    case GF_PARAM_PICTURE:
        return word_value("in", i, text);
    }
    return false;
}

/* ---- values at random ---- */

static bool chance(struct plan_random *random, uint32_t one_in)
{
    return plan_random_below(random, one_in) == 0;
}

static int64_t at_most(double a, int64_t b)
{
    return a < (double)b ? (int64_t)a : b;
}

/* Of extents, windows reach room->greatest_radius; what is no window may be as wide as the picture, and a
 * little more. */
static void draw_int(struct plan_random *random, const gf_stage_type *type, const gf_param *row,
                     const struct stage_room *room, struct gf_text *text)
{
    const gf_shape *s = &room->shape;
    int64_t lo = bounded(row) ? (int64_t)row->min : -8, most = 300;
    if (row->unit && strcmp(row->unit, "px") == 0) {
        bool wide = !(type->flags & GF_STAGE_WINDOW) && chance(random, 2);
        most = wide ? (s->width > s->height ? s->width : s->height) + 3 : room->greatest_radius;
    }
    lo = lo < -most ? -most : lo;
    int64_t hi = bounded(row) ? at_most(row->max, lo > most ? lo + most : most) : 8;
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
    if (bounded(row)) {
        lo = row->min < -4 ? -400 : (int64_t)ceil(row->min * 100);
        hi = at_most(floor(row->max * 100), lo > most ? lo + most : most);
    }
    put_hundredths(text, hi > lo ? plan_random_between(random, lo, hi) : lo);
}

static void draw_intensity(struct plan_random *random, const gf_param *row, struct gf_text *text)
{
    bool beyond = chance(random, 4);
    int64_t lo = beyond ? -50 : 0, hi = beyond ? 200 : 100;
    if (bounded(row)) {
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
    word_value(words, (int32_t)plan_random_below(random, n), text);
}

static void draw_rectangle(struct plan_random *random, const gf_shape *s, struct gf_text *text)
{
    int64_t w = plan_random_between(random, 1, s->width), h = plan_random_between(random, 1, s->height);
    gf_text_append(text, "%lldx%lld+%lld+%lld", (long long)w, (long long)h,
                   (long long)plan_random_between(random, 0, s->width - w),
                   (long long)plan_random_between(random, 0, s->height - h));
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
        draw_number(random, row, room, text);
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
    case GF_PARAM_RECT:
        draw_rectangle(random, &room->shape, text);
        break;
    case GF_PARAM_CHANNELS:
        draw_word(random, channel_sets[room->shape.channels], text);
        break;
    case GF_PARAM_TEXT:
        gf_text_append(text, "n%d", (int)plan_random_below(random, 1000));
        break;
    case GF_PARAM_LIST:
        list_draw(row, random, text);
        break;
    case GF_PARAM_PICTURE:
        gf_text_string(text, "in");
        break;
    }
}

/* Whether the row is one that stages share, which not every picture has a use for. */
static bool seldom(const gf_param *row)
{
    return strcmp(row->name, "roi") == 0 || strcmp(row->name, "channels") == 0;
}

void stage_draw(struct plan_random *random, const gf_stage_type *type, const struct stage_room *room,
                struct gf_text *text)
{
    const gf_param *row;
    bool unnamed = true; /* may be: it is the first */
    gf_text_string(text, type->name);
    for (int32_t i = 0; (row = gf_stage_param(type, i)) != NULL; i++) {
        bool given = seldom(row)                   ? room->common && chance(random, 5)
                     : row->type == GF_PARAM_TEXT  ? chance(random, 8)
                     : strcmp(row->name, "border") ? chance(random, 2)
                                                   : !chance(random, 4);
        if (given) {
            unnamed = unnamed && row->positional && chance(random, 2);
            gf_text_append(text, ":%s%s", unnamed ? "" : row->name, unnamed ? "" : "=");
            draw_value(random, type, row, room, text);
        }
        unnamed = false;
    }
}

/* ---- the cases of one stage ---- */

/* What is given beside the parameter that a case is about, where not all have a default. */
struct base {
    const gf_param *row[16];
    char value[16][64];
    int32_t n;
};

static void write_case(const gf_stage_type *type, const struct base *base, const gf_param *row,
                       const char *value, char *text)
{
    struct gf_text t = gf_text_begin(text, STAGE_TEXT_SIZE);
    gf_text_string(&t, type->name);
    for (int32_t i = 0; i < base->n; i++) {
        if (base->row[i] != row) {
            gf_text_append(&t, ":%s=%s", base->row[i]->name, base->value[i]);
        }
    }
    if (row) {
        gf_text_append(&t, ":%s=%s", row->name, value);
    }
}

/* Each parameter without a default gets its last value that can be bound. */
static enum stage_answer find_base(gf_context *context, const gf_stage_type *type, const gf_shape *shape,
                                   struct base *base, char *text, gf_error *why)
{
    const gf_param *row;
    gf_plan *plan = NULL;
    *base = (struct base){0};
    write_case(type, base, NULL, NULL, text);
    enum stage_answer answer = stage_bind(context, text, shape, GF_ALPHA_STRAIGHT, &plan, why);
    gf_plan_destroy(&plan);
    for (int32_t i = 0; answer == STAGE_REFUSED && type->params && (row = &type->params[i])->name; i++) {
        if (row->text[0] || base->n == 16) {
            continue;
        }
        int32_t n = base->n++;
        base->row[n] = row;
        for (int32_t v = 0; answer == STAGE_REFUSED; v++) {
            char value[64];
            struct gf_text t = gf_text_begin(value, sizeof value);
            if (!stage_value(row, v, shape, &t)) {
                break;
            }
            memcpy(base->value[n], value, sizeof value);
            write_case(type, base, NULL, NULL, text);
            answer = stage_bind(context, text, shape, GF_ALPHA_STRAIGHT, &plan, why);
            gf_plan_destroy(&plan);
        }
    }
    return answer;
}

struct walk {
    gf_context *context;
    const gf_stage_type *type;
    const gf_shape *shape;
    stage_visit visit;
    void *user;
    int32_t bound;
    bool broken;
    char *why;
    size_t size;
    uint64_t seen[512]; /* texts, hashed: each is a case once */
    int32_t n_seen;
};

static bool seen_before(struct walk *w, const char *text)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (const char *c = text; *c; c++) {
        hash = (hash ^ (unsigned char)*c) * UINT64_C(1099511628211);
    }
    for (int32_t i = 0; i < w->n_seen; i++) {
        if (w->seen[i] == hash) {
            return true;
        }
    }
    if (w->n_seen < (int32_t)(sizeof w->seen / sizeof *w->seen)) {
        w->seen[w->n_seen++] = hash;
    }
    return false;
}

/* Thousands of pixels away, what a window reads has gone round the picture many times: of small ones, that
 * suffices. */
static bool far_away(const gf_param *row, const char *value, const gf_shape *shape)
{
    bool pixels = row->unit && strcmp(row->unit, "px") == 0;
    return pixels && atof(value) > 2000 && shape->width * shape->height > 9;
}

static void visit_text(struct walk *w, const char *text, const gf_param *row, bool far)
{
    gf_plan *plan;
    gf_error error;
    if (seen_before(w, text)) {
        return;
    }
    enum stage_answer answer = stage_bind(w->context, text, w->shape, GF_ALPHA_STRAIGHT, &plan, &error);
    if (answer == STAGE_BOUND && !far && stage_affordable(plan)) {
        w->bound++;
        w->visit(text, w->type, row, plan, w->user);
    } else if (answer == STAGE_BROKEN && !w->broken) {
        w->broken = true;
        snprintf(w->why, w->size, "%s: status %d: %s", text, (int)error.code, error.message);
    }
    gf_plan_destroy(&plan);
}

int32_t stage_cases(gf_context *context, const gf_stage_type *type, const gf_shape *shape, stage_visit visit,
                    void *user, char *why, size_t size)
{
    struct walk w = {.context = context,
                     .type = type,
                     .shape = shape,
                     .visit = visit,
                     .user = user,
                     .why = why,
                     .size = size};
    struct base base;
    gf_error error = GF_ERROR_INIT;
    char text[STAGE_TEXT_SIZE], value[64];
    const gf_param *row;
    if (find_base(context, type, shape, &base, text, &error) == STAGE_BROKEN) {
        snprintf(why, size, "%s: status %d: %s", text, (int)error.code, error.message);
        return -1;
    }
    visit_text(&w, text, NULL, false);
    for (int32_t i = 0; (row = gf_stage_param(type, i)) != NULL; i++) {
        for (int32_t v = 0; v < 100; v++) {
            struct gf_text t = gf_text_begin(value, sizeof value);
            if (!stage_value(row, v, shape, &t)) {
                break;
            }
            write_case(type, &base, row, value, text);
            visit_text(&w, text, row, far_away(row, value, shape));
        }
    }
    struct plan_random random;
    const struct stage_room room = {*shape, 20, true};
    uint64_t seed = 0;
    for (const char *c = type->name; *c; c++) {
        seed = seed * 31 + (unsigned char)*c; /* of its own, whatever other stages there are */
    }
    plan_random_seed(&random, seed + (uint64_t)(shape->width * 8 + shape->channels), 11);
    for (int32_t i = 0; i < STAGE_DRAWN; i++) {
        struct gf_text t = gf_text_begin(text, sizeof text);
        stage_draw(&random, type, &room, &t);
        visit_text(&w, text, NULL, false);
    }
    return w.broken ? -1 : w.bound;
}
