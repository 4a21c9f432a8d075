/* The kernels of signals on CUDA devices: run_cuda and scratch_bytes of gf_signal_kernel (signal.h). Whoever
 * calls them by these names goes through the door (module/cuda_functions.def). */
#pragma once

#include "signal/signal.h"

typedef gf_status (*gf_signal_run_cuda)(gf_queue queue, const void *args, void *state, void *scratch,
                                        const struct gf_track *in, int64_t frames, const struct gf_track *out,
                                        int32_t channels, gf_error *error);
typedef size_t (*gf_signal_scratch_bytes)(const void *args, int64_t most, int32_t channels);

#define GF_SIGNAL_CUDA(kernel)                                                                               \
    gf_status gf_signal_##kernel##_cuda(gf_queue queue, const void *args, void *state, void *scratch,        \
                                        const struct gf_track *in, int64_t frames,                           \
                                        const struct gf_track *out, int32_t channels, gf_error *error);      \
    size_t gf_signal_##kernel##_cuda_scratch(const void *args, int64_t most, int32_t channels);
#ifdef __cplusplus
extern "C" {
#endif
GF_SIGNAL_CUDA(extend)
GF_SIGNAL_CUDA(comb)
GF_SIGNAL_CUDA(envelope)
GF_SIGNAL_CUDA(fir)
GF_SIGNAL_CUDA(formula)
GF_SIGNAL_CUDA(gain)
GF_SIGNAL_CUDA(iir)
GF_SIGNAL_CUDA(iir_settled)
GF_SIGNAL_CUDA(rank)
GF_SIGNAL_CUDA(resample)
GF_SIGNAL_CUDA(shift)
GF_SIGNAL_CUDA(fade)
GF_SIGNAL_CUDA(dither)
GF_SIGNAL_CUDA(mix)
GF_SIGNAL_CUDA(rms)
GF_SIGNAL_CUDA(spectrogram)
#ifdef __cplusplus
}
#endif
#undef GF_SIGNAL_CUDA
