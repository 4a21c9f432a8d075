/* Every function of gf_num.h, gf_math.h, gf_border.h and gf_divider.h gives the same bits in a kernel as on
 * the host, where another compiler builds them and fma is, on plain x86-64, the fallback. */
#include "base/gf_cuda.h"

#include "base/gf_border.h"
#include "base/gf_divider.h"
#include "base/gf_math.h"
#include "base/gf_num.h"
#include "check.h"
#include "floats.h"

#include <vector>

#ifdef GF_EMU
enum { COUNT = 1 << 13 };
#else
enum { COUNT = 1 << 22 };
#endif
enum { BLOCK = 128, WINDOW = 31 * 17 };

struct dividers {
    gf_divider wide;
    gf_divider32 narrow;
};

/* Bits of a result; any NaN counts as one, as in a picture. */
GF_HD uint64_t bits_of(float v)
{
    return gf_float_bits(gf_canonical(v));
}

GF_HD uint64_t bits_of(int32_t v)
{
    return static_cast<uint64_t>(static_cast<int64_t>(v));
}

/* Each is one function of the headers at input n: f, g, h are f32 values, r random bits. */
#define CASE(name, expression)                                                                               \
    struct name {                                                                                            \
        GF_HD_MEMBER uint64_t at(uint64_t n, const dividers &d)                                              \
        {                                                                                                    \
            const uint64_t r = random_at(1, n);                                                              \
            const float f = float_from(random_at(2, n));                                                     \
            const float g = float_from(random_at(3, n));                                                     \
            const float h = addend_for(f, g, random_at(4, n));                                               \
            (void)r, (void)f, (void)g, (void)h, (void)d;                                                     \
            return expression;                                                                               \
        }                                                                                                    \
    };
#ifdef __CUDACC__
#define GF_HD_MEMBER static __host__ __device__ __forceinline__
#else
#define GF_HD_MEMBER static inline
#endif

#define LOW32        static_cast<int32_t>(static_cast<uint32_t>(r))
#define UNIT(stream) float_from(random_at(stream, n) | 7U)

CASE(fma_hardware, bits_of(gf_fma(f, g, h)))
CASE(fma_fallback, bits_of(gf_fma_exact(f, g, h)))
CASE(square_root, bits_of(gf_sqrt(f)))
CASE(quotient, bits_of(gf_div(f, g)))
CASE(canonical, gf_float_bits(gf_canonical(f)))
CASE(minimum_ordered, gf_float_bits(gf_min_ordered(f, g)))
CASE(maximum_ordered, gf_float_bits(gf_max_ordered(f, g)))
CASE(key, gf_float_key(f))
CASE(key_back, gf_float_bits(gf_key_float(gf_float_key(f))))
CASE(exponential, bits_of(gf_exp(n & 1 ? f : UNIT(2) * 200.0F - 100.0F)))
CASE(exponential2, bits_of(gf_exp2(n & 1 ? f : UNIT(2) * 300.0F - 150.0F)))
CASE(logarithm, bits_of(gf_log(n & 1 ? f : 1.0F + UNIT(2))))
CASE(logarithm2, bits_of(gf_log2(n & 1 ? f : 1.0F + UNIT(2))))
CASE(power, bits_of(n & 1 ? gf_pow(f, g) : gf_pow(UNIT(2), 3.0F * UNIT(3))))
CASE(gamma_u16, gf_quantise_u16(65535.0F * gf_pow(gf_div(static_cast<float>(n & 65535U), 65535.0F),
                                                  gf_div(1.0F, 0.25F + static_cast<float>(n >> 16)))))
CASE(quantise_u8, gf_quantise_u8(f))
CASE(quantise_u16, gf_quantise_u16(f))
CASE(quantise_s16, bits_of(static_cast<int32_t>(gf_quantise_s16(f))))
CASE(quantise_any, bits_of(gf_quantise(f, -1000.0F, 4194304.0F)))
CASE(products_us, bits_of(gf_dp4a_us(LOW32, static_cast<uint32_t>(r >> 32), bits_of(f))))
CASE(round_s32, bits_of(gf_round_s32(f)))
CASE(pack_u8, gf_pack_u8(static_cast<int32_t>(r & 1023U) - 384, static_cast<int32_t>(r >> 10 & 1023U) - 384,
                         static_cast<int32_t>(r >> 20 & 1023U) - 384, static_cast<int32_t>(LOW32)))
CASE(clamp_u8, bits_of(static_cast<int32_t>(gf_clamp_u8(LOW32 >> 20))))
CASE(gray_u, gf_gray_u(r & 65535U, r >> 16 & 65535U, r >> 32 & 65535U))
CASE(gray_f32, bits_of(gf_gray_f32(f, g, h)))
CASE(bin_scale, bits_of(gf_bin_scale(UNIT(2), UNIT(2) + 0.125F + UNIT(3), 1 + static_cast<int32_t>(r >> 54))))
CASE(bin, bits_of(gf_bin(f, UNIT(3), gf_bin_scale(UNIT(3), 2.0F, 256), 256)))
CASE(border, static_cast<uint64_t>(gf_border_index(static_cast<int64_t>(r) >> (16 + r % 47), 1 + (r & 15U),
                                                   static_cast<int>(n % 6))))
CASE(divide, gf_divide_round_half_up(r >> 8, d.wide))
CASE(divide32, gf_divide_round_half_up32(static_cast<uint32_t>(r) % (65535U * WINDOW), d.narrow))

template <class T>
static __global__ void __launch_bounds__(BLOCK) evaluate(uint64_t *out, int64_t count, dividers d)
{
    const int64_t n = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (n < count) {
        out[n] = T::at(static_cast<uint64_t>(n), d);
    }
}

static dividers make_dividers()
{
    dividers d;
    if (!gf_divider_make(WINDOW, UINT64_MAX >> 8, &d.wide) ||
        !gf_divider32_make(WINDOW, 65535U * WINDOW, &d.narrow)) {
        CHECK_MSG(0, "no divider for an area of %d", WINDOW);
    }
    return d;
}

/* Runs T on the device into out; false with the case failed when CUDA refuses. */
template <class T> static bool run_on_device(std::vector<uint64_t> &out, const dividers &d)
{
    uint64_t *memory = nullptr;
    const size_t bytes = out.size() * sizeof out[0];
    cudaError_t status = cudaMalloc(reinterpret_cast<void **>(&memory), bytes);
    if (status == cudaSuccess) {
        const gf_launch config = {gf_blocks(COUNT, BLOCK), BLOCK};
        status = GF_LAUNCH(evaluate<T>, config, memory, static_cast<int64_t>(COUNT), d);
    }
    if (status == cudaSuccess) {
        status = cudaMemcpy(out.data(), memory, bytes, cudaMemcpyDeviceToHost);
    }
    cudaFree(memory);
    CHECK_MSG(status == cudaSuccess, "%s", cudaGetErrorString(status));
    return status == cudaSuccess;
}

template <class T> static void same_bits()
{
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        SKIP("no CUDA device");
    }
    const dividers d = make_dividers();
    std::vector<uint64_t> out(COUNT);
    if (!run_on_device<T>(out, d)) {
        return;
    }
    for (uint64_t n = 0; n < COUNT; n++) {
        const uint64_t expected = T::at(n, d);
        CHECK_MSG(out[n] == expected, "input %llu: %llx on the device, %llx on the host",
                  static_cast<unsigned long long>(n), static_cast<unsigned long long>(out[n]),
                  static_cast<unsigned long long>(expected));
    }
}

#define TEST(name)                                                                                           \
    {                                                                                                        \
#name, same_bits < name>                                                                             \
    }
static const struct check_case cases[] = {
    TEST(fma_hardware),    TEST(fma_fallback),    TEST(square_root),  TEST(quotient),     TEST(canonical),
    TEST(minimum_ordered), TEST(maximum_ordered), TEST(key),          TEST(key_back),     TEST(exponential),
    TEST(exponential2),    TEST(logarithm),       TEST(logarithm2),   TEST(power),        TEST(gamma_u16),
    TEST(quantise_u8),     TEST(quantise_u16),    TEST(quantise_s16), TEST(quantise_any), TEST(clamp_u8),
    TEST(gray_u),          TEST(gray_f32),        TEST(bin_scale),    TEST(bin),          TEST(border),
    TEST(divide),          TEST(divide32)};
CHECK_MAIN(cases)
