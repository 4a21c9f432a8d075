/* One SIMD level of the inner loops of label: compile with -DGF_ROWS_LEVEL=baseline, avx2 or avx512 and its
 * machine options. */
#include "pixel/whole/label/label_rows.h"

#include "base/cpu_level.h"
#include "base/gf_order.h"

static void count(const uint64_t *bits, int64_t first, int64_t end, struct gf_label_sums *sums)
{
    /* Bit k of a place says whether the place is in PLACES[k]. */
    static const uint64_t places[6] = {0xaaaaaaaaaaaaaaaaU, 0xccccccccccccccccU, 0xf0f0f0f0f0f0f0f0U,
                                       0xff00ff00ff00ff00U, 0xffff0000ffff0000U, 0xffffffff00000000U};
    uint64_t all = 0, x = 0;
    for (int64_t i = first / 64; i * 64 < end; i++) {
        uint64_t word = bits[i];
        word &= i * 64 < first ? UINT64_MAX << first % 64 : UINT64_MAX;
        word &= end - i * 64 < 64 ? (UINT64_C(1) << end % 64) - 1 : UINT64_MAX;
        const uint64_t n = (uint64_t)__builtin_popcountll(word);
        all += n;
        x += n * (uint64_t)i * 64;
        for (int k = 0; k < 6; k++) {
            x += (uint64_t)__builtin_popcountll(word & places[k]) << k;
        }
    }
    sums->count = all;
    sums->x = x;
}

/* CHUNK samples of u16 add up to less than 2^32. */
enum { CHUNK = 65536 };

/* A loop over pixels, which is one over vectors where there is one channel. */
#define EACH(type, ...)                                                                                      \
    const type *const from = pixels;                                                                         \
    if (channels == 1) {                                                                                     \
        for (int64_t i = 0; i < n; i++) {                                                                    \
            const type v = from[i];                                                                          \
            __VA_ARGS__;                                                                                     \
        }                                                                                                    \
    } else {                                                                                                 \
        for (int64_t i = 0; i < n; i++) {                                                                    \
            const type v = from[i * channels];                                                               \
            __VA_ARGS__;                                                                                     \
        }                                                                                                    \
    }

#define DEFINE(type, inside)                                                                                 \
    static void flags_##type(const void *pixels, int32_t channels, int64_t n, uint8_t *restrict flags)       \
    {                                                                                                        \
        EACH(type, flags[i] = inside)                                                                        \
    }                                                                                                        \
    static void numbers_##type(const void *pixels, int32_t channels, int64_t n, uint32_t number,             \
                               uint32_t *restrict to)                                                        \
    {                                                                                                        \
        EACH(type, to[i] = (inside) ? number : 0)                                                            \
    }
DEFINE(uint8_t, v > 0)
DEFINE(uint16_t, v > 0)
DEFINE(float, (v > 0) | (v < 0))

/* 0 is no sample that counts: one less, it is the greatest. */
#define DEFINE_MEASURE(type)                                                                                 \
    static void measure_##type(const void *pixels, int32_t channels, int64_t n, struct gf_label_sums *sums)  \
    {                                                                                                        \
        uint32_t sum = 0;                                                                                    \
        type least = (type)-1, greatest = 0;                                                                 \
        EACH(type, {                                                                                         \
            const type less = (type)(v - 1);                                                                 \
            sum += v;                                                                                        \
            least = less < least ? less : least;                                                             \
            greatest = v > greatest ? v : greatest;                                                          \
        })                                                                                                   \
        sums->v += sum;                                                                                      \
        sums->least = least + 1U < sums->least ? least + 1U : sums->least;                                   \
        sums->greatest = greatest > sums->greatest ? greatest : sums->greatest;                              \
    }
DEFINE_MEASURE(uint8_t)
DEFINE_MEASURE(uint16_t)

static void measure_float(const void *pixels, int32_t channels, int64_t n, struct gf_label_sums *sums)
{
    uint32_t least = UINT32_MAX, greatest = 0;
    EACH(float, {
        const uint32_t key = gf_key_f32(v), is = (v > 0) | (v < 0);
        least = is && key < least ? key : least;
        greatest = is && key > greatest ? key : greatest;
    })
    sums->least = least < sums->least ? least : sums->least;
    sums->greatest = greatest > sums->greatest ? greatest : sums->greatest;
}

static void flags(const void *pixels, gf_depth depth, int32_t channels, int64_t n, uint8_t *to)
{
    if (depth == GF_U8) {
        flags_uint8_t(pixels, channels, n, to);
    } else if (depth == GF_U16) {
        flags_uint16_t(pixels, channels, n, to);
    } else {
        flags_float(pixels, channels, n, to);
    }
}

static void numbers(const void *pixels, gf_depth depth, int32_t channels, int64_t n, uint32_t number,
                    uint32_t *to)
{
    if (depth == GF_U8) {
        numbers_uint8_t(pixels, channels, n, number, to);
    } else if (depth == GF_U16) {
        numbers_uint16_t(pixels, channels, n, number, to);
    } else {
        numbers_float(pixels, channels, n, number, to);
    }
}

static void measure(const void *pixels, gf_depth depth, int32_t channels, int64_t n,
                    struct gf_label_sums *sums)
{
    const int64_t size = channels * (int64_t)gf_depth_size(depth);
    for (int64_t i = 0; i < n; i += CHUNK) {
        const int64_t some = n - i < CHUNK ? n - i : CHUNK;
        const void *from = (const char *)pixels + i * size;
        if (depth == GF_U8) {
            measure_uint8_t(from, channels, some, sums);
        } else if (depth == GF_U16) {
            measure_uint16_t(from, channels, some, sums);
        } else {
            measure_float(from, channels, some, sums);
        }
    }
}

const struct gf_label_rows GF_LEVEL_NAME(gf_label_rows) = {flags, count, numbers, measure};
