/* Starting devices, also on threads of their own. */
#include "context/context.h"

#include "base/device.h"
#include "base/team.h"

#include <stdlib.h>

/* One start under way, in the context's list until someone waits for it. */
struct gf_start {
    struct gf_start *next;
    pthread_t thread;
    gf_device device;
    gf_status status; /* of the start; the thread's until it is joined, like `error` */
    gf_error error;
};

static void *run(void *argument)
{
    struct gf_start *start = argument;
    start->status = gf_backend_for(start->device)->start(start->device, &start->error);
    return NULL;
}

/* Without memory or a thread nothing happens: the first use starts the device then. */
static void begin(gf_context *context, gf_device device)
{
    struct gf_start *start = calloc(1, sizeof *start);
    if (!start) {
        return;
    }
    start->device = device;
    start->error = (gf_error)GF_ERROR_INIT;
    if (!gf_thread_create(&start->thread, run, start)) {
        free(start);
        return;
    }
    start->next = context->starts;
    context->starts = start;
    gf_context_set_started(context, device, true);
}

gf_status gf_context_start(gf_context *context, gf_device device, gf_error *error)
{
    if (!context) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "context is NULL");
    }
    if (device < GF_DEVICE_REFERENCE) {
        return gf_fail(error, GF_ERROR_ARGUMENT,
                       "device %d cannot be started: must be reference (-2), cpu (-1) or the number of a GPU",
                       device);
    }
    const struct gf_backend *backend = gf_backend_for(device);
    if (device >= 0 && !backend) {
        return gf_fail(error, GF_ERROR_DEVICE, "device %s:%d: %s", gf_device_kind(device), device,
                       gf_cuda_missing());
    }
    GF_TRY(gf_context_check_device(context, device, error));
    if (device < 0) {
        return GF_OK;
    }
    pthread_mutex_lock(&context->lock);
    if (!gf_context_is_started(context, device)) {
        begin(context, device);
    }
    pthread_mutex_unlock(&context->lock);
    return GF_OK;
}

/* Takes the start of the device out of the list; any device: GF_DEVICE_AUTO. NULL: there is none. */
static struct gf_start *take(gf_context *context, gf_device device)
{
    pthread_mutex_lock(&context->lock);
    struct gf_start **link = &context->starts;
    while (*link && device != GF_DEVICE_AUTO && (*link)->device != device) {
        link = &(*link)->next;
    }
    struct gf_start *start = *link;
    if (start) {
        *link = start->next;
    }
    pthread_mutex_unlock(&context->lock);
    return start;
}

gf_status gf_context_need_device(gf_context *context, gf_device device, gf_error *error)
{
    gf_status status = GF_OK;
    struct gf_start *start = device < 0 ? NULL : take(context, device);
    if (start) {
        pthread_join(start->thread, NULL);
        status = start->status;
        if (status != GF_OK) {
            gf_error_copy(error, &start->error);
        }
        free(start);
    } else {
        GF_TRY(gf_context_check_device(context, device, error));
        if (device < 0 || gf_context_is_started(context, device)) {
            return GF_OK;
        }
        status = gf_backend_for(device)->start(device, error);
    }
    gf_context_set_started(context, device, status == GF_OK);
    return gf_context_settle(context, device, status);
}

void gf_context_drop_starts(gf_context *context)
{
    for (struct gf_start *start; (start = take(context, GF_DEVICE_AUTO));) {
        pthread_join(start->thread, NULL);
        free(start);
    }
}
