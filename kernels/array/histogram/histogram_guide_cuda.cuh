/* A guide to custom edges: cells of equal width over the edges' range, and for each the bins that an element
 * in it can be in. Few edges share a cell, so few are looked at. The cell of a number is computed with
 * rounding, but grows with the number, and that is all that is needed. */
#ifndef GF_ARRAY_HISTOGRAM_GUIDE_CUDA_CUH
#define GF_ARRAY_HISTOGRAM_GUIDE_CUDA_CUH

#include "array/histogram/histogram_cuda.cuh"

/* With no more bins than this, the edges and the guide lie in shared memory, and the guide has one word for a
 * cell: the first bin in the low half, the last in the high half. With more, both stay in global memory, and
 * a cell has two words. */
enum { GF_GUIDE_NEAR_BINS = 1 << 14, GF_GUIDE_MOST_CELLS = 1 << 18 };

/* Twice as many cells as bins, a power of two from 256 to what a second-level cache holds. */
static inline uint32_t gf_guide_cells(int64_t bins)
{
    uint32_t cells = 256;
    while (cells < 2 * bins && cells < GF_GUIDE_MOST_CELLS) {
        cells *= 2;
    }
    return cells;
}

GF_HD bool gf_guide_is_near(int64_t bins)
{
    return bins <= GF_GUIDE_NEAR_BINS;
}

/* NaN, and numbers far from all cells, get some cell. */
GF_DEVICE_FN uint32_t gf_guide_cell(const struct gf_histogram_params &p, double number)
{
    const double at = number * p.cell_scale - p.cell_offset;
    const int32_t last = static_cast<int32_t>(p.cells) - 1;
    const int32_t cell = static_cast<int32_t>(gf_floor_index(at, at > -0x1p31 && at < 0x1p31));
    return static_cast<uint32_t>(cell < 0 ? 0 : cell < last ? cell : last);
}

/* The slot of v; edges and guide in shared memory where they are near. */
template <class T>
GF_DEVICE_FN uint32_t gf_guide_slot(const struct gf_histogram_params &p, bool near, const double *edges,
                                    const uint32_t *guide, T v)
{
    const uint32_t count = static_cast<uint32_t>(p.bins.count);
    const double number = static_cast<double>(v);
    const uint32_t cell = gf_guide_cell(p, number);
    const uint2 far = near ? make_uint2(0, 0) : gf_load8(p.guide + 2 * cell, GF_READ_ONLY);
    const uint32_t word = near ? guide[cell] : 0;
    uint32_t low = near ? word & 0xffffu : far.x, high = near ? word >> 16 : far.y;
    while (low < high) {
        const uint32_t middle = (low + high + 1) / 2;
        const double edge = near ? edges[middle] : p.bins.edges[middle];
        const bool below = gf_is_below(v, edge) || (GF_FAULT(cuda_histogram_edge) && number == edge);
        low = below ? low : middle;
        high = below ? middle - 1 : high;
    }
    if (gf_is_below(v, p.bins.lo)) {
        return count;
    }
    return gf_is_below(v, p.bins.hi) ? low : number == number ? count + 1 : count + 2;
}

#endif
