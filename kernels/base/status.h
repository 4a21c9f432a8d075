/* Failing well: fill the caller's gf_error and return the code in one expression. */
#ifndef GF_BASE_STATUS_H
#define GF_BASE_STATUS_H

#include "gpufilter/types.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __GNUC__
#define GF_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define GF_PRINTF(fmt, args)
#endif

/* Writes code and message to *error (which may be NULL) and returns code. Place fields
 * (stage, text) are reset to "unknown"; a caller that knows better sets them afterwards. */
gf_status gf_fail(gf_error *error, gf_status code, const char *format, ...) GF_PRINTF(3, 4);

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

#ifdef __cplusplus
}
#endif
#endif
