/* points on CUDA. For one channel they are a compaction in one pass (compact_pass_cuda.cuh) that writes
 * places and values; for all else each pixel is asked and numbered (rank_cuda.cuh). */
#include "array/compact/compact_pass_cuda.cuh"
#include "base/device_scope_cuda.h"
#include "pixel/cuda/dispatch_pixel_cuda.cuh"
#include "pixel/whole/points/points_cuda.cuh"
#include "pixel/whole/points/rank_cuda.cuh"

/* ---- one pass ---- */

/* Rows of the picture as one array, with what lies between them. Pixel i of it is pixel i % pitch of a row;
 * those from `left` up to `right` are looked at. */
struct gf_point_params : gf_compact_params {
    uint32_t *places;
    float *samples;
    int64_t pitch, left, right;
    int64_t y; /* of the first row */

    __device__ __forceinline__ int64_t row_of(int64_t i) const { return gf_divide_quick(i, pitch); }

    __device__ __forceinline__ uint32_t among(int64_t first) const
    {
        if (left == 0 && right == pitch) {
            return UINT32_MAX;
        }
        const int64_t x = first - row_of(first) * pitch; /* a lane's elements lie in one row */
        const int64_t from = left - x, to = right - x + GF_FAULT(cuda_points_slack);
        const uint32_t before = from <= 0 ? 0 : from < 32 ? (1U << from) - 1 : UINT32_MAX;
        return (to <= 0 ? 0 : to < 32 ? (1U << to) - 1 : UINT32_MAX) & ~before;
    }
};

template <class T> struct gf_put_point {
    using params = gf_point_params;
    static const uint32_t FEW = 8;
    uint2 *places;
    float *samples;
    const T *own;
    int64_t x, pitch; /* of the first element */
    uint32_t y;

    __device__ gf_put_point(const params &p, uint64_t place, int64_t first, const T *row)
        : places(reinterpret_cast<uint2 *>(p.places) + place), samples(p.samples + place), own(row),
          pitch(p.pitch)
    {
        const int64_t above = p.row_of(first);
        x = first - above * pitch;
        y = static_cast<uint32_t>(p.y + above - (GF_FAULT(cuda_points_place) && above > 0));
    }
    __device__ __forceinline__ void operator()(uint32_t at, uint32_t i) const
    {
        uint2 point = make_uint2(static_cast<uint32_t>(x + i), y);
        if (x + i >= pitch) { /* of a row further down */
            const uint32_t behind = static_cast<uint32_t>(x + i - pitch),
                           of_row = static_cast<uint32_t>(pitch);
            point.y += 1 + behind / of_row;
            point.x = behind % of_row;
        }
        memcpy(places + at, &point, sizeof point);
        samples[at] = static_cast<float>(own[i]);
    }
};

enum { VECTOR = 16, SLACK = 512 }; /* bytes: of a lane; most that may lie between two rows */

/* The call of a compaction of n samples. */
static gf_compact_call gf_points_call(const struct gf_apply_run *run, const struct gf_points_args &args,
                                      int64_t n)
{
    const gf_depth depth = run->in_values[0].depth;
    gf_compact_call call = {};
    call.array.queue = run->queue;
    call.array.options.type = depth;
    call.array.n = n;
    call.array.scratch = run->scratch;
    call.test = gf_points_test(&args, 0, depth);
    return call;
}

/* Is a compaction quicker? Rows are vectors, or lie one behind the other, and most of each is looked at. */
static bool gf_points_in_line(const struct gf_apply_run *run, const struct gf_points_args &args)
{
    const struct gf_value *in = &run->in_values[0];
    const int64_t row = in->width * static_cast<int64_t>(gf_depth_size(in->depth)), pitch = run->in[0].pitch;
    const bool whole = args.roi.w == in->width && pitch == row;
    return in->channels == 1 && args.mask == 1 &&
           (whole || (pitch % VECTOR == 0 && pitch - row <= SLACK && args.roi.w * 4 >= in->width));
}

template <class T>
static gf_status gf_points_line(const struct gf_apply_run *run, const struct gf_points_args &args,
                                gf_error *error)
{
    uint64_t *const counts = static_cast<uint64_t *>(run->out[0].data);
    const int64_t pitch = run->in[0].pitch / static_cast<int64_t>(sizeof(T));
    gf_compact_call call = gf_points_call(run, args, (args.roi.h - 1) * pitch + args.roi.x + args.roi.w);
    gf_point_params p = {};
    call.array.in = static_cast<const char *>(run->in[0].data) + args.roi.y * run->in[0].pitch;
    call.count = counts + 1;
    call.capacity = run->out_values[1].width / run->out_values[1].row;
    p.written = counts;
    p.places = static_cast<uint32_t *>(run->out[1].data);
    p.samples = static_cast<float *>(run->out[2].data);
    p.pitch = pitch;
    p.left = args.roi.x;
    p.right = args.roi.x + args.roi.w;
    p.y = args.roi.y;
    p.tiles.row = pitch;
    p.tiles.live = run->in_values[0].width;
    return gf_compact_launch<T, gf_put_point<T>, GF_SCAN_ROWS, 4, 2, true>(&call, error, p);
}

/* ---- counted, then written ---- */

template <class T> struct gf_points_each {
    struct gf_points_keep<T> from;
    uint32_t *places;
    float *values;
    uint64_t most;

    __device__ __forceinline__ void operator()(int64_t i, bool is_kept, uint64_t number) const
    {
        if (is_kept && number < most) {
            from.write(i, number, places, values);
        }
    }
};

template <class T> static gf_status gf_points_run(const struct gf_apply_run *run, gf_error *error)
{
    struct gf_points_args args;
    gf_args_get(&run->apply->args, &args, sizeof args);
    if (args.first) {
        return gf_points_first_cuda(run, &args, error);
    }
    if (gf_points_in_line(run, args)) {
        return gf_points_line<T>(run, args, error);
    }
    uint64_t *counts = static_cast<uint64_t *>(run->out[0].data);
    const gf_points_keep<T> keep(run, args);
    const gf_points_each<T> each = {keep, static_cast<uint32_t *>(run->out[1].data),
                                    static_cast<float *>(run->out[2].data),
                                    static_cast<uint64_t>(run->out_values[1].width / run->out_values[1].row)};
    GF_CUDA_TRY(error, gf_rank(keep, each, args.roi.w * args.roi.h, static_cast<uint64_t *>(run->scratch),
                               counts, counts + 1, each.most, static_cast<cudaStream_t>(run->queue.stream)));
    return GF_OK;
}

size_t gf_points_cuda_scratch(const struct gf_apply_run *run)
{
    struct gf_points_args args;
    gf_args_get(&run->apply->args, &args, sizeof args);
    const struct gf_value *in = &run->in_values[0];
    const gf_compact_call call = gf_points_call(run, args, (in->width + SLACK) * in->height);
    const size_t line = gf_compact_cuda_scratch(&call.array), each = gf_rank_scratch(args.roi.w * args.roi.h);
    return args.first ? sizeof(uint64_t) : line > each ? line : each;
}

gf_status gf_points_cuda(const struct gf_apply_run *run, gf_error *error)
{
    GF_ON_DEVICE(run->queue.device, error)
    return gf_dispatch_sample(run->in_values[0].depth, error, [&](auto tag) {
        return gf_points_run<typename decltype(tag)::type>(run, error);
    });
}
