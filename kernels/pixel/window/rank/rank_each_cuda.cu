/* Any rank of any window on CUDA, one warp a sample: the digits of its key, 8 bits each, from the highest.
 * For a digit the lanes count the samples of the window that have the digits found so far, by their next one;
 * a scan of the 256 counts says which digit the wanted sample has, and how many of those are below it. */
#include "pixel/window/rank/rank_cuda.h"
#include "pixel/window/rank/rank_sample_cuda.cuh"

enum {
    GF_RANK_EACH_THREADS = 256,
    GF_RANK_EACH_WARPS = GF_RANK_EACH_THREADS / GF_WARP,
    GF_RANK_EACH_BINS = 256,
    GF_RANK_EACH_OWN = GF_RANK_EACH_BINS / GF_WARP /* of a lane, neighbours */
};

/* Counts the window's samples around (x, y) of a channel whose key begins with the bits of `found` above
 * `shift` + 8, by the 8 bits from `shift` on. */
GF_DEVICE_FN void gf_rank_each_count(const struct gf_rank_job &p, int64_t x, int64_t y, int32_t channel,
                                     uint32_t fill, uint32_t found, int32_t shift, uint32_t *counts)
{
    const int64_t across = 2 * int64_t(p.args.radius_x) + 1;
    const uint32_t above = shift == 24 ? 0 : ~0U << (shift + 8);
    int64_t v = -p.args.radius_y, u = gf_lane();
    while (true) {
        while (u >= across) {
            u -= across;
            v++;
        }
        if (v > p.args.radius_y - (GF_FAULT(cuda_rank_digit) && p.args.radius_y > 0)) {
            break;
        }
        const int64_t row = gf_border_index(y + v, p.height, p.border);
        const int64_t column = gf_border_index(x + u - p.args.radius_x, p.width, p.border);
        const uint32_t key =
            row < 0 || column < 0
                ? fill
                : gf_rank_key(p.in.data + row * p.in.pitch, column * p.in.channels + channel, p.in.depth);
        if (((key ^ found) & above) == 0) {
            gf_atomic_add(counts + (key >> shift) % GF_RANK_EACH_BINS, 1U);
        }
        u += GF_WARP;
    }
}

/* The bin that sample number *index of those counted falls into; *index becomes its number in there. */
GF_DEVICE_FN uint32_t gf_rank_each_find(const uint32_t *counts, uint64_t *index)
{
    uint64_t own = 0, before;
#pragma unroll
    for (int i = 0; i < GF_RANK_EACH_OWN; i++) {
        own += counts[gf_lane() * GF_RANK_EACH_OWN + i];
    }
    before = own;
#pragma unroll
    for (unsigned step = 1; step < GF_WARP; step *= 2) {
        const uint64_t below = gf_shfl_up(before, step);
        before += gf_lane() >= step ? below : 0;
    }
    before -= own;
    uint32_t bin = gf_lane() * GF_RANK_EACH_OWN;
    const bool has = *index >= before && *index < before + own;
    uint64_t rest = has ? *index - before : 0;
    for (int i = 0; has && i < GF_RANK_EACH_OWN - 1 && rest >= counts[bin]; i++) {
        rest -= counts[bin++];
    }
    const unsigned lane = static_cast<unsigned>(__ffs(static_cast<int>(gf_ballot(has)))) - 1;
    *index = gf_shfl(rest, lane);
    return gf_shfl(bin, lane);
}

static __global__ void __launch_bounds__(GF_RANK_EACH_THREADS) gf_rank_each(const struct gf_rank_job p)
{
    GF_SHARED(uint32_t, all_counts, GF_RANK_EACH_WARPS * GF_RANK_EACH_BINS);
    uint32_t *const counts = all_counts + gf_warp() * GF_RANK_EACH_BINS;
    const int64_t line = p.width * p.in.channels, samples = line * p.height;
    const int32_t highest = p.in.depth == GF_U8 ? 0 : p.in.depth == GF_U16 ? 8 : 24;
    for (int64_t i = int64_t(blockIdx.x) * GF_RANK_EACH_WARPS + gf_warp(); i < samples;
         i += int64_t(gridDim.x) * GF_RANK_EACH_WARPS) {
        const int64_t y = i / line, x = (i - y * line) / p.in.channels;
        const int32_t channel = static_cast<int32_t>(i - y * line - x * p.in.channels);
        uint64_t index = static_cast<uint64_t>(p.args.index);
        uint32_t found = 0;
        for (int32_t shift = highest; shift >= 0; shift -= 8) {
            for (unsigned bin = gf_lane(); bin < GF_RANK_EACH_BINS; bin += GF_WARP) {
                counts[bin] = 0;
            }
            gf_syncwarp();
            gf_rank_each_count(p, x, y, channel, p.fill[channel], found, shift, counts);
            gf_syncwarp();
            found |= gf_rank_each_find(counts, &index) << shift;
            gf_syncwarp();
        }
        if (gf_lane() == 0) {
            gf_rank_put(p.out.data + y * p.out.pitch, x * p.out.channels + channel, p.out.depth, found);
        }
    }
}

gf_status gf_rank_each_queue(const struct gf_rank_job *job, const struct gf_run *run, unsigned char *,
                             gf_error *error)
{
    int64_t resident = 0;
    GF_TRY(gf_resident_blocks(run, gf_rank_each, GF_RANK_EACH_THREADS, 0, &resident, error));
    const int64_t samples = job->width * job->in.channels * job->height;
    const int64_t blocks = (samples + GF_RANK_EACH_WARPS - 1) / GF_RANK_EACH_WARPS;
    gf_launch launch =
        gf_launch_on(gf_run_stream(run), static_cast<unsigned>(blocks < resident ? blocks : resident),
                     GF_RANK_EACH_THREADS);
    if (gf_only_prepares(run)) {
        return GF_OK;
    }
    GF_CUDA_TRY(error, GF_LAUNCH(gf_rank_each, launch, *job));
    return GF_OK;
}
