/* The pictures that a run reads: the caller's, and where they are for its steps. */
#include "exec/exec.h"

#include <stdio.h>

gf_status gf_exec_set_input(gf_exec *exec, int32_t index, const gf_image *image, gf_error *error)
{
    GF_TRY(gf_exec_check_idle(exec, error));
    const gf_plan *plan = exec->plan;
    if (index < 1 || index >= plan->n_inputs) {
        return gf_fail(error, GF_ERROR_ARGUMENT,
                       "input %d cannot be set: the plan reads %d beside 'in', which each run is given",
                       index, plan->n_inputs - 1);
    }
    char which[96];
    snprintf(which, sizeof which, "input %d '%.60s'", index, plan->inputs[index].name);
    gf_image taken = GF_IMAGE_INIT;
    GF_TRY(image ? gf_exec_check_image(exec, image, plan->inputs[index].shape, which, &taken, error) : GF_OK);
    exec->inputs[index] = taken;
    return GF_OK;
}

gf_status gf_exec_check_inputs(const gf_exec *exec, const gf_image *out, gf_error *error)
{
    for (int32_t i = 1; i < exec->plan->n_inputs; i++) {
        const char *name = exec->plan->inputs[i].name;
        if (!exec->inputs[i].data) {
            return gf_fail(error, GF_ERROR_ARGUMENT,
                           "input %d '%.200s' has no picture: gf_exec_set_input gives it", i, name);
        }
        if (out && gf_images_overlap(&exec->inputs[i], out)) {
            return gf_fail(error, GF_ERROR_ARGUMENT, "input %d '%.200s' and output must not overlap", i,
                           name);
        }
    }
    return GF_OK;
}

void gf_exec_share_inputs(const gf_exec *from, gf_exec *to)
{
    for (int32_t i = 1; i < from->plan->n_inputs; i++) {
        to->inputs[i] = from->inputs[i];
    }
}

struct gf_place gf_exec_arena_place(const gf_exec *exec, int32_t value)
{
    uint64_t offset = exec->plan->buffers.offset[value];
    if (offset == GF_NO_BUFFER) {
        return (struct gf_place){0};
    }
    return (struct gf_place){exec->arena + offset, gf_buffers_pitch(&exec->plan->lowered.list.values[value])};
}

gf_status gf_exec_copy_picture(gf_exec *exec, enum gf_copy_kind kind, struct gf_place to,
                               struct gf_place from, int32_t value, gf_error *error)
{
    const struct gf_value *v = &exec->plan->lowered.list.values[value];
    size_t row = (size_t)v->width * (size_t)v->channels * gf_depth_size(v->depth);
    return exec->backend->copy(exec->queue, kind, to.data, to.pitch, from.data, from.pitch, row, v->height,
                               error);
}

gf_status gf_exec_place_inputs(gf_exec *exec, gf_error *error)
{
    const struct gf_op_list *list = &exec->plan->lowered.list;
    for (int32_t i = 0; i <= list->n_others; i++) {
        const gf_image *image = &exec->inputs[i];
        int32_t v = gf_input_value(list, i);
        struct gf_place given = {image->data, image->pitch}, room = gf_exec_arena_place(exec, v);
        bool upload = exec->own.device >= 0 && image->device < 0;
        exec->places[i] = upload ? room : given;
        if (upload && room.data) { /* no room: nothing reads it */
            GF_TRY(gf_exec_copy_picture(exec, GF_COPY_UPLOAD, room, given, v, error));
        }
    }
    return GF_OK;
}
