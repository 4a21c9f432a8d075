/* The bin of an element, as every fast variant computes it: one source for C11, C++17 and CUDA. The
 * definition is gpufilter/histogram.h; array/histogram/histogram_sequential.c has it once more, by itself.
 *
 *   gf_slot_...(v, bins)   the place of v in a channel's counts: its bin, or bins->count + 0, 1, 2 for below,
 *                          above, NaN */
#pragma once

#include "base/gf_num.h"

enum gf_bins_kind {
    GF_BINS_EVEN,  /* floor((v - lo) * scale) in f64 */
    GF_BINS_SHIFT, /* the same of integers of up to 32 bits, with bins of 2^shift of them: a shift of v - lo
                    */
    GF_BINS_WHOLE, /* the same where every value of the type is in range */
    GF_BINS_EDGES, /* between two of `edges` */
    GF_BINS_KINDS
};

struct gf_histogram_bins {
    enum gf_bins_kind kind;
    int32_t shift;
    int64_t count;
    double lo, hi; /* also of edges: the first and the last */
    double scale;
    float near_lo, near_hi, near_scale; /* for a guess in f32: least f32 not below lo, hi; scale */
    float doubt;           /* how near to a border the guess may be wrong, in bins; 1: it is useless */
    uint32_t first, width; /* of a shift: lo, and the last integer below hi less lo, modulo 2^32 */
    const double *edges;   /* count + 1, or NULL */
};

/* v < e as real numbers. Rounding v to f64 keeps the order, so only a tie needs a second look. */
GF_HD int gf_is_below_u64(uint64_t v, double e)
{
    double d = (double)v;
    return d < e || (d == e && (e >= 0x1p64 || v < (uint64_t)e));
}
GF_HD int gf_is_below_s64(int64_t v, double e)
{
    double d = (double)v;
    return d < e || (d == e && (e >= 0x1p63 || v < (int64_t)e));
}
#define GF_IS_BELOW(name, T)                                                                                 \
    GF_HD int gf_is_below_##name(T v, double e)                                                              \
    {                                                                                                        \
        return (double)v < e;                                                                                \
    }
GF_IS_BELOW(u8, uint8_t)
GF_IS_BELOW(u16, uint16_t)
GF_IS_BELOW(u32, uint32_t)
GF_IS_BELOW(s16, int16_t)
GF_IS_BELOW(s32, int32_t)
GF_IS_BELOW(f32, float)
GF_IS_BELOW(f64, double)

/* floor(at) where it is at least 0 and below 2^31, which `inside` says; just below zero something that is at
 * most 0 as int32_t; any number otherwise. */
GF_HD uint32_t gf_floor_index(double at, int inside)
{
#ifdef __CUDA_ARCH__
    (void)inside; /* rounding down in the addition leaves the integer in the low word */
    return (uint32_t)__double2loint(__dadd_rd(at, 0x1p52));
#else
    return (uint32_t)(int32_t)(inside ? at : 0.0); /* towards zero */
#endif
}

/* Even bins. */
#define GF_EVEN_SLOT(name, T)                                                                                \
    GF_HD uint32_t gf_even_slot_##name(T v, const struct gf_histogram_bins *bins)                            \
    {                                                                                                        \
        uint32_t count = (uint32_t)bins->count;                                                              \
        double number = (double)v;                                                                           \
        int below = gf_is_below_##name(v, bins->lo), inside = gf_is_below_##name(v, bins->hi) & !below;      \
        uint32_t bin = gf_floor_index((number - bins->lo) * bins->scale, inside);                            \
        bin = bin < count ? bin : count - 1;                                                                 \
        return inside ? bin : count + (below ? 0U : number == number ? 1U : 2U);                             \
    }
GF_EVEN_SLOT(u8, uint8_t)
GF_EVEN_SLOT(u16, uint16_t)
GF_EVEN_SLOT(u32, uint32_t)
GF_EVEN_SLOT(u64, uint64_t)
GF_EVEN_SLOT(s16, int16_t)
GF_EVEN_SLOT(s32, int32_t)
GF_EVEN_SLOT(s64, int64_t)
GF_EVEN_SLOT(f32, float)
GF_EVEN_SLOT(f64, double)

/* Integers of up to 32 bits. Below lo, v - lo wraps to more than any width. */
#define GF_SHIFT_SLOT(name, T)                                                                               \
    GF_HD uint32_t gf_whole_slot_##name(T v, const struct gf_histogram_bins *bins)                           \
    {                                                                                                        \
        return ((uint32_t)v - bins->first) >> bins->shift;                                                   \
    }                                                                                                        \
    GF_HD uint32_t gf_shift_slot_##name(T v, const struct gf_histogram_bins *bins)                           \
    {                                                                                                        \
        uint32_t at = (uint32_t)v - bins->first;                                                             \
        uint32_t out = (uint32_t)bins->count + (v < (T)bins->first ? 0U : 1U);                               \
        return at <= bins->width ? at >> bins->shift : out;                                                  \
    }
GF_SHIFT_SLOT(u8, uint8_t)
GF_SHIFT_SLOT(u16, uint16_t)
GF_SHIFT_SLOT(u32, uint32_t)
GF_SHIFT_SLOT(s16, int16_t)
GF_SHIFT_SLOT(s32, int32_t)

/* The last edge that is not above v, by halving. */
#define GF_EDGE_SLOT(name, T)                                                                                \
    GF_HD uint32_t gf_edge_slot_##name(T v, const struct gf_histogram_bins *bins)                            \
    {                                                                                                        \
        uint32_t count = (uint32_t)bins->count, low = 0, left = count + 1;                                   \
        while (left > 1) {                                                                                   \
            uint32_t half = left / 2;                                                                        \
            low = gf_is_below_##name(v, bins->edges[low + half]) ? low : low + half;                         \
            left -= half;                                                                                    \
        }                                                                                                    \
        double number = (double)v;                                                                           \
        low = gf_is_below_##name(v, bins->lo) ? count : low == count ? count + 1 : low;                      \
        return number == number ? low : count + 2;                                                           \
    }
GF_EDGE_SLOT(u8, uint8_t)
GF_EDGE_SLOT(u16, uint16_t)
GF_EDGE_SLOT(u32, uint32_t)
GF_EDGE_SLOT(u64, uint64_t)
GF_EDGE_SLOT(s16, int16_t)
GF_EDGE_SLOT(s32, int32_t)
GF_EDGE_SLOT(s64, int64_t)
GF_EDGE_SLOT(f32, float)
GF_EDGE_SLOT(f64, double)

#define GF_SLOT_WIDE(name, T)                                                                                \
    GF_HD uint32_t gf_slot_##name(T v, const struct gf_histogram_bins *bins)                                 \
    {                                                                                                        \
        return bins->kind == GF_BINS_EDGES ? gf_edge_slot_##name(v, bins) : gf_even_slot_##name(v, bins);    \
    }
#define GF_SLOT_NARROW(name, T)                                                                              \
    GF_HD uint32_t gf_slot_##name(T v, const struct gf_histogram_bins *bins)                                 \
    {                                                                                                        \
        return bins->kind == GF_BINS_EDGES   ? gf_edge_slot_##name(v, bins)                                  \
               : bins->kind == GF_BINS_WHOLE ? gf_whole_slot_##name(v, bins)                                 \
               : bins->kind == GF_BINS_SHIFT ? gf_shift_slot_##name(v, bins)                                 \
                                             : gf_even_slot_##name(v, bins);                                 \
    }
GF_SLOT_NARROW(u8, uint8_t)
GF_SLOT_NARROW(u16, uint16_t)
GF_SLOT_NARROW(u32, uint32_t)
GF_SLOT_NARROW(s16, int16_t)
GF_SLOT_NARROW(s32, int32_t)
GF_SLOT_WIDE(u64, uint64_t)
GF_SLOT_WIDE(s64, int64_t)
GF_SLOT_WIDE(f32, float)
GF_SLOT_WIDE(f64, double)
