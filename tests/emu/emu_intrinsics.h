/* CUDA's built-in functions that kernels use. Part of emu.h. */
#ifndef GF_TESTS_EMU_INTRINSICS_H
#define GF_TESTS_EMU_INTRINSICS_H

/* ---- Atomics: relaxed, as CUDA's. The old value is returned. -------------------------------------- */

template <class T, class F> T gf_emu_atomic(T *p, F next)
{
    gf_emu_on_load(p, sizeof *p);
    T old, now;
    __atomic_load(p, &old, __ATOMIC_RELAXED);
    do {
        now = next(old);
    } while (!__atomic_compare_exchange(p, &old, &now, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    gf_emu_on_store(p, sizeof *p, memcmp(&old, &now, sizeof old) != 0);
    return old;
}

/* The value's type is not deduced, so that atomicAdd(&an_unsigned, 1) works as in CUDA. */
template <class T> using gf_emu_same = typename std::common_type<T>::type;

template <class T> T atomicAdd(T *p, gf_emu_same<T> v)
{
    return gf_emu_atomic(p, [v](T old) { return static_cast<T>(old + v); });
}
template <class T> T atomicSub(T *p, gf_emu_same<T> v)
{
    return gf_emu_atomic(p, [v](T old) { return static_cast<T>(old - v); });
}
template <class T> T atomicMin(T *p, gf_emu_same<T> v)
{
    return gf_emu_atomic(p, [v](T old) { return v < old ? v : old; });
}
template <class T> T atomicMax(T *p, gf_emu_same<T> v)
{
    return gf_emu_atomic(p, [v](T old) { return old < v ? v : old; });
}
template <class T> T atomicAnd(T *p, gf_emu_same<T> v)
{
    return gf_emu_atomic(p, [v](T old) { return old & v; });
}
template <class T> T atomicOr(T *p, gf_emu_same<T> v)
{
    return gf_emu_atomic(p, [v](T old) { return old | v; });
}
template <class T> T atomicXor(T *p, gf_emu_same<T> v)
{
    return gf_emu_atomic(p, [v](T old) { return old ^ v; });
}
template <class T> T atomicExch(T *p, gf_emu_same<T> v)
{
    return gf_emu_atomic(p, [v](T) { return v; });
}
template <class T> T atomicCAS(T *p, gf_emu_same<T> expected, gf_emu_same<T> v)
{
    return gf_emu_atomic(p, [=](T old) { return old == expected ? v : old; });
}

/* ---- Loads with a hint --------------------------------------------------------------------------------- */

template <class T> T __ldg(const T *p)
{
    gf_emu_check_aligned(p, alignof(T));
    return *p;
}

/* ---- Bits -------------------------------------------------------------------------------------------------
 */

static inline int __popc(unsigned x)
{
    return __builtin_popcount(x);
}
static inline int __popcll(unsigned long long x)
{
    return __builtin_popcountll(x);
}
static inline int __clz(int x)
{
    return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x));
}
static inline int __clzll(long long x)
{
    return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x));
}
static inline int __ffs(int x)
{
    return __builtin_ffs(x);
}
static inline int __ffsll(long long x)
{
    return __builtin_ffsll(x);
}
static inline unsigned __brev(unsigned x)
{
    unsigned r = 0;
    for (int i = 0; i < 32; i++) {
        r |= ((x >> i) & 1u) << (31 - i);
    }
    return r;
}
static inline unsigned long long __brevll(unsigned long long x)
{
    const unsigned long long low = __brev(static_cast<unsigned>(x));
    return low << 32 | __brev(static_cast<unsigned>(x >> 32));
}
static inline unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned n)
{
    const unsigned long long both = static_cast<unsigned long long>(hi) << 32 | lo;
    return static_cast<unsigned>((both << (n & 31u)) >> 32);
}
static inline unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned n)
{
    const unsigned long long both = static_cast<unsigned long long>(hi) << 32 | lo;
    return static_cast<unsigned>(both >> (n & 31u));
}
static inline unsigned __umulhi(unsigned a, unsigned b)
{
    return static_cast<unsigned>(static_cast<unsigned long long>(a) * b >> 32);
}
static inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b)
{
    __extension__ typedef unsigned __int128 wide;
    return static_cast<unsigned long long>(static_cast<wide>(a) * b >> 64);
}

template <class T, class F> T gf_emu_bits(F from)
{
    static_assert(sizeof(T) == sizeof(F), "same size");
    T to;
    memcpy(&to, &from, sizeof to);
    return to;
}
static inline int __float_as_int(float x)
{
    return gf_emu_bits<int>(x);
}
static inline unsigned __float_as_uint(float x)
{
    return gf_emu_bits<unsigned>(x);
}
static inline float __int_as_float(int x)
{
    return gf_emu_bits<float>(x);
}
static inline float __uint_as_float(unsigned x)
{
    return gf_emu_bits<float>(x);
}
static inline long long __double_as_longlong(double x)
{
    return gf_emu_bits<long long>(x);
}
static inline double __longlong_as_double(long long x)
{
    return gf_emu_bits<double>(x);
}

/* ---- Four bytes or two half-words in a word: element type T, wrapping
 * ---------------------------------------- */

template <class T, class F> unsigned gf_emu_packed(unsigned a, unsigned b, F f)
{
    unsigned r = 0;
    for (unsigned shift = 0; shift < 32; shift += 8 * sizeof(T)) {
        const unsigned mask = (1u << (8 * sizeof(T))) - 1;
        const int value =
            f(static_cast<int>(static_cast<T>(a >> shift)), static_cast<int>(static_cast<T>(b >> shift)));
        r |= (static_cast<unsigned>(value) & mask) << shift;
    }
    return r;
}
#define GF_EMU_PACKED(name, type, expression)                                                                \
    static inline unsigned name(unsigned x, unsigned y)                                                      \
    {                                                                                                        \
        return gf_emu_packed<type>(x, y, [](int a, int b) { return expression; });                           \
    }
GF_EMU_PACKED(__vadd2, uint16_t, a + b)
GF_EMU_PACKED(__vadd4, uint8_t, a + b)
GF_EMU_PACKED(__vsub2, uint16_t, a - b)
GF_EMU_PACKED(__vsub4, uint8_t, a - b)
GF_EMU_PACKED(__vminu2, uint16_t, a < b ? a : b)
GF_EMU_PACKED(__vminu4, uint8_t, a < b ? a : b)
GF_EMU_PACKED(__vmins2, int16_t, a < b ? a : b)
GF_EMU_PACKED(__vmaxu2, uint16_t, a < b ? b : a)
GF_EMU_PACKED(__vmaxu4, uint8_t, a < b ? b : a)
GF_EMU_PACKED(__vmaxs2, int16_t, a < b ? b : a)
GF_EMU_PACKED(__vabsdiffu4, uint8_t, a < b ? b - a : a - b)
GF_EMU_PACKED(__vcmpgtu4, uint8_t, a > b ? 0xff : 0)
#undef GF_EMU_PACKED

#endif
