#include "stage_cases.h"
#include "plan/cost.h"

#include "list_case.h"
#include "param/params.h"
#include "stage_inputs.h"
#include "stage_value.h"

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
        struct stage_inputs others;
        stage_inputs_find(pipeline, shape, &others, &options);
        status = gf_plan_create(context, pipeline, shape, &options, plan, why);
    }
    gf_pipeline_destroy(&pipeline);
    bool blames = status == GF_ERROR_ARGUMENT || status == GF_ERROR_UNSUPPORTED || status == GF_ERROR_LIMIT ||
                  status == GF_ERROR_INPUT; /* the last: a font that is not there */
    return status == GF_OK                                                             ? STAGE_BOUND
           : parsed && blames && why->code == status && strstr(why->message, "stage ") ? STAGE_REFUSED
                                                                                       : STAGE_BROKEN;
}

bool stage_affordable(const gf_plan *plan, double share)
{
    const gf_shape out = gf_plan_output(plan);
    return out.width * out.height * out.channels <= 1 << 20 && gf_plan_memory(plan) <= 1 << 27 &&
           gf_cost_cpu(plan).work < 8 * share; /* milliseconds: the judge takes a hundred times as long */
}

/* Each size with one number of channels, which another depth has with another size. */
bool stage_shape(int32_t i, gf_shape *shape)
{
    static const int64_t sizes[][2] = {{1, 1},   {1, 9},    {13, 1},   {3, 2},
                                       {31, 33}, {129, 40}, {130, 65}, {259, 35}};
    enum { SIZES = sizeof sizes / sizeof *sizes };
    if (i >= 3 * SIZES) {
        return false;
    }
    const gf_depth depth = (gf_depth)(i / SIZES);
    const int64_t *size = sizes[(i + (int32_t)depth) % SIZES];
    *shape = (gf_shape){size[0], size[1], 1 + i % SIZES / 2, depth};
    return true;
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

/* Tries the values of one more row, beside what the base has; leaves the first that can be bound, or the
 * last. */
static enum stage_answer try_row(gf_context *context, const gf_stage_type *type, const gf_param *row,
                                 const gf_shape *shape, struct base *base, char *text, gf_error *why)
{
    enum stage_answer answer = STAGE_REFUSED;
    gf_plan *plan = NULL;
    int32_t n = base->n++;
    base->row[n] = row;
    for (int32_t v = 0; answer == STAGE_REFUSED; v++) {
        char value[64];
        struct gf_text t = gf_text_begin(value, sizeof value);
        if (!stage_value(type, row, v, shape, &t)) {
            break;
        }
        memcpy(base->value[n], value, sizeof value);
        write_case(type, base, NULL, NULL, text);
        answer = stage_bind(context, text, shape, GF_ALPHA_STRAIGHT, &plan, why);
        if (answer == STAGE_BOUND && !stage_affordable(plan, 1)) {
            answer = STAGE_REFUSED;
        }
        gf_plan_destroy(&plan);
    }
    return answer;
}

/* The defaults, or what it takes beside them: one parameter that has none, or the first few of those. */
static enum stage_answer find_base(gf_context *context, const gf_stage_type *type, const gf_shape *shape,
                                   struct base *base, char *text, gf_error *why)
{
    const gf_param *row;
    gf_plan *plan = NULL;
    *base = (struct base){0};
    write_case(type, base, NULL, NULL, text);
    enum stage_answer answer = stage_bind(context, text, shape, GF_ALPHA_STRAIGHT, &plan, why);
    gf_plan_destroy(&plan);
    for (int more = 0; more < 2; more++) {
        for (int32_t i = 0; answer == STAGE_REFUSED && type->params && (row = &type->params[i])->name; i++) {
            if (row->text[0] && (!row->auto_word || strcmp(row->text, row->auto_word) != 0)) {
                continue;
            }
            base->n = more ? base->n : 0;
            if (base->n < 16) {
                answer = try_row(context, type, row, shape, base, text, why);
            }
        }
        base->n = answer == STAGE_REFUSED ? 0 : base->n;
    }
    return answer;
}

/* Gives the row word `turn` of those that it can be, or the next one that the stage can be bound with; false
 * where it can be bound with none. */
static bool turn_choice(gf_context *context, const gf_stage_type *type, const gf_param *row, int32_t turn,
                        const gf_shape *shape, struct base *base)
{
    struct base turned = *base;
    int32_t at = 0, words = 1;
    bool bound = false;
    for (const char *c = row->choices; (c = strchr(c, '|')) != NULL; c++) {
        words++;
    }
    while (at < turned.n && turned.row[at] != row) {
        at++;
    }
    turned.n = at == turned.n ? at + 1 : turned.n;
    for (int32_t i = 0; at < 16 && i < words && !bound; i++) {
        char text[STAGE_TEXT_SIZE];
        gf_plan *plan = NULL;
        gf_error error;
        struct gf_text t = gf_text_begin(turned.value[at], sizeof turned.value[at]);
        stage_word(row->choices, (turn + i) % words, &t);
        turned.row[at] = row;
        write_case(type, &turned, NULL, NULL, text);
        bound = stage_bind(context, text, shape, GF_ALPHA_STRAIGHT, &plan, &error) == STAGE_BOUND;
        gf_plan_destroy(&plan);
    }
    *base = bound ? turned : *base;
    return bound;
}

bool stage_form(gf_context *context, const gf_stage_type *type, const gf_shape *shape, int32_t turn,
                char *text)
{
    static const char *const shared[STAGE_FORMS] = {NULL, "channels", "roi"};
    const char *const name = shared[turn % STAGE_FORMS];
    const gf_param *row = name ? gf_stage_param_named(type, name, strlen(name)) : NULL;
    struct base base;
    gf_error error = GF_ERROR_INIT;
    char value[64], with[STAGE_TEXT_SIZE];
    bool bound = find_base(context, type, shape, &base, text, &error) == STAGE_BOUND;
    for (int32_t i = 0; type->params && type->params[i].name; i++) {
        if (type->params[i].type == GF_PARAM_CHOICE && (turn >= STAGE_FORMS || !bound)) {
            bound = turn_choice(context, type, &type->params[i], turn / STAGE_FORMS, shape, &base) || bound;
        }
    }
    write_case(type, &base, NULL, NULL, text);
    struct gf_text t = gf_text_begin(value, sizeof value);
    if (bound && row && stage_value(type, row, 1 + turn / STAGE_FORMS % 3, shape, &t)) {
        gf_plan *plan = NULL;
        write_case(type, &base, row, value, with);
        if (stage_bind(context, with, shape, GF_ALPHA_STRAIGHT, &plan, &error) == STAGE_BOUND) {
            memcpy(text, with, sizeof with);
        }
        gf_plan_destroy(&plan);
    }
    return bound;
}

struct walk {
    gf_context *context;
    const gf_stage_type *type;
    const gf_shape *shape;
    stage_wanted wanted;
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

/* Thousands of pixels away, what a window reads has gone round the picture many times: for small pictures
 * that suffices. */
static bool far_away(const gf_param *row, const char *value, const gf_shape *shape)
{
    bool pixels = row->unit && strcmp(row->unit, "px") == 0;
    return pixels && atof(value) > 2000 && shape->width * shape->height > 9;
}

static enum stage_answer visit_text(struct walk *w, const char *text, const gf_param *row, bool far)
{
    gf_plan *plan;
    gf_error error;
    if (seen_before(w, text) || (w->wanted && !w->wanted(w->user))) {
        return STAGE_BOUND;
    }
    enum stage_answer answer = stage_bind(w->context, text, w->shape, GF_ALPHA_STRAIGHT, &plan, &error);
    if (answer == STAGE_BOUND && !far && stage_affordable(plan, 1)) {
        w->bound++;
        w->visit(text, w->type, row, plan, w->user);
    } else if (answer == STAGE_BROKEN && !w->broken) {
        w->broken = true;
        snprintf(w->why, w->size, "%s: status %d: %s", text, (int)error.code, error.message);
    }
    gf_plan_destroy(&plan);
    return answer;
}

/* Adds the lists of the same form that have no default: the other end of what begins with this one. */
static void add_partners(const struct walk *w, const gf_param *row, struct base *base)
{
    const gf_param *other;
    for (int32_t i = 0; base->n < 16 && (other = &w->type->params[i])->name; i++) {
        if (other != row && row->type == GF_PARAM_LIST && other->type == row->type && !other->text[0] &&
            row->choices && other->choices && strcmp(other->choices, row->choices) == 0) {
            struct gf_text t = gf_text_begin(base->value[base->n], sizeof base->value[base->n]);
            if (stage_value(w->type, other, 0, w->shape, &t)) {
                base->row[base->n++] = other;
            }
        }
    }
}

/* A value that the base refuses may belong to another word of a choice than the default one: tries it beside
 * each. */
static void visit_choices(struct walk *w, const struct base *base, const gf_param *row, const char *value)
{
    const gf_param *choice;
    char text[STAGE_TEXT_SIZE];
    for (int32_t i = 0; base->n < 16 && w->type->params && (choice = &w->type->params[i])->name; i++) {
        for (int32_t v = 0; choice != row && choice->type == GF_PARAM_CHOICE; v++) {
            struct base beside = *base;
            struct gf_text t = gf_text_begin(beside.value[base->n], sizeof beside.value[base->n]);
            if (!stage_value(w->type, choice, v, w->shape, &t)) {
                break;
            }
            beside.row[beside.n++] = choice;
            write_case(w->type, &beside, row, value, text);
            if (visit_text(w, text, row, far_away(row, value, w->shape)) == STAGE_REFUSED) {
                beside.row[0] = choice; /* instead of the base */
                memcpy(beside.value[0], beside.value[beside.n - 1], sizeof beside.value[0]);
                beside.n = 1;
                add_partners(w, row, &beside);
                write_case(w->type, &beside, row, value, text);
                visit_text(w, text, row, far_away(row, value, w->shape));
            }
        }
    }
}

/* A value without a default may say the same as what the base gives: tries it in its place. */
static bool visit_instead(struct walk *w, const struct base *base, const gf_param *row, const char *value)
{
    const struct base none = {.n = 0};
    char text[STAGE_TEXT_SIZE];
    if (base->n == 0 || row->text[0]) {
        return false;
    }
    write_case(w->type, &none, row, value, text);
    return visit_text(w, text, row, far_away(row, value, w->shape)) == STAGE_BOUND;
}

/* A feather is of the edge of a roi: value v of it beside a rectangle, or an ellipse. */
static void visit_feather(struct walk *w, const struct base *base, const gf_param *row, int32_t v)
{
    struct base beside = *base;
    char text[STAGE_TEXT_SIZE], value[64];
    struct gf_text t = gf_text_begin(value, sizeof value);
    if (beside.n < 16 && stage_value(w->type, row, v, w->shape, &t)) {
        const gf_param *roi = beside.row[beside.n] = gf_stage_param_named(w->type, "roi", 3);
        t = gf_text_begin(beside.value[beside.n], sizeof beside.value[beside.n]);
        stage_value(w->type, roi, v == 0 ? 2 : 3, w->shape, &t);
        beside.n++;
        write_case(w->type, &beside, row, value, text);
        visit_text(w, text, row, false);
    }
}

int32_t stage_cases(gf_context *context, const gf_stage_type *type, const gf_shape *shape,
                    stage_wanted wanted, stage_visit visit, void *user, char *why, size_t size)
{
    struct walk w = {.context = context,
                     .type = type,
                     .shape = shape,
                     .wanted = wanted,
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
        for (int32_t v = 0; v < (stage_param_is_of_signals(row) ? 0 : 100); v++) {
            struct gf_text t = gf_text_begin(value, sizeof value);
            if (!stage_value(type, row, v, shape, &t)) {
                break;
            }
            write_case(type, &base, row, value, text);
            if (stage_param_is_feather(row)) {
                visit_feather(&w, &base, row, v);
            } else if (visit_text(&w, text, row, far_away(row, value, shape)) == STAGE_REFUSED &&
                       !visit_instead(&w, &base, row, value)) {
                visit_choices(&w, &base, row, value);
            }
        }
    }
    struct plan_random random;
    struct stage_room room = {*shape, 20, true, false, 0};
    uint64_t seed = 0;
    for (const char *c = type->name; *c; c++) {
        seed = seed * 31 + (unsigned char)*c; /* of its own, whatever other stages there are */
    }
    plan_random_seed(&random, seed + (uint64_t)(shape->width * 8 + shape->channels), 11);
    for (int32_t i = 0; i < STAGE_DRAWN + STAGE_DRAWN_FORMS; i++) {
        room.forms = i >= STAGE_DRAWN;
        if (room.forms && !gf_stage_param_named(type, "feather", 7)) {
            break;
        }
        struct gf_text t = gf_text_begin(text, sizeof text);
        stage_draw(&random, type, &room, &t);
        visit_text(&w, text, NULL, false);
    }
    return w.broken ? -1 : w.bound;
}
