/* CUDA's language as plain C++: what a kernel file sees instead of <cuda_runtime.h>.
 *
 * Every CUDA thread is a fibre; a few blocks run at a time, on one operating-system thread. A fibre runs
 * until it waits (barrier, warp operation, gf_poll) or ends; with a seed it may also be stopped at atomics
 * and ordered loads and stores, and who goes next, and which block starts next, is drawn at random. It
 * reports divergent barriers and warp operations, wrong masks, deadlocks, waits without gf_poll, writes
 * just outside an array, misaligned wide accesses; sanitizers report the rest. See emu_control.h. */
#ifndef GF_TESTS_EMU_H
#define GF_TESTS_EMU_H

#include <functional>
#include <stdint.h>
#include <string.h>

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __noinline__    /* empty: libstdc++ writes __attribute__((__noinline__)) */
#define __launch_bounds__(...)

/* ---- Types -------------------------------------------------------------------------------- */

#define GF_EMU_VECTORS(type, name)                                                                           \
    struct alignas(2 * sizeof(type)) name##2 { type x, y; };                                                 \
    struct name##3 { type x, y, z; };                                                                        \
    struct alignas(sizeof(type) < 4 ? 4 * sizeof(type) : 16) name##4 { type x, y, z, w; };                   \
    inline name##2 make_##name##2(type x, type y) { return {x, y}; }                                         \
    inline name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }
GF_EMU_VECTORS(unsigned, uint)
GF_EMU_VECTORS(unsigned long long, ulonglong)
GF_EMU_VECTORS(float, float)
struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
};

#include "emu_runtime.h"

/* ---- Launch (behind GF_LAUNCH, which checks the limits) and the running thread ---------------- */

struct gf_emu_grid {
    const char *name; /* of the kernel, as written */
    dim3 grid, block;
    size_t shared;
    bool cooperative;
    cudaStream_t stream;
};
struct gf_emu_thread {
    uint3 thread, block;
    unsigned index; /* in its block */
};
extern gf_emu_grid gf_emu_now;     /* what runs */
extern gf_emu_thread *gf_emu_self; /* who runs */
#define threadIdx (gf_emu_self->thread)
#define blockIdx  (gf_emu_self->block)
#define blockDim  (gf_emu_now.block)
#define gridDim   (gf_emu_now.grid)

/* ---- What gf_cuda.h is built on --------------------------------------------------------------- */

/* Runs the grid to its end, calling body() in every thread. */
cudaError_t gf_emu_run(const gf_emu_grid &grid, const std::function<void()> &body);

/* The block's array of this site, between guards, filled with a pattern; NULL: the dynamic one. */
void *gf_emu_shared(const void *site, const char *name, size_t bytes);
inline void *gf_emu_shared_dynamic() { return gf_emu_shared(nullptr, "dynamic", gf_emu_now.shared); }

void gf_emu_misaligned(const void *p, size_t bytes);
inline void gf_emu_check_aligned(const void *p, size_t bytes)
{
    if (reinterpret_cast<uintptr_t>(p) % bytes != 0) { gf_emu_misaligned(p, bytes); }
}

/* Called in front of an ordered or atomic access: checks alignment; may let other threads run. */
void gf_emu_access(const void *p, size_t bytes);
void gf_emu_progress(); /* somebody's waiting may be over: memory changed, or threads met */

void gf_emu_async_copy(void *to, const void *from, size_t bytes);
void gf_emu_async_commit();
void gf_emu_async_wait(unsigned open_groups);

/* ---- Barriers, warp operations, polls -------------------------------------------------------------- */

/* A wait and its place in the source: part of its identity, and of reports. */
struct gf_emu_site {
    const char *what, *file;
    int line;
};
#define GF_EMU_AT(what) gf_emu_site at = {what, __builtin_FILE(), __builtin_LINE()}

/* Waits for all threads of the block, who must come to the same place; orders memory. How many say p. */
int gf_emu_meet_block(const gf_emu_site &at, bool p);
/* The same for a warp of 32 lanes, with all in the mask: the lanes' values, valid until the next wait. Memory
 * is ordered at __syncwarp, but not by other warp operations. */
const uint64_t *gf_emu_meet_warp(const gf_emu_site &at, unsigned mask, uint64_t value, bool orders = false);
void gf_emu_poll(const gf_emu_site &at);

inline void __syncthreads(GF_EMU_AT("__syncthreads")) { gf_emu_meet_block(at, false); }
inline int __syncthreads_count(int p, GF_EMU_AT("__syncthreads_count")) { return gf_emu_meet_block(at, p); }
inline int __syncthreads_and(int p, GF_EMU_AT("__syncthreads_and")) { return gf_emu_meet_block(at, !p) == 0; }
inline int __syncthreads_or(int p, GF_EMU_AT("__syncthreads_or")) { return gf_emu_meet_block(at, p) != 0; }
inline void __syncwarp(unsigned mask = ~0u, GF_EMU_AT("__syncwarp")) { gf_emu_meet_warp(at, mask, 0, true); }

/* from: the lane whose value `lane` gets; last: ones in the bits that differ inside a segment. */
#define GF_EMU_SHUFFLE(name, from)                                                                           \
    template <class T> T name(unsigned mask, T v, unsigned n, unsigned width = 32, GF_EMU_AT(#name))         \
    {                                                                                                        \
        const unsigned lane = gf_emu_self->index % 32, last = width - 1;                                     \
        uint64_t bits = 0;                                                                                   \
        memcpy(&bits, &v, sizeof v);                                                                         \
        memcpy(&v, &gf_emu_meet_warp(at, mask, bits)[from], sizeof v);                                       \
        return v;                                                                                            \
    }
GF_EMU_SHUFFLE(__shfl_sync, (lane & ~last) | (n & last))
GF_EMU_SHUFFLE(__shfl_up_sync, n > (lane & last) ? lane : lane - n)
GF_EMU_SHUFFLE(__shfl_down_sync, n > (last & ~lane) ? lane : lane + n)
GF_EMU_SHUFFLE(__shfl_xor_sync, (lane ^ n) > (lane | last) ? lane : lane ^ n)
#undef GF_EMU_SHUFFLE

#define GF_EMU_VOTE(type, name, argument, value, hit, result)                                                \
    inline type name(unsigned mask, argument v, GF_EMU_AT(#name))                                            \
    {                                                                                                        \
        const uint64_t *lanes = gf_emu_meet_warp(at, mask, value);                                           \
        unsigned set = 0;                                                                                    \
        for (unsigned i = 0; i < 32; i++) { set |= unsigned(hit) << i; }                                     \
        return result;                                                                                       \
    }
GF_EMU_VOTE(unsigned, __ballot_sync, int, v != 0, lanes[i] != 0, set)
GF_EMU_VOTE(int, __any_sync, int, v != 0, lanes[i] != 0, set != 0)
GF_EMU_VOTE(int, __all_sync, int, v != 0, lanes[i] != 0, set == ~0u)
GF_EMU_VOTE(unsigned, __match_any_sync, uint64_t, v, lanes[i] == v, set)
#undef GF_EMU_VOTE

#define GF_EMU_REDUCE(name, type, expression)                                                                \
    inline type name(unsigned mask, type v, GF_EMU_AT(#name))                                                \
    {                                                                                                        \
        const uint64_t *lanes = gf_emu_meet_warp(at, mask, static_cast<uint64_t>(v));                        \
        type a = type(lanes[0]);                                                                             \
        for (unsigned i = 1; i < 32; i++) {                                                                  \
            const type b = type(lanes[i]);                                                                   \
            a = type(expression);                                                                            \
        }                                                                                                    \
        return a;                                                                                            \
    }
GF_EMU_REDUCE(__reduce_add_sync, unsigned, a + b)
GF_EMU_REDUCE(__reduce_add_sync, int, unsigned(a) + unsigned(b))
GF_EMU_REDUCE(__reduce_min_sync, unsigned, b < a ? b : a)
GF_EMU_REDUCE(__reduce_min_sync, int, b < a ? b : a)
GF_EMU_REDUCE(__reduce_max_sync, unsigned, a < b ? b : a)
GF_EMU_REDUCE(__reduce_max_sync, int, a < b ? b : a)
GF_EMU_REDUCE(__reduce_and_sync, unsigned, a &b)
GF_EMU_REDUCE(__reduce_or_sync, unsigned, a | b)
GF_EMU_REDUCE(__reduce_xor_sync, unsigned, a ^ b)
#undef GF_EMU_REDUCE

/* ---- Atomics: relaxed, as CUDA's. The old value is returned. ------------------------------------------ */

template <class T, class F> T gf_emu_atomic(T *p, F next)
{
    gf_emu_access(p, sizeof *p);
    T old;
    __atomic_load(p, &old, __ATOMIC_RELAXED);
    T now = next(old);
    if (memcmp(&old, &now, sizeof old) != 0) { gf_emu_progress(); }
    __atomic_compare_exchange(p, &old, &now, false, __ATOMIC_RELAXED,
                              __ATOMIC_RELAXED); /* nobody else runs */
    return old;
}

/* The type is not deduced, so that atomicAdd(&an_unsigned, 1) works as in CUDA. */
template <class T> using gf_emu_same = typename std::common_type<T>::type;

#define GF_EMU_ATOMIC(name, expression)                                                                      \
    template <class T> T name(T *p, gf_emu_same<T> v)                                                        \
    {                                                                                                        \
        return gf_emu_atomic(p, [v](T old) { return static_cast<T>(expression); });                          \
    }
GF_EMU_ATOMIC(atomicAdd, old + v)
GF_EMU_ATOMIC(atomicSub, old - v)
GF_EMU_ATOMIC(atomicMin, v < old ? v : old)
GF_EMU_ATOMIC(atomicMax, old < v ? v : old)
GF_EMU_ATOMIC(atomicAnd, old &v)
GF_EMU_ATOMIC(atomicOr, old | v)
GF_EMU_ATOMIC(atomicXor, old ^ v)
GF_EMU_ATOMIC(atomicExch, ((void)old, v))
#undef GF_EMU_ATOMIC
template <class T> T atomicCAS(T *p, gf_emu_same<T> expected, gf_emu_same<T> v)
{
    return gf_emu_atomic(p, [=](T old) { return old == expected ? v : old; });
}

/* ---- Single instructions ------------------------------------------------------------------------------- */

inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }
inline int __clz(int x) { return x != 0 ? __builtin_clz(static_cast<unsigned>(x)) : 32; }
inline int __clzll(long long x) { return x != 0 ? __builtin_clzll(static_cast<uint64_t>(x)) : 64; }
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b)
{
    return static_cast<uint64_t>(static_cast<unsigned __int128>(a) * b >> 64);
}

#endif
