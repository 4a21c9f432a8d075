/* What a CUDA block does inside a tile of 128 blocks of 64 frames of a recursive filter: sums, the tree of
 * groups over them and back, and the frames. Blocks that lie before the call count as old: what the tree
 * needs of them is in the state. By threads of a block of GF_IIR_THREADS; part of iir_cuda.cu. */
#ifndef GF_SIGNAL_IIR_TILE_CUDA_CUH
#define GF_SIGNAL_IIR_TILE_CUDA_CUH

#include "base/gf_cuda.h"
#include "signal/iir_make.h"

/* LEVEL: a tile is a group of 2^7 blocks. A thread makes a block's frames. */
enum { GF_IIR_LEVEL = 7, GF_IIR_TILE = 1 << GF_IIR_LEVEL, GF_IIR_THREADS = GF_IIR_TILE };
enum { GF_IIR_FRAMES = GF_IIR_TILE * GF_IIR_BLOCK, GF_IIR_PAIRS = GF_IIR_TILE / 2 };

/* One tile in shared memory, for n states. Frames lie where the rest does, before it or after it.
 *   x      frames, a row of 64 per block, 16 quads of 4 frames, where the quad's place is that of gf_iir_quad
 *   leaf   [n][128] of f64: how each block ends from state 0; later its start
 *   group  [n][64]: that of group j of 2^k blocks, k >= 1, lies at (j + 1) 2^(k - 1) - 1, where its right
 * half
 *          was; later starts, that of the right half where the group's was */
struct gf_iir_tile {
    float *x;
    double *leaf;
    struct gf_dd *group;
};

/* Eight rows have their quads of one number in different banks. */
GF_DEVICE_FN float *gf_iir_quad(float *x, int row, int quad)
{
    return x + row * GF_IIR_BLOCK + 4 * (quad ^ (row & 7));
}

struct gf_iir_four {
    float of[4];
};

GF_DEVICE_FN struct gf_iir_four gf_iir_load_four(const float *p)
{
    const uint4 bits = gf_load16(p);
    struct gf_iir_four v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

/* Two f64. */
GF_DEVICE_FN struct gf_dd gf_iir_load(const void *p, gf_hint hint)
{
    const uint4 bits = gf_load16(p, hint);
    struct gf_dd v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

GF_DEVICE_FN double gf_iir_finite(float x)
{
    return static_cast<double>(gf_fma(x, 0.0F, x));
}

/* How the blocks end from state 0. A thread sums S states of B blocks, so that it loads less than it
 * multiplies. */
template <int K, int S, int B> GF_DEVICE_FN void gf_iir_sum(const struct gf_iir_tile &t, const double *sums)
{
    const int each = GF_IIR_TILE / B;
    const int id = static_cast<int>(threadIdx.x);
    const int row = id % each, state = id / each * S;
    static_assert(2 * K / S * (GF_IIR_TILE / B) == GF_IIR_THREADS, "each thread has its sums");
    double sum[S][B] = {};
    for (int quad = 0; quad < GF_IIR_BLOCK / 4; quad++) {
        struct gf_iir_four x[B];
        GF_UNROLL
        for (int b = 0; b < B; b++) {
            x[b] = gf_iir_load_four(gf_iir_quad(t.x, row + b * each, quad));
        }
        GF_UNROLL
        for (int i = 0; i < 4; i++) {
            double factor[S];
            GF_UNROLL
            for (int s = 0; s < S; s += 2) {
                const struct gf_dd two = gf_iir_load(sums + (4 * quad + i) * 2 * K + state + s, GF_READ_ONLY);
                factor[s] = two.hi;
                factor[s + 1] = two.lo;
            }
            GF_UNROLL
            for (int b = 0; b < B; b++) {
                const double v = gf_iir_finite(x[b].of[i]);
                GF_UNROLL
                for (int s = 0; s < S; s++) {
                    sum[s][b] = gf_fma_double(factor[s], v, sum[s][b]);
                }
            }
        }
    }
    __syncthreads(); /* all have read the frames, whose place sums have */
    GF_UNROLL
    for (int s = 0; s < S; s++) {
        GF_UNROLL
        for (int b = 0; b < B; b++) {
            t.leaf[(state + s) * GF_IIR_TILE + row + b * each] = sum[s][b];
        }
    }
}

/* R rows from `row` on, of one section, of power * left + right, as gf_dd_row; left[c] is left.at(c), right
 * is in sum. */
template <int R, class L>
GF_DEVICE_FN void gf_iir_rows_of(const struct gf_dd *power, int n, int row, const L &left, struct gf_dd *sum)
{
    power += row * n;
    for (int c = 0; c <= (row | 1); c += 2) {
        GF_UNROLL
        for (int d = 0; d < 2; d++) {
            const struct gf_dd v = left.at(c + d);
            GF_UNROLL
            for (int r = 0; r < R; r++) {
                gf_dd_add_product(&sum[r], gf_iir_load(power + r * n + c + d, GF_READ_ONLY), v);
            }
        }
    }
    GF_UNROLL
    for (int r = 0; r < R; r++) {
        sum[r] = gf_dd_done(sum[r]);
    }
}

/* The same for one row, where few threads work: eight columns are read before they are used. */
template <int K>
GF_DEVICE_FN void gf_iir_row_of(const struct gf_dd *power, int row, const struct gf_dd *left,
                                struct gf_dd *sum)
{
    const int n = 2 * K, some = n < 8 ? n : 8;
    power += row * n;
    for (int first = 0; first <= (row | 1); first += some) {
        struct gf_dd m[some], v[some];
        GF_UNROLL
        for (int c = 0; c < some; c++) {
            m[c] = gf_iir_load(power + first + c, GF_READ_ONLY);
            v[c] = gf_iir_load(left + first + c, GF_CACHED);
        }
        GF_UNROLL
        for (int c = 0; c < some; c++) {
            if (first + c <= (row | 1)) {
                gf_dd_add_product(sum, m[c], v[c]);
            }
        }
    }
    *sum = gf_dd_done(*sum);
}

struct gf_iir_leaf_at {
    const double *leaf;
    __device__ __forceinline__ struct gf_dd at(int c) const { return {leaf[c * GF_IIR_TILE], 0.0}; }
};
struct gf_iir_group_at {
    const struct gf_dd *group;
    __device__ __forceinline__ struct gf_dd at(int c) const
    {
        return gf_iir_load(group + c * GF_IIR_PAIRS, GF_CACHED);
    }
};

/* The groups of 2^(k + 1) blocks, k >= 1, that end behind block `old`. A thread makes R rows of one. */
template <int K, int R>
GF_DEVICE_FN void gf_iir_up_level(const struct gf_iir_tile &t, const struct gf_dd *power, int k, int old)
{
    const int n = 2 * K, groups = GF_IIR_TILE >> (k + 1), half = (1 << k) / 2;
    for (int id = static_cast<int>(threadIdx.x); id < groups * n / R; id += GF_IIR_THREADS) {
        const int j = id % groups, row = id / groups * R, place = ((j + 1) << k) - 1;
        struct gf_dd *to = t.group + row * GF_IIR_PAIRS + place; /* where the right half is */
        struct gf_dd sum[R];
        if ((j + 1) << (k + 1) <= old) {
            continue;
        }
        GF_UNROLL
        for (int r = 0; r < R; r++) {
            sum[r] = to[r * GF_IIR_PAIRS];
        }
        gf_iir_rows_of<R>(power + k * n * n, n, row, gf_iir_group_at{t.group + place - half}, sum);
        GF_UNROLL
        for (int r = 0; r < R; r++) {
            to[r * GF_IIR_PAIRS] = sum[r];
        }
    }
    __syncthreads();
}

/* Groups from their halves: rows by twos, which load less, while there is work for all threads. */
template <int K> GF_DEVICE_FN void gf_iir_up(const struct gf_iir_tile &t, const struct gf_dd *power, int old)
{
    for (int id = static_cast<int>(threadIdx.x); id < GF_IIR_PAIRS * K; id += GF_IIR_THREADS) {
        const int j = id % GF_IIR_PAIRS, row = id / GF_IIR_PAIRS * 2;
        const double *right = t.leaf + row * GF_IIR_TILE + 2 * j + 1;
        struct gf_dd sum[2] = {{right[0], 0.0}, {right[GF_IIR_TILE], 0.0}};
        if (2 * j + 2 <= old) {
            continue;
        }
        gf_iir_rows_of<2>(power, 2 * K, row, gf_iir_leaf_at{t.leaf + 2 * j}, sum);
        t.group[row * GF_IIR_PAIRS + j] = sum[0];
        t.group[(row + 1) * GF_IIR_PAIRS + j] = sum[1];
    }
    __syncthreads();
    gf_iir_up_level<K, 2>(t, power, 1, old);
    for (int k = 2; k < GF_IIR_LEVEL; k++) {
        gf_iir_up_level<K, 1>(t, power, k, old);
    }
}

/* Starts of the halves of groups of 2^(k + 1) blocks, k >= 1. */
template <int K, int R>
GF_DEVICE_FN void gf_iir_down_level(const struct gf_iir_tile &t, const struct gf_dd *power, int k)
{
    const int n = 2 * K, groups = GF_IIR_TILE >> (k + 1), half = (1 << k) / 2;
    const int most = K > 4 ? K / 4 : 1; /* of a thread */
    struct gf_dd right[most][R];
    GF_UNROLL
    for (int q = 0; q < most; q++) {
        const int id = static_cast<int>(threadIdx.x) + q * GF_IIR_THREADS;
        const int row = id / groups * R, place = ((id % groups + 1) << k) - 1;
        if (row < n) {
            GF_UNROLL
            for (int r = 0; r < R; r++) {
                right[q][r] = t.group[(row + r) * GF_IIR_PAIRS + place - half];
            }
            gf_iir_rows_of<R>(power + k * n * n, n, row, gf_iir_group_at{t.group + place}, right[q]);
        }
    }
    __syncthreads(); /* all have read the groups' starts */
    GF_UNROLL
    for (int q = 0; q < most; q++) {
        const int id = static_cast<int>(threadIdx.x) + q * GF_IIR_THREADS;
        const int row = id / groups * R, place = ((id % groups + 1) << k) - 1;
        GF_UNROLL
        for (int r = 0; r < R && row < n; r++) {
            struct gf_dd *to = t.group + (row + r) * GF_IIR_PAIRS + place;
            to[-half] = to[0];
            to[0] = right[q][r];
        }
    }
    __syncthreads();
}

/* Starts of halves from those of groups: the left half starts as the group does, the right one with what
 * becomes of that and how the left one ends. At the end `leaf` has the starts of blocks. */
template <int K> GF_DEVICE_FN void gf_iir_down(const struct gf_iir_tile &t, const struct gf_dd *power)
{
    for (int k = GF_IIR_LEVEL - 1; k > 1; k--) {
        gf_iir_down_level<K, 1>(t, power, k);
    }
    gf_iir_down_level<K, 2>(t, power, 1);
    for (int id = static_cast<int>(threadIdx.x); id < GF_IIR_PAIRS * K; id += GF_IIR_THREADS) {
        const int j = id % GF_IIR_PAIRS, row = id / GF_IIR_PAIRS * 2;
        double *left = t.leaf + row * GF_IIR_TILE + 2 * j;
        struct gf_dd right[2] = {{left[0], 0.0}, {left[GF_IIR_TILE], 0.0}};
        gf_iir_rows_of<2>(power, 2 * K, row, gf_iir_group_at{t.group + j}, right);
        left[0] = t.group[row * GF_IIR_PAIRS + j].hi;
        left[GF_IIR_TILE] = t.group[(row + 1) * GF_IIR_PAIRS + j].hi;
        left[1] = right[0].hi;
        left[GF_IIR_TILE + 1] = right[1].hi;
    }
    __syncthreads();
}

/* The frames of this thread's block, in place, from state s on. */
template <int K>
GF_DEVICE_FN void gf_iir_frames(const struct gf_iir_tile &t, const struct gf_section *section, double *s)
{
    const int row = static_cast<int>(threadIdx.x);
    for (int quad = 0; quad < GF_IIR_BLOCK / 4; quad++) {
        float *place = gf_iir_quad(t.x, row, quad);
        struct gf_iir_four v = gf_iir_load_four(place);
        GF_UNROLL
        for (int i = 0; i < 4; i++) {
            double x = gf_iir_finite(v.of[i]);
            GF_UNROLL
            for (int k = 0; k < K; k++) {
                const struct gf_section &c = section[k];
                const double y = gf_fma_double(c.b0, x, s[2 * k]);
                s[2 * k] = gf_fma_double(-c.a1, y, gf_fma_double(c.b1, x, s[2 * k + 1]));
                s[2 * k + 1] = gf_fma_double(-c.a2, y, c.b2 * x);
                x = y;
            }
            v.of[i] = gf_canonical(static_cast<float>(x));
        }
        uint4 bits;
        memcpy(&bits, &v, sizeof bits);
        gf_store16(place, bits);
    }
}

#endif
