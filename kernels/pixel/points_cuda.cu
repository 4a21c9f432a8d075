/* points on CUDA: which pixels are points, numbered (rank_cuda.cuh). */
#include "base/device_scope_cuda.h"
#include "pixel/points.h"
#include "pixel/rank_cuda.cuh"

template <class T> struct gf_points_keep {
    const char *data;
    int64_t pitch, x, y, width; /* of the rectangle: its place, and its width */
    int32_t channels;
    uint32_t mask;
    float lo, hi;

    __device__ __forceinline__ const T *pixel(int64_t i) const
    {
        const int64_t row = i / width;
        return reinterpret_cast<const T *>(data + (y + row) * pitch) + (x + i - row * width) * channels;
    }
    __device__ __forceinline__ bool operator()(int64_t i) const
    {
        const T *at = pixel(i);
        bool is = true;
        for (int32_t c = 0; c < channels; c++) {
            const float v = static_cast<float>(at[c]);
            is = is && ((v >= lo && v <= hi) || !(mask >> c & 1));
        }
        return is;
    }
};

template <class T> struct gf_points_each {
    struct gf_points_keep<T> from;
    uint32_t *places;
    float *values;
    uint64_t most;
    int32_t measured;

    __device__ __forceinline__ void operator()(int64_t i, bool is_kept, uint64_t number) const
    {
        if (!is_kept || number >= most) {
            return;
        }
        const T *at = from.pixel(i);
        const int64_t row = i / from.width;
        float *to = values + number * static_cast<uint64_t>(measured);
        places[2 * number] = static_cast<uint32_t>(from.x + i - row * from.width);
        places[2 * number + 1] = static_cast<uint32_t>(from.y + row);
        for (int32_t c = 0; c < from.channels; c++) {
            if (from.mask >> c & 1) {
                *to++ = static_cast<float>(at[c]);
            }
        }
    }
};

template <class T> static gf_status gf_points_run(const struct gf_apply_run *run, gf_error *error)
{
    struct gf_points_args args;
    gf_args_get(&run->apply->args, &args, sizeof args);
    uint64_t *counts = static_cast<uint64_t *>(run->out[0].data);
    gf_points_keep<T> keep = {};
    keep.data = static_cast<const char *>(run->in[0].data);
    keep.pitch = run->in[0].pitch;
    keep.x = args.roi.x;
    keep.y = args.roi.y;
    keep.width = args.roi.w;
    keep.channels = run->in_values[0].channels;
    keep.mask = args.mask;
    keep.lo = args.lo;
    keep.hi = args.hi;
    gf_points_each<T> each = {};
    each.from = keep;
    each.places = static_cast<uint32_t *>(run->out[1].data);
    each.values = static_cast<float *>(run->out[2].data);
    each.most = static_cast<uint64_t>(run->out_values[1].width / run->out_values[1].row);
    each.measured = __builtin_popcount(args.mask);
    GF_CUDA_TRY(error, gf_rank(keep, each, args.roi.w * args.roi.h, static_cast<uint64_t *>(run->scratch),
                               counts, counts + 1, each.most, static_cast<cudaStream_t>(run->queue.stream)));
    return GF_OK;
}

size_t gf_points_cuda_scratch(const struct gf_apply_run *run)
{
    return gf_rank_scratch(run->in_values[0].width * run->in_values[0].height);
}

gf_status gf_points_cuda(const struct gf_apply_run *run, gf_error *error)
{
    GF_ON_DEVICE(run->queue.device, error)
    switch (run->in_values[0].depth) {
    case GF_U8:
        return gf_points_run<uint8_t>(run, error);
    case GF_U16:
        return gf_points_run<uint16_t>(run, error);
    default:
        return gf_points_run<float>(run, error);
    }
}
