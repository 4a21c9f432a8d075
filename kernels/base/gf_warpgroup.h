/* What sm_90 has for groups of four warps: products of bytes from shared memory, copies of whole pieces into
 * it, and barriers that count the bytes that have arrived. No twins, as they would be nothing but other
 * kernels: a kernel that uses them has one beside it, and the host asks gf_warpgroup_there which to launch.
 * Beside gf_ptx.h, the only place for inline PTX; for the kernel files that need it. */
#pragma once

#include "base/gf_cuda.h"

/* Tells whether the device runs code for sm_90a, the only one in which these are. */
static inline bool gf_warpgroup_there(int device)
{
#ifdef GF_EMU
    (void)device;
    return false;
#else
    int major = 0, minor = 0;
    return cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) == cudaSuccess &&
           cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device) == cudaSuccess &&
           major == 9 && minor == 0;
#endif
}

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

GF_DEVICE_FN uint32_t gf_shared_address(const void *shared)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(shared));
}

/* ---- Barriers in shared memory, 8 bytes each ------------------------------------------------------- */

/* One thread calls it, before a __syncthreads. */
GF_DEVICE_FN void gf_barrier_begin(uint64_t *barrier, unsigned arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(gf_shared_address(barrier)), "r"(arrivals)
                 : "memory");
}
/* Behind all of them: copies see them. */
GF_DEVICE_FN void gf_barrier_begun()
{
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
GF_DEVICE_FN void gf_barrier_arrive(uint64_t *barrier)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(gf_shared_address(barrier)) : "memory");
}
/* Arrives, and makes the barrier wait for `bytes` of copies too. */
GF_DEVICE_FN void gf_barrier_expect(uint64_t *barrier, unsigned bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(gf_shared_address(barrier)),
                 "r"(bytes)
                 : "memory");
}
/* Until the phase of that parity (0 for the first) is over. */
GF_DEVICE_FN void gf_barrier_wait(uint64_t *barrier, unsigned parity)
{
    asm volatile("{\n\t"
                 ".reg .pred over;\n\t"
                 "again:\n\t"
                 "mbarrier.try_wait.parity.shared::cta.b64 over, [%0], %1;\n\t"
                 "@!over bra again;\n\t"
                 "}" ::"r"(gf_shared_address(barrier)),
                 "r"(parity)
                 : "memory");
}

/* Copies a piece, a multiple of 16 bytes, at addresses that are. */
GF_DEVICE_FN void gf_copy_piece(void *shared, const void *global, unsigned bytes, uint64_t *barrier)
{
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
            gf_shared_address(shared)),
        "l"(global), "r"(bytes), "r"(gf_shared_address(barrier))
        : "memory");
}

/* ---- Products -------------------------------------------------------------------------------------- */

/* Rows of 64 bytes in shared memory, whose groups g of 16 bytes lie at g ^ (row / 2 % 4): from a row that is
 * a multiple of 8, at an address that is one of 512. */
GF_DEVICE_FN uint64_t gf_rows_of_64(uint32_t address)
{
    const uint64_t eight_rows = 512 >> 4, turned = 2;
    return turned << 62 | eight_rows << 32 | uint64_t(1) << 16 | (address & 0x3ffffu) >> 4;
}

/* Comes in front of products whose sums ordinary instructions wrote; ends those that are one batch; and waits
 * until at most N batches are at work. All 128 threads call them. */
GF_DEVICE_FN void gf_products_begin()
{
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
GF_DEVICE_FN void gf_products_commit()
{
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
template <int N> GF_DEVICE_FN void gf_products_wait()
{
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(N) : "memory");
}

/* sum += a * b: a of 64 rows and b of 128 columns, of 32 signed bytes each. In lane l of warp w of the four,
 * sum[4 j + e] is that of row 16 w + l / 4 + 8 (e / 2) and column 8 j + l % 4 * 2 + e % 2. */
#define GF_SUMS8(s, at)                                                                                      \
    "+r"(s[at]), "+r"(s[(at) + 1]), "+r"(s[(at) + 2]), "+r"(s[(at) + 3]), "+r"(s[(at) + 4]),                 \
        "+r"(s[(at) + 5]), "+r"(s[(at) + 6]), "+r"(s[(at) + 7])
GF_DEVICE_FN void gf_multiply_rows(int32_t (&sum)[64], uint64_t a, uint64_t b)
{
    asm volatile(
        "{\n\t"
        ".reg .pred adds;\n\t"
        "setp.ne.b32 adds, %66, 0;\n\t"
        "wgmma.mma_async.sync.aligned.m64n128k32.s32.s8.s8 "
        "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
        "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
        "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, %64, %65, adds;\n\t"
        "}"
        : GF_SUMS8(sum, 0), GF_SUMS8(sum, 8), GF_SUMS8(sum, 16), GF_SUMS8(sum, 24), GF_SUMS8(sum, 32),
          GF_SUMS8(sum, 40), GF_SUMS8(sum, 48), GF_SUMS8(sum, 56)
        : "l"(a), "l"(b), "r"(1));
}

#endif
