/* Segmented reduction on CUDA, in one launch. Segments and elements lie on one line (expand_cuda.cuh), and
 * every warp has an equal share of it: the segments that begin there, and those leaves of long ones that do.
 * As many neighbouring segments as fit are brought into shared memory at once; there a short one is a lane's,
 * others the warp's. */
#include "array/common/clear_cuda.cuh"
#include "array/common/expand_cuda.cuh"
#include "array/common/grid_cuda.cuh"
#include "array/segmented/segment_leaf_cuda.cuh"
#include "base/device_scope_cuda.h"

enum {
    WARPS = 8,
    ROOM_BYTES = 4096, /* of elements of a warp in shared memory, without the gaps */
    LEAST = 256,       /* places of a share, at least and at most */
    MOST = 2048
};

template <class T> struct room_of {
    static const int32_t SIZE = sizeof(T) < 4 ? 1024 : ROOM_BYTES / static_cast<int32_t>(sizeof(T));
    static const int32_t ALL = SIZE + SIZE / GF_WARP;
};

struct segmented_params {
    const void *in;
    const int64_t *offsets;
    int64_t count, items; /* segments, elements */
    void *out;
    int64_t share;
    gf_leaf_slots slots;
    gf_reduce_how how;

    __device__ int64_t base(int64_t i) const { return offsets[i]; } /* for gf_expand_find */
};

/* The leaves of segment i that begin from its element `from` on and before `end`, by a warp. */
template <class K>
GF_DEVICE_FN void gf_segmented_leaves(const K &kind, const segmented_params &p, int64_t i, int64_t from,
                                      int64_t end)
{
    using T = typename K::type;
    const int64_t base = p.offsets[i], n = p.offsets[i + 1] - base;
    const gf_long_segment segment = {base};
    const gf_far_elements<T> elements = {static_cast<const T *>(p.in) + base};
    int64_t leaf = (from + GF_REDUCE_LEAF - 1) / GF_REDUCE_LEAF;
    for (; leaf * GF_REDUCE_LEAF < (n < end ? n : end); leaf++) {
        const int64_t first = leaf * GF_REDUCE_LEAF, left = n - first;
        typename K::part own =
            gf_segment_leaf(kind, elements, first,
                            left < GF_REDUCE_LEAF ? static_cast<int32_t>(left) : int32_t(GF_REDUCE_LEAF));
        if (gf_segment_arrive(kind, p.slots, segment, leaf, left <= GF_REDUCE_LEAF, &own) && gf_lane() == 0) {
            static_cast<typename K::result *>(p.out)[i] = kind.get(own, n);
        }
    }
}

/* The first `count` of a warp's 32 segments, which lie in its room: a lane has the i-th, n elements from
 * `first` of the room on. */
template <class K>
GF_DEVICE_FN void gf_segmented_staged(const K &kind, const segmented_params &p, const typename K::type *room,
                                      int64_t i, int32_t count, int32_t first, int32_t n)
{
    using T = typename K::type;
    typename K::result *const out = static_cast<typename K::result *>(p.out);
    const gf_staged_elements<T> own = {room, first};
    const bool is_there = static_cast<int32_t>(gf_lane()) < count;
    const bool is_short = is_there && n <= GF_SEGMENT_SHORT;
    const typename K::part lanes = gf_segment_lanes(kind, own, n, is_short);
    if (is_short) {
        out[i] = kind.get(lanes, n);
    }
    for (uint32_t rest = gf_ballot(is_there && !is_short); rest != 0; rest &= rest - 1) {
        const unsigned lane = static_cast<unsigned>(__ffs(static_cast<int>(rest))) - 1;
        const gf_staged_elements<T> elements = {room, gf_shfl(first, lane)};
        const int32_t length = gf_shfl(n, lane);
        const typename K::part sum = gf_segment_leaf(kind, elements, 0, length);
        if (gf_lane() == 0) {
            out[i + lane] = kind.get(sum, length);
        }
    }
}

/* Brings n elements into the room. */
template <class T> GF_DEVICE_FN void gf_segmented_stage(const T *in, int32_t n, T *room)
{
    enum { AT_ONCE = 8 };
    for (int32_t i = static_cast<int32_t>(gf_lane()); i < n; i += AT_ONCE * GF_WARP) {
        T v[AT_ONCE];
        GF_UNROLL
        for (int k = 0; k < AT_ONCE; k++) {
            v[k] = i + k * GF_WARP < n ? gf_load_as<T>(in + i + k * GF_WARP, GF_STREAM) : T(0);
        }
        GF_UNROLL
        for (int k = 0; k < AT_ONCE; k++) {
            if (i + k * GF_WARP < n) {
                room[gf_segment_room_at(i + k * GF_WARP)] = v[k];
            }
        }
    }
}

template <class K>
static __global__ void __launch_bounds__(WARPS *GF_WARP, gf_segment_blocks<K>::COUNT)
    gf_segmented_reduce_shares(const segmented_params p)
{
    using T = typename K::type;
    GF_SHARED_DYN(T, rooms);
    T *const room = rooms + gf_warp() * room_of<T>::ALL;
    const K kind(p.how);
    const int64_t line = p.count + p.items;
    const int64_t begin = (int64_t(blockIdx.x) * WARPS + gf_warp()) * p.share;
    if (begin >= line) {
        return; /* the whole warp */
    }
    const int64_t end = line - begin < p.share ? line : begin + p.share;
    int64_t i = gf_expand_find(p, begin), last = gf_expand_find(p, end);
    gf_pdl_wait();                                   /* for the counters of leaves */
    const int64_t inside = begin - i - p.offsets[i]; /* of the first segment lies before */
    if (inside > 0) {
        if (p.offsets[i + 1] - p.offsets[i] > GF_REDUCE_LEAF) {
            gf_segmented_leaves(kind, p, i, inside, end - i - p.offsets[i]);
        }
        i++;
    }
    last += end - last > p.offsets[last] && !(GF_FAULT(cuda_segmented_share) && end < line);
    while (i < last) {
        const int64_t mine = i + gf_lane();
        const int64_t from = p.offsets[mine < last ? mine : last],
                      to = p.offsets[mine < last ? mine + 1 : last];
        const int64_t first = gf_shfl(from, 0);
        const int32_t count =
            __popc(gf_ballot(mine < last && to - first <= room_of<T>::SIZE)); /* which are neighbours */
        if (count == 0) {
            gf_segmented_leaves(kind, p, i, 0, end - i - first);
            i++;
            continue;
        }
        const int32_t n = static_cast<int32_t>(gf_shfl(to, static_cast<unsigned>(count) - 1) - first);
        gf_segmented_stage(static_cast<const T *>(p.in) + first, n, room);
        gf_syncwarp();
        gf_segmented_staged(kind, p, room, mine, count, static_cast<int32_t>(from - first),
                            static_cast<int32_t>(to - from));
        gf_syncwarp(); /* before the room is used again */
        i += count;
    }
}

static size_t layout(const struct gf_array_call *call, gf_leaf_slots *slots, size_t *counters)
{
    const size_t n = static_cast<size_t>(gf_segment_slots(call->n));
    size_t used = 0;
    slots->counters = static_cast<uint32_t *>(gf_scratch_take(call->scratch, &used, n * sizeof(uint32_t)));
    *counters = used;
    slots->parts = gf_scratch_take(call->scratch, &used, n * sizeof(gf_place));
    return used;
}

template <class K> static gf_status launch(const struct gf_segmented_reduce_call *call, gf_error *error)
{
    using T = typename K::type;
    segmented_params p = {};
    int processors = 0;
    size_t counters = 0;
    p.in = call->array.in;
    p.offsets = call->offsets;
    p.count = call->segments;
    p.items = call->array.n;
    p.out = call->array.out;
    p.how = gf_reduce_how_make(call->op, call->array.options.type);
    (void)layout(&call->array, &p.slots, &counters);
    GF_TRY(gf_multiprocessors(&processors, error));
    const int64_t line = p.count + p.items, even = line / (int64_t(processors) * WARPS * 8);
    p.share = even < LEAST ? int64_t(LEAST) : even < MOST ? even : int64_t(MOST);
    gf_launch launch =
        gf_launch_on(call->array.queue.stream, gf_blocks(line, p.share * WARPS), WARPS * GF_WARP);
    launch.shared = WARPS * room_of<T>::ALL * sizeof(T);
    if (counters > 0) {
        GF_TRY(gf_clear(p.slots.counters, counters, &launch, error));
    }
    GF_CUDA_TRY(error, GF_LAUNCH((gf_segmented_reduce_shares<K>), launch, p));
    return GF_OK;
}

extern "C" size_t gf_segmented_reduce_cuda_scratch(const struct gf_array_call *call)
{
    gf_leaf_slots slots;
    size_t counters;
    return layout(call, &slots, &counters);
}

extern "C" gf_status gf_segmented_reduce_cuda(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_segmented_reduce_call *call = gf_segmented_reduce_call_of(array);
    GF_ON_DEVICE(array->queue.device, error)
    return gf_segment_dispatch(call->op, array->options.type, error,
                               [&](auto tag) { return launch<typename decltype(tag)::type>(call, error); });
}
