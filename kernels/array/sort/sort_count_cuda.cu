/* Counting sort on CUDA, for keys of 8 or 16 bits without values: equal keys have equal bits, so the output
 * is written from the counts alone. One read, one write. */
#include "array/sort/sort_count_cuda.h"

#include "array/sort/sort_key_cuda.cuh"
#include "base/planted_fault.h"

/* ---- Writing runs ------------------------------------------------------------------------------ */

struct gf_count_write_args {
    void *out;
    int64_t n;
    uint64_t flip;
    gf_count_runs runs;
    int64_t stretch; /* vectors of 16 bytes for a block, a multiple of the tile's */
};

enum { WRITE_THREADS = 256, WRITE_VECTORS = 4, WRITE_TILE = WRITE_THREADS * WRITE_VECTORS };

/* Returns where the run of a rank begins; n past the last. */
GF_DEVICE_FN int64_t gf_run_start(const gf_count_write_args &a, uint32_t rank)
{
    return rank < a.runs.ranks
               ? static_cast<int64_t>(a.runs.starts[rank] + a.runs.groups[rank / GF_COUNT_GROUP])
               : a.n;
}

/* The rank at place `at` of the output: the last whose run begins there or before. By the whole block, 256
 * ranks at a time. */
GF_DEVICE_FN uint32_t gf_run_find(const gf_count_write_args &a, int64_t at)
{
    uint32_t base = 0;
    for (uint32_t step = a.runs.ranks / WRITE_THREADS; step > 0; step = step > 1 ? 1 : 0) {
        base +=
            static_cast<uint32_t>(__syncthreads_count(gf_run_start(a, base + step * threadIdx.x) <= at) - 1) *
            step;
    }
    return base;
}

/* The same by one thread. */
GF_DEVICE_FN uint32_t gf_run_find_alone(const gf_count_write_args &a, int64_t at)
{
    uint32_t rank = 0;
    for (uint32_t step = a.runs.ranks / 2; step > 0; step /= 2) {
        rank += gf_run_start(a, rank + step) <= at ? step : 0u;
    }
    return rank;
}

/* A word of equal keys. */
template <class K> GF_DEVICE_FN uint32_t gf_run_word(uint32_t rank)
{
    return rank * (sizeof(K) == 1 ? 0x01010101u : 0x00010001u);
}

/* Replaces each zero of a word of marks, in the order of memory, by the last mark before it. Returns the
 * last. */
template <class K> GF_DEVICE_FN uint32_t gf_run_carry(uint32_t *word, uint32_t last)
{
    constexpr uint32_t BITS = 8 * sizeof(K), MASK = (1u << BITS) - 1;
    uint32_t filled = 0;
    for (uint32_t shift = 0; shift < 32; shift += BITS) {
        const uint32_t mark = *word >> shift & MASK;
        last = mark != 0 ? mark : last;
        filled |= last << shift;
    }
    *word = filled;
    return last;
}

/* Puts a mark, the rank, where each run begins that is not empty and begins in (from, to). Ranks after
 * `rank`. */
template <class K>
GF_DEVICE_FN void gf_run_mark(const gf_count_write_args &a, K *marks, uint32_t rank, int64_t from, int64_t to)
{
    bool more = true;
    for (uint32_t next = rank + 1 + threadIdx.x; more; next += WRITE_THREADS) {
        const int64_t start = gf_run_start(a, next), end = gf_run_start(a, next + 1);
        if (start < to && end > start) {
            marks[start - from] = static_cast<K>(next);
        }
        more = __syncthreads_and(next < a.runs.ranks && start < to) != 0;
    }
}

/* A tile in which runs begin: marks where they do, and carries the marks on. marks: the tile, in shared
 * memory. Returns the rank at its end. */
template <class K>
GF_DEVICE_FN uint32_t gf_run_tile(const gf_count_write_args &a, uint32_t *words, uint32_t *lasts,
                                  uint32_t rank, int64_t from, int64_t to)
{
    uint32_t *const mine = words + threadIdx.x * WRITE_VECTORS * 4;
    for (uint32_t i = threadIdx.x; i < WRITE_TILE; i += WRITE_THREADS) {
        gf_store16(words + 4 * i, make_uint4(0, 0, 0, 0));
    }
    __syncthreads();
    gf_run_mark(a, reinterpret_cast<K *>(words), rank, from, to);
    uint32_t last =
        0; /* of this thread's stretch, then of all up to it: ranks ascend, so it is the greatest */
    for (int i = 0; i < WRITE_VECTORS * 4; i++) {
        uint32_t copy = mine[i];
        last = copy != 0 ? gf_run_carry<K>(&copy, last) : last;
    }
    GF_UNROLL
    for (unsigned step = 1; step < GF_WARP; step *= 2) {
        const uint32_t before = gf_shfl_up(last, step);
        last = gf_lane() >= step && before > last ? before : last;
    }
    lasts[1 + threadIdx.x] = last;
    __syncthreads();
    uint32_t before = gf_lane() > 0 ? lasts[threadIdx.x] : 0, end = rank;
    for (unsigned warp = 0; warp < WRITE_THREADS / GF_WARP; warp++) {
        const uint32_t other = lasts[GF_WARP * (warp + 1)];
        before = warp < gf_warp() && other > before ? other : before;
        end = other > end ? other : end;
    }
    before = before > rank ? before : rank;
    for (int i = 0; i < WRITE_VECTORS * 4; i++) {
        uint32_t word = mine[i];
        before = gf_run_carry<K>(&word, before);
        mine[i] = word;
    }
    __syncthreads();
    return end;
}

/* Vectors [begin, end) of 16 bytes; vector 0 begins at element `head`. */
template <class K>
GF_DEVICE_FN void gf_run_stretch(const gf_count_write_args &a, uint32_t *words, uint32_t *lasts, int64_t head,
                                 int64_t begin, int64_t end)
{
    constexpr int PER = 16 / sizeof(K);
    K *const out = static_cast<K *>(a.out) + head;
    const uint32_t flip = gf_run_word<K>(static_cast<K>(a.flip));
    uint32_t rank = gf_run_find(a, head + begin * PER);
    for (int64_t at = begin; at < end; at += WRITE_TILE) {
        const int64_t stop = at + WRITE_TILE < end ? at + WRITE_TILE : end;
        const bool one_run = gf_run_start(a, rank + 1) >= head + stop * PER;
        const uint32_t word = gf_run_word<K>(rank);
        if (!one_run) {
            rank = gf_run_tile<K>(a, words, lasts, rank, head + at * PER, head + stop * PER);
        }
        GF_UNROLL
        for (int k = 0; k < WRITE_VECTORS; k++) {
            const int64_t vector = at + threadIdx.x + k * WRITE_THREADS;
            if (vector < stop) {
                uint4 v = one_run ? make_uint4(word, word, word, word) : gf_load16(words + 4 * (vector - at));
                v = make_uint4(v.x ^ flip, v.y ^ flip, v.z ^ flip, v.w ^ flip);
                gf_store16(out + vector * PER, v, GF_STREAM);
            }
        }
        __syncthreads();
    }
}

template <class K> __global__ void __launch_bounds__(WRITE_THREADS) gf_count_write(gf_count_write_args a)
{
    GF_SHARED(uint32_t, words, WRITE_TILE * 4);
    GF_SHARED(uint32_t, lasts, WRITE_THREADS + 1);
    constexpr int PER = 16 / sizeof(K);
    K *const out = static_cast<K *>(a.out);
    const int64_t head = gf_head_of(out, a.n, sizeof(K)), vectors = (a.n - head) / PER,
                  tail = head + vectors * PER;
    if (blockIdx.x == 0 && threadIdx.x < 2 * PER) { /* the ends, of less than a vector */
        const int64_t at = threadIdx.x < PER ? int64_t(threadIdx.x) : tail + threadIdx.x - PER;
        if (threadIdx.x < PER ? at < head : at < a.n) {
            out[at] = static_cast<K>(gf_run_find_alone(a, at) ^ a.flip);
        }
    }
    const int64_t begin = int64_t(blockIdx.x) * a.stretch;
    const int64_t end = begin + a.stretch < vectors ? begin + a.stretch : vectors;
    if (begin < end) {
        gf_run_stretch<K>(a, words, lasts, head, begin, end);
    }
}

static gf_status write_runs(const struct gf_sort_call *call, gf_count_runs runs, int processors,
                            gf_error *error)
{
    const gf_depth type = call->array.options.type;
    const int64_t bytes = call->array.n * static_cast<int64_t>(gf_depth_size(type));
    const int64_t tiles = bytes / (16 * WRITE_TILE) + 1, most = int64_t(processors) * 8;
    const int64_t blocks = tiles < most ? tiles : most;
    gf_count_write_args a = {call->array.out, call->array.n, gf_sort_flip(type, call->descending), runs, 0};
    a.stretch = (tiles + blocks - 1) / blocks * WRITE_TILE;
    gf_launch c = gf_launch_on(call->array.queue.stream, static_cast<unsigned>(blocks), WRITE_THREADS);
    if (type == GF_U8) {
        GF_CUDA_TRY(error, GF_LAUNCH((gf_count_write<uint8_t>), c, a));
    } else {
        GF_CUDA_TRY(error, GF_LAUNCH((gf_count_write<uint16_t>), c, a));
    }
    return GF_OK;
}

/* ---- The sort ------------------------------------------------------------------------------------ */

/* Scratch memory; with memory NULL it is only measured. */
struct count_memory {
    uint32_t *done;
    uint64_t *bins;
    size_t cleared; /* bytes from `done` on */
    uint64_t *starts, *groups;
    uint32_t *partial;
};

static size_t lay_out(size_t ranks, int blocks, char *memory, count_memory *m)
{
    size_t used = 0;
    m->done = static_cast<uint32_t *>(gf_scratch_take(memory, &used, 256));
    m->bins = static_cast<uint64_t *>(gf_scratch_take(memory, &used, ranks * sizeof(uint64_t)));
    m->groups = static_cast<uint64_t *>(gf_scratch_take(memory, &used, ranks / 256 * sizeof(uint64_t)));
    m->cleared = used;
    m->starts = static_cast<uint64_t *>(gf_scratch_take(memory, &used, ranks * sizeof(uint64_t)));
    m->partial = static_cast<uint32_t *>(gf_scratch_take(
        memory, &used, ranks > 256 ? static_cast<size_t>(blocks) * ranks * sizeof(uint16_t) : 0));
    return used;
}

/* Blocks that count 16-bit keys: each has 65536 counters to clear and to hand on. */
static int count16_blocks(int64_t n, int processors)
{
    const int64_t useful = n / 65536 + 1;
    return useful < processors ? static_cast<int>(useful) : processors;
}

enum { MOST_PROCESSORS = 256 };

bool gf_sort_counts_cuda(const struct gf_sort_call *call)
{
    const size_t size = gf_depth_size(call->array.options.type);
    return call->value_size == 0 && call->ignored == 0 &&
           (size == 1 || (size == 2 && call->array.n >= GF_COUNT16_FROM));
}

size_t gf_sort_count_cuda_scratch(const struct gf_sort_call *call)
{
    count_memory m;
    const size_t size = gf_depth_size(call->array.options.type);
    return lay_out(size == 1 ? 256 : GF_COUNT16_RANKS, count16_blocks(call->array.n, MOST_PROCESSORS),
                   nullptr, &m);
}

gf_status gf_sort_count_cuda(const struct gf_sort_call *call, gf_error *error)
{
    const gf_depth type = call->array.options.type;
    const cudaStream_t stream = static_cast<cudaStream_t>(call->array.queue.stream);
    const uint32_t ranks = gf_depth_size(type) == 1 ? 256 : GF_COUNT16_RANKS;
    const uint64_t flip = gf_sort_flip(type, call->descending);
    int processors = 0;
    count_memory m;
    GF_TRY(gf_multiprocessors(&processors, error));
    processors = processors < MOST_PROCESSORS ? processors : MOST_PROCESSORS;
    lay_out(ranks, count16_blocks(call->array.n, processors), static_cast<char *>(call->array.scratch), &m);
    if (ranks == 256) {
        gf_radix r = {};
        r.keys[GF_SORT_IN] = const_cast<void *>(call->array.in);
        r.n = call->array.n;
        r.flip = flip;
        r.key_bytes = 1;
        r.schedule = m.done;
        r.bins = m.bins;
        r.bases = m.starts;
        r.cleared = m.cleared;
        GF_TRY(gf_radix_histogram(&r, type, stream, error));
    } else {
        const gf_count16 c = {call->array.in, call->array.n, flip,
                              m.bins,         m.starts,      m.groups,
                              m.partial,      m.done,        count16_blocks(call->array.n, processors)};
        GF_CUDA_TRY(error, cudaMemsetAsync(m.done, 0, m.cleared, stream));
        GF_TRY(gf_count16_cuda(&c, stream, error));
    }
    const gf_count_runs runs = {m.starts, m.groups, ranks};
    return write_runs(call, runs, processors, error);
}
