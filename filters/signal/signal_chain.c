/* A chain of stages of signals: calls their signal(), or lowers what pictures have of them. */
#include "param/params.h"
#include "signal/signal_lowering_private.h"

#include <stdlib.h>
#include <string.h>

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
                          const struct gf_signal_other *others, int32_t n_others,
                          struct gf_lowered_signal *lowered, gf_error *error)
{
    *lowered = (struct gf_lowered_signal){.channels = channels, .rate = rate};
    gf_signal_lowering l = {
        .out = lowered, .others = others, .n_others = n_others, .status = GF_OK, .error = error};
    for (int32_t i = 0; i < n_nodes && l.status == GF_OK; i++) {
        l.node = &nodes[i];
        l.stage = i;
        l.zero_phase = false;
        void (*signal)(gf_signal_lowering *, const void *) = gf_stage_signal_of(nodes[i].type);
        check_params(&l);
        if (signal && l.status == GF_OK) {
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
        free(lowered->nodes[i].more);
        gf_signal_points_free(lowered->nodes[i].points);
    }
    free(lowered->nodes);
    memset(lowered, 0, sizeof *lowered);
}
