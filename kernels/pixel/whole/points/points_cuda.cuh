/* What points of a rectangle are asked, pixel by pixel, on CUDA. */
#ifndef GF_PIXEL_POINTS_CUDA_CUH
#define GF_PIXEL_POINTS_CUDA_CUH

#include "array/common/grid_cuda.cuh"
#include "pixel/whole/points/points.h"

template <class T> struct gf_points_keep {
    const char *data;
    int64_t pitch, x, y, width; /* of the rectangle: its place, and its width */
    int32_t channels;
    struct gf_points_args args;

    explicit gf_points_keep(const struct gf_apply_run *run, const struct gf_points_args &all)
        : data(static_cast<const char *>(run->in[0].data)), pitch(run->in[0].pitch), x(all.roi.x),
          y(all.roi.y), width(all.roi.w), channels(run->in_values[0].channels), args(all)
    {
    }
    __device__ __forceinline__ int64_t row_of(int64_t i) const { return gf_divide_quick(i, width); }
    __device__ __forceinline__ const T *pixel(int64_t i) const
    {
        const int64_t row = row_of(i);
        return reinterpret_cast<const T *>(data + (y + row) * pitch) + (x + i - row * width) * channels;
    }
    __device__ __forceinline__ bool operator()(int64_t i) const
    {
        const T *at = pixel(i);
        bool is = true;
        GF_UNROLL
        for (int32_t c = 0; c < GF_PICTURE_CHANNELS; c++) {
            if (c < channels) {
                const float v = static_cast<float>(at[c]);
                is = is && ((v >= args.lo[c] && v <= args.hi[c]) || !(args.mask >> c & 1));
            }
        }
        return is;
    }
    /* Row `number` of the table: pixel i. */
    __device__ __forceinline__ void write(int64_t i, uint64_t number, uint32_t *places, float *values) const
    {
        const T *at = pixel(i);
        const int64_t row = row_of(i);
        float *to = values + number * static_cast<uint64_t>(__popc(args.mask));
        places[2 * number] = static_cast<uint32_t>(x + i - row * width);
        places[2 * number + 1] = static_cast<uint32_t>(y + row);
        for (int32_t c = 0; c < channels; c++) {
            if (args.mask >> c & 1) {
                *to++ = static_cast<float>(at[c]);
            }
        }
    }
};

#endif
