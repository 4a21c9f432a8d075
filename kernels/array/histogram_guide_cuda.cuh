/* A guide to custom edges: cells of equal width over the edges' range, and for each the bins that an element
 * in it can be in. Few edges share a cell, so few are looked at. The cell of a number is computed with
 * rounding, but grows with the number, and that is all that is needed. */
#ifndef GF_ARRAY_HISTOGRAM_GUIDE_CUDA_CUH
#define GF_ARRAY_HISTOGRAM_GUIDE_CUDA_CUH

#include "array/histogram_cuda.cuh"

/* The guide has a word a cell, the first bin in the low half and the last in the high half. */
enum { GF_GUIDE_MOST_BINS = 1 << 14 };

/* Twice as many cells as bins, a power of two, at least 256. */
static inline uint32_t gf_guide_cells(int64_t bins)
{
    uint32_t cells = 256;
    while (cells < 2 * bins) {
        cells *= 2;
    }
    return cells;
}

/* Of NaN and of numbers far from all cells: some cell. */
GF_DEVICE_FN uint32_t gf_guide_cell(const struct gf_histogram_params &p, double number)
{
    const double at = number * p.cell_scale - p.cell_offset;
    const int32_t last = static_cast<int32_t>(p.cells) - 1;
    const int32_t cell = static_cast<int32_t>(gf_floor_index(at, at > -0x1p31 && at < 0x1p31));
    return static_cast<uint32_t>(cell < 0 ? 0 : cell < last ? cell : last);
}

/* The slot of v by a guide and edges in shared memory. */
template <class T>
GF_DEVICE_FN uint32_t gf_guide_slot(const struct gf_histogram_params &p, const double *edges,
                                    const uint32_t *guide, T v)
{
    const uint32_t count = static_cast<uint32_t>(p.bins.count);
    const double number = static_cast<double>(v);
    const uint32_t word = guide[gf_guide_cell(p, number)];
    uint32_t low = word & 0xffffu, high = word >> 16;
    while (low < high) {
        const uint32_t middle = (low + high + 1) / 2;
        const bool below = gf_is_below(v, edges[middle]);
        low = below ? low : middle;
        high = below ? middle - 1 : high;
    }
    if (gf_is_below(v, p.bins.lo)) {
        return count;
    }
    return gf_is_below(v, p.bins.hi) ? low : number == number ? count + 1 : count + 2;
}

#endif
