/* One SIMD level: compile with -DGF_ROWS_LEVEL=baseline, avx2 or avx512 and the machine options of that
 * level. K is the key's type; C counts in LANES lanes, GROUP elements at a time, which it holds. */
#include "array/search/search_lines.h"

#include "base/cpu_level.h"
#include "base/gf_order.h"
#include "gpufilter/types.h"

enum { LANES = 64 };

#define LINES(name, T, K, C, GROUP, key)                                                                     \
    static int64_t count_##name(const void *in, int64_t n, uint64_t least, uint64_t span)                    \
    {                                                                                                        \
        const T *p = in;                                                                                     \
        K from = (K)least, width = (K)span;                                                                  \
        int64_t all = 0, i = 0;                                                                              \
        while (n - i >= LANES) {                                                                             \
            int64_t end = n - i < (GROUP) ? n - LANES : i + (GROUP)-LANES;                                   \
            C lane[LANES] = {0};                                                                             \
            for (; i <= end; i += LANES) {                                                                   \
                for (int j = 0; j < LANES; j++) {                                                            \
                    lane[j] = (C)(lane[j] + ((K)(key(p[i + j]) - from) <= width));                           \
                }                                                                                            \
            }                                                                                                \
            for (int j = 0; j < LANES; j++) {                                                                \
                all += lane[j];                                                                              \
            }                                                                                                \
        }                                                                                                    \
        for (; i < n; i++) {                                                                                 \
            all += (K)(key(p[i]) - from) <= width;                                                           \
        }                                                                                                    \
        return all;                                                                                          \
    }                                                                                                        \
    static int64_t first_##name(const void *in, int64_t n, uint64_t least, uint64_t span)                    \
    {                                                                                                        \
        const T *p = in;                                                                                     \
        K from = (K)least, width = (K)span;                                                                  \
        int64_t i = 0;                                                                                       \
        while (i < n && (K)(key(p[i]) - from) > width) {                                                     \
            i++;                                                                                             \
        }                                                                                                    \
        return i;                                                                                            \
    }

LINES(u8, uint8_t, uint8_t, uint8_t, 255 * LANES, gf_key_u8)
LINES(u16, uint16_t, uint16_t, uint16_t, GF_SEARCH_LINE, gf_key_u16)
LINES(u32, uint32_t, uint32_t, uint32_t, GF_SEARCH_LINE, gf_key_u32)
LINES(u64, uint64_t, uint64_t, uint64_t, GF_SEARCH_LINE, gf_key_u64)
LINES(f32, float, uint32_t, uint32_t, GF_SEARCH_LINE, gf_key_f32)
LINES(f64, double, uint64_t, uint64_t, GF_SEARCH_LINE, gf_key_f64)

#define ROW(name)                                                                                            \
    {                                                                                                        \
        .count = count_##name, .first = first_##name                                                         \
    }
const struct gf_search_lines GF_LEVEL_NAME(gf_search_lines)[9] = {
    [GF_U8] = ROW(u8),   [GF_U16] = ROW(u16), [GF_U32] = ROW(u32), [GF_U64] = ROW(u64), [GF_S16] = ROW(u16),
    [GF_S32] = ROW(u32), [GF_S64] = ROW(u64), [GF_F32] = ROW(f32), [GF_F64] = ROW(f64),
};
