/* The tap that counts, over a picture in memory, any depth, alignment and pitch. */
#include "pixel/ir/digit.h"
#include "pixel/tap/tap_lines_cuda.cuh"
#include "pixel/tap/tap_stats_cuda.cuh"

enum { GF_TAP_SHARED = 32 * 1024, GF_TAP_SHARED_MOST = 96 * 1024 }; /* bytes: of all channels, of one */

/* The bins of one channel: over a range, or by a digit. */
struct gf_hist_row {
    float lo, scale;
    int32_t shift; /* of the digit; < 0: there is none */
    const struct gf_pick *picks;
};

GF_DEVICE_FN struct gf_hist_row gf_hist_row_make(gf_depth depth, const struct gf_hist_params &h, int32_t c)
{
    struct gf_hist_row row = {0.0F, 0.0F, -1, nullptr};
    if (depth == GF_F32 && h.hi < h.lo) {
        row.shift = static_cast<int32_t>(h.lo);
        row.picks = h.range ? reinterpret_cast<const struct gf_pick *>(h.range) + c * (h.bins / GF_DIGIT_BINS)
                            : nullptr;
    } else if (depth == GF_F32) {
        row.lo = h.range ? h.range[2 * c] : h.lo;
        row.scale = gf_range_scale(row.lo, h.range ? h.range[2 * c + 1] : h.hi, h.bins);
    }
    return row;
}

GF_DEVICE_FN int32_t gf_hist_row_slot(gf_depth depth, const struct gf_hist_params &h,
                                      const struct gf_hist_row &row, float v)
{
    if (row.shift < 0) {
        return gf_hist_slot(depth, h, row.lo, row.scale, v);
    }
    const uint32_t key = gf_float_key(v);
    const int32_t slots = h.bins / GF_DIGIT_BINS;
    const int32_t slot = row.picks ? gf_digit_slot(key, row.picks, slots, row.shift) : 0;
    return v == v && slot < slots ? slot * GF_DIGIT_BINS + gf_digit(key, row.shift) : h.bins + 2;
}

/* Counts of channels [from, to) in shared memory, a copy a block. Constant pictures are no trouble: adding 1
 * to one address by a whole warp is one operation of the hardware. */
static __global__ void __launch_bounds__(GF_TAP_THREADS)
    gf_hist_shared(const struct gf_surface picture, int64_t width, int64_t height,
                   const struct gf_hist_params h, int32_t from, int32_t to)
{
    GF_SHARED_DYN(uint32_t, counts);
    const int32_t row = h.bins + 3, n = row * (to - from);
    const int64_t pieces = (width + blockDim.x - 1) / blockDim.x;
    for (int32_t i = static_cast<int32_t>(threadIdx.x); i < n; i += static_cast<int32_t>(blockDim.x)) {
        counts[i] = 0;
    }
    __syncthreads();
    for (int32_t c = from; c < to; c++) {
        const struct gf_hist_row bins = gf_hist_row_make(picture.depth, h, c);
        for (int64_t i = blockIdx.x; (h.mask >> c & 1) && i < pieces * height; i += gridDim.x) {
            const int64_t y = i / pieces, x = (i - y * pieces) * blockDim.x + threadIdx.x;
            if (x < width && gf_rect_has(h.roi, x, y)) {
                const float v =
                    gf_sample_load(picture.data + y * picture.pitch, picture.depth, x * picture.channels + c);
                gf_atomic_add(&counts[(c - from) * row + gf_hist_row_slot(picture.depth, h, bins, v)], 1u);
            }
        }
    }
    __syncthreads();
    gf_hist_flush(counts, n, h.counts + int64_t(from) * row);
}

/* More bins than shared memory holds: the lanes of a warp that hit one bin add once. What has no bin (at
 * later digits most samples) is added up by each thread first. */
static __global__ void __launch_bounds__(GF_TAP_THREADS)
    gf_hist_global(const struct gf_surface picture, int64_t width, int64_t height,
                   const struct gf_hist_params h)
{
    const int32_t row = h.bins + 3;
    const int64_t pieces = (width + blockDim.x - 1) / blockDim.x;
    for (int32_t c = 0; c < picture.channels; c++) {
        const struct gf_hist_row bins = gf_hist_row_make(picture.depth, h, c);
        const uint32_t none = static_cast<uint32_t>(h.bins + 2);
        uint32_t nones = 0;
        for (int64_t i = blockIdx.x; (h.mask >> c & 1) && i < pieces * height; i += gridDim.x) {
            const int64_t y = i / pieces, x = (i - y * pieces) * blockDim.x + threadIdx.x;
            uint32_t slot = UINT32_MAX;
            if (x < width && gf_rect_has(h.roi, x, y)) {
                const float v =
                    gf_sample_load(picture.data + y * picture.pitch, picture.depth, x * picture.channels + c);
                slot = static_cast<uint32_t>(gf_hist_row_slot(picture.depth, h, bins, v));
            }
            nones += slot == none;
            const uint32_t peers = gf_match_any(slot);
            if (slot < none && (peers & ((1u << gf_lane()) - 1)) == 0) {
                gf_atomic_add(&h.counts[int64_t(c) * row + slot], static_cast<uint64_t>(__popc(peers)));
            }
        }
        nones = gf_reduce_add(nones);
        if (gf_lane() == 0 && nones > 0) {
            gf_atomic_add(&h.counts[int64_t(c) * row + none], static_cast<uint64_t>(nones));
        }
    }
}

struct gf_hist_params gf_hist_params_make(const struct gf_run *run, int32_t tap)
{
    const struct gf_pass *pass = run->pass;
    const struct gf_tap *t = &pass->taps[tap];
    struct gf_hist_params h = {};
    h.counts = static_cast<uint64_t *>(run->taps[tap]);
    h.range = t->range == GF_NONE ? nullptr : static_cast<const float *>(run->blocks[t->range]);
    h.roi = gf_tap_roi(pass, t);
    h.bins = t->bins;
    h.mask = t->mask;
    h.lo = t->lo;
    h.hi = t->hi;
    return h;
}

static gf_status gf_hist_launch(const struct gf_run *run, int32_t tap, const struct gf_surface &picture,
                                void *, gf_error *error)
{
    const struct gf_pass *pass = run->pass;
    struct gf_launch launch = gf_tap_grid(run);
    const struct gf_hist_params h = gf_hist_params_make(run, tap);
    struct gf_lines lines;
    bool taken = gf_stats_counting_of(run, &picture).hist == tap;
    if (taken) {
        return GF_OK;
    }
    if (gf_lines_make(&picture, pass->width, pass->height, &lines)) {
        GF_TRY(gf_count_launch(&lines, &picture, &h, launch.stream, &taken, error));
    }
    if (taken) {
        return GF_OK;
    }
    const size_t row = (static_cast<size_t>(h.bins) + 3) * sizeof(uint32_t);
    const int32_t at_once =
        row * static_cast<size_t>(picture.channels) <= GF_TAP_SHARED ? picture.channels : 1;
    int room = 0;
    GF_CUDA_TRY(error,
                cudaDeviceGetAttribute(&room, cudaDevAttrMaxSharedMemoryPerBlockOptin, run->queue.device));
    if (row * at_once > GF_TAP_SHARED_MOST || row * at_once > static_cast<size_t>(room)) {
        GF_CUDA_TRY(error, GF_LAUNCH(gf_hist_global, launch, picture, pass->width, pass->height, h));
        return GF_OK;
    }
    launch.shared = row * at_once;
    for (int32_t c = 0; c < picture.channels; c += at_once) {
        if (at_once > 1 || (h.mask >> c & 1) != 0) {
            GF_CUDA_TRY(error, GF_LAUNCH(gf_hist_shared, launch, picture, pass->width, pass->height, h, c,
                                         c + at_once));
        }
    }
    return GF_OK;
}

const struct gf_cuda_measure gf_measure_cuda_hist = {gf_hist_launch, nullptr, true};
