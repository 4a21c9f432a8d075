/* One SIMD level of the slots: compile with -DGF_ROWS_LEVEL=baseline, avx2 or avx512 and the machine options
 * of that level. Plain loops that compilers vectorise. */
#include "array/histogram_lines.h"

#ifndef GF_ROWS_LEVEL
#define GF_ROWS_LEVEL baseline
#endif

/* The bins in a copy, which no store to `slot` can change. */
#define SLOTS(kind, name, T)                                                                                 \
    static void kind##_##name(const void *in, int64_t n, const struct gf_histogram_bins *bins,               \
                              uint32_t *slot)                                                                \
    {                                                                                                        \
        const struct gf_histogram_bins own = *bins;                                                          \
        const T *p = in;                                                                                     \
        for (int64_t i = 0; i < n; i++) {                                                                    \
            slot[i] = gf_##kind##_slot_##name(p[i], &own);                                                   \
        }                                                                                                    \
    }
#define NARROW(name, T) SLOTS(even, name, T) SLOTS(shift, name, T) SLOTS(whole, name, T) SLOTS(edge, name, T)
#define WIDE(name, T)   SLOTS(even, name, T) SLOTS(edge, name, T)
NARROW(u16, uint16_t)
NARROW(u32, uint32_t)
NARROW(s16, int16_t)
NARROW(s32, int32_t)
WIDE(u64, uint64_t)
WIDE(s64, int64_t)
WIDE(f32, float)
WIDE(f64, double)

#define NARROW_LINES(name)                                                                                   \
    {                                                                                                        \
        {                                                                                                    \
            even_##name, shift_##name, whole_##name, edge_##name                                             \
        }                                                                                                    \
    }
#define WIDE_LINES(name)                                                                                     \
    {                                                                                                        \
        {                                                                                                    \
            even_##name, NULL, NULL, edge_##name                                                             \
        }                                                                                                    \
    }
#define SYMBOL_(level) gf_histogram_lines_##level
#define SYMBOL(level)  SYMBOL_(level)

const struct gf_histogram_lines SYMBOL(GF_ROWS_LEVEL)[GF_S64 + 1] = {
    [GF_U16] = NARROW_LINES(u16), [GF_U32] = NARROW_LINES(u32), [GF_S16] = NARROW_LINES(s16),
    [GF_S32] = NARROW_LINES(s32), [GF_U64] = WIDE_LINES(u64),   [GF_S64] = WIDE_LINES(s64),
    [GF_F32] = WIDE_LINES(f32),   [GF_F64] = WIDE_LINES(f64),
};
