#include "signal/signal_lowering_private.h"

#include "base/gf_num.h"
#include "base/status.h"
#include "param/params.h"
#include "signal/iir_make.h"
#include "signal/measure.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

int32_t gf_signal_lower_channels(const gf_signal_lowering *l)
{
    return l->out->channels;
}

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
        gf_signal_lower_fail(l, NULL,
                             "%s= is 0, or not given: must be above 0 and below half the rate, %.10g Hz",
                             parameter, rate / 2);
    } else if (rate > 0 && !(frequency < rate / 2)) {
        gf_signal_lower_fail(l, parameter, "%s is %.10g Hz, must be below half the rate, %.10g Hz", parameter,
                             frequency, rate / 2);
    }
    return l->status == GF_OK ? rate : 0;
}

const struct gf_signal_other *gf_signal_lower_other(gf_signal_lowering *l, const gf_picture_name *name)
{
    const struct gf_signal_other *other = l->others, *const end = l->others + l->n_others;
    while (other < end && strcmp(other->name, name->name) != 0) {
        other++;
    }
    if (!name->name[0] || other == end) {
        gf_signal_lower_fail(
            l, "with",
            "it needs another signal, a file, as @other.wav, in, which is IN, or an input, not "
            "'%.200s'",
            name->name);
    } else if (other->rate != l->out->rate) {
        gf_signal_lower_fail(
            l, "with",
            "%.200s has %.10g Hz, and the signal has %.10g Hz here: resample one, or give the "
            "rate of a file that knows none, as --rate 48kHz",
            name->name, other->rate, l->out->rate);
    } else if (other->channels != 1 && other->channels != l->out->channels) {
        gf_signal_lower_fail(l, "with",
                             "%.200s has %d channels, and the signal has %d here: it must have 1, or as many",
                             name->name, other->channels, l->out->channels);
    }
    return l->status == GF_OK ? other : NULL;
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

struct gf_lowered_node *gf_signal_lower_node(gf_signal_lowering *l, const struct gf_signal_kernel *kernel,
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
    const bool acts = !l->passes && kernel != &gf_signal_extend && kernel != &gf_signal_mix;
    out->nodes = nodes;
    nodes[out->n] = (struct gf_lowered_node){.node = {kernel, copy},
                                             .more = more,
                                             .stage = l->stage,
                                             .channels = out->channels,
                                             .acts = acts ? l->acts : 0,
                                             .passes = l->passes,
                                             .rate = out->rate};
    out->channels = kernel->outputs ? kernel->outputs(copy, out->channels) : out->channels;
    return &nodes[out->n++];
}

void gf_signal_lower_gain(gf_signal_lowering *l, double gain)
{
    const struct gf_signal_gain args = {.gain = (float)gain};
    gf_signal_lower_node(l, &gf_signal_gain, &args, sizeof args, NULL);
}

void gf_signal_lower_phase(gf_signal_lowering *l, int32_t zero)
{
    l->zero_phase = zero != 0;
}

/* scipy.signal.sosfilt_zi, in its order: the states of sections that have been fed 1 for ever. false: they
 * never rest. */
static bool rest(const struct gf_section *section, int32_t count, double *state)
{
    double level = 1, sum = 0;
    for (int32_t k = 0; k < count; k++) {
        const struct gf_section *s = &section[k];
        const double b1 = s->b1 - s->a1 * s->b0, b2 = s->b2 - s->a2 * s->b0, a = 1 + s->a1 + s->a2;
        const double first = (b1 + b2) / a;
        state[2 * k] = level * first;
        state[2 * k + 1] = level * ((1 + s->a1) * first - b1);
        sum += state[2 * k] * 0 + state[2 * k + 1] * 0; /* NaN where one is not finite */
        level *= (s->b0 + s->b1 + s->b2) / a;
    }
    return sum == 0;
}

/* sosfiltfilt's padlen. */
static int32_t ends_of(const struct gf_section *section, int32_t count)
{
    int32_t b = 0, a = 0;
    for (int32_t k = 0; k < count; k++) {
        b += section[k].b2 == 0;
        a += section[k].a2 == 0;
    }
    return 3 * (2 * count + 1 - (b < a ? b : a));
}

/* The sections, once. */
static struct gf_lowered_node *add_iir(gf_signal_lowering *l, struct gf_signal_iir_settled *args)
{
    struct gf_signal_iir_made *made = NULL;
    gf_error why = GF_ERROR_INIT;
    const gf_status status =
        l->status == GF_OK ? gf_signal_iir_make(args->iir.count, args->iir.section, &made, &why) : l->status;
    if (status != GF_OK) {
        gf_signal_lower_failed(l, status, &why);
        return NULL;
    }
    args->iir.made = made;
    return l->zero_phase ? gf_signal_lower_node(l, &gf_signal_iir_settled, args, sizeof *args, made)
                         : gf_signal_lower_node(l, &gf_signal_iir, &args->iir, sizeof args->iir, made);
}

static struct gf_lowered_node *add_zero_phase(gf_signal_lowering *l, struct gf_signal_iir_settled *args)
{
    const struct gf_signal_extend extend = {ends_of(args->iir.section, args->iir.count)};
    const struct gf_signal_reverse whole = {0}, cut = {extend.frames};
    if (!rest(args->iir.section, args->iir.count, args->state)) {
        gf_signal_lower_fail(l, "phase",
                             "phase=zero needs a filter that comes to rest, and this one does not");
    }
    gf_signal_lower_node(l, &gf_signal_extend, &extend, sizeof extend, NULL);
    const int32_t forward = l->out->n;
    add_iir(l, args);
    gf_signal_lower_node(l, &gf_signal_reverse.kernel, &whole, sizeof whole, NULL);
    add_iir(l, args);
    gf_signal_lower_node(l, &gf_signal_reverse.kernel, &cut, sizeof cut, NULL);
    return l->status == GF_OK ? &l->out->nodes[forward] : NULL;
}

void gf_signal_lower_iir(gf_signal_lowering *l, const struct gf_section *sections, int32_t count,
                         const double *marks, int32_t n_marks)
{
    struct gf_signal_iir_settled args = {.iir = {.count = count}};
    if (l->status != GF_OK) {
        return;
    }
    if (count > GF_SIGNAL_SECTIONS) {
        gf_signal_lower_fail(l, "order", "the filter has %d sections of second order, may have %d", count,
                             GF_SIGNAL_SECTIONS);
        return;
    }
    memcpy(args.iir.section, sections, (size_t)count * sizeof *sections);
    struct gf_lowered_node *node = l->zero_phase ? add_zero_phase(l, &args) : add_iir(l, &args);
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

static float *add_taps(gf_signal_lowering *l, const struct gf_signal_kernel *kernel, int64_t taps,
                       int64_t centre, int32_t border)
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
    return gf_signal_lower_node(l, kernel, &args, sizeof args, tap) ? tap : NULL;
}

float *gf_signal_lower_fir(gf_signal_lowering *l, int64_t taps, int64_t centre, int32_t border)
{
    return add_taps(l, &gf_signal_fir, taps, centre, border);
}

float *gf_signal_lower_envelope(gf_signal_lowering *l, int64_t taps)
{
    return add_taps(l, &gf_signal_envelope, taps, taps / 2, 0);
}

void gf_signal_lower_rank(gf_signal_lowering *l, int64_t size, int64_t rank)
{
    if (size > GF_SIGNAL_TAPS) {
        gf_signal_lower_fail(l, NULL, "its window has %" PRId64 " frames, may have %d of a signal", size,
                             GF_SIGNAL_TAPS);
    }
    const struct gf_signal_rank args = {(int32_t)size, (int32_t)rank};
    gf_signal_lower_node(l, &gf_signal_rank, &args, sizeof args, NULL);
}

/* So many frames, at most `most`; 0 on failure. */
static int64_t limited(gf_signal_lowering *l, const char *parameter, double frames, int64_t most)
{
    if (!(frames <= (double)most)) {
        gf_signal_lower_fail(l, parameter, "%s is %.10g frames, may be %" PRId64, parameter, frames, most);
    }
    return l->status == GF_OK ? (int64_t)frames : 0;
}

int64_t gf_signal_lower_duration(gf_signal_lowering *l, const char *parameter, double seconds, int64_t frames,
                                 int64_t most)
{
    const gf_param *row = gf_stage_param_named(l->node->type, parameter, strlen(parameter));
    if (frames == GF_AUTO && seconds == 0 && gf_param_is_default(row, l->node)) {
        gf_signal_lower_fail(l, NULL, "it needs %s= above 0, as 20ms, or frames=", parameter);
    } else if (frames == GF_AUTO && seconds > 0 && !(l->out->rate > 0)) {
        gf_signal_lower_fail(
            l, parameter,
            "it needs the rate of the signal, which is not known: give one, as --rate 48kHz, "
            "or frames=");
    }
    return limited(l, parameter, frames == GF_AUTO ? floor(seconds * l->out->rate + 0.5) : (double)frames,
                   most);
}

int64_t gf_signal_lower_frames(gf_signal_lowering *l, const char *parameter, double seconds)
{
    return seconds > 0
               ? limited(l, parameter, floor(seconds * gf_signal_lower_rate(l) + 0.5), GF_SIGNAL_SHIFT)
               : 0;
}

void gf_signal_lower_comb(gf_signal_lowering *l, const struct gf_signal_comb *comb)
{
    gf_signal_lower_node(l, &gf_signal_comb, comb, sizeof *comb, NULL);
}

void gf_signal_lower_rms(gf_signal_lowering *l, int64_t frames, const struct gf_signal_rms *rms)
{
    struct gf_signal_rms args = *rms;
    args.size = (int32_t)(frames / 2 * 2 + 1);
    gf_signal_lower_node(l, &gf_signal_rms, &args, sizeof args, NULL);
}

void gf_signal_lower_resample(gf_signal_lowering *l, int64_t up, int64_t down, int32_t taps, int32_t centre,
                              float *phase)
{
    const struct gf_signal_resample args = {
        .up = up, .down = down, .taps = taps, .centre = centre, .phase = phase};
    if (gf_signal_lower_node(l, &gf_signal_resample, &args, sizeof args, phase)) {
        l->out->rate = l->out->rate * (double)up / (double)down;
    }
}

void gf_signal_lower_barrier(gf_signal_lowering *l, const struct gf_signal_barrier *barrier, const void *args,
                             size_t size)
{
    gf_signal_lower_node(l, &barrier->kernel, args, size, NULL);
}

void gf_signal_lower_measure(gf_signal_lowering *l, const struct gf_signal_measure *measure, const void *args,
                             size_t size, void *more)
{
    const struct gf_signal_kernel *kernel = measure->again ? &gf_signal_hold.kernel : &gf_signal_pass;
    struct gf_lowered_node *node = gf_signal_lower_node(l, kernel, args, size, more);
    if (node) {
        node->measure = measure;
    }
}

/* ---- frames by their number, and channels ---- */

void gf_signal_lower_mix(gf_signal_lowering *l, int32_t outputs, const double *m)
{
    const int32_t channels = l->out->channels;
    int32_t *table = !m ? NULL : malloc(((size_t)outputs * (size_t)(2 * channels + 1) + 1) * sizeof *table);
    const struct gf_signal_mix args = {outputs, table};
    if (!table) {
        fail(l, GF_ERROR_MEMORY, NULL, "out of memory");
        return;
    }
    table[0] = outputs + 1;
    for (int32_t d = 0; d < outputs; d++) {
        int32_t end = table[d];
        for (int32_t c = 0; c < channels; c++) {
            const float gain = (float)m[d * channels + c];
            if (gain != 0) {
                table[end++] = c;
                table[end++] = (int32_t)gf_float_bits(gain);
            }
        }
        table[d + 1] = end;
    }
    gf_signal_lower_node(l, &gf_signal_mix, &args, sizeof args, table);
}
