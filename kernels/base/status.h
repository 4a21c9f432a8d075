/* Failing well: fill the caller's gf_error and return the code in one expression. */
#pragma once

#include "gpufilter/types.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __GNUC__
#define GF_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define GF_PRINTF(fmt, args)
#endif

/* Writes code and message to *error (which may be NULL) and returns code. Place fields
 * (stage, text) are reset to "unknown"; a caller that knows better sets them afterwards. Only these functions
 * write to an error of the caller, which may be smaller than ours, and none reads it. */
gf_status gf_fail(gf_error *error, gf_status code, const char *format, ...) GF_PRINTF(3, 4);
void gf_error_place(gf_error *error, int32_t stage, int32_t text_offset, int32_t text_length);
void gf_error_stage(gf_error *error, int32_t stage);
void gf_error_system(gf_error *error, int32_t number);

/* Hands on what was written to an error of ours; returns its code. */
gf_status gf_error_copy(gf_error *error, const gf_error *from);

/* Takes what a function of the caller returned, which got *said, GF_ERROR_INIT, for its error: the status
 * goes on with that text, or with one that names `who` where it left none. A value that is no gf_status is
 * GF_ERROR_ARGUMENT. */
gf_status gf_callback_status(gf_status status, gf_error *said, const char *who, gf_error *error);

/* What a kernel or backend call returns when its device is lost: CUDA answers every later call in this
 * process with the same error. The gf_error says GF_ERROR_DEVICE, and so do public functions, which first
 * remember the device as lost (gf_context_settle). Within the values that C++ allows for gf_status. */
#define GF_STATUS_LOST ((gf_status)-12)

/* Returns the status of a call that failed to the caller. */
#define GF_TRY(call)                                                                                         \
    do {                                                                                                     \
        gf_status gf_try_status = (call);                                                                    \
        if (gf_try_status != GF_OK) {                                                                        \
            return gf_try_status;                                                                            \
        }                                                                                                    \
    } while (0)

/* GF_ERROR_MEMORY, "out of memory", where what was asked for is not there. */
gf_status gf_need_memory(bool there, gf_error *error);

#ifdef __cplusplus
}
#endif
