/* The module of CUDA, libgpufilter_cuda.so: a shared object with one visible symbol, gf_cuda_module, which a
 * library without objects for CUDA opens at run time (cuda_door.c). So one build for the CPU serves every
 * machine. What is linked with those objects instead has cuda_linked.c in the place of the door. */
#pragma once

#include "array/common/variant.h"
#include "base/device.h"
#include "pixel/ir/kernel_table.h"
#include "pixel/map/fourier_conv/fourier_conv.h"
#include "pixel/whole/dct/transform.h"
#include "pixel/whole/frequency/frequency.h"
#include "signal/signal_cuda.h"

struct gf_cuda_module {
    /* GF_MODULE_ID of the build: the version, and a digest of the headers that module and library share. It
     * is all that may be read of a module that has another one, so it stays the first. */
    char id[64];
    const struct gf_backend *backend;
    gf_status (*transform_planes)(gf_queue queue, const struct gf_planar *p, bool split, gf_error *error);
    gf_status (*frequency_part)(const struct gf_frequency_plane *plane, enum gf_frequency_part part,
                                gf_error *error);
    gf_status (*fourier_conv_part)(const struct gf_fourier_conv_batch *batch, enum gf_fourier_conv_part part,
                                   gf_error *error);
#define GF_CUDA_PATHS(kernel)     const struct gf_path *paths_##kernel;
#define GF_CUDA_MEASURE(kernel)   const struct gf_cuda_measure *measure_##kernel;
#define GF_CUDA_APPLY(function)   gf_status (*function)(const struct gf_apply_run *run, gf_error *error);
#define GF_CUDA_ROOM(function)    size_t (*function)(const struct gf_apply_run *run);
#define GF_CUDA_RUN(function)     gf_status (*function)(const struct gf_array_call *call, gf_error *error);
#define GF_CUDA_SCRATCH(function) size_t (*function)(const struct gf_array_call *call);
#define GF_CUDA_SIGNAL(kernel)                                                                               \
    gf_signal_run_cuda signal_##kernel;                                                                      \
    gf_signal_scratch_bytes signal_##kernel##_scratch;
#include "module/cuda_functions.def"
};

/* The functions themselves: those of the module, or the door's, which call them. */
#define GF_CUDA_APPLY(function)   gf_status function(const struct gf_apply_run *run, gf_error *error);
#define GF_CUDA_ROOM(function)    size_t function(const struct gf_apply_run *run);
#define GF_CUDA_RUN(function)     gf_status function(const struct gf_array_call *call, gf_error *error);
#define GF_CUDA_SCRATCH(function) size_t function(const struct gf_array_call *call);
#include "module/cuda_functions.def"
