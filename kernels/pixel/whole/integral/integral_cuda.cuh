/* What the kernels of integral share: integral_cuda.cu sums cells, integral_sums_cuda.cu adds them up. */
#ifndef GF_PIXEL_INTEGRAL_CUDA_CUH
#define GF_PIXEL_INTEGRAL_CUDA_CUH

#include "base/gf_cuda.h"
#include "base/planted_fault.h"
#include "pixel/whole/integral/integral.h"

struct gf_integral_params {
    const char *in;
    char *out;
    int64_t in_pitch, out_pitch, width, height, across, down; /* cells */
    int32_t channels;
    bool wide; /* rows are whole words */
    void *g;   /* by channel, column of cells and row: c of the last column; then what is left of the cell */
    void *above; /* by channel, row of cells and column: c of the last row; then what is above the cell */
};

/* Adds up g across and `above` down, in place. real: they are f64, else u64. */
gf_status gf_integral_sums_launch(const struct gf_integral_params &p, bool real, cudaStream_t stream,
                                  gf_error *error);

#endif
