/* Recursive filters on CUDA: one kernel, which reads and writes each frame once. A block makes a tile of 128
 * blocks of 64 frames. It publishes how its tile ends, joins that with the groups of tiles in front of it
 * where its number says so, and starts from the groups that stand for the bits of its number: all of these
 * end in front of the tile, so that a block waits for blocks with smaller tickets only. */
#include "base/cuda_status.h"
#include "base/device_scope_cuda.h"
#include "signal/iir_rows.h"
#include "signal/iir_tile_cuda.cuh"
#include "signal/signal_cuda.h"

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
    uint32_t *ticket, *done, *flags; /* one; one a channel; one a node of a channel: zero before */
    struct gf_dd *nodes, *tail;      /* [channels][nodes][2K]; [channels][7][2K] groups of the last tile */
    int64_t channels;
    bool wide_in, wide_out;
    struct span span;
    struct gf_section section[K];
};

/* What one block works on. */
template <int K> struct place {
    const params<K> &p;
    int64_t channel, tile,
        from;     /* from: of the tile's first frame in the call; negative where the tile is begun */
    int old, end; /* blocks of the tile that lie before the call; that are whole in the end */

    __device__ place(const params<K> &q, uint32_t ticket)
        : p(q), channel(ticket % q.channels), tile(q.span.first_tile + ticket / q.channels),
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
    __device__ int64_t number(int l, int64_t group) const
    {
        return channel * p.span.nodes + p.span.at[l] + group - (p.span.first_tile >> l);
    }
    /* The group of 2^l tiles that ends at the tile's bit l was there before the call. */
    __device__ bool is_old(int l) const { return tile >> l << l <= p.span.first_tile; }
    __device__ const struct gf_dd *before(int l) const
    {
        return is_old(l) ? slot(GF_IIR_LEVEL + l) : p.nodes + number(l, (tile >> l) - 1) * 2 * K;
    }
    __device__ void wait(int l) const
    {
        const uint32_t *flag = p.flags + number(l, (tile >> l) - 1);
        while (!gf_load_acquire(flag)) {
            gf_poll();
        }
    }
};

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

/* One warp: publishes the tile, and each group that it completes. */
template <int K>
GF_DEVICE_FN void publish(const place<K> &at, const struct gf_iir_tile &t, const struct gf_dd *power,
                          struct gf_dd *left)
{
    const int n = 2 * K, row = static_cast<int>(gf_lane());
    struct gf_dd mine = {0.0, 0.0};
    if (row < n) {
        mine = t.group[row * GF_IIR_PAIRS + GF_IIR_PAIRS - 1];
    }
    for (int l = 0;; l++) {
        const int64_t number = at.number(l, at.tile >> l);
        if (row < n) {
            at.p.nodes[number * n + row] = mine;
        }
        gf_syncwarp();
        if (row == 0) {
            gf_store_release(at.p.flags + number, 1u);
        }
        if (!(at.tile >> l & 1)) {
            return;
        }
        if (!at.is_old(l)) {
            at.wait(l);
        }
        if (row < n) {
            left[row] = gf_iir_load(at.before(l) + row, GF_CACHED);
        }
        gf_syncwarp();
        if (row < n) {
            gf_iir_rows_of<1>(power + (GF_IIR_LEVEL + l) * n * n, n, row, gf_iir_array_at{left}, &mine);
        }
        gf_syncwarp();
    }
}

/* Row `row` of the groups of 2^top tiles to 2^(top + 3) that the tile's bits stand for. */
template <int K> GF_DEVICE_FN void load_ends(const place<K> &at, int top, int row, struct gf_dd *end)
{
    GF_UNROLL
    for (int i = 0; i < 4; i++) {
        if (at.tile >> (top + i) & 1 && row < 2 * K) {
            end[i] = gf_iir_load(at.before(top + i) + row, GF_CACHED);
        }
    }
}

/* One warp: the tile's start, the groups of its number's bits from the highest on. While four are used, the
 * next four are read. */
template <int K> GF_DEVICE_FN void fold(const place<K> &at, const struct gf_dd *power, struct gf_dd *start)
{
    const int n = 2 * K, row = static_cast<int>(gf_lane());
    bool begun = false;
    struct gf_dd end[4] = {}, next[4] = {};
    if (at.tile >> row & 1 && row < TOPS && !at.is_old(row)) { /* no call has 2^32 tiles */
        at.wait(row);
    }
    if (row < n) {
        start[row] = {0.0, 0.0};
    }
    gf_syncwarp();
    load_ends(at, (TOPS - 1) / 4 * 4, row, next);
    for (int top = (TOPS - 1) / 4 * 4; top >= 0; top -= 4) {
        GF_UNROLL
        for (int i = 0; i < 4; i++) {
            end[i] = next[i];
        }
        if (top > 0) {
            load_ends(at, top - 4, row, next);
        }
        GF_UNROLL
        for (int i = 3; i >= 0; i--) {
            if (!(at.tile >> (top + i) & 1)) {
                continue;
            }
            if (begun && row < n) {
                const struct gf_dd *own = power + (GF_IIR_LEVEL + top + i) * n * n;
                gf_iir_rows_of<1>(own, n, row, gf_iir_array_at{start}, end + i);
            }
            begun = true;
            gf_syncwarp();
            if (row < n) {
                start[row] = end[i];
            }
            gf_syncwarp();
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

template <int K, int S, int B>
static __global__ void __launch_bounds__(GF_IIR_THREADS, K <= 4   ? 4
                                                         : K == 8 ? 3
                                                                  : 2) gf_iir_tiles(const params<K> p)
{
    GF_SHARED_DYN(float, room);
    GF_SHARED(struct gf_dd, left, 2 * K);
    GF_SHARED(struct gf_dd, start, 2 * K);
    GF_SHARED(uint32_t, slot, 1);
    const struct gf_iir_tile t = {room, reinterpret_cast<double *>(room + GF_IIR_FRAMES),
                                  reinterpret_cast<struct gf_dd *>(room + GF_IIR_FRAMES) + K * GF_IIR_TILE};
    const double *sums = reinterpret_cast<const double *>(p.made + 1);
    const struct gf_dd *power = reinterpret_cast<const struct gf_dd *>(sums + GF_IIR_BLOCK * 2 * K);
    const uint32_t ticket = gf_ticket(p.ticket, slot);
    const place<K> at(p, ticket);
    load_frames(at, t.x);
    gf_iir_sum<K, S, B>(t, sums, ticket);
    __syncthreads();
    take_old(at, t);
    gf_iir_up<K>(t, power, at.old);
    hand_on(at, t);
    if (gf_warp() == 0 && at.end == GF_IIR_TILE) {
        publish(at, t, power, left);
    }
    if (gf_warp() == 1) {
        fold(at, power, start);
    }
    __syncthreads();
    if (threadIdx.x < 2 * K) {
        t.group[threadIdx.x * GF_IIR_PAIRS + GF_IIR_PAIRS - 1] = start[threadIdx.x];
    }
    __syncthreads();
    gf_iir_down<K>(t, power);
    gf_iir_frames<K>(t, p.section);
    store_frames(at, t.x);
    if (gf_last_block(p.done + at.channel, static_cast<uint32_t>(p.span.tiles), slot)) {
        keep(at);
    }
}

static int64_t ceil16(int64_t bytes)
{
    return (bytes + 15) / 16 * 16;
}

/* Of scratch: words that are zeroed, then nodes, then tails. */
static int64_t words(int64_t nodes, int64_t channels)
{
    return ceil16(4 * (4 + channels * (1 + nodes)));
}

extern "C" size_t gf_signal_iir_cuda_scratch(const void *args, int64_t most, int32_t channels)
{
    const int64_t n = static_cast<const struct gf_signal_iir *>(args)->made->states;
    const int64_t nodes = 2 * (most / GF_IIR_FRAMES + 2) + TOPS;
    return static_cast<size_t>(words(nodes, channels) +
                               channels * (nodes + GF_IIR_LEVEL) * n * int64_t(sizeof(struct gf_dd)));
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
                   base.state, base.state_bytes, base.ticket,   base.done,      base.flags, base.nodes,
                   base.tail,  base.channels,    base.wide_in,  base.wide_out,  base.span,  {}};
    memcpy(p.section, made->section, sizeof p.section);
    gf_launch launch = {};
    launch.grid = dim3(gf_blocks(p.span.tiles * p.channels, 1));
    launch.block = dim3(GF_IIR_THREADS);
    launch.shared = GF_IIR_FRAMES * sizeof(float) + size_t(4 * K) * GF_IIR_TILE * sizeof(double);
    launch.stream = stream;
    GF_CUDA_TRY(error, GF_LAUNCH((gf_iir_tiles<K, S, B>), launch, p));
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
    p.ticket = static_cast<uint32_t *>(scratch);
    p.done = p.ticket + 4;
    p.flags = p.done + channels;
    const size_t zeroed = words(p.span.nodes, channels);
    p.nodes = reinterpret_cast<struct gf_dd *>(static_cast<char *>(scratch) + zeroed);
    p.tail = p.nodes + channels * p.span.nodes * made->states;
    GF_CUDA_TRY(error, cudaMemsetAsync(scratch, 0, zeroed, stream));
    switch (made->sections) {
    case 1:
        return launch<1, 2, 1>(stream, p, made, error);
    case 2:
        return launch<2, 4, 2>(stream, p, made, error);
    case 4:
        return launch<4, 4, 4>(stream, p, made, error);
    case 8:
        return launch<8, 8, 4>(stream, p, made, error);
    default:
        return launch<16, 8, 4>(stream, p, made, error);
    }
}
