/* What a call of a recursive filter on CUDA is, where one tile of it stands, and groups of tiles: how they
 * end, joined by one warp, and how a tile starts. Part of iir_cuda.cu. */
#ifndef GF_SIGNAL_IIR_GROUPS_CUDA_CUH
#define GF_SIGNAL_IIR_GROUPS_CUDA_CUH

#include "signal/iir_rows.h"
#include "signal/iir_tile_cuda.cuh"

enum { TOPS = GF_IIR_LEVELS - GF_IIR_LEVEL }; /* levels of groups of tiles */

/* Of a call. Blocks, tiles and groups of 2^l tiles are counted from frame 0; group j of level l, made in the
 * call, is number at[l] + j - (first_tile >> l) of `nodes`. */
struct span {
    int64_t begin, end; /* blocks that are whole */
    int64_t first_tile, tiles, nodes, at[TOPS];
};

template <int K> struct params {
    const float *in;
    float *out;
    int64_t in_pitch, out_pitch, count;
    const struct gf_signal_iir_made *made; /* as the host's, of device memory */
    char *state;                           /* of channel 0: groups of 2^k blocks, by k */
    size_t state_bytes;
    uint32_t *arrived;             /* one a node of a channel: zero before */
    struct gf_dd *nodes, *of_tail; /* [channels][nodes][2K]; [channels][6][2K] groups of the last tile */
    double *trees;                 /* [tiles][channels], leaf and group of struct gf_iir_tile */
    int64_t channels;
    bool wide_in, wide_out;
    struct span span;
    struct gf_section section[K];
};

/* f64 of a tile between the kernels, for a state. */
enum { GF_IIR_STATE = 3 * GF_IIR_PAIRS };

/* What one warp works on. */
template <int K> struct place {
    const params<K> &p;
    int64_t channel, tile,
        from;     /* from: of the tile's first frame in the call; negative where the tile is begun */
    int old, end; /* blocks of the tile that lie before the call; that are whole in the end */

    __device__ place(const params<K> &q, int64_t number)
        : p(q), channel(number % q.channels), tile(q.span.first_tile + number / q.channels),
          from((tile * GF_IIR_TILE - q.span.begin) * GF_IIR_BLOCK)
    {
        const int64_t first = tile * GF_IIR_TILE, rest = q.span.end - first;
        old = first < q.span.begin ? static_cast<int>(q.span.begin - first) : 0;
        end = rest < GF_IIR_TILE ? static_cast<int>(rest) : GF_IIR_TILE;
    }
    __device__ struct gf_dd *slot(int k) const
    {
        return reinterpret_cast<struct gf_dd *>(p.state + channel * p.state_bytes) + k * 2 * K;
    }
    __device__ struct gf_dd *tail(int k) const { return p.of_tail + (channel * GF_IIR_LEVEL + k) * 2 * K; }
    __device__ int64_t number(int l, int64_t group) const
    {
        return channel * p.span.nodes + p.span.at[l] + group - (p.span.first_tile >> l);
    }
    /* The group of 2^l tiles that ends at the tile's bit l was there before the call. */
    __device__ bool is_old(int l) const { return tile >> l << l <= p.span.first_tile; }
    __device__ struct gf_dd *node(int l, int64_t group) const { return p.nodes + number(l, group) * 2 * K; }
    /* Row `row` of the group that ends at the tile's bit l. */
    __device__ struct gf_dd before(int l, int row) const
    {
        return (is_old(l) ? slot(GF_IIR_LEVEL + l) : node(l, (tile >> l) - 1))[row];
    }
};

/* Tells one warp whether the other half of group `group` of level l is there: the call makes both, and the
 * first one to come leaves the group to the second. */
template <int K> GF_DEVICE_FN bool comes_second(const place<K> &at, int l, int64_t group)
{
    uint32_t others = 0;
    gf_syncwarp();
    if (gf_lane() == 0) {
        others = gf_atomic_add_acq_rel(at.p.arrived + at.number(l, group), 1u);
    }
    return gf_shfl(others, 0) != 0;
}

/* One warp: hands on how the tile ends, and joins the groups that are complete with it. */
template <int K>
GF_DEVICE_FN void join(const place<K> &at, const struct gf_dd *of_tile, const struct gf_dd *power,
                       struct gf_dd *left)
{
    const int n = 2 * K, row = static_cast<int>(gf_lane());
    const int64_t tiles = at.p.span.end / GF_IIR_TILE; /* that are whole */
    struct gf_dd mine = {0.0, 0.0};
    if (row < n) {
        mine = of_tile[gf_iir_at(row, GF_IIR_PAIRS - 1)];
    }
    for (int l = 0;; l++) {
        const int64_t group = at.tile >> l, above = group >> 1;
        const bool is_right = group & 1, old = is_right && at.is_old(l);
        if (row < n) {
            at.node(l, group)[row] = mine;
        }
        if (l + 1 == TOPS || (above + 1) << (l + 1) > tiles || (!old && !comes_second(at, l + 1, above))) {
            return;
        }
        gf_syncwarp();
        if (row < n) {
            const struct gf_dd other = is_right ? at.before(l, row) : at.node(l, group + 1)[row];
            left[row] = is_right ? other : mine;
            mine = is_right ? mine : other;
        }
        gf_syncwarp();
        if (row < n) {
            gf_iir_row_of<K>(power + (GF_IIR_LEVEL + l) * n * n, row, left, &mine);
        }
        gf_syncwarp();
    }
}

/* Row `row` of how a tile starts, of which lanes that are neighbours have all rows, in `start`: the groups of
 * its number's bits from the highest on. All lanes of a warp go through the same levels. */
template <int K>
GF_DEVICE_FN void fold(const place<K> &at, const struct gf_dd *power, int row, struct gf_dd *start)
{
    const int n = 2 * K;
    const int64_t last = at.p.span.first_tile + at.p.span.tiles - 1;
    struct gf_dd next = {0.0, 0.0};
    bool begun = false;
    int l = 0;
    while (last >> l) {
        l++;
    }
    const auto look = [&](int level) {
        if (level >= 0 && at.tile >> level & 1) {
            next = at.before(level, row);
        }
    };
    start[row] = next;
    for (look(--l); l >= 0; l--) {
        const bool has = at.tile >> l & 1;
        struct gf_dd end = next;
        look(l - 1); /* read while this one is used */
        gf_syncwarp();
        if (has && begun) {
            gf_iir_row_of<K>(power + (GF_IIR_LEVEL + l) * n * n, row, start, &end);
        }
        gf_syncwarp();
        if (has) {
            start[row] = end;
            begun = true;
        }
    }
}

#endif
