/* What a warp does inside a tile of 64 blocks of a recursive filter: how the blocks end, the tree of groups
 * over them and back, and their frames. A lane has two blocks that are neighbours. Blocks that lie before the
 * call count as old: what the tree needs of them is in the state. Part of iir_cuda.cu. */
#ifndef GF_SIGNAL_IIR_TILE_CUDA_CUH
#define GF_SIGNAL_IIR_TILE_CUDA_CUH

#include "base/gf_cuda.h"
#include "signal/iir_make.h"

/* LEVEL: a tile is a group of 2^6 blocks. PART: frames of each of its blocks that are loaded together. */
enum { GF_IIR_LEVEL = 6, GF_IIR_TILE = 1 << GF_IIR_LEVEL, GF_IIR_PAIRS = GF_IIR_TILE / 2 };
enum { GF_IIR_FRAMES = GF_IIR_TILE * GF_IIR_BLOCK, GF_IIR_PART = 16, GF_IIR_QUADS = GF_IIR_PART / 4 };

/* Few states: what all lanes multiply by at once stands in the kernel's parameters, since loads of it would
 * take longer than the products. Very few: code without loops, whose operands are constants; that for more
 * would not stay in the cache of instructions. */
template <int K> constexpr bool gf_iir_is_small = K <= 4;
template <int K> constexpr bool gf_iir_is_tiny = K <= 2;

template <int K> struct gf_iir_constants {
    enum { SMALL = gf_iir_is_small<K> };
    double sums[SMALL ? GF_IIR_BLOCK * 2 * K : 1];
    struct gf_dd power[SMALL ? 4 * K * K : 1];
};

/* Of a tile, for n states, in shared or global memory:
 *   leaf   [n][32] of f64: how the left block of each pair ends from state 0
 *   group  [n][32]: that of group j of 2^k blocks, k >= 1, is number (j + 1) 2^(k - 1) - 1 of a row, where
 * its
 *          right half was; later starts, that of the right half where the group's was */
struct gf_iir_tile {
    double *leaf;
    struct gf_dd *group;
};

/* Where group `number` of a row lies: groups of one size are in different banks. */
GF_DEVICE_FN int gf_iir_at(int row, int number)
{
    return row * GF_IIR_PAIRS + (number ^ number >> 3);
}

/* Four frames of a part of a tile: lanes have those of their pairs in different banks. */
GF_DEVICE_FN float *gf_iir_quad(float *x, int row, int quad)
{
    const int pair = row >> 1;
    return x + pair * 2 * GF_IIR_PART + 4 * (((row & 1) * GF_IIR_QUADS + quad) ^ (pair & 7));
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

/* Adds what frames [first, first + GF_IIR_PART) of this lane's blocks are to their ends. */
template <int K>
GF_DEVICE_FN void gf_iir_sum(const struct gf_iir_constants<K> &constant, const double *sums, int first,
                             float *x, double (&end)[2][2 * K])
{
    enum { AT_ONCE = gf_iir_is_tiny<K> ? GF_IIR_QUADS : gf_iir_is_small<K> ? 2 : 1 };
    const int n = 2 * K, row = 2 * static_cast<int>(gf_lane());
#pragma unroll AT_ONCE
    for (int quad = 0; quad < GF_IIR_QUADS; quad++) {
        const struct gf_iir_four left = gf_iir_load_four(gf_iir_quad(x, row, quad));
        const struct gf_iir_four right = gf_iir_load_four(gf_iir_quad(x, row + 1, quad));
        GF_UNROLL
        for (int i = 0; i < 4; i++) {
            const int at = (first + 4 * quad + i) * n;
            const double l = gf_iir_finite(left.of[i]), r = gf_iir_finite(right.of[i]);
            GF_UNROLL
            for (int s = 0; s < n; s += 2) {
                struct gf_dd two;
                if constexpr (gf_iir_is_small<K>) {
                    two = {constant.sums[at + s], constant.sums[at + s + 1]};
                } else {
                    two = gf_iir_load(sums + at + s, GF_READ_ONLY);
                }
                end[0][s] = gf_fma_double(two.hi, l, end[0][s]);
                end[1][s] = gf_fma_double(two.hi, r, end[1][s]);
                end[0][s + 1] = gf_fma_double(two.lo, l, end[0][s + 1]);
                end[1][s + 1] = gf_fma_double(two.lo, r, end[1][s + 1]);
            }
        }
    }
}

/* R rows from `row` on, of one section, of power * left + right, as gf_dd_row; right is in sum. */
template <int R, class L>
GF_DEVICE_FN void gf_iir_rows_of(const struct gf_dd *power, int n, int row, const L &left, struct gf_dd *sum)
{
    power += row * n;
    for (int c = 0; c <= (row | 1); c += 2) {
        GF_UNROLL
        for (int d = 0; d < 2; d++) {
            const struct gf_dd v = left(c + d);
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

/* power * left + right of this lane's pair, all rows; what is made is given to `put`(row, ...). */
template <int K, class L, class R, class P>
GF_DEVICE_FN void gf_iir_pair(const struct gf_iir_constants<K> &constant, const struct gf_dd *power,
                              const L &left, const R &right, const P &put)
{
    const int n = 2 * K;
    if constexpr (gf_iir_is_small<K>) {
        GF_UNROLL
        for (int row = 0; row < n; row++) {
            struct gf_dd sum = {right(row), 0.0};
            GF_UNROLL
            for (int c = 0; c < n; c++) {
                if (c <= (row | 1)) {
                    gf_dd_add_product(&sum, constant.power[row * n + c], left(c));
                }
            }
            put(row, gf_dd_done(sum));
        }
    } else {
        for (int row = n - 2; row >= 0; row -= 2) { /* no row is used when it has been put */
            struct gf_dd sum[2] = {{right(row), 0.0}, {right(row + 1), 0.0}};
            gf_iir_rows_of<2>(power, n, row, left, sum);
            put(row, sum[0]);
            put(row + 1, sum[1]);
        }
    }
}

/* The groups of 2^(k + 1) blocks, k >= 1, that end behind block `old`. A lane makes R rows of one. */
template <int K, int R>
GF_DEVICE_FN void gf_iir_up_level(struct gf_dd *group, const struct gf_dd *power, int k, int old)
{
    const int n = 2 * K, groups = GF_IIR_TILE >> (k + 1), half = (1 << k) / 2;
    for (int id = static_cast<int>(gf_lane()); id < groups * n / R; id += GF_WARP) {
        const int j = id % groups, row = id / groups * R, place = ((j + 1) << k) - 1;
        struct gf_dd sum[R];
        if ((j + 1) << (k + 1) <= old) {
            continue;
        }
        GF_UNROLL
        for (int r = 0; r < R; r++) {
            sum[r] = group[gf_iir_at(row + r, place)]; /* where the right half is */
        }
        gf_iir_rows_of<R>(
            power + k * n * n, n, row,
            [&](int c) { return gf_iir_load(group + gf_iir_at(c, place - half), GF_CACHED); }, sum);
        GF_UNROLL
        for (int r = 0; r < R; r++) {
            group[gf_iir_at(row + r, place)] = sum[r];
        }
    }
    gf_syncwarp();
}

/* Groups from their halves, from pairs on: rows by twos, which load less, while all lanes have work. */
template <int K> GF_DEVICE_FN void gf_iir_up(struct gf_dd *group, const struct gf_dd *power, int old)
{
    const int twos = K >= 4 ? 2 : 1;
    gf_iir_up_level<K, 2>(group, power, 1, old);
    gf_iir_up_level<K, twos>(group, power, 2, old);
    for (int k = 3; k < GF_IIR_LEVEL; k++) {
        gf_iir_up_level<K, 1>(group, power, k, old);
    }
}

/* Starts of the halves of groups of 2^(k + 1) blocks, k >= 1: the left half starts as the group does, the
 * right one with what becomes of that and how the left one ends. Later rows first, which earlier ones do not
 * look at. */
template <int K, int R>
GF_DEVICE_FN void gf_iir_down_level(struct gf_dd *group, const struct gf_dd *power, int k)
{
    const int n = 2 * K, groups = GF_IIR_TILE >> (k + 1), half = (1 << k) / 2, items = groups * n / R;
    for (int first = (items - 1) / GF_WARP * GF_WARP; first >= 0; first -= GF_WARP) {
        const int id = first + static_cast<int>(gf_lane());
        const int row = id / groups * R, place = ((id % groups + 1) << k) - 1;
        struct gf_dd right[R];
        if (id < items) {
            GF_UNROLL
            for (int r = 0; r < R; r++) {
                right[r] = group[gf_iir_at(row + r, place - half)];
            }
            gf_iir_rows_of<R>(
                power + k * n * n, n, row,
                [&](int c) { return gf_iir_load(group + gf_iir_at(c, place), GF_CACHED); }, right);
        }
        gf_syncwarp(); /* all have read the groups' starts */
        GF_UNROLL
        for (int r = 0; r < R; r++) {
            if (id < items) {
                group[gf_iir_at(row + r, place - half)] = group[gf_iir_at(row + r, place)];
                group[gf_iir_at(row + r, place)] = right[r];
            }
        }
        gf_syncwarp();
    }
}

/* Starts of pairs from that of the tile. */
template <int K> GF_DEVICE_FN void gf_iir_down(struct gf_dd *group, const struct gf_dd *power)
{
    const int twos = K >= 4 ? 2 : 1;
    for (int k = GF_IIR_LEVEL - 1; k > 2; k--) {
        gf_iir_down_level<K, 1>(group, power, k);
    }
    gf_iir_down_level<K, twos>(group, power, 2);
    gf_iir_down_level<K, 2>(group, power, 1);
}

/* A part of the frames of this lane's blocks, in place, from states s on. */
template <int K>
GF_DEVICE_FN void gf_iir_frames(const struct gf_section *section, float *x, double (&s)[2][2 * K])
{
    const int row = 2 * static_cast<int>(gf_lane());
    for (int quad = 0; quad < GF_IIR_QUADS; quad++) {
        struct gf_iir_four v[2];
        GF_UNROLL
        for (int b = 0; b < 2; b++) {
            v[b] = gf_iir_load_four(gf_iir_quad(x, row + b, quad));
        }
        GF_UNROLL
        for (int i = 0; i < 4; i++) {
            double y[2] = {gf_iir_finite(v[0].of[i]), gf_iir_finite(v[1].of[i])};
            GF_UNROLL
            for (int k = 0; k < K; k++) {
                const struct gf_section &c = section[k];
                GF_UNROLL
                for (int b = 0; b < 2; b++) {
                    const double in = y[b];
                    y[b] = gf_fma_double(c.b0, in, s[b][2 * k]);
                    s[b][2 * k] = gf_fma_double(-c.a1, y[b], gf_fma_double(c.b1, in, s[b][2 * k + 1]));
                    s[b][2 * k + 1] = gf_fma_double(-c.a2, y[b], c.b2 * in);
                }
            }
            v[0].of[i] = gf_canonical(static_cast<float>(y[0]));
            v[1].of[i] = gf_canonical(static_cast<float>(y[1]));
        }
        GF_UNROLL
        for (int b = 0; b < 2; b++) {
            uint4 bits;
            memcpy(&bits, &v[b], sizeof bits);
            gf_store16(gf_iir_quad(x, row + b, quad), bits);
        }
    }
}

#endif
