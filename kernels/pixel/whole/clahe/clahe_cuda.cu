/* clahe on CUDA, a channel after the other: blocks count pieces of tiles in shared memory, all bins at once
 * where it has room, and a block a tile makes its table; what the tables of four neighbours hold is then
 * mixed (clahe_mix_cuda.cu). */
#include "pixel/cuda/dispatch_pixel_cuda.cuh"
#include "pixel/cuda/solve_cuda.cuh"
#include "pixel/whole/clahe/clahe_cuda.cuh"

/* ---- counting ---- */

/* 256 bins have a word each. Where there are more, two share a word, and what no longer fits goes to memory:
 * a half of 16 bits holds that much once more, until the thread that filled the first has taken it out. */
template <class T> struct gf_clahe_counter {
    static const bool PAIRS = sizeof(T) > 1;
    uint32_t *counts; /* shared: of bins [first, first + n) */
    uint32_t *total;  /* of bin first on, in memory */
    int32_t first, n;

    __device__ __forceinline__ void add(int32_t bin) const
    {
        const uint32_t at = static_cast<uint32_t>(bin - first);
        if (at >= static_cast<uint32_t>(n)) { /* NaN is -1 */
            return;
        }
        if (!PAIRS) {
            gf_atomic_add(&counts[at], 1u);
            return;
        }
        const uint32_t shift = at % 2 * 16;
        const uint32_t old = gf_atomic_add(&counts[at / 2], 1u << shift);
        if ((old >> shift & 0xffffU) == GF_CLAHE_HALF - 1) {
            gf_atomic_add(&counts[at / 2], 0u - (uint32_t(GF_CLAHE_HALF) << shift));
            gf_atomic_add(&total[at], uint32_t(GF_CLAHE_HALF) - GF_FAULT(cuda_clahe_full));
        }
    }

    /* All threads of the block call it. */
    __device__ __forceinline__ void flush(bool alone) const
    {
        const int32_t step = static_cast<int32_t>(blockDim.x);
        for (int32_t i = static_cast<int32_t>(threadIdx.x); i < n; i += step) {
            const uint32_t own = PAIRS ? counts[i / 2] >> (i % 2 * 16) & 0xffffU : counts[i];
            if (alone && !PAIRS) {
                total[i] = own;
            } else if (own) {
                gf_atomic_add(&total[i], own);
            }
        }
    }
};

/* Rows [top, top + rows) of the picture extended downwards, pixels of the span. */
template <class T, bool WIDE>
GF_DEVICE_FN void gf_clahe_count_span(const struct gf_clahe_params &p, const struct gf_clahe_counter<T> &c,
                                      const struct gf_clahe_span &span, int64_t top, uint32_t rows)
{
    constexpr int N = WIDE ? static_cast<int>(16 / sizeof(T)) : 1;
    const float scale = gf_clahe_scale<T>(p);
    for (uint32_t i = threadIdx.x; i < rows * span.chunks; i += blockDim.x) {
        const uint32_t down = i / span.chunks;
        const int64_t x = (span.first + (i - down * span.chunks)) * N;
        const int64_t y = gf_border_index(top + down, p.height, GF_BORDER_REFLECT101);
        if (!WIDE) {
            c.add(gf_clahe_bin(p, scale, gf_clahe_sample<T>(p, x, y)));
        } else if (x >= span.left && x + N <= span.right) {
            const struct gf_clahe_chunk chunk =
                gf_clahe_load(p.in + y * p.in_pitch + x * static_cast<int64_t>(sizeof(T)));
            GF_UNROLL for (int k = 0; k < N; k++)
            {
                T v;
                gf_clahe_get(chunk, k, &v);
                c.add(gf_clahe_bin(p, scale, v));
            }
        } else {
            for (int64_t k = x > span.left ? x : span.left; k < x + N && k < span.right; k++) {
                c.add(gf_clahe_bin(p, scale, gf_clahe_sample<T>(p, k, y)));
            }
        }
    }
}

/* Counts what the tile has to the right of the picture. */
template <class T>
GF_DEVICE_FN void gf_clahe_count_beyond(const struct gf_clahe_params &p, const struct gf_clahe_counter<T> &c,
                                        int64_t left, int64_t right, int64_t top, uint32_t rows)
{
    const float scale = gf_clahe_scale<T>(p);
    const int64_t first = left > p.width ? left : p.width;
    const uint32_t columns = right > first ? static_cast<uint32_t>(right - first) : 0;
    for (uint32_t i = threadIdx.x; i < rows * columns; i += blockDim.x) {
        const uint32_t down = i / columns;
        const int64_t x = gf_border_index(first + (i - down * columns), p.width, GF_BORDER_REFLECT101);
        const int64_t y = gf_border_index(top + down, p.height, GF_BORDER_REFLECT101);
        c.add(gf_clahe_bin(p, scale, gf_clahe_sample<T>(p, x, y)));
    }
}

/* grid: (tiles across * parts, tiles down, segments of bins). */
template <class T, bool WIDE>
static __global__ void __launch_bounds__(GF_CLAHE_TABLE_THREADS)
    gf_clahe_count(const struct gf_clahe_params p)
{
    GF_SHARED_DYN(uint32_t, counts);
    constexpr int N = WIDE ? static_cast<int>(16 / sizeof(T)) : 1;
    const int32_t across = static_cast<int32_t>(blockIdx.x) / p.parts;
    const int32_t part = static_cast<int32_t>(blockIdx.x) - across * p.parts;
    const int32_t first = static_cast<int32_t>(blockIdx.z) * p.segment;
    const struct gf_clahe_counter<T> c = {
        counts, p.counts + (int64_t(blockIdx.y) * p.args.across + across) * p.bins + first, first, p.segment
    };
    const int64_t from = p.args.tile_h * part / p.parts, to = p.args.tile_h * (part + 1) / p.parts;
    const int64_t top = blockIdx.y * p.args.tile_h + from;
    const int64_t left = across * p.args.tile_w, right = left + p.args.tile_w;
    const uint32_t rows = static_cast<uint32_t>(to - from);
    const int32_t words = c.PAIRS ? p.segment / 2 : p.segment;
    for (int32_t i = static_cast<int32_t>(threadIdx.x); i < words; i += static_cast<int32_t>(blockDim.x)) {
        counts[i] = 0;
    }
    __syncthreads();
    const struct gf_clahe_span span = gf_clahe_span_make<N>(left, right < p.width ? right : p.width);
    gf_clahe_count_span<T, WIDE>(p, c, span, top, rows);
    gf_clahe_count_beyond<T>(p, c, left, right - GF_FAULT(cuda_clahe_extended), top, rows);
    __syncthreads();
    c.flush(p.parts == 1);
}

/* ---- tables ---- */

/* f(count) of the bins of a tile, a thread some of them; the sum of what it gives. */
template <class F>
GF_DEVICE_FN uint32_t gf_clahe_sum(const struct gf_clahe_params &p, const uint32_t *counts, F &&f)
{
    uint32_t own = 0, bins[4];
    for (int32_t i = static_cast<int32_t>(threadIdx.x) * 4; i < p.bins;
         i += static_cast<int32_t>(blockDim.x) * 4) {
        const uint4 four = gf_load16(counts + i);
        memcpy(bins, &four, sizeof four);
        own += f(bins[0]) + f(bins[1]) + f(bins[2]) + f(bins[3]);
    }
    return own;
}

/* Sums of the clipped counts of a warp's bins up to each, from `first` on: a lane four neighbours in each of
 * GROUPS, so that lanes read side by side. Returns the sum of all. */
template <int GROUPS>
GF_DEVICE_FN uint32_t gf_clahe_sums(const struct gf_clahe_share &share, const uint32_t *counts, int32_t first,
                                    uint32_t (&up_to)[GROUPS][4])
{
    uint32_t all = 0;
#pragma unroll
    for (int g = 0; g < GROUPS; g++) {
        const uint4 four = gf_load16(counts + first + g * 4 * GF_WARP);
        memcpy(up_to[g], &four, sizeof four);
    }
#pragma unroll
    for (int g = 0; g < GROUPS; g++) {
        uint32_t own = 0;
#pragma unroll
        for (int i = 0; i < 4; i++) {
            own += gf_clahe_clipped(&share, up_to[g][i], first + g * 4 * GF_WARP + i);
            up_to[g][i] = own;
        }
        const uint32_t inclusive = gf_solve_scan_warp(own);
#pragma unroll
        for (int i = 0; i < 4; i++) {
            up_to[g][i] += all + inclusive - own;
        }
        all += gf_shfl(inclusive, GF_WARP - 1);
    }
    return all;
}

/* A block a tile, in turns of as many bins as its warps take; the bins are a multiple of them. Turns wait for
 * all threads, so there are few. */
template <class T>
static __global__ void __launch_bounds__(GF_CLAHE_TABLE_THREADS)
    gf_clahe_tables(const struct gf_clahe_params p)
{
    enum { GROUPS = sizeof(T) == 1 ? 1 : 4, OF_WARP = GROUPS * 4 * GF_WARP };
    GF_SHARED(uint32_t, warps, GF_WARP);
    const uint32_t *counts = p.counts + int64_t(blockIdx.x) * p.bins;
    T *table = static_cast<T *>(p.tables) + int64_t(blockIdx.x) * p.bins;
    uint32_t n = static_cast<uint32_t>(p.args.tile_w * p.args.tile_h), over = 0, sum = 0;
    if (sizeof(T) == 4) { /* NaN is not counted */
        gf_solve_scan(gf_clahe_sum(p, counts, [](uint32_t count) { return count; }), warps, &n);
    }
    const uint32_t limit = gf_clahe_limit(p.args.clip, n, p.bins);
    gf_solve_scan(gf_clahe_sum(p, counts, [=](uint32_t count) { return count > limit ? count - limit : 0u; }),
                  warps, &over);
    const struct gf_clahe_share share = gf_clahe_share_make(limit, over, p.bins);
    const float white = sizeof(T) == 1 ? 255.0F : sizeof(T) == 2 ? 65535.0F : 1.0F;
    const float scale = gf_div(white, static_cast<float>(n));
    const int32_t turn = static_cast<int32_t>(blockDim.x) / GF_WARP * OF_WARP;
    for (int32_t first = static_cast<int32_t>(gf_warp() * OF_WARP + gf_lane() * 4); first < p.bins;
         first += turn) {
        uint32_t up_to[GROUPS][4], total = 0;
        const uint32_t all = gf_clahe_sums<GROUPS>(share, counts, first, up_to);
        const uint32_t scan = gf_solve_scan(gf_lane() == 0 ? all : 0u, warps, &total);
        const uint32_t before = sum + gf_shfl(scan, 0u);
        sum += GF_FAULT(cuda_clahe_carry) ? 0 : total;
#pragma unroll
        for (int g = 0; g < GROUPS; g++) {
            T entries[4];
#pragma unroll
            for (int i = 0; i < 4; i++) {
                const int32_t bin = first + g * 4 * GF_WARP + i;
                const float entry = gf_clahe_entry(before + up_to[g][i], scale, n, bin);
                entries[i] = sizeof(T) == 1   ? static_cast<T>(gf_quantise_u8(entry))
                             : sizeof(T) == 2 ? static_cast<T>(gf_quantise_u16(entry))
                                              : static_cast<T>(entry);
            }
            memcpy(table + first + g * 4 * GF_WARP, entries, sizeof entries);
        }
    }
}

/* ---- launch ---- */

static struct gf_clahe_params gf_clahe_layout(const struct gf_apply_run *run)
{
    struct gf_clahe_params p = {};
    gf_args_get(&run->apply->args, &p.args, sizeof p.args);
    p.width = run->in_values[0].width;
    p.height = run->in_values[0].height;
    p.channels = run->in_values[0].channels;
    p.depth = run->in_values[0].depth;
    p.bins = gf_clahe_bins(p.depth);
    p.inverse_x = 1.0F / static_cast<float>(p.args.tile_w);
    p.inverse_y = 1.0F / static_cast<float>(p.args.tile_h);
    const int64_t pixels = p.args.tile_w * p.args.tile_h;
    const int64_t each = p.depth == GF_U8 ? GF_CLAHE_COUNT_PIXELS : GF_CLAHE_COUNT_MANY;
    int64_t parts = (pixels + each - 1) / each;
    parts = parts < p.args.tile_h ? parts : p.args.tile_h;
    p.parts = static_cast<int32_t>(parts < 65535 ? parts : 65535);
    return p;
}

static int64_t gf_clahe_table_bytes(const struct gf_clahe_params &p)
{
    return int64_t(p.args.across) * p.args.down * p.bins * static_cast<int64_t>(gf_depth_size(p.depth));
}

size_t gf_clahe_cuda_scratch(const struct gf_apply_run *run)
{
    const struct gf_clahe_params p = gf_clahe_layout(run);
    const int64_t counts = int64_t(p.args.across) * p.args.down * p.bins * 4;
    const int64_t quads = p.depth == GF_U8 ? 0 : gf_clahe_rows(p) * gf_clahe_row_bytes(p);
    return static_cast<size_t>(counts + gf_clahe_table_bytes(p) + quads);
}

template <class T, bool WIDE>
static gf_status gf_clahe_channel(const struct gf_clahe_params &p, cudaStream_t stream, gf_error *error)
{
    const unsigned tiles = static_cast<unsigned>(p.args.across * p.args.down);
    if (p.parts > 1 || sizeof(T) > 1) {
        const size_t bins = static_cast<size_t>(p.bins);
        GF_CUDA_TRY(error, cudaMemsetAsync(p.counts, 0, tiles * bins * sizeof(uint32_t), stream));
    }
    gf_launch launch =
        gf_launch_on(stream,
                     dim3(static_cast<unsigned>(p.args.across * p.parts), static_cast<unsigned>(p.args.down),
                          static_cast<unsigned>(p.bins / p.segment)),
                     sizeof(T) == 1 ? GF_CLAHE_THREADS : GF_CLAHE_TABLE_THREADS);
    launch.shared = static_cast<size_t>(p.segment) * (sizeof(T) == 1 ? 4 : 2);
    GF_CUDA_TRY(error, GF_LAUNCH((gf_clahe_count<T, WIDE>), launch, p));
    launch.shared = 0;
    launch.block = dim3(sizeof(T) == 1 ? 64 : GF_CLAHE_TABLE_THREADS);
    launch.grid = dim3(tiles);
    GF_CUDA_TRY(error, GF_LAUNCH(gf_clahe_tables<T>, launch, p));
    return gf_clahe_mix_launch(&p, WIDE, stream, error);
}

template <class T>
static gf_status gf_clahe_run_as(const struct gf_apply_run *run, struct gf_clahe_params p, gf_error *error)
{
    const cudaStream_t stream = static_cast<cudaStream_t>(run->queue.stream);
    const uint32_t all = (1U << p.channels) - 1;
    const bool wide = p.channels == 1 && reinterpret_cast<uintptr_t>(p.in) % 16 == 0 &&
                      p.in_pitch % 16 == 0 && reinterpret_cast<uintptr_t>(p.out) % 16 == 0 &&
                      p.out_pitch % 16 == 0;
    if ((p.args.mask & all) != all) {
        const size_t row = static_cast<size_t>(p.width * p.channels) * sizeof(T);
        GF_CUDA_TRY(error, cudaMemcpy2DAsync(
                               p.out, static_cast<size_t>(p.out_pitch), p.in, static_cast<size_t>(p.in_pitch),
                               row, static_cast<size_t>(p.height), cudaMemcpyDeviceToDevice, stream));
    }
    for (; p.channel < p.channels; p.channel++) {
        if (p.args.mask >> p.channel & 1) {
            p.range = static_cast<const float *>(run->in[1].data) + (sizeof(T) == 4 ? 2 * p.channel : 0);
            GF_TRY((wide ? gf_clahe_channel<T, true>(p, stream, error)
                         : gf_clahe_channel<T, false>(p, stream, error)));
        }
    }
    return GF_OK;
}

gf_status gf_clahe_cuda(const struct gf_apply_run *run, gf_error *error)
{
    struct gf_clahe_params p = gf_clahe_layout(run);
    int room = 0;
    GF_ON_DEVICE(run->queue.device, error)
    GF_CUDA_TRY(error,
                cudaDeviceGetAttribute(&room, cudaDevAttrMaxSharedMemoryPerBlockOptin, run->queue.device));
    p.segment = p.bins <= 256 || room >= 2 * p.bins + 1024 ? p.bins : p.bins / 4;
    p.in = static_cast<const char *>(run->in[0].data);
    p.out = static_cast<char *>(run->out[0].data);
    p.in_pitch = run->in[0].pitch;
    p.out_pitch = run->out[0].pitch;
    p.counts = static_cast<uint32_t *>(run->scratch);
    char *tables = reinterpret_cast<char *>(p.counts + int64_t(p.args.across) * p.args.down * p.bins);
    p.tables = tables;
    p.quads = tables + gf_clahe_table_bytes(p);
    gf_clahe_cells(p.args.across, p.args.tile_w, p.width, p.inverse_x, p.first_x);
    gf_clahe_cells(p.args.down, p.args.tile_h, p.height, p.inverse_y, p.first_y);
    return gf_dispatch_sample(p.depth, error, [&](auto tag) {
        return gf_clahe_run_as<typename decltype(tag)::type>(run, p, error);
    });
}
