/* Bounds on CUDA. A search of n elements takes log2 n steps, each a load that waits for the one before, and
 * neighbours look at different places: what counts is how many loads are on their way, and from how near. So
 * a block first fetches the ends of SAMPLES equal parts of the array, which are the first eleven levels of
 * every search, into shared memory; then each thread takes four keys at a time, which halve in step. "naive"
 * is the published search. */
#include "array/bounds/bounds_call.h"
#include "array/common/dispatch_cuda.cuh"
#include "array/common/grid_cuda.cuh"
#include "base/device_scope_cuda.h"
#include "base/planted_fault.h"

enum { BOUNDS_THREADS = 256, BOUNDS_KEYS = 4, BOUNDS_SAMPLES = 2047, BOUNDS_BLOCKS = 6 };

struct gf_bounds_params {
    const void *sorted, *wanted;
    int64_t *places;
    int64_t n, keys;
    int64_t part; /* elements between two samples: (n + SAMPLES) / (SAMPLES + 1) */
    int32_t side, descending;
};

/* An unsigned number that ascends in the order of the array; every NaN has the greatest. */
template <class T> GF_DEVICE_FN typename gf_order<T>::key gf_bounds_rank(T v, bool descending)
{
    using K = typename gf_order<T>::key;
    const K key = gf_order<T>::to(v), last = static_cast<K>(~K(0));
    const bool stays = std::is_floating_point<T>::value && key == last;
    return static_cast<K>(descending && !stays ? ~key : key);
}

/* How many of `count` elements from `in` on, stride elements apart, come before the key (or equal it). */
template <class T, class RANK>
GF_DEVICE_FN void gf_bounds_halve(RANK &&rank, int64_t count,
                                  const typename gf_order<T>::key (&key)[BOUNDS_KEYS], bool equal,
                                  int64_t (&place)[BOUNDS_KEYS])
{
    for (int64_t left = count; left > 0;) {
        const int64_t half = (left + 1) / 2;
        GF_UNROLL
        for (int k = 0; k < BOUNDS_KEYS; k++) {
            const auto r = rank(k, place[k] + half - 1);
            place[k] += (equal ? r <= key[k] : r < key[k]) ? half : 0;
        }
        left -= half;
    }
}

/* The places of a thread's keys: among the samples, then in the part that begins behind the last of them that
 * counts. The last part may be shorter, so what lies behind the array counts as greater than every key. */
template <class T>
GF_DEVICE_FN void gf_bounds_find(const gf_bounds_params &p, const typename gf_order<T>::key *samples,
                                 const typename gf_order<T>::key (&key)[BOUNDS_KEYS], bool equal,
                                 int64_t (&place)[BOUNDS_KEYS])
{
    using K = typename gf_order<T>::key;
    const T *sorted = static_cast<const T *>(p.sorted);
    int64_t base[BOUNDS_KEYS];
    const int64_t whole = p.n / p.part; /* samples that lie in the array */
    GF_UNROLL
    for (int k = 0; k < BOUNDS_KEYS; k++) {
        place[k] = 0;
    }
    gf_bounds_halve<T>([&](int, int64_t at) { return samples[at]; }, whole, key, equal, place);
    GF_UNROLL
    for (int k = 0; k < BOUNDS_KEYS; k++) {
        base[k] = place[k] * p.part;
        place[k] = 0;
    }
    const int64_t rest =
        GF_FAULT(cuda_bounds_part) ? p.part - 2 : p.part - 1; /* its end is known to be no less */
    for (int64_t left = rest; left > 0;) {
        const int64_t half = (left + 1) / 2;
        K r[BOUNDS_KEYS];
        bool inside[BOUNDS_KEYS];
        GF_UNROLL
        for (int k = 0; k < BOUNDS_KEYS; k++) {
            const int64_t at = base[k] + place[k] + half - 1;
            inside[k] = at < p.n;
            r[k] = gf_bounds_rank(sorted[inside[k] ? at : p.n - 1], p.descending != 0);
        }
        GF_UNROLL
        for (int k = 0; k < BOUNDS_KEYS; k++) {
            place[k] += inside[k] && (equal ? r[k] <= key[k] : r[k] < key[k]) ? half : 0;
        }
        left -= half;
    }
    GF_UNROLL
    for (int k = 0; k < BOUNDS_KEYS; k++) {
        place[k] += base[k];
    }
}

template <class T>
static __global__ void __launch_bounds__(BOUNDS_THREADS) gf_bounds_sampled(const gf_bounds_params p)
{
    using K = typename gf_order<T>::key;
    GF_SHARED(K, samples, BOUNDS_SAMPLES + 1);
    const T *sorted = static_cast<const T *>(p.sorted), *wanted = static_cast<const T *>(p.wanted);
    for (int64_t i = threadIdx.x; i < p.n / p.part; i += BOUNDS_THREADS) {
        samples[i] = gf_bounds_rank(sorted[(i + 1) * p.part - 1], p.descending != 0);
    }
    __syncthreads();
    const int64_t step = int64_t(gridDim.x) * BOUNDS_THREADS * BOUNDS_KEYS;
    for (int64_t first = int64_t(blockIdx.x) * BOUNDS_THREADS * BOUNDS_KEYS; first < p.keys; first += step) {
        K key[BOUNDS_KEYS];
        int64_t upper[BOUNDS_KEYS], lower[BOUNDS_KEYS] = {};
        GF_UNROLL
        for (int k = 0; k < BOUNDS_KEYS; k++) {
            const int64_t i = first + k * BOUNDS_THREADS + threadIdx.x;
            key[k] = gf_bounds_rank(wanted[i < p.keys ? i : p.keys - 1], p.descending != 0);
        }
        gf_bounds_find<T>(p, samples, key, p.side != GF_BOUNDS_LOWER, upper);
        if (p.side == GF_BOUNDS_COUNT) {
            gf_bounds_find<T>(p, samples, key, false, lower);
        }
        GF_UNROLL
        for (int k = 0; k < BOUNDS_KEYS; k++) {
            const int64_t i = first + k * BOUNDS_THREADS + threadIdx.x;
            if (i < p.keys) {
                p.places[i] = upper[k] - lower[k];
            }
        }
    }
}

/* The binary search as textbooks have it. */
template <class T>
GF_DEVICE_FN int64_t gf_bounds_search(const gf_bounds_params &p, typename gf_order<T>::key key, bool equal)
{
    int64_t low = 0, high = p.n;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        const auto r = gf_bounds_rank(static_cast<const T *>(p.sorted)[middle], p.descending != 0);
        if (equal ? r <= key : r < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

template <class T> static __global__ void gf_bounds_plain(const gf_bounds_params p)
{
    const int64_t i = gf_thread_index();
    if (i >= p.keys) {
        return;
    }
    const auto key = gf_bounds_rank(static_cast<const T *>(p.wanted)[i], p.descending != 0);
    const int64_t place = gf_bounds_search<T>(p, key, p.side != GF_BOUNDS_LOWER);
    p.places[i] = place - (p.side == GF_BOUNDS_COUNT ? gf_bounds_search<T>(p, key, false) : 0);
}

static gf_status run_bounds(const struct gf_array_call *array, bool naive, gf_error *error)
{
    const struct gf_bounds_call *call = gf_bounds_call_of(array);
    const int64_t n = call->elements;
    if (array->n == 0) {
        return GF_OK;
    }
    GF_ON_DEVICE(array->queue.device, error)
    if (n == 0) {
        GF_CUDA_TRY(error, cudaMemsetAsync(array->out, 0, static_cast<size_t>(array->n) * sizeof(int64_t),
                                           static_cast<cudaStream_t>(array->queue.stream)));
        return GF_OK;
    }
    const gf_bounds_params p = {call->sorted,
                                array->in,
                                static_cast<int64_t *>(array->out),
                                n,
                                array->n,
                                (n + BOUNDS_SAMPLES) / (BOUNDS_SAMPLES + 1),
                                call->side,
                                call->descending};
    int processors = 0;
    GF_TRY(gf_multiprocessors(&processors, error));
    const unsigned block = naive && array->options.block > 0 ? static_cast<unsigned>(array->options.block)
                                                             : static_cast<unsigned>(BOUNDS_THREADS);
    const unsigned blocks = gf_blocks(array->n, naive ? block : BOUNDS_THREADS * BOUNDS_KEYS);
    const unsigned most = static_cast<unsigned>(processors * BOUNDS_BLOCKS);
    const gf_launch launch = gf_launch_on(array->queue.stream, naive || blocks < most ? blocks : most, block);
    return gf_dispatch_type<GF_TYPES_ALL>(array->options.type, error, [&](auto tag) -> gf_status {
        using T = typename decltype(tag)::type;
        GF_CUDA_TRY(error, naive ? GF_LAUNCH((gf_bounds_plain<T>), launch, p)
                                 : GF_LAUNCH((gf_bounds_sampled<T>), launch, p));
        return GF_OK;
    });
}

extern "C" gf_status gf_bounds_cuda(const struct gf_array_call *call, gf_error *error)
{
    return run_bounds(call, false, error);
}

extern "C" gf_status gf_bounds_naive_cuda(const struct gf_array_call *call, gf_error *error)
{
    return run_bounds(call, true, error);
}
