/* What a context holds: the caller's hooks. */
#ifndef GF_EXEC_CONTEXT_H
#define GF_EXEC_CONTEXT_H

#include "base/status.h"
#include "gpufilter/pipeline.h"

struct gf_context {
    gf_context_options options;
};

/* Host memory through the caller's hooks; NULL without memory. bytes > 0. */
void *gf_context_allocate(const gf_context *context, size_t bytes);
void gf_context_release(const gf_context *context, void *memory);

/* One line to the log callback, if there is one. */
void gf_context_log(const gf_context *context, gf_log_level level, const char *format, ...) GF_PRINTF(3, 4);

/* CUDA devices that the operating system lists; starts nothing. At most `capacity` names. */
int32_t gf_context_listed_gpus(char names[][128], int32_t capacity);

#endif
