/* HIST taps of few bins, and STATS of bytes, which follow from their counts but for positions. */
#include "pixel/cuda/dispatch_pixel_cuda.cuh"
#include "pixel/tap/tap_lines_cuda.cuh"

enum {
    COUNT_THREADS = 512,
    COUNT_BLOCKS = 264,
    COLUMNS = GF_WARP, /* counters of a bin: a lane's lie in a bank of its own, so no two lanes meet */
    FIND_THREADS = 256,
    FIND_BLOCKS = 264,
    LEVELS = 256
};

/* ---- counting ------------------------------------------------------------------------------------------ */

/* The bins of one channel. */
struct gf_count_bins {
    float lo, scale;
};

template <class S>
GF_DEVICE_FN uint32_t gf_count_slot(const struct gf_hist_params &h, const struct gf_count_bins &bins, S v)
{
    if constexpr (sizeof(S) == 1) {
        return v;
    } else {
        return static_cast<uint32_t>(gf_hist_slot(GF_F32, h, bins.lo, bins.scale, v));
    }
}

/* table[channel][slot][lane]; row: slots of a channel. */
template <class S, int C>
static __global__ void __launch_bounds__(COUNT_THREADS, C == 4 ? 1 : 2)
    gf_count(const struct gf_lines lines, const struct gf_hist_params h, int32_t row)
{
    enum { PER = 16 / sizeof(S) };
    GF_SHARED_DYN(uint32_t, table);
    struct gf_count_bins bins[C];
#pragma unroll
    for (int c = 0; c < C; c++) {
        const float lo = h.range ? h.range[2 * c] : h.lo, hi = h.range ? h.range[2 * c + 1] : h.hi;
        bins[c].lo = lo;
        bins[c].scale = sizeof(S) == 4 ? gf_range_scale(lo, hi, h.bins) : 0.0F;
    }
    for (int32_t i = static_cast<int32_t>(threadIdx.x) * 4; i < C * row * COLUMNS; i += COUNT_THREADS * 4) {
        gf_store16(table + i, make_uint4(0, 0, 0, 0));
    }
    __syncthreads();
    auto count = [&](int channel, S v) {
        const uint32_t slot = gf_count_slot<S>(h, bins[C == 1 ? 0 : channel], v);
        gf_atomic_add(&table[(static_cast<uint32_t>(channel * row) + slot) * COLUMNS + gf_lane()], 1u);
    };
    const uint32_t units = lines.chunks * static_cast<uint32_t>(lines.count);
    const uint32_t warps = gridDim.x * (COUNT_THREADS / GF_WARP);
    for (uint32_t unit = blockIdx.x * (COUNT_THREADS / GF_WARP) + gf_warp(); unit < units; unit += warps) {
        const struct gf_chunk chunk = gf_chunk_load(lines, unit);
#pragma unroll
        for (int k = 0; k < GF_CHUNK_VECTORS; k++) {
            /* a chunk begins with channel 0, and so does every vector of 1, 2 or 4 channels */
            const int phase = C == 3 ? static_cast<int>((gf_lane() + 2 * k) % 3) : 0;
            const int64_t left = gf_chunk_left(chunk, k);
            S samples[PER];
            memcpy(samples, &chunk.vectors[k], sizeof samples);
            auto count_first = [&](int64_t bytes) {
#pragma unroll
                for (int j = 0; j < PER; j++) {
                    const int channel = phase + j % C;
                    if (j * static_cast<int>(sizeof(S)) < bytes) {
                        count(C == 3 && channel >= 3 ? channel - 3 : channel, samples[j]);
                    }
                }
            };
            if (left >= 16) {
                count_first(16);
            } else {
                count_first(left);
            }
        }
    }
    __syncthreads();
    for (int32_t i = static_cast<int32_t>(threadIdx.x); i < C * row; i += COUNT_THREADS) {
        uint32_t sum = 0;
        for (int32_t k = 0; k < COLUMNS; k++) {
            sum += table[i * COLUMNS + (i + k) % COLUMNS];
        }
        const int32_t c = i / row;
        if (sum != 0 && (h.mask >> c & 1) != 0) {
            gf_atomic_add(&h.counts[int64_t(c) * (h.bins + 3) + (i - c * row)], static_cast<uint64_t>(sum));
        }
    }
}

template <class S>
static gf_status gf_count_channels(const struct gf_lines &lines, int32_t channels,
                                   const struct gf_hist_params &h, int32_t row, struct gf_launch launch,
                                   gf_error *error)
{
    return gf_dispatch_number<1, 4>(channels, [&](auto constant) -> gf_status {
        constexpr int C = decltype(constant)::value;
        GF_CUDA_TRY(error, GF_LAUNCH((gf_count<S, C>), launch, lines, h, row));
        return GF_OK;
    });
}

gf_status gf_count_launch(const struct gf_lines *lines, const struct gf_surface *picture,
                          const struct gf_hist_params *h, cudaStream_t stream, bool *taken, gf_error *error)
{
    const int64_t units = lines->chunks * lines->count, a_block = COUNT_THREADS / GF_WARP;
    const int32_t row = picture->depth == GF_U8 ? h->bins : h->bins + 3;
    struct gf_launch launch = {};
    int device = 0, room = 0;
    launch.shared = static_cast<size_t>(picture->channels) * static_cast<size_t>(row) * COLUMNS * 4;
    GF_CUDA_TRY(error, cudaGetDevice(&device));
    GF_CUDA_TRY(error, cudaDeviceGetAttribute(&room, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    *taken = picture->depth != GF_U16 && h->roi.w == 0 && h->lo <= h->hi &&
             launch.shared <= static_cast<size_t>(room);
    if (!*taken) {
        return GF_OK;
    }
    launch.block = dim3(COUNT_THREADS);
    launch.grid = dim3(gf_blocks(units < COUNT_BLOCKS * a_block ? units : COUNT_BLOCKS * a_block, a_block));
    launch.stream = stream;
    return picture->depth == GF_U8
               ? gf_count_channels<uint8_t>(*lines, picture->channels, *h, row, launch, error)
               : gf_count_channels<float>(*lines, picture->channels, *h, row, launch, error);
}

/* ---- statistics of counts ------------------------------------------------------------------------------ */

/* Per channel: positions found so far, turned over so that 0 is none and the first is the greatest; a ticket.
 */
struct gf_found {
    uint64_t least, greatest;
    uint32_t ticket, unused;
};

size_t gf_stats_of_counts_scratch(int32_t channels)
{
    return static_cast<size_t>(channels) * sizeof(struct gf_found);
}

/* Sums over a block of LEVELS threads, one level each. */
struct gf_level_sums {
    uint64_t count, sum, square;
};

GF_DEVICE_FN void gf_level_fold(struct gf_level_sums *all)
{
    for (unsigned half = LEVELS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) {
            all[threadIdx.x].count += all[threadIdx.x + half].count;
            all[threadIdx.x].sum += all[threadIdx.x + half].sum;
            all[threadIdx.x].square += all[threadIdx.x + half].square;
        }
    }
    __syncthreads();
}

GF_DEVICE_FN uint32_t gf_highest_bit(uint32_t w)
{
    return 31 - static_cast<uint32_t>(__clz(static_cast<int>(w)));
}

/* 0x80 in every byte of w that is zero. */
GF_DEVICE_FN uint32_t gf_zero_bytes(uint32_t w)
{
    return ~(((w & 0x7f7f7f7fU) + 0x7f7f7f7fU) | w | 0x7f7f7f7fU);
}

/* The bytes of a lane's vectors that belong to channel c, as gf_zero_bytes tells of some. */
GF_DEVICE_FN void gf_channel_bytes(int32_t c, int32_t channels, uint32_t (&bytes)[GF_CHUNK_VECTORS][4])
{
#pragma unroll
    for (int k = 0; k < GF_CHUNK_VECTORS; k++) {
        int32_t channel = static_cast<int32_t>((gf_lane() + k * GF_WARP) * 16) % channels;
#pragma unroll
        for (int j = 0; j < 16; j++) {
            const uint32_t bit = channel == c ? 0x80U << (j % 4 * 8) : 0U;
            bytes[k][j / 4] = j % 4 == 0 ? bit : bytes[k][j / 4] | bit;
            channel = channel + 1 == channels ? 0 : channel + 1;
        }
    }
}

/* Looks for `level` in a chunk; one lane tells *found, in shared memory, of the first, turned over. */
GF_DEVICE_FN void gf_find_in(const struct gf_lines &lines, const struct gf_chunk &chunk, int32_t channels,
                             const uint32_t (&bytes)[GF_CHUNK_VECTORS][4], uint32_t level, uint64_t *found)
{
    int32_t first = GF_CHUNK;
#pragma unroll
    for (int k = GF_CHUNK_VECTORS - 1; k >= 0; k--) {
        const uint32_t words[4] = {chunk.vectors[k].x, chunk.vectors[k].y, chunk.vectors[k].z,
                                   chunk.vectors[k].w};
#pragma unroll
        for (int w = 3; w >= 0; w--) {
            const uint32_t there = gf_zero_bytes(words[w] ^ level * 0x01010101U) & bytes[k][w];
            const int32_t at = w * 4 + static_cast<int32_t>(gf_highest_bit(there & (0 - there)) / 8);
            const bool is = there != 0 && at < gf_chunk_left(chunk, k);
            first = is ? (static_cast<int32_t>(gf_lane()) + k * GF_WARP) * 16 + at : first;
        }
    }
    first = gf_reduce_min(first);
    if (first < GF_CHUNK && gf_lane() == 0) {
        const int64_t at = chunk.at + first; /* lane 0's begins the chunk */
        gf_atomic_max(found, ~static_cast<uint64_t>(chunk.line * lines.width + at / channels));
    }
}

/* The least and the greatest level that was counted; n: of level threadIdx.x. */
GF_DEVICE_FN void gf_level_extremes(uint64_t n, uint32_t *present, uint32_t *least, uint32_t *greatest)
{
    const uint32_t here = gf_ballot(n != 0);
    if (gf_lane() == 0) {
        present[gf_warp()] = here;
    }
    __syncthreads();
    *least = LEVELS;
    *greatest = 0;
    for (uint32_t w = 0; w < LEVELS / GF_WARP; w++) {
        if (present[w] != 0) {
            const uint32_t lowest = present[w] & (0 - present[w]);
            *least = *least == LEVELS ? w * GF_WARP + gf_highest_bit(lowest) : *least;
            *greatest = w * GF_WARP + gf_highest_bit(present[w]);
        }
    }
}

/* Block (x, c) looks at every gridDim.x-th group of chunks for the extremes of channel c, in order, until
 * what it comes to lies behind what was found. The last one writes the result. */
static __global__ void __launch_bounds__(FIND_THREADS)
    gf_stats_of_counts(const struct gf_lines lines, int32_t channels, const uint64_t *counts, int32_t mask,
                       struct gf_found *all_found, struct gf_stats_block *out)
{
    enum { WARPS = FIND_THREADS / GF_WARP };
    GF_SHARED(struct gf_level_sums, sums, LEVELS);
    GF_SHARED(uint32_t, present, LEVELS / GF_WARP);
    GF_SHARED(uint32_t, slot, 1);
    GF_SHARED(uint64_t, here, 2);
    const int32_t c = static_cast<int32_t>(blockIdx.y);
    const uint64_t level = threadIdx.x, n = counts[c * (LEVELS + 3) + threadIdx.x];
    const bool wanted = (mask >> c & 1) != 0;
    const uint32_t units = wanted ? lines.chunks * static_cast<uint32_t>(lines.count) : 0;
    struct gf_found *const found = all_found + c;
    uint64_t *const places[2] = {&found->least, &found->greatest};
    uint32_t extremes[2], bytes[GF_CHUNK_VECTORS][4];
    gf_channel_bytes(c, channels, bytes);
    gf_level_extremes(n, present, &extremes[0], &extremes[1]);
    for (uint32_t group = blockIdx.x * WARPS; group < units; group += gridDim.x * WARPS) {
        __syncthreads(); /* `here` has been read */
        if (threadIdx.x < 2) {
            here[threadIdx.x] = gf_load_relaxed(places[threadIdx.x]);
        }
        __syncthreads();
        const uint64_t before[2] = {here[0], here[1]};
        const uint32_t line = group / lines.chunks;
        const int64_t x = int64_t(group - line * lines.chunks) * GF_CHUNK / channels;
        const uint64_t start = ~static_cast<uint64_t>(int64_t(line) * lines.width + x);
        if (before[0] > start && before[1] > start) {
            break;
        }
        __syncthreads();
        if (group + gf_warp() < units) {
            const struct gf_chunk chunk = gf_chunk_load(lines, group + gf_warp());
            gf_find_in(lines, chunk, channels, bytes, extremes[0], &here[0]);
            gf_find_in(lines, chunk, channels, bytes, extremes[1], &here[1]);
        }
        __syncthreads();
        if (threadIdx.x < 2 && here[threadIdx.x] > before[threadIdx.x]) {
            gf_atomic_max(places[threadIdx.x], here[threadIdx.x]);
        }
    }
    if (!gf_last_block(&found->ticket, gridDim.x, slot) || !wanted) {
        return;
    }
    sums[level] = {n, n * level, n * level * level};
    gf_level_fold(sums);
    if (threadIdx.x == 0) {
        struct gf_stats_block result = {};
        result.count = sums[0].count;
        result.sum_u = sums[0].sum;
        result.square_u = sums[0].square;
        result.least = static_cast<double>(extremes[0]);
        result.greatest = static_cast<double>(extremes[1]);
        result.at_least = static_cast<int64_t>(~gf_load_relaxed(&found->least));
        result.at_greatest = static_cast<int64_t>(~gf_load_relaxed(&found->greatest));
        out[c] = result;
    }
}

gf_status gf_stats_of_counts_launch(const struct gf_lines *lines, const struct gf_surface *picture,
                                    const uint64_t *counts, int32_t mask, void *scratch,
                                    struct gf_stats_block *out, cudaStream_t stream, gf_error *error)
{
    const int64_t units = lines->chunks * lines->count, a_block = FIND_THREADS / GF_WARP;
    const unsigned blocks =
        gf_blocks(units < FIND_BLOCKS * a_block ? units : int64_t(FIND_BLOCKS) * a_block, a_block);
    struct gf_found *const found = static_cast<struct gf_found *>(scratch);
    gf_launch launch =
        gf_launch_on(stream, dim3(blocks, static_cast<unsigned>(picture->channels)), FIND_THREADS);
    GF_CUDA_TRY(error,
                GF_LAUNCH(gf_stats_of_counts, launch, *lines, picture->channels, counts, mask, found, out));
    return GF_OK;
}
