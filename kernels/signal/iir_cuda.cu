/* Recursive filters on CUDA, three kernels over tiles of 128 blocks of 64 frames. The first one makes how
 * each tile's blocks and groups of blocks end, and of two neighbouring tiles or groups of tiles the block
 * that comes second joins both, so that nobody waits. The second one folds how a tile starts from the groups
 * that stand for the bits of its number; the third one goes back down to its blocks, and makes their frames.
 */
#include "base/cuda_status.h"
#include "base/device_scope_cuda.h"
#include "signal/iir_groups_cuda.cuh"
#include "signal/signal_cuda.h"

template <int K> GF_DEVICE_FN void load_frames(const place<K> &at, float *x)
{
    const params<K> &p = at.p;
    const float *in = p.in + at.channel * p.in_pitch + at.from;
    for (int q = static_cast<int>(threadIdx.x); q < GF_IIR_FRAMES / 4; q += GF_IIR_THREADS) {
        float *to = gf_iir_quad(x, q / 16, q % 16);
        const int64_t first = at.from + 4 * q;
        if (p.wide_in && first >= 0 && first + 4 <= p.count) {
            gf_cp_async<16>(to, in + 4 * q);
            continue;
        }
        GF_UNROLL
        for (int i = 0; i < 4; i++) {
            to[i] = first + i >= 0 && first + i < p.count ? in[4 * q + i] : 0.0F;
        }
    }
    gf_cp_async_commit();
    gf_cp_async_wait<0>();
    __syncthreads();
}

template <int K> GF_DEVICE_FN void store_frames(const place<K> &at, float *x)
{
    const params<K> &p = at.p;
    float *out = p.out + at.channel * p.out_pitch + at.from;
    __syncthreads();
    for (int q = static_cast<int>(threadIdx.x); q < GF_IIR_FRAMES / 4; q += GF_IIR_THREADS) {
        const float *v = gf_iir_quad(x, q / 16, q % 16);
        const int64_t first = at.from + 4 * q;
        if (p.wide_out && first >= 0 && first + 4 <= p.count) {
            gf_store16(out + 4 * q, gf_load16(v));
            continue;
        }
        GF_UNROLL
        for (int i = 0; i < 4; i++) {
            if (first + i >= 0 && first + i < p.count) {
                out[4 * q + i] = v[i];
            }
        }
    }
}

/* Where group k of the bit k of `blocks` lies in the tile. */
template <int K> GF_DEVICE_FN int group_of_bit(int blocks, int k)
{
    return (blocks >> k << k >> 1) - 1;
}

/* Puts the groups that a begun tile has from before where the tree looks for them. */
template <int K> GF_DEVICE_FN void take_old(const place<K> &at, const struct gf_iir_tile &t)
{
    for (int id = static_cast<int>(threadIdx.x); id < GF_IIR_LEVEL * 2 * K; id += GF_IIR_THREADS) {
        const int k = id / (2 * K), c = id % (2 * K);
        if (!(at.old >> k & 1)) {
            continue;
        }
        if (k == 0) {
            t.leaf[c * GF_IIR_TILE + at.old - 1] = at.slot(0)[c].hi;
        } else {
            t.group[c * GF_IIR_PAIRS + group_of_bit<K>(at.old, k)] = at.slot(k)[c];
        }
    }
    __syncthreads();
}

/* Hands on the groups that end where the call does, inside of its last tile. */
template <int K> GF_DEVICE_FN void hand_on(const place<K> &at, const struct gf_iir_tile &t)
{
    for (int id = static_cast<int>(threadIdx.x); id < GF_IIR_LEVEL * 2 * K; id += GF_IIR_THREADS) {
        const int k = id / (2 * K), c = id % (2 * K);
        if (at.end >> k & 1 && at.end >> k << k > at.old) {
            struct gf_dd *to = at.p.tail + (at.channel * GF_IIR_LEVEL + k) * 2 * K + c;
            *to = k == 0 ? gf_dd{t.leaf[c * GF_IIR_TILE + at.end - 1], 0.0}
                         : t.group[c * GF_IIR_PAIRS + group_of_bit<K>(at.end, k)];
        }
    }
}

/* The last block of a channel: the state that the next call finds. */
template <int K> GF_DEVICE_FN void keep(const place<K> &at)
{
    const struct span &span = at.p.span;
    for (int id = static_cast<int>(threadIdx.x); id < GF_IIR_LEVELS * 2 * K; id += GF_IIR_THREADS) {
        const int k = id / (2 * K), c = id % (2 * K), l = k - GF_IIR_LEVEL;
        if (span.end >> k & 1 && span.end >> k << k > span.begin) {
            const struct gf_dd *from = l < 0 ? at.p.tail + (at.channel * GF_IIR_LEVEL + k) * 2 * K
                                             : at.p.nodes + at.number(l, (span.end >> k) - 1) * 2 * K;
            at.slot(k)[c] = from[c];
        }
    }
}

/* A tile's leaf and group between the kernels. */
template <int K> struct tree {
    enum { BYTES = 4 * K * GF_IIR_TILE * 8 };
    static __device__ struct gf_iir_tile of(const params<K> &p, int64_t number)
    {
        double *leaf = p.trees + number * (BYTES / 8);
        return {nullptr, leaf, reinterpret_cast<struct gf_dd *>(leaf + 2 * K * GF_IIR_TILE)};
    }
};

template <int K> GF_DEVICE_FN struct gf_iir_tile tile_in(float *room)
{
    double *leaf = reinterpret_cast<double *>(room);
    return {room, leaf, reinterpret_cast<struct gf_dd *>(leaf + 2 * K * GF_IIR_TILE)};
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

/* Blocks side by side on a processor, by shared memory and registers. */
template <int K> struct blocks_of {
    enum { ENDS = K <= 4 ? 6 : K == 8 ? 4 : 2, BEGINS = K <= 4 ? 7 : K == 8 ? 6 : 3 };
};

template <int K, int S, int B>
static __global__ void __launch_bounds__(GF_IIR_THREADS, blocks_of<K>::ENDS) gf_iir_ends(const params<K> p)
{
    GF_SHARED_DYN(float, room);
    GF_SHARED(struct gf_dd, left, 2 * K);
    const struct gf_iir_tile t = tile_in<K>(room);
    const tables<K> made(p);
    const place<K> at(p, blockIdx.x);
    load_frames(at, t.x);
    gf_iir_sum<K, S, B>(t, made.sums);
    __syncthreads();
    take_old(at, t);
    gf_iir_up<K>(t, made.power, at.old);
    hand_on(at, t);
    if (gf_warp() == 0 && at.end == GF_IIR_TILE) {
        join(at, t, made.power, left);
    }
    char *to = reinterpret_cast<char *>(tree<K>::of(p, blockIdx.x).leaf);
    for (int i = static_cast<int>(threadIdx.x) * 16; i < tree<K>::BYTES; i += GF_IIR_THREADS * 16) {
        gf_store16(to + i, gf_load16(reinterpret_cast<const char *>(t.leaf) + i));
    }
}

/* How each tile starts, a tile a warp, to where the end of its largest group was. */
template <int K> static __global__ void __launch_bounds__(GF_IIR_THREADS) gf_iir_starts(const params<K> p)
{
    enum { WARPS = GF_IIR_THREADS / GF_WARP };
    GF_SHARED(struct gf_dd, room, WARPS * 2 * K);
    const int64_t number = int64_t(blockIdx.x) * WARPS + gf_warp();
    struct gf_dd *start = room + gf_warp() * 2 * K;
    if (number >= p.span.tiles * p.channels) {
        return;
    }
    const place<K> at(p, number);
    fold(at, tables<K>(p).power, start);
    gf_syncwarp();
    if (gf_lane() < 2 * K) {
        tree<K>::of(p, number).group[gf_lane() * GF_IIR_PAIRS + GF_IIR_PAIRS - 1] = start[gf_lane()];
    }
}

template <int K>
static __global__ void __launch_bounds__(GF_IIR_THREADS, blocks_of<K>::BEGINS)
    gf_iir_begins(const params<K> p)
{
    GF_SHARED_DYN(float, room);
    GF_SHARED(uint32_t, slot, 1);
    const struct gf_iir_tile t = tile_in<K>(room);
    const place<K> at(p, blockIdx.x);
    const char *from = reinterpret_cast<const char *>(tree<K>::of(p, blockIdx.x).leaf);
    for (int i = static_cast<int>(threadIdx.x) * 16; i < tree<K>::BYTES; i += GF_IIR_THREADS * 16) {
        gf_cp_async<16>(reinterpret_cast<char *>(t.leaf) + i, from + i);
    }
    gf_cp_async_commit();
    gf_cp_async_wait<0>();
    __syncthreads();
    gf_iir_down<K>(t, tables<K>(p).power);
    double s[2 * K];
    GF_UNROLL
    for (int j = 0; j < 2 * K; j++) {
        s[j] = t.leaf[j * GF_IIR_TILE + threadIdx.x];
    }
    __syncthreads();
    load_frames(at, t.x);
    gf_iir_frames<K>(t, p.section, s);
    store_frames(at, t.x);
    if (gf_last_block(p.done + at.channel, static_cast<uint32_t>(p.span.tiles), slot)) {
        keep(at);
    }
}

static int64_t ceil16(int64_t bytes)
{
    return (bytes + 15) / 16 * 16;
}

/* Of scratch: words that are zeroed, then nodes, tails and trees. */
static int64_t words(int64_t nodes, int64_t channels)
{
    return ceil16(4 * channels * (1 + nodes));
}

extern "C" size_t gf_signal_iir_cuda_scratch(const void *args, int64_t most, int32_t channels)
{
    const int64_t n = static_cast<const struct gf_signal_iir *>(args)->made->states;
    const int64_t tiles = most / GF_IIR_FRAMES + 2, nodes = 2 * tiles + TOPS;
    const int64_t of_state = (nodes + GF_IIR_LEVEL + tiles * GF_IIR_TILE) * int64_t(sizeof(struct gf_dd));
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

template <int K, int S, int B>
static gf_status launch(cudaStream_t stream, const params<1> &base, const struct gf_signal_iir_made *made,
                        gf_error *error)
{
    params<K> p = {base.in,    base.out,         base.in_pitch, base.out_pitch, base.count, base.made,
                   base.state, base.state_bytes, base.done,     base.arrived,   base.nodes, base.tail,
                   base.trees, base.channels,    base.wide_in,  base.wide_out,  base.span,  {}};
    memcpy(p.section, made->section, sizeof p.section);
    gf_launch launch = {};
    launch.grid = dim3(gf_blocks(p.span.tiles * p.channels, 1));
    launch.block = dim3(GF_IIR_THREADS);
    launch.shared = tree<K>::BYTES > GF_IIR_FRAMES * 4 ? tree<K>::BYTES : GF_IIR_FRAMES * 4;
    launch.stream = stream;
    gf_launch small = launch;
    small.grid = dim3(gf_blocks(p.span.tiles * p.channels, GF_IIR_THREADS / GF_WARP));
    small.shared = 0;
    GF_CUDA_TRY(error, GF_LAUNCH((gf_iir_ends<K, S, B>), launch, p));
    GF_CUDA_TRY(error, GF_LAUNCH((gf_iir_starts<K>), small, p));
    GF_CUDA_TRY(error, GF_LAUNCH((gf_iir_begins<K>), launch, p));
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
    p.done = static_cast<uint32_t *>(scratch);
    p.arrived = p.done + channels;
    const size_t zeroed = words(p.span.nodes, channels);
    p.nodes = reinterpret_cast<struct gf_dd *>(static_cast<char *>(scratch) + zeroed);
    p.tail = p.nodes + channels * p.span.nodes * made->states;
    p.trees = &p.tail[channels * GF_IIR_LEVEL * made->states].hi;
    GF_CUDA_TRY(error, cudaMemsetAsync(scratch, 0, zeroed, stream));
    switch (made->sections) {
    case 1:
        return launch<1, 2, 1>(stream, p, made, error);
    case 2:
        return launch<2, 2, 2>(stream, p, made, error);
    case 4:
        return launch<4, 4, 2>(stream, p, made, error);
    case 8:
        return launch<8, 8, 2>(stream, p, made, error);
    default:
        return launch<16, 8, 4>(stream, p, made, error);
    }
}
