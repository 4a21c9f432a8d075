/* Any rank of u8 at a cost that hardly depends on the radius: histograms of columns, which windows slide
 * over.
 *
 * A block owns a strip of a channel and marches down a segment. It holds, for each column of the strip and
 * its halo, the 256 counts of the samples of the 2 radius_y + 1 rows that a window sees: from row to row one
 * sample comes and one goes. A warp has up to 32 neighbouring pixels of the strip, a lane 8 of the bins. In a
 * row the warp steps from pixel to pixel: the window's histogram takes in a column and gives one up, and a
 * scan of the lanes' sums finds the bin that holds the wanted sample. The histogram of the warp's first pixel
 * stays in registers; from row to row it changes by the samples that come and go across the window.
 *
 * The columns lie in shared memory, or, for radii that do not fit, in scratch, where few enough blocks run
 * that the second-level cache holds much of it. */
#include "pixel/window/rank/rank_cuda.h"

enum {
    GF_RANK_SLIDE_OWN = 8, /* bins of a lane */
    GF_RANK_SLIDE_BINS = GF_RANK_SLIDE_OWN * GF_WARP,
    GF_RANK_SLIDE_COLUMN = GF_RANK_SLIDE_BINS + 8, /* elements: neighbours begin in other banks */
    GF_RANK_SLIDE_NEAR_WARPS = 8,
    GF_RANK_SLIDE_FAR_WARPS = 32,
    GF_RANK_SLIDE_SHARED = 96 * 1024, /* bytes that every device has */
    GF_RANK_SLIDE_NEAR_TILES = 1024,
    GF_RANK_SLIDE_FAR_BLOCKS = 128,
    GF_RANK_SLIDE_FAR_STRIP = 256,
    GF_RANK_SLIDE_LEAST_STRIP = 24
};
static const int64_t GF_RANK_SLIDE_FAR_BYTES = int64_t(256) << 20; /* of scratch, unless a block needs more */

/* How a picture is cut. */
struct gf_rank_slide_cut {
    int64_t strip, columns; /* pixels stored, and with their halo */
    int64_t segment;        /* rows */
    int64_t strips, segments, blocks;
    bool near; /* columns in shared memory */
};

struct gf_rank_slide_params {
    struct gf_rank_job job;
    struct gf_rank_slide_cut cut;
    uint16_t *far; /* columns of the blocks, one after the other */
};

static int64_t gf_rank_slide_near_columns()
{
    const int64_t changes = GF_RANK_SLIDE_NEAR_WARPS * GF_RANK_SLIDE_BINS * int64_t(sizeof(uint32_t));
    return (GF_RANK_SLIDE_SHARED - changes) / (GF_RANK_SLIDE_COLUMN * int64_t(sizeof(uint16_t)));
}

static struct gf_rank_slide_cut gf_rank_slide_cut_make(const struct gf_rank_args &args, int64_t width,
                                                       int64_t height, int64_t channels)
{
    struct gf_rank_slide_cut cut = {};
    const int64_t rows = 2 * int64_t(args.radius_y) + 1;
    cut.strip = gf_rank_slide_near_columns() - 2 * int64_t(args.radius_x);
    cut.near = cut.strip >= GF_RANK_SLIDE_LEAST_STRIP;
    cut.strip = cut.near ? cut.strip : int64_t(GF_RANK_SLIDE_FAR_STRIP);
    cut.columns = cut.strip + 2 * int64_t(args.radius_x);
    cut.strips = (width + cut.strip - 1) / cut.strip;
    const int64_t most =
        GF_RANK_SLIDE_FAR_BYTES / (cut.columns * GF_RANK_SLIDE_COLUMN * int64_t(sizeof(uint16_t)));
    const int64_t blocks = cut.near                          ? int64_t(GF_RANK_SLIDE_NEAR_TILES)
                           : most < GF_RANK_SLIDE_FAR_BLOCKS ? (most > 1 ? most : 1)
                                                             : int64_t(GF_RANK_SLIDE_FAR_BLOCKS);
    int64_t segments = blocks / (cut.strips * channels);
    segments = segments > 1 ? segments : 1;
    cut.segment = (height + segments - 1) / segments;
    cut.segment = cut.segment > rows ? cut.segment : rows; /* or more time goes into beginnings */
    cut.segment = cut.segment < height ? cut.segment : height;
    cut.segments = (height + cut.segment - 1) / cut.segment;
    const int64_t tiles = cut.strips * cut.segments * channels;
    cut.blocks = cut.near || tiles < blocks ? tiles : blocks;
    return cut;
}

/* ---- a tile ---------------------------------------------------------------------------------------- */

struct gf_rank_slide_tile {
    int64_t x, y, end; /* its first pixel, and the row behind its last */
    int32_t channel;
    uint32_t fill;
};

GF_DEVICE_FN struct gf_rank_slide_tile gf_rank_slide_tile_make(const struct gf_rank_slide_params &p,
                                                               int64_t number)
{
    struct gf_rank_slide_tile t;
    const int64_t strip = number % p.cut.strips, above = number / p.cut.strips;
    t.x = strip * p.cut.strip;
    t.y = above % p.cut.segments * p.cut.segment;
    t.end = p.job.height - t.y < p.cut.segment ? p.job.height : t.y + p.cut.segment;
    t.channel = static_cast<int32_t>(above / p.cut.segments);
    t.fill = p.job.fill[0];
#pragma unroll
    for (int c = 1; c < GF_MAX_CHANNELS; c++) {
        t.fill = c == t.channel ? p.job.fill[c] : t.fill;
    }
    return t;
}

/* The sample in the tile's column c, its halo included, of row y; `row` is y by the border. */
GF_DEVICE_FN uint32_t gf_rank_slide_sample(const struct gf_rank_slide_params &p,
                                           const struct gf_rank_slide_tile &t, int64_t c, int64_t row)
{
    const int64_t column = gf_border_index(t.x + c - p.job.args.radius_x, p.job.width, p.job.border);
    return row < 0 || column < 0
               ? t.fill
               : p.job.in.data[row * p.job.in.pitch + column * p.job.in.channels + t.channel];
}

/* Counts the first window's rows, each thread its columns. */
GF_DEVICE_FN void gf_rank_slide_begin(const struct gf_rank_slide_params &p,
                                      const struct gf_rank_slide_tile &t, uint16_t *columns)
{
    for (int64_t i = threadIdx.x; i < p.cut.columns * GF_RANK_SLIDE_COLUMN / 8; i += blockDim.x) {
        gf_store16(columns + 8 * i, make_uint4(0, 0, 0, 0));
    }
    __syncthreads();
    for (int64_t v = t.y - p.job.args.radius_y; v <= t.y + p.job.args.radius_y; v++) {
        const int64_t row = gf_border_index(v, p.job.height, p.job.border);
        for (int64_t c = threadIdx.x; c < p.cut.columns; c += blockDim.x) {
            columns[c * GF_RANK_SLIDE_COLUMN + gf_rank_slide_sample(p, t, c, row)]++;
        }
    }
}

/* Adds a lane's bins of a column, or takes them away. */
template <int SIGN>
GF_DEVICE_FN void gf_rank_slide_add(const uint16_t *column, uint32_t (&bins)[GF_RANK_SLIDE_OWN])
{
    const uint4 counts = gf_load16(column + gf_lane() * GF_RANK_SLIDE_OWN);
    uint32_t words[4];
    memcpy(words, &counts, sizeof words);
#pragma unroll
    for (int i = 0; i < 4; i++) {
        bins[2 * i] += (uint32_t)SIGN * (words[i] & 0xffffU);
        bins[2 * i + 1] += (uint32_t)SIGN * (words[i] >> 16);
    }
}

/* The bin of sample number `index` of a window. */
GF_DEVICE_FN uint32_t gf_rank_slide_find(const uint32_t (&bins)[GF_RANK_SLIDE_OWN], uint32_t index)
{
    uint32_t own = 0;
#pragma unroll
    for (int i = 0; i < GF_RANK_SLIDE_OWN; i++) {
        own += bins[i];
    }
    uint32_t before = own;
#pragma unroll
    for (unsigned step = 1; step < GF_WARP; step *= 2) {
        const uint32_t below = gf_shfl_up(before, step);
        before += gf_lane() >= step ? below : 0;
    }
    before -= own;
    const uint32_t rest = index - before;
    uint32_t bin = gf_lane() * GF_RANK_SLIDE_OWN, sum = 0;
#pragma unroll
    for (int i = 0; i < GF_RANK_SLIDE_OWN - 1; i++) {
        sum += bins[i];
        bin += sum <= rest;
    }
    const uint32_t lanes = gf_ballot(index >= before && rest < own);
    return gf_shfl(bin, static_cast<unsigned>(__ffs(static_cast<int>(lanes))) - 1);
}

/* A warp's pixels of a row, from the histogram of the first: lane i has that of number i. */
GF_DEVICE_FN uint32_t gf_rank_slide_row(const struct gf_rank_slide_params &p, const uint16_t *columns,
                                        int64_t first, int32_t pixels,
                                        const uint32_t (&start)[GF_RANK_SLIDE_OWN])
{
    const uint32_t index = static_cast<uint32_t>(p.job.args.index);
    const uint16_t *goes = columns + first * GF_RANK_SLIDE_COLUMN;
    const uint16_t *comes = goes + (2 * int64_t(p.job.args.radius_x) + 1) * GF_RANK_SLIDE_COLUMN;
    uint32_t bins[GF_RANK_SLIDE_OWN], made = 0;
#pragma unroll
    for (int i = 0; i < GF_RANK_SLIDE_OWN; i++) {
        bins[i] = start[i];
    }
    for (int32_t i = 0; i < pixels; i++) {
        const uint32_t found = gf_rank_slide_find(bins, index);
        made = static_cast<int32_t>(gf_lane()) == i ? found : made;
        if (i + 1 < pixels) {
            gf_rank_slide_add<1>(comes, bins);
            gf_rank_slide_add<-1>(goes, bins);
            comes += GF_RANK_SLIDE_COLUMN;
            goes += GF_RANK_SLIDE_COLUMN;
        }
    }
    return made;
}

/* Slides the columns, each of one thread, from row y to the next. */
GF_DEVICE_FN void gf_rank_slide_down(const struct gf_rank_slide_params &p, const struct gf_rank_slide_tile &t,
                                     int64_t old_row, int64_t new_row, uint16_t *columns)
{
    for (int64_t c = threadIdx.x; c < p.cut.columns; c += blockDim.x) {
        uint16_t *const counts = columns + c * GF_RANK_SLIDE_COLUMN;
        counts[gf_rank_slide_sample(p, t, c, old_row)]--;
        counts[gf_rank_slide_sample(p, t, c, new_row)]++;
    }
}

/* ... and the histogram of a warp's first pixel; `changes`: 256 words of the warp's. */
GF_DEVICE_FN void gf_rank_slide_start_down(const struct gf_rank_slide_params &p,
                                           const struct gf_rank_slide_tile &t, int64_t first, int64_t old_row,
                                           int64_t new_row, uint32_t *changes,
                                           uint32_t (&start)[GF_RANK_SLIDE_OWN])
{
    uint32_t *const own = changes + gf_lane() * GF_RANK_SLIDE_OWN;
    gf_store16(own, make_uint4(0, 0, 0, 0));
    gf_store16(own + 4, make_uint4(0, 0, 0, 0));
    gf_syncwarp();
    for (int64_t u = gf_lane(); u <= 2 * int64_t(p.job.args.radius_x); u += GF_WARP) {
        gf_atomic_add(changes + gf_rank_slide_sample(p, t, first + u, old_row), ~0U);
        gf_atomic_add(changes + gf_rank_slide_sample(p, t, first + u, new_row), 1U);
    }
    gf_syncwarp();
#pragma unroll
    for (int i = 0; i < GF_RANK_SLIDE_OWN; i++) {
        start[i] += own[i];
    }
    gf_syncwarp();
}

template <bool NEAR>
static __global__ void __launch_bounds__((NEAR ? GF_RANK_SLIDE_NEAR_WARPS : GF_RANK_SLIDE_FAR_WARPS) *
                                         GF_WARP) gf_rank_slide(const struct gf_rank_slide_params p)
{
    GF_SHARED_DYN(uint32_t, shared);
    constexpr int WARPS = NEAR ? GF_RANK_SLIDE_NEAR_WARPS : GF_RANK_SLIDE_FAR_WARPS;
    uint32_t *const changes = shared + gf_warp() * GF_RANK_SLIDE_BINS;
    uint16_t *const columns = NEAR ? reinterpret_cast<uint16_t *>(shared + WARPS * GF_RANK_SLIDE_BINS)
                                   : p.far + int64_t(blockIdx.x) * p.cut.columns * GF_RANK_SLIDE_COLUMN;
    const int64_t tiles = p.cut.strips * p.cut.segments * p.job.in.channels;
    const int64_t each = (p.cut.strip + WARPS - 1) / WARPS, first = gf_warp() * each;
    for (int64_t number = blockIdx.x; number < tiles; number += gridDim.x) {
        const struct gf_rank_slide_tile t = gf_rank_slide_tile_make(p, number);
        const int64_t left = (p.cut.strip < p.job.width - t.x ? p.cut.strip : p.job.width - t.x) - first;
        const int32_t pixels = static_cast<int32_t>(left < 0 ? int64_t(0) : left < each ? left : each);
        uint32_t start[GF_RANK_SLIDE_OWN] = {};
        gf_rank_slide_begin(p, t, columns);
        __syncthreads();
        for (int64_t c = first; pixels > 0 && c <= first + 2 * int64_t(p.job.args.radius_x); c++) {
            gf_rank_slide_add<1>(columns + c * GF_RANK_SLIDE_COLUMN, start);
        }
        for (int64_t y = t.y; y < t.end; y++) {
            const uint32_t made = gf_rank_slide_row(p, columns, first, pixels, start);
            const int64_t at = t.x + first + gf_lane();
            if (static_cast<int32_t>(gf_lane()) < pixels) {
                p.job.out.data[y * p.job.out.pitch + at * p.job.out.channels + t.channel] =
                    static_cast<uint8_t>(made);
            }
            __syncthreads();
            if (y + 1 < t.end) {
                const int64_t old_row = gf_border_index(y - p.job.args.radius_y, p.job.height, p.job.border);
                const int64_t new_row = gf_border_index(
                    y + 1 + p.job.args.radius_y - GF_FAULT(cuda_rank_slide), p.job.height, p.job.border);
                gf_rank_slide_down(p, t, old_row, new_row, columns);
                if (pixels > 0) {
                    gf_rank_slide_start_down(p, t, first, old_row, new_row, changes, start);
                }
            }
            __syncthreads();
        }
    }
}

/* ---- launch ---------------------------------------------------------------------------------------- */

bool gf_rank_slide_takes(const struct gf_pass *pass)
{
    const struct gf_rank_args args = gf_rank_args_of(&pass->window);
    return pass->window.depth_in == GF_U8 && args.radius_y <= INT16_MAX && args.n <= INT32_MAX;
}

size_t gf_rank_slide_bytes(const struct gf_pass *pass)
{
    const struct gf_rank_slide_cut cut = gf_rank_slide_cut_make(gf_rank_args_of(&pass->window), pass->width,
                                                                pass->height, pass->window.channels_in);
    return cut.near ? 0
                    : static_cast<size_t>(cut.blocks * cut.columns * GF_RANK_SLIDE_COLUMN *
                                          int64_t(sizeof(uint16_t)));
}

gf_status gf_rank_slide_queue(const struct gf_rank_job *job, const struct gf_run *run, unsigned char *scratch,
                              gf_error *error)
{
    struct gf_rank_slide_params p = {};
    p.job = *job;
    p.cut = gf_rank_slide_cut_make(job->args, job->width, job->height, job->in.channels);
    p.far = reinterpret_cast<uint16_t *>(scratch);
    const unsigned warps = p.cut.near ? GF_RANK_SLIDE_NEAR_WARPS : GF_RANK_SLIDE_FAR_WARPS;
    gf_launch launch = gf_launch_on(gf_run_stream(run), gf_blocks(p.cut.blocks, 1), warps * GF_WARP);
    launch.shared = warps * GF_RANK_SLIDE_BINS * sizeof(uint32_t);
    if (p.cut.near) {
        launch.shared += static_cast<size_t>(p.cut.columns) * GF_RANK_SLIDE_COLUMN * sizeof(uint16_t);
        GF_CUDA_TRY(error, GF_LAUNCH(gf_rank_slide<true>, launch, p));
    } else {
        GF_CUDA_TRY(error, GF_LAUNCH(gf_rank_slide<false>, launch, p));
    }
    return GF_OK;
}
