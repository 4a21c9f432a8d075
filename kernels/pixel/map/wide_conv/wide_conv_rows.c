/* One SIMD level of "wide_conv": compile with -DGF_ROWS_LEVEL=baseline, avx2 or avx512 and its machine
 * options.
 */
#include "pixel/map/wide_conv/wide_conv.h"

#include "base/cpu_level.h"

static void put(const uint64_t *sums, double unit, gf_depth depth, int64_t n, int64_t step, void *out)
{
    uint8_t *u8 = out;
    uint16_t *u16 = out;
    float *f32 = out;
    for (int64_t x = 0; depth == GF_U8 && step == 1 && x < n; x++) { /* so that it vectorises */
        u8[x] = (uint8_t)gf_wide_conv_level((double)(int64_t)sums[x], unit, 255);
    }
    for (int64_t x = 0; depth == GF_U8 && step > 1 && x < n; x++) {
        u8[x * step] = (uint8_t)gf_wide_conv_level((double)(int64_t)sums[x], unit, 255);
    }
    for (int64_t x = 0; depth == GF_U16 && x < n; x++) {
        u16[x * step] = (uint16_t)gf_wide_conv_level((double)(int64_t)sums[x], unit, 65535);
    }
    for (int64_t x = 0; depth == GF_F32 && x < n; x++) {
        f32[x * step] = (float)((double)(int64_t)sums[x] * unit);
    }
}

const struct gf_wide_conv_rows GF_LEVEL_NAME(gf_wide_conv_rows) = {put};
