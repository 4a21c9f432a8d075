/* What "resize" along rows on the GPU copies of each row to shared memory. */
#ifndef GF_PIXEL_RESIZE_COPIES_CUDA_CUH
#define GF_PIXEL_RESIZE_COPIES_CUDA_CUH

#include "pixel/map/resize/resize_cuda.h"

/* `bytes` by chunks, a thread those from `offset` on, and `odd` behind them, where the row ends. */
struct gf_resize_copies {
    int32_t offset, bytes, odd;
};

/* ... for bytes [from, to), for the thread of that number among those that copy a row. */
GF_DEVICE_FN struct gf_resize_copies gf_resize_find(const struct gf_resize_params &p, int32_t chunk,
                                                    int32_t number, int64_t from, int64_t to)
{
    const int64_t whole = p.in_size - p.in_size % chunk, end = to < p.in_size ? to : p.in_size;
    const int64_t odd = end > whole ? end - (whole > from ? whole : from) : 0;
    return {chunk * number, static_cast<int32_t>(end - odd - from), static_cast<int32_t>(odd)};
}

#endif
