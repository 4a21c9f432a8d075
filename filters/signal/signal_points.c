/* Stages of pictures on signals: those whose ops do to a sample of f32 what only that sample says. */
#include "signal/signal_lowering_private.h"

#include "lower/lowering.h"
#include "param/params.h"
#include "pixel/along/point_along.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE = 256 }; /* of the picture that stages are lowered for, whose size says nothing */

static gf_status lower(const struct gf_stage_node *nodes, int32_t n, struct gf_lowered *made, gf_error *error)
{
    const struct gf_input one = {"in", {SIDE, SIDE, 1, GF_F32}};
    return gf_lower(nodes, n, &one, 1, GF_ALPHA_STRAIGHT, made, error);
}

/* ---- why not ---- */

static bool needs_picture(const gf_stage_type *type)
{
    const gf_param *row;
    for (int32_t i = 0; (row = gf_stage_param(type, i)) != NULL; i++) {
        if (row->type == GF_PARAM_PICTURE) {
            return true;
        }
    }
    return false;
}

/* What does to signals what the stage does to pictures, where that has another name; or NULL. */
static const char *in_its_place(const gf_stage_type *type)
{
    static const char spectrum[] = "spectrum and spectrogram tell the frequencies of signals";
    static const char *const stages[][2] = {
        {"fft", spectrum},
        {"ifft", spectrum},
        {"phase", spectrum},
        {"magnitude", spectrum},
        {"frequency", "lowpass, highpass and bandpass are those of signals"},
    };
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
        if (!strcmp(type->name, stages[i][0])) {
            return stages[i][1];
        }
    }
    return NULL;
}

/* By what the stage is, and by the first of its ops that does not fit. */
static const char *reason(const gf_stage_type *type, const struct gf_op *odd)
{
    if (in_its_place(type)) {
        return in_its_place(type);
    }
    if (needs_picture(type)) {
        return "it needs a second picture";
    }
    if (type->flags & GF_STAGE_MEASURE) {
        return "it measures pictures";
    }
    if (type->flags & GF_STAGE_DEPTH) {
        return "samples of a signal are f32, and --sample says how OUT stores them";
    }
    if (odd && odd->kind == GF_OP_POINT) {
        return "it works on the colours of a pixel; mix makes channels of channels";
    }
    if (odd && odd->kind == GF_OP_TAP) {
        return "it measures all of a picture before it changes it";
    }
    if (odd && odd->kind == GF_OP_WINDOW) {
        return "its window has a width and a height";
    }
    if (!strcmp(type->group, "geometry")) {
        return "it moves pixels within width and height; crop, pad, resample and decimate change the length";
    }
    return !strcmp(type->group, "point") ? "it works on the colours of a pixel" : "it needs width and height";
}

/* What lowering has said itself counts stages from its own first: without that. */
static void refuse(gf_signal_lowering *l, const gf_stage_type *type, gf_status status, const gf_error *why,
                   const struct gf_op *odd)
{
    const bool ours = status != GF_ERROR_MEMORY && (status != GF_ERROR_ARGUMENT || needs_picture(type) ||
                                                    in_its_place(type) || !(type->flags & GF_STAGE_POINT));
    const char *behind = strstr(why->message, "': "), *words = behind ? behind + 3 : "out of memory";
    gf_error said = GF_ERROR_INIT;
    gf_fail(&said, ours ? GF_ERROR_UNSUPPORTED : status, "%s%.*s",
            ours ? "it works on pictures, and gets a signal: " : "", ours ? 300 : (int)strcspn(words, "\n"),
            ours ? reason(type, odd) : words);
    gf_signal_lower_failed(l, said.code, &said);
}

/* ---- nodes ---- */

/* A node of a program of `stages` stages. */
static void add(gf_signal_lowering *l, const struct gf_signal_point *args, struct gf_lowered *points,
                int32_t stages)
{
    struct gf_lowered_node *node = gf_signal_lower_node(l, &gf_signal_point, args, sizeof *args, NULL);
    if (node) {
        node->points = points;
        node->joined = stages - 1;
    } else {
        gf_signal_points_free(points);
    }
}

/* May join the program of a stage before it. */
static bool joins(const struct gf_stage_node *node)
{
    const struct gf_stage_common *common = &node->common;
    const bool samples = node->type->flags & GF_STAGE_SAMPLES_FIRST || !gf_stage_signal_of(node->type);
    return node->type->lower && samples && !common->roi.rect.w && !common->channels && !common->save[0] &&
           !(node->type->flags & GF_STAGE_MEASURE) && !needs_picture(node->type);
}

int32_t gf_signal_lower_points(gf_signal_lowering *l, const struct gf_stage_node *nodes, int32_t n)
{
    struct gf_stage_node first = *nodes; /* by itself, on one channel */
    struct gf_lowered *made = calloc(1, sizeof *made), more;
    struct gf_signal_point args, longer;
    const struct gf_op *odd = NULL;
    gf_error why = GF_ERROR_INIT;
    first.common.channels = 0;
    gf_status status = made ? lower(&first, 1, made, &why) : GF_ERROR_MEMORY;
    if (status != GF_OK || !gf_signal_point_make(&args, &made->list, &odd)) {
        if (gf_stage_signal_of(nodes->type)) {
            gf_stage_signal_of(nodes->type)(l, nodes->params);
        } else {
            refuse(l, nodes->type, status, &why, odd);
        }
        gf_signal_points_free(made);
        return 1;
    }
    int32_t taken = 1;
    while (taken < n && !nodes->common.channels && joins(&nodes[taken]) &&
           lower(nodes, taken + 1, &more, NULL) == GF_OK) {
        if (more.list.n_ops == made->list.n_ops || !gf_signal_point_make(&longer, &more.list, &odd)) {
            gf_lowered_free(&more);
            break;
        }
        gf_lowered_free(made);
        *made = more;
        taken++;
    }
    gf_signal_point_make(&args, &made->list, &odd);
    add(l, &args, made, taken);
    return taken;
}

void gf_signal_points_free(struct gf_lowered *points)
{
    if (points) {
        gf_lowered_free(points);
        free(points);
    }
}
