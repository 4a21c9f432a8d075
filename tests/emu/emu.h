/* CUDA's language as plain C++: what a kernel file sees instead of <cuda_runtime.h>.
 *
 * Every CUDA thread is a fibre; blocks run a few at a time on one operating-system thread.
 * A fibre runs until it waits (barrier, warp operation, gf_poll) or ends; with a seed, it may
 * also be stopped at atomics and ordered loads and stores, and who goes next, and which
 * block starts next, is drawn at random. What it reports as a fault: divergent barriers and
 * warp operations, wrong masks, deadlocks, waits without gf_poll, writes past a shared or
 * device array, misaligned wide accesses. See emu_control.h for settings and reports. */
#ifndef GF_TESTS_EMU_H
#define GF_TESTS_EMU_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <tuple>
#include <type_traits>

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __noinline__    /* empty: libstdc++ writes __attribute__((__noinline__)) */
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))

/* ---- Types ---------------------------------------------------------------------------------- */

#define GF_EMU_VECTORS(type, name)                                                                           \
    struct name##2                                                                                           \
    {                                                                                                        \
        type x, y;                                                                                           \
    }                                                                                                        \
    __attribute__((aligned(2 * sizeof(type))));                                                              \
    struct name##3                                                                                           \
    {                                                                                                        \
        type x, y, z;                                                                                        \
    };                                                                                                       \
    struct name##4                                                                                           \
    {                                                                                                        \
        type x, y, z, w;                                                                                     \
    }                                                                                                        \
    __attribute__((aligned(sizeof(type) == 8 ? 16 : 4 * sizeof(type))));                                     \
    static inline name##2 make_##name##2(type x, type y)                                                     \
    {                                                                                                        \
        return {x, y};                                                                                       \
    }                                                                                                        \
    static inline name##3 make_##name##3(type x, type y, type z)                                             \
    {                                                                                                        \
        return {x, y, z};                                                                                    \
    }                                                                                                        \
    static inline name##4 make_##name##4(type x, type y, type z, type w)                                     \
    {                                                                                                        \
        return {x, y, z, w};                                                                                 \
    }
GF_EMU_VECTORS(signed char, char)
GF_EMU_VECTORS(unsigned char, uchar)
GF_EMU_VECTORS(short, short)
GF_EMU_VECTORS(unsigned short, ushort)
GF_EMU_VECTORS(int, int)
GF_EMU_VECTORS(unsigned, uint)
GF_EMU_VECTORS(long long, longlong)
GF_EMU_VECTORS(unsigned long long, ulonglong)
GF_EMU_VECTORS(float, float)
GF_EMU_VECTORS(double, double)

struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
};

#include "emu_runtime.h"

/* ---- The running thread ----------------------------------------------------------------------- */

struct gf_emu_thread {
    uint3 thread, block;
    dim3 block_size, grid_size;
};
extern gf_emu_thread *gf_emu_self;
#define threadIdx (gf_emu_self->thread)
#define blockIdx  (gf_emu_self->block)
#define blockDim  (gf_emu_self->block_size)
#define gridDim   (gf_emu_self->grid_size)
static const int warpSize = 32;

/* Where in the source a wait stands: part of its identity, and of reports. */
#define GF_EMU_SITE const char *file = __builtin_FILE(), int line = __builtin_LINE()

/* ---- Launch (behind GF_LAUNCH, which checks the limits) ------------------------------------------ */

struct gf_emu_grid {
    const char *name; /* of the kernel, as written */
    dim3 grid, block;
    size_t shared;
    bool cooperative;
};

/* Runs the grid to its end, calling body(context) in every thread. */
cudaError_t gf_emu_run(const gf_emu_grid &grid, void (*body)(const void *context), const void *context);

template <class... P>
cudaError_t gf_emu_launch(const gf_emu_grid &grid, void (*kernel)(P...), P... parameters)
{
    struct call {
        void (*kernel)(P...);
        std::tuple<P...> parameters;
    };
    const call c = {kernel, std::tuple<P...>(parameters...)};
    return gf_emu_run(
        grid,
        [](const void *context) {
            const call *self = static_cast<const call *>(context);
            std::apply(self->kernel, self->parameters);
        },
        &c);
}

/* ---- What gf_cuda.h is built on -------------------------------------------------------------------- */

/* The block's array of this site, guarded on both sides, filled with a pattern that is a NaN
 * as f32, and neither 0 nor white as an integer. */
void *gf_emu_shared(const void *site, const char *name, size_t bytes);
void *gf_emu_shared_dynamic();

/* Before an ordered or atomic access: checks alignment; may let other threads run. `changes`:
 * it writes another value, which ends the patience of nobody who polls. */
void gf_emu_on_load(const void *p, size_t bytes);
void gf_emu_on_store(void *p, size_t bytes, bool changes);
void gf_emu_misaligned(const void *p, size_t bytes);
void gf_emu_poll();
void gf_emu_async_copy(void *to, const void *from, size_t bytes);
void gf_emu_async_commit();
void gf_emu_async_wait(unsigned open_groups);

static inline void gf_emu_check_aligned(const void *p, size_t bytes)
{
    if (reinterpret_cast<uintptr_t>(p) % bytes != 0) {
        gf_emu_misaligned(p, bytes);
    }
}

/* ---- Barriers ----------------------------------------------------------------------------------------- */

struct gf_emu_votes {
    int count, all, any;
};
gf_emu_votes gf_emu_barrier(const char *what, int predicate, const char *file, int line);

static inline void __syncthreads(GF_EMU_SITE)
{
    gf_emu_barrier("__syncthreads", 0, file, line);
}
static inline int __syncthreads_count(int p, GF_EMU_SITE)
{
    return gf_emu_barrier("__syncthreads_count", p, file, line).count;
}
static inline int __syncthreads_and(int p, GF_EMU_SITE)
{
    return gf_emu_barrier("__syncthreads_and", p, file, line).all;
}
static inline int __syncthreads_or(int p, GF_EMU_SITE)
{
    return gf_emu_barrier("__syncthreads_or", p, file, line).any;
}

/* ---- Warp operations -------------------------------------------------------------------------------------
 */

enum gf_emu_warp_op {
    GF_EMU_SYNC,
    GF_EMU_SHFL,
    GF_EMU_SHFL_UP,
    GF_EMU_SHFL_DOWN,
    GF_EMU_SHFL_XOR,
    GF_EMU_BALLOT,
    GF_EMU_MATCH,
    GF_EMU_ADD,
    GF_EMU_MIN,
    GF_EMU_MAX,
    GF_EMU_AND,
    GF_EMU_OR,
    GF_EMU_XOR
};
/* Waits for all lanes of mask, which must come with the same op and mask. lane, width: of shuffles. */
uint64_t gf_emu_warp(gf_emu_warp_op op, unsigned mask, uint64_t value, unsigned lane, unsigned width,
                     const char *file, int line);

template <class T>
T gf_emu_shuffle(gf_emu_warp_op op, unsigned mask, T v, unsigned lane, int width, GF_EMU_SITE)
{
    static_assert(std::is_arithmetic<T>::value && sizeof(T) >= 4 && sizeof(T) <= 8, "4 or 8 bytes");
    uint64_t bits = 0;
    memcpy(&bits, &v, sizeof v);
    bits = gf_emu_warp(op, mask, bits, lane, static_cast<unsigned>(width), file, line);
    memcpy(&v, &bits, sizeof v);
    return v;
}

static inline void __syncwarp(unsigned mask = 0xffffffffu, GF_EMU_SITE)
{
    gf_emu_warp(GF_EMU_SYNC, mask, 0, 0, 32, file, line);
}
template <class T> T __shfl_sync(unsigned mask, T v, int lane, int width = 32, GF_EMU_SITE)
{
    return gf_emu_shuffle(GF_EMU_SHFL, mask, v, static_cast<unsigned>(lane), width, file, line);
}
template <class T> T __shfl_up_sync(unsigned mask, T v, unsigned delta, int width = 32, GF_EMU_SITE)
{
    return gf_emu_shuffle(GF_EMU_SHFL_UP, mask, v, delta, width, file, line);
}
template <class T> T __shfl_down_sync(unsigned mask, T v, unsigned delta, int width = 32, GF_EMU_SITE)
{
    return gf_emu_shuffle(GF_EMU_SHFL_DOWN, mask, v, delta, width, file, line);
}
template <class T> T __shfl_xor_sync(unsigned mask, T v, int bits, int width = 32, GF_EMU_SITE)
{
    return gf_emu_shuffle(GF_EMU_SHFL_XOR, mask, v, static_cast<unsigned>(bits), width, file, line);
}
static inline unsigned __ballot_sync(unsigned mask, int p, GF_EMU_SITE)
{
    return static_cast<unsigned>(gf_emu_warp(GF_EMU_BALLOT, mask, p != 0, 0, 32, file, line));
}
static inline int __any_sync(unsigned mask, int p, GF_EMU_SITE)
{
    return __ballot_sync(mask, p, file, line) != 0;
}
static inline int __all_sync(unsigned mask, int p, GF_EMU_SITE)
{
    return __ballot_sync(mask, p, file, line) == mask;
}
template <class T> unsigned __match_any_sync(unsigned mask, T v, GF_EMU_SITE)
{
    uint64_t bits = 0;
    memcpy(&bits, &v, sizeof v);
    return static_cast<unsigned>(gf_emu_warp(GF_EMU_MATCH, mask, bits, 0, 32, file, line));
}

/* int or unsigned; the order of signed numbers is that of their bits with the sign flipped. */
#define GF_EMU_REDUCE(name, op)                                                                              \
    static inline unsigned name(unsigned mask, unsigned v, GF_EMU_SITE)                                      \
    {                                                                                                        \
        return static_cast<unsigned>(gf_emu_warp(op, mask, v, 0, 32, file, line));                           \
    }                                                                                                        \
    static inline int name(unsigned mask, int v, GF_EMU_SITE)                                                \
    {                                                                                                        \
        const unsigned flip = (op) == GF_EMU_MIN || (op) == GF_EMU_MAX ? 0x80000000u : 0u;                   \
        return static_cast<int>(name(mask, static_cast<unsigned>(v) ^ flip, file, line) ^ flip);             \
    }
GF_EMU_REDUCE(__reduce_add_sync, GF_EMU_ADD)
GF_EMU_REDUCE(__reduce_min_sync, GF_EMU_MIN)
GF_EMU_REDUCE(__reduce_max_sync, GF_EMU_MAX)
GF_EMU_REDUCE(__reduce_and_sync, GF_EMU_AND)
GF_EMU_REDUCE(__reduce_or_sync, GF_EMU_OR)
GF_EMU_REDUCE(__reduce_xor_sync, GF_EMU_XOR)
#undef GF_EMU_REDUCE

#include "emu_intrinsics.h"

#endif
