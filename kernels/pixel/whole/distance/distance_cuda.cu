/* distance on CUDA. A word holds the sites of 64 pixels of a column, so that the picture is read once. Along
 * a line the columns of nearest sites never go back (Meijster's argument): they are found for every 2^k-th
 * pixel, then for those in between, each between its neighbours', by a warp while a search is long, by a
 * thread when it is short. So a line of n pixels takes n log n costs, whatever is in it, and no two searches
 * wait for each other but from level to level. */
#include "base/device_scope_cuda.h"
#include "base/planted_fault.h"
#include "pixel/whole/distance/distance_cuda.h"

enum {
    GF_DISTANCE_MOST_THREADS = 512,       /* of a line */
    GF_DISTANCE_PIXELS = 16,              /* that each of them has at least, where the line is long enough */
    GF_DISTANCE_SHARED = 96 * 1024,       /* bytes of a line that a CUDA block has on chip */
    GF_DISTANCE_ROOM = 256 * 1024 * 1024, /* bytes that lines take in scratch, or one more of them */
    GF_DISTANCE_BLOCKS = 512,             /* CUDA blocks that share it */
    GF_DISTANCE_ALONE = 48,               /* columns that a thread looks at by itself */
    GF_DISTANCE_WARPS_DOWN_TO = 32        /* finer levels are of threads */
};
#define GF_DISTANCE_FAR INT32_MAX

/* The cost where there is no site. No cost reaches it, so twice a cost stays below the end of T. */
template <class T> GF_DEVICE_FN T gf_distance_none()
{
    return T(1) << (8 * sizeof(T) - 1);
}

/* Lines down to the nearest site of a column, below 0: up; the upper one of two. */
GF_DEVICE_FN int32_t gf_distance_gap(const struct gf_distance_params &p, int64_t line, int64_t x)
{
    const int64_t at = line / GF_DISTANCE_BAND * p.n + x;
    const int r = static_cast<int>(line % GF_DISTANCE_BAND);
    const uint64_t bits = p.sites[at], above = bits << (63 - r), below = bits >> r;
    int32_t up = __clzll(static_cast<long long>(above)), down = __ffsll(static_cast<long long>(below)) - 1;
    if (!above) {
        const int32_t site = p.before[at];
        up = site < 0 ? GF_DISTANCE_FAR : static_cast<int32_t>(line) - site;
    }
    if (!below) {
        const int32_t site = p.behind[at];
        down = site < 0 ? GF_DISTANCE_FAR : site - static_cast<int32_t>(line);
    }
    return up == GF_DISTANCE_FAR && down == GF_DISTANCE_FAR ? GF_DISTANCE_FAR : up <= down ? -up : down;
}

/* ---- along a line ---- */

/* A line: what a column's own site costs, and of each pixel the column whose site is nearest. */
template <class T> struct gf_distance_line {
    T *own;
    uint32_t *from;
    int64_t n;
};

template <class T, int METRIC> GF_DEVICE_FN T gf_distance_with(T own, int64_t dx)
{
    const T across = static_cast<T>(dx < 0 ? -dx : dx);
    return METRIC == GF_DISTANCE_L1           ? static_cast<T>(own + across)
           : METRIC == GF_DISTANCE_CHESSBOARD ? (own > across ? own : across)
                                              : static_cast<T>(own + across * across);
}

struct gf_distance_range {
    int64_t lo, hi; /* columns, both within */
};

/* Cuts the range where a pixel's nearest site may be: no further away than that of its own column. */
template <class T, int METRIC>
GF_DEVICE_FN struct gf_distance_range gf_distance_cut(const struct gf_distance_line<T> &line, int64_t x,
                                                      struct gf_distance_range range)
{
    const T own = line.own[x];
    if (own < gf_distance_none<T>()) {
        int64_t reach = static_cast<int64_t>(own);
        if (METRIC == GF_DISTANCE_L2) {
            reach = static_cast<int64_t>(gf_sqrt(static_cast<float>(own)));
            reach += reach / 1024 + 2;
        }
        range.lo = range.lo > x - reach ? range.lo : x - reach;
        range.hi = range.hi < x + reach ? range.hi : x + reach;
    }
    return range;
}

/* The first of the best columns among every `step`-th from lo on; *cost is what it costs. */
template <class T, int METRIC>
GF_DEVICE_FN uint32_t gf_distance_first(const struct gf_distance_line<T> &line, int64_t x, int64_t lo,
                                        int64_t hi, int step, T *cost)
{
    T best = static_cast<T>(~T(0));
    uint32_t found = 0xFFFFFFFFu;
    for (int64_t i = lo; i <= hi; i += step) {
        const T here = gf_distance_with<T, METRIC>(line.own[i], i - x);
        found = here < best ? static_cast<uint32_t>(i) : found;
        best = here < best ? here : best;
    }
    *cost = best;
    return found;
}

/* All lanes of a warp search, for one pixel. */
template <class T, int METRIC>
GF_DEVICE_FN void gf_distance_by_warp(const struct gf_distance_line<T> &line, int64_t x,
                                      struct gf_distance_range range)
{
    T cost;
    const uint32_t found =
        gf_distance_first<T, METRIC>(line, x, range.lo + gf_lane(), range.hi, GF_WARP, &cost);
    const T least = gf_reduce_min(cost);
    const uint32_t first = gf_reduce_min(cost == least ? found : 0xFFFFFFFFu);
    if (gf_lane() == 0) {
        line.from[x] = first;
    }
}

/* Pixel x's columns lie between those of x - step and x + step, which are known. */
template <class T>
GF_DEVICE_FN struct gf_distance_range gf_distance_between(const struct gf_distance_line<T> &line, int64_t x,
                                                          int64_t step)
{
    struct gf_distance_range range = {0, line.n - 1};
    if (step && x >= step) {
        range.lo = line.from[x - step];
    }
    if (step && x + step < line.n) {
        range.hi = line.from[x + step];
    }
    return range;
}

/* Pixels first, first + stride, ...; a warp each. step: how far off what is known is; 0: nothing is. */
template <class T, int METRIC>
GF_DEVICE_FN void gf_distance_level_of_warps(const struct gf_distance_line<T> &line, int64_t first,
                                             int64_t stride, int64_t step)
{
    for (int64_t x = first + gf_warp() * stride; x < line.n; x += blockDim.x / GF_WARP * stride) {
        gf_distance_by_warp<T, METRIC>(
            line, x, gf_distance_cut<T, METRIC>(line, x, gf_distance_between(line, x, step)));
    }
}

/* A thread each, and long searches by its warp. */
template <class T, int METRIC>
GF_DEVICE_FN void gf_distance_level_of_threads(const struct gf_distance_line<T> &line, int64_t step)
{
    for (int64_t begin = int64_t(gf_warp()) * GF_WARP; step + begin * 2 * step < line.n;
         begin += blockDim.x) {
        const int64_t x = step + (begin + gf_lane()) * 2 * step;
        struct gf_distance_range range = {0, -1};
        if (x < line.n) {
            range = gf_distance_cut<T, METRIC>(line, x, gf_distance_between(line, x, step));
        }
        range.hi -= GF_FAULT(cuda_distance_last) && step == 1 && range.hi > range.lo;
        const bool is_long = range.hi - range.lo >= GF_DISTANCE_ALONE;
        if (x < line.n && !is_long) {
            T cost;
            line.from[x] = gf_distance_first<T, METRIC>(line, x, range.lo, range.hi, 1, &cost);
        }
        for (uint32_t lanes = gf_ballot(is_long); lanes; lanes &= lanes - 1) {
            const unsigned lane = static_cast<unsigned>(__ffs(static_cast<int>(lanes))) - 1;
            const struct gf_distance_range all = {gf_shfl(range.lo, lane), gf_shfl(range.hi, lane)};
            gf_distance_by_warp<T, METRIC>(line, gf_shfl(x, lane), all);
        }
    }
}

/* The first site at or below a line of a column; there is one. */
GF_DEVICE_FN int64_t gf_distance_site_from(const struct gf_distance_params &p, int64_t line, int64_t x)
{
    const int64_t from = line > 0 ? line : 0, at = from / GF_DISTANCE_BAND * p.n + x;
    const uint64_t bits = p.sites[at] >> (from % GF_DISTANCE_BAND);
    return bits ? from + __ffsll(static_cast<long long>(bits)) - 1 : p.behind[at];
}

template <class T>
GF_DEVICE_FN void gf_distance_store(const struct gf_distance_params &p, int64_t line, int64_t x, int64_t from,
                                    T cost)
{
    const bool none = cost >= gf_distance_none<T>();
    if (p.nearest) {
        uint32_t place = 0xFFFFFFFFu;
        if (!none) {
            /* all of that column that are not further away are as near on a chessboard */
            const int64_t row = p.metric == GF_DISTANCE_CHESSBOARD
                                    ? gf_distance_site_from(p, line - static_cast<int64_t>(cost), from)
                                    : line + gf_distance_gap(p, line, from);
            place = static_cast<uint32_t>(from * p.width + row);
        }
        reinterpret_cast<uint32_t *>(p.out + x * p.out_pitch)[line] = place;
        return;
    }
    char *row = p.out + line * p.out_pitch;
    if (p.metric == GF_DISTANCE_SQUARED) {
        reinterpret_cast<uint64_t *>(row)[x] = none ? GF_DISTANCE_NONE : static_cast<uint64_t>(cost);
    } else {
        const float v = p.metric == GF_DISTANCE_L2 ? gf_distance_root(cost) : static_cast<float>(cost);
        reinterpret_cast<float *>(row)[x] = none ? gf_bits_float(0x7f800000u) : v;
    }
}

/* Bytes of a line, on chip or in scratch. */
template <class T> static inline int64_t gf_distance_line_bytes(int64_t n)
{
    return n * static_cast<int64_t>(sizeof(T)) + (n + 1) / 2 * 2 * static_cast<int64_t>(sizeof(uint32_t));
}

template <class T, int METRIC>
static __global__ void __launch_bounds__(GF_DISTANCE_MOST_THREADS)
    gf_distance_lines(const struct gf_distance_params p)
{
    GF_SHARED_DYN(char, on_chip);
    const int64_t size =
        p.n * static_cast<int64_t>(sizeof(T)) + (p.n + 1) / 2 * 2 * static_cast<int64_t>(sizeof(uint32_t));
    char *const room = p.in_scratch ? p.room + int64_t(blockIdx.x) * size : on_chip;
    const struct gf_distance_line<T> line = {
        reinterpret_cast<T *>(room), reinterpret_cast<uint32_t *>(room + p.n * int64_t(sizeof(T))), p.n
    };
    for (int64_t y = blockIdx.x; y < p.lines; y += gridDim.x) {
        for (int64_t x = threadIdx.x; x < p.n; x += blockDim.x) {
            const int32_t signed_gap = gf_distance_gap(p, y, x);
            const T gap = static_cast<T>(signed_gap < 0 ? -signed_gap : signed_gap);
            line.own[x] = signed_gap == GF_DISTANCE_FAR ? gf_distance_none<T>()
                          : METRIC == GF_DISTANCE_L2    ? static_cast<T>(gap * gap)
                                                        : gap;
        }
        __syncthreads();
        int64_t step = 1;
        while (step * (blockDim.x / GF_WARP) < p.n && step < p.n) {
            step *= 2;
        }
        gf_distance_level_of_warps<T, METRIC>(line, 0, step, 0);
        __syncthreads();
        for (step /= 2; step >= 1; step /= 2) {
            if (step >= GF_DISTANCE_WARPS_DOWN_TO) {
                gf_distance_level_of_warps<T, METRIC>(line, step, 2 * step, step);
            } else {
                gf_distance_level_of_threads<T, METRIC>(line, step);
            }
            __syncthreads();
        }
        for (int64_t x = threadIdx.x; x < p.n; x += blockDim.x) {
            const int64_t from = line.from[x];
            gf_distance_store<T>(p, y, x, from, gf_distance_with<T, METRIC>(line.own[from], from - x));
        }
        __syncthreads();
    }
}

/* ---- host ---- */

struct gf_distance_layout {
    int64_t n, lines, bands, words;
    bool small;           /* squared distances stay below 2^31 */
    int64_t line, blocks; /* bytes, CUDA blocks */
    bool in_scratch;
};

static struct gf_distance_layout gf_distance_lay_out(const struct gf_apply_run *run)
{
    struct gf_distance_layout l = {};
    struct gf_distance_args args;
    gf_args_get(&run->apply->args, &args, sizeof args);
    l.n = args.nearest ? run->in_values[0].height : run->in_values[0].width;
    l.lines = args.nearest ? run->in_values[0].width : run->in_values[0].height;
    l.bands = (l.lines + GF_DISTANCE_BAND - 1) / GF_DISTANCE_BAND;
    l.words = l.bands * l.n;
    l.small = l.n < 32768 && l.lines < 32768;
    l.line = l.small ? gf_distance_line_bytes<uint32_t>(l.n) : gf_distance_line_bytes<uint64_t>(l.n);
    l.in_scratch = l.line > GF_DISTANCE_SHARED;
    int64_t most = l.in_scratch ? GF_DISTANCE_ROOM / l.line + 1 : INT32_MAX;
    most = l.in_scratch && most > GF_DISTANCE_BLOCKS ? int64_t(GF_DISTANCE_BLOCKS) : most;
    l.blocks = l.lines < most ? l.lines : most;
    return l;
}

size_t gf_distance_cuda_scratch(const struct gf_apply_run *run)
{
    const struct gf_distance_layout l = gf_distance_lay_out(run);
    const size_t tables = static_cast<size_t>(l.words) * (sizeof(uint64_t) + 2 * sizeof(int32_t));
    return tables + (l.in_scratch ? static_cast<size_t>(l.line) * static_cast<size_t>(l.blocks) : 0);
}

template <class T>
static cudaError_t gf_distance_launch_lines(const struct gf_distance_params &p,
                                            const struct gf_launch &launch)
{
    switch (p.metric) {
    case GF_DISTANCE_L1:
        return GF_LAUNCH((gf_distance_lines<T, GF_DISTANCE_L1>), launch, p);
    case GF_DISTANCE_CHESSBOARD:
        return GF_LAUNCH((gf_distance_lines<T, GF_DISTANCE_CHESSBOARD>), launch, p);
    default:
        return GF_LAUNCH((gf_distance_lines<T, GF_DISTANCE_L2>), launch, p);
    }
}

gf_status gf_distance_cuda(const struct gf_apply_run *run, gf_error *error)
{
    GF_ON_DEVICE(run->queue.device, error)
    const struct gf_distance_layout l = gf_distance_lay_out(run);
    struct gf_distance_args args;
    gf_args_get(&run->apply->args, &args, sizeof args);
    struct gf_distance_params p = {};
    p.in = static_cast<const char *>(run->in[0].data);
    p.out = static_cast<char *>(run->out[0].data);
    p.in_pitch = run->in[0].pitch;
    p.out_pitch = run->out[0].pitch;
    p.n = l.n;
    p.lines = l.lines;
    p.bands = l.bands;
    p.width = run->in_values[0].width;
    p.channels = run->in_values[0].channels;
    p.metric = args.metric;
    p.nearest = args.nearest;
    p.in_scratch = l.in_scratch;
    p.sites = static_cast<uint64_t *>(run->scratch);
    p.room = reinterpret_cast<char *>(p.sites + l.words);
    p.before = reinterpret_cast<int32_t *>(p.room + (l.in_scratch ? l.line * l.blocks : 0));
    p.behind = p.before + l.words;

    struct gf_launch launch = {};
    launch.stream = static_cast<cudaStream_t>(run->queue.stream);
    GF_CUDA_TRY(error, gf_distance_find_sites(p, run->in_values[0].depth, launch.stream));
    int64_t threads = (l.n / GF_DISTANCE_PIXELS + GF_WARP) / GF_WARP * GF_WARP;
    threads = threads < GF_DISTANCE_MOST_THREADS ? threads : int64_t(GF_DISTANCE_MOST_THREADS);
    launch.block = dim3(static_cast<unsigned>(threads));
    launch.grid = dim3(static_cast<unsigned>(l.blocks));
    launch.shared = l.in_scratch ? 0 : static_cast<size_t>(l.line);
    if (l.small) {
        GF_CUDA_TRY(error, gf_distance_launch_lines<uint32_t>(p, launch));
    } else {
        GF_CUDA_TRY(error, gf_distance_launch_lines<uint64_t>(p, launch));
    }
    return GF_OK;
}
