/* Sums: the scan of one pass for every pair of types. */
#include "array/dispatch_cuda.cuh"
#include "array/scan_pass_cuda.cuh"

/* Elements T, results O, added as A; of integers A is unsigned. */
template <class T, class O, class A> struct gf_scan_sum {
    using in = T;
    using out = O;
    using value = A;
    using slot = gf_slot<A>;
    static const bool ORDERED = std::is_floating_point<A>::value;
    static const int LANE = GF_SCAN_LANE_BYTES / static_cast<int>(sizeof(O));

    __device__ explicit gf_scan_sum(const gf_scan_params &) {}
    __device__ A none() const { return A(0); }
    __device__ A join(A a, A b) const { return a + b; }
    __device__ T fill() const { return T(0); }

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

/* Bytes, four in a word: sums of neighbours are kept in halves of a word, so a lane of 16 takes two
 * instructions a byte. */
struct gf_scan_sum_bytes {
    using in = uint8_t;
    using out = uint8_t;
    using value = uint32_t;
    using slot = gf_slot<uint32_t>;
    static const bool ORDERED = false;
    static const int LANE = 16;

    __device__ explicit gf_scan_sum_bytes(const gf_scan_params &) {}
    __device__ uint32_t none() const { return 0; }
    __device__ uint32_t join(uint32_t a, uint32_t b) const { return a + b; }
    __device__ uint8_t fill() const { return 0; }

    __device__ __forceinline__ uint32_t total(const uint8_t *x) const
    {
        uint32_t words[4], sum = 0;
        memcpy(words, x, sizeof words);
        GF_UNROLL
        for (int i = 0; i < 4; i++) {
            sum = gf_dp4a_u(0x01010101u, words[i], sum);
        }
        return sum;
    }

    __device__ __forceinline__ void results(const uint8_t *x, uint32_t base, bool inclusive, uint8_t *y) const
    {
        uint32_t words[4], carry = (base & 0xffu) * 0x00010001u; /* in both halves; at most 17 * 255 */
        memcpy(words, x, sizeof words);
        GF_UNROLL
        for (int i = 0; i < 4; i++) {
            const uint32_t even = gf_byte_perm(words[i], 0, 0x4240), odd = gf_byte_perm(words[i], 0, 0x4341);
            const uint32_t both = even + odd;                   /* b0 + b1, b2 + b3 */
            const uint32_t at_odd = both * 0x00010001u + carry; /* up to and with b1, b3 */
            const uint32_t at_even = at_odd - odd;              /* b0, b2 */
            const uint32_t before_even = at_odd - both;
            const uint32_t before_odd = at_even;
            words[i] = inclusive ? gf_byte_perm(at_even, at_odd, 0x6240)
                                 : gf_byte_perm(before_even, before_odd, 0x6240);
            carry = gf_byte_perm(at_odd, 0, 0x3232);
        }
        memcpy(y, words, sizeof words);
    }
};

template <class T, class O> static gf_status run(const struct gf_scan_call *call, gf_error *error)
{
    if constexpr (std::is_same<T, uint8_t>::value && std::is_same<O, uint8_t>::value) {
        return gf_scan_launch<gf_scan_sum_bytes>(call, 0, error);
    } else if constexpr (std::is_floating_point<O>::value) {
        return gf_scan_launch<gf_scan_sum<T, O, O>>(call, 0, error);
    } else {
        using A = typename std::conditional<sizeof(O) == 8, uint64_t, uint32_t>::type;
        return gf_scan_launch<gf_scan_sum<T, O, A>>(call, 0, error);
    }
}

/* Results as wide as the elements, 4 or 8 bytes wide. Whether they have a sign does not show in their bits.
 */
template <class T, class O32, class O64>
static gf_status by_result(const struct gf_scan_call *call, gf_error *error)
{
    const size_t size = gf_depth_size(call->out);
    if (size == sizeof(T)) {
        return run<T, T>(call, error);
    }
    if constexpr (sizeof(T) < 4) {
        if (size == 4) {
            return run<T, O32>(call, error);
        }
    }
    return run<T, O64>(call, error);
}

extern "C" gf_status gf_scan_sum_cuda(const struct gf_scan_call *call, gf_error *error)
{
    switch (call->array.options.type) {
    case GF_U8:
        return by_result<uint8_t, uint32_t, uint64_t>(call, error);
    case GF_U16:
        return by_result<uint16_t, uint32_t, uint64_t>(call, error);
    case GF_S16:
        return gf_depth_size(call->out) == 2 ? run<uint16_t, uint16_t>(call, error)
                                             : by_result<int16_t, uint32_t, uint64_t>(call, error);
    case GF_U32:
        return by_result<uint32_t, uint32_t, uint64_t>(call, error);
    case GF_S32:
        return gf_depth_size(call->out) == 4 ? run<uint32_t, uint32_t>(call, error)
                                             : run<int32_t, uint64_t>(call, error);
    case GF_U64:
    case GF_S64:
        return run<uint64_t, uint64_t>(call, error);
    case GF_F32:
        return by_result<float, double, double>(call, error);
    case GF_F64:
        return run<double, double>(call, error);
    }
    return gf_fail(error, GF_ERROR_INTERNAL, "no scan of %s", gf_depth_name(call->array.options.type));
}
