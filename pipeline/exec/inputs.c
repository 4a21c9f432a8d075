/* The pictures of the caller that runs read beside the first. */
#include "gpufilter/inputs.h"
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
