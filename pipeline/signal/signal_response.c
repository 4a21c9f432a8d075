/* What the filters of a chain do to a sine. */
#include "base/gf_num.h"
#include "design/design_math.h"
#include "design/response.h"
#include "lang/pipeline.h"
#include "signal/signal_plan.h"
#include "signal/stft.h"

#include <math.h>
#include <string.h>

/* ---- which stages filter ---- */

static bool is_sections(const struct gf_lowered_node *node)
{
    return node->node.kernel == &gf_signal_iir || node->node.kernel == &gf_signal_iir_settled;
}

/* The taps of a filter that has them, else NULL. */
static const float *taps_of(const struct gf_lowered_node *node)
{
    const struct gf_signal_fir *args = node->node.args; /* which those of gf_signal_overlap begin with */
    const struct gf_signal_overlap *many = node->node.args;
    return node->node.kernel == &gf_signal_fir                          ? args->tap
           : node->node.kernel == &gf_signal_overlap && !many->envelope ? many->stft->taps
                                                                        : NULL;
}

static gf_signal_effect effect_of(const struct gf_lowered_node *node)
{
    const struct gf_signal_kernel *const keep[] = {
        &gf_signal_pass,           &gf_signal_hold.kernel, &gf_signal_extend,
        &gf_signal_reverse.kernel, &gf_signal_shift,       &gf_signal_dither,
        &gf_signal_trim.kernel,    &gf_signal_spectrogram, &gf_signal_mel};
    for (size_t i = 0; i < sizeof keep / sizeof *keep; i++) {
        if (node->node.kernel == keep[i]) {
            return GF_SIGNAL_KEEPS;
        }
    }
    return is_sections(node) || taps_of(node) || node->node.kernel == &gf_signal_gain ||
                   node->node.kernel == &gf_signal_comb
               ? GF_SIGNAL_FILTERS
               : GF_SIGNAL_BENDS;
}

gf_signal_effect gf_signal_plan_effect(const gf_signal_plan *plan, int32_t stage)
{
    gf_signal_effect effect =
        plan && stage >= 0 && stage < plan->pipeline->n ? GF_SIGNAL_KEEPS : GF_SIGNAL_BENDS;
    for (int32_t i = 0; plan && i < plan->chain.n; i++) {
        const struct gf_lowered_node *node = &plan->chain.nodes[i];
        const gf_signal_effect own = effect_of(node);
        if (stage >= node->stage && stage <= node->stage + node->joined && own > effect) {
            effect = own;
        }
    }
    return effect;
}

/* Tells whether the stage filters, and is called so. */
static bool counts(const gf_signal_plan *plan, const char *name, int32_t stage)
{
    const struct gf_stage_node *node = &plan->pipeline->nodes[stage];
    const bool named = !name || !strcmp(name, node->common.name) || !strcmp(name, node->type->name);
    return named && gf_signal_plan_effect(plan, stage) == GF_SIGNAL_FILTERS;
}

int32_t gf_signal_plan_filters(const gf_signal_plan *plan, const char *name)
{
    int32_t n = 0;
    for (int32_t i = 0; plan && i < plan->pipeline->n; i++) {
        n += counts(plan, name, i);
    }
    return n;
}

/* ---- gains ---- */

static double size_of(struct gf_complex value)
{
    return gf_sqrt_double(gf_complex_square(value));
}

/* frequency: in cycles a frame. */
static double taps_gain(const float *tap, int32_t count, double frequency)
{
    const struct gf_complex turn = {gf_cos_pi(2 * frequency), -gf_sine_pi(2 * frequency)};
    struct gf_complex sum = {0, 0};
    for (int32_t k = count - 1; k >= 0; k--) {
        sum = gf_complex_times(sum, turn);
        sum.re += (double)tap[k];
    }
    return size_of(sum);
}

static double comb_gain(const struct gf_signal_comb *a, double frequency)
{
    const double whole = frequency * a->delay, angle = 2 * (whole - floor(whole));
    const struct gf_complex turn = {gf_cos_pi(angle), -gf_sine_pi(angle)};
    const double own = (double)a->own, earlier = (double)a->earlier, back = (double)a->back;
    return size_of((struct gf_complex){own + earlier * turn.re, earlier * turn.im}) /
           size_of((struct gf_complex){1 - back * turn.re, -back * turn.im});
}

static double node_gain(const struct gf_lowered_node *node, double frequency)
{
    const float *taps = taps_of(node);
    if (is_sections(node)) {
        const struct gf_signal_iir *args = node->node.args;
        const struct gf_response response = gf_sections_response(args->section, args->count, frequency);
        return size_of((struct gf_complex){response.re, response.im});
    }
    return taps ? taps_gain(taps, ((const struct gf_signal_fir *)node->node.args)->taps, frequency)
           : node->node.kernel == &gf_signal_comb ? comb_gain(node->node.args, frequency)
           : node->node.kernel == &gf_signal_gain
               ? fabs((double)((const struct gf_signal_gain *)node->node.args)->gain)
               : 1;
}

/* Of what enters node i, which may be the chain's output; 1 where it is unknown. */
static double rate_of(const gf_signal_plan *plan, int32_t i)
{
    const double rate = i < plan->chain.n ? plan->chain.nodes[i].rate : plan->chain.rate;
    return rate > 0 ? rate : 1;
}

double gf_signal_plan_gain(const gf_signal_plan *plan, const char *name, int32_t channel, double frequency)
{
    double gain = plan ? 1 : (double)NAN;
    const int32_t end = plan ? plan->chain.n + !plan->is_picture : 0;
    for (int32_t i = 0; i < end; i++) {
        const double own = frequency / rate_of(plan, i);
        if (own > 0.5) {
            return 0;
        }
        const struct gf_lowered_node *node = &plan->chain.nodes[i];
        if (i < plan->chain.n && gf_signal_acts_on(node, channel) && counts(plan, name, node->stage)) {
            gain *= node_gain(node, own);
        }
    }
    return gain;
}

/* ---- where they turn ---- */

struct list {
    double *at;
    int32_t most, n;
};

/* The roots of 1 + c1 / z + c2 / z^2. */
static void add_roots(struct list *list, double c1, double c2, double rate)
{
    const struct gf_section_poles roots = gf_section_poles(&(struct gf_section){.a1 = c1, .a2 = c2});
    if (roots.complex) {
        if (list->n < list->most) {
            list->at[list->n] = gf_angle(roots.second, roots.first) / (2 * GF_PI) * rate;
        }
        list->n++;
    }
}

int32_t gf_signal_plan_turns(const gf_signal_plan *plan, const char *name, double *frequencies, int32_t most)
{
    struct list list = {frequencies, frequencies ? most : 0, 0};
    for (int32_t i = 0; plan && i < plan->chain.n; i++) {
        const struct gf_lowered_node *node = &plan->chain.nodes[i];
        const struct gf_signal_iir *args = node->node.args;
        if (!is_sections(node) || !counts(plan, name, node->stage)) {
            continue;
        }
        for (int32_t k = 0; k < args->count; k++) {
            const struct gf_section *s = &args->section[k];
            add_roots(&list, s->a1, s->a2, rate_of(plan, i));
            if (s->b0 != 0) {
                add_roots(&list, s->b1 / s->b0, s->b2 / s->b0, rate_of(plan, i));
            }
        }
    }
    return list.n;
}
