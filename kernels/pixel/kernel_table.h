/* The window and solve kernels: one entry each, CPU and CUDA side by side.
 * Adding a kernel is one entry here, its `cpu` and its `cuda`; executors need no change. */
#ifndef GF_PIXEL_KERNEL_TABLE_H
#define GF_PIXEL_KERNEL_TABLE_H

#include "pixel/op.h"

#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

struct gf_halo {
    int64_t left, right, up, down; /* pixels read beyond the one computed */
    int64_t align; /* rows: a picture that begins a multiple of it lower has the same numbers there */
};

struct gf_judge; /* reference_parts.h */

/* Function of an absent backend: NULL, which means "unsupported". This is the only place
 * that knows whether CUDA (or its emulation) is built. */
#if GF_HAVE_CUDA
#define GF_CUDA_FN(function) (function)
#else
#define GF_CUDA_FN(function) NULL
#endif

enum gf_kernel_kind {
    GF_KERNEL_POINT,  /* a pass without a window */
    GF_KERNEL_WINDOW, /* a pass with one */
    GF_KERNEL_SOLVE,  /* APPLY: blocks to blocks */
    GF_KERNEL_MAP,    /* APPLY: a picture to a picture of another size or order */
    GF_KERNEL_WHOLE   /* APPLY: what needs pictures as a whole */
};

struct gf_kernel {
    const char *name; /* as --explain shows it */
    enum gf_kernel_kind kind;
    void (*halo)(const struct gf_window *window, struct gf_halo *halo); /* windows */

    /* Bytes of scratch that executing this pass (or solve) takes on the CPU with that many
     * threads, and on CUDA. NULL: none. */
    size_t (*cpu_scratch)(const struct gf_pass *pass, int32_t threads);
    size_t (*cuda_scratch)(const struct gf_pass *pass);

    /* Windows and POINT: run a whole pass with this window in it. Asynchronous on CUDA. */
    gf_status (*cpu)(struct gf_run *run, gf_error *error);
    gf_status (*cuda)(struct gf_run *run, gf_error *error);

    /* APPLY. Asynchronous on CUDA; NULL: not there. Every output that has memory is written in full. */
    gf_status (*apply_cpu)(const struct gf_apply_run *run, gf_error *error);
    gf_status (*apply_cuda)(const struct gf_apply_run *run, gf_error *error);
    /* Bytes of scratch that such a run takes; data and scratch are not set yet. NULL: none. */
    size_t (*apply_scratch)(const struct gf_apply_run *run);
    /* MAP: the rows of in[0] that rows `want` of out[0] are made from; they go up when `want` does. false, or
     * no function: the whole picture. */
    bool (*reach)(const struct gf_apply *apply, const struct gf_value *in, const struct gf_value *out,
                  struct gf_rows want, struct gf_rows *need);
    /* The judge of an APPLY: fills the values that the op makes, which hold zeros, and shares nothing with
     * the functions above. */
    gf_status (*judge)(const struct gf_judge *judge, const struct gf_op *op, gf_error *error);
    const char *words; /* APPLY: what it does, for --explain; NULL: its name */
};

extern const struct gf_kernel gf_kernel_point;     /* LOAD, programs, STORE, TAP; no window */
extern const struct gf_kernel gf_kernel_separable; /* struct gf_separable_args */
extern const struct gf_kernel gf_kernel_box;       /* struct gf_box_args */
extern const struct gf_kernel gf_kernel_gradient;
extern const struct gf_kernel gf_kernel_multirate; /* struct gf_multirate_args */

/* Arguments of otsu and equalize. */
struct gf_solve_args {
    int32_t bins;  /* of a row of counts, without below, above and nan */
    float white;   /* full scale of the picture the counts are of */
    uint32_t mask; /* channels solved; rows of the others are zero */
};

/* otsu: in[0] counts (GF_TAP_HIST), in[1] range block (f32 pictures) or GF_NONE;
 *   out f32 [channels][1]: the level t such that "v > t" is white, in sample units. Of the bins
 *   that maximise the variance between classes the lowest; formula in solve.h.
 * equalize: in[0] counts, in[1] range block (f32) or GF_NONE; out table [channels][bins] in the
 *   picture's depth: round((cdf - cdf_min) * white / (N - cdf_min)), N the samples counted in
 *   bins, cdf_min the first count that is not zero; 64-bit integers, half up, for u8 and u16;
 *   f64 quotient, then f32, for f32. A picture of one value (N = cdf_min) maps to itself. */
extern const struct gf_kernel gf_kernel_otsu;
extern const struct gf_kernel gf_kernel_equalize;

/* A kernel's arguments from and to its own struct of `size` bytes, at most GF_ARGS_BYTES. */
static inline struct gf_args gf_args_of(const void *own, size_t size)
{
    struct gf_args args;
    memset(&args, 0, sizeof args);
    memcpy(args.u.bytes, own, size);
    return args;
}
static inline void gf_args_get(const struct gf_args *args, void *own, size_t size)
{
    memcpy(own, args->u.bytes, size);
}

/* Of an array of operands: how many are used. */
static inline int32_t gf_operand_count(const int32_t *values)
{
    int32_t n = 0;
    while (n < GF_MAX_OPERANDS && values[n] != GF_NONE) {
        n++;
    }
    return n;
}

#ifdef __cplusplus
}
#endif
#endif
