/* The window and solve kernels: one entry each, CPU and CUDA side by side.
 * Adding a kernel is one entry here, its `cpu` and its `cuda`; executors need no change. */
#ifndef GF_PIXEL_KERNEL_TABLE_H
#define GF_PIXEL_KERNEL_TABLE_H

#include "pixel/op.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gf_halo {
    int64_t left, right, up, down; /* pixels read beyond the one computed */
    int64_t align; /* rows: a picture that begins a multiple of it lower has the same numbers there */
};

/* Function of an absent backend: NULL, which means "unsupported". This is the only place
 * that knows whether CUDA (or its emulation) is built. */
#if GF_HAVE_CUDA
#define GF_CUDA_FN(function) (function)
#else
#define GF_CUDA_FN(function) NULL
#endif

struct gf_kernel {
    const char *name;     /* as --explain shows it */
    enum gf_op_kind kind; /* GF_OP_POINT (a pass without a window), GF_OP_WINDOW or GF_OP_SOLVE */
    void (*halo)(const struct gf_window *window, struct gf_halo *halo); /* windows */

    /* Bytes of scratch that executing this pass (or solve) takes on the CPU with that many
     * threads, and on CUDA. NULL: none. */
    size_t (*cpu_scratch)(const struct gf_pass *pass, int32_t threads);
    size_t (*cuda_scratch)(const struct gf_pass *pass);

    /* Windows and POINT: run a whole pass with this window in it. Asynchronous on CUDA. */
    gf_status (*cpu)(struct gf_run *run, gf_error *error);
    gf_status (*cuda)(struct gf_run *run, gf_error *error);

    /* SOLVE. in and out are blocks in the queue's memory; asynchronous on CUDA.
     * values[0..1] describe in, values[2] out. */
    gf_status (*solve_cpu)(const struct gf_solve *solve, const struct gf_value values[3],
                           const void *const in[2], void *out, gf_error *error);
    gf_status (*solve_cuda)(const struct gf_solve *solve, const struct gf_value values[3],
                            const void *const in[2], void *out, gf_queue queue, gf_error *error);
};

extern const struct gf_kernel gf_kernel_point;     /* LOAD, programs, STORE, TAP; no window */
extern const struct gf_kernel gf_kernel_separable; /* struct gf_separable_args */
extern const struct gf_kernel gf_kernel_box;       /* struct gf_box_args */
extern const struct gf_kernel gf_kernel_gradient;
extern const struct gf_kernel gf_kernel_multirate; /* struct gf_multirate_args */

/* otsu: in[0] counts (GF_TAP_HIST), in[1] range block (f32 pictures) or GF_NONE;
 *   out f32 [channels][1]: the level t such that "v > t" is white, in sample units. Of the bins
 *   that maximise the variance between classes the lowest; formula in solve.h.
 * equalize: in[0] counts, in[1] range block (f32) or GF_NONE; out table [channels][bins] in the
 *   picture's depth: round((cdf - cdf_min) * white / (N - cdf_min)), N the samples counted in
 *   bins, cdf_min the first count that is not zero; 64-bit integers, half up, for u8 and u16;
 *   f64 quotient, then f32, for f32. A picture of one value (N = cdf_min) maps to itself. */
extern const struct gf_kernel gf_kernel_otsu;
extern const struct gf_kernel gf_kernel_equalize;

#ifdef __cplusplus
}
#endif
#endif
