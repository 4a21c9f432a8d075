/* A chain of stages of signals: calls their signal(), or lowers what pictures have of them. */
#include "param/params.h"
#include "signal/signal_lowering_private.h"

#include <stdlib.h>
#include <string.h>

static void take_channels(gf_signal_lowering *l)
{
    const uint32_t wanted = (uint32_t)l->node->common.channels;
    const int32_t channels = l->out->channels;
    l->acts = wanted & GF_CHANNELS_ALL ? 0 : wanted;
    if (l->acts & (GF_CHANNELS_LUMA | (uint32_t)GF_CHANNELS_ALPHA)) {
        gf_signal_lower_fail(l, "channels", "channels= of a signal are numbers from 0, as channels=0+2");
    } else if (l->acts && l->node->type->flags & GF_STAGE_MEASURE) {
        gf_signal_lower_fail(l, "channels", "channels= is for stages that change a signal: it measures all");
    } else if (channels < GF_CHANNELS_NAMED && l->acts >> channels) {
        gf_signal_lower_fail(l, "channels", "channels= names channel %d, but the signal has %d (0 to %d)",
                             31 - __builtin_clz(l->acts), channels, channels - 1);
    }
}

/* A roi means nothing along time; files are read by whoever has the pipeline. */
static void check_params(gf_signal_lowering *l)
{
    if (l->node->common.roi.rect.w) {
        gf_signal_lower_fail(l, "roi", "roi= is for pictures, and this is a signal");
    }
    if (l->node->common.save[0]) {
        gf_signal_lower_fail(l, "save", "save= is for pictures, and this is a signal");
    }
    take_channels(l);
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

void gf_signal_lower_beside(gf_signal_lowering *l)
{
    const int32_t n = l->out->channels;
    double *m = calloc(2 * (size_t)n * (size_t)n, sizeof *m);
    for (int32_t i = 0; m && i < 2 * n; i++) {
        m[i * n + i % n] = 1;
    }
    if (2 * n > GF_SIGNAL_CHANNELS) {
        gf_signal_lower_fail(l, NULL, "it takes up to %d channels, not %d", GF_SIGNAL_CHANNELS / 2, n);
    }
    gf_signal_lower_mix(l, 2 * n, m);
    l->passes = n;
    free(m);
}

void gf_signal_lower_difference(gf_signal_lowering *l, int32_t copy)
{
    const struct gf_lowered_node chosen = {.acts = l->acts};
    const int32_t n = l->passes;
    double *m = calloc(2 * (size_t)n * (size_t)n, sizeof *m);
    for (int32_t d = 0; m && d < n; d++) {
        const bool acts = gf_signal_acts_on(&chosen, d);
        m[d * 2 * n + d] = acts ? -copy : 1;
        m[d * 2 * n + n + d] = acts ? copy : 0;
    }
    l->passes = 0;
    gf_signal_lower_mix(l, n, m);
    free(m);
}

gf_status gf_lower_signal(const struct gf_stage_node *nodes, int32_t first, int32_t n_nodes, int32_t channels,
                          double rate, const struct gf_signal_other *others, int32_t n_others,
                          struct gf_lowered_signal *lowered, gf_error *error)
{
    *lowered = (struct gf_lowered_signal){.channels = channels, .rate = rate};
    gf_signal_lowering l = {
        .out = lowered, .others = others, .n_others = n_others, .status = GF_OK, .error = error};
    for (int32_t i = first; i < n_nodes && l.status == GF_OK; i++) {
        l.node = &nodes[i];
        l.stage = i;
        l.zero_phase = false;
        l.passes = 0;
        void (*signal)(gf_signal_lowering *, const void *) = gf_stage_signal_of(nodes[i].type);
        check_params(&l);
        if (i > first && nodes[i - 1].type->flags & GF_STAGE_PICTURE) {
            gf_signal_lower_fail(
                &l, NULL,
                "'%s' before it makes a picture of the signal, and must be the last stage: put "
                "this one before it, or filter the picture in a second run",
                nodes[i - 1].type->name);
        }
        if (signal && !(nodes[i].type->flags & GF_STAGE_SAMPLES_FIRST) && l.status == GF_OK) {
            signal(&l, nodes[i].params);
        } else if (l.status == GF_OK) {
            i += gf_signal_lower_points(&l, &nodes[i], n_nodes - i) - 1;
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
        (lowered->nodes[i].release ? lowered->nodes[i].release : free)(lowered->nodes[i].more);
        gf_signal_points_free(lowered->nodes[i].points);
    }
    free(lowered->nodes);
    memset(lowered, 0, sizeof *lowered);
}
