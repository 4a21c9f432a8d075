/* One SIMD level of the slots: compile with -DGF_ROWS_LEVEL=baseline, avx2 or avx512 and the machine options
 * of that level. Plain loops that compilers vectorise. */
#include "array/histogram/histogram_lines.h"

#include "base/cpu_level.h"
#include "base/planted_fault.h"

enum { GROUP = 32 };

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

/* Even bins of f32: first in f32; where an element of a group is too near to a border for that to be sure,
 * the group again in f64. Written with masks, which compilers vectorise. */
static void guess_group(const float *p, const struct gf_histogram_bins *bins, uint32_t *slot)
{
    const float lo = bins->near_lo, hi = bins->near_hi, scale = bins->near_scale;
    const float doubt = bins->doubt, sure = 1.0F - doubt;
    int32_t count = (int32_t)bins->count, doubts = 0;
    for (int k = 0; k < GROUP; k++) {
        float v = p[k];
        int32_t from_lo = v >= lo ? -1 : 0, to_hi = v < hi ? -1 : 0, nan = v != v ? 2 : 0;
        int32_t inside = from_lo & to_hi;
        float within = v >= lo ? v : lo;
        float at = ((within < hi ? within : lo) - lo) * scale;
        int32_t bin = (int32_t)at;
        float part = at - (float)bin;
        int32_t left = part < doubt ? -1 : 0, right = part > sure ? -1 : 0;
        doubts |= inside & (left | right);
        slot[k] = (uint32_t)((inside & bin) | (~inside & (count - from_lo + nan)));
    }
    for (int k = 0; doubts && !GF_FAULT(histogram_guess) && k < GROUP; k++) {
        slot[k] = gf_even_slot_f32(p[k], bins);
    }
}

static void guess_f32(const void *in, int64_t n, const struct gf_histogram_bins *bins, uint32_t *slot)
{
    const struct gf_histogram_bins own = *bins;
    const float *p = in;
    int64_t i = 0;
    for (; own.doubt < 1.0F && i + GROUP <= n; i += GROUP) {
        guess_group(p + i, &own, slot + i);
    }
    even_f32(p + i, n - i, &own, slot + i);
}

#define NARROW_LINES(name)                                                                                   \
    {                                                                                                        \
        {                                                                                                    \
            even_##name, shift_##name, whole_##name, edge_##name                                             \
        }                                                                                                    \
    }
#define WIDE_LINES(name, even)                                                                               \
    {                                                                                                        \
        {                                                                                                    \
            even##_##name, NULL, NULL, edge_##name                                                           \
        }                                                                                                    \
    }
const struct gf_histogram_lines GF_LEVEL_NAME(gf_histogram_lines)[GF_S64 + 1] = {
    [GF_U16] = NARROW_LINES(u16),      [GF_U32] = NARROW_LINES(u32),     [GF_S16] = NARROW_LINES(s16),
    [GF_S32] = NARROW_LINES(s32),      [GF_U64] = WIDE_LINES(u64, even), [GF_S64] = WIDE_LINES(s64, even),
    [GF_F32] = WIDE_LINES(f32, guess), [GF_F64] = WIDE_LINES(f64, even),
};
