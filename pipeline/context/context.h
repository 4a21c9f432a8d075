/* What a context holds: the caller's hooks, pinned memory, and which devices are lost. */
#pragma once

#include "base/refs.h"
#include "base/status.h"
#include "gpufilter/pipeline.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct gf_context {
    struct gf_refs refs; /* the caller's hold, and its plans' */
    gf_context_options options;
    /* Bit N: device N; devices from 64 on are not remembered, and fail or start again when asked. */
    atomic_ullong lost, started; /* started: or on the way */
    pthread_mutex_t lock;        /* of starts and pieces */
    struct gf_start *starts;     /* start.c: under way, and nobody waited yet */
    struct gf_piece *pieces;     /* pieces.h: those that no exec holds */
    int32_t n_pieces;
};

static inline gf_context *gf_context_hold(gf_context *context)
{
    gf_refs_hold(&context->refs);
    return context;
}

/* Host memory through the caller's hooks; NULL without memory. bytes > 0. */
void *gf_context_allocate(const gf_context *context, size_t bytes);
void gf_context_release(const gf_context *context, void *memory);

/* One line to the log function, if there is one. */
void gf_context_log(const gf_context *context, gf_log_level level, const char *format, ...) GF_PRINTF(3, 4);

/* The public status of a call that asked `device` for something. After GF_STATUS_LOST the device counts as
 * lost. */
gf_status gf_context_settle(gf_context *context, gf_device device, gf_status status);

/* Tells whether nothing may be asked of the device any more. */
bool gf_context_is_lost(const gf_context *context, gf_device device);

/* GF_ERROR_DEVICE for a lost device; to be called before a device is asked for anything. */
gf_status gf_context_check_device(const gf_context *context, gf_device device, gf_error *error);

/* Starts the device, or waits where gf_context_start began that. What it failed with is told once: whoever
 * asks again tries anew. Also GF_ERROR_DEVICE for a lost device. To be called before the first use of a
 * device; for the CPU nothing happens. */
gf_status gf_context_need_device(gf_context *context, gf_device device, gf_error *error);
/* Waits for all that start, and forgets how it went. */
void gf_context_drop_starts(gf_context *context);

/* Tells whether this context has started the device, or begun to: then its start costs no more. */
bool gf_context_is_started(const gf_context *context, gf_device device);
void gf_context_set_started(gf_context *context, gf_device device, bool started);

/* Tells whether the system lists a GPU that is not lost: what GF_DEVICE_AUTO may choose. Starts nothing.
 */
bool gf_context_lists_gpu(const gf_context *context);
