#include "gpufilter/queue_notes.h"

#include "base/device.h"
#include "base/status.h"

static const struct gf_backend *noting(gf_device device)
{
    const struct gf_backend *backend = gf_backend_for(device);
    return backend && backend->note ? backend : NULL;
}

gf_status gf_notes_begin(gf_device device, gf_error *error)
{
    const struct gf_backend *backend = noting(device);
    if (!backend) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED, "device %s notes nothing: only an emulated one does",
                       gf_device_kind(device));
    }
    backend->note(true);
    return GF_OK;
}

void gf_notes_end(gf_device device)
{
    const struct gf_backend *backend = noting(device);
    if (backend) {
        backend->note(false);
    }
}

const gf_queue_note *gf_note_at(gf_device device, size_t index)
{
    const struct gf_backend *backend = noting(device);
    return backend ? backend->noted(index) : NULL;
}
