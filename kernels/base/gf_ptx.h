/* The only place for inline PTX. Each function has a C++ twin of the same result, used by
 * the emulator and, where the architecture lacks the instruction, on the GPU.
 * Included by gf_cuda.h; not by itself. */
#pragma once

#ifdef GF_EMU
#define GF_PTX_ARCH 0
#define GF_PTX_FN   static inline
#elif defined(__CUDA_ARCH__)
#define GF_PTX_ARCH __CUDA_ARCH__
#else
#define GF_PTX_ARCH 0 /* the host's half of nvcc: parsed, and run by tests that compare the two */
#endif
#ifndef GF_PTX_FN
#define GF_PTX_FN static __host__ __device__ __forceinline__
#endif

/* ---- Memory order, scope: the whole GPU. `order` is a PTX qualifier. ---------------------- */

#if GF_PTX_ARCH
#define GF_PTX_MEMORY(order)                                                                                 \
    GF_DEVICE_FN uint32_t gf_ptx_load_##order(const uint32_t *p)                                             \
    {                                                                                                        \
        uint32_t v;                                                                                          \
        asm volatile("ld." #order ".gpu.b32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");                       \
        return v;                                                                                            \
    }                                                                                                        \
    GF_DEVICE_FN uint64_t gf_ptx_load_##order(const uint64_t *p)                                             \
    {                                                                                                        \
        uint64_t v;                                                                                          \
        asm volatile("ld." #order ".gpu.b64 %0, [%1];" : "=l"(v) : "l"(p) : "memory");                       \
        return v;                                                                                            \
    }
#define GF_PTX_MEMORY_STORE(order)                                                                           \
    GF_DEVICE_FN void gf_ptx_store_##order(uint32_t *p, uint32_t v)                                          \
    {                                                                                                        \
        asm volatile("st." #order ".gpu.b32 [%0], %1;" ::"l"(p), "r"(v) : "memory");                         \
    }                                                                                                        \
    GF_DEVICE_FN void gf_ptx_store_##order(uint64_t *p, uint64_t v)                                          \
    {                                                                                                        \
        asm volatile("st." #order ".gpu.b64 [%0], %1;" ::"l"(p), "l"(v) : "memory");                         \
    }
#else
#ifdef GF_EMU
#define GF_PTX_ON_LOAD(p)  gf_emu_access(p, sizeof *(p))
#define GF_PTX_ON_STORE(p) (gf_emu_access(p, sizeof *(p)), gf_emu_progress())
#else
#define GF_PTX_ON_LOAD(p)  ((void)0)
#define GF_PTX_ON_STORE(p) ((void)0)
#endif
#define GF_PTX_ATOMIC_relaxed __ATOMIC_RELAXED
#define GF_PTX_ATOMIC_acquire __ATOMIC_ACQUIRE
#define GF_PTX_ATOMIC_release __ATOMIC_RELEASE
#define GF_PTX_MEMORY(order)                                                                                 \
    template <class T> GF_DEVICE_FN T gf_ptx_load_##order(const T *p)                                        \
    {                                                                                                        \
        GF_PTX_ON_LOAD(p);                                                                                   \
        return __atomic_load_n(p, GF_PTX_ATOMIC_##order);                                                    \
    }
#define GF_PTX_MEMORY_STORE(order)                                                                           \
    template <class T> GF_DEVICE_FN void gf_ptx_store_##order(T *p, T v)                                     \
    {                                                                                                        \
        GF_PTX_ON_STORE(p);                                                                                  \
        __atomic_store_n(p, v, GF_PTX_ATOMIC_##order);                                                       \
    }
#endif

GF_PTX_MEMORY(relaxed)
GF_PTX_MEMORY(acquire)
GF_PTX_MEMORY_STORE(relaxed)
GF_PTX_MEMORY_STORE(release)

/* Adds, and orders everything before it before everything after it for whoever meets it. */
GF_DEVICE_FN uint32_t gf_ptx_add_acq_rel(uint32_t *p, uint32_t v)
{
#if GF_PTX_ARCH
    uint32_t old;
    asm volatile("atom.acq_rel.gpu.add.u32 %0, [%1], %2;" : "=r"(old) : "l"(p), "r"(v) : "memory");
    return old;
#else
    GF_PTX_ON_STORE(p);
    return __atomic_fetch_add(p, v, __ATOMIC_ACQ_REL);
#endif
}

/* ---- Packed integer products -------------------------------------------------------------- */

/* acc + w.lo * x.byte0 + w.hi * x.byte1 (lo), or bytes 2 and 3 (hi): w two s16, x four u8.
 * Wraps as unsigned. */
GF_DEVICE_FN int32_t gf_dp2a_lo(uint32_t w, uint32_t x, int32_t acc)
{
#if GF_PTX_ARCH
    int32_t d;
    asm("dp2a.lo.s32.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(w), "r"(x), "r"(acc));
    return d;
#else
    const int32_t w0 = static_cast<int16_t>(w & 0xffffu), w1 = static_cast<int16_t>(w >> 16);
    const int32_t x0 = static_cast<int32_t>(x & 0xffu), x1 = static_cast<int32_t>((x >> 8) & 0xffu);
    return static_cast<int32_t>(static_cast<uint32_t>(acc) + static_cast<uint32_t>(w0 * x0 + w1 * x1));
#endif
}

GF_DEVICE_FN int32_t gf_dp2a_hi(uint32_t w, uint32_t x, int32_t acc)
{
#if GF_PTX_ARCH
    int32_t d;
    asm("dp2a.hi.s32.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(w), "r"(x), "r"(acc));
    return d;
#else
    return gf_dp2a_lo(w, x >> 16, acc);
#endif
}

/* The same with w two u16. */
GF_DEVICE_FN uint32_t gf_dp2a_lo_u(uint32_t w, uint32_t x, uint32_t acc)
{
#if GF_PTX_ARCH
    uint32_t d;
    asm("dp2a.lo.u32.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(w), "r"(x), "r"(acc));
    return d;
#else
    return acc + (w & 0xffffu) * (x & 0xffu) + (w >> 16) * ((x >> 8) & 0xffu);
#endif
}

GF_DEVICE_FN uint32_t gf_dp2a_hi_u(uint32_t w, uint32_t x, uint32_t acc)
{
#if GF_PTX_ARCH
    uint32_t d;
    asm("dp2a.hi.u32.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(w), "r"(x), "r"(acc));
    return d;
#else
    return gf_dp2a_lo_u(w, x >> 16, acc);
#endif
}

/* acc + the sum of four products of u8. Wraps. */
GF_DEVICE_FN uint32_t gf_dp4a_u(uint32_t w, uint32_t x, uint32_t acc)
{
#if GF_PTX_ARCH
    uint32_t d;
    asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(w), "r"(x), "r"(acc));
    return d;
#else
    for (unsigned i = 0; i < 4; i++) {
        acc += ((w >> (8 * i)) & 0xffu) * ((x >> (8 * i)) & 0xffu);
    }
    return acc;
#endif
}

/* acc + the sum of four products of u8 in x and s8 in w. Wraps. */
GF_PTX_FN int32_t gf_dp4a_us(uint32_t x, uint32_t w, int32_t acc)
{
#if GF_PTX_ARCH
    int32_t d;
    asm("dp4a.u32.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(x), "r"(w), "r"(acc));
    return d;
#else
    uint32_t sum = static_cast<uint32_t>(acc);
    for (unsigned i = 0; i < 4; i++) {
        sum += static_cast<uint32_t>(static_cast<int32_t>((x >> (8 * i)) & 0xffu) *
                                     static_cast<int8_t>((w >> (8 * i)) & 0xffu));
    }
    return static_cast<int32_t>(sum);
#endif
}

/* The nearest integer, the even one of two; the ends of s32 for what lies beyond them, 0 for NaN. */
GF_PTX_FN int32_t gf_round_s32(float v)
{
#if GF_PTX_ARCH
    int32_t d;
    asm("cvt.rni.s32.f32 %0, %1;" : "=r"(d) : "f"(v));
    return d;
#else
    return v >= 2147483648.0F   ? INT32_MAX
           : v < -2147483648.0F ? INT32_MIN
           : v > -2147483904.0F ? static_cast<int32_t>(nearbyintf(v))
                                : 0;
#endif
}

/* Four numbers clamped to u8, the first in the lowest byte. */
GF_PTX_FN uint32_t gf_pack_u8(int32_t a, int32_t b, int32_t c, int32_t d)
{
#if GF_PTX_ARCH
    uint32_t high, all;
    asm("cvt.pack.sat.u8.s32.b32 %0, %1, %2, 0;" : "=r"(high) : "r"(d), "r"(c));
    asm("cvt.pack.sat.u8.s32.b32 %0, %1, %2, %3;" : "=r"(all) : "r"(b), "r"(a), "r"(high));
    return all;
#else
    /* Written out: gcc 12 with sanitizers misreads a loop over an array of the four. */
    const uint32_t first = a < 0 ? 0U : a > 255 ? 255U : static_cast<uint32_t>(a);
    const uint32_t second = b < 0 ? 0U : b > 255 ? 255U : static_cast<uint32_t>(b);
    const uint32_t third = c < 0 ? 0U : c > 255 ? 255U : static_cast<uint32_t>(c);
    const uint32_t fourth = d < 0 ? 0U : d > 255 ? 255U : static_cast<uint32_t>(d);
    return first | second << 8 | third << 16 | fourth << 24;
#endif
}

/* Picks four bytes of the eight b:a by the nibbles of s (0 to 7; no sign replication). */
GF_DEVICE_FN uint32_t gf_byte_perm(uint32_t a, uint32_t b, uint32_t s)
{
#if GF_PTX_ARCH
    uint32_t d;
    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(s & 0x7777u));
    return d;
#else
    const uint64_t both = (static_cast<uint64_t>(b) << 32) | a;
    uint32_t d = 0;
    for (unsigned i = 0; i < 4; i++) {
        d |= static_cast<uint32_t>((both >> (8 * ((s >> (4 * i)) & 7u))) & 0xffu) << (8 * i);
    }
    return d;
#endif
}

/* ---- Two u16 in a word ------------------------------------------------------------------------ */

GF_DEVICE_FN uint32_t gf_min2(uint32_t a, uint32_t b)
{
#if GF_PTX_ARCH
    return __vminu2(a, b);
#else
    const uint32_t low = (a & 0xffffu) < (b & 0xffffu) ? a : b, high = a >> 16 < b >> 16 ? a : b;
    return (high & 0xffff0000u) | (low & 0xffffu);
#endif
}

GF_DEVICE_FN uint32_t gf_max2(uint32_t a, uint32_t b)
{
#if GF_PTX_ARCH
    return __vmaxu2(a, b);
#else
    const uint32_t low = (a & 0xffffu) < (b & 0xffffu) ? b : a, high = a >> 16 < b >> 16 ? b : a;
    return (high & 0xffff0000u) | (low & 0xffffu);
#endif
}

/* 32 bits of b:a from bit `shift` on, 0 to 31. */
GF_DEVICE_FN uint32_t gf_funnel_right(uint32_t a, uint32_t b, uint32_t shift)
{
#if GF_PTX_ARCH
    uint32_t d;
    asm("shf.r.wrap.b32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(shift));
    return d;
#else
    return static_cast<uint32_t>(((static_cast<uint64_t>(b) << 32) | a) >> (shift & 31u));
#endif
}

/* ---- Roots --------------------------------------------------------------------------------- */

/* The correctly rounded root of v, 2^-100 <= v <= 2^100: what __fsqrt_rn does, but that it looks for extremes
 * first. */
GF_DEVICE_FN float gf_root_in_range(float v)
{
#if GF_PTX_ARCH
    float r;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(v));
    const float s = __fmul_rn(v, r);
    return __fmaf_rn(__fmaf_rn(-s, s, v), __fmul_rn(0.5F, r), s);
#else
    return __builtin_sqrtf(v);
#endif
}

/* ---- Votes --------------------------------------------------------------------------------- */

/* The lanes whose value has the same bit there as this lane's: all 32 take part; `bit` has one bit set and is
 * the same in all of them. Left to itself, the compiler tests the bit twice. */
GF_DEVICE_FN uint32_t gf_votes_alike(uint32_t value, uint32_t bit)
{
#if GF_PTX_ARCH
    uint32_t lanes;
    asm volatile("{\n\t"
                 ".reg .pred set;\n\t"
                 ".reg .b32 masked;\n\t"
                 "and.b32 masked, %1, %2;\n\t"
                 "setp.ne.b32 set, masked, 0;\n\t"
                 "vote.sync.ballot.b32 %0, set, 0xffffffff;\n\t"
                 "@!set not.b32 %0, %0;\n\t"
                 "}"
                 : "=r"(lanes)
                 : "r"(value), "r"(bit));
    return lanes;
#else
    const bool set = (value & bit) != 0;
    return __ballot_sync(GF_FULL_MASK, set) ^ (set ? 0u : GF_FULL_MASK);
#endif
}

/* ---- Registers ------------------------------------------------------------------------------- */

/* The same value, but the compiler forgets what it knows of it: what was computed from it before is computed
 * again, where it would have been kept in registers. */
GF_DEVICE_FN uint32_t gf_forget(uint32_t value)
{
#if GF_PTX_ARCH
    asm volatile("" : "+r"(value));
#endif
    return value;
}

/* ---- Copies from global to shared memory that do not wait ------------------------------------
 * Issue some, commit them as a group, and wait until at most N groups are open: only then,
 * and after __syncthreads for other threads' copies, may the bytes be read. The emulator
 * moves them at the wait, so a missing wait is seen. 16 bytes bypass L1; 4 and 8 do not. */

template <int BYTES> GF_DEVICE_FN void gf_cp_async(void *shared, const void *global)
{
    static_assert(BYTES == 4 || BYTES == 8 || BYTES == 16, "cp.async copies 4, 8 or 16 bytes");
#if GF_PTX_ARCH >= 800
    const uint32_t to = static_cast<uint32_t>(__cvta_generic_to_shared(shared));
    if (BYTES == 16) {
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(global) : "memory");
    } else {
        asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(global), "n"(BYTES)
                     : "memory");
    }
#elif defined(GF_EMU)
    gf_emu_check_aligned(shared, BYTES);
    gf_emu_check_aligned(global, BYTES);
    gf_emu_async_copy(shared, global, BYTES);
#else
    memcpy(shared, global, BYTES);
#endif
}

GF_DEVICE_FN void gf_cp_async_commit()
{
#if GF_PTX_ARCH >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#elif defined(GF_EMU)
    gf_emu_async_commit();
#endif
}

template <int N> GF_DEVICE_FN void gf_cp_async_wait()
{
#if GF_PTX_ARCH >= 800
    asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
#elif defined(GF_EMU)
    gf_emu_async_wait(N);
#endif
}

/* ---- Programmatic dependent launch ------------------------------------------------------------
 * In a kernel launched with gf_launch.programmatic, nothing of the kernel in front may be
 * read or overwritten before gf_pdl_wait; gf_pdl_launch lets the next one start early.
 * Without the attribute, or before sm_90, both do nothing. */

GF_DEVICE_FN void gf_pdl_wait()
{
#if GF_PTX_ARCH >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

GF_DEVICE_FN void gf_pdl_launch()
{
#if GF_PTX_ARCH >= 900
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

/* ---- Waiting ------------------------------------------------------------------------------------
 * The body of every loop that waits for another block. The emulator runs other threads here,
 * and reports a deadlock when everyone waits and nobody writes. */
GF_DEVICE_FN void gf_poll(GF_AT("gf_poll"))
{
#ifdef GF_EMU
    gf_emu_poll(at);
#elif GF_PTX_ARCH
    asm volatile("nanosleep.u32 20;" ::: "memory");
#endif
}
