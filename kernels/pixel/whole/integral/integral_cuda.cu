/* integral on CUDA. A warp marches down a cell, 4 samples a lane: once to sum what others need of it, which
 * is its last column and its last row, and, when those have been added up across and down, once more to
 * store. So the samples are read twice, and sums written once. Integers may be added in any order: their
 * first march adds columns up and rows, and scans nothing but the last row. */
#include "base/device_scope_cuda.h"
#include "base/gf_num.h"
#include "pixel/cuda/dispatch_pixel_cuda.cuh"
#include "pixel/whole/integral/integral_cuda.cuh"

enum {
    GF_INTEGRAL_WARPS = 4, /* of a CUDA block */
    GF_INTEGRAL_AHEAD = 8  /* rows that are loaded before they are needed */
};

static_assert(GF_CELL_H == GF_WARP, "a row of a cell is a lane's");

/* Within a cell integers stay below 2^32. */
template <class T> struct gf_integral_types {
    using part = uint32_t;
    using sum = uint64_t;
};
template <> struct gf_integral_types<float> {
    using part = double;
    using sum = double;
};

/* Four samples of a row as they lie in memory, 0 where there are none. */
template <class T> struct gf_integral_four {
    uint32_t words[sizeof(T)];

    __device__ __forceinline__ T at(int k) const
    {
        T v;
        if constexpr (sizeof(T) == 4) {
            memcpy(&v, &words[k], sizeof v);
        } else {
            constexpr int EACH = 4 / static_cast<int>(sizeof(T)), BITS = 8 * static_cast<int>(sizeof(T));
            v = static_cast<T>(words[k / EACH] >> (k % EACH * BITS));
        }
        return v;
    }
};

template <class T>
GF_DEVICE_FN struct gf_integral_four<T> gf_integral_load(const struct gf_integral_params &p, int64_t x,
                                                         int64_t y, int channel) {
    struct gf_integral_four<T> four = {
    };
    const T *row = reinterpret_cast<const T *>(p.in + y * p.in_pitch);
    if (y >= p.height) {
        return four;
    }
    if (p.wide && x + GF_INTEGRAL_GROUP <= p.width) {
        if constexpr (sizeof(T) == 1) {
            four.words[0] = gf_load4(row + x);
        } else if constexpr (sizeof(T) == 2) {
            const uint2 v = gf_load8(row + x);
            four.words[0] = v.x, four.words[1] = v.y;
        } else {
            const uint4 v = gf_load16(row + x);
            four.words[0] = v.x, four.words[1] = v.y, four.words[2] = v.z, four.words[3] = v.w;
        }
        return four;
    }
    T v[GF_INTEGRAL_GROUP] = {};
    GF_UNROLL
    for (int k = 0; k < GF_INTEGRAL_GROUP; k++) {
        if (x + k < p.width) {
            v[k] = row[(x + k) * p.channels + channel];
        }
    }
    memcpy(four.words, v, sizeof v);
    return four;
}

/* p of the lane's samples. */
template <class T, class P>
GF_DEVICE_FN void gf_integral_scan(const struct gf_integral_four<T> &four, P *sums)
{
    sums[0] = static_cast<P>(four.at(0));
    GF_UNROLL
    for (int k = 1; k < GF_INTEGRAL_GROUP; k++) {
        sums[k] = sums[k - 1] + static_cast<P>(four.at(k));
    }
    P scan = sums[GF_INTEGRAL_GROUP - 1];
    GF_UNROLL
    for (unsigned step = 1; step < GF_INTEGRAL_GROUPS; step *= 2) {
        const P moved = gf_shfl_up(scan, step);
        scan = gf_lane() >= step ? moved + scan : scan;
    }
    const P before = gf_shfl_up(scan, 1u);
    GF_UNROLL
    for (int k = 0; k < GF_INTEGRAL_GROUP; k++) {
        sums[k] = (gf_lane() ? before : P(0)) + sums[k];
    }
}

GF_DEVICE_FN uint64_t gf_integral_canonical(uint64_t v)
{
    return v;
}

GF_DEVICE_FN double gf_integral_canonical(double v)
{
    return v == v ? v : gf_bits_double(UINT64_C(0x7ff8000000000000));
}

/* Four sums of a row. Lanes in pairs swap two each, so that 16 bytes of one lie beside those of the other. */
template <class S>
GF_DEVICE_FN void gf_integral_store(const struct gf_integral_params &p, int64_t x, int64_t y, int channel,
                                    const S *sums)
{
    S *row = reinterpret_cast<S *>(p.out + y * p.out_pitch);
    const int64_t cell = x - x % GF_CELL_W;
    if (p.wide && cell + GF_CELL_W <= p.width) {
        const bool odd = gf_lane() % 2 != 0;
        const S mine[2] = {odd ? sums[0] : sums[2], odd ? sums[1] : sums[3]};
        const S theirs[2] = {gf_shfl_xor(mine[0], 1u), gf_shfl_xor(mine[1], 1u)};
        const S first[2] = {odd ? theirs[0] : sums[0], odd ? theirs[1] : sums[1]};
        const S second[2] = {odd ? sums[2] : theirs[0], odd ? sums[3] : theirs[1]};
        uint4 word;
        S *to = row + cell + gf_lane() / 2 * 8 + (odd ? 2 : 0);
        memcpy(&word, first, sizeof word);
        gf_store16(to, word, GF_STREAM);
        memcpy(&word, second, sizeof word);
        gf_store16(to + 4, word, GF_STREAM);
        return;
    }
    GF_UNROLL
    for (int k = 0; k < GF_INTEGRAL_GROUP; k++) {
        if (x + k < p.width) {
            row[(x + k) * p.channels + channel] = sums[k];
        }
    }
}

/* A cell, which is a warp's; a channel is z. */
struct gf_integral_cell {
    int64_t across, down, x, top; /* x: the lane's first sample */
    int channel;

    __device__ __forceinline__ explicit gf_integral_cell(const struct gf_integral_params &p)
        : channel(static_cast<int>(blockIdx.z))
    {
        const int64_t cell = int64_t(blockIdx.x) * GF_INTEGRAL_WARPS + gf_warp();
        down = cell / p.across;
        across = cell - down * p.across;
        x = across * GF_CELL_W + gf_lane() * GF_INTEGRAL_GROUP;
        top = down * GF_CELL_H;
    }
    /* Indexed by row of the picture; by column. */
    template <class S> __device__ __forceinline__ S *rows(const struct gf_integral_params &p) const
    {
        return static_cast<S *>(p.g) + (channel * p.across + across) * p.height;
    }
    template <class S> __device__ __forceinline__ S *columns(const struct gf_integral_params &p) const
    {
        return static_cast<S *>(p.above) + (channel * p.down + down) * p.width;
    }
};

/* row(i, samples) of each row i of the cell that lies in the picture. */
template <class T, class F>
GF_DEVICE_FN void gf_integral_march(const struct gf_integral_params &p, const struct gf_integral_cell &cell,
                                    F &&row)
{
    struct gf_integral_four<T> now[GF_INTEGRAL_AHEAD], next[GF_INTEGRAL_AHEAD];
    GF_UNROLL
    for (int r = 0; r < GF_INTEGRAL_AHEAD; r++) {
        next[r] = gf_integral_load<T>(p, cell.x, cell.top + r, cell.channel);
    }
    for (int begin = 0; begin < GF_CELL_H && cell.top + begin < p.height; begin += GF_INTEGRAL_AHEAD) {
        GF_UNROLL
        for (int r = 0; r < GF_INTEGRAL_AHEAD; r++) {
            now[r] = next[r];
            if (begin + GF_INTEGRAL_AHEAD < GF_CELL_H) {
                next[r] =
                    gf_integral_load<T>(p, cell.x, cell.top + begin + GF_INTEGRAL_AHEAD + r, cell.channel);
            }
        }
        GF_UNROLL
        for (int r = 0; r < GF_INTEGRAL_AHEAD; r++) {
            if (cell.top + begin + r < p.height) {
                row(begin + r, now[r]);
            }
        }
    }
}

/* The last row of a cell, sums of the lane's columns up to each. */
template <class S, class P>
GF_DEVICE_FN void gf_integral_put_line(const struct gf_integral_params &p,
                                       const struct gf_integral_cell &cell, const P *c)
{
    S *const line = cell.columns<S>(p);
    GF_UNROLL
    for (int k = 0; k < GF_INTEGRAL_GROUP; k++) {
        if (cell.x + k < p.width) {
            line[cell.x + k] = static_cast<S>(c[k]);
        }
    }
}

/* c of the last column and of the last row of a cell of integers. */
template <class T>
static __global__ void __launch_bounds__(GF_INTEGRAL_WARPS *GF_WARP)
    gf_integral_edges(const struct gf_integral_params p)
{
    const struct gf_integral_cell cell(p);
    if (cell.down >= p.down) {
        return;
    }
    uint64_t *const g = cell.rows<uint64_t>(p) + cell.top;
    struct gf_integral_four<uint32_t> columns = {
    };
    uint32_t all = 0, own = 0; /* up to this row; up to the lane's */
    const int lane = static_cast<int>(gf_lane());
    gf_integral_march<T>(p, cell, [&](int i, const struct gf_integral_four<T> &four) {
        uint32_t sum = 0;
        GF_UNROLL
        for (int k = 0; k < GF_INTEGRAL_GROUP; k++) {
            columns.words[k] += four.at(k);
            sum += four.at(k);
        }
        all += gf_reduce_add(sum);
        own = i == lane ? all : own;
    });
    if (cell.top + lane < p.height) {
        g[lane] = own;
    }
    uint32_t c[GF_INTEGRAL_GROUP];
    gf_integral_scan<uint32_t, uint32_t>(columns, c);
    gf_integral_put_line<uint64_t>(p, cell, c);
}

/* STORE: the sums of a cell; else the same of its edges as gf_integral_edges, in the order of f32. */
template <class T, bool STORE>
static __global__ void __launch_bounds__(GF_INTEGRAL_WARPS *GF_WARP)
    gf_integral_cells(const struct gf_integral_params p)
{
    using P = typename gf_integral_types<T>::part;
    using S = typename gf_integral_types<T>::sum;
    const struct gf_integral_cell cell(p);
    if (cell.down >= p.down) {
        return;
    }
    S *const g = cell.rows<S>(p) + cell.top;
    const int64_t rows = p.height - cell.top, left_x = cell.across * GF_CELL_W;
    const int64_t last = p.width - left_x < GF_CELL_W ? p.width - 1 : left_x + GF_CELL_W - 1;
    S above[GF_INTEGRAL_GROUP] = {}, lefts = S(0); /* a lane a row */
    P c[GF_INTEGRAL_GROUP] = {};
    if (STORE) {
        const S *const line = cell.columns<S>(p);
        GF_UNROLL
        for (int k = 0; k < GF_INTEGRAL_GROUP; k++) {
            above[k] = cell.x + k < p.width ? line[cell.x + k] : S(0);
        }
        lefts = gf_lane() < rows ? g[gf_lane()] : S(0);
    }
    gf_integral_march<T>(p, cell, [&](int i, const struct gf_integral_four<T> &four) {
        P sums[GF_INTEGRAL_GROUP];
        S made[GF_INTEGRAL_GROUP];
        gf_integral_scan<T, P>(four, sums);
        const S left = STORE ? gf_shfl(lefts, static_cast<unsigned>(i)) : S(0);
        GF_UNROLL
        for (int k = 0; k < GF_INTEGRAL_GROUP; k++) {
            c[k] = i ? c[k] + sums[k] : sums[k];
            made[k] = gf_integral_canonical(above[k] + (left + static_cast<S>(c[k])));
            if (!STORE && cell.x + k == last) {
                g[i] = static_cast<S>(c[k]);
            }
        }
        if (STORE) {
            gf_integral_store<S>(p, cell.x, cell.top + i, cell.channel, made);
        }
    });
    if (!STORE) {
        gf_integral_put_line<S>(p, cell, c);
    }
}

size_t gf_integral_cuda_scratch(const struct gf_apply_run *run)
{
    const struct gf_value *in = &run->in_values[0];
    const size_t across = static_cast<size_t>((in->width + GF_CELL_W - 1) / GF_CELL_W);
    const size_t down = static_cast<size_t>((in->height + GF_CELL_H - 1) / GF_CELL_H);
    return (across * static_cast<size_t>(in->height) + down * static_cast<size_t>(in->width)) *
           static_cast<size_t>(in->channels) * sizeof(uint64_t);
}

template <class T> static gf_status gf_integral_run(const struct gf_apply_run *run, gf_error *error)
{
    using S = typename gf_integral_types<T>::sum;
    const struct gf_value *in = &run->in_values[0];
    struct gf_integral_params p = {};
    p.in = static_cast<const char *>(run->in[0].data);
    p.out = static_cast<char *>(run->out[0].data);
    p.in_pitch = run->in[0].pitch;
    p.out_pitch = run->out[0].pitch;
    p.width = in->width;
    p.height = in->height;
    p.channels = in->channels;
    p.across = (p.width + GF_CELL_W - 1) / GF_CELL_W;
    p.down = (p.height + GF_CELL_H - 1) / GF_CELL_H;
    p.wide = p.channels == 1 && p.in_pitch % static_cast<int64_t>(GF_INTEGRAL_GROUP * sizeof(T)) == 0 &&
             p.out_pitch % 16 == 0 && reinterpret_cast<uintptr_t>(p.out) % 16 == 0 &&
             reinterpret_cast<uintptr_t>(p.in) % (GF_INTEGRAL_GROUP * sizeof(T)) == 0;
    p.g = run->scratch;
    p.above = static_cast<S *>(p.g) + p.channels * p.across * p.height;

    gf_launch cells = gf_launch_on(
        run->queue.stream,
        dim3(gf_blocks(p.across * p.down, GF_INTEGRAL_WARPS), 1, static_cast<unsigned>(p.channels)),
        GF_INTEGRAL_WARPS * GF_WARP);
    if constexpr (sizeof(T) < 4) {
        GF_CUDA_TRY(error, GF_LAUNCH((gf_integral_edges<T>), cells, p));
    } else {
        GF_CUDA_TRY(error, GF_LAUNCH((gf_integral_cells<T, false>), cells, p));
    }
    GF_TRY(gf_integral_sums_launch(p, sizeof(T) == 4, cells.stream, error));
    GF_CUDA_TRY(error, GF_LAUNCH((gf_integral_cells<T, true>), cells, p));
    return GF_OK;
}

gf_status gf_integral_cuda(const struct gf_apply_run *run, gf_error *error)
{
    GF_ON_DEVICE(run->queue.device, error)
    return gf_dispatch_sample(run->in_values[0].depth, error, [&](auto tag) {
        return gf_integral_run<typename decltype(tag)::type>(run, error);
    });
}
