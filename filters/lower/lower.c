/* Lowers a pipeline: its inputs, then stage by stage. */
#include "lower/lowering_private.h"

#include "pixel/ir/op_list.h"
#include "registry.h"

#include <stdlib.h>
#include <string.h>

static void add_inputs(gf_lowering *l)
{
    struct gf_op_list *list = &l->out->list;
    for (int32_t i = 0; i < l->n_inputs; i++) {
        const gf_shape *s = &l->inputs[i].shape;
        int32_t value = gf_lowering_picture(l, s->width, s->height, s->channels, s->depth);
        if (i == 0) {
            list->input = value;
        } else {
            list->others[list->n_others++] = value;
        }
    }
}

/* A program's stage that a map or a call makes: what roi= and channels= leave out is lost. */
static void check_kept(gf_lowering *l)
{
    const struct gf_stage_common *given = &l->node->common;
    const gf_stage_type *type = l->node->type;
    if (l->moved && !(type->flags & GF_STAGE_MEASURE) && gf_stage_find(type->name) != type &&
        (given->roi.rect.w || given->channels & ~(GF_CHANNELS_ALL | GF_CHANNELS_LUMA))) {
        gf_lower_fail(l, GF_ERROR_UNSUPPORTED,
                      "a map or a call makes it of the whole picture: it takes no roi= and no channels=");
    }
}

/* A stage, from l->input to l->output. With channels=luma it gets the luma of a colour picture, whose colours
 * then get the luma that it has made; where it measures only, they stay. It acts in the rectangle of its roi,
 * whose form comes last. */
static void lower_stage(gf_lowering *l)
{
    const gf_value_id v = gf_to_id(l->input);
    const bool by_luma = l->node->common.channels == GF_CHANNELS_LUMA && gf_lower_shape(l, v).channels > 2;
    if (!l->node->type->lower) {
        const char *near = gf_stage_for_pictures(l->node->type->name);
        gf_lower_fail(l, GF_ERROR_UNSUPPORTED,
                      "it works on signals, such as .wav and .csv files are, and gets a picture%s%s",
                      near ? "; for pictures: " : "", near ? near : "");
        return;
    }
    const gf_value_id luma = by_luma ? gf_lower_gray(l, v) : v;
    if (l->status != GF_OK) {
        return;
    }
    l->input = l->output = luma - 1;
    l->moved = l->weighed = false;
    l->node->type->lower(l, l->node->params);
    check_kept(l);
    if (by_luma && l->status == GF_OK) {
        l->output = (l->output == l->input ? v : gf_lowering_with_luma(l, v, gf_to_id(l->output))) - 1;
    }
    if (l->status == GF_OK && l->output != v - 1) {
        l->output = gf_lowering_within(l, v, gf_to_id(l->output)) - 1;
    }
}

gf_status gf_lower(const struct gf_stage_node *nodes, int32_t n_nodes, const struct gf_input *inputs,
                   int32_t n_inputs, gf_alpha alpha, struct gf_lowered *lowered, gf_error *error)
{
    memset(lowered, 0, sizeof *lowered);
    lowered->reads_other = GF_NONE;
    gf_lowering l = {.out = lowered,
                     .inputs = inputs,
                     .n_inputs = n_inputs,
                     .alpha = alpha,
                     .nodes = nodes,
                     .n_nodes = n_nodes,
                     .saved = calloc((size_t)n_nodes + 1, sizeof *l.saved),
                     .status = GF_OK,
                     .error = error};
    GF_TRY(gf_need_memory(l.saved != NULL, error));
    add_inputs(&l);
    l.output = lowered->list.input;
    for (int32_t i = 0; i < n_nodes && l.status == GF_OK; i++) {
        l.node = &nodes[i];
        l.stage = i;
        l.input = l.output;
        l.complex = l.complex && lowered->list.values[l.input].channels == 2;
        l.alpha = l.complex && alpha == GF_ALPHA_PREMUL ? GF_ALPHA_STRAIGHT : alpha;
        gf_lowering_check_params(&l, &lowered->list.values[l.input]);
        if (l.status == GF_OK) {
            lower_stage(&l);
        }
        l.saved[i] = l.output;
    }
    free(l.saved);
    lowered->list.output = l.output;
    if (l.status != GF_OK) {
        gf_lowered_free(lowered);
    }
    return l.status;
}

void gf_lowered_free(struct gf_lowered *lowered)
{
    gf_op_list_free(&lowered->list);
    free(lowered->results);
    memset(lowered, 0, sizeof *lowered);
}
