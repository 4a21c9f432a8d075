/* "warp" on the GPU: a warp makes rows of 32 pixels, one below another of other warps, so that what a block
 * gathers lies in a box of the input, whatever the matrix turns. The box comes to shared memory; where it
 * does not lie in the picture, or is too large, samples are gathered one by one. */
#include "array/common/grid_cuda.cuh"
#include "base/device_scope_cuda.h"
#include "pixel/cuda/dispatch_pixel_cuda.cuh"
#include "pixel/map/warp/warp_store_cuda.cuh"
#include "pixel/map/warp/warp_tile_cuda.cuh"

enum {
    GF_WARP_MOST_BLOCKS = 32768,
    GF_WARP_TALL = 128, /* rows of a block, at most */
    GF_WARP_LEAST_TALL = 32,
    GF_WARP_WAVES = 8,            /* of blocks for each processor, at least, where they are tall */
    GF_WARP_TILE_LIMIT = 26 << 10 /* so that eight blocks have room */
};

/* What a block's rows share. */
struct gf_warp_strip {
    const double *rows; /* three sums each */
    char *to;           /* the first pixel of the block's first row */
    double x;           /* of the lane */
    int tall;
};

/* Every eighth row of a block, by one warp. TILED: samples are in `room`; else that is for weights. */
template <class T, int C, int FILTER, bool TILED>
GF_DEVICE_FN void gf_warp_lines(const struct gf_warp_params &p, const struct gf_warp_strip &strip,
                                const struct gf_warp_box &box, const struct gf_warp_lane &lane, char *room)
{
    const double *m = p.args.m; /* gf_warp_place, with what a column shares */
    const double ux = m[0] * strip.x, vx = m[3] * strip.x, wx = m[6] * strip.x;
    const int together = GF_WARP_THREADS / GF_WARP, first = static_cast<int>(gf_warp());
    const double *row = strip.rows + 3 * first;
    char *to = strip.to + first * p.out_pitch + lane.at;
    for (int left = (strip.tall - first + together - 1) / together; left > 0; left--) {
        double u = ux + row[0], v = vx + row[1];
        float sum[C];
        if (p.leans) {
            const double w = wx + row[2];
            u = u / w;
            v = v / w;
        }
        GF_UNROLL
        for (int c = 0; c < C; c++) {
            sum[c] = p.args.fill[c];
        }
        if (TILED) {
            gf_warp_in_tile<T, C, FILTER>(p, box, room, u, v, sum);
        } else if (gf_warp_is_near(u, v)) {
            gf_warp_pixel<T, C, FILTER>(p, u, v, reinterpret_cast<float *>(room) + gf_thread(), sum);
        }
        gf_warp_put<T, C>(lane, to, sum);
        row += 3 * together;
        to += together * p.out_pitch;
    }
}

template <class T, int C, int FILTER>
static __global__ void __launch_bounds__(GF_WARP_THREADS, 4) gf_warp_kernel(const struct gf_warp_params p)
{
    const int pixel = sizeof(T) * C;
    GF_SHARED(double, rows, 3 * GF_WARP_TALL);
    GF_SHARED(struct gf_warp_box, found, 1);
    GF_SHARED_DYN(char, room);
    const int64_t x0 = int64_t(blockIdx.x) * GF_WARP, end = p.first + p.count;
    const int64_t x1 = x0 + GF_WARP < p.width ? x0 + GF_WARP : p.width;
    const int64_t x = x0 + gf_lane() < x1 ? x0 + gf_lane() : x1 - 1; /* past the row: what is there anyway */
    const struct gf_warp_lane lane = gf_warp_find<T, C>(p.words, p.width - x0);
    for (int64_t y0 = p.first + int64_t(blockIdx.y) * p.tall; y0 < end; y0 += int64_t(gridDim.y) * p.tall) {
        const int tall = end - y0 < p.tall ? static_cast<int>(end - y0) : p.tall;
        if (static_cast<int>(gf_thread()) < tall) {
            gf_warp_row(p.args.m, y0 + gf_thread(), rows + 3 * gf_thread());
        } else if (gf_thread() == GF_WARP_THREADS - 1) {
            *found = gf_warp_find_box<pixel, FILTER>(p, x0, x1, y0, y0 + tall);
        }
        __syncthreads();
        const struct gf_warp_box box = *found;
        const struct gf_warp_strip strip = {rows, p.out + (y0 - p.first) * p.out_pitch + x0 * pixel,
                                            static_cast<double>(x), tall};
        if (!box.fits) {
            gf_warp_lines<T, C, FILTER, false>(p, strip, box, lane, room);
        } else {
            gf_warp_bring(p, box, room);
            gf_warp_lines<T, C, FILTER, true>(p, strip, box, lane, room);
        }
        __syncthreads();
    }
}

/* The largest of what the rows and columns of the output add up for a coordinate. */
static double gf_warp_most(const struct gf_warp_params &p, const double *m)
{
    return fabs(m[0]) * static_cast<double>(p.width) + fabs(m[1]) * static_cast<double>(p.first + p.count) +
           fabs(m[2]);
}

static uint32_t gf_warp_inner(int64_t places)
{
    return places <= 0 ? 0 : static_cast<uint32_t>(places < INT32_MAX ? places : INT32_MAX);
}

template <class T, int C, int FILTER>
static cudaError_t gf_warp_launch(struct gf_warp_params p, cudaStream_t stream)
{
    const int taps = gf_warp_shape<FILTER>::taps;
    const int64_t row = p.in_width * C * int64_t(sizeof(T));
    if (row < INT32_MAX && p.in_pitch < INT32_MAX && (sizeof(T) > 1 || p.words)) {
        p.pitch = static_cast<int32_t>(p.in_pitch);
        p.inner_y = gf_warp_inner(p.in_height - taps + 1);
        p.inner_x = gf_warp_inner(sizeof(T) > 1 ? p.in_width - taps + 1
                                                : (row - 4 * gf_warp_words<C, taps>::loaded + C) / C);
    }
    const int64_t few = int64_t(GF_WARP_WAVES) * p.processors;
    p.tall = GF_WARP_TALL;
    while (p.tall > GF_WARP_LEAST_TALL &&
           int64_t(gf_blocks(p.width, GF_WARP)) * gf_blocks(p.count, p.tall) < few) {
        p.tall /= 2;
    }
    while (!gf_warp_plan_tile(&p, sizeof(T) * C, taps, GF_WARP_TILE_LIMIT) && p.tall > GF_WARP_LEAST_TALL) {
        p.tall /= 2;
    }
    const size_t tile = static_cast<size_t>(p.tile_rows) * static_cast<size_t>(p.tile_pitch) + GF_WARP_CHUNK;
    const size_t weights = sizeof(float) * GF_WARP_THREADS * 2 * taps;
    const unsigned blocks = gf_blocks(p.count, p.tall);
    gf_launch launch =
        gf_launch_on(stream,
                     dim3(gf_blocks(p.width, GF_WARP),
                          blocks < GF_WARP_MOST_BLOCKS ? blocks : unsigned(GF_WARP_MOST_BLOCKS)),
                     GF_WARP_THREADS);
    launch.shared = tile > weights ? tile : weights;
    return GF_LAUNCH((gf_warp_kernel<T, C, FILTER>), launch, p);
}

template <class T, int C>
static cudaError_t gf_warp_filter(const struct gf_warp_params &p, cudaStream_t stream)
{
    return gf_dispatch_number<GF_WARP_NEAREST, GF_WARP_LANCZOS>(
        p.args.filter, [&](auto filter) { return gf_warp_launch<T, C, decltype(filter)::value>(p, stream); });
}

template <class T>
static cudaError_t gf_warp_channels(const struct gf_warp_params &p, int32_t channels, cudaStream_t stream)
{
    return gf_dispatch_number<1, 4>(
        channels, [&](auto constant) { return gf_warp_filter<T, decltype(constant)::value>(p, stream); });
}

gf_status gf_warp_cuda(const struct gf_apply_run *run, gf_error *error)
{
    const struct gf_value *in = &run->in_values[0];
    const cudaStream_t stream = static_cast<cudaStream_t>(run->queue.stream);
    struct gf_warp_params p = {};
    GF_ON_DEVICE(run->queue.device, error)
    gf_args_get(&run->apply->args, &p.args, sizeof p.args);
    p.in = static_cast<const char *>(run->in[0].data);
    p.out = static_cast<char *>(run->out[0].data);
    p.table = p.args.filter == GF_WARP_LANCZOS ? static_cast<const float *>(run->in[1].data) : nullptr;
    GF_TRY(gf_multiprocessors(&p.processors, error));
    p.in_pitch = run->in[0].pitch;
    p.out_pitch = run->out[0].pitch;
    p.in_width = in->width;
    p.in_height = in->height;
    p.width = run->out_values[0].width;
    p.first = run->out[0].rows.first;
    p.count = run->out[0].rows.count;
    p.leans = p.args.m[6] != 0.0 || p.args.m[7] != 0.0 || p.args.m[8] != 1.0;
    const double most[] = {gf_warp_most(p, p.args.m), gf_warp_most(p, p.args.m + 3),
                           gf_warp_most(p, p.args.m + 6) * 0x1p30};
    p.least_w = (most[0] > most[1] ? most[0] : most[1]) * 0x1p-50;
    p.least_w = most[2] * 0x1p-50 > p.least_w ? most[2] * 0x1p-50 : p.least_w;
    p.words = ((reinterpret_cast<uintptr_t>(p.in) | reinterpret_cast<uintptr_t>(p.out) |
                static_cast<uintptr_t>(p.in_pitch | p.out_pitch)) &
               3) == 0;
    return gf_dispatch_sample(in->depth, error, [&](auto tag) -> gf_status {
        GF_CUDA_TRY(error, gf_warp_channels<typename decltype(tag)::type>(p, in->channels, stream));
        return GF_OK;
    });
}
