/* What a run is given, checked before anything is touched. */
#include "exec/exec.h"

gf_status gf_exec_check_shape(const gf_shape *is, gf_shape shape, const char *which, gf_error *error)
{
    if (is->width == shape.width && is->height == shape.height && is->channels == shape.channels &&
        is->depth == shape.depth) {
        return GF_OK;
    }
    return gf_fail(error, GF_ERROR_ARGUMENT, "%s is %lld x %lld x %d %s, the plan has %lld x %lld x %d %s",
                   which, (long long)is->width, (long long)is->height, is->channels, gf_depth_name(is->depth),
                   (long long)shape.width, (long long)shape.height, shape.channels,
                   gf_depth_name(shape.depth));
}

gf_status gf_exec_check_idle(const gf_exec *exec, gf_error *error)
{
    if (exec->pending) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "the exec has work under way: call gf_exec_finish first");
    }
    return gf_context_check_device(exec->plan->context, exec->own.device, error);
}

static gf_status check_image(const gf_exec *exec, const gf_image *image, gf_shape shape, const char *which,
                             gf_error *error)
{
    if (image->struct_size != sizeof *image) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "%s: gf_image.struct_size is %u, must be %zu", which,
                       image->struct_size, sizeof *image);
    }
    GF_TRY(gf_exec_check_shape(&image->shape, shape, which, error));
    size_t sample = gf_depth_size(shape.depth);
    if (!image->data || (uintptr_t)image->data % sample || image->pitch % (int64_t)sample ||
        image->pitch < shape.width * shape.channels * (int64_t)sample) {
        return gf_fail(error, GF_ERROR_ARGUMENT,
                       "%s: data and pitch must be multiples of the sample size, and the pitch "
                       "at least a row",
                       which);
    }
    if (image->device != GF_DEVICE_CPU && exec->banding) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED,
                       "%s is in memory of device %d, and a plan in bands takes pictures of the host", which,
                       image->device);
    }
    if (image->device != GF_DEVICE_CPU && image->device != exec->own.device) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "%s is in memory of device %d, the plan runs on device %d",
                       which, image->device, exec->own.device);
    }
    return GF_OK;
}

gf_status gf_exec_check_images(const gf_exec *exec, const gf_image *in, const gf_image *out, gf_error *error)
{
    GF_TRY(gf_exec_check_idle(exec, error));
    if (!in) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "the input picture must not be NULL");
    }
    GF_TRY(check_image(exec, in, gf_plan_input(exec->plan), "the input", error));
    if (!out) {
        return GF_OK;
    }
    GF_TRY(check_image(exec, out, gf_plan_output(exec->plan), "the output", error));
    const char *a = in->data, *b = out->data;
    if (in->device == out->device && a < b + out->pitch * out->shape.height &&
        b < a + in->pitch * in->shape.height) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "input and output must not overlap");
    }
    return GF_OK;
}
