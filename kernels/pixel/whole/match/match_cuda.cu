/* match on CUDA. One kernel measures the template, one makes sums of products, and one adds up samples and
 * their squares and makes scores. Sums of 64 bits take scratch memory, so there these two have a band of rows
 * of the result after the other. */
#include "base/device_scope_cuda.h"
#include "base/gf_atomic.h"
#include "pixel/whole/match/match_products_cuda.cuh"
#include "pixel/whole/match/match_scores_cuda.cuh"

enum { GF_MATCH_MEASURES = 1024 };

/* One block: what is known of the template. */
template <class T>
static __global__ void __launch_bounds__(GF_MATCH_MEASURES)
    gf_match_template_sums(const struct gf_match_params p)
{
    GF_SHARED(uint64_t, sums, GF_MATCH_CHANNELS + 1);
    const int own = static_cast<int>(threadIdx.x);
    if (own <= GF_MATCH_CHANNELS) {
        sums[own] = 0;
    }
    __syncthreads();
    const int64_t wide = p.across / p.channels; /* pixels */
    uint64_t squares = 0;
    for (int c = 0; c < p.channels; c++) {
        uint64_t sum = 0;
        for (int64_t y = gf_warp(); y < p.down; y += GF_MATCH_MEASURES / GF_WARP) {
            const T *const row = reinterpret_cast<const T *>(p.by + y * p.by_pitch) + c;
            for (int64_t x = gf_lane(); x < wide; x += GF_WARP) {
                const uint64_t v = row[x * p.channels];
                sum += v;
                squares += v * v;
            }
        }
        sum = gf_reduce_add(sum);
        if (gf_lane() == 0) {
            gf_atomic_add(&sums[c], sum);
        }
    }
    squares = gf_reduce_add(squares);
    if (gf_lane() == 0) {
        gf_atomic_add(&sums[GF_MATCH_CHANNELS], squares);
    }
    __syncthreads();
    if (own == 0) {
        gf_match_wide all = 0;
        p.t->n = static_cast<uint64_t>(wide * p.down);
        for (int c = 0; c < p.channels; c++) {
            p.t->sum[c] = sums[c];
            all += static_cast<gf_match_wide>(sums[c]) * sums[c];
        }
        const gf_match_wide b =
            static_cast<gf_match_wide>(gf_match_difference(p.t->n, sums[GF_MATCH_CHANNELS], all));
        p.t->b[0] = static_cast<uint64_t>(b);
        p.t->b[1] = static_cast<uint64_t>(b >> 64);
    }
}

/* What does not depend on where pictures and scratch lie. */
static struct gf_match_params gf_match_shape(const struct gf_apply_run *run)
{
    const struct gf_value *in = &run->in_values[0], *by = &run->in_values[1];
    struct gf_match_params p = {};
    p.channels = in->channels;
    p.two = in->depth != GF_U8;
    p.samples = in->width * in->channels;
    p.across = by->width * in->channels;
    p.down = by->height;
    p.places = in->width - by->width + 1;
    p.chunk = p.down < 64 ? 64 : p.down < 256 ? p.down : 256;
    p.narrow = !p.two && p.across * p.down <= GF_MATCH_NARROW;
    p.pitch = (p.places + GF_MATCH_TILE_W - 1) / GF_MATCH_TILE_W * GF_MATCH_TILE_W * 8;
    return p;
}

size_t gf_match_cuda_scratch(const struct gf_apply_run *run)
{
    const struct gf_match_params p = gf_match_shape(run);
    const int64_t places = run->in_values[0].height - p.down + 1;
    const int64_t rows = places < GF_MATCH_BAND ? places : int64_t(GF_MATCH_BAND);
    return 256 + (p.narrow ? 0 : static_cast<size_t>(rows * p.pitch));
}

template <class T, class S, int C>
static gf_status gf_match_bands(const struct gf_apply_run *run, struct gf_match_params p, gf_error *error)
{
    const int64_t height = run->out_values[0].height, band = p.narrow ? height : int64_t(GF_MATCH_BAND);
    struct gf_launch launch = {};
    launch.stream = static_cast<cudaStream_t>(run->queue.stream);
    launch.block = dim3(GF_MATCH_MEASURES);
    launch.grid = dim3(1);
    GF_CUDA_TRY(error, GF_LAUNCH((gf_match_template_sums<T>), launch, p));
    launch.block = dim3(GF_MATCH_THREADS);
    for (p.first = 0; p.first < height; p.first += band) {
        p.rows = height - p.first < band ? height - p.first : band;
        const int64_t tiles =
            int64_t(gf_blocks(p.places, GF_MATCH_TILE_W)) * gf_blocks(p.rows, GF_MATCH_TILE_H);
        const int64_t strips = int64_t(gf_blocks(p.places, GF_MATCH_STRIP)) * gf_blocks(p.rows, p.chunk);
        launch.shared = static_cast<size_t>(gf_match_seen<C>::PITCH * gf_match_seen<C>::ROWS);
        launch.grid = dim3(gf_blocks(tiles, 1));
        GF_CUDA_TRY(error, GF_LAUNCH((gf_match_products<C>), launch, p));
        launch.shared = 0;
        launch.grid = dim3(gf_blocks(strips, 1));
        GF_CUDA_TRY(error, GF_LAUNCH((gf_match_scores<T, S, C>), launch, p));
    }
    return GF_OK;
}

template <int C>
static gf_status gf_match_of(const struct gf_apply_run *run, const struct gf_match_params &p, gf_error *error)
{
    return p.two      ? gf_match_bands<uint16_t, uint64_t, C>(run, p, error)
           : p.narrow ? gf_match_bands<uint8_t, uint32_t, C>(run, p, error)
                      : gf_match_bands<uint8_t, uint64_t, C>(run, p, error);
}

gf_status gf_match_cuda(const struct gf_apply_run *run, gf_error *error)
{
    GF_ON_DEVICE(run->queue.device, error)
    struct gf_match_params p = gf_match_shape(run);
    char *scratch = static_cast<char *>(run->scratch);
    p.in = static_cast<const char *>(run->in[0].data);
    p.by = static_cast<const char *>(run->in[1].data);
    p.out = static_cast<char *>(run->out[0].data);
    p.in_pitch = run->in[0].pitch;
    p.by_pitch = run->in[1].pitch;
    p.out_pitch = run->out[0].pitch;
    p.words = (reinterpret_cast<uintptr_t>(p.in) | reinterpret_cast<uintptr_t>(p.by) |
               static_cast<uintptr_t>(p.in_pitch) | static_cast<uintptr_t>(p.by_pitch)) %
                  4 ==
              0;
    p.t = reinterpret_cast<struct gf_match_template *>(scratch);
    p.fours = (reinterpret_cast<uintptr_t>(p.out) | static_cast<uintptr_t>(p.out_pitch)) % 16 == 0;
    p.products = p.narrow ? p.out : scratch + 256;
    p.pitch = p.narrow ? p.out_pitch : p.pitch;
    return p.channels == 1 ? gf_match_of<1>(run, p, error) : gf_match_of<3>(run, p, error);
}
