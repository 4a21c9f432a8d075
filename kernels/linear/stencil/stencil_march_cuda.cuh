/* Windows of up to 3 x 3: a warp marches down a strip of columns, and takes it through several steps on its
 * way. A lane has 16 bytes of a row. Step k runs a row behind step k - 1, and the lane keeps three rows of
 * the latter in registers; what its neighbours to the left and right have comes by shuffles. Strips overlap
 * by as many columns as there are steps, and segments of a strip by as many rows: these are computed twice.
 * (The scheme is known as streaming temporal blocking: K. Matsumura et al., "AN5D: automated stencil
 * framework for high-degree temporal blocking on GPUs", CGO 2020, which also compares it with others.) */
#ifndef GF_LINEAR_STENCIL_MARCH_CUDA_CUH
#define GF_LINEAR_STENCIL_MARCH_CUDA_CUH

#include "base/planted_fault.h"
#include "linear/stencil/stencil_cuda.cuh"

constexpr int GF_STENCIL_MARCHES = 4; /* warps of a block, side by side */

template <class T> struct gf_stencil_march_args {
    const T *in;
    T *out;
    int64_t rows, columns;
    uint32_t across; /* blocks side by side */
    int64_t segment; /* rows of a segment */
    int32_t border;
    int32_t aligned; /* 1: rows begin at multiples of 16 bytes */
    uint32_t taps;   /* bit 3 j + i: the window has the weight [j][i] */
    T value;
    T weights[9]; /* [j][i] at 3 j + i */
};

/* A strip: elements of a lane, columns that are only read on each side, and those that are written. */
template <class T, int STEPS> struct gf_stencil_strip {
    static constexpr int LANE = 16 / static_cast<int>(sizeof(T));
    static constexpr int HALO = (STEPS + LANE - 1) / LANE * LANE;
    static constexpr int OWN = GF_WARP * LANE - 2 * HALO;
};

/* ---- Rows of a lane ------------------------------------------------------------------------------------------ */

/* A lane's elements of row y. EDGE: those outside are 0, and not used, or with wrap as any other. */
template <bool EDGE, class T, int LANE>
GF_DEVICE_FN void gf_stencil_load(const gf_stencil_march_args<T> &g, int64_t y, int64_t x, T (&v)[LANE])
{
    if (!EDGE) {
        const T *const from = g.in + y * g.columns + x;
        if (g.aligned) {
            const uint4 bits = gf_load16(from); /* strips and segments overlap: it will be used again */
            memcpy(v, &bits, sizeof bits);
            return;
        }
        GF_UNROLL
        for (int e = 0; e < LANE; e++) {
            v[e] = from[e];
        }
        return;
    }
    const bool wraps = g.border == GF_BORDER_WRAP;
    y = wraps ? gf_border_index(y, g.rows, GF_BORDER_WRAP) : y;
    GF_UNROLL
    for (int e = 0; e < LANE; e++) {
        const int64_t u = wraps ? gf_border_index(x + e, g.columns, GF_BORDER_WRAP) : x + e;
        v[e] = y < 0 || y >= g.rows || u < 0 || u >= g.columns ? T(0) : g.in[y * g.columns + u];
    }
}

template <class T, int LANE>
GF_DEVICE_FN void gf_stencil_store(const gf_stencil_march_args<T> &g, int64_t y, int64_t x, T (&v)[LANE])
{
    T *const to = g.out + y * g.columns + x;
    GF_UNROLL
    for (int e = 0; e < LANE; e++) {
        v[e] = gf_matmul_finish(v[e]);
    }
    if (g.aligned && x + LANE <= g.columns) {
        uint4 bits;
        memcpy(&bits, v, sizeof bits);
        gf_store16(to, bits, GF_STREAM);
        return;
    }
    GF_UNROLL
    for (int e = 0; e < LANE; e++) {
        if (x + e < g.columns) {
            to[e] = v[e];
        }
    }
}

/* Returns what lies beyond an end of a row, or of a column: `end` is the last element there, `before` the one
 * next to it, of an axis of n. */
template <class T>
GF_DEVICE_FN T gf_stencil_beyond(const gf_stencil_march_args<T> &g, T end, T before, int64_t n)
{
    return g.border == GF_BORDER_CONSTANT              ? g.value
           : g.border == GF_BORDER_REFLECT101 && n > 1 ? before
                                                       : end;
}

/* The elements with one more on each side. All lanes. */
template <bool EDGE, class T, int LANE>
GF_DEVICE_FN void gf_stencil_extend(const gf_stencil_march_args<T> &g, int64_t x, const T (&v)[LANE],
                                    T (&line)[LANE + 2])
{
    line[0] = gf_shfl_up(v[LANE - 1], 1);
    line[LANE + 1] = gf_shfl_down(v[0], 1);
    GF_UNROLL
    for (int e = 0; e < LANE; e++) {
        line[e + 1] = v[e];
    }
    if (EDGE && g.border != GF_BORDER_WRAP) {
        if (x == 0) {
            line[0] = gf_stencil_beyond(g, line[1], line[2], g.columns);
        }
        GF_UNROLL
        for (int e = 0; e < LANE; e++) {
            if (x + e == g.columns - 1) {
                line[e + 2] = gf_stencil_beyond(g, line[e + 1], line[e], g.columns);
            }
        }
    }
}

/* Finds what lies above the first row, and below the last. */
template <class T, int N>
GF_DEVICE_FN void gf_stencil_ends(const gf_stencil_march_args<T> &g, int64_t y, T (&above)[N],
                                  const T (&row)[N], T (&below)[N])
{
    if (g.border == GF_BORDER_WRAP || (y != 0 && y != g.rows - 1)) {
        return;
    }
    GF_UNROLL
    for (int e = 0; e < N; e++) {
        const T first = gf_stencil_beyond(g, row[e], below[e], g.rows);
        const T last = gf_stencil_beyond(g, row[e], above[e], g.rows);
        above[e] = y == 0 ? first : above[e];
        below[e] = y == g.rows - 1 ? last : below[e];
    }
}

/* ---- Windows --------------------------------------------------------------------------------------------------- */

/* The window of an element and its four neighbours: kept are rows as they are. */
template <class T> struct gf_stencil_cross {
    static constexpr int LANE = 16 / static_cast<int>(sizeof(T));
    static constexpr int WIDTH = LANE;

    template <bool EDGE>
    GF_DEVICE_FN void keep(const gf_stencil_march_args<T> &, int64_t, const T (&v)[LANE], T (&kept)[WIDTH])
    {
        GF_UNROLL
        for (int e = 0; e < LANE; e++) {
            kept[e] = v[e];
        }
    }

    template <bool EDGE>
    GF_DEVICE_FN void sum(const gf_stencil_march_args<T> &g, int64_t x, const T (&above)[WIDTH],
                          const T (&row)[WIDTH], const T (&below)[WIDTH], T (&v)[LANE])
    {
        T line[LANE + 2];
        gf_stencil_extend<EDGE>(g, x, row, line);
        GF_UNROLL
        for (int e = 0; e < LANE; e++) {
            T s = g.weights[1] * above[e];
            s = gf_matmul_add(g.weights[3], line[e], s);
            s = gf_matmul_add(g.weights[4], row[e], s);
            s = gf_matmul_add(g.weights[5], line[e + 2], s);
            v[e] = gf_matmul_add(g.weights[7], below[e], s);
        }
    }
};

/* Any other of up to 3 x 3: kept are rows with one more element on each side. */
template <class T> struct gf_stencil_square {
    static constexpr int LANE = 16 / static_cast<int>(sizeof(T));
    static constexpr int WIDTH = LANE + 2;

    template <bool EDGE>
    GF_DEVICE_FN void keep(const gf_stencil_march_args<T> &g, int64_t x, const T (&v)[LANE], T (&kept)[WIDTH])
    {
        gf_stencil_extend<EDGE>(g, x, v, kept);
    }

    GF_DEVICE_FN void add(const gf_stencil_march_args<T> &g, int j, const T (&line)[WIDTH], T (&v)[LANE])
    {
        GF_UNROLL
        for (int i = 0; i < 3; i++) {
            if ((g.taps >> (3 * j + i) & 1) != 0) {
                GF_UNROLL
                for (int e = 0; e < LANE; e++) {
                    v[e] = gf_matmul_add(g.weights[3 * j + i], line[e + i], v[e]);
                }
            }
        }
    }

    template <bool EDGE>
    GF_DEVICE_FN void sum(const gf_stencil_march_args<T> &g, int64_t, const T (&above)[WIDTH],
                          const T (&row)[WIDTH], const T (&below)[WIDTH], T (&v)[LANE])
    {
        GF_UNROLL
        for (int e = 0; e < LANE; e++) {
            v[e] = -T(0); /* to which a product adds exactly, be it -0 */
        }
        add(g, 0, above, v);
        add(g, 1, row, v);
        add(g, 2, below, v);
    }
};

/* ---- The march ------------------------------------------------------------------------------------------------ */

/* Rows `first` to `end` - 1 of the strip whose lane begins at column x. At time t it loads row first - STEPS
 * + t; step k has its row of time t in ring[k][t % 3]. */
template <bool EDGE, int STEPS, class W, class T>
GF_DEVICE_FN void gf_stencil_march_strip(const gf_stencil_march_args<T> &g, int64_t x, int64_t first,
                                         int64_t end, bool writes)
{
    constexpr int LANE = W::LANE, WIDTH = W::WIDTH;
    const int64_t last = end + STEPS - 1;
    T ring[STEPS][3][WIDTH] = {}, ahead[3][LANE];
    int64_t row = first - STEPS;
    GF_UNROLL
    for (int s = 0; s < 3; s++) {
        gf_stencil_load<EDGE>(g, row + s < last ? row + s : last, x, ahead[s]);
    }
    while (row <= last) {
        GF_UNROLL
        for (int s = 0; s < 3; s++, row++) {
            const int64_t next = row + 3 < last ? row + 3 : last;
            W::template keep<EDGE>(g, x, ahead[s], ring[0][s]);
            gf_stencil_load<EDGE>(g, next, x, ahead[s]);
            GF_UNROLL
            for (int k = 1; k <= STEPS; k++) {
                T above[WIDTH], below[WIDTH], v[LANE];
                GF_UNROLL
                for (int e = 0; e < WIDTH; e++) {
                    above[e] = ring[k - 1][(s + 1) % 3][e];
                    below[e] = ring[k - 1][s][e];
                }
                if (EDGE) {
                    gf_stencil_ends(g, row - k, above, ring[k - 1][(s + 2) % 3], below);
                }
                W::template sum<EDGE>(g, x, above, ring[k - 1][(s + 2) % 3], below, v);
                if (k < STEPS) {
                    W::template keep<EDGE>(g, x, v, ring[k % STEPS][s]);
                } else if (writes && row - STEPS >= first && row - STEPS < end) {
                    gf_stencil_store(g, row - STEPS, x, v);
                }
            }
        }
    }
}

template <class W, int STEPS, class T>
static __global__ void __launch_bounds__(GF_STENCIL_MARCHES *GF_WARP)
    gf_stencil_march(const gf_stencil_march_args<T> g)
{
    using strip = gf_stencil_strip<T, STEPS>;
    const int64_t start =
        (int64_t(blockIdx.x % g.across) * GF_STENCIL_MARCHES + gf_warp()) * strip::OWN - strip::HALO;
    const int64_t first =
        int64_t(blockIdx.x / g.across) * g.segment + (STEPS > 1 && GF_FAULT(cuda_stencil_seam));
    const int64_t end = first + g.segment < g.rows ? first + g.segment : g.rows;
    if (start + strip::HALO >= g.columns) {
        return; /* all of the warp */
    }
    const int at = static_cast<int>(gf_lane()) * strip::LANE;
    const bool writes = at >= strip::HALO && at < strip::HALO + strip::OWN;
    const bool inside =
        start >= 0 && start + GF_WARP * strip::LANE <= g.columns && first >= STEPS && end + STEPS <= g.rows;
    if (inside) {
        gf_stencil_march_strip<false, STEPS, W>(g, start + at, first, end, writes);
    } else {
        gf_stencil_march_strip<true, STEPS, W>(g, start + at, first, end, writes);
    }
}

/* Queues a pass of `steps` steps, 1 to STEPS. */
template <class W, int STEPS, class T>
static gf_status gf_stencil_march_launch(const struct gf_stencil_call *call, gf_stencil_march_args<T> g,
                                         int64_t steps, int processors, gf_error *error)
{
    if constexpr (STEPS > 1) {
        if (steps < STEPS) {
            return gf_stencil_march_launch<W, STEPS - 1>(call, g, steps, processors, error);
        }
    }
    /* Rows that two segments load are the fewer the higher these are, and what blocks that end later than
     * others leave idle is the less the lower they are. */
    constexpr int64_t OWN = gf_stencil_strip<T, STEPS>::OWN, LEAST = 4 * STEPS, MOST = 16 * STEPS, WARPS = 40;
    const int64_t strips = (g.columns - 1) / OWN + 1;
    const int64_t share = static_cast<int64_t>(static_cast<double>(g.rows) * static_cast<double>(strips) /
                                               (WARPS * processors));
    gf_launch c = {};
    g.segment = share < LEAST ? LEAST : share < MOST ? share : MOST;
    g.aligned = g.columns % gf_stencil_strip<T, STEPS>::LANE == 0 &&
                reinterpret_cast<uintptr_t>(g.in) % 16 == 0 && reinterpret_cast<uintptr_t>(g.out) % 16 == 0;
    c.block = dim3(GF_STENCIL_MARCHES * GF_WARP);
    c.stream = static_cast<cudaStream_t>(call->array.queue.stream);
    GF_TRY(gf_stencil_grid(call, g.segment, GF_STENCIL_MARCHES * OWN, &c.grid, &g.across, error));
    GF_CUDA_TRY(error, GF_LAUNCH((gf_stencil_march<W, STEPS, T>), c, g));
    return GF_OK;
}

#endif
