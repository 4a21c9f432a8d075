/* The ground under every kernel: launch, shared memory, wide loads, ordered memory, warps.
 *
 * The only header a kernel file includes for CUDA. The same source compiles with nvcc for a
 * GPU and, with GF_EMU defined, as plain C++ for the emulator of tests/emu, where every
 * thread is a fibre. CONTRIBUTING.md has the rules that make both true; in short:
 * shared memory through GF_SHARED at the top of the kernel, launches through GF_LAUNCH, warp
 * operations with all 32 lanes, and everything two blocks share through the calls below. */
#pragma once

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <type_traits>

#ifdef GF_EMU
#include "emu.h"
#elif defined(__CUDACC__)
#include <cuda_runtime.h>
#else
#error "compile kernel files with nvcc, or with GF_EMU defined for the emulator"
#endif

/* A function that kernels call. */
#define GF_DEVICE_FN static __device__ __forceinline__

/* Stands in front of a loop with constant bounds that must be unrolled, so that the arrays it
 * indexes stay in registers. */
#ifdef GF_EMU
#define GF_UNROLL
#else
#define GF_UNROLL _Pragma("unroll")
#endif

/* In the emulator, whose reports say so, the last parameter of a function that waits is where in a kernel it
 * was called: GF_AT alone, GF_AND_AT behind others; GF_HERE hands it on. */
#ifdef GF_EMU
#define GF_AT(name)     GF_EMU_AT(name)
#define GF_AND_AT(name) , GF_EMU_AT(name)
#define GF_HERE         , at
#else
#define GF_AT(name)
#define GF_AND_AT(name)
#define GF_HERE
#endif

#define GF_WARP      32
#define GF_FULL_MASK 0xffffffffu

#include "base/gf_ptx.h"
#include "base/gf_tensor.h"

/* ---- Shared memory ----------------------------------------------------------------------
 * GF_SHARED(type, name, n): an array of n elements (a compile-time constant), aligned to 16
 * bytes. GF_SHARED_DYN(type, name): the dynamic array of gf_launch.shared bytes; one a
 * kernel. Both at the top of a __global__ function only, one array per purpose; sizeof is
 * not the array's size in the emulator. Contents are undefined until written. */
#ifdef GF_EMU
#define GF_SHARED(type, name, n)                                                                             \
    static const char gf_site_##name = 0;                                                                    \
    type *const name = static_cast<type *>(gf_emu_shared(&gf_site_##name, #name, sizeof(type) * (n)))
#define GF_SHARED_DYN(type, name) type *const name = static_cast<type *>(gf_emu_shared_dynamic())
#else
#define GF_SHARED(type, name, n) __shared__ __align__(16) type name[n]
#define GF_SHARED_DYN(type, name)                                                                            \
    extern __shared__ __align__(16) unsigned char gf_shared_dynamic_bytes[];                                 \
    type *const name = reinterpret_cast<type *>(gf_shared_dynamic_bytes)
#endif

/* ---- Launch ------------------------------------------------------------------------------
 * GF_LAUNCH(kernel, config, args...) returns the cudaError_t of this launch, and nothing of
 * earlier ones. A template-id goes in parentheses: GF_LAUNCH((k<3, int>), config, args). */
#define GF_LAUNCH(kernel, ...) gf_launch_kernel(#kernel, kernel, __VA_ARGS__)

struct gf_launch {
    dim3 grid;         /* blocks: x <= 2^31 - 1, y and z <= 65535; any 0: nothing to do, success */
    dim3 block;        /* threads: 1 to 1024 in all, z <= 64 */
    size_t shared = 0; /* bytes of dynamic shared memory; the opt-in above 48 KB is made here */
    cudaStream_t stream = nullptr; /* NULL: the default stream */
    bool cooperative = false;      /* the whole grid is resident, or the launch fails */
    unsigned cluster = 1;          /* blocks of a cluster along x; divides grid.x */
    bool programmatic = false;     /* may start before the kernel in front of it ends: see gf_pdl_wait */
};

/* On a stream, a gf_queue's or a cudaStream_t; the rest is by default. */
static inline gf_launch gf_launch_on(void *stream, dim3 grid, dim3 block)
{
    gf_launch launch;
    launch.grid = grid;
    launch.block = block;
    launch.stream = static_cast<cudaStream_t>(stream);
    return launch;
}

/* Blocks that cover n items at `per` (>= 1) each. Too many for a dimension comes back as
 * UINT32_MAX, which GF_LAUNCH refuses; n <= 0 gives 0. */
static inline unsigned gf_blocks(int64_t n, int64_t per)
{
    if (n <= 0) {
        return 0;
    }
    int64_t blocks = (n - 1) / per + 1;
    return blocks > INT32_MAX ? UINT32_MAX : static_cast<unsigned>(blocks);
}

static inline bool gf_launch_is_empty(const gf_launch &c)
{
    return c.grid.x == 0 || c.grid.y == 0 || c.grid.z == 0;
}

static inline bool gf_launch_is_valid(const gf_launch &c)
{
    const uint64_t threads = static_cast<uint64_t>(c.block.x) * c.block.y * c.block.z;
    const bool sides =
        c.block.x <= 1024 && c.block.y <= 1024 && c.block.z <= 64; /* so that threads is exact */
    return c.grid.x <= INT32_MAX && c.grid.y <= 65535 && c.grid.z <= 65535 && sides && threads >= 1 &&
           threads <= 1024 && c.cluster >= 1 && c.grid.x % c.cluster == 0;
}

/* The launch of this thread that failed last: where a call launches one of several kernels, its source text
 * does not tell which (gf_cuda_fail). */
struct gf_launch_failure {
    const char *kernel; /* as written in GF_LAUNCH; NULL: none */
    cudaError_t code;
};
inline thread_local gf_launch_failure gf_launch_failed = {nullptr, cudaSuccess};

/* How many launches of this thread have been queued. */
inline thread_local int64_t gf_launches_made = 0;

#ifdef GF_EMU
template <class... P, class... A>
static inline cudaError_t gf_launch_start(const char *name, void (*kernel)(P...), const gf_launch &c,
                                          A &&...args)
{
    const gf_emu_grid grid = {name, c.grid, c.block, c.shared, c.cooperative, c.stream};
    const auto body = [&] { kernel(static_cast<P>(args)...); };
    return gf_emu_run(grid, std::ref(body));
}
#else
/* Every thread asks for the same, largest limit, so that two threads that launch one kernel
 * with different sizes cannot lower it for each other. */
static inline cudaError_t gf_launch_allow_shared(const void *kernel, size_t bytes)
{
    cudaFuncAttributes attributes;
    int device = 0, limit = 0;
    cudaError_t status = cudaFuncGetAttributes(&attributes, kernel);
    if (status != cudaSuccess || bytes <= static_cast<size_t>(attributes.maxDynamicSharedSizeBytes)) {
        return status;
    }
    status = cudaGetDevice(&device);
    if (status == cudaSuccess) {
        status = cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    }
    if (status != cudaSuccess) {
        return status;
    }
    limit -= static_cast<int>(attributes.sharedSizeBytes);
    if (limit < 0 || bytes > static_cast<size_t>(limit)) {
        return cudaErrorInvalidConfiguration;
    }
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, limit);
}

template <class... P, class... A>
static inline cudaError_t gf_launch_start(const char *, void (*kernel)(P...), const gf_launch &c, A &&...args)
{
    /* From 32 KB on: below that 16 KB are left for GF_SHARED arrays under the default limit of 48 KB. */
    if (c.shared > 32 * 1024) {
        cudaError_t status = gf_launch_allow_shared(reinterpret_cast<const void *>(kernel), c.shared);
        if (status != cudaSuccess) {
            return status;
        }
    }
    cudaLaunchAttribute attributes[3] = {};
    unsigned n = 0;
    if (c.cooperative) {
        attributes[n].id = cudaLaunchAttributeCooperative;
        attributes[n++].val.cooperative = 1;
    }
    if (c.cluster > 1) {
        attributes[n].id = cudaLaunchAttributeClusterDimension;
        attributes[n].val.clusterDim.x = c.cluster;
        attributes[n].val.clusterDim.y = 1;
        attributes[n++].val.clusterDim.z = 1;
    }
    if (c.programmatic) {
        attributes[n].id = cudaLaunchAttributeProgrammaticStreamSerialization;
        attributes[n++].val.programmaticStreamSerializationAllowed = 1;
    }
    cudaLaunchConfig_t config = {};
    config.gridDim = c.grid;
    config.blockDim = c.block;
    config.dynamicSmemBytes = c.shared;
    config.stream = c.stream;
    config.attrs = attributes;
    config.numAttrs = n;
    return cudaLaunchKernelEx(&config, kernel, static_cast<P>(args)...);
}
#endif

template <class... P, class... A>
static inline cudaError_t gf_launch_kernel(const char *name, void (*kernel)(P...), const gf_launch &c,
                                           A &&...args)
{
    static_assert((sizeof(P) + ... + 0) <= 32764, "kernel parameters take at most 32764 bytes");
    static_assert((std::is_trivially_copyable<P>::value && ... && true), "kernel parameters are plain data");
    if (gf_launch_is_empty(c)) {
        return cudaSuccess;
    }
    const cudaError_t code =
        gf_launch_is_valid(c) ? gf_launch_start(name, kernel, c, args...) : cudaErrorInvalidConfiguration;
    gf_launches_made += code == cudaSuccess;
    if (code != cudaSuccess) {
        gf_launch_failed = {name, code};
    }
    return code;
}

/* ---- Wide loads and stores -----------------------------------------------------------------
 * The address is aligned to the width (the emulator reports it when not). Any element type
 * may lie there: no aliasing rule is broken. Hints other than GF_CACHED: global memory only. */
enum gf_hint {
    GF_CACHED,   /* will be used again soon, or shared memory */
    GF_STREAM,   /* read or written once: evict first */
    GF_READ_ONLY /* loads only: nothing writes it while the kernel runs; texture path */
};

template <class T> GF_DEVICE_FN T gf_load_as(const void *p, gf_hint hint)
{
#ifdef GF_EMU
    (void)hint;
    gf_emu_check_aligned(p, sizeof(T));
    T value;
    memcpy(&value, p, sizeof value);
    return value;
#else
    const T *q = static_cast<const T *>(p);
    return hint == GF_STREAM ? __ldcs(q) : hint == GF_READ_ONLY ? __ldg(q) : *q;
#endif
}

template <class T> GF_DEVICE_FN void gf_store_as(void *p, T value, gf_hint hint)
{
#ifdef GF_EMU
    (void)hint;
    gf_emu_check_aligned(p, sizeof(T));
    memcpy(p, &value, sizeof value);
#else
    T *q = static_cast<T *>(p);
    if (hint == GF_STREAM) {
        __stcs(q, value);
    } else {
        *q = value;
    }
#endif
}

GF_DEVICE_FN uint4 gf_load16(const void *p, gf_hint hint = GF_CACHED)
{
    return gf_load_as<uint4>(p, hint);
}
GF_DEVICE_FN uint2 gf_load8(const void *p, gf_hint hint = GF_CACHED)
{
    return gf_load_as<uint2>(p, hint);
}
GF_DEVICE_FN uint32_t gf_load4(const void *p, gf_hint hint = GF_CACHED)
{
    return gf_load_as<unsigned>(p, hint);
}
GF_DEVICE_FN void gf_store16(void *p, uint4 v, gf_hint hint = GF_CACHED)
{
    gf_store_as<uint4>(p, v, hint);
}
GF_DEVICE_FN void gf_store8(void *p, uint2 v, gf_hint hint = GF_CACHED)
{
    gf_store_as<uint2>(p, v, hint);
}
GF_DEVICE_FN void gf_store4(void *p, uint32_t v, gf_hint hint = GF_CACHED)
{
    gf_store_as<unsigned>(p, v, hint);
}

#include "base/gf_atomic.h"
#include "base/gf_warp.h"
