/* How marches cover a picture. Private to the CUDA backend. */
#ifndef GF_PIXEL_MARCH_GRID_CUDA_H
#define GF_PIXEL_MARCH_GRID_CUDA_H

#include "pixel/pass_cuda.h"

/* A row outside the picture by the border's map, -1 for the fill: rare, so out of line. */
static __device__ __noinline__ __attribute__((unused)) int32_t gf_strip_row(int32_t y, int32_t height,
                                                                            int32_t border)
{
    return static_cast<int32_t>(gf_border_index(y, height, border));
}

/* Rows of a segment, such that `across` blocks beside each other fill the device once: never fewer than 8.
 * *launch: its shared size is read. */
template <class K>
static gf_status gf_strip_segment(const struct gf_run *run, K kernel, int threads, int64_t across,
                                  int64_t height, const struct gf_launch *launch, int32_t *segment,
                                  gf_error *error)
{
    int64_t resident = 0;
    GF_TRY(gf_resident_blocks(run, kernel, threads, launch->shared, &resident, error));
    int64_t segments = resident / across;
    segments = segments < 1 ? 1 : segments > 65535 ? 65535 : segments;
    const int64_t rows = (height + segments - 1) / segments;
    *segment = static_cast<int32_t>(rows < 8 ? 8 : rows < INT32_MAX ? rows : INT32_MAX);
    return GF_OK;
}

#endif
