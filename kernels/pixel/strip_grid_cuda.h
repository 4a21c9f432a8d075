/* How strip kernels cover a picture. Private to the CUDA backend. */
#ifndef GF_PIXEL_STRIP_GRID_CUDA_H
#define GF_PIXEL_STRIP_GRID_CUDA_H

#include "pixel/pass_cuda.h"

/* Of a strip kernel's block; the first and the last of its threads that load hold the halo and store nothing.
 */
enum { GF_STRIP_THREADS = 128 };

/* Where a thread whose pixels do not all lie inside finds them, worked out once and not for every row:
 * columns[i] is the column of pixel x + i, or -1 for the fill of a constant border. The thread's own. */
GF_DEVICE_FN void gf_strip_columns(int32_t *columns, int32_t pixels, int64_t x, int64_t width, int32_t border)
{
    for (int32_t i = 0; i < pixels; i++) {
        columns[i] = static_cast<int32_t>(gf_border_index(x + i, width, border));
    }
}

/* A row outside the picture by the border's map, -1 for the fill: rare, so out of line. */
static __device__ __noinline__ __attribute__((unused)) int32_t gf_strip_row(int32_t y, int32_t height,
                                                                            int32_t border)
{
    return static_cast<int32_t>(gf_border_index(y, height, border));
}

/* Rows of a segment, such that `across` blocks beside each other fill the device once: never fewer than 16.
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
    *segment = static_cast<int32_t>(rows < 16 ? 16 : rows < INT32_MAX ? rows : INT32_MAX);
    return GF_OK;
}

/* Strips as even as they come, a thread having `pixels` neighbouring pixels. Fills grid and block of *launch
 * (its shared size is read), the threads that store in a strip, and the rows of a segment. */
template <class K>
static gf_status gf_strip_grid(const struct gf_run *run, K kernel, const struct gf_pass_args *args,
                               int32_t pixels, struct gf_launch *launch, int32_t *strip, int32_t *segment,
                               gf_error *error)
{
    const int64_t chunks = (args->width + pixels - 1) / pixels;
    const int64_t strips = (chunks + GF_STRIP_THREADS - 3) / (GF_STRIP_THREADS - 2);
    GF_TRY(gf_strip_segment(run, kernel, GF_STRIP_THREADS, strips, args->height, launch, segment, error));
    *strip = static_cast<int32_t>((chunks + strips - 1) / strips);
    launch->block = dim3(GF_STRIP_THREADS);
    launch->grid = dim3(gf_blocks(chunks, *strip), gf_blocks(args->height, *segment));
    return GF_OK;
}

#endif
