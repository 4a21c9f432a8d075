/* The judge: see reference.h. Reads as the contract does, and is as slow as that. */
#include "pixel/judge/reference.h"

#include "base/status.h"
#include "pixel/ir/kernel_table.h"
#include "pixel/judge/reference_parts.h"

#include <fenv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static gf_status run_call(const struct gf_judge *judge, const struct gf_op *op, gf_error *error)
{
    const int32_t at[2] = {op->u.call.in, op->u.call.out};
    gf_image image[2];

    for (int i = 0; i < 2; i++) {
        const struct gf_value *v = &judge->list->values[at[i]];
        int64_t pitch = v->width * v->channels * (int64_t)gf_depth_size(v->depth);
        image[i] = (gf_image){.struct_size = sizeof image[i],
                              .shape = {v->width, v->height, v->channels, v->depth},
                              .pitch = pitch,
                              .data = judge->data[at[i]],
                              .device = GF_DEVICE_CPU};
    }
    gf_error said = GF_ERROR_INIT;
    gf_status status = op->u.call.host(&image[0], &image[1], op->u.call.args, &said);
    char who[64];
    snprintf(who, sizeof who, "the host function of stage %d", op->stage + 1);
    return gf_callback_status(status, &said, who, error);
}

static gf_status judge_kernel(const struct gf_judge *judge, const struct gf_op *op,
                              const struct gf_kernel *kernel, gf_error *error)
{
    return kernel->judge
               ? kernel->judge(judge, op, error)
               : gf_fail(error, GF_ERROR_UNSUPPORTED, "the reference does not know '%s'", kernel->name);
}

static gf_status run_ops(const struct gf_judge *judge, gf_error *error)
{
    for (int32_t i = 0; i < judge->list->n_ops; i++) {
        const struct gf_op *op = &judge->list->ops[i];
        gf_status status = op->kind == GF_OP_POINT    ? gf_judge_point(judge, op, error)
                           : op->kind == GF_OP_WINDOW ? judge_kernel(judge, op, op->u.window.kernel, error)
                           : op->kind == GF_OP_TAP    ? judge_kernel(judge, op, op->u.tap.kernel, error)
                           : op->kind == GF_OP_APPLY  ? judge_kernel(judge, op, op->u.apply.kernel, error)
                                                      : run_call(judge, op, error);
        if (status != GF_OK) {
            gf_error_stage(error, op->stage);
            return status;
        }
    }
    return GF_OK;
}

static size_t row_bytes(const struct gf_value *v)
{
    return (size_t)v->width * (size_t)v->channels * gf_depth_size(v->depth);
}

/* Memory, zeroed, for every value that is not a constant block. */
static gf_status make_values(struct gf_judge *judge, gf_error *error)
{
    judge->data = calloc((size_t)judge->list->n_values, sizeof *judge->data);
    for (int32_t v = 0; judge->data && v < judge->list->n_values; v++) {
        const struct gf_value *value = &judge->list->values[v];
        judge->data[v] = value->constant ? (void *)(uintptr_t)value->constant /* only ever read */
                                         : calloc((size_t)value->height, row_bytes(value));
        if (!judge->data[v]) {
            return gf_fail(error, GF_ERROR_MEMORY, "no memory for value %d: %lld x %lld x %d", v,
                           (long long)value->width, (long long)value->height, value->channels);
        }
    }
    return judge->data ? GF_OK
                       : gf_fail(error, GF_ERROR_MEMORY, "no memory for %d values", judge->list->n_values);
}

static void free_values(struct gf_judge *judge)
{
    for (int32_t v = 0; judge->data && v < judge->list->n_values; v++) {
        if (!judge->list->values[v].constant) {
            free(judge->data[v]);
        }
    }
    free(judge->data);
}

static bool same_shape(const gf_image *image, const struct gf_value *v)
{
    return image->shape.width == v->width && image->shape.height == v->height &&
           image->shape.channels == v->channels && image->shape.depth == v->depth;
}

/* The caller's pictures, into values of their own. */
static void take_inputs(const struct gf_judge *judge, const gf_image *in)
{
    for (int32_t i = 0; i <= judge->list->n_others; i++) {
        int32_t v = gf_input_value(judge->list, i);
        size_t row = row_bytes(&judge->list->values[v]);
        for (int64_t y = 0; y < judge->list->values[v].height; y++) {
            memcpy((char *)judge->data[v] + (size_t)y * row, (const char *)in[i].data + y * in[i].pitch, row);
        }
    }
}

static bool have_shapes(const struct gf_op_list *list, const gf_image *in, const gf_image *out)
{
    for (int32_t i = 0; i <= list->n_others; i++) {
        if (!same_shape(&in[i], &list->values[gf_input_value(list, i)])) {
            return false;
        }
    }
    return !out || same_shape(out, &list->values[list->output]);
}

gf_status gf_reference_run(const struct gf_op_list *list, const gf_image *in, gf_image *out,
                           void *const *blocks, gf_error *error)
{
    const struct gf_value *to = &list->values[list->output];
    struct gf_judge judge = {list, NULL};
    fenv_t caller;

    if (!have_shapes(list, in, out)) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "a picture has not the shape that the plan is for");
    }
    fegetenv(&caller);
    fesetenv(FE_DFL_ENV); /* nearest, subnormals kept, whatever the caller was linked with */
    gf_status status = make_values(&judge, error);
    if (status == GF_OK) {
        take_inputs(&judge, in);
    }
    status = status == GF_OK ? run_ops(&judge, error) : status;
    for (int64_t y = 0; status == GF_OK && out && y < to->height; y++) {
        memcpy((char *)out->data + y * out->pitch,
               (const char *)judge.data[list->output] + (size_t)y * row_bytes(to), row_bytes(to));
    }
    for (int32_t v = 0; status == GF_OK && blocks && v < list->n_values; v++) {
        const struct gf_value *value = &list->values[v];
        if (blocks[v] && value->is_block && !value->constant) {
            memcpy(blocks[v], judge.data[v], row_bytes(value));
        }
    }
    free_values(&judge);
    fesetenv(&caller);
    return status;
}
