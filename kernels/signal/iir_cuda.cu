/* Recursive filters on CUDA, three kernels over tiles of 64 blocks, each of which is a warp's, so that nobody
 * waits for others. The first one makes how each tile's blocks and groups of blocks end, and of two
 * neighbouring tiles or groups of tiles the warp that comes second joins both. The second one folds how a
 * tile starts from the groups that stand for the bits of its number; the third one goes back down to its
 * blocks, and makes their frames.
 */
#include "base/cuda_status.h"
#include "base/device_scope_cuda.h"
#include "signal/iir_groups_cuda.cuh"
#include "signal/iir_track_cuda.cuh"
#include "signal/signal_cuda.h"

static_assert(GF_SIGNAL_STEP % GF_IIR_BLOCK == 0, "a call makes whole blocks");

/* Where group k of the bit k of `blocks` lies in the tile. */
GF_DEVICE_FN int group_of_bit(int blocks, int k)
{
    return (blocks >> k << k >> 1) - 1;
}

/* Puts the groups that a begun tile has from before where the tree looks for them. */
template <int K> GF_DEVICE_FN void take_old(const place<K> &at, struct gf_dd *group)
{
    for (int id = static_cast<int>(gf_lane()); id < GF_IIR_LEVEL * 2 * K; id += GF_WARP) {
        const int k = id / (2 * K), c = id % (2 * K);
        if (k > 0 && at.old >> k & 1) {
            group[gf_iir_at(c, group_of_bit(at.old, k))] = at.slot(k)[c];
        }
    }
    gf_syncwarp();
}

/* Hands on the groups of pairs and more that end where the call does, inside of its last tile. */
template <int K> GF_DEVICE_FN void hand_on(const place<K> &at, const struct gf_dd *group)
{
    for (int id = static_cast<int>(gf_lane()); id < GF_IIR_LEVEL * 2 * K; id += GF_WARP) {
        const int k = id / (2 * K), c = id % (2 * K);
        if (k > 0 && at.end >> k & 1 && at.end >> k << k > at.old) {
            at.tail(k)[c] = group[gf_iir_at(c, group_of_bit(at.end, k))];
        }
    }
}

/* The last tile of a channel: the state that the next call finds. */
template <int K> GF_DEVICE_FN void keep(const place<K> &at)
{
    const struct span &span = at.p.span;
    for (int id = static_cast<int>(gf_lane()); id < GF_IIR_LEVELS * 2 * K; id += GF_WARP) {
        const int k = id / (2 * K), c = id % (2 * K), l = k - GF_IIR_LEVEL;
        if (span.end >> k & 1 && span.end >> k << k > span.begin) {
            const struct gf_dd *from =
                l < 0 ? at.tail(k) : at.p.nodes + at.number(l, (span.end >> k) - 1) * 2 * K;
            at.slot(k)[c] = from[c];
        }
    }
}

/* A tile between the kernels. */
template <int K> GF_DEVICE_FN struct gf_iir_tile tree(const params<K> &p, int64_t number)
{
    double *leaf = p.trees + number * (GF_IIR_STATE * 2 * K);
    return {leaf, reinterpret_cast<struct gf_dd *>(leaf + 2 * K * GF_IIR_PAIRS)};
}

template <int K> struct tables {
    const double *sums;
    const struct gf_dd *power;
    __device__ explicit tables(const params<K> &p)
        : sums(reinterpret_cast<const double *>(p.made + 1)),
          power(reinterpret_cast<const struct gf_dd *>(sums + GF_IIR_BLOCK * 2 * K))
    {
    }
};

/* Warps side by side on a processor, by registers. */
template <int K> constexpr int gf_iir_warps = K <= 2 ? 24 : K == 4 ? 20 : 8;

/* How the pairs of the tile end, and how their left blocks do, from how blocks do. */
template <int K>
GF_DEVICE_FN void make_pairs(const place<K> &at, const struct gf_iir_constants<K> &constant,
                             const struct gf_dd *power, double (&end)[2][2 * K], const struct gf_iir_tile &t,
                             double *leaf)
{
    const int n = 2 * K, lane = static_cast<int>(gf_lane());
    if (at.old & 1 && lane == at.old / 2) { /* its left block lies before the call */
        GF_UNROLL
        for (int c = 0; c < n; c++) {
            end[0][c] = at.slot(0)[c].hi;
        }
    }
    GF_UNROLL
    for (int c = 0; c < n; c++) {
        leaf[c * GF_IIR_PAIRS + lane] = end[0][c];
        if (at.end & 1 && at.end > at.old && lane == at.end / 2) {
            at.tail(0)[c] = {end[0][c], 0.0};
        }
    }
    gf_syncwarp(); /* all have read the frames, in whose place the tree is */
    const auto put = [&](int row, struct gf_dd sum) {
        if (2 * lane + 2 > at.old) {
            t.group[gf_iir_at(row, lane)] = sum;
        }
    };
    if constexpr (gf_iir_is_small<K>) {
        gf_iir_pair<K>(
            constant, power,
            [&](int c) {
                return gf_dd{end[0][c], 0.0};
            },
            [&](int r) { return end[1][r]; }, put);
    } else {
        GF_UNROLL
        for (int c = 0; c < n; c++) {
            t.leaf[c * GF_IIR_PAIRS + lane] = end[0][c];
            t.group[gf_iir_at(c, lane)].hi = end[1][c];
        }
        gf_iir_pair<K>(
            constant, power,
            [&](int c) {
                return gf_dd{t.leaf[c * GF_IIR_PAIRS + lane], 0.0};
            },
            [&](int r) { return t.group[gf_iir_at(r, lane)].hi; }, put);
    }
}

template <int K>
static __global__ void __launch_bounds__(GF_WARP, gf_iir_warps<K>)
    gf_iir_ends(const params<K> p, const struct gf_iir_constants<K> constant)
{
    GF_SHARED_DYN(float, room);
    GF_SHARED(struct gf_dd, left, 2 * K);
    const tables<K> made(p);
    const place<K> at(p, blockIdx.x);
    const frames_of<K> frames(at, room);
    const struct gf_iir_tile to = tree<K>(p, blockIdx.x);
    double *leaf = reinterpret_cast<double *>(room + 2 * K * GF_IIR_PAIRS * 4);
    const struct gf_iir_tile t = {leaf, reinterpret_cast<struct gf_dd *>(room)};
    double end[2][2 * K] = {};
    const auto add = [&](int number) {
        frames.load(number + 1);
        gf_iir_sum<K>(constant, made.sums, number * GF_IIR_PART, frames.use(number), end);
        gf_syncwarp(); /* all have read what is loaded next in its place */
    };
    frames.load(0);
    if constexpr (gf_iir_is_tiny<K>) {
        GF_UNROLL
        for (int number = 0; number < PARTS; number++) {
            add(number);
        }
    } else {
#pragma unroll 1
        for (int number = 0; number < PARTS; number++) {
            add(number);
        }
    }
    make_pairs(at, constant, made.power, end, t, to.leaf);
    gf_syncwarp();
    take_old(at, t.group);
    gf_iir_up<K>(t.group, made.power, at.old);
    hand_on(at, t.group);
    if (at.end == GF_IIR_TILE) {
        join(at, t.group, made.power, left);
    }
    GF_UNROLL
    for (int row = 0; row < 2 * K; row++) {
        const int i = row * GF_IIR_PAIRS + static_cast<int>(gf_lane());
        gf_store16(to.group + i, gf_load16(t.group + i));
    }
}

/* How each tile starts, to where the end of its largest group was: a lane a row, some tiles a warp. */
enum { STARTS = 128 };
template <int K> static __global__ void __launch_bounds__(STARTS) gf_iir_starts(const params<K> p)
{
    GF_SHARED(struct gf_dd, room, STARTS);
    const int n = 2 * K, row = static_cast<int>(threadIdx.x) % n, own = static_cast<int>(threadIdx.x) / n;
    const int64_t all = p.span.tiles * p.channels, number = int64_t(blockIdx.x) * (STARTS / n) + own;
    const place<K> at(p, number < all ? number : all - 1);
    struct gf_dd *start = room + own * n;
    fold(at, tables<K>(p).power, row, start);
    if (number < all) {
        tree<K>(p, number).group[gf_iir_at(row, GF_IIR_PAIRS - 1)] = start[row];
    }
}

/* States that this lane's blocks start with, from those of its pair. */
template <int K>
GF_DEVICE_FN void start_blocks(const struct gf_iir_constants<K> &constant, const struct gf_dd *power,
                               const struct gf_iir_tile &t, double (&s)[2][2 * K])
{
    const int n = 2 * K, lane = static_cast<int>(gf_lane());
    const auto right = [&](int row) { return t.leaf[row * GF_IIR_PAIRS + lane]; };
    if constexpr (gf_iir_is_small<K>) {
        struct gf_dd start[n];
        GF_UNROLL
        for (int c = 0; c < n; c++) {
            start[c] = t.group[gf_iir_at(c, lane)];
            s[0][c] = start[c].hi;
        }
        gf_iir_pair<K>(
            constant, power, [&](int c) { return start[c]; }, right,
            [&](int row, struct gf_dd sum) { s[1][row] = sum.hi; });
    } else {
        gf_iir_pair<K>(
            constant, power, [&](int c) { return t.group[gf_iir_at(c, lane)]; }, right,
            [&](int row, struct gf_dd sum) { t.leaf[row * GF_IIR_PAIRS + lane] = sum.hi; });
        GF_UNROLL
        for (int c = 0; c < n; c++) {
            s[0][c] = t.group[gf_iir_at(c, lane)].hi;
            s[1][c] = right(c);
        }
    }
}

template <int K>
static __global__ void __launch_bounds__(GF_WARP, gf_iir_warps<K>)
    gf_iir_begins(const params<K> p, const struct gf_iir_constants<K> constant)
{
    GF_SHARED_DYN(float, room);
    const place<K> at(p, blockIdx.x);
    const struct gf_iir_tile from = tree<K>(p, blockIdx.x);
    double *leaf = reinterpret_cast<double *>(room + PART); /* beside the first part of the frames */
    const struct gf_iir_tile t = {leaf, reinterpret_cast<struct gf_dd *>(leaf + 2 * K * GF_IIR_PAIRS)};
    const frames_of<K> frames(at, room);
    for (int i = static_cast<int>(gf_lane()) * 2; i < GF_IIR_STATE * 2 * K; i += 2 * GF_WARP) {
        gf_cp_async<16>(leaf + i, from.leaf + i);
    }
    gf_cp_async_commit();
    frames.load(0);
    gf_cp_async_wait<1>();
    gf_syncwarp();
    gf_iir_down<K>(t.group, tables<K>(p).power);
    double s[2][2 * K];
    start_blocks(constant, tables<K>(p).power, t, s);
    gf_syncwarp(); /* all have read the tree, in whose place frames are */
#pragma unroll 1
    for (int number = 0; number < PARTS; number++) {
        frames.load(number + 1);
        gf_iir_frames<K>(p.section, frames.use(number), s);
        frames.store(number);
        gf_syncwarp();
    }
    if (at.tile == p.span.first_tile + p.span.tiles - 1) {
        keep(at); /* the kernels before have read what it replaces */
    }
}

static int64_t ceil16(int64_t bytes)
{
    return (bytes + 15) / 16 * 16;
}

/* Of scratch: words that are zeroed, then nodes, tails and trees. */
static int64_t words(int64_t nodes, int64_t channels)
{
    return ceil16(4 * channels * nodes);
}

extern "C" size_t gf_signal_iir_cuda_scratch(const void *args, int64_t most, int32_t channels)
{
    const int64_t n = static_cast<const struct gf_signal_iir *>(args)->made->states;
    const int64_t tiles = most / GF_IIR_FRAMES + 2, nodes = 2 * tiles + TOPS;
    const int64_t of_state = (nodes + GF_IIR_LEVEL) * int64_t(sizeof(struct gf_dd)) +
                             tiles * GF_IIR_STATE * int64_t(sizeof(double));
    return static_cast<size_t>(words(nodes, channels) + channels * n * of_state);
}

static struct span span_of(int64_t first, int64_t count)
{
    struct span s = {};
    s.begin = first / GF_IIR_BLOCK;
    s.end = (first + count) / GF_IIR_BLOCK;
    s.first_tile = s.begin / GF_IIR_TILE;
    s.tiles = (first + count - 1) / GF_IIR_FRAMES + 1 - s.first_tile;
    for (int l = 0; l < TOPS; l++) {
        s.at[l] = s.nodes;
        s.nodes += (s.end / GF_IIR_TILE >> l) - (s.first_tile >> l);
    }
    return s;
}

template <int K>
static gf_status launch(cudaStream_t stream, const params<1> &base, const struct gf_signal_iir_made *made,
                        gf_error *error)
{
    params<K> p = {base.in,      base.out,   base.in_pitch,    base.out_pitch, base.count,
                   base.made,    base.state, base.state_bytes, base.arrived,   base.nodes,
                   base.of_tail, base.trees, base.channels,    base.wide_in,   base.wide_out,
                   base.span,    {}};
    struct gf_iir_constants<K> constant = {
    };
    memcpy(p.section, made->section, sizeof p.section);
    if (gf_iir_is_small<K>) {
        memcpy(constant.sums, gf_iir_sums(made), sizeof constant.sums);
        memcpy(constant.power, gf_iir_power(made, 0), sizeof constant.power);
    }
    const size_t part = PART * sizeof(float), tree = GF_IIR_STATE * 2 * K * sizeof(double);
    gf_launch tiles = {};
    tiles.grid = dim3(gf_blocks(p.span.tiles * p.channels, 1));
    tiles.block = dim3(GF_WARP);
    tiles.shared = part + (part > tree ? part : tree);
    tiles.stream = stream;
    gf_launch starts = tiles;
    starts.grid = dim3(gf_blocks(p.span.tiles * p.channels, STARTS / (2 * K)));
    starts.block = dim3(STARTS);
    starts.shared = 0;
    GF_CUDA_TRY(error, GF_LAUNCH((gf_iir_ends<K>), tiles, p, constant));
    GF_CUDA_TRY(error, GF_LAUNCH((gf_iir_starts<K>), starts, p));
    GF_CUDA_TRY(error, GF_LAUNCH((gf_iir_begins<K>), tiles, p, constant));
    return GF_OK;
}

extern "C" gf_status gf_signal_iir_cuda(gf_queue queue, const void *args, void *state, void *scratch,
                                        const struct gf_track *in, int64_t frames, const struct gf_track *out,
                                        int32_t channels, gf_error *error)
{
    const struct gf_signal_iir_made *made = static_cast<const struct gf_signal_iir *>(args)->made;
    const cudaStream_t stream = static_cast<cudaStream_t>(queue.stream);
    (void)frames;
    GF_ON_DEVICE(queue.device, error)
    params<1> p = {};
    p.state = static_cast<char *>(state);
    p.state_bytes = GF_IIR_STATE_BYTES(made->states);
    void *tables = p.state + channels * p.state_bytes;
    if (out->first == 0) {
        GF_CUDA_TRY(error, cudaMemcpyAsync(tables, made, made->bytes, cudaMemcpyHostToDevice, stream));
    }
    if (out->count == 0 || channels == 0) {
        return GF_OK;
    }
    p.in = in->data + (out->first - in->first);
    p.out = out->data;
    p.in_pitch = in->pitch;
    p.out_pitch = out->pitch;
    p.count = out->count;
    p.made = static_cast<const struct gf_signal_iir_made *>(tables);
    p.channels = channels;
    p.wide_in = reinterpret_cast<uintptr_t>(p.in) % 16 == 0 && (p.in_pitch % 4 == 0 || channels == 1);
    p.wide_out = reinterpret_cast<uintptr_t>(p.out) % 16 == 0 && (p.out_pitch % 4 == 0 || channels == 1);
    p.span = span_of(out->first, out->count);
    p.arrived = static_cast<uint32_t *>(scratch);
    const size_t zeroed = words(p.span.nodes, channels);
    p.nodes = reinterpret_cast<struct gf_dd *>(static_cast<char *>(scratch) + zeroed);
    p.of_tail = p.nodes + channels * p.span.nodes * made->states;
    p.trees = &p.of_tail[channels * GF_IIR_LEVEL * made->states].hi;
    GF_CUDA_TRY(error, cudaMemsetAsync(scratch, 0, zeroed, stream));
    switch (made->sections) {
    case 1:
        return launch<1>(stream, p, made, error);
    case 2:
        return launch<2>(stream, p, made, error);
    case 4:
        return launch<4>(stream, p, made, error);
    case 8:
        return launch<8>(stream, p, made, error);
    default:
        return launch<16>(stream, p, made, error);
    }
}
