/* What a run is given, checked before anything is touched. */
#include "exec/exec.h"

#include "base/sized.h"

#include <stdio.h>

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
    if (!exec) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "exec is NULL");
    }
    if (exec->pending) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "the exec has work under way: call gf_exec_finish first");
    }
    return gf_context_check_device(exec->plan->context, exec->plan->device, error);
}

/* "cpu", "cuda:0": as users name a device. */
struct device_name {
    char text[24];
};

static struct device_name name_of(gf_device device)
{
    struct device_name name;
    if (device >= 0) {
        snprintf(name.text, sizeof name.text, "%s:%d", gf_device_kind(device), device);
    } else {
        snprintf(name.text, sizeof name.text, "%s", gf_device_kind(device));
    }
    return name;
}

static gf_status check_device(const gf_exec *exec, gf_device device, const char *which, gf_error *error)
{
    if (device == GF_DEVICE_CPU) {
        return GF_OK;
    }
    if (exec->banding) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED,
                       "%s is in memory of %s, and a plan in bands takes pictures of the host", which,
                       name_of(device).text);
    }
    if (device == exec->plan->device && device >= 0) {
        return GF_OK;
    }
    return gf_fail(
        error, GF_ERROR_ARGUMENT,
        "%s is in memory of %s (its gf_image.device is %d), the plan runs on %s: pictures are in host "
        "memory, GF_DEVICE_CPU, or in memory of the plan's device",
        which, name_of(device).text, device, name_of(exec->plan->device).text);
}

gf_status gf_exec_check_image(const gf_exec *exec, const gf_image *given, gf_shape shape, const char *which,
                              gf_image *image, gf_error *error)
{
    static const struct gf_sized sized = GF_SIZED(gf_image, data);
    gf_error why = GF_ERROR_INIT;
    *image = (gf_image)GF_IMAGE_INIT;
    if (gf_struct_in(&sized, given, image, &why) != GF_OK) {
        return gf_fail(error, why.code, "%s: %s", which, why.message);
    }
    GF_TRY(gf_exec_check_shape(&image->shape, shape, which, error));
    int64_t sample = (int64_t)gf_depth_size(shape.depth);
    int64_t row = gf_image_row_bytes(shape.width, shape.channels, shape.depth);
    if (!image->data || (uintptr_t)image->data % (size_t)sample || image->pitch % sample ||
        image->pitch < row) {
        return gf_fail(error, GF_ERROR_ARGUMENT,
                       "%s: data and pitch must be multiples of the sample size, and the pitch "
                       "at least a row",
                       which);
    }
    if (image->pitch > PTRDIFF_MAX / shape.height) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "%s: no memory has %lld rows of a pitch of %lld bytes",
                       which, (long long)shape.height, (long long)image->pitch);
    }
    return check_device(exec, image->device, which, error);
}

/* Bytes from the first sample through the last: those behind it in the last row are not the picture's. */
static uintptr_t extent_of(const gf_image *image)
{
    const gf_shape *shape = &image->shape;
    return (uintptr_t)(image->pitch * (shape->height - 1) +
                       gf_image_row_bytes(shape->width, shape->channels, shape->depth));
}

/* Tells whether the first sample of one lies between the first and the last of the other. */
bool gf_images_overlap(const gf_image *a, const gf_image *b)
{
    uintptr_t a_first = (uintptr_t)a->data, b_first = (uintptr_t)b->data;
    return a->device == b->device &&
           (a_first < b_first ? b_first - a_first < extent_of(a) : a_first - b_first < extent_of(b));
}

gf_status gf_exec_take_images(const gf_exec *exec, const gf_image *in, const gf_image *out,
                              struct gf_views *views, gf_error *error)
{
    if (!in) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "the input picture must not be NULL");
    }
    GF_TRY(gf_exec_check_image(exec, in, gf_plan_input(exec->plan), "the input", &views->in, error));
    views->out = (gf_image)GF_IMAGE_INIT;
    return out ? gf_exec_check_image(exec, out, gf_plan_output(exec->plan), "the output", &views->out, error)
               : GF_OK;
}

gf_status gf_exec_check_run(const gf_exec *exec, const gf_image *in, const gf_image *out,
                            struct gf_views *views, gf_error *error)
{
    GF_TRY(gf_exec_check_idle(exec, error));
    GF_TRY(gf_exec_take_images(exec, in, out, views, error));
    if (out && gf_images_overlap(&views->in, &views->out)) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "input and output must not overlap");
    }
    return gf_exec_check_inputs(exec, out ? &views->out : NULL, error);
}
