/* Minima, and maxima as minima of the other order: the scan of one pass over unsigned keys. */
#include "array/scan_pass_cuda.cuh"
#include "base/gf_order.h"

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

    __device__ explicit gf_scan_least(const gf_scan_params &p) : flip(static_cast<B>(p.flip)) {}
    __device__ value join(value a, value b) const { return b < a ? b : a; }
    __device__ B fill() const { return result(none()); }

    /* Of floats the key of +inf, and ^ all ones that of -inf. */
    __device__ value none() const
    {
        return static_cast<B>(!FLOATS ? ~uint64_t(0) : sizeof(B) == 8 ? 0xfff0000000000000u : 0xff800000u);
    }

    __device__ __forceinline__ value key(B bits) const
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
        value least = key(x[0]);
        GF_UNROLL
        for (int e = 1; e < LANE; e++) {
            least = join(least, key(x[e]));
        }
        return least;
    }

    __device__ __forceinline__ void results(const B *x, value base, bool inclusive, B *y) const
    {
        GF_UNROLL
        for (int e = 0; e < LANE; e++) {
            const value next = join(base, key(x[e]));
            y[e] = result(inclusive ? next : base);
            base = next;
        }
    }
};

extern "C" gf_status gf_scan_least_cuda(const struct gf_scan_call *call, gf_error *error)
{
    const uint64_t flip = gf_scan_flip(call);
    if (call->out == GF_F32) {
        return gf_scan_launch<gf_scan_least<uint32_t, true>>(call, flip, error);
    }
    if (call->out == GF_F64) {
        return gf_scan_launch<gf_scan_least<uint64_t, true>>(call, flip, error);
    }
    switch (gf_depth_size(call->out)) {
    case 1:
        return gf_scan_launch<gf_scan_least<uint8_t, false>>(call, flip, error);
    case 2:
        return gf_scan_launch<gf_scan_least<uint16_t, false>>(call, flip, error);
    case 4:
        return gf_scan_launch<gf_scan_least<uint32_t, false>>(call, flip, error);
    default:
        return gf_scan_launch<gf_scan_least<uint64_t, false>>(call, flip, error);
    }
}
