/* One SIMD level of the row functions: compile with -DGF_ROWS_LEVEL=baseline, avx2, avx512 or vnni and the
 * machine options of that level. Everything but the table is static, so the copies do not meet. */
#include "pixel/cpu/cpu_rows.h"

#include "base/cpu_stream.h"
#include "base/gf_border.h"
#include "base/planted_fault.h"
#include "pixel/cpu/cpu_simd.h"
#include "pixel/ir/program.h"
#include "pixel/window/edges/edges.h"

#include <string.h>

#ifndef GF_ROWS_LEVEL
#define GF_ROWS_LEVEL baseline
#endif

/* Asks for what lies `bytes` behind p. The address may be any; a wrong one is ignored. */
static inline void prefetch(const void *p, size_t bytes)
{
    __builtin_prefetch((const void *)((uintptr_t)p + bytes));
}

#include "pixel/cpu/cpu_rows_bilateral.h"
#include "pixel/cpu/cpu_rows_blend.h"
#include "pixel/cpu/cpu_rows_box.h"
#include "pixel/cpu/cpu_rows_clahe.h"
#include "pixel/cpu/cpu_rows_colour.h"
#include "pixel/cpu/cpu_rows_edges.h"
#include "pixel/cpu/cpu_rows_formula.h"
#include "pixel/cpu/cpu_rows_gradient.h"
#include "pixel/cpu/cpu_rows_least.h"
#include "pixel/cpu/cpu_rows_mix.h"
#include "pixel/cpu/cpu_rows_point.h"
#include "pixel/cpu/cpu_rows_region.h"
#include "pixel/cpu/cpu_rows_sauvola.h"
#include "pixel/cpu/cpu_rows_separable.h"
#include "pixel/cpu/cpu_rows_taps.h"

#define GF_ROWS_TEXT_(level)   #level
#define GF_ROWS_TEXT(level)    GF_ROWS_TEXT_(level)
#define GF_ROWS_SYMBOL_(level) gf_cpu_rows_##level
#define GF_ROWS_SYMBOL(level)  GF_ROWS_SYMBOL_(level)

const struct gf_cpu_rows GF_ROWS_SYMBOL(GF_ROWS_LEVEL) = {
    .level = GF_ROWS_TEXT(GF_ROWS_LEVEL),
    .u8_across = u8_across,
    .u8_down = u8_down,
    .f32_across = f32_across,
    .f32_down = f32_down,
    .box_across = box_across,
    .box_down = box_down,
    .box_turn = box_turn,
    .mean16 = mean16,
    .mean32 = mean32,
    .mean64 = mean64,
    .box_across_f32 = box_across_f32,
    .f32_add = f32_add,
    .f32_turn = f32_turn,
    .f32_divide = f32_divide,
    .moments_across = moments_across,
    .f64_add = f64_add,
    .sauvola = sauvola,
    .u8_gradient_across = u8_gradient_across,
    .u8_gradient_down = u8_gradient_down,
    .f32_gradient_across = f32_gradient_across,
    .f32_gradient_down = f32_gradient_down,
    .bilateral = bilateral,
    .least = {{least_u8, down_u8, lower_u8, gather_u8, of_all_u8},
              {least_u16, down_u16, lower_u16, gather_u16, of_all_u16},
              {least_u32, down_u32, lower_u32, gather_u32, of_all_u32}},
    .f32_keys = f32_keys,
    .keys_f32 = keys_f32,
    .u8_slopes = u8_slopes,
    .f32_slopes = f32_slopes,
    .u8_ridges = u8_ridges,
    .f32_ridges = f32_ridges,
    .clahe_u8 = clahe_u8,
    .clahe_u16 = clahe_u16,
    .clahe_f32 = clahe_f32,
    .edges_to_bits = edges_to_bits,
    .bits_to_white = bits_to_white,
    .to_f32 = to_f32,
    .from_f32 = from_f32,
    .stream = gf_cpu_stream,
    .fence = gf_cpu_fence,
    .split = split,
    .join = join,
    .affine = affine,
    .divide = divide,
    .power = power,
    .transfer = transfer,
    .lab = lab,
    .luma = luma,
    .greater = greater,
    .quantise = quantise,
    .combine = combine,
    .region = region,
    .fade = fade,
    .matrix = matrix,
    .formula = formula,
    .pixels = pixels_any,
    .gray_f32 = gray_f32,
    .gray_int = gray_int,
    .alpha = alpha,
    .magnitude = magnitude,
    .slope = slope,
    .angle = angle,
    .u8_blend = u8_blend,
    .u8_mix = U8_MIX,
    .u8_gray = u8_gray,
    .u8_table = u8_table,
    .u8_step = u8_step,
    .u8_stats = u8_stats,
    .u16_stats = u16_stats,
    .f32_extremes = f32_extremes,
    .f32_finite = f32_finite,
    .f32_columns = f32_columns,
    .f32_bins = f32_bins,
    .u8_count = u8_count,
    .u8_columns = u8_columns,
    .u16_columns = u16_columns,
    .f32_sums = f32_sums,
    .int_sums = int_sums,
    .f32_fold = f32_fold,
};
