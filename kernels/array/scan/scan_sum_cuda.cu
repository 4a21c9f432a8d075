/* Sums: the scan of one pass for every pair of types. */
#include "array/scan/scan_kinds_cuda.cuh"
#include "array/scan/scan_pass_cuda.cuh"

/* Bytes, four in a word: sums of neighbours are kept in halves of a word, so a lane of 16 takes two
 * instructions a byte. */
struct gf_scan_sum_bytes {
    using in = uint8_t;
    using out = uint8_t;
    using value = uint32_t;
    using slot = gf_slot<uint32_t>;
    static const bool ORDERED = false;
    static const int LANE = 16;

    __device__ explicit gf_scan_sum_bytes(uint64_t) {}
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

extern "C" gf_status gf_scan_sum_cuda(const struct gf_scan_call *call, gf_error *error)
{
    return gf_scan_dispatch_sum(call, error, [&](auto tag) {
        using kind = typename decltype(tag)::type;
        constexpr bool bytes = std::is_same<kind, gf_scan_sum<uint8_t, uint8_t, uint32_t>>::value;
        using Op = typename std::conditional<bytes, gf_scan_sum_bytes, kind>::type;
        return gf_scan_launch<Op>(call, 0, error);
    });
}
