/* All digits of all keys counted in one read, and what follows from the counts: which passes run, and where
 * the first element of each digit goes. */
#include "array/sort/sort_cuda.h"
#include "array/sort/sort_key_cuda.cuh"
#include "array/sort/sort_rank_cuda.cuh"

struct gf_radix_histogram_args {
    const void *keys;
    int64_t n;
    uint64_t flip, ignored;
    int32_t in_place, apart;
    uint32_t *schedule;
    uint64_t *bins, *bases; /* sizeof(key) x 256 */
};

enum { GF_HISTOGRAM_THREADS = 512 };

/* Adds one key's digits to the block's counters. */
template <class T>
GF_DEVICE_FN void gf_radix_count(uint32_t *counts, typename gf_sort_key<T>::bits key,
                                 typename gf_sort_key<T>::bits flip, typename gf_sort_key<T>::bits kept)
{
    const auto rank = static_cast<typename gf_sort_key<T>::bits>(gf_sort_key<T>::rank(key, flip) & kept);
    GF_UNROLL
    for (int digit = 0; digit < static_cast<int>(sizeof rank); digit++) {
        gf_atomic_add(counts + digit * GF_DIGITS + (static_cast<uint32_t>(rank >> (8 * digit)) & 255u), 1u);
    }
}

/* Counts 16 bytes of keys at a time; the first block also takes what lies before and after whole ones. */
template <class T> GF_DEVICE_FN void gf_radix_count_all(uint32_t *counts, const gf_radix_histogram_args &a)
{
    using K = typename gf_sort_key<T>::bits;
    constexpr int PER = 16 / sizeof(K), AHEAD = 4;
    const K *keys = static_cast<const K *>(a.keys), flip = static_cast<K>(a.flip),
            kept = static_cast<K>(~a.ignored);
    const int64_t head = gf_head_of(keys, a.n, sizeof(K)), wholes = (a.n - head) / PER;
    const int64_t step = int64_t(gridDim.x) * blockDim.x;
    int64_t at = gf_thread_index();
    if (at < head) {
        gf_radix_count<T>(counts, keys[at], flip, kept);
    }
    if (at < a.n - head - wholes * PER) {
        gf_radix_count<T>(counts, keys[head + wholes * PER + at], flip, kept);
    }
    for (; at < wholes; at += AHEAD * step) {
        uint4 words[AHEAD];
        GF_UNROLL
        for (int k = 0; k < AHEAD; k++) {
            if (at + k * step < wholes) {
                words[k] = gf_load16(keys + head + (at + k * step) * PER, GF_STREAM);
            }
        }
        GF_UNROLL
        for (int k = 0; k < AHEAD; k++) {
            if (at + k * step < wholes) {
                K sixteen[PER];
                memcpy(sixteen, &words[k], sizeof sixteen);
                GF_UNROLL
                for (int i = 0; i < PER; i++) {
                    gf_radix_count<T>(counts, sixteen[i], flip, kept);
                }
            }
        }
    }
}

/* The first 256 threads make the exclusive sums of one digit's counts. Returns whether one bin holds all
 * n. */
GF_DEVICE_FN bool gf_radix_base(uint64_t *bases, const uint64_t *bins, int64_t n, uint64_t *sums)
{
    const uint64_t count = gf_thread() < GF_DIGITS ? gf_load_relaxed(bins + gf_thread()) : 0;
    uint64_t sum = count;
    GF_UNROLL
    for (unsigned step = 1; step < GF_WARP; step *= 2) {
        const uint64_t before = gf_shfl_up(sum, step);
        sum += gf_lane() >= step ? before : 0u;
    }
    if (gf_lane() == GF_WARP - 1) {
        sums[gf_warp()] = sum;
    }
    __syncthreads();
    for (unsigned warp = 0; warp < gf_warp(); warp++) {
        sum += sums[warp];
    }
    if (gf_thread() < GF_DIGITS) {
        bases[gf_thread()] = sum - count;
    }
    return __syncthreads_or(count == static_cast<uint64_t>(n)) != 0;
}

template <class T>
__global__ void __launch_bounds__(GF_HISTOGRAM_THREADS) gf_radix_histogram_kernel(gf_radix_histogram_args a)
{
    constexpr int DIGITS = sizeof(T);
    GF_SHARED(uint32_t, counts, DIGITS * GF_DIGITS);
    GF_SHARED(uint64_t, sums, GF_HISTOGRAM_THREADS / GF_WARP);
    GF_SHARED(uint32_t, slot, 1);
    for (uint32_t i = gf_thread(); i < DIGITS * GF_DIGITS; i += GF_HISTOGRAM_THREADS) {
        counts[i] = 0;
    }
    __syncthreads();
    gf_radix_count_all<T>(counts, a);
    __syncthreads();
    for (uint32_t i = gf_thread(); i < DIGITS * GF_DIGITS; i += GF_HISTOGRAM_THREADS) {
        if (counts[i] != 0) {
            gf_atomic_add(a.bins + i, static_cast<uint64_t>(counts[i]));
        }
    }
    if (!gf_last_block(a.schedule + GF_RADIX_BLOCKS_DONE, gridDim.x, slot)) {
        return;
    }
    uint64_t differing = 0;
    uint32_t passes = 0;
    for (int digit = 0; digit < DIGITS; digit++) {
        if (!gf_radix_base(a.bases + digit * GF_DIGITS, a.bins + digit * GF_DIGITS, a.n, sums)) {
            differing |= uint64_t(255) << (8 * digit);
            passes |= 1u << digit;
        }
    }
    if (gf_thread() == 0) {
        a.schedule[GF_RADIX_DIFFERING] = passes;
        a.schedule[GF_RADIX_RUN] = gf_sort_passes(differing, DIGITS, a.in_place, a.apart);
    }
}

gf_status gf_radix_histogram(const struct gf_radix *r, gf_depth type, cudaStream_t stream, gf_error *error)
{
    int processors = 0;
    const gf_radix_histogram_args a = {r->keys[GF_SORT_IN], r->n,        r->flip,
                                       r->ignored,          r->in_place, r->apart,
                                       r->schedule,         r->bins,     r->bases};
    GF_TRY(gf_multiprocessors(&processors, error));
    GF_CUDA_TRY(error, cudaMemsetAsync(r->schedule, 0, r->cleared, stream));
    const unsigned most = 4 * static_cast<unsigned>(processors);
    const unsigned blocks = gf_blocks(r->n * r->key_bytes, 16 * GF_HISTOGRAM_THREADS);
    gf_launch c = gf_launch_on(stream, blocks < most ? blocks : most, GF_HISTOGRAM_THREADS);
    return gf_dispatch_key(type, error, [&](auto tag) {
        using T = typename decltype(tag)::type;
        GF_CUDA_TRY(error, GF_LAUNCH((gf_radix_histogram_kernel<T>), c, a));
        return GF_OK;
    });
}
