/* HIST and RANGE taps over a picture in memory, any depth, alignment and pitch. STATS: tap_stats_cuda.cu. */
#include "pixel/tap_lines_cuda.cuh"

enum { GF_TAP_THREADS = 256, GF_TAP_BLOCKS = 1056, GF_TAP_SHARED = 32 * 1024 };

/* Counts in shared memory, a copy a block. Constant pictures are no trouble: adding 1 to one address by a
 * whole warp is one operation of the hardware. */
static __global__ void __launch_bounds__(GF_TAP_THREADS)
    gf_hist_shared(const struct gf_surface picture, int64_t width, int64_t height,
                   const struct gf_hist_params h)
{
    GF_SHARED_DYN(uint32_t, counts);
    const int32_t row = h.bins + 3, n = row * picture.channels;
    const int64_t pieces = (width + blockDim.x - 1) / blockDim.x;
    for (int32_t i = static_cast<int32_t>(threadIdx.x); i < n; i += static_cast<int32_t>(blockDim.x)) {
        counts[i] = 0;
    }
    __syncthreads();
    for (int32_t c = 0; c < picture.channels; c++) {
        const float lo = h.range ? h.range[2 * c] : h.lo, hi = h.range ? h.range[2 * c + 1] : h.hi;
        const float scale = picture.depth == GF_F32 ? gf_range_scale(lo, hi, h.bins) : 0.0F;
        for (int64_t i = blockIdx.x; (h.mask >> c & 1) && i < pieces * height; i += gridDim.x) {
            const int64_t y = i / pieces, x = (i - y * pieces) * blockDim.x + threadIdx.x;
            if (x < width && gf_rect_has(h.roi, x, y)) {
                const float v =
                    gf_sample_load(picture.data + y * picture.pitch, picture.depth, x * picture.channels + c);
                gf_atomic_add(&counts[c * row + gf_hist_slot(picture.depth, h, lo, scale, v)], 1u);
            }
        }
    }
    __syncthreads();
    gf_hist_flush(counts, n, h.counts);
}

/* More bins than shared memory holds: the lanes of a warp that hit one bin add once. */
static __global__ void __launch_bounds__(GF_TAP_THREADS)
    gf_hist_global(const struct gf_surface picture, int64_t width, int64_t height,
                   const struct gf_hist_params h)
{
    const int32_t row = h.bins + 3;
    const int64_t pieces = (width + blockDim.x - 1) / blockDim.x;
    for (int32_t c = 0; c < picture.channels; c++) {
        const float lo = h.range ? h.range[2 * c] : h.lo, hi = h.range ? h.range[2 * c + 1] : h.hi;
        const float scale = picture.depth == GF_F32 ? gf_range_scale(lo, hi, h.bins) : 0.0F;
        for (int64_t i = blockIdx.x; (h.mask >> c & 1) && i < pieces * height; i += gridDim.x) {
            const int64_t y = i / pieces, x = (i - y * pieces) * blockDim.x + threadIdx.x;
            uint32_t slot = UINT32_MAX;
            if (x < width && gf_rect_has(h.roi, x, y)) {
                const float v =
                    gf_sample_load(picture.data + y * picture.pitch, picture.depth, x * picture.channels + c);
                slot = static_cast<uint32_t>(gf_hist_slot(picture.depth, h, lo, scale, v));
            }
            const uint32_t peers = gf_match_any(slot);
            if (slot != UINT32_MAX && (peers & ((1u << gf_lane()) - 1)) == 0) {
                gf_atomic_add(&h.counts[int64_t(c) * row + slot], static_cast<uint64_t>(__popc(peers)));
            }
        }
    }
}

/* The range block while it is made: keys, least inverted so that zero bytes are the start of both. */
static __global__ void __launch_bounds__(GF_TAP_THREADS)
    gf_range_keys(const struct gf_surface picture, int64_t width, int64_t height, int32_t mask,
                  struct gf_rect roi, uint32_t *keys)
{
    const int64_t pieces = (width + blockDim.x - 1) / blockDim.x;
    for (int32_t c = 0; c < picture.channels; c++) {
        uint32_t least = 0, greatest = 0; /* of ~key and key */
        for (int64_t i = blockIdx.x; (mask >> c & 1) && i < pieces * height; i += gridDim.x) {
            const int64_t y = i / pieces, x = (i - y * pieces) * blockDim.x + threadIdx.x;
            if (x < width && gf_rect_has(roi, x, y)) {
                const float v =
                    gf_sample_load(picture.data + y * picture.pitch, picture.depth, x * picture.channels + c);
                const uint32_t key = gf_float_key(v);
                const bool finite = (gf_float_bits(v) & 0x7f800000U) != 0x7f800000U;
                least = finite && ~key > least ? ~key : least;
                greatest = finite && key > greatest ? key : greatest;
            }
        }
        least = gf_reduce_max(least);
        greatest = gf_reduce_max(greatest);
        if (gf_lane() == 0 && greatest != 0) {
            gf_atomic_max(&keys[2 * c], least);
            gf_atomic_max(&keys[2 * c + 1], greatest);
        }
    }
}

static __global__ void gf_range_finish(uint32_t *keys, int32_t channels)
{
    const int32_t i = static_cast<int32_t>(threadIdx.x);
    if (i < 2 * channels) {
        const uint32_t key = keys[i];
        const float v = key == 0 ? 0.0F : gf_key_float(i % 2 == 0 ? ~key : key);
        keys[i] = gf_float_bits(v);
    }
}

static struct gf_rect gf_tap_roi(const struct gf_pass *pass, const struct gf_tap *tap)
{
    struct gf_rect whole = {0, 0, 0, 0};
    return tap->roi == GF_NONE ? whole : pass->rois[tap->roi];
}

static int32_t gf_tap_bins(const struct gf_tap *tap, gf_depth depth)
{
    return depth == GF_U8 ? 256 : depth == GF_U16 ? 65536 : tap->bins;
}

gf_status gf_tap_clear(const struct gf_run *run, int32_t tap, gf_error *error)
{
    const struct gf_pass *pass = run->pass;
    const struct gf_tap *t = &pass->taps[tap];
    const size_t channels = static_cast<size_t>(pass->post.channels_out);
    size_t bytes = channels * sizeof(struct gf_stats_block);
    if (t->kind == GF_TAP_HIST) {
        bytes = channels * (static_cast<size_t>(gf_tap_bins(t, pass->post.depth_out)) + 3) * sizeof(uint64_t);
    } else if (t->kind == GF_TAP_RANGE) {
        bytes = channels * 2 * sizeof(float);
    }
    GF_CUDA_TRY(error, cudaMemsetAsync(run->taps[tap], 0, bytes, gf_run_stream(run)));
    return GF_OK;
}

static gf_status gf_hist_launch(const struct gf_run *run, int32_t tap, const struct gf_surface &picture,
                                struct gf_launch launch, gf_error *error)
{
    const struct gf_pass *pass = run->pass;
    const struct gf_tap *t = &pass->taps[tap];
    struct gf_hist_params h = {};
    h.counts = static_cast<uint64_t *>(run->taps[tap]);
    h.range = t->range == GF_NONE ? nullptr : static_cast<const float *>(run->blocks[t->range]);
    h.roi = gf_tap_roi(pass, t);
    h.bins = gf_tap_bins(t, picture.depth);
    h.mask = t->mask;
    h.lo = t->lo;
    h.hi = t->hi;
    struct gf_lines lines;
    bool taken = false;
    if (gf_lines_make(&picture, pass->width, pass->height, &lines)) {
        GF_TRY(gf_count_launch(&lines, &picture, &h, launch.stream, &taken, error));
    }
    if (taken) {
        return GF_OK;
    }
    const size_t bytes =
        (static_cast<size_t>(h.bins) + 3) * static_cast<size_t>(picture.channels) * sizeof(uint32_t);
    if (bytes <= GF_TAP_SHARED) {
        launch.shared = bytes;
        GF_CUDA_TRY(error, GF_LAUNCH(gf_hist_shared, launch, picture, pass->width, pass->height, h));
    } else {
        GF_CUDA_TRY(error, GF_LAUNCH(gf_hist_global, launch, picture, pass->width, pass->height, h));
    }
    return GF_OK;
}

/* The counts of a HIST tap that counts all samples which STATS tap t measures; NULL: none. */
static const uint64_t *gf_counts_for(const struct gf_run *run, const struct gf_tap *t)
{
    const struct gf_pass *pass = run->pass;
    for (int32_t i = 0; i < pass->n_taps && t->roi == GF_NONE; i++) {
        const struct gf_tap *hist = &pass->taps[i];
        if (hist->kind == GF_TAP_HIST && hist->roi == GF_NONE && (t->mask & ~hist->mask) == 0) {
            return static_cast<const uint64_t *>(run->taps[i]);
        }
    }
    return nullptr;
}

static gf_status gf_tap_launch(const struct gf_run *run, int32_t i, const struct gf_surface &picture,
                               const struct gf_scratch_layout *layout, const struct gf_launch &launch,
                               gf_error *error)
{
    const struct gf_pass *pass = run->pass;
    const struct gf_tap *t = &pass->taps[i];
    if (t->kind == GF_TAP_HIST) {
        return gf_hist_launch(run, i, picture, launch, error);
    }
    if (t->kind == GF_TAP_STATS) {
        void *measures = static_cast<unsigned char *>(run->scratch) + layout->measures;
        return gf_stats_launch(pass, t, gf_tap_roi(pass, t), picture, gf_counts_for(run, t), measures,
                               run->taps[i], launch.stream, error);
    }
    uint32_t *keys = static_cast<uint32_t *>(run->taps[i]);
    struct gf_launch one = {};
    one.stream = launch.stream;
    one.block = dim3(GF_WARP);
    GF_CUDA_TRY(error, GF_LAUNCH(gf_range_keys, launch, picture, pass->width, pass->height, int32_t(t->mask),
                                 gf_tap_roi(pass, t), keys));
    GF_CUDA_TRY(error, GF_LAUNCH(gf_range_finish, one, keys, picture.channels));
    return GF_OK;
}

/* HIST first: STATS of bytes follow from their counts. */
gf_status gf_taps_launch(const struct gf_run *run, struct gf_surface picture,
                         const struct gf_scratch_layout *layout, uint32_t done, gf_error *error)
{
    const struct gf_pass *pass = run->pass;
    const int64_t pieces = (pass->width + GF_TAP_THREADS - 1) / GF_TAP_THREADS * pass->height;
    struct gf_launch launch = {};
    launch.block = dim3(GF_TAP_THREADS);
    launch.grid = dim3(gf_blocks(pieces < GF_TAP_BLOCKS ? pieces : int64_t(GF_TAP_BLOCKS), 1));
    launch.stream = gf_run_stream(run);
    for (int hist = 1; hist >= 0; hist--) {
        for (int32_t i = 0; i < pass->n_taps; i++) {
            if ((pass->taps[i].kind == GF_TAP_HIST) == (hist == 1) && !(done >> i & 1)) {
                GF_TRY(gf_tap_clear(run, i, error));
                GF_TRY(gf_tap_launch(run, i, picture, layout, launch, error));
            }
        }
    }
    return GF_OK;
}
