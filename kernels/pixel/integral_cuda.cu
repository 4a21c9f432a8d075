/* integral on CUDA. A warp marches down a cell, 4 samples a lane: once to sum what others need of it, which
 * is its last column and its last row, and, when those have been added up across and down, once more to
 * store. So the samples are read twice, and sums written once. */
#include "base/device_scope_cuda.h"
#include "base/gf_num.h"
#include "base/planted_fault.h"
#include "pixel/integral.h"

enum {
    GF_INTEGRAL_WARPS = 4,    /* of a CUDA block */
    GF_INTEGRAL_AHEAD = 8,    /* rows that are loaded before they are needed */
    GF_INTEGRAL_THREADS = 128 /* of those that add up cells */
};

/* In a cell integers stay below 2^32. */
template <class T> struct gf_integral_types {
    using part = uint32_t;
    using sum = uint64_t;
};
template <> struct gf_integral_types<float> {
    using part = double;
    using sum = double;
};

struct gf_integral_params {
    const char *in;
    char *out;
    int64_t in_pitch, out_pitch, width, height, across, down; /* cells */
    int32_t channels;
    bool wide; /* rows are whole words */
    void *g;   /* by channel, column of cells and row: c of the last column; then what is left of the cell */
    void *above; /* by channel, row of cells and column: c of the last row; then what is above the cell */
};

/* Four samples of a row, 0 where there are none. */
template <class T> struct gf_integral_four {
    T v[GF_INTEGRAL_GROUP];
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
        if (sizeof(T) == 1) {
            const uint32_t word = gf_load4(row + x);
            memcpy(four.v, &word, sizeof four.v);
        } else if (sizeof(T) == 2) {
            const uint2 word = gf_load8(row + x);
            memcpy(four.v, &word, sizeof four.v);
        } else {
            const uint4 word = gf_load16(row + x);
            memcpy(four.v, &word, sizeof four.v);
        }
        return four;
    }
    GF_UNROLL
    for (int k = 0; k < GF_INTEGRAL_GROUP; k++) {
        if (x + k < p.width) {
            four.v[k] = row[(x + k) * p.channels + channel];
        }
    }
    return four;
}

/* p of the lane's samples. */
template <class T, class P>
GF_DEVICE_FN void gf_integral_scan(const struct gf_integral_four<T> &four, P *sums)
{
    sums[0] = static_cast<P>(four.v[0]);
    GF_UNROLL
    for (int k = 1; k < GF_INTEGRAL_GROUP; k++) {
        sums[k] = sums[k - 1] + static_cast<P>(four.v[k]);
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

/* A cell a warp; a channel is z. STORE: sums; else what other cells need. */
template <class T, bool STORE>
static __global__ void __launch_bounds__(GF_INTEGRAL_WARPS *GF_WARP)
    gf_integral_cells(const struct gf_integral_params p)
{
    using P = typename gf_integral_types<T>::part;
    using S = typename gf_integral_types<T>::sum;
    const int64_t cell = int64_t(blockIdx.x) * GF_INTEGRAL_WARPS + gf_warp();
    const int64_t down = cell / p.across, across = cell - down * p.across;
    if (down >= p.down) {
        return;
    }
    const int channel = static_cast<int>(blockIdx.z);
    const int64_t x = across * GF_CELL_W + gf_lane() * GF_INTEGRAL_GROUP, top = down * GF_CELL_H;
    S *const g = static_cast<S *>(p.g) + (channel * p.across + across) * p.height;
    S *const line = static_cast<S *>(p.above) + (channel * p.down + down) * p.width;
    const int64_t last = p.width - 1 - across * GF_CELL_W < GF_CELL_W ? p.width - 1 - across * GF_CELL_W
                                                                      : int64_t(GF_CELL_W - 1);
    S above[GF_INTEGRAL_GROUP] = {};
    P c[GF_INTEGRAL_GROUP] = {};
    GF_UNROLL
    for (int k = 0; k < GF_INTEGRAL_GROUP; k++) {
        if (STORE && x + k < p.width) {
            above[k] = line[x + k];
        }
    }
    for (int begin = 0; begin < GF_CELL_H && top + begin < p.height; begin += GF_INTEGRAL_AHEAD) {
        struct gf_integral_four<T> rows[GF_INTEGRAL_AHEAD];
        GF_UNROLL
        for (int r = 0; r < GF_INTEGRAL_AHEAD; r++) {
            rows[r] = gf_integral_load<T>(p, x, top + begin + r, channel);
        }
        GF_UNROLL
        for (int r = 0; r < GF_INTEGRAL_AHEAD; r++) {
            const int64_t y = top + begin + r;
            P sums[GF_INTEGRAL_GROUP];
            S made[GF_INTEGRAL_GROUP];
            if (y >= p.height) {
                break;
            }
            gf_integral_scan<T, P>(rows[r], sums);
            const S left = STORE ? g[y] : S(0);
            GF_UNROLL
            for (int k = 0; k < GF_INTEGRAL_GROUP; k++) {
                c[k] = begin + r ? c[k] + sums[k] : sums[k];
                made[k] = gf_integral_canonical(above[k] + (left + static_cast<S>(c[k])));
                if (!STORE && x + k == across * GF_CELL_W + last) {
                    g[y] = static_cast<S>(c[k]);
                }
            }
            if (STORE) {
                gf_integral_store<S>(p, x, y, channel, made);
            }
        }
    }
    GF_UNROLL
    for (int k = 0; k < GF_INTEGRAL_GROUP; k++) {
        if (!STORE && x + k < p.width) {
            line[x + k] = static_cast<S>(c[k]);
        }
    }
}

/* A row a thread: what is left of each cell. */
template <class S>
static __global__ void __launch_bounds__(GF_INTEGRAL_THREADS)
    gf_integral_across(const struct gf_integral_params p)
{
    const int64_t y = int64_t(blockIdx.x) * GF_INTEGRAL_THREADS + threadIdx.x;
    S *const g = static_cast<S *>(p.g) + int64_t(blockIdx.z) * p.across * p.height + y;
    S sum = 0;
    for (int64_t i = 0; y < p.height && i < p.across; i++) {
        const S own = g[i * p.height];
        g[i * p.height] = sum;
        sum = sum + (GF_FAULT(cuda_integral_cell) ? S(0) : own);
    }
}

/* A column a thread: what is above each cell. */
template <class S>
static __global__ void __launch_bounds__(GF_INTEGRAL_THREADS)
    gf_integral_down(const struct gf_integral_params p)
{
    const int64_t x = int64_t(blockIdx.x) * GF_INTEGRAL_THREADS + threadIdx.x;
    S *const line = static_cast<S *>(p.above) + int64_t(blockIdx.z) * p.down * p.width + x;
    const S *const g =
        static_cast<const S *>(p.g) + (int64_t(blockIdx.z) * p.across + x / GF_CELL_W) * p.height;
    S sum = 0;
#ifndef GF_EMU
#pragma unroll 8
#endif
    for (int64_t i = 0; i < (x < p.width ? p.down : 0); i++) {
        const int64_t end = (i + 1) * GF_CELL_H;
        const S own = line[i * p.width], left = g[(end < p.height ? end : p.height) - 1];
        line[i * p.width] = sum;
        sum = sum + (left + own);
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

    struct gf_launch cells = {};
    cells.block = dim3(GF_INTEGRAL_WARPS * GF_WARP);
    cells.grid = dim3(gf_blocks(p.across * p.down, GF_INTEGRAL_WARPS), 1, static_cast<unsigned>(p.channels));
    cells.stream = static_cast<cudaStream_t>(run->queue.stream);
    struct gf_launch across = cells, down = cells;
    across.block = down.block = dim3(GF_INTEGRAL_THREADS);
    across.grid.x = gf_blocks(p.height, GF_INTEGRAL_THREADS);
    down.grid.x = gf_blocks(p.width, GF_INTEGRAL_THREADS);
    GF_CUDA_TRY(error, GF_LAUNCH((gf_integral_cells<T, false>), cells, p));
    GF_CUDA_TRY(error, GF_LAUNCH((gf_integral_across<S>), across, p));
    GF_CUDA_TRY(error, GF_LAUNCH((gf_integral_down<S>), down, p));
    GF_CUDA_TRY(error, GF_LAUNCH((gf_integral_cells<T, true>), cells, p));
    return GF_OK;
}

gf_status gf_integral_cuda(const struct gf_apply_run *run, gf_error *error)
{
    GF_ON_DEVICE(run->queue.device, error)
    switch (run->in_values[0].depth) {
    case GF_U8:
        return gf_integral_run<uint8_t>(run, error);
    case GF_U16:
        return gf_integral_run<uint16_t>(run, error);
    default:
        return gf_integral_run<float>(run, error);
    }
}
