/* How the scans of one pass join values, by type: sums, and minima and maxima as keys. Each is made of the
 * call's `flip`, which sums do without. */
#ifndef GF_ARRAY_SCAN_KINDS_CUDA_CUH
#define GF_ARRAY_SCAN_KINDS_CUDA_CUH

#include "array/common/dispatch_cuda.cuh"
#include "array/scan/lookback_cuda.cuh"
#include "base/gf_order.h"

/* Elements T, results O, added as A; for integers A is unsigned. */
template <class T, class O, class A> struct gf_scan_sum {
    using in = T;
    using out = O;
    using value = A;
    using slot = gf_slot<A>;
    static const bool ORDERED = std::is_floating_point<A>::value;
    static const int LANE = GF_SCAN_LANE_BYTES / static_cast<int>(sizeof(O));

    __device__ explicit gf_scan_sum(uint64_t) {}
    __device__ A none() const { return A(0); }
    __device__ A join(A a, A b) const { return a + b; }
    __device__ T fill() const { return T(0); }
    __device__ A of(T x) const { return static_cast<A>(x); }

    __device__ __forceinline__ A total(const T *x) const
    {
        A sum = static_cast<A>(x[0]);
        GF_UNROLL
        for (int e = 1; e < LANE; e++) {
            sum = sum + static_cast<A>(x[e]);
        }
        return sum;
    }

    __device__ __forceinline__ O result(A sum) const
    {
        if constexpr (sizeof(A) == 4 && std::is_floating_point<A>::value) {
            return gf_canonical(sum);
        } else if constexpr (std::is_floating_point<A>::value) {
            return sum == sum ? sum : gf_bits_double(0x7ff8000000000000u);
        } else {
            return static_cast<O>(sum);
        }
    }

    __device__ __forceinline__ void results(const T *x, A base, bool inclusive, O *y) const
    {
        A run = static_cast<A>(x[0]);
        y[0] = result(inclusive ? base + run : base);
        GF_UNROLL
        for (int e = 1; e < LANE; e++) {
            const A longer = run + static_cast<A>(x[e]);
            y[e] = result(base + (inclusive ? longer : run));
            run = longer;
        }
    }
};

/* ---- Minima, and maxima as minima of the other order ------------------------------------------------------- */

/* Keys of bits B: the bits, or of floats (FLOATS) their key of gf_order.h, ^ flip, so that the least wanted
 * is the least key. */
template <class B, bool FLOATS> struct gf_scan_least {
    using in = B;
    using out = B;
    using value = typename std::conditional<sizeof(B) == 8, uint64_t, uint32_t>::type;
    using slot = gf_slot<value>;
    static const bool ORDERED = false;
    static const int LANE = GF_SCAN_LANE_BYTES / static_cast<int>(sizeof(B));
    value flip;

    __device__ explicit gf_scan_least(uint64_t wanted) : flip(static_cast<B>(wanted)) {}
    __device__ value join(value a, value b) const { return b < a ? b : a; }
    __device__ B fill() const { return result(none()); }

    /* For floats the key of +inf, and with ^ all ones that of -inf. */
    __device__ value none() const
    {
        return static_cast<B>(!FLOATS ? ~uint64_t(0) : sizeof(B) == 8 ? 0xfff0000000000000u : 0xff800000u);
    }

    __device__ __forceinline__ value of(B bits) const
    {
        if constexpr (FLOATS && sizeof(B) == 4) {
            const uint32_t k = gf_key_f32(gf_bits_float(bits));
            return k == 0xffffffffu ? none() : k ^ flip; /* NaN */
        } else if constexpr (FLOATS) {
            const uint64_t k = gf_key_f64(gf_bits_double(bits));
            return k == ~uint64_t(0) ? none() : k ^ flip;
        } else {
            return bits ^ flip;
        }
    }

    __device__ __forceinline__ B result(value k) const
    {
        if constexpr (FLOATS && sizeof(B) == 4) {
            return gf_float_bits(gf_unkey_f32(k ^ flip));
        } else if constexpr (FLOATS) {
            return gf_double_bits(gf_unkey_f64(k ^ flip));
        } else {
            return static_cast<B>(k ^ flip);
        }
    }

    __device__ __forceinline__ value total(const B *x) const
    {
        value least = of(x[0]);
        GF_UNROLL
        for (int e = 1; e < LANE; e++) {
            least = join(least, of(x[e]));
        }
        return least;
    }

    __device__ __forceinline__ void results(const B *x, value base, bool inclusive, B *y) const
    {
        GF_UNROLL
        for (int e = 0; e < LANE; e++) {
            const value next = join(base, of(x[e]));
            y[e] = result(inclusive ? next : base);
            base = next;
        }
    }
};

/* ---- By call: f(gf_tag<kind>()) ---------------------------------------------------------------------------- */

template <class T, class O, class F> gf_status gf_scan_dispatch_pair(F &&f)
{
    if constexpr (std::is_floating_point<O>::value) {
        return f(gf_tag<gf_scan_sum<T, O, O>>());
    } else {
        using A = typename std::conditional<sizeof(O) == 8, uint64_t, uint32_t>::type;
        return f(gf_tag<gf_scan_sum<T, O, A>>());
    }
}

/* Results as wide as the elements, 4 or 8 bytes wide. Whether they have a sign does not show in their bits.
 */
template <class T, class O32, class O64, class F> gf_status gf_scan_dispatch_out(size_t size, F &&f)
{
    if (size == sizeof(T)) {
        return gf_scan_dispatch_pair<T, T>(f);
    }
    if constexpr (sizeof(T) < 4) {
        if (size == 4) {
            return gf_scan_dispatch_pair<T, O32>(f);
        }
    }
    return gf_scan_dispatch_pair<T, O64>(f);
}

template <class F> gf_status gf_scan_dispatch_sum(const struct gf_scan_call *call, gf_error *error, F &&f)
{
    const size_t size = gf_depth_size(call->out);
    switch (call->array.options.type) {
    case GF_U8:
        return gf_scan_dispatch_out<uint8_t, uint32_t, uint64_t>(size, f);
    case GF_U16:
        return gf_scan_dispatch_out<uint16_t, uint32_t, uint64_t>(size, f);
    case GF_S16:
        return size == 2 ? gf_scan_dispatch_pair<uint16_t, uint16_t>(f)
                         : gf_scan_dispatch_out<int16_t, uint32_t, uint64_t>(size, f);
    case GF_U32:
        return gf_scan_dispatch_out<uint32_t, uint32_t, uint64_t>(size, f);
    case GF_S32:
        return size == 4 ? gf_scan_dispatch_pair<uint32_t, uint32_t>(f)
                         : gf_scan_dispatch_pair<int32_t, uint64_t>(f);
    case GF_U64:
    case GF_S64:
        return gf_scan_dispatch_pair<uint64_t, uint64_t>(f);
    case GF_F32:
        return gf_scan_dispatch_out<float, double, double>(size, f);
    case GF_F64:
        return gf_scan_dispatch_pair<double, double>(f);
    }
    return gf_fail(error, GF_ERROR_INTERNAL, "no scan of %s", gf_depth_name(call->array.options.type));
}

template <class F> gf_status gf_scan_dispatch_least(const struct gf_scan_call *call, F &&f)
{
    if (call->out == GF_F32) {
        return f(gf_tag<gf_scan_least<uint32_t, true>>());
    }
    if (call->out == GF_F64) {
        return f(gf_tag<gf_scan_least<uint64_t, true>>());
    }
    switch (gf_depth_size(call->out)) {
    case 1:
        return f(gf_tag<gf_scan_least<uint8_t, false>>());
    case 2:
        return f(gf_tag<gf_scan_least<uint16_t, false>>());
    case 4:
        return f(gf_tag<gf_scan_least<uint32_t, false>>());
    default:
        return f(gf_tag<gf_scan_least<uint64_t, false>>());
    }
}

#endif
