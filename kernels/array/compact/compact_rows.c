/* One SIMD level of the compaction's inner loops: compile with -DGF_ROWS_LEVEL=baseline, avx2 or avx512 and
 * its machine options. */
#include "array/compact/compact_rows.h"

#include "base/cpu_level.h"
#include "base/gf_order.h"

#include <string.h>

#ifdef __SSE2__
#include <immintrin.h>
#endif

/* ---- Flags ------------------------------------------------------------------------------- */

static int32_t count_flags(const uint8_t *flags, int32_t n)
{
    uint64_t bytes = 0; /* eight counts, of at most GF_COMPACT_BLOCK / 8 flags each */
    int32_t i = 0, count = 0;
    for (; i + 8 <= n; i += 8) {
        uint64_t word;
        memcpy(&word, flags + i, sizeof word);
        bytes += word;
    }
    for (; i < n; i++) {
        count += flags[i];
    }
    for (; bytes != 0; bytes >>= 8) {
        count += (int32_t)(bytes & 255);
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

#if defined(__AVX512BW__)
static void bits(const uint8_t *flags, uint8_t *to)
{
    for (int32_t i = 0; i < GF_COMPACT_BLOCK; i += 64) {
        __m512i v = _mm512_loadu_si512((const void *)(flags + i));
        uint64_t word = _mm512_test_epi8_mask(v, v);
        memcpy(to + i / 8, &word, sizeof word);
    }
}
#elif defined(__SSE2__)
static void bits(const uint8_t *flags, uint8_t *to)
{
    for (int32_t i = 0; i < GF_COMPACT_BLOCK; i += 16) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(flags + i));
        uint16_t word = (uint16_t)_mm_movemask_epi8(_mm_slli_epi16(v, 7));
        memcpy(to + i / 8, &word, sizeof word);
    }
}
#else
static void bits(const uint8_t *flags, uint8_t *to)
{
    for (int32_t i = 0; i < GF_COMPACT_BLOCK; i += 8) {
        unsigned byte = 0;
        for (int32_t k = 0; k < 8; k++) {
            byte |= (unsigned)flags[i + k] << k;
        }
        to[i / 8] = (uint8_t)byte;
    }
}
#endif

/* ---- Packing --------------------------------------------------------------------------------- */

/* SIZE elements at a time: `take` stores those whose bits are in `stay`, a WORD, from to + kept on. */
#define PACK(SIZE, WORD, take)                                                                               \
    int32_t kept = 0;                                                                                        \
    for (int32_t i = 0; i < n; i += (SIZE)) {                                                                \
        WORD stay;                                                                                           \
        memcpy(&stay, bits_of + i / 8, sizeof stay);                                                         \
        take;                                                                                                \
        kept += __builtin_popcountll(stay);                                                                  \
    }                                                                                                        \
    return kept

/* One at a time: stores every element and steps on where it stays, so that there is no branch to predict. */
#define PACK_PLAIN(name, FROM, T, element)                                                                   \
    static int32_t name(FROM from, const uint8_t *bits_of, int32_t n, T *to)                                 \
    {                                                                                                        \
        int32_t kept = 0;                                                                                    \
        for (int32_t i = 0; i < n; i++) {                                                                    \
            element;                                                                                         \
            kept += bits_of[i / 8] >> i % 8 & 1;                                                             \
        }                                                                                                    \
        return kept;                                                                                         \
    }
#define PACK_ELEMENTS(bits)                                                                                  \
    PACK_PLAIN(pack##bits, const void *, void,                                                               \
               ((uint##bits##_t *)to)[kept] = ((const uint##bits##_t *)from)[i])

#if defined(__AVX512F__)

static int32_t pack32(const void *from, const uint8_t *bits_of, int32_t n, void *to)
{
    PACK(16, uint16_t,
         _mm512_storeu_si512(
             (uint32_t *)to + kept,
             _mm512_maskz_compress_epi32(stay, _mm512_loadu_si512((const uint32_t *)from + i))));
}

static int32_t pack64(const void *from, const uint8_t *bits_of, int32_t n, void *to)
{
    PACK(8, uint8_t,
         _mm512_storeu_si512(
             (uint64_t *)to + kept,
             _mm512_maskz_compress_epi64(stay, _mm512_loadu_si512((const uint64_t *)from + i))));
}

static int32_t pack_u32(uint32_t first, const uint8_t *bits_of, int32_t n, uint32_t *to)
{
    const __m512i lanes = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    PACK(16, uint16_t,
         _mm512_storeu_si512(
             to + kept, _mm512_maskz_compress_epi32(
                            stay, _mm512_add_epi32(lanes, _mm512_set1_epi32((int)(first + (uint32_t)i))))));
}

static int32_t pack_u64(uint64_t first, const uint8_t *bits_of, int32_t n, uint64_t *to)
{
    const __m512i lanes = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
    PACK(8, uint8_t,
         _mm512_storeu_si512(to + kept,
                             _mm512_maskz_compress_epi64(
                                 stay, _mm512_add_epi64(lanes, _mm512_set1_epi64((int64_t)first + i)))));
}

#define VBMI2 __attribute__((target("avx512vbmi2")))

VBMI2 static int32_t pack8_vbmi2(const void *from, const uint8_t *bits_of, int32_t n, void *to)
{
    PACK(64, uint64_t,
         _mm512_storeu_si512((uint8_t *)to + kept, _mm512_maskz_compress_epi8(
                                                       stay, _mm512_loadu_si512((const uint8_t *)from + i))));
}

VBMI2 static int32_t pack16_vbmi2(const void *from, const uint8_t *bits_of, int32_t n, void *to)
{
    PACK(32, uint32_t,
         _mm512_storeu_si512(
             (uint16_t *)to + kept,
             _mm512_maskz_compress_epi16(stay, _mm512_loadu_si512((const uint16_t *)from + i))));
}

#endif

#ifdef __BMI2__

/* PEXT packs the eight bytes of a word, be they elements or their places. */
static uint64_t packed(uint64_t bytes, uint8_t stay)
{
    return _pext_u64(bytes, _pdep_u64(stay, 0x0101010101010101U) * 255);
}

static int32_t pack8(const void *from, const uint8_t *bits_of, int32_t n, void *to)
{
    uint64_t word;
    PACK(8, uint8_t, {
        memcpy(&word, (const uint8_t *)from + i, sizeof word);
        word = packed(word, stay);
        memcpy((uint8_t *)to + kept, &word, sizeof word);
    });
}

static __m128i places(uint8_t stay)
{
    return _mm_cvtsi64_si128((long long)packed(0x0706050403020100U, stay));
}

static int32_t pack16(const void *from, const uint8_t *bits_of, int32_t n, void *to)
{
    PACK(8, uint8_t, {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)((const uint16_t *)from + i));
        __m128i bytes = _mm_mullo_epi16(_mm_cvtepu8_epi16(places(stay)), _mm_set1_epi16(0x0202));
        bytes = _mm_add_epi16(bytes, _mm_set1_epi16(0x0100));
        _mm_storeu_si128((__m128i *)(void *)((uint16_t *)to + kept), _mm_shuffle_epi8(v, bytes));
    });
}

#endif

#if defined(__BMI2__) && !defined(__AVX512F__)

static int32_t pack32(const void *from, const uint8_t *bits_of, int32_t n, void *to)
{
    PACK(8, uint8_t, {
        __m256i v = _mm256_loadu_si256((const __m256i *)(const void *)((const uint32_t *)from + i));
        v = _mm256_permutevar8x32_epi32(v, _mm256_cvtepu8_epi32(places(stay)));
        _mm256_storeu_si256((__m256i *)(void *)((uint32_t *)to + kept), v);
    });
}

static int32_t pack_u32(uint32_t first, const uint8_t *bits_of, int32_t n, uint32_t *to)
{
    PACK(8, uint8_t, {
        __m256i at = _mm256_cvtepu8_epi32(places(stay));
        at = _mm256_add_epi32(at, _mm256_set1_epi32((int)(first + (uint32_t)i)));
        _mm256_storeu_si256((__m256i *)(void *)(to + kept), at);
    });
}

#elif !defined(__BMI2__)

PACK_ELEMENTS(8)
PACK_ELEMENTS(16)
PACK_ELEMENTS(32)
PACK_PLAIN(pack_u32, uint32_t, uint32_t, to[kept] = from + (uint32_t)i)

#endif

#ifndef __AVX512F__
PACK_ELEMENTS(64)
PACK_PLAIN(pack_u64, uint64_t, uint64_t, to[kept] = from + (uint32_t)i)
#endif

#define ROWS(pack_8, pack_16)                                                                                \
    {                                                                                                        \
        .flag = flag, .flag_flags = flag_flags, .bits = bits, .pack = {pack_8, pack_16, pack32, pack64},     \
        .pack_u32 = pack_u32, .pack_u64 = pack_u64,                                                          \
    }

const struct gf_compact_rows GF_LEVEL_NAME(gf_compact_rows) = ROWS(pack8, pack16);
#ifdef __AVX512F__
const struct gf_compact_rows gf_compact_rows_vbmi2 = ROWS(pack8_vbmi2, pack16_vbmi2);
#endif
