/* One SIMD level of the compaction's inner loops: compile with -DGF_ROWS_LEVEL=baseline, avx2 or avx512 and
 * its machine options. */
#include "array/compact_rows.h"

#include "base/gf_order.h"

#include <string.h>

#ifdef __BMI2__
#include <immintrin.h>
#endif

#ifndef GF_ROWS_LEVEL
#define GF_ROWS_LEVEL baseline
#endif

/* ---- Flags ------------------------------------------------------------------------------- */

static int32_t count_flags(const uint8_t *flags, int32_t n)
{
    int32_t count = 0;
    for (int32_t i = 0; i < n; i++) {
        count += flags[i];
    }
    return count;
}

static int32_t flag_flags(const uint8_t *in, int32_t n, uint8_t *flags)
{
    for (int32_t i = 0; i < n; i++) {
        flags[i] = in[i] != 0;
    }
    return count_flags(flags, n);
}

#define FLAG(name, T, K, key)                                                                                \
    static void flag_##name(const void *in, int32_t n, struct gf_keep_test test, uint8_t *flags)             \
    {                                                                                                        \
        const K least = (K)test.least, span = (K)test.span;                                                  \
        const uint8_t outside = test.outside;                                                                \
        for (int32_t i = 0; i < n; i++) {                                                                    \
            K k = key(((const T *)in)[i]);                                                                   \
            flags[i] = (uint8_t)(((K)(k - least) <= span) ^ outside);                                        \
        }                                                                                                    \
    }
FLAG(u8, uint8_t, uint8_t, )
FLAG(u16, uint16_t, uint16_t, )
FLAG(u32, uint32_t, uint32_t, )
FLAG(u64, uint64_t, uint64_t, )
FLAG(f32, float, uint32_t, gf_key_f32)
FLAG(f64, double, uint64_t, gf_key_f64)

static int32_t flag(const void *in, gf_depth type, int32_t n, struct gf_keep_test test, uint8_t *flags)
{
    if (type == GF_F32) {
        flag_f32(in, n, test, flags);
    } else if (type == GF_F64) {
        flag_f64(in, n, test, flags);
    } else if (gf_depth_size(type) == 1) {
        flag_u8(in, n, test, flags);
    } else if (gf_depth_size(type) == 2) {
        flag_u16(in, n, test, flags);
    } else if (gf_depth_size(type) == 4) {
        flag_u32(in, n, test, flags);
    } else {
        flag_u64(in, n, test, flags);
    }
    return count_flags(flags, n);
}

/* ---- Packing --------------------------------------------------------------------------------- */

/* Stores every element and steps on where it stays: no branch to predict. */
#define PACK(bits)                                                                                           \
    static int32_t pack##bits(const void *in, const uint8_t *flags, int32_t n, void *out)                    \
    {                                                                                                        \
        int32_t kept = 0;                                                                                    \
        for (int32_t i = 0; i < n; i++) {                                                                    \
            ((uint##bits##_t *)out)[kept] = ((const uint##bits##_t *)in)[i];                                 \
            kept += flags[i];                                                                                \
        }                                                                                                    \
        return kept;                                                                                         \
    }
#define PACK_INDEX(bits)                                                                                     \
    static int32_t pack_u##bits(uint##bits##_t first, const uint8_t *flags, int32_t n, uint##bits##_t *out)  \
    {                                                                                                        \
        int32_t kept = 0;                                                                                    \
        for (int32_t i = 0; i < n; i++) {                                                                    \
            out[kept] = first + (uint32_t)i;                                                                 \
            kept += flags[i];                                                                                \
        }                                                                                                    \
        return kept;                                                                                         \
    }

PACK(64)
PACK_INDEX(64)

#ifdef __BMI2__

/* Eight flags at a time: PEXT packs the eight bytes of a word, be they elements or their places. */
struct eight {
    uint64_t bytes; /* 0xff where the element stays */
    int32_t kept;
};

static struct eight eight_flags(const uint8_t *flags)
{
    uint64_t word;
    memcpy(&word, flags, sizeof word);
    return (struct eight){(word << 8) - word, __builtin_popcountll(word)};
}

static uint64_t places(uint64_t bytes)
{
    return _pext_u64(0x0706050403020100U, bytes);
}

static int32_t pack8(const void *in, const uint8_t *flags, int32_t n, void *out)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < n; i += 8) {
        struct eight e = eight_flags(flags + i);
        uint64_t word;
        memcpy(&word, (const uint8_t *)in + i, sizeof word);
        word = _pext_u64(word, e.bytes);
        memcpy((uint8_t *)out + kept, &word, sizeof word);
        kept += e.kept;
    }
    return kept;
}

static int32_t pack16(const void *in, const uint8_t *flags, int32_t n, void *out)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < n; i += 8) {
        struct eight e = eight_flags(flags + i);
        __m128i at = _mm_cvtepu8_epi16(_mm_cvtsi64_si128((long long)places(e.bytes)));
        __m128i bytes = _mm_add_epi16(_mm_mullo_epi16(at, _mm_set1_epi16(0x0202)), _mm_set1_epi16(0x0100));
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)((const uint16_t *)in + i));
        _mm_storeu_si128((__m128i *)(void *)((uint16_t *)out + kept), _mm_shuffle_epi8(v, bytes));
        kept += e.kept;
    }
    return kept;
}

static int32_t pack32(const void *in, const uint8_t *flags, int32_t n, void *out)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < n; i += 8) {
        struct eight e = eight_flags(flags + i);
        __m256i at = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)places(e.bytes)));
        __m256i v = _mm256_loadu_si256((const __m256i *)(const void *)((const uint32_t *)in + i));
        _mm256_storeu_si256((__m256i *)(void *)((uint32_t *)out + kept), _mm256_permutevar8x32_epi32(v, at));
        kept += e.kept;
    }
    return kept;
}

static int32_t pack_u32(uint32_t first, const uint8_t *flags, int32_t n, uint32_t *out)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < n; i += 8) {
        struct eight e = eight_flags(flags + i);
        __m256i at = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)places(e.bytes)));
        at = _mm256_add_epi32(at, _mm256_set1_epi32((int)(first + (uint32_t)i)));
        _mm256_storeu_si256((__m256i *)(void *)(out + kept), at);
        kept += e.kept;
    }
    return kept;
}

#else

PACK(8)
PACK(16)
PACK(32)
PACK_INDEX(32)

#endif

#define GF_ROWS_SYMBOL_(level) gf_compact_rows_##level
#define GF_ROWS_SYMBOL(level)  GF_ROWS_SYMBOL_(level)

const struct gf_compact_rows GF_ROWS_SYMBOL(GF_ROWS_LEVEL) = {
    .flag = flag,
    .flag_flags = flag_flags,
    .pack = {pack8, pack16, pack32, pack64},
    .pack_u32 = pack_u32,
    .pack_u64 = pack_u64,
};
