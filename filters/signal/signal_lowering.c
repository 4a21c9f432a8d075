#include "signal/signal_lowering.h"

#include "base/status.h"
#include "param/params.h"
#include "signal/iir_make.h"
#include "signal/measure.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct gf_signal_lowering {
    struct gf_lowered_signal *out; /* its rate is that of the stage's input */
    const struct gf_stage_node *node;
    int32_t stage;
    gf_status status; /* first failure; builders do nothing after it */
    gf_error *error;
};

/* ---- failing ---- */

/* Where the value of a parameter stands; NULL: the text has none. */
static const struct gf_text_place *place_of(const gf_signal_lowering *l, const char *parameter)
{
    const gf_param *row;
    for (int32_t i = 0; parameter && (row = gf_stage_param(l->node->type, i)) != NULL; i++) {
        if (strcmp(row->name, parameter) == 0) {
            return l->node->places[i].length > 0 ? &l->node->places[i] : NULL;
        }
    }
    return NULL;
}

static void fail(gf_signal_lowering *l, gf_status status, const char *parameter, const char *reason)
{
    if (l->status == GF_OK) {
        const struct gf_text_place *place = place_of(l, parameter);
        l->status = gf_fail(l->error, status, "stage %d '%s': %s", l->stage + 1, l->node->type->name, reason);
        gf_error_place(l->error, l->stage, place ? place->offset : l->node->text_offset,
                       place ? place->length : l->node->text_length);
    }
}

void gf_signal_lower_fail(gf_signal_lowering *l, const char *parameter, const char *format, ...)
{
    char reason[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    fail(l, GF_ERROR_ARGUMENT, parameter, reason);
}

void gf_signal_lower_failed(gf_signal_lowering *l, gf_status status, const gf_error *why)
{
    fail(l, status, NULL, why->message);
}

/* ---- what a stage asks ---- */

double gf_signal_lower_known_rate(const gf_signal_lowering *l)
{
    return l->out->rate;
}

double gf_signal_lower_rate(gf_signal_lowering *l)
{
    if (l->status == GF_OK && !(l->out->rate > 0)) {
        gf_signal_lower_fail(l, NULL,
                             "it needs the rate of the signal, which is not known: give one, as "
                             "--rate 48kHz");
    }
    return l->status == GF_OK ? l->out->rate : 0;
}

double gf_signal_lower_rate_for(gf_signal_lowering *l, const char *parameter, double frequency)
{
    const double rate = gf_signal_lower_rate(l);
    if (rate > 0 && !(frequency > 0)) {
        gf_signal_lower_fail(l, NULL, "%s= is not given, must be below half the rate, %.10g Hz", parameter,
                             rate / 2);
    } else if (rate > 0 && !(frequency < rate / 2)) {
        gf_signal_lower_fail(l, parameter, "%s is %.10g Hz, must be below half the rate, %.10g Hz", parameter,
                             frequency, rate / 2);
    }
    return l->status == GF_OK ? rate : 0;
}

int32_t gf_signal_lower_border(gf_signal_lowering *l)
{
    const struct gf_stage_common *common = &l->node->common;
    const bool zeros = common->border == GF_BORDER_CONSTANT && common->value == 0;
    if (common->border != GF_BORDER_REPLICATE && !zeros) {
        gf_signal_lower_fail(l, "border",
                             "a signal has border=replicate, or border=constant:value=0, which are zeros");
    }
    return !zeros;
}

/* ---- nodes ---- */

/* Appends a node with a copy of its arguments; `more`, which these point to, becomes the chain's in any case.
 */
static struct gf_lowered_node *add(gf_signal_lowering *l, const struct gf_signal_kernel *kernel,
                                   const void *args, size_t size, void *more)
{
    struct gf_lowered_signal *out = l->out;
    if (l->status == GF_OK && out->n == GF_SIGNAL_NODES) {
        gf_signal_lower_fail(l, NULL, "the chain has more than %d nodes", GF_SIGNAL_NODES);
    }
    void *copy = l->status == GF_OK ? malloc(size) : NULL;
    struct gf_lowered_node *nodes =
        copy ? realloc(out->nodes, ((size_t)out->n + 1) * sizeof *out->nodes) : NULL;
    if (!nodes) {
        free(copy);
        free(more);
        fail(l, GF_ERROR_MEMORY, NULL, "out of memory");
        return NULL;
    }
    memcpy(copy, args, size);
    out->nodes = nodes;
    nodes[out->n] =
        (struct gf_lowered_node){.node = {kernel, copy}, .more = more, .stage = l->stage, .rate = out->rate};
    return &nodes[out->n++];
}

void gf_signal_lower_gain(gf_signal_lowering *l, double gain)
{
    const struct gf_signal_gain args = {.gain = (float)gain};
    add(l, &gf_signal_gain, &args, sizeof args, NULL);
}

void gf_signal_lower_iir(gf_signal_lowering *l, const struct gf_section *sections, int32_t count,
                         const double *marks, int32_t n_marks)
{
    struct gf_signal_iir args = {.count = count};
    struct gf_signal_iir_made *made = NULL;
    gf_error why = GF_ERROR_INIT;
    if (l->status != GF_OK) {
        return;
    }
    if (count > GF_SIGNAL_SECTIONS) {
        gf_signal_lower_fail(l, "order", "the filter has %d sections of second order, may have %d", count,
                             GF_SIGNAL_SECTIONS);
        return;
    }
    memcpy(args.section, sections, (size_t)count * sizeof *sections);
    const gf_status status = gf_signal_iir_make(count, sections, &made, &why);
    if (status != GF_OK) {
        gf_signal_lower_failed(l, status, &why);
        return;
    }
    args.made = made;
    struct gf_lowered_node *node = add(l, &gf_signal_iir, &args, sizeof args, made);
    for (int32_t i = 0; node && i < n_marks && i < GF_SIGNAL_MARKS; i++) {
        node->marks[node->n_marks++] = marks[i];
    }
}

void gf_signal_lower_design(gf_signal_lowering *l, gf_status status, const gf_error *why,
                            const struct gf_section *sections, int32_t count, const double *marks,
                            int32_t n_marks)
{
    if (status == GF_OK) {
        gf_signal_lower_iir(l, sections, count, marks, n_marks);
    } else {
        gf_signal_lower_failed(l, status, why);
    }
}

float *gf_signal_lower_fir(gf_signal_lowering *l, int64_t taps, int64_t centre, int32_t border)
{
    if (taps > GF_SIGNAL_TAPS) {
        gf_signal_lower_fail(l, NULL, "its window has %" PRId64 " frames, may have %d of a signal", taps,
                             GF_SIGNAL_TAPS);
    }
    float *tap = l->status == GF_OK ? calloc((size_t)taps, sizeof *tap) : NULL;
    const struct gf_signal_fir args = {
        .taps = (int32_t)taps, .centre = (int32_t)centre, .border = border, .tap = tap};
    if (!tap) {
        fail(l, GF_ERROR_MEMORY, NULL, "out of memory");
        return NULL;
    }
    return add(l, &gf_signal_fir, &args, sizeof args, tap) ? tap : NULL;
}

void gf_signal_lower_rank(gf_signal_lowering *l, int64_t size, int64_t rank)
{
    if (size > GF_SIGNAL_TAPS) {
        gf_signal_lower_fail(l, NULL, "its window has %" PRId64 " frames, may have %d of a signal", size,
                             GF_SIGNAL_TAPS);
    }
    const struct gf_signal_rank args = {(int32_t)size, (int32_t)rank};
    add(l, &gf_signal_rank, &args, sizeof args, NULL);
}

void gf_signal_lower_resample(gf_signal_lowering *l, int64_t up, int64_t down, int32_t taps, int32_t centre,
                              float *phase)
{
    const struct gf_signal_resample args = {
        .up = up, .down = down, .taps = taps, .centre = centre, .phase = phase};
    if (add(l, &gf_signal_resample, &args, sizeof args, phase)) {
        l->out->rate = l->out->rate * (double)up / (double)down;
    }
}

void gf_signal_lower_measure(gf_signal_lowering *l, const struct gf_signal_measure *measure, const void *args,
                             size_t size, void *more)
{
    struct gf_lowered_node *node = add(l, &gf_signal_pass, args, size, more);
    if (node) {
        node->measure = measure;
    }
}

/* ---- a chain ---- */

/* Parameters that all stages of pictures share mean nothing along time; files are read by whoever has the
 * pipeline. */
static void check_params(gf_signal_lowering *l)
{
    const struct gf_stage_common *common = &l->node->common;
    const char *name = common->roi.rect.w ? "roi" : common->channels ? "channels" : NULL;
    if (name) {
        gf_signal_lower_fail(l, name, "%s= is for pictures, and this is a signal", name);
    }
    const gf_param *row;
    for (int32_t i = 0; (row = gf_stage_param(l->node->type, i)) != NULL; i++) {
        const gf_list *list = gf_param_list(row, l->node);
        if (list && list->file[0] && list->rows == 0) {
            gf_signal_lower_fail(l, row->name,
                                 "%s=@%.200s has not been read: gf_pipeline_set_file takes its numbers",
                                 row->name, list->file);
        }
    }
}

gf_status gf_lower_signal(const struct gf_stage_node *nodes, int32_t n_nodes, int32_t channels, double rate,
                          struct gf_lowered_signal *lowered, gf_error *error)
{
    *lowered = (struct gf_lowered_signal){.channels = channels, .rate = rate};
    gf_signal_lowering l = {.out = lowered, .status = GF_OK, .error = error};
    for (int32_t i = 0; i < n_nodes && l.status == GF_OK; i++) {
        l.node = &nodes[i];
        l.stage = i;
        void (*signal)(gf_signal_lowering *, const void *) = gf_stage_signal_of(nodes[i].type);
        check_params(&l);
        if (signal && l.status == GF_OK) {
            signal(&l, nodes[i].params);
        } else {
            fail(&l, GF_ERROR_UNSUPPORTED, NULL, "it works on pictures, and gets a signal");
        }
    }
    if (l.status != GF_OK) {
        gf_lowered_signal_free(lowered);
    }
    return l.status;
}

void gf_lowered_signal_free(struct gf_lowered_signal *lowered)
{
    for (int32_t i = 0; i < lowered->n; i++) {
        free((void *)(uintptr_t)lowered->nodes[i].node.args); /* const is what kernels get */
        free(lowered->nodes[i].more);
    }
    free(lowered->nodes);
    memset(lowered, 0, sizeof *lowered);
}
