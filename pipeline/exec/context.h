/* What a context holds: the caller's hooks, and which devices are lost. */
#ifndef GF_EXEC_CONTEXT_H
#define GF_EXEC_CONTEXT_H

#include "base/status.h"
#include "gpufilter/pipeline.h"

#include <stdatomic.h>
#include <stdbool.h>

struct gf_context {
    gf_context_options options;
    atomic_ullong
        lost; /* bit N: device N; devices from 64 on are not remembered, and fail again when asked */
};

/* Host memory through the caller's hooks; NULL without memory. bytes > 0. */
void *gf_context_allocate(const gf_context *context, size_t bytes);
void gf_context_release(const gf_context *context, void *memory);

/* One line to the log callback, if there is one. */
void gf_context_log(const gf_context *context, gf_log_level level, const char *format, ...) GF_PRINTF(3, 4);

/* The public status of a call that asked `device` for something. After GF_STATUS_LOST the device counts as
 * lost. */
gf_status gf_context_settle(gf_context *context, gf_device device, gf_status status);

/* Whether nothing may be asked of the device any more. */
bool gf_context_is_lost(const gf_context *context, gf_device device);

/* GF_ERROR_DEVICE for a lost device; to be called before a device is asked for anything. */
gf_status gf_context_check_device(const gf_context *context, gf_device device, gf_error *error);

/* Whether the operating system lists a GPU that is not lost: what GF_DEVICE_AUTO may choose. Starts nothing.
 */
bool gf_context_lists_gpu(const gf_context *context);

#endif
