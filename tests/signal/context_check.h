/* A context for the cases of a program, which CONTEXT_MAIN(cases) makes before they run. */
#ifndef CONTEXT_CHECK_H
#define CONTEXT_CHECK_H

#include "check.h"
#include "gpufilter/gpufilter.h"

static gf_context *context;

static inline bool has_gpu(void)
{
    gf_device_description d = {.struct_size = sizeof d};
    return gf_has_cuda() && gf_device_describe(context, 1, 1, &d, NULL) == GF_OK;
}

#define CONTEXT_MAIN(cases)                                                                                  \
    int main(int argc, char **argv)                                                                          \
    {                                                                                                        \
        if (gf_context_create(NULL, &context, NULL) != GF_OK) {                                              \
            return 2;                                                                                        \
        }                                                                                                    \
        const int code = check_run(cases, sizeof(cases) / sizeof(cases)[0], argc > 1 ? argv[1] : NULL);      \
        gf_context_destroy(&context);                                                                        \
        return code;                                                                                         \
    }

#endif
